//! What stands in words: marks of extensions become tags of HTML, icons and emoji keep their names, lists of attributes
//! go.

use std::cell::Cell;
use std::collections::BTreeMap;

use base::cut::SliceText as _;
use base::html as escape;

use super::super::syntax::MkDocsSyntax;
use super::attributes::{self, AttributeList};
use super::keys;
use super::lines::TagWriter;
use super::starts::{normal_name, without_markdown};

/// Marks nested deeper than this are text.
const MAX_INLINE_DEPTH: usize = 12;
/// Bytes that may be looked at for the ends of marks, in all, and for each byte of the words.
const BUDGET_BYTES: usize = 100_000;
const LOOKS_PER_BYTE: usize = 32;
/// The sets of icons of Material for MkDocs.
const ICONS: [&str; 4] = ["material-", "octicons-", "simple-", "fontawesome-"];

/// Whether a name between colons is that of an icon.
pub(super) fn is_icon(name: &str) -> bool {
    ICONS.iter().any(|set| name.len() > set.len() && name.starts_with(set))
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '-')
}

/// The name of an icon as this program knows it: `brands/github`, `material/home`.
pub(super) fn icon_path(name: &str) -> String {
    let name = name.strip_prefix("fontawesome-").unwrap_or(name);
    name.replacen('-', "/", 1)
}

/// Writes words.
pub(super) struct Inline<'a> {
    syntax: &'a MkDocsSyntax,
    references: &'a BTreeMap<String, String>,
    abbreviations: &'a [(String, String)],
    tags: TagWriter<'a>,
    /// Bytes that may still be looked at for the ends of marks, so that words without them cost no more.
    budget: Cell<usize>,
}

/// Where words stand.
#[derive(Clone, Copy, Default)]
struct InlineContext {
    depth: usize,
    /// In a row of a table, where a bar ends a cell.
    row: bool,
    /// In a link, which holds no other.
    link: bool,
}

impl InlineContext {
    fn deeper(self) -> Self {
        Self { depth: self.depth + 1, ..self }
    }
}

impl<'a> Inline<'a> {
    pub(super) fn new(
        syntax: &'a MkDocsSyntax,
        references: &'a BTreeMap<String, String>,
        abbreviations: &'a [(String, String)],
        tags: TagWriter<'a>,
    ) -> Self {
        Self { syntax, references, abbreviations, tags, budget: Cell::new(0) }
    }

    /// The words of a paragraph.
    pub(super) fn words(&self, text: &str) -> String {
        self.budget.set(BUDGET_BYTES + text.len() * LOOKS_PER_BYTE);
        self.run(text, InlineContext::default())
    }

    /// A row of a table.
    pub(super) fn row(&self, text: &str) -> String {
        self.budget.set(BUDGET_BYTES + text.len() * LOOKS_PER_BYTE);
        let out = self.run(text, InlineContext { row: true, ..InlineContext::default() });
        if !self.syntax.attributes || !out.contains('{') {
            return out;
        }
        // a cell may end in a list of attributes
        let cells = out.split('|').map(|cell| match attributes::trailing(cell) {
            Some((words, _)) => format!("{words} "),
            None => cell.to_owned(),
        });
        cells.collect::<Vec<_>>().join("|")
    }

    fn run(&self, text: &str, within: InlineContext) -> String {
        let mut out = String::with_capacity(text.len() + text.len() / 4);
        let mut rest = text;
        while let Some(c) = rest.chars().next() {
            let before = out.chars().next_back();
            let may_look = self.budget.get() > 0;
            let length = match c {
                '\\' | '`' | '<' | '!' | '[' | '{' | ':' | '+' | '=' | '^' | '~' | '$' if !may_look => None,
                '\\' => self.backslash(rest, &mut out),
                '`' => self.code(rest, within, &mut out),
                '<' => self.tag(rest, &mut out),
                '!' if rest.starts_with("![") => self.image(rest, within, &mut out),
                '[' if self.syntax.progress && rest.starts_with("[=") => rewrite_progress_bar(rest, &mut out),
                '[' => self.link(rest, within, &mut out),
                '{' => self.brace(rest, within, before, &mut out),
                ':' => colon(rest, self.syntax.attributes, &mut out),
                '+' | '=' | '^' | '~' if within.depth < MAX_INLINE_DEPTH => self.mark(rest, within, before, &mut out),
                '$' => self.dollar(rest, before, &mut out),
                'h' if rest.starts_with("http://") || rest.starts_with("https://") => {
                    autolink_address(rest, before, &mut out)
                }
                '#' | '@' if !within.link => self.shorthand(rest, c, before, &mut out),
                c if !is_word_char(before) && (c.is_alphanumeric() || c == '_') => self.abbreviation(rest, &mut out),
                _ => None,
            };
            if matches!(c, '\\' | '`' | '<' | '!' | '[' | '{' | ':' | '+' | '=' | '^' | '~' | '$') {
                self.budget.set(self.budget.get().saturating_sub(length.unwrap_or(rest.len())));
            }
            let length = length.or_else(|| self.symbol(rest, before, &mut out));
            rest = match length {
                Some(length) => rest.slice(length..),
                None => {
                    out.push(c);
                    rest.slice(c.len_utf8()..)
                }
            };
        }
        out
    }

