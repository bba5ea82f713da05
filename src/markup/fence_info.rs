//! The options of a code block: a fence's info string, or the props of a `<CodeBlock>`.

use base::cut::SliceText as _;

use super::fence::{brace_group, unescape_info};
use super::tree::{CodeFence, PropValue, Props};

/// The options of a code block.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BlockOptions {
    /// Language as written, without what may stick to it (`python{15}`); may be empty.
    pub lang: String,
    /// File name or caption.
    pub title: Option<String>,
    /// Icon name, path or URL, unresolved.
    pub icon: Option<String>,
    /// Line numbers.
    pub lines: bool,
    /// The number of the first line, if it is another than 1.
    pub first_line: Option<u32>,
    /// Long lines wrap.
    pub wrap: bool,
    /// A long block may be folded.
    pub expandable: bool,
    /// No copy button.
    pub nocopy: bool,
    /// Lines to mark.
    pub highlight: LineSet,
    /// Lines to look at; the others step back.
    pub focus: LineSet,
    /// Lines that are new.
    pub added: LineSet,
    /// Lines that are gone.
    pub removed: LineSet,
    /// Lines that are folded until readers ask for them.
    pub hidden: LineSet,
    /// Name of a theme for this block alone.
    pub theme: Option<String>,
}

/// A set of line numbers (from 1), as disjoint ascending ranges.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LineSet(Vec<(u32, u32)>);

impl LineSet {
    /// Reads `1,3-5`, `[1, 3]`, `{2}`: every number or range in the text, whatever stands between.
    pub fn parse(text: &str) -> Self {
        let mut ranges = Vec::new();
        let mut rest = text;
        while let Some(at) = rest.find(|c: char| c.is_ascii_digit()) {
            let (first, after) = leading_number(rest.slice(at..));
            let dash = after.trim_start();
            let (last, after) = match dash.strip_prefix('-').map(str::trim_start) {
                Some(tail) if tail.starts_with(|c: char| c.is_ascii_digit()) => leading_number(tail),
                _ => (first, after),
            };
            ranges.push((first.min(last), first.max(last)));
            rest = after;
        }
        ranges.sort_unstable();
        let mut merged: Vec<(u32, u32)> = Vec::with_capacity(ranges.len());
        for (first, last) in ranges {
            match merged.last_mut() {
                Some(previous) if first <= previous.1.saturating_add(1) => previous.1 = previous.1.max(last),
                _ => merged.push((first, last)),
            }
        }
        Self(merged)
    }

    /// Whether a line (from 1) is in the set.
    pub fn contains(&self, line: u32) -> bool {
        let at = self.0.partition_point(|&(_, last)| last < line);
        self.0.get(at).is_some_and(|&(first, _)| first <= line)
    }

    /// Whether no line is in the set.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// The number that `text` starts with, and the rest.
fn leading_number(text: &str) -> (u32, &str) {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    (text.slice(..end).parse().unwrap_or(u32::MAX), text.slice(end..))
}

/// Braces that do not close, after which no others are looked for.
const MAX_UNCLOSED: usize = 8;
/// Flags that stand alone or take a value.
const FLAGS: [&str; 5] = ["lines", "wrap", "expandable", "twoslash", "nocopy"];
/// Keys that need a value.
const KEYS: [&str; 9] = ["icon", "lang", "highlight", "focus", "added", "removed", "theme", "placement", "actions"];

impl BlockOptions {
    /// Reads a fence: its first word is the language, the rest is meta.
    pub fn of_fence(fence: &CodeFence) -> Self {
        // what sticks to the language may go on behind it: `js{1, 3} a.js`
        let (lang, meta) = match fence.lang.find('{') {
            Some(brace) => (fence.lang.slice(..brace), format!("{} {}", fence.lang.slice(brace..), fence.meta)),
            None => (fence.lang.as_str(), fence.meta.clone()),
        };
        let mut options = Self::of_meta(&meta);
        options.hidden = LineSet::parse(&fence.hidden);
        // "```lines" and the like: a flag where the language should be
        if FLAGS.contains(&lang) {
            options.set_flag(lang, "");
        } else if options.lang.is_empty() {
            lang.clone_into(&mut options.lang);
        }
        if fence.is_escaped {
            for text in options.title.iter_mut().chain(&mut options.icon).chain([&mut options.lang]) {
                *text = unescape_info(text);
            }
        }
        options
    }

