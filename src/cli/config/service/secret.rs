//! Secrets: a text, or where it is, so that the file itself need not be one.

use std::fs;
use std::path::Path;

use toml::Value;

/// Largest file of a secret, bytes.
const SECRET_BYTES: u64 = 64 << 10;

/// What a secret may look like.
const FORMS: &str = "a text, `{ env = \"NAME\" }` or `{ file = \"path\" }`";

/// The text of a secret, without the end of its last line. It never stands in a message.
pub(super) fn read_secret(
    value: &Value,
    base: &Path,
    variable: &dyn Fn(&str) -> Option<String>,
) -> Result<String, String> {
    let text = match value {
        Value::String(text) => text.clone(),
        Value::Table(table) => match (table.len(), table.get("env"), table.get("file")) {
            (1, Some(Value::String(name)), None) => {
                variable(name).ok_or_else(|| format!("the environment has no variable `{name}`"))?
            }
            (1, None, Some(Value::String(path))) => read_secret_file(&base.join(path))?,
            _ => return Err(format!("expected {FORMS}")),
        },
        _ => return Err(format!("expected {FORMS}")),
    };
    let text = text.trim_end_matches(['\r', '\n']);
    if text.is_empty() { Err("the secret is empty".to_owned()) } else { Ok(text.to_owned()) }
}

fn read_secret_file(path: &Path) -> Result<String, String> {
    let shown = path.display();
    let unreadable = |error: std::io::Error| format!("`{shown}` cannot be read: {error}");
    let metadata = fs::metadata(path).map_err(unreadable)?;
    if !metadata.is_file() || metadata.len() > SECRET_BYTES {
        return Err(format!("`{shown}` is no file of a secret"));
    }
    fs::read_to_string(path).map_err(unreadable)
}
