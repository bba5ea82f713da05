//! What the bytes of a file say about it without being parsed: whether it is a description, in which format, and whether
//! it names user groups.

use memchr::memmem;

use crate::base::FileId;
use crate::base::limits::DESCRIPTION_BYTES;
use crate::source::site::tree::SourceTree;

/// What a file has that is a description.
pub(super) const KEYS: [&str; 2] = ["openapi", "asyncapi"];

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Format {
    Json,
    Yaml,
}

pub(super) fn extension(path: &str) -> Option<Format> {
    let (_, extension) = file_name(path).rsplit_once('.')?;
    match extension.to_ascii_lowercase().as_str() {
        "json" => Some(Format::Json),
        "yaml" | "yml" => Some(Format::Yaml),
        _ => None,
    }
}

pub(super) fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// Whether a JSON or YAML file has one of some names among its top-level keys.
pub(super) fn has_key(tree: &SourceTree, file: FileId, names: &[&str]) -> bool {
    let bytes = tree.read_at_most(file, DESCRIPTION_BYTES).unwrap_or_default();
    bytes_have_key(&bytes, extension(tree.path(file)) == Some(Format::Json), names)
}

pub(super) fn bytes_have_key(bytes: &[u8], is_json: bool, names: &[&str]) -> bool {
    (!is_json && yaml_has_key(bytes, names)) || ((is_json || opens_object(bytes)) && json_has_key(bytes, names))
}

/// Whether a text may name user groups. Most descriptions do not, and are not looked at any closer.
pub(super) fn name_groups(bytes: &[u8]) -> bool {
    memmem::find(bytes, b"x-mint").is_some()
        && (memmem::find(bytes, b"roups").is_some() || memmem::find(bytes, b"x-mint-enum").is_some())
}

/// About how many values a text of JSON has, counted without making them.
pub(super) fn values(bytes: &[u8]) -> usize {
    let (mut count, mut at) = (1, 0);
    while let Some(byte) = bytes.get(at) {
        match byte {
            b',' | b'{' | b'[' => count += 1,
            b'"' => at = end_of_string(bytes, at + 1),
            _ => {}
        }
        at += 1;
    }
    count
}

/// Where the quote stands that ends a string of JSON, or the end of the text.
fn end_of_string(bytes: &[u8], mut at: usize) -> usize {
    while let Some(byte) = bytes.get(at).filter(|byte| **byte != b'"') {
        at += if *byte == b'\\' { 2 } else { 1 };
    }
    at
}

/// Whether a text starts as an object of JSON does, which is YAML too.
pub(crate) fn opens_object(bytes: &[u8]) -> bool {
    bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes).trim_ascii_start().starts_with(b"{")
}

/// Whether a JSON object has one of some names among its own keys. Reads no values, so large files cost little.
pub(super) fn json_has_key(bytes: &[u8], names: &[&str]) -> bool {
    let mut depth = 0_usize;
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth = depth.saturating_sub(1),
            b'"' => {
                let start = at + 1;
                at = end_of_string(bytes, start);
                let is_name = bytes.get(start..at).is_some_and(|key| names.iter().any(|name| name.as_bytes() == key));
                let is_key = bytes.get(at + 1..).is_some_and(|rest| rest.trim_ascii_start().starts_with(b":"));
                if depth == 1 && is_name && is_key {
                    return true;
                }
            }
            _ => {}
        }
        at += 1;
    }
    false
}

/// Whether a line of YAML without indentation is a key of one of some names.
pub(super) fn yaml_has_key(bytes: &[u8], names: &[&str]) -> bool {
    bytes.split(|byte| *byte == b'\n').any(|line| {
        let Some(colon) = memchr::memchr(b':', line) else { return false };
        let key = line[..colon].strip_prefix("\u{feff}".as_bytes()).unwrap_or(&line[..colon]).trim_ascii_end();
        let bare =
            [b'"', b'\''].iter().find_map(|quote| key.strip_prefix(&[*quote])?.strip_suffix(&[*quote])).unwrap_or(key);
        names.iter().any(|name| name.as_bytes() == bare)
    })
}

/// Whether bytes that came from an address are a description.
///
/// # Errors
/// What they are instead.
pub(crate) fn judge(bytes: &[u8]) -> Result<(), &'static str> {
    let start = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes).trim_ascii_start();
    match () {
        () if start.is_empty() => Err("empty"),
        () if start.starts_with(b"<") => Err("a web page"),
        () if bytes_have_key(bytes, opens_object(bytes), &KEYS) => Ok(()),
        () if bytes_have_key(bytes, opens_object(bytes), &["swagger"]) => Err("Swagger 2.0"),
        () => Err("a file without a top-level key `openapi` or `asyncapi`"),
    }
}
