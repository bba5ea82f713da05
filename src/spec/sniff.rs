//! What the bytes of a file say about it without being parsed: whether it is a description, in which format, and whether
//! it names user groups.

use memchr::memmem;

use base::FileId;
use base::limits::DESCRIPTION_BYTES;
use base::source_text::without_mark;
use site::tree::SourceTree;

/// What a file has that is a description; beside Swagger 2.
const KEYS: [&str; 2] = ["openapi", "asyncapi"];

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum SpecFormat {
    Json,
    Yaml,
}

pub(super) fn format_of_extension(path: &str) -> Option<SpecFormat> {
    let (_, extension) = path_file_name(path).rsplit_once('.')?;
    match extension.to_ascii_lowercase().as_str() {
        "json" => Some(SpecFormat::Json),
        "yaml" | "yml" => Some(SpecFormat::Yaml),
        _ => None,
    }
}

pub(super) fn path_file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// The version of Swagger that a file says it is of; not 2, which is read.
pub(super) fn swagger_version(tree: &SourceTree, file: FileId) -> Option<String> {
    let text = tree.read_text(file, DESCRIPTION_BYTES).unwrap_or_default();
    let value =
        value_of_key(text.as_bytes(), format_of_extension(tree.path(file)) == Some(SpecFormat::Json), &["swagger"])?;
    let version: Vec<u8> = value.iter().copied().take_while(|byte| byte.is_ascii_digit() || *byte == b'.').collect();
    String::from_utf8(version).ok().filter(|version| !version.is_empty())
}

/// Whether a text is a description: it has one of the keys at its top. Other files have a key `swagger` too: it has to
/// say 2.
pub(super) fn is_description(bytes: &[u8], is_json: bool) -> bool {
    value_of_key(bytes, is_json, &KEYS).is_some() || is_swagger(bytes, is_json)
}

/// Whether a text is a description of Swagger 2.
pub(super) fn is_swagger(bytes: &[u8], is_json: bool) -> bool {
    value_of_key(bytes, is_json, &["swagger"]).is_some_and(|value| value.starts_with(b"2"))
}

/// Whether a text is an overlay of descriptions.
pub(super) fn is_overlay(bytes: &[u8], is_json: bool) -> bool {
    value_of_key(bytes, is_json, &["overlay"]).is_some_and(|version| version.first().is_some_and(u8::is_ascii_digit))
}

/// What stands behind a key of one of some names at the top of a text, without a quote before it.
fn value_of_key<'a>(bytes: &'a [u8], is_json: bool, names: &[&str]) -> Option<&'a [u8]> {
    let of_yaml = if is_json { None } else { yaml_value(bytes, names) };
    let of_json = || if is_json || opens_object(bytes) { json_value(bytes, names) } else { None };
    of_yaml
        .or_else(of_json)
        .map(|value| value.trim_ascii_start())
        .map(|value| value.strip_prefix(b"\"").or_else(|| value.strip_prefix(b"'")).unwrap_or(value))
}

/// Whether a text may name user groups. Most descriptions do not, and are not looked at any closer.
pub(super) fn name_groups(bytes: &[u8]) -> bool {
    memmem::find(bytes, b"x-mint").is_some()
        && (memmem::find(bytes, b"roups").is_some() || memmem::find(bytes, b"x-mint-enum").is_some())
}

/// About how many values a text of JSON has, counted without making them.
pub(super) fn estimate_json_values(bytes: &[u8]) -> usize {
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
pub(super) fn end_of_string(bytes: &[u8], mut at: usize) -> usize {
    while let Some(byte) = bytes.get(at).filter(|byte| **byte != b'"') {
        at += if *byte == b'\\' { 2 } else { 1 };
    }
    at
}

/// Whether a text starts as an object of JSON does, which is YAML too.
pub fn opens_object(bytes: &[u8]) -> bool {
    without_mark(bytes).trim_ascii_start().starts_with(b"{")
}

/// What stands behind the colon of the first key of one of some names among the own keys of a JSON object, or of a flow
/// mapping of YAML, where keys need no quotes. Reads no values, so large files cost little.
pub(super) fn json_value<'a>(bytes: &'a [u8], names: &[&str]) -> Option<&'a [u8]> {
    let mut depth = 0_usize;
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth = depth.saturating_sub(1),
            b'a'..=b'z' if depth == 1 => {
                let rest = bytes.get(at..).unwrap_or_default();
                let length = rest.iter().take_while(|byte| byte.is_ascii_alphanumeric()).count();
                let (word, behind) = rest.split_at(length);
                let value = behind.trim_ascii_start().strip_prefix(b":");
                if let Some(value) = value.filter(|_| names.iter().any(|name| name.as_bytes() == word)) {
                    return Some(value);
                }
                at += length - 1;
            }
            b'"' => {
                let start = at + 1;
                at = end_of_string(bytes, start);
                let is_name = bytes.get(start..at).is_some_and(|key| names.iter().any(|name| name.as_bytes() == key));
                if depth == 1
                    && is_name
                    && let Some(value) = bytes.get(at + 1..).and_then(|rest| rest.trim_ascii_start().strip_prefix(b":"))
                {
                    return Some(value);
                }
            }
            _ => {}
        }
        at += 1;
    }
    None
}

/// What stands behind the colon of the first line of YAML without indentation that is a key of one of some names.
pub(super) fn yaml_value<'a>(bytes: &'a [u8], names: &[&str]) -> Option<&'a [u8]> {
    bytes.split(|byte| *byte == b'\n').find_map(|line| {
        let colon = memchr::memchr(b':', line)?;
        let key = without_mark(&line[..colon]).trim_ascii_end();
        let bare =
            [b'"', b'\''].iter().find_map(|quote| key.strip_prefix(&[*quote])?.strip_suffix(&[*quote])).unwrap_or(key);
        names.iter().any(|name| name.as_bytes() == bare).then(|| &line[colon + 1..])
    })
}

/// Whether bytes that came from an address are a description.
///
/// # Errors
/// What they are instead.
pub fn judge(bytes: &[u8]) -> Result<(), &'static str> {
    let start = without_mark(bytes).trim_ascii_start();
    match () {
        () if start.is_empty() => Err("empty"),
        () if start.starts_with(b"<") => Err("a web page"),
        () if is_description(bytes, opens_object(bytes)) => Ok(()),
        () if value_of_key(bytes, opens_object(bytes), &["swagger"]).is_some_and(|value| value.starts_with(b"1")) => {
            Err("Swagger 1.2")
        }
        () => Err("a file without a top-level key `openapi`, `asyncapi` or `swagger`"),
    }
}