    fn backslash(&self, rest: &str, out: &mut String) -> Option<usize> {
        if self.syntax.math
            && let Some(inside) = rest.strip_prefix("\\(")
            && let Some((tex, _)) = inside.split_once("\\)")
        {
            out.push_str(&format!("${}$", tex.trim()));
            return Some(tex.len() + 4);
        }
        let next = rest.slice(1..).chars().next()?;
        out.push('\\');
        out.push(next);
        Some(1 + next.len_utf8())
    }

    fn code(&self, rest: &str, within: InlineContext, out: &mut String) -> Option<usize> {
        let marks = rest.bytes().take_while(|byte| *byte == b'`').count();
        let fence = rest.slice(..marks);
        let length = code_length(rest)?;
        let code = rest.slice(marks..length - marks);
        let code = match code
            .strip_prefix("#!")
            .or_else(|| code.strip_prefix(":::"))
            .filter(|_| self.syntax.inline_language)
        {
            Some(inside) => inside.split_once(' ').map_or(code, |(_, code)| code),
            None => code,
        };
        let code = if within.row { code.replace("\\|", "|").replace('|', "\\|") } else { code.to_owned() };
        out.push_str(&format!("{fence}{code}{fence}"));
        Some(length + self.list_after(rest.slice(length..), out))
    }

    /// Leaves a list of attributes out that stands behind an element; gives its length.
    fn list_after(&self, rest: &str, out: &mut String) -> usize {
        let found = if self.syntax.attributes { attributes::leading(rest) } else { None };
        found.map_or(0, |(found, length)| {
            push_anchor(&found, out);
            length
        })
    }

    fn tag(&self, rest: &str, out: &mut String) -> Option<usize> {
        if rest.starts_with("<!--") {
            return rest.find("-->").map(|end| end + 3);
        }
        let is_tag = rest.slice(1..).starts_with(|c: char| c.is_ascii_alphabetic() || c == '/');
        let end = rest.find('>').filter(|_| is_tag)? + 1;
        let tag = rest.slice(..end);
        out.push_str(&(self.tags)(&without_markdown(tag).unwrap_or_else(|| tag.to_owned())));
        Some(end)
    }

    fn image(&self, rest: &str, within: InlineContext, out: &mut String) -> Option<usize> {
        let label = bracketed(rest.slice(1..))?;
        let behind = rest.slice(1 + label.len() + 2..);
        let (target, length) = if let Some((target, title, length)) = parse_link_destination(behind) {
            (written_target(target, title), length)
        } else {
            let name = bracketed(behind);
            let key = normal_name(name.filter(|name| !name.is_empty()).unwrap_or(label));
            (self.references.get(&key)?.clone(), name.map_or(0, |name| name.len() + 2))
        };
        let mut end = 1 + label.len() + 2 + length;
        let found = attributes::leading(rest.slice(end..)).filter(|_| self.syntax.attributes);
        if let Some((_, length)) = &found {
            end += length;
        }
        let found = found.map(|(found, _)| found).unwrap_or_default();
        push_anchor(&found, out);
        let address = target.split(" \"").next().unwrap_or_default().trim_matches(['<', '>']);
        let scheme = [
            ("#only-light", "dark:hidden"),
            ("#gh-light-mode-only", "dark:hidden"),
            ("#only-dark", "hidden dark:block"),
            ("#gh-dark-mode-only", "hidden dark:block"),
        ];
        let scheme = scheme.iter().find_map(|(end, class)| address.strip_suffix(end).map(|address| (address, *class)));
        if let Some((address, class)) = scheme {
            let mut tag =
                format!("<img src=\"{}\" alt=\"{}\" class=\"{class}\"", escape::attr(address), escape::attr(label));
            for name in ["width", "height"] {
                if let Some(value) = found.value(name) {
                    tag.push_str(&format!(" {name}=\"{}\"", escape::attr(value)));
                }
            }
            out.push_str(&format!("{tag}>"));
            return Some(end);
        }
        let label = if within.row { label.replace('|', "\\|") } else { label.to_owned() };
        out.push_str(&format!("![{label}]({target})"));
        let known: Vec<String> = ["width", "height", "align"]
            .iter()
            .filter_map(|name| Some(format!("{name}=\"{}\"", found.value(name)?.replace('"', "'"))))
            .collect();
        if !known.is_empty() {
            out.push_str(&format!("{{ {} }}", known.join(" ")));
        }
        Some(end)
    }

