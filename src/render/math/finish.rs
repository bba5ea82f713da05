//! The last check of MathML: only its own elements and attributes, properly nested; everything else is text. The writer of MathML does
//! not escape all that an author may put into an expression, so nothing passes here unread.

use std::fmt::Write as _;

use crate::base::html;

use super::commands::MARKS;
use super::expand::restored;

/// Deepest nesting of elements.
const DEEPEST: usize = 200;

const ELEMENTS: [&str; 25] = [
    "math", "merror", "mfrac", "mi", "mmultiscripts", "mn", "mo", "mover", "mpadded", "mphantom", "mprescripts", "mroot", "mrow", "ms",
    "mspace", "msqrt", "mstyle", "msub", "msubsup", "msup", "mtable", "mtd", "mtext", "mtr", "munder",
];
const ATTRIBUTES: [&str; 27] = [
    "accent", "accentunder", "class", "columnalign", "columnspan", "depth", "display", "displaystyle", "fence", "form", "height",
    "largeop", "linethickness", "lspace", "mathsize", "mathvariant", "maxsize", "minsize", "movablelimits", "rspace", "scriptlevel",
    "separator", "stretchy", "style", "symmetric", "voffset", "width",
];

/// What the writer puts otherwise than browsers draw it: accents that stretch have characters of their own.
const ACCENTS: [(&str, &str); 3] = [
    ("<mi>‾</mi></mover>", "<mo stretchy=\"true\">‾</mo></mover>"),
    ("<mo stretchy=\"true\">^</mo>", "<mo stretchy=\"true\">\u{302}</mo>"),
    ("<mo stretchy=\"true\">~</mo>", "<mo stretchy=\"true\">\u{303}</mo>"),
];

/// Repairs the writer's output: accents, and spaces that it puts inside an operator's limits instead of before them.
pub(super) fn repaired(mathml: String) -> String {
    let mut out = mathml;
    for (from, to) in ACCENTS {
        if out.contains(from) {
            out = out.replace(from, to);
        }
    }
    if out.contains("em\" />") {
        for element in ["munder", "mover", "munderover", "msub", "msup", "msubsup"] {
            for width in ["0.1667em", "0.16666667em"] {
                out = out.replace(&format!("<{element}><mspace width=\"{width}\" />"), &format!("<mspace width=\"{width}\" /><{element}>"));
            }
        }
    }
    out
}

/// Makes the writer's output safe; `None` if its elements are not nested as they must be.
pub(super) fn finish(mathml: &str) -> Option<String> {
    let mut out = String::with_capacity(mathml.len() + 64);
    let mut open: Vec<&str> = Vec::new();
    let mut rest = mathml;
    while let Some(at) = memchr::memchr(b'<', rest.as_bytes()) {
        push_text(&mut out, &rest[..at]);
        rest = &rest[at..];
        let Some((tag, after)) = Tag::read(rest) else {
            out.push_str("&lt;");
            rest = &rest[1..];
            continue;
        };
        rest = after;
        match tag {
            Tag::Close(name) => {
                (open.pop()? == name).then_some(())?;
                let _ = write!(out, "</{name}>");
            }
            Tag::Open { name, attributes, empty } => {
                // one `math`, around everything
                (open.is_empty() == (name == "math") && out.is_empty() == (name == "math")).then_some(())?;
                let _ = write!(out, "<{name}");
                for (name, value) in attributes {
                    push_attribute(&mut out, name, value);
                }
                out.push('>');
                if empty {
                    // HTML knows no empty elements but its own
                    let _ = write!(out, "</{name}>");
                } else {
                    open.push(name);
                    (open.len() <= DEEPEST).then_some(())?;
                }
            }
        }
    }
    (open.is_empty() && rest.is_empty() && !out.is_empty()).then_some(out)
}

/// Text: entities that the writer made stay, all else is escaped.
fn push_text(out: &mut String, text: &str) {
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        if let Some(entity) = ["&lt;", "&gt;", "&amp;", "&nbsp;"].into_iter().find(|entity| rest.starts_with(entity)) {
            out.push_str(entity);
            rest = &rest[entity.len()..];
            continue;
        }
        match restored(c).unwrap_or(c) {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            c => out.push(c),
        }
        rest = &rest[c.len_utf8()..];
    }
}

