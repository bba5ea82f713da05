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
use super::unreadable::{DocumentWithOddities, MAX_NESTING, Oddity, UnreadableDescription, oddity};

/// Spaces that a tab may stand for.
const TAB_WIDTHS: [usize; 3] = [2, 4, 8];
/// Most places of one file that are reported one by one.
const MAX_REPORTED_PLACES: usize = 20;

/// Reads a JSON or YAML file of the tree, and says what is left out of it.
pub(crate) fn parse_spec(file: FileId, tree: &SourceTree) -> Result<(Value, Vec<Diagnostic>), UnreadableDescription> {
    let failed = || UnreadableDescription::whole("an internal error stopped the reading of it");
    let WrittenDescription { mut document, mut odd, foreign } =
        catch_panic(|| parse_as_written(file, tree)).ok_or_else(failed)??;
    resolve_anchors(&mut document);
    let more = odd.len().saturating_sub(MAX_REPORTED_PLACES);
    odd.truncate(MAX_REPORTED_PLACES);
    if more > 0 {
        odd.push(oddity(format!("{more} more such places"), (0, 0)));
    }
    let path = tree.path(file);
    let told = odd.into_iter().map(|it| it.into_diagnostic(|(line, column)| (path, line, column)));
    Ok((document, foreign.into_iter().chain(told).collect()))
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

/// A file as it is written.
struct WrittenDescription {
    document: Value,
    odd: Vec<Oddity>,
    /// What is said of an encoding other than UTF-8.
    foreign: Option<Diagnostic>,
}

fn parse_as_written(file: FileId, tree: &SourceTree) -> Result<WrittenDescription, UnreadableDescription> {
    let bytes = tree.read_at_most(file, DESCRIPTION_BYTES);
    let bytes = bytes.map_err(|error| UnreadableDescription::whole(format!("it cannot be read: {error}")))?;
    let (text, encoding) = decode_text(&bytes);
    let foreign = encoding.problem(tree.path(file));
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
        return Err(UnreadableDescription::whole(format!("it has more than {DESCRIPTION_NODES} values")));
    }
    let (document, odd) = match opens_object(bytes).then(|| read_json(&text)) {
        Some(Ok(read)) => read,
        Some(Err(refused)) if is_json => return Err(refused),
        None if is_json => read_json(&text)?,
        _ => read_yaml(&printable(&text))?,
    };
    Ok(WrittenDescription { document, odd, foreign })
}

/// Reads YAML. Lines that tabs indent, which YAML does not allow, are read with spaces if that makes it YAML.
fn read_yaml(text: &str) -> Result<DocumentWithOddities, UnreadableDescription> {
    let refused = match compose_yaml(text) {
        Ok(read) => return Ok(read),
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
        if let Ok((document, mut odd)) = compose_yaml(&lines.collect::<String>()) {
            let message = format!("tabs do not indent in YAML; each is read as {width} spaces");
            odd.insert(0, oddity(message, (narrow(first + 1), 1)));
            return Ok((document, odd));
        }
    }
    Err(refused)
}

/// Reads JSON: by the library, unless it has numbers that would lose their digits, or something that the library
/// refuses and that costs only itself.
fn read_json(text: &str) -> Result<DocumentWithOddities, UnreadableDescription> {
    let bytes = text.as_bytes();
    let refused = if has_odd_numbers(bytes) {
        None
    } else {
        match serde_json::from_slice(bytes) {
            Ok(mut document) => {
                strip_unprintable(&mut document);
                return Ok((document, Vec::new()));
            }
            Err(error) => Some(error),
        }
    };
    if let Ok(parsed) = parse_json_with(text, 0, &LENIENT)
        && parsed.relaxed_at.is_none()
    {
        let odd = parsed.skipped_at.map(|spot| {
            let before = text.get(..spot.offset as usize).unwrap_or_default();
            let line = before.matches('\n').count() + 1;
            let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
            let message = format!("what stands deeper than {MAX_NESTING} levels is left out");
            oddity(message, (narrow(line), narrow(column)))
        });
        return Ok((parsed.json.to_value(), odd.into_iter().collect()));
    }
    let Some(error) = refused.or_else(|| serde_json::from_slice::<Value>(bytes).err()) else {
        let document = serde_json::from_slice(bytes).map_err(|error| unreadable_json(&error))?;
        return Ok((document, Vec::new()));
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
        position: (narrow(error.line()), narrow(error.column())),
    }
}

fn narrow(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}
