//! For tests: HTML read by a parser that repairs nothing.

use base::html::is_void;
use rustc_hash::FxHashSet;

const BLOCKS: [&str; 34] = [
    "address",
    "article",
    "aside",
    "blockquote",
    "details",
    "dialog",
    "dd",
    "div",
    "dl",
    "dt",
    "fieldset",
    "figcaption",
    "figure",
    "footer",
    "form",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "header",
    "hr",
    "li",
    "main",
    "nav",
    "ol",
    "p",
    "pre",
    "section",
    "summary",
    "table",
    "ul",
    "center",
];

/// What a browser would have to repair in a piece of HTML, or an accessibility checker would report; empty if nothing.
pub(crate) fn faults(html: &str) -> Vec<String> {
    let mut faults = Vec::new();
    let mut open: Vec<String> = Vec::new();
    let mut ids = FxHashSet::default();
    let mut rest = html;
    while let Some(at) = rest.find('<') {
        let text = &rest[..at];
        if !text.trim().is_empty()
            && matches!(open.last().map(String::as_str), Some("table" | "thead" | "tbody" | "tr" | "ul" | "ol"))
        {
            faults.push(format!("text in {:?}: {text:?}", open.last()));
        }
        rest = &rest[at..];
        let Some(end) = well_formed_tag_end(rest) else {
            faults.push(format!("tag without an end: {:.40}", rest));
            break;
        };
        let (tag, after) = (&rest[1..end], &rest[end + 1..]);
        rest = after;
        if let Some(name) = tag.strip_prefix('/') {
            if open.last().map(String::as_str) == Some(name) {
                open.pop();
            } else {
                faults.push(format!("</{name}> closes {:?}", open.last()));
            }
            continue;
        }
        let name_end = tag.find(|c: char| c.is_whitespace() || c == '/').unwrap_or(tag.len());
        let name = &tag[..name_end];
        check_place(name, &open, &mut faults);
        check_attributes(&tag[name_end..], &mut ids, &mut faults);
        if name == "style" {
            let close = rest.find("</style>").unwrap_or(rest.len());
            rest = &rest[close..];
        }
        let in_svg = open.iter().any(|name| name == "svg" || name == "math");
        if !(is_void(name) || in_svg && tag.ends_with('/')) {
            open.push(name.to_owned());
        }
    }
    if !open.is_empty() {
        faults.push(format!("left open: {open:?}"));
    }
    faults
}

fn well_formed_tag_end(text: &str) -> Option<usize> {
    let mut quote = None;
    for (at, byte) in text.bytes().enumerate() {
        match (quote, byte) {
            (None, b'"') => quote = Some(b'"'),
            (Some(b'"'), b'"') => quote = None,
            (None, b'>') => return Some(at),
            _ => {}
        }
    }
    None
}

fn check_place(name: &str, open: &[String], faults: &mut Vec<String>) {
    let parent = open.last().map_or("", String::as_str);
    let inside = |names: &[&str]| open.iter().any(|name| names.contains(&name.as_str()));
    let wrong = match name {
        "a" | "button" if inside(&["a", "button"]) => true,
        "td" | "th" => parent != "tr",
        "tr" => !matches!(parent, "thead" | "tbody" | "tfoot"),
        "thead" | "tbody" | "tfoot" | "caption" | "colgroup" => parent != "table",
        "li" => !matches!(parent, "ul" | "ol"),
        _ if matches!(parent, "table" | "thead" | "tbody" | "tr" | "ul" | "ol") => true,
        name if BLOCKS.contains(&name) => {
            inside(&["p", "h1", "h2", "h3", "h4", "h5", "h6", "button", "label"])
                || inside(&["summary"]) && !name.starts_with('h')
        }
        _ => false,
    };
    if wrong {
        faults.push(format!("<{name}> in {open:?}"));
    }
}

fn check_attributes(mut rest: &str, ids: &mut FxHashSet<String>, faults: &mut Vec<String>) {
    let mut names = FxHashSet::default();
    loop {
        rest = rest.trim_start_matches(|c: char| c.is_whitespace() || c == '/');
        if rest.is_empty() {
            return;
        }
        let end = rest.find(|c: char| c.is_whitespace() || c == '=').unwrap_or(rest.len());
        let name = &rest[..end];
        if !names.insert(name.to_owned()) {
            faults.push(format!("attribute `{name}` twice"));
        }
        if name.starts_with("on") || name.contains(['"', '\'', '<']) {
            faults.push(format!("attribute `{name}`"));
        }
        rest = &rest[end..];
        let Some(after) = rest.strip_prefix("=\"") else {
            rest = rest.strip_prefix('=').unwrap_or(rest);
            continue;
        };
        let close = after.find('"').unwrap_or(after.len());
        let value = &after[..close];
        if name == "id" && !ids.insert(value.to_owned()) {
            faults.push(format!("id `{value}` twice"));
        }
        if matches!(name, "href" | "src") && value.trim().to_ascii_lowercase().starts_with("javascript:") {
            faults.push(format!("{name}={value}"));
        }
        rest = after.get(close + 1..).unwrap_or_default();
    }
}