    fn link(&self, rest: &str, within: InlineContext, out: &mut String) -> Option<usize> {
        if rest.starts_with("[^") || within.depth >= MAX_INLINE_DEPTH {
            return None;
        }
        let label = bracketed(rest)?;
        let behind = rest.slice(label.len() + 2..);
        // the box of a task
        if out.is_empty() && matches!(label, " " | "x" | "X") && behind.starts_with(' ') {
            out.push_str(rest.slice(..3));
            return Some(3);
        }
        let (target, length) = if let Some((target, title, length)) = parse_link_destination(behind) {
            (written_target(target, title), length)
        } else {
            // the two parts of a reference may stand apart
            let apart = behind.strip_prefix(' ').filter(|after| after.starts_with('[')).map_or(0, |_| 1);
            let name = bracketed(behind.slice(apart..));
            let key = normal_name(name.filter(|name| !name.is_empty()).unwrap_or(label));
            match (self.references.get(&key), name) {
                (Some(target), Some(name)) => (target.clone(), apart + name.len() + 2),
                (Some(target), None) => (target.clone(), 0),
                (None, _) => return None,
            }
        };
        let mut end = label.len() + 2 + length;
        let found = attributes::leading(rest.slice(end..)).filter(|_| self.syntax.attributes);
        if let Some((_, length)) = &found {
            end += length;
        }
        let found = found.map(|(found, _)| found).unwrap_or_default();
        push_anchor(&found, out);
        let words = self.run(label, InlineContext { link: true, ..within.deeper() });
        if label.trim().is_empty() && found.id.is_some() && target.is_empty() {
            return Some(end);
        }
        if found.has_class("md-button") {
            let address = target.split(" \"").next().unwrap_or_default().trim_matches(['<', '>']);
            let kind = if found.has_class("md-button--primary") { "button button-primary" } else { "button" };
            out.push_str(&format!("<a class=\"{kind}\" href=\"{}\">{words}</a>", escape::attr(address)));
        } else {
            out.push_str(&format!("[{words}]({target})"));
        }
        Some(end)
    }

    /// Critic marks, and attributes behind emphasis.
    fn brace(&self, rest: &str, within: InlineContext, before: Option<char>, out: &mut String) -> Option<usize> {
        if self.syntax.critic && within.depth < MAX_INLINE_DEPTH {
            for (open, close, tag) in [("{++", "++}", "ins"), ("{--", "--}", "del"), ("{==", "==}", "mark")] {
                if let Some(inside) = rest.strip_prefix(open)
                    && let Some((words, _)) = inside.split_once(close)
                {
                    let inner = self.run(words, within.deeper());
                    out.push_str(&format!("<{tag}>{inner}</{tag}>"));
                    return Some(words.len() + 6);
                }
            }
            if let Some((words, _)) = rest.strip_prefix("{>>").and_then(|inside| inside.split_once("<<}")) {
                out.push_str(&format!("<small>{}</small>", self.run(words, within.deeper())));
                return Some(words.len() + 6);
            }
            if let Some((words, _)) = rest.strip_prefix("{~~").and_then(|inside| inside.split_once("~~}"))
                && let Some((old, new)) = words.split_once("~>")
            {
                let (old, new) = (self.run(old, within.deeper()), self.run(new, within.deeper()));
                out.push_str(&format!("<del>{old}</del><ins>{new}</ins>"));
                return Some(words.len() + 6);
            }
        }
        let is_behind = matches!(before, Some('*' | '_' | '>'));
        let (found, length) = attributes::leading(rest).filter(|_| self.syntax.attributes && is_behind)?;
        push_anchor(&found, out);
        Some(length)
    }

