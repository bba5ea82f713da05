//! Boxes and tabs of other generators in plain Markdown: `!!! note`, `??? tip` and `=== "Tab"` with an indented body
//! (MkDocs), `:::note` … `:::` (Docusaurus, VitePress), `/// note | Title` … `///` (PyMdown). In Markdown they become
//! quotes, whose first line is a comment that [`QuoteDirective`]s are found by when the quote ends; in MDX they become
//! tags, line by line.
//!
//! Also what MkDocs makes of whole lines: `<div markdown>`, whose content is Markdown, and `::: package.name`, a
//! reference made from code.

use std::borrow::Cow;

use rustc_hash::FxHashMap;

use base::component_line::{self, ComponentLine, parse_component_line};
use base::cut::SliceText as _;
use base::lines::{Verbatim, parse_slash_line, starts_item};
use base::{Place, Problem};

use super::tree::{JsxElement, Node, PropValue, Props};

/// Directives nested deeper than this stay text.
const MAX_DIRECTIVE_DEPTH: usize = 16;

/// The start of the comment that marks a quote; authors have no reason to write the character.
const MARK: &str = "<!--\u{e000}";

/// What a marked quote is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct QuoteDirective {
    component: Cow<'static, str>,
    title: String,
    open: bool,
    /// Further properties.
    props: Vec<(String, String)>,
}

impl QuoteDirective {
    fn of(component: &'static str, title: String) -> Self {
        Self { component: Cow::Borrowed(component), title, open: false, props: Vec::new() }
    }
}

/// Text with marked quotes.
#[derive(Debug, Default)]
pub(super) struct Rewritten {
    pub(super) text: String,
    /// Where each line starts, and its place in the source.
    pub(super) lines: Vec<(usize, Place)>,
    pub(super) directives: Vec<QuoteDirective>,
    pub(super) problems: Vec<Problem>,
    /// Whether the text that was made differs from the source.
    pub(super) is_other: bool,
}

/// Whether a text may hold a directive.
fn is_likely(source: &str) -> bool {
    ["!!!", "???", "===", ":::", "\n///", " markdown"]
        .iter()
        .any(|mark| memchr::memmem::find(source.as_bytes(), mark.as_bytes()).is_some())
        || component_line::may_hold(source)
}

/// Rewrites plain Markdown; `None` if nothing in it is to be rewritten.
pub(super) fn rewrite_directives(source: &str, start: Place) -> Option<Rewritten> {
    if !is_likely(source) {
        return None;
    }
    let lines: Vec<DirectiveLine<'_>> = source
        .split('\n')
        .zip(start.line..)
        .map(|(text, line)| DirectiveLine { text, place: Place { line, ..start } })
        .collect();
    Some(of_lines(&lines)).filter(|out| out.is_other)
}

/// Rewrites lines of plain Markdown.
pub(super) fn of_lines(lines: &[DirectiveLine<'_>]) -> Rewritten {
    let mut out = Rewritten::default();
    out.lines(lines, "", 0);
    out
}

/// Rewrites `:::note` in MDX.
pub(super) fn mdx(source: &str) -> Cow<'_, str> {
    if memchr::memmem::find(source.as_bytes(), b":::").is_none() {
        return Cow::Borrowed(source);
    }
    let lines: Vec<DirectiveLine<'_>> =
        source.split('\n').map(|text| DirectiveLine { text, place: Place::default() }).collect();
    let mut tags: Vec<Option<String>> = vec![None; lines.len()];
    for (at, start) in starts(&lines, false).into_iter().enumerate() {
        let DirectiveStart::Colons { end, directive } = start else { continue };
        let indent = lines[at].text.slice(..lines[at].indent());
        let title = match directive.title.as_str() {
            "" => String::new(),
            title => format!(" title=\"{}\"", title.replace('&', "&amp;").replace('"', "&quot;")),
        };
        tags[at] = Some(format!("{indent}<{}{title}>", directive.component));
        tags[end] = Some(format!("{indent}</{}>", directive.component));
    }
    if tags.iter().all(Option::is_none) {
        return Cow::Borrowed(source);
    }
    let lines: Vec<&str> = lines.iter().zip(&tags).map(|(line, tag)| tag.as_deref().unwrap_or(line.text)).collect();
    Cow::Owned(lines.join("\n"))
}

