//! `offprint apply`.

use std::error::Error as _;
use std::path::PathBuf;

use crate::config;
use bundle::delta::apply_delta;
use bundle::sign::PublicKey;

use super::{Exit, bytes, cancel_on_signal, harmless, plural, tell, tell_error};

pub(super) const ABOUT: &str = "\
Apply a delta to an earlier bundle.

The delta is written by `offprint export --delta-from`. The result is byte for byte the bundle of an export without that \
flag; its digest is checked, and nothing is written if it differs.";

pub(super) const NOTES: &str = "\
Examples:
  offprint export docs --export-version v2 --delta-from v1.zip -o v2.delta.zip
  offprint apply v1.zip v2.delta.zip -o v2.zip
  offprint apply v1.zip v2.delta.zip -o v2.zip --public-key minisign.pub

Exit codes:
  0  done
  2  nothing was written: wrong earlier bundle, damaged delta, or not signed by
     the key";

/// `offprint apply`.
#[derive(Debug, clap::Args)]
pub(super) struct ApplyArgs {
    /// The earlier bundle, an archive
    pub(super) bundle: PathBuf,
    /// The delta
    pub(super) delta: PathBuf,
    /// The bundle to write; may be the earlier one
    #[arg(short, long, value_name = "PATH")]
    pub(super) output: PathBuf,
    /// The key that the result has to be signed by: a file, or the key itself
    #[arg(short = 'p', long, value_name = "FILE|KEY", value_parser = config::public_key)]
    pub(super) public_key: Option<PublicKey>,
}

/// Puts a bundle together and says what it is.
pub(super) fn run_apply(arguments: ApplyArgs) -> Exit {
    let _cancel = cancel_on_signal();
    let shown = arguments.output.display().to_string();
    match apply_delta(&arguments.bundle, &arguments.delta, arguments.output, arguments.public_key.as_ref()) {
        Ok(applied) => {
            let edition = applied.version.map_or_else(String::new, |version| format!(" (version {version})"));
            let reused = plural(applied.reused, "file");
            tell(harmless(&format!(
                "Wrote {shown}{edition}: {}, {}; {reused} from the earlier bundle",
                plural(applied.files, "file"),
                bytes(applied.bytes)
            )));
            tell(format_args!("  sha256 {}", applied.sha256));
            Exit::Done
        }
        Err(error) => {
            let cause = error.source().map_or_else(String::new, |cause| format!(": {cause}"));
            tell_error(harmless(&format!("{error}{cause}")));
            Exit::Unusable
        }
    }
}