    /// Reads the info string after the language. What is left without options and braces is the title.
    pub fn of_meta(meta: &str) -> Self {
        let mut options = Self::default();
        let title = named_title(meta);
        let mut rest = match &title {
            Some((_, span)) => format!("{}{}", meta.slice(..span.0), meta.slice(span.1..)),
            None => meta.to_owned(),
        };
        loop {
            let left = options.take_tokens(&rest, false);
            if left == rest {
                break;
            }
            rest = left;
        }
        let bare = unquoted(trim_meta(&rest));
        match title {
            Some((title, _)) => options.title = Some(title),
            None if !bare.is_empty() => options.title = Some(bare.to_owned()),
            None => {}
        }
        options.title = options.title.filter(|title| !title.is_empty());
        options
    }

    /// Reads the props of `<CodeBlock>`.
    pub fn of_props(props: &Props) -> Self {
        let text = |name: &str| props.text(name).map(|text| text.into_owned());
        let set = |name: &str| match props.value(name) {
            Some(PropValue::Array(items)) => {
                LineSet::parse(&items.iter().filter_map(PropValue::to_text).collect::<Vec<_>>().join(","))
            }
            _ => text(name).map_or_else(LineSet::default, |text| LineSet::parse(&text)),
        };
        Self {
            lang: text("language").or_else(|| text("lang")).unwrap_or_default(),
            title: text("filename").or_else(|| text("title")),
            icon: text("icon"),
            lines: props.flag("lines") || props.flag("showLineNumbers"),
            first_line: text("lines").or_else(|| text("showLineNumbers")).and_then(|number| first_line(&number)),
            wrap: props.flag("wrap"),
            expandable: props.flag("expandable"),
            nocopy: props.flag("nocopy"),
            highlight: set("highlight"),
            focus: set("focus"),
            added: set("added"),
            removed: set("removed"),
            hidden: LineSet::default(),
            theme: text("theme").filter(|theme| is_theme_name(theme)),
        }
    }

    /// Takes the recognized tokens out of `meta`; what is left is the title.
    fn take_tokens(&mut self, meta: &str, is_in_braces: bool) -> String {
        let mut left = String::with_capacity(meta.len());
        let (mut at, mut boundary, mut quote, mut unclosed) = (0, true, None, 0);
        while let Some(c) = meta.slice(at..).chars().next() {
            let is_open = c == '{' && unclosed >= MAX_UNCLOSED;
            if boundary && !is_open {
                if let Some(token) = next_meta_token(meta.slice(at..)) {
                    self.set(&token, is_in_braces);
                    at += token.length;
                    boundary = token.key == "{";
                    continue;
                }
                unclosed += usize::from(c == '{');
                // what stands in quotes is a title with all that is in it
                if let '"' | '\'' = c
                    && let Some(close) =
                        meta.slice(at + 1..).find(c).filter(|close| meta.slice(at..at + close + 1).contains('{'))
                {
                    quote = Some(at + 1 + close);
                }
            }
            boundary = is_space(c) && quote.is_none_or(|close| at > close);
            left.push(c);
            at += c.len_utf8();
        }
        left
    }

    fn set(&mut self, token: &FenceToken<'_>, is_in_braces: bool) {
        let value = token.value;
        match token.key {
            "icon" => self.icon = Some(value.to_owned()).filter(|icon| !icon.is_empty()),
            "lang" => value.clone_into(&mut self.lang),
            "{" if value.chars().all(|c| c.is_ascii_digit() || c == ',' || c == '-' || is_space(c)) => {
                self.highlight = LineSet::parse(value);
            }
            "{" if !is_in_braces => self.set_group(value),
            "{" => {}
            "highlight" => self.highlight = LineSet::parse(value),
            "theme" => self.theme = Some(value.to_owned()).filter(|theme| is_theme_name(theme)),
            "focus" => self.focus = LineSet::parse(value),
            "added" => self.added = LineSet::parse(value),
            "removed" => self.removed = LineSet::parse(value),
            flag => self.set_flag(flag, value),
        }
    }