/// The element that a quote with these children is; gives the children back if it is a quote.
pub(super) fn element(
    mut children: Vec<Node>,
    directives: &[QuoteDirective],
    place: Place,
) -> Result<JsxElement, Vec<Node>> {
    let number = match children.first() {
        Some(Node::Html { markup, .. }) => {
            markup.strip_prefix(MARK).and_then(|rest| rest.split("-->").next()?.parse::<usize>().ok())
        }
        _ => None,
    };
    let Some(directive) = number.and_then(|number| directives.get(number)) else { return Err(children) };
    children.remove(0);
    let mut props = Props::default();
    if !directive.title.is_empty() {
        props.set("title", PropValue::String(directive.title.clone()));
    }
    for (name, value) in &directive.props {
        props.set(name, PropValue::String(value.clone()));
    }
    if directive.open {
        props.set("defaultOpen", PropValue::Bool(true));
    }
    Ok(JsxElement { name: directive.component.clone().into_owned(), props, children, place, ..JsxElement::default() })
}

/// A line and where it stands.
#[derive(Clone, Copy)]
pub(super) struct DirectiveLine<'s> {
    pub(super) text: &'s str,
    pub(super) place: Place,
}

impl<'s> DirectiveLine<'s> {
    /// Spaces at its start.
    fn indent(&self) -> usize {
        self.text.len() - self.text.trim_start_matches(' ').len()
    }

    fn is_blank(&self) -> bool {
        self.text.trim().is_empty()
    }

    /// The line without its first `spaces` spaces, or as many as it has.
    fn cut(&self, spaces: usize) -> DirectiveLine<'s> {
        let cut = self.indent().min(spaces);
        DirectiveLine {
            text: self.text.slice(cut..),
            place: Place { column: self.place.column + cut as u32, ..self.place },
        }
    }
}

