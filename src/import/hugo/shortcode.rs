//! The shortcodes of a text: `{{< name args >}}` and `{{% name args %}}`, with or without an inside.

use base::cut::{SliceText as _, cut};

/// A part of a text.
#[derive(Debug, PartialEq)]
pub(super) enum ShortcodePiece<'t> {
    /// Text, and where it begins, in bytes.
    Text(&'t str, usize),
    /// A shortcode that is only shown: `{{</* name */>}}`.
    Shown(String, usize),
    /// A shortcode.
    Call(ShortcodeCall<'t>),
}

/// A shortcode.
#[derive(Debug, PartialEq)]
pub(super) struct ShortcodeCall<'t> {
    pub(super) name: &'t str,
    /// Names and values; those without a name have an empty one.
    pub(super) arguments: Vec<(String, String)>,
    /// `{{% %}}`: what it gives is Markdown.
    pub(super) is_markdown: bool,
    pub(super) at: usize,
    /// What stands inside; `None` if it has no end.
    pub(super) inside: Option<Vec<ShortcodePiece<'t>>>,
    /// The same, as written.
    pub(super) text: &'t str,
}

impl<'t> ShortcodeCall<'t> {
    /// The value of a name.
    pub(super) fn named(&self, name: &str) -> Option<&str> {
        let found = self.arguments.iter().find(|(known, _)| !known.is_empty() && known.eq_ignore_ascii_case(name));
        found.map(|(_, value)| value.as_str()).filter(|value| !value.trim().is_empty())
    }

    /// The value of one of some names.
    pub(super) fn any(&self, names: &[&str]) -> Option<&str> {
        names.iter().find_map(|name| self.named(name))
    }

    /// A value without a name, by its number.
    pub(super) fn positional(&self, number: usize) -> Option<&str> {
        let mut all = self.arguments.iter().filter(|(name, _)| name.is_empty());
        all.nth(number).map(|(_, value)| value.as_str())
    }

    /// The value of a name, or the one at a number.
    pub(super) fn value(&self, name: &str, number: usize) -> Option<&str> {
        self.named(name).or_else(|| self.positional(number)).filter(|value| !value.trim().is_empty())
    }

    /// What stands inside.
    pub(super) fn pieces(&self) -> &[ShortcodePiece<'t>] {
        self.inside.as_deref().unwrap_or_default()
    }

    /// The shortcodes right inside it.
    pub(super) fn calls(&self) -> impl Iterator<Item = &ShortcodeCall<'t>> {
        self.pieces().iter().filter_map(|piece| if let ShortcodePiece::Call(call) = piece { Some(call) } else { None })
    }
}

/// A tag of a shortcode.
struct ShortcodeTag<'t> {
    start: usize,
    end: usize,
    name: &'t str,
    arguments: &'t str,
    is_markdown: bool,
    kind: ShortcodeKind,
}

#[derive(Clone, Copy, PartialEq)]
enum ShortcodeKind {
    Open,
    Close,
    Alone,
    Shown,
}

/// Most shortcodes inside one another.
const MAX_SHORTCODE_DEPTH: usize = 24;

/// The parts of a text; none if it has no shortcodes.
pub(super) fn split_at_shortcodes(text: &str) -> Option<Vec<ShortcodePiece<'_>>> {
    let mut tags = shortcode_tags(text);
    if tags.is_empty() {
        return None;
    }
    // an opening tag without an end stands alone
    let mut open: Vec<usize> = Vec::new();
    for at in 0..tags.len() {
        match tags[at].kind {
            ShortcodeKind::Open => open.push(at),
            ShortcodeKind::Close => match open.iter().rposition(|before| tags[*before].name == tags[at].name) {
                Some(found) if found < MAX_SHORTCODE_DEPTH => {
                    open.drain(found + 1..).for_each(|alone| tags[alone].kind = ShortcodeKind::Alone);
                    open.pop();
                }
                _ => tags[at].kind = ShortcodeKind::Shown,
            },
            ShortcodeKind::Alone | ShortcodeKind::Shown => {}
        }
    }
    for alone in open {
        tags[alone].kind = ShortcodeKind::Alone;
    }
    let mut reader = ShortcodeReader { text, tags: &tags, next: 0, at: 0 };
    Some(reader.until_close())
}