    /// `==x==`, `^^x^^`, `^x^`, `~~x~~`, `~x~`, `++x++`.
    fn mark(&self, rest: &str, within: InlineContext, before: Option<char>, out: &mut String) -> Option<usize> {
        let syntax = self.syntax;
        if syntax.keys
            && before != Some('+')
            && let Some((names, length)) = keys::leading(rest)
        {
            let names: Vec<String> = names.iter().map(|name| format!("<kbd>{}</kbd>", escape_markdown(name))).collect();
            out.push_str(&names.join("+"));
            return Some(length);
        }
        for (is_used, fence, tag) in [(syntax.mark, "==", "mark"), (syntax.insert, "^^", "ins")] {
            if is_used
                && let Some(inside) = rest.strip_prefix(fence)
                && let Some(end) = find_closing_mark(inside, fence)
            {
                let inner = self.run(inside.slice(..end), within.deeper());
                out.push_str(&format!("<{tag}>{inner}</{tag}>"));
                let length = end + 2 * fence.len();
                return Some(length + self.list_after(rest.slice(length..), out));
            }
        }
        if rest.starts_with("~~") {
            if !syntax.delete {
                out.push_str("\\~\\~");
                return Some(2);
            }
            out.push_str("~~");
            return Some(2);
        }
        for (is_used, fence, tag) in [(syntax.superscript, '^', "sup"), (syntax.subscript, '~', "sub")] {
            if is_used
                && let Some(inside) = rest.strip_prefix(fence)
                && let Some(end) = inside.find(fence).filter(|end| *end > 0)
                && !inside.slice(..end).contains(char::is_whitespace)
                && !inside.slice(end + 1..).starts_with(fence)
            {
                let inner = self.run(inside.slice(..end), within.deeper());
                out.push_str(&format!("<{tag}>{inner}</{tag}>"));
                return Some(end + 2);
            }
        }
        if rest.starts_with('~') {
            out.push_str("\\~");
            return Some(1);
        }
        None
    }

    /// A formula; other dollars are characters.
    fn dollar(&self, rest: &str, before: Option<char>, out: &mut String) -> Option<usize> {
        let formula = || {
            let width = if rest.starts_with("$$") { 2 } else { 1 };
            let inside = rest.slice(width..);
            let end = inside.find(rest.slice(..width)).filter(|end| *end > 0)?;
            let tex = inside.slice(..end);
            let is_apart = !tex.starts_with(char::is_whitespace) && !tex.ends_with([' ', '\\']);
            let is_price =
                inside.slice(end + width..).starts_with(|c: char| c.is_ascii_digit()) || is_word_char(before);
            (width == 2 || is_apart && !is_price).then_some(end + 2 * width)
        };
        match formula().filter(|_| self.syntax.math) {
            Some(length) => {
                out.push_str(rest.slice(..length));
                Some(length)
            }
            None => {
                out.push_str("\\$");
                Some(1)
            }
        }
    }