impl Rewritten {
    fn lines(&mut self, lines: &[DirectiveLine<'_>], prefix: &str, depth: usize) {
        let mut starts = if depth < MAX_DIRECTIVE_DEPTH { starts(lines, true) } else { Vec::new() };
        let mut at = 0;
        while at < lines.len() {
            let found = starts
                .get_mut(at)
                .map(std::mem::take)
                .and_then(|found| self.directive(found, lines, at, prefix, depth));
            at = found.unwrap_or_else(|| {
                self.line(prefix, lines[at]);
                at + 1
            });
        }
    }

    /// Writes the directive that starts at a line; returns the line behind it.
    fn directive(
        &mut self,
        found: DirectiveStart,
        lines: &[DirectiveLine<'_>],
        at: usize,
        prefix: &str,
        depth: usize,
    ) -> Option<usize> {
        let indent = lines[at].indent();
        let inner = format!("{prefix}{}> ", " ".repeat(indent));
        match found {
            DirectiveStart::Text => None,
            DirectiveStart::Html { end, tag } => {
                self.is_other = true;
                self.line(prefix, DirectiveLine { text: &tag, ..lines[at] });
                self.separate(prefix, lines[at]);
                let body = &lines[at + 1..end];
                let shared = body.iter().filter(|line| !line.is_blank()).map(DirectiveLine::indent).min().unwrap_or(0);
                self.body(body, shared, prefix, depth);
                self.separate(prefix, lines[end]);
                self.line(prefix, lines[end]);
                self.separate(prefix, lines[end]);
                Some(end + 1)
            }
            DirectiveStart::Reference { name } => {
                self.is_other = true;
                self.separate(prefix, lines[at]);
                self.line(prefix, DirectiveLine { text: &format!("<a id=\"{name}\"></a>`{name}`"), ..lines[at] });
                self.separate(prefix, lines[at]);
                self.problems.push(
                    Problem::new(
                        "reference-unread",
                        format!(
                            "`::: {name}` is generated from source code by another tool; the name is shown instead"
                        ),
                        lines[at].place,
                    )
                    .hint("write the text on the page, or export the output of that tool"),
                );
                // what follows are options
                Some(at + 1 + count_indented_lines(&lines[at + 1..], lines[at].indent() + 4))
            }
            DirectiveStart::Colons { end, directive } => {
                let body: Vec<DirectiveLine<'_>> = lines[at + 1..end].iter().map(|line| line.cut(indent)).collect();
                self.separate(prefix, lines[at]);
                self.mark(directive, &inner, lines[at]);
                self.lines(&body, &inner, depth + 1);
                self.separate(prefix, lines[end]);
                Some(end + 1)
            }
            DirectiveStart::Admonition(mut directive, may_be_empty) => {
                let end = at + 1 + count_indented_lines(&lines[at + 1..], indent + 4);
                if end == at + 1 && !may_be_empty {
                    return None;
                }
                // a box without a body has a title
                if end == at + 1 && directive.title.is_empty() {
                    directive.title = directive.component.clone().into_owned();
                }
                self.separate(prefix, lines[at]);
                self.mark(directive, &inner, lines[at]);
                self.body(&lines[at + 1..end], indent + 4, &inner, depth);
                self.separate(prefix, lines[end - 1]);
                Some(end)
            }
            DirectiveStart::Tab => Some(self.tabs(lines, at, prefix, depth)),
        }
    }

    /// Writes the tabs that start at a line; returns the line behind them.
    fn tabs(&mut self, lines: &[DirectiveLine<'_>], at: usize, prefix: &str, depth: usize) -> usize {
        let indent = lines[at].indent();
        let inner = format!("{prefix}{}> ", " ".repeat(indent));
        let panel = format!("{inner}> ");
        self.separate(prefix, lines[at]);
        self.mark(QuoteDirective::of("Tabs", String::new()), &inner, lines[at]);
        let (mut next, mut end) = (at, at);
        while let Some(title) =
            lines.get(next).filter(|line| line.indent() == indent).and_then(|line| tab_title(line.text))
        {
            self.separate(&inner, lines[next]);
            self.mark(QuoteDirective::of("Tab", title), &panel, lines[next]);
            end = next + 1 + count_indented_lines(&lines[next + 1..], indent + 4);
            self.body(&lines[next + 1..end], indent + 4, &panel, depth + 1);
            next = end + lines[end..].iter().take_while(|line| line.is_blank()).count();
        }
        self.separate(prefix, lines[end - 1]);
        end
    }

    fn body(&mut self, lines: &[DirectiveLine<'_>], cut: usize, prefix: &str, depth: usize) {
        let body: Vec<DirectiveLine<'_>> = lines.iter().map(|line| line.cut(cut)).collect();
        self.lines(&body, prefix, depth + 1);
    }

    fn mark(&mut self, directive: QuoteDirective, prefix: &str, line: DirectiveLine<'_>) {
        self.is_other = true;
        let comment = format!("{MARK}{}-->", self.directives.len());
        self.directives.push(directive);
        self.line(prefix, DirectiveLine { text: &comment, ..line });
    }

    /// A blank line, so that what comes before and after is no part of the quote.
    fn separate(&mut self, prefix: &str, line: DirectiveLine<'_>) {
        self.line(prefix.trim_end(), DirectiveLine { text: "", ..line });
    }

    fn line(&mut self, prefix: &str, line: DirectiveLine<'_>) {
        if !self.lines.is_empty() {
            self.text.push('\n');
        }
        let column = line.place.column.saturating_sub(prefix.len() as u32).max(1);
        self.lines.push((self.text.len(), Place { column, ..line.place }));
        self.text.push_str(prefix);
        self.text.push_str(line.text);
    }
}

/// What a line may start.
#[derive(Debug, Default)]
enum DirectiveStart {
    /// Nothing, as far as directives go.
    #[default]
    Text,
    /// A container of colons that ends at the line `end`, with as many colons.
    Colons { end: usize, directive: QuoteDirective },
    /// A box, if there is an indented body, or if there may be none.
    Admonition(QuoteDirective, bool),
    /// A row of tabs.
    Tab,
    /// HTML whose content is Markdown: its tag without what says so, and the line of its closing tag.
    Html { end: usize, tag: String },
    /// What a generator reads from code (mkdocstrings).
    Reference { name: String },
}

/// How much deeper than a list's item its text may stand: the mark, and less than code needs behind it.
const ITEM: usize = 8;

/// What each line starts, found in one pass. In Markdown, what is indented deeper than text is code, unless it belongs
/// to an item of a list.
fn starts(lines: &[DirectiveLine<'_>], has_indented_code: bool) -> Vec<DirectiveStart> {
    let mut found: Vec<DirectiveStart> = lines.iter().map(|_| DirectiveStart::Text).collect();
    let mut verbatim = Verbatim::default();
    // lines that wait for their end, by number of colons or slashes; what they open is not known to all
    let mut open: FxHashMap<usize, Vec<(usize, Option<QuoteDirective>)>> = FxHashMap::default();
    // lines that open components and wait for their end
    let mut components: Vec<(usize, QuoteDirective)> = Vec::new();
    // lines of HTML that wait for their end, by name
    let mut elements: FxHashMap<&str, Vec<(usize, Option<String>)>> = FxHashMap::default();
    // what the next line may be inside of: lines that are indented ever deeper, and whether they start items
    let mut above: Vec<(usize, bool)> = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let indent = line.indent();
        if !line.is_blank() {
            while above.last().is_some_and(|(outer, _)| *outer >= indent) {
                above.pop();
            }
        }
        let is_in_item = || {
            above.last().is_some_and(|(_, is_item)| *is_item)
                || above.iter().any(|(outer, is_item)| *is_item && indent < outer + ITEM)
        };
        let is_text = !has_indented_code || indent < 4 || is_in_item();
        if !line.is_blank() {
            above.push((indent, starts_item(line.text.trim_start())));
        }
        if verbatim.takes(line.text.trim_start_matches([' ', '>'])) {
            continue;
        }
        match parse_component_line(line.text) {
            Some(ComponentLine::Open(name, props)) => {
                components.push((
                    at,
                    QuoteDirective { component: Cow::Owned(name), props, ..QuoteDirective::of("", String::new()) },
                ));
                continue;
            }
            Some(ComponentLine::Close) => {
                if let Some((start, directive)) = components.pop() {
                    found[start] = DirectiveStart::Colons { end: at, directive };
                }
                continue;
            }
            None => {}
        }
        let of_others = has_indented_code && is_text;
        if let Some(name) = of_others.then(|| directive_reference(line.text)).flatten() {
            found[at] = DirectiveStart::Reference { name: name.to_owned() };
        } else if let Some((count, is_end, directive)) =
            colons(line.text).or_else(|| if of_others { parse_directive_slashes(line.text) } else { None })
        {
            let open = open.entry(count).or_default();
            if !is_end {
                open.push((at, directive.filter(|_| is_text)));
            } else if let Some((start, Some(directive))) = open.pop() {
                found[start] = DirectiveStart::Colons { end: at, directive };
            }
        } else if let Some(name) = of_others.then(|| lone_tag_name(line.text)).flatten() {
            let open = elements.entry(name).or_default();
            if !line.text.trim_start().starts_with("</") {
                open.push((at, without_markdown(line.text)));
            } else if let Some((start, Some(tag))) = open.pop() {
                found[start] = DirectiveStart::Html { end: at, tag };
            }
        } else if is_text {
            found[at] = match admonition(line.text) {
                Some((directive, may_be_empty)) => DirectiveStart::Admonition(directive, may_be_empty),
                None if tab_title(line.text).is_some() => DirectiveStart::Tab,
                None => DirectiveStart::Text,
            };
        }
    }
    found
}

/// `::: package.module.name`
fn directive_reference(text: &str) -> Option<&str> {
    text.trim().strip_prefix("::: ").map(str::trim_start).filter(|name| is_name_of_code(name))
}

/// `package.module.Name`
pub(super) fn is_name_of_code(text: &str) -> bool {
    let is_name = |part: &str| {
        part.starts_with(|c: char| c.is_alphabetic() || c == '_')
            && part.chars().all(|c| c.is_alphanumeric() || c == '_')
    };
    text.contains('.') && text.split('.').all(is_name)
}

/// The name in the tag that is all there is of a line.
fn lone_tag_name(text: &str) -> Option<&str> {
    let inside = text.trim().strip_prefix('<')?.strip_suffix('>')?;
    let inside = inside.strip_prefix('/').unwrap_or(inside);
    let end = inside.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(inside.len());
    (end > 0 && !inside.contains(['<', '>']) && !inside.ends_with('/')).then(|| inside.slice(..end))
}

/// A line with a tag, without the attribute that makes its content Markdown: `markdown`, `markdown="1"`, `"span"` or
/// `"block"`.
fn without_markdown(text: &str) -> Option<String> {
    let at = text.find(" markdown")?;
    let rest = text.slice(at + " markdown".len()..);
    let value = rest.strip_prefix('=').map_or(0, |value| 1 + value.find([' ', '>']).unwrap_or(value.len()));
    rest.slice(value..).starts_with([' ', '>']).then(|| format!("{}{}", text.slice(..at), rest.slice(value..)))
}

/// How many lines are blank or indented so far, without blank ones at the end.
fn count_indented_lines(lines: &[DirectiveLine<'_>], indent: usize) -> usize {
    let all = lines.iter().take_while(|line| line.is_blank() || line.indent() >= indent).count();
    lines[..all].iter().rposition(|line| !line.is_blank()).map_or(0, |last| last + 1)
}

/// `!!! type "Title"`, `??? type` (closed) and `???+ type` (open); and whether it is one even without a body: three
/// marks and an unknown word may be an exclamation.
fn admonition(text: &str) -> Option<(QuoteDirective, bool)> {
    let text = text.trim();
    let (closed, open, rest) = match text.get(..3)? {
        "!!!" => (false, false, text.slice(3..)),
        "???" => (true, text.slice(3..).starts_with('+'), text.slice(3..).strip_prefix('+').unwrap_or(text.slice(3..))),
        _ => return None,
    };
    // the space may be left out
    if !rest.starts_with(' ') && callout(rest.split([' ', '"']).next().unwrap_or_default()).is_empty() {
        return None;
    }
    let (kinds, title) = match rest.split_once('"') {
        Some((kinds, title)) => (kinds, Some(title.strip_suffix('"')?)),
        None => (rest, None),
    };
    // `??? "Title"` needs no kind
    let name = kinds.split_whitespace().next().or(if closed && title.is_some() { Some("details") } else { None })?;
    if !kinds.split_whitespace().all(|kind| kind.chars().all(|c| c.is_alphanumeric() || c == '-' || c == '_')) {
        return None;
    }
    let component = callout(name);
    let own = if component.eq_ignore_ascii_case(name) && !closed { String::new() } else { capitalised(name) };
    let may_be_empty = title.is_some() || !component.is_empty();
    let title = title.map_or(own, str::to_owned);
    let component = if closed { "Accordion" } else { component_or_note(component) };
    Some((QuoteDirective { open, ..QuoteDirective::of(component, title) }, may_be_empty))
}

/// `=== "Title"`
fn tab_title(text: &str) -> Option<String> {
    let rest = text.trim().strip_prefix("===")?;
    let rest = rest.strip_prefix(['!', '+']).unwrap_or(rest);
    let title = rest.strip_prefix(' ')?.trim().strip_prefix('"')?.strip_suffix('"')?;
    Some(title.to_owned())
}

/// A line of colons: how many, whether nothing follows them, which ends something, and what it opens, if that is known.
fn colons(text: &str) -> Option<(usize, bool, Option<QuoteDirective>)> {
    let text = text.trim();
    let rest = text.trim_start_matches(':');
    let count = text.len() - rest.len();
    if count < 3 {
        return None;
    }
    let rest = rest.trim_start();
    let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '-')).unwrap_or(rest.len());
    let (name, title) = (rest.slice(..end).to_ascii_lowercase(), rest.slice(end..).trim());
    let title = title.strip_prefix('[').and_then(|title| title.strip_suffix(']')).unwrap_or(title);
    let title = if title.starts_with('{') { "" } else { title };
    let component = match name.as_str() {
        "details" => "Accordion",
        "code-group" => "CodeGroup",
        name => callout(name),
    };
    let title = match component {
        "" => return Some((count, rest.is_empty(), None)),
        "CodeGroup" => String::new(),
        "Accordion" if title.is_empty() => "Details".to_owned(),
        _ => title.to_owned(),
    };
    Some((count, false, Some(QuoteDirective::of(component, title))))
}

/// A line of slashes, as `colons` reads its like.
fn parse_directive_slashes(text: &str) -> Option<(usize, bool, Option<QuoteDirective>)> {
    /// Keeps them apart from colons.
    const SLASHES: usize = 1 << 32;
    let (count, name, title) = parse_slash_line(text)?;
    let is_end = text.trim().len() == count;
    let component = match name.to_ascii_lowercase().as_str() {
        "details" => "Accordion",
        "admonition" => "Note",
        name => callout(name),
    };
    let title = if component == "Accordion" && title.is_empty() { "Details" } else { title };
    let directive = (!component.is_empty()).then(|| QuoteDirective::of(component, title.to_owned()));
    Some((SLASHES + count, is_end, directive))
}

/// The component of a kind of box; empty if it is none.
fn callout(name: &str) -> &'static str {
    match name.to_ascii_lowercase().as_str() {
        "note" | "abstract" | "summary" | "tldr" | "quote" | "cite" | "example" | "secondary" => "Note",
        "info" | "important" | "todo" | "question" | "help" | "faq" | "seealso" => "Info",
        "tip" | "hint" => "Tip",
        "success" | "check" | "done" => "Check",
        "warning" | "caution" | "attention" => "Warning",
        "danger" | "error" | "bug" | "failure" | "fail" | "missing" => "Danger",
        _ => "",
    }
}

fn component_or_note(component: &'static str) -> &'static str {
    if component.is_empty() { "Note" } else { component }
}

fn capitalised(name: &str) -> String {
    let mut chars = name.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[track_caller]
    fn check(source: &str, expect: &str) {
        let rewritten = rewrite_directives(source, Place { line: 1, column: 1, ..Place::default() });
        let text = rewritten.as_ref().map_or(source, |rewritten| &rewritten.text);
        assert_eq!(text.replace(MARK, "<!--"), expect, "{source}");
    }

    #[test]
    fn indented_bodies() {
        check("a\n!!! note\n    b\n\n    c\nd", "a\n\n> <!--0-->\n> b\n> \n> c\n\nd");
        check("1. a\n\n    !!! tip \"T\"\n        b", "1. a\n\n\n    > <!--0-->\n    > b\n");
        check(
            "=== \"A\"\n\n    x\n\n=== \"B\"\n    y\nz",
            "\n> <!--0-->\n>\n> > <!--1-->\n> > \n> > x\n>\n> > <!--2-->\n> > y\n\nz",
        );
    }

    #[test]
    fn titles_without_bodies() {
        check("!!! note \"T\"\na", "\n> <!--0-->\n\na");
        check("!!! note\n\ntext", "\n> <!--0-->\n\n\ntext");
        check("??? \"T\"\n    a", "\n> <!--0-->\n> a\n");
    }

    #[test]
    fn markdown_in_html() {
        check("<div class=\"x\" markdown>\n- a\n</div>\nb", "<div class=\"x\">\n\n- a\n\n</div>\n\nb");
        check(
            "<figure markdown=\"span\">\n    ![a](b)\n    <b>\n    c\n    </b>\n</figure>",
            "<figure>\n\n![a](b)\n<b>\nc\n</b>\n\n</figure>\n",
        );
        check("<div markdown=1>\n<div>\n</div>\n</div>", "<div>\n\n<div>\n</div>\n\n</div>\n");
    }

    #[test]
    fn references_are_named() {
        check("a\n::: b.c_d.E\n    options:\n        x: y\nf", "a\n\n<a id=\"b.c_d.E\"></a>`b.c_d.E`\n\nf");
        check("1. a\n   b\n\n    !!! tip\n        c", "1. a\n   b\n\n\n    > <!--0-->\n    > c\n");
    }

    #[test]
    fn colons_around_bodies() {
        check(":::note\na\n:::\nb", "\n> <!--0-->\n> a\n\nb");
        check("x\n\n/// tip | T\na\n///\nb", "x\n\n\n> <!--0-->\n> a\n\nb");
        check("x\n\n/// nothing\na\n///", "x\n\n/// nothing\na\n///");
        check("::: info T\n::: tip\na\n:::\n:::", "\n> <!--0-->\n>\n> > <!--1-->\n> > a\n>\n");
        check(":::note\n```\n:::\n```\n:::", "\n> <!--0-->\n> ```\n> :::\n> ```\n");
    }

    #[test]
    fn what_stays_text() {
        for text in [
            ":::note\nnever closed",
            ":::unknown\na\n:::",
            "```\n!!! note\n    a\n```",
            "    !!! note\n        a",
            "!!! wow\n\ntext",
            "!!!wow\n    a",
            "Title\n===",
            "wow!!! no",
            "<!--\n!!! note\n-->",
            "??? what is \"this\" thing",
            "<div markdown>\na",
            "<p markdownish>\na\n</p>",
            "    ::: a.b",
            "    <div markdown>\n    </div>",
        ] {
            check(text, text);
        }
    }

    #[test]
    fn places_are_those_of_the_source() {
        let rewritten = rewrite_directives("a\n\n!!! note\n    b", Place { line: 5, column: 1, ..Place::default() })
            .expect("it holds a directive");
        let (_, place) = rewritten
            .lines
            .iter()
            .find(|(start, _)| rewritten.text[*start..].starts_with("> b"))
            .expect("the body is there");
        assert_eq!((place.line, place.column), (8, 3));
    }

    #[test]
    fn tags_in_mdx() {
        assert_eq!(mdx(":::tip My \"x\"\n\na\n\n:::\n"), "<Tip title=\"My &quot;x&quot;\">\n\na\n\n</Tip>\n");
        assert_eq!(mdx(":::info[T]\n:::note\na\n:::\n:::"), "<Info title=\"T\">\n<Note>\na\n</Note>\n</Info>");
        assert_eq!(mdx("a ::: b\n:::x\n:::"), "a ::: b\n:::x\n:::");
    }

    proptest! {
        #[test]
        fn no_text_panics(body in "[!?=:+\" \n>`\\-ée~a]{0,80}|(!!! note|=== \"a\"|:::note|:::|    |\n|```|- |a|<div markdown>\n|</div>\n|<b>){0,30}") {
            let _ = rewrite_directives(&body, Place::default());
            let _ = mdx(&body);
        }
    }
}