struct ShortcodeReader<'t, 'g> {
    text: &'t str,
    tags: &'g [ShortcodeTag<'t>],
    next: usize,
    at: usize,
}

impl<'t> ShortcodeReader<'t, '_> {
    /// Recursion is bounded by [`MAX_SHORTCODE_DEPTH`].
    fn until_close(&mut self) -> Vec<ShortcodePiece<'t>> {
        let mut out = Vec::new();
        while let Some(tag) = self.tags.get(self.next) {
            if tag.start > self.at {
                out.push(ShortcodePiece::Text(self.text.slice(self.at..tag.start), self.at));
            }
            self.at = tag.start;
            if tag.kind == ShortcodeKind::Close {
                return out;
            }
            self.next += 1;
            self.at = tag.end;
            if tag.kind == ShortcodeKind::Shown {
                let whole = self.text.slice(tag.start..tag.end);
                out.push(ShortcodePiece::Shown(whole.replacen("/*", "", 1).replacen("*/", "", 1), tag.start));
                continue;
            }
            let mut call = ShortcodeCall {
                name: tag.name,
                arguments: arguments(tag.arguments),
                is_markdown: tag.is_markdown,
                at: tag.start,
                inside: None,
                text: "",
            };
            if tag.kind == ShortcodeKind::Open {
                call.inside = Some(self.until_close());
                call.text = self.text.slice(tag.end..self.at);
                if let Some(close) = self.tags.get(self.next) {
                    self.at = close.end;
                    self.next += 1;
                }
            }
            out.push(ShortcodePiece::Call(call));
        }
        if self.at < self.text.len() {
            out.push(ShortcodePiece::Text(self.text.slice(self.at..), self.at));
            self.at = self.text.len();
        }
        out
    }
}

fn shortcode_tags(text: &str) -> Vec<ShortcodeTag<'_>> {
    let mut tags = Vec::new();
    let mut from = 0;
    while let Some(found) = text.slice(from..).find("{{") {
        let start = from + found;
        from = start + 2;
        let (end_mark, is_markdown) = match text.as_bytes().get(from) {
            Some(b'<') => (">}}", false),
            Some(b'%') => ("%}}", true),
            _ => continue,
        };
        let Some(length) = end_of(text.slice(from + 1..), end_mark) else { continue };
        let inside = text.slice(from + 1..from + 1 + length).trim();
        let end = from + 1 + length + end_mark.len();
        let is_shown = inside.starts_with("/*") && inside.ends_with("*/");
        let (inside, is_close) = match inside.strip_prefix('/').filter(|_| !is_shown) {
            Some(rest) => (rest.trim_start(), true),
            None => (inside, false),
        };
        let (inside, is_alone) = match inside.strip_suffix('/').filter(|_| !is_close && !is_shown) {
            Some(rest) => (rest.trim_end(), true),
            None => (inside, false),
        };
        let (name, arguments) = cut(inside, inside.find(char::is_whitespace).unwrap_or(inside.len()));
        let is_name = !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || "_-./".contains(c));
        if !is_shown && !is_name {
            continue;
        }
        let kind = match (is_shown, is_close, is_alone) {
            (true, ..) => ShortcodeKind::Shown,
            (_, true, _) => ShortcodeKind::Close,
            (_, _, true) => ShortcodeKind::Alone,
            _ => ShortcodeKind::Open,
        };
        tags.push(ShortcodeTag { start, end, name, arguments, is_markdown, kind });
        from = end;
    }
    tags
}

/// Where a tag ends; its quoted arguments may hold what ends it.
fn end_of(text: &str, mark: &str) -> Option<usize> {
    let first = text.find(mark)?;
    let (mut quote, mut is_escaped) = (None, false);
    for (at, c) in text.char_indices() {
        match (quote, c) {
            (Some('"'), '\\') if !is_escaped => {
                is_escaped = true;
                continue;
            }
            (Some(open), c) if c == open && !is_escaped => quote = None,
            (None, '"' | '`') => quote = Some(c),
            (None, _) if text.slice(at..).starts_with(mark) => return Some(at),
            // no argument goes on to another shortcode
            _ if text.slice(at..).starts_with("{{") => break,
            _ => {}
        }
        is_escaped = false;
    }
    Some(first)
}