    /// `#12` and `@name`.
    fn shorthand(&self, rest: &str, mark: char, before: Option<char>, out: &mut String) -> Option<usize> {
        let repository = self.syntax.issues.as_deref()?;
        let name = rest.slice(1..);
        if mark == '@' {
            let length = name.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'-').count();
            let is_name =
                length > 0 && !name.starts_with('-') && !name.slice(..length).ends_with('-') && !is_word_char(before);
            let host = repository.splitn(4, '/').take(3).collect::<Vec<_>>().join("/");
            let goes_on = name.slice(length..).starts_with(['/', '_', '@']);
            return (is_name && !goes_on && before != Some('/')).then(|| {
                out.push_str(&format!("[@{0}]({host}/{0})", name.slice(..length)));
                length + 1
            });
        }
        let length = name.bytes().take_while(u8::is_ascii_digit).count();
        let is_number = length > 0 && !name.slice(length..).starts_with(|c: char| c.is_alphanumeric() || c == '_');
        if !is_number || is_word_char(before) || matches!(before, Some('&' | '/' | '(')) && !matches!(before, Some('('))
        {
            return None;
        }
        out.push_str(&format!("[#{0}]({repository}/issues/{0})", name.slice(..length)));
        Some(length + 1)
    }

    fn abbreviation(&self, rest: &str, out: &mut String) -> Option<usize> {
        let starts = |name: &str| rest.strip_prefix(name).is_some_and(|after| !is_word_char(after.chars().next()));
        let found = self.abbreviations.iter().filter(|(name, _)| starts(name)).max_by_key(|(name, _)| name.len());
        if let Some((name, words)) = found {
            out.push_str(&format!("<abbr title=\"{}\">{name}</abbr>", escape::attr(words)));
            return Some(name.len());
        }
        None
    }

    /// Signs that are written with others.
    fn symbol(&self, rest: &str, before: Option<char>, out: &mut String) -> Option<usize> {
        const SIGNS: [(&str, &str); 9] = [
            ("(tm)", "™"),
            ("(c)", "©"),
            ("(r)", "®"),
            ("+/-", "±"),
            ("=/=", "≠"),
            ("<-->", "↔"),
            ("-->", "→"),
            ("<--", "←"),
            ("c/o", "℅"),
        ];
        const PARTS: [(&str, &str); 15] = [
            ("1/4", "¼"),
            ("1/2", "½"),
            ("3/4", "¾"),
            ("1/3", "⅓"),
            ("2/3", "⅔"),
            ("1/5", "⅕"),
            ("2/5", "⅖"),
            ("3/5", "⅗"),
            ("4/5", "⅘"),
            ("1/6", "⅙"),
            ("5/6", "⅚"),
            ("1/8", "⅛"),
            ("3/8", "⅜"),
            ("5/8", "⅝"),
            ("7/8", "⅞"),
        ];
        if !self.syntax.symbols {
            return None;
        }
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        if digits > 0 && !is_word_char(before) && !is_word_char(rest.chars().nth(digits + 2)) {
            let number = rest.slice(..digits);
            let teens =
                number.len() > 1 && number.ends_with(['1', '2', '3']) && number.slice(..digits - 1).ends_with('1');
            let ending = match number.as_bytes()[digits - 1] {
                _ if teens => "th",
                b'1' => "st",
                b'2' => "nd",
                b'3' => "rd",
                _ => "th",
            };
            if rest.slice(digits..).starts_with(ending) && !number.starts_with('0') {
                out.push_str(&format!("{number}<sup>{ending}</sup>"));
                return Some(digits + 2);
            }
        }
        let sign = SIGNS.iter().find(|(written, _)| rest.starts_with(written));
        let sign = sign.filter(|(written, _)| match *written {
            "-->" => before != Some('-'),
            "<--" => !rest.starts_with("<---"),
            "c/o" => !is_word_char(before) && !is_word_char(rest.chars().nth(3)),
            _ => true,
        });
        let part = || {
            let is_apart = !before.is_some_and(|c| c.is_ascii_digit());
            let found = PARTS.iter().find(|(written, _)| rest.starts_with(written)).filter(|_| is_apart)?;
            (!rest.slice(3..).starts_with(|c: char| c.is_ascii_digit())).then_some(found)
        };
        let (written, shown) = sign.or_else(part)?;
        out.push_str(shown);
        Some(written.len())
    }
}

fn is_word_char(c: Option<char>) -> bool {
    c.is_some_and(|c| c.is_alphanumeric() || c == '_')
}

/// A text as words of Markdown.
fn escape_markdown(text: &str) -> String {
    let text = escape::escape_html_text(text);
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if matches!(c, '\\' | '`' | '*' | '_' | '[' | ']' | '|' | '~' | '$') {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

/// An anchor of the id of a list of attributes.
fn push_anchor(found: &AttributeList, out: &mut String) {
    if let Some(id) = &found.id {
        out.push_str(&format!("<a id=\"{}\"></a>", escape::attr(id)));
    }
}

/// `:set-name:{ .class }` keeps its name.
fn colon(rest: &str, has_lists: bool, out: &mut String) -> Option<usize> {
    let inside = rest.slice(1..);
    let end = inside.find(':')?;
    let name = inside.slice(..end);
    if is_icon(name) {
        out.push_str(rest.slice(..end + 2));
    } else {
        let other = ["man", "woman"].iter().find_map(|who| Some((name.strip_prefix(who)?.strip_prefix('_')?, who)))?;
        // the order of words on GitHub
        out.push_str(&format!(":{}_{}:", other.0, other.1));
    }
    let length = end + 2;
    let list = attributes::leading(rest.slice(length..)).filter(|_| has_lists).map_or(0, |(_, length)| length);
    Some(length + list)
}

/// An address that stands in words.
fn autolink_address(rest: &str, before: Option<char>, out: &mut String) -> Option<usize> {
    let ends = |c: char| c.is_whitespace() || matches!(c, '<' | '>' | '"' | '`' | ')' | ']' | '|' | '{');
    let length = rest.find(ends).unwrap_or(rest.len());
    (!is_word_char(before)).then(|| {
        out.push_str(rest.slice(..length));
        length
    })
}

/// `[=85% "words"]`: its words, or how much it is.
fn rewrite_progress_bar(rest: &str, out: &mut String) -> Option<usize> {
    let (inside, _) = rest.strip_prefix("[=")?.split_once(']')?;
    let (share, words) = inside.split_once(char::is_whitespace).unwrap_or((inside, ""));
    let is_share = share.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'%' | b'.' | b'/'));
    (is_share && !share.is_empty()).then(|| {
        let words = words.trim().trim_matches(['"', '\'']);
        out.push_str(if words.is_empty() { share } else { words });
        inside.len() + 3
    })
}