    /// What stands in braces: options, or something that only another tool knows. It is no title.
    fn set_group(&mut self, inside: &str) {
        if let Some((title, _)) = named_title(inside) {
            self.title = Some(title);
        }
        self.take_tokens(inside, true);
    }

    fn set_flag(&mut self, flag: &str, value: &str) {
        let on = !matches!(value, "false" | "0");
        match flag {
            "lines" => (self.lines, self.first_line) = (on, first_line(value)),
            "wrap" => self.wrap = on,
            "expandable" => self.expandable = on,
            "nocopy" => self.nocopy = on,
            // `twoslash` needs a TypeScript server: recognized, without effect
            _ => {}
        }
    }
}

/// The number that lines are counted from, as the value of `lines`.
fn first_line(value: &str) -> Option<u32> {
    value.trim().parse().ok().filter(|first| *first > 1)
}

/// Whether the option of a block is the name of a theme: `system` and a pair of themes leave it to the site.
fn is_theme_name(theme: &str) -> bool {
    !matches!(theme, "" | "null" | "system") && !theme.contains('{')
}

/// A recognized token at the start of a text.
struct FenceToken<'a> {
    key: &'a str,
    /// The value without its quotes or braces.
    value: &'a str,
    /// Bytes that the token takes.
    length: usize,
}

fn next_meta_token(text: &str) -> Option<FenceToken<'_>> {
    const BRACKETED: &str = "[expandable]";
    let ends = |length: usize| text.slice(length..).chars().next().is_none_or(is_space);
    if text.starts_with(BRACKETED) && ends(BRACKETED.len()) {
        return Some(FenceToken { key: "expandable", value: "", length: BRACKETED.len() });
    }
    if text.starts_with('{') {
        let length = brace_group(text)?;
        return (ends(length) || text.slice(length..).starts_with('{')).then(|| FenceToken {
            key: "{",
            value: text.slice(1..length - 1),
            length,
        });
    }
    let name = text.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(text.len());
    let key = text.slice(..name);
    let is_flag = FLAGS.contains(&key);
    if !is_flag && !KEYS.contains(&key) {
        return None;
    }
    if is_flag && ends(name) {
        return Some(FenceToken { key, value: "", length: name });
    }
    let after = text.slice(name..).strip_prefix('=')?;
    let start = name + 1;
    for (open, close) in [('"', '"'), ('\'', '\''), ('{', '}')] {
        if let Some(inside) = after.strip_prefix(open)
            && let Some(length) = inside.find(close)
            && ends(start + length + 2)
        {
            let value = if open == '{' { unquoted(inside.slice(..length)) } else { inside.slice(..length) };
            return Some(FenceToken { key, value, length: start + length + 2 });
        }
    }
    // an object
    if after.starts_with('{')
        && let Some(length) = brace_group(after)
        && ends(start + length)
    {
        return Some(FenceToken { key, value: after.slice(..length), length: start + length });
    }
    let length = after.find(is_space).unwrap_or(after.len());
    (length > 0).then_some(FenceToken { key, value: after.slice(..length), length: start + length })
}

/// The value of the first `title=` or `filename=`, and the bytes that it takes.
fn named_title(meta: &str) -> Option<(String, (usize, usize))> {
    let mut boundary = true;
    for (at, c) in meta.char_indices() {
        let here = std::mem::replace(&mut boundary, is_space(c));
        if !here {
            continue;
        }
        let Some(value) = ["title=", "filename="].iter().find_map(|key| meta.slice(at..).strip_prefix(key)) else {
            continue;
        };
        let Some((inside, length)) = title_value(value) else { continue };
        let title = inside.replace("\\\"", "\"").replace("\\'", "'");
        return Some((title, (at, meta.len() - value.len() + length)));
    }
    None
}

/// The value that `text` starts with, without its quotes, and its length with them.
fn title_value(text: &str) -> Option<(&str, usize)> {
    let first = text.chars().next().filter(|c| !is_space(*c))?;
    if let '"' | '\'' = first
        && let Some(close) = closing_quote(text.slice(1..), first)
    {
        return Some((text.slice(1..=close), close + 2));
    }
    if first == '{'
        && let Some(length) = brace_group(text)
    {
        let inside = text.slice(1..length - 1);
        let inside = inside.strip_prefix(['"', '\'', '`']).unwrap_or(inside);
        return Some((inside.strip_suffix(['"', '\'', '`']).unwrap_or(inside), length));
    }
    let length = text.find(is_space).unwrap_or(text.len());
    Some((text.slice(..length), length))
}