fn push_attribute(out: &mut String, name: &str, value: &str) {
    if name == "style" {
        // what has no command of its own is carried by a colour that nobody writes
        let mark = MARKS.iter().find(|(_, [red, green, blue])| value == format!("color: rgb({red} {green} {blue})"));
        if let Some((mark, _)) = mark {
            let _ = write!(out, " class=\"math-{mark}\"");
            return;
        }
        let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, ' ' | '(' | ')' | ':' | ';' | '.' | '-' | '%' | ',');
        if !value.chars().all(plain) || value.to_ascii_lowercase().contains("url") {
            return;
        }
    }
    let _ = write!(out, " {name}=\"");
    html::push_attr(out, value);
    out.push('"');
}

enum Tag<'a> {
    Open { name: &'a str, attributes: Vec<(&'a str, &'a str)>, empty: bool },
    Close(&'a str),
}

impl<'a> Tag<'a> {
    /// The tag at the start of a text, if it is one of MathML with attributes of MathML, and what follows.
    fn read(text: &'a str) -> Option<(Self, &'a str)> {
        let known = |name: &str| ELEMENTS.contains(&name) || name == "munderover";
        let inside = text.strip_prefix('<')?;
        if let Some(close) = inside.strip_prefix('/') {
            let (name, after) = close.split_once('>')?;
            return known(name).then_some((Self::Close(name), after));
        }
        let end = inside.find(|c: char| !c.is_ascii_lowercase())?;
        let (name, mut rest) = inside.split_at(end);
        known(name).then_some(())?;
        let mut attributes = Vec::new();
        loop {
            rest = rest.trim_start_matches(' ');
            if let Some(after) = rest.strip_prefix("/>") {
                return Some((Self::Open { name, attributes, empty: true }, after));
            }
            if let Some(after) = rest.strip_prefix('>') {
                return Some((Self::Open { name, attributes, empty: false }, after));
            }
            let (attribute, after) = rest.split_once("=\"")?;
            ATTRIBUTES.contains(&attribute).then_some(())?;
            let (value, after) = after.split_once('"')?;
            (!value.contains(['<', '>'])).then_some(())?;
            attributes.push((attribute, value));
            rest = after;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(mathml: &str, expect: Option<&str>) {
        assert_eq!(finish(mathml).as_deref(), expect, "{mathml}");
    }

    #[test]
    fn mathml_passes_and_all_else_is_text() {
        check("<math display=\"block\"><mo><</mo><mspace height=\"1em\" /></math>", Some("<math display=\"block\"><mo>&lt;</mo><mspace height=\"1em\"></mspace></math>"));
        check("<math><mi>a<img src=\"x\">&b&lt;</mi></math>", Some("<math><mi>a&lt;img src=\"x\"&gt;&amp;b&lt;</mi></math>"));
        check("<math><mi onclick=\"x\">a</mi></math>", None);
        check("<math><mi onclick=\"x\"></math>", Some("<math>&lt;mi onclick=\"x\"&gt;</math>"));
        check("<math><mi style=\"background:url(x)\">a</mi></math>", Some("<math><mi>a</mi></math>"));
        check("<math><mrow style=\"color: rgb(1 2 1)\"><mi>a</mi></mrow></math>", Some("<math><mrow class=\"math-boxed\"><mi>a</mi></mrow></math>"));
    }

    #[test]
    fn limits_and_accents_are_repaired() {
        let limits = "<munder><mspace width=\"0.1667em\" /><mi>lim</mi><mi>x</mi></munder>".to_owned();
        assert_eq!(repaired(limits), "<mspace width=\"0.1667em\" /><munder><mi>lim</mi><mi>x</mi></munder>");
        assert_eq!(repaired("<mover><mi>A</mi><mi>‾</mi></mover>".to_owned()), "<mover><mi>A</mi><mo stretchy=\"true\">‾</mo></mover>");
    }

    #[test]
    fn nothing_leaves_its_formula() {
        for mathml in ["", "a", "<mi>a</mi>", "<math>", "<math></math><math></math>", "<math><mrow></math></mrow>", "<math></math><script>", "<math></mrow></math>", "<math><math></math></math>"] {
            check(mathml, None);
        }
        check(&format!("<math>{}{}</math>", "<mrow>".repeat(300), "</mrow>".repeat(300)), None);
    }

    proptest::proptest! {
        #[test]
        fn what_passes_passes_again(mathml in "<math>(</?(mi|mo|mrow|img|script)( (class|style|on)=\"[a-z:;]{0,4}\")?/?>|[a-z&;<> ]){0,12}</math>") {
            if let Some(out) = finish(&mathml) {
                proptest::prop_assert_eq!(finish(&out), Some(out.clone()));
                proptest::prop_assert!(!out.contains("<img") && !out.contains("<script"), "{}", out);
            }
        }
    }
}