/// The length of code with its marks.
fn code_length(rest: &str) -> Option<usize> {
    let marks = rest.bytes().take_while(|byte| *byte == b'`').count();
    let mut at = marks;
    loop {
        let start = at + rest.slice(at..).find('`')?;
        let count = rest.slice(start..).bytes().take_while(|byte| *byte == b'`').count();
        if count == marks {
            return Some(start + count);
        }
        at = start + count;
    }
}

/// What stands between brackets at the start of a text.
fn bracketed(text: &str) -> Option<&str> {
    let inside = text.strip_prefix('[')?;
    let mut depth = 0_usize;
    let mut at = 0;
    while let Some(c) = inside.slice(at..).chars().next() {
        match c {
            '\\' => at += 1 + inside.slice(at + 1..).chars().next().map_or(0, char::len_utf8),
            '`' => at += code_length(inside.slice(at..)).unwrap_or(1),
            '[' => {
                depth += 1;
                at += 1;
            }
            ']' if depth == 0 => return Some(inside.slice(..at)),
            ']' => {
                depth -= 1;
                at += 1;
            }
            c => at += c.len_utf8(),
        }
    }
    None
}

/// Address and title between parentheses, and the length with these.
fn parse_link_destination(text: &str) -> Option<(&str, &str, usize)> {
    let inside = text.strip_prefix('(')?;
    let mut depth = 0_usize;
    let mut quote: Option<char> = None;
    let mut end = None;
    let mut before = ' ';
    for (at, c) in inside.char_indices() {
        match (quote, c) {
            (Some(open), _) if c == open && inside.slice(at + 1..).trim_start().starts_with(')') => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') if before.is_whitespace() && at > 0 => quote = Some(c),
            (None, '(') => depth += 1,
            (None, ')') if depth == 0 => {
                end = Some(at);
                break;
            }
            (None, ')') => depth -= 1,
            _ => {}
        }
        before = c;
    }
    let end = end?;
    let all = inside.slice(..end).trim();
    let (address, title) = match all.find([' ', '\n']) {
        Some(space) => {
            let rest = all.slice(space..).trim();
            let quoted = ['"', '\''].iter().find_map(|quote| rest.strip_prefix(*quote)?.strip_suffix(*quote));
            match quoted {
                Some(title) => (all.slice(..space), title),
                None => match all.rsplit_once(" \"") {
                    Some((address, title)) if title.ends_with('"') => (address.trim(), title.slice(..title.len() - 1)),
                    _ => (all, ""),
                },
            }
        }
        None => (all, ""),
    };
    let address = address.strip_prefix('<').and_then(|address| address.strip_suffix('>')).unwrap_or(address);
    Some((address, title, end + 2))
}

/// A target as it is written behind words.
fn written_target(address: &str, title: &str) -> String {
    let address = address.replace('\n', " ");
    let address = if address.contains([' ', '(', ')']) { format!("<{address}>") } else { address };
    match title {
        "" => address,
        title => format!("{address} \"{}\"", title.replace('"', "\\\"")),
    }
}

/// Where a mark ends that a text stands behind the start of.
fn find_closing_mark(inside: &str, fence: &str) -> Option<usize> {
    if inside.is_empty() || inside.starts_with(char::is_whitespace) {
        return None;
    }
    let mut at = 0;
    loop {
        let end = at + inside.slice(at..).find(fence)?;
        let words = inside.slice(..end);
        if end > 0 && !words.ends_with(char::is_whitespace) && words.matches('`').count().is_multiple_of(2) {
            return (!words.contains("\n\n")).then_some(end);
        }
        at = end + fence.len();
    }
}