/// Arguments: `name="value"`, `"value"`, `value`, with backticks for raw text.
fn arguments(text: &str) -> Vec<(String, String)> {
    let mut out = Vec::new();
    let mut rest = text.trim_start();
    while !rest.is_empty() {
        let end = rest.find(|c: char| c.is_whitespace() || matches!(c, '=' | '"' | '`')).unwrap_or(rest.len());
        let (mut name, mut after) = ("", rest);
        if end > 0 && rest.slice(end..).trim_start().starts_with('=') {
            name = rest.slice(..end);
            after = rest.slice(end..).trim_start().slice(1..).trim_start();
        }
        let (value, left) = parse_shortcode_value(after);
        out.push((name.to_owned(), value));
        rest = left.trim_start();
    }
    out
}

/// One value, and what follows it.
fn parse_shortcode_value(text: &str) -> (String, &str) {
    if let Some(rest) = text.strip_prefix('`') {
        let end = rest.find('`').unwrap_or(rest.len());
        return (rest.slice(..end).to_owned(), rest.get(end + 1..).unwrap_or_default());
    }
    if let Some(rest) = text.strip_prefix('"') {
        let mut out = String::new();
        let mut chars = rest.char_indices();
        while let Some((at, c)) = chars.next() {
            match c {
                '"' => return (out, rest.slice(at + 1..)),
                '\\' => match chars.next() {
                    Some((_, 'n')) => out.push('\n'),
                    Some((_, c @ ('"' | '\\'))) => out.push(c),
                    Some((_, c)) => out.extend(['\\', c]),
                    None => {}
                },
                c => out.push(c),
            }
        }
        return (out, "");
    }
    let end = text.find(char::is_whitespace).unwrap_or(text.len());
    // at least one character goes, so that reading ends
    let end = if end == 0 { text.chars().next().map_or(0, char::len_utf8) } else { end };
    (text.slice(..end).to_owned(), text.slice(end..))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn shown(pieces: &[ShortcodePiece<'_>]) -> String {
        pieces
            .iter()
            .map(|piece| match piece {
                ShortcodePiece::Text(text, _) => (*text).to_owned(),
                ShortcodePiece::Shown(text, _) => format!("[{text}]"),
                ShortcodePiece::Call(call) => {
                    let arguments: Vec<String> =
                        call.arguments.iter().map(|(name, value)| format!("{name}={value}")).collect();
                    let inside = call.inside.as_ref().map_or_else(|| "-".to_owned(), |inside| shown(inside));
                    format!("({} {}:{inside})", call.name, arguments.join(","))
                }
            })
            .collect()
    }

    #[track_caller]
    fn check(text: &str, expect: &str) {
        assert_eq!(split_at_shortcodes(text).map(|pieces| shown(&pieces)).unwrap_or_default(), expect, "{text}");
    }

    #[test]
    fn shortcodes_have_arguments_and_insides() {
        check("a {{< x >}} b", "a (x :-) b");
        check("{{% x one \"two three\" k=\"v w\" l=`r\"s` %}}in{{% /x %}}", "(x =one,=two three,k=v w,l=r\"s:in)");
        check("{{<ref \"/a>}}b\">}}", "(ref =/a>}}b:-)");
        check("{{< a >}}1{{< b >}}2{{< c >}}{{< /b >}}{{< /a >}}3", "(a :1(b :2(c :-)))3");
        check("{{< a />}}x{{< blocks/cover title=\"T\" >}}y{{< /blocks/cover >}}", "(a :-)x(blocks/cover title=T:y)");
        check("`{{</* x */>}}` {{%/* y */%}}", "`[{{< x >}}]` [{{% y %}}]");
        check("{{ x }} {{< >}}", "");
        check("{{< /x >}}a", "[{{< /x >}}]a");
    }

    proptest! {
        #[test]
        fn no_text_panics(text in "(\\{\\{<|>\\}\\}|\\{\\{%|%\\}\\}| |a|b|/|\"|`|=|é|\n|\\*){0,30}") {
            let _ = split_at_shortcodes(&text);
        }
    }
}
