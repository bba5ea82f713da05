//! How much a problem matters.

use schemars::JsonSchema;
use serde::Serialize;

/// How severe a diagnostic is. Errors make `--strict` exports fail; neither ever loses a page.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Worth a look; the output is complete.
    Warning,
    /// Something the author wrote cannot be shown as meant.
    Error,
}