/// Where the quote that ends `text` stands: the first that no backslash escapes, else the last.
fn closing_quote(text: &str, quote: char) -> Option<usize> {
    let mut escaped = false;
    let mut last = None;
    for (at, c) in text.char_indices() {
        if c == quote && !escaped {
            return Some(at);
        }
        if c == quote {
            last = Some(at);
        }
        escaped = c == '\\' && !escaped;
    }
    last
}

/// A text without the pair of equal quotes around it.
fn unquoted(text: &str) -> &str {
    ['"', '\''].iter().find_map(|&quote| text.strip_prefix(quote)?.strip_suffix(quote)).unwrap_or(text)
}

/// White space as JavaScript's `\s` sees it: the rules above come from there.
pub fn is_space(c: char) -> bool {
    (c.is_whitespace() && c != '\u{85}') || c == '\u{feff}'
}

/// A text without white space around it, as JavaScript has it.
pub fn trim_meta(text: &str) -> &str {
    text.trim_matches(is_space)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check_title(meta: &str, expect: &str) {
        assert_eq!(BlockOptions::of_meta(meta).title.unwrap_or_default(), expect, "{meta}");
    }

    #[track_caller]
    fn check_lines(text: &str, expect: &[u32]) {
        let set = LineSet::parse(text);
        assert_eq!((0..40).filter(|line| set.contains(*line)).collect::<Vec<_>>(), expect, "{text}");
    }

    #[test]
    fn what_is_left_is_the_title() {
        check_title("", "");
        check_title("HelloWorld.java example lines", "HelloWorld.java example");
        check_title("lines icon=\"js\" src/app.ts {1,3-5}", "src/app.ts");
        check_title("theme={null} wrap", "");
        check_title("theme={\"system\"} wrap", "");
        check_title("theme={\"theme\":{\"light\": \"a\", \"dark\": \"b\"}} T", "T");
        for theme in
            ["\"system\"", "{\"system\"}", "{\"theme\":{\"light\":\"a\",\"dark\":\"b\"}}", "{{ \"light\": \"a\" }}"]
        {
            assert_eq!(BlockOptions::of_meta(&format!("theme={theme}")).theme, None, "{theme}");
        }
        check_title("\"Quoted name\" lines", "Quoted name");
        check_title("highlight={1-2,5} focus=\"2 3\" expandable=true", "");
        check_title("[expandable] a [expandable]", "a");
        check_title("lines= x", "lines= x");
        check_title("linesandmore", "linesandmore");
        check_title("icon=\"a b\"c d", "b\"c d");
    }

    #[test]
    fn braces_are_no_title() {
        check_title("Java {\"LOAD::x#y\"}", "Java");
        check_title("{highlight={4}}", "");
        check_title("{a} b", "b");
        check_title("main.py {linenos=table, hl_lines=[\"1-2\"]}", "main.py");
        check_title("{{a: {b: 1}}} c {d} e", "c  e");
        check_title("{1,3}{5} kiln.ts", "kiln.ts");
        check_title("{'}'} kiln.ts", "kiln.ts");
        check_title("{it's} kiln.ts", "kiln.ts");
        check_title("{title=\"Oven\"}", "Oven");
        check_title("Name {title=\"Oven\"}", "Name");
        check_title("title=\"a {b} c\" {d}", "a {b} c");
        check_title("\"a {b} c\"", "a {b} c");
        check_title("GET /kilns/{id}", "GET /kilns/{id}");
        check_title("{id}.ts", "{id}.ts");
        check_title("a {b", "a {b");
        check_title(&"{ ".repeat(50_000), "{ ".repeat(50_000).trim_end());
        let options = BlockOptions::of_meta("{highlight={4} lines} {wrap} T");
        assert!(options.highlight.contains(4) && options.lines && options.wrap);
        assert_eq!(options.title.as_deref(), Some("T"));
    }

    #[test]
    fn escapes_and_references_are_read_where_they_are_written() {
        let title = |meta: &str, is_escaped| {
            let fence = CodeFence { meta: meta.into(), is_escaped, ..CodeFence::default() };
            BlockOptions::of_fence(&fence).title.unwrap_or_default()
        };
        for (meta, expect) in [
            ("R&amp;D", "R&D"),
            ("title=\"a &lt;b&gt;\"", "a <b>"),
            ("snake\\_case", "snake_case"),
            ("\\{id\\}", "{id}"),
            ("&#123;id&#125; x", "{id} x"),
            ("title='it\\'s'", "it's"),
        ] {
            assert_eq!(title(meta, true), expect, "{meta}");
        }
        assert_eq!(title("R&amp;D", false), "R&amp;D");
    }

    #[test]
    fn named_titles_win() {
        check_title("lines title=\"a \\\"b\\\" c\" rest", "a \"b\" c");
        check_title("title='it''s'", "it");
        check_title("title={`x`}", "x");
        check_title("filename=main.go lines", "main.go");
        check_title("title= x", "title= x");
        check_title("subtitle=x", "subtitle=x");
        check_title("title=\"open lines", "\"open");
        check_title("title=\"end\\\"", "end\\");
    }

    #[test]
    fn options_are_read() {
        let options = BlockOptions::of_meta("lines={false} wrap icon='/i.svg' {1,3-4} focus=2 nocopy twoslash x.ts");
        assert_eq!((options.lines, options.wrap, options.nocopy, options.expandable), (false, true, true, false));
        assert_eq!(options.icon.as_deref(), Some("/i.svg"));
        assert!(options.highlight.contains(4) && !options.highlight.contains(2) && options.focus.contains(2));
        assert!(!BlockOptions::of_meta("lines=\"false\"").lines && BlockOptions::of_meta("lines=true").lines);
        assert!(BlockOptions::of_meta("title=\"x\" lines wrap").lines);
        for (meta, first) in [("lines=10", Some(10)), ("lines={7} wrap", Some(7)), ("lines", None), ("lines=1", None)] {
            let options = BlockOptions::of_meta(meta);
            assert_eq!((options.lines, options.first_line), (true, first), "{meta}");
        }
    }

    #[test]
    fn the_language_word_may_carry_more() {
        let fence = |lang: &str| BlockOptions::of_fence(&CodeFence { lang: lang.into(), ..CodeFence::default() });
        assert_eq!(fence("python{15}").lang, "python");
        assert!(fence("python{15}").highlight.contains(15));
        let split = BlockOptions::of_fence(&CodeFence {
            lang: "js{1,".into(),
            meta: "3} kiln.js".into(),
            ..CodeFence::default()
        });
        assert_eq!((split.lang.as_str(), split.title.as_deref()), ("js", Some("kiln.js")));
        assert!(split.highlight.contains(3));
        assert!(fence("lines").lines && fence("lines").lang.is_empty());
        assert!(fence("nocopy").nocopy);
    }

    #[test]
    fn props_give_the_same_options() {
        let mut props = Props::default();
        props.set("language", PropValue::String("ts".into()));
        props.set("filename", PropValue::String("a.ts".into()));
        props.set("highlight", PropValue::String("[1,3]".into()));
        props.set("focus", PropValue::Array(vec![PropValue::Number(2.0)]));
        props.set("lines", PropValue::Bool(true));
        let options = BlockOptions::of_props(&props);
        assert_eq!((options.lang.as_str(), options.title.as_deref(), options.lines), ("ts", Some("a.ts"), true));
        assert!(options.highlight.contains(3) && options.focus.contains(2) && !options.focus.contains(1));
    }

    #[test]
    fn line_sets() {
        check_lines("1,3-5", &[1, 3, 4, 5]);
        check_lines("[2, 1, 2]", &[1, 2]);
        check_lines("5-3", &[3, 4, 5]);
        check_lines("1 - 2 x 9-", &[1, 2, 9]);
        check_lines("99999999999-1", &(1..40).collect::<Vec<_>>());
        check_lines("", &[]);
    }

    proptest::proptest! {
        #[test]
        fn any_meta_is_read(meta in "[ \"'{}=\\\\a-f,1-3\\[\\]]{0,40}") {
            BlockOptions::of_meta(&meta);
        }
    }
}
