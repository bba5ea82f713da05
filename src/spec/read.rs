//! A JSON or YAML file to a document, within bounds.

use serde_json::Value;

use base::isolate::catch_panic;
use base::limits::{DESCRIPTION_BYTES, DESCRIPTION_NODES};
use base::printable::{into_printable, printable};
use base::source_text::decode_text;
use base::{Diagnostic, FileId};
use site::json::{Leniency, parse_json_with};
use site::tree::SourceTree;

use super::anchor::resolve_anchors;
use super::compose::compose_yaml;
use super::number::{has_odd_numbers, json_number};
use super::sniff::{SpecFormat, estimate_json_values, format_of_extension, opens_object};
use super::unreadable::{MAX_NESTING, Oddity, UnreadableDescription};

/// Spaces that a tab may stand for.
const TAB_WIDTHS: [usize; 3] = [2, 4, 8];
/// Most places of one file that are reported one by one.
const MAX_REPORTED_PLACES: usize = 20;

/// Reads a JSON or YAML file of the tree. `problems` gets what is left out of it.
pub(crate) fn parse_spec(
    file: FileId,
    tree: &SourceTree,
    problems: &mut Vec<Diagnostic>,
) -> Result<Value, UnreadableDescription> {
    let failed = || UnreadableDescription {
        reason: "an internal error stopped the reading of it".to_owned(),
        line: 0,
        column: 0,
    };
    let read = || {
        let (mut odd, mut foreign) = (Vec::new(), None);
        parse_as_written(file, tree, &mut odd, &mut foreign).map(|document| (document, odd, foreign))
    };
    let (mut document, mut odd, foreign) = catch_panic(read).ok_or_else(failed)??;
    problems.extend(foreign);
    resolve_anchors(&mut document);
    let more = odd.len().saturating_sub(MAX_REPORTED_PLACES);
    odd.truncate(MAX_REPORTED_PLACES);
    if more > 0 {
        odd.push(Oddity { message: format!("{more} more such places"), line: 0, column: 0 });
    }
    let told = odd.into_iter().map(|Oddity { message, line, column }| {
        Diagnostic::new("openapi-yaml", message).at(tree.path(file), line, column)
    });
    problems.extend(told);
    Ok(document)
}

/// Takes the characters out of all texts that no text shows.
fn strip_unprintable(value: &mut Value) {
    match value {
        Value::String(text) => *text = into_printable(std::mem::take(text)),
        Value::Array(items) => items.iter_mut().for_each(strip_unprintable),
        Value::Object(fields) => fields.values_mut().for_each(strip_unprintable),
        _ => {}
    }
}

fn parse_as_written(
    file: FileId,
    tree: &SourceTree,
    odd: &mut Vec<Oddity>,
    foreign: &mut Option<Diagnostic>,
) -> Result<Value, UnreadableDescription> {
    let whole = |reason: String| UnreadableDescription { reason, line: 0, column: 0 };
    let bytes = tree.read_at_most(file, DESCRIPTION_BYTES);
    let bytes = bytes.map_err(|error| whole(format!("it cannot be read: {error}")))?;
    let (text, encoding) = decode_text(&bytes);
    *foreign = encoding.problem(tree.path(file));
    let bytes = text.as_bytes();
    // the name of an address says nothing
    let is_json = if tree.fetched_file(file).is_some() {
        opens_object(bytes)
    } else {
        format_of_extension(tree.path(file)) == Some(SpecFormat::Json)
    };
    if bytes.len() / 2 > DESCRIPTION_NODES
        && (is_json || opens_object(bytes))
        && estimate_json_values(bytes) > DESCRIPTION_NODES
    {
        return Err(whole(format!("it has more than {DESCRIPTION_NODES} values")));
    }
    if is_json {
        return read_json(&text, odd);
    }
    if opens_object(bytes)
        && let Ok(document) = read_json(&text, odd)
    {
        return Ok(document);
    }
    read_yaml(&printable(&text), odd)
}

/// Reads YAML. Lines that tabs indent, which YAML does not allow, are read with spaces if that makes it YAML.
fn read_yaml(text: &str, odd: &mut Vec<Oddity>) -> Result<Value, UnreadableDescription> {
    let refused = match compose_yaml(text, odd) {
        Ok(document) => return Ok(document),
        Err(refused) => refused,
    };
    let is_tabbed = |line: &str| line.trim_start_matches(' ').starts_with('\t');
    let Some(first) = text.lines().position(is_tabbed) else { return Err(refused) };
    for width in TAB_WIDTHS {
        let spaces = " ".repeat(width);
        let lines = text.split_inclusive('\n').map(|line| {
            let rest = line.trim_start_matches([' ', '\t']);
            let indentation = line.get(..line.len() - rest.len()).unwrap_or_default();
            indentation.replace('\t', &spaces) + rest
        });
        let mut found = Vec::new();
        if let Ok(document) = compose_yaml(&lines.collect::<String>(), &mut found) {
            let message = format!("tabs do not indent in YAML; each is read as {width} spaces");
            odd.push(Oddity { message, line: narrow(first + 1), column: 1 });
            odd.append(&mut found);
            return Ok(document);
        }
    }
    Err(refused)
}

/// Reads JSON: by the library, unless it has numbers that would lose their digits, or something that the library
/// refuses and that costs only itself.
fn read_json(text: &str, odd: &mut Vec<Oddity>) -> Result<Value, UnreadableDescription> {
    let bytes = text.as_bytes();
    let refused = if has_odd_numbers(bytes) {
        None
    } else {
        match serde_json::from_slice(bytes) {
            Ok(mut document) => {
                strip_unprintable(&mut document);
                return Ok(document);
            }
            Err(error) => Some(error),
        }
    };
    if let Ok(parsed) = parse_json_with(text, 0, &LENIENT)
        && parsed.relaxed_at.is_none()
    {
        odd.extend(parsed.skipped_at.map(|spot| {
            let before = text.get(..spot.offset as usize).unwrap_or_default();
            let line = before.matches('\n').count() + 1;
            let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
            let message = format!("what stands deeper than {MAX_NESTING} levels is left out");
            Oddity { message, line: narrow(line), column: narrow(column) }
        }));
        return Ok(parsed.json.to_value());
    }
    let Some(error) = refused.or_else(|| serde_json::from_slice::<Value>(bytes).err()) else {
        return serde_json::from_slice(bytes).map_err(|error| unreadable_json(&error));
    };
    Err(unreadable_json(&error))
}

/// How descriptions in JSON are read.
pub(super) const LENIENT: Leniency = Leniency { nesting: MAX_NESTING, number: json_number };

fn unreadable_json(error: &serde_json::Error) -> UnreadableDescription {
    let message = error.to_string();
    let message = message.rfind(" at line ").and_then(|place| message.get(..place)).unwrap_or(&message);
    UnreadableDescription {
        reason: format!("it is not JSON: {message}"),
        line: narrow(error.line()),
        column: narrow(error.column()),
    }
}

fn narrow(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}
