//! Boxes, tabs and captions: `!!! note "T"`, `??? note`, `=== "Tab"`, and blocks between slashes.

use base::cut::SliceText as _;
use base::lines::parse_slash_line;

use super::attributes;
use super::block::{MkDocsWriter, strip_inline_marks};
use super::inline::{icon_path, is_icon};
use super::lines::{BlockLine, INDENT, LineKind, Out, blank, owned, raw, trimmed, wrapped};
use super::starts::marker_of;

/// The component of a kind of box.
fn box_component(kind: &str) -> &'static str {
    match kind {
        "info" | "todo" | "important" | "question" | "help" | "faq" | "seealso" => "Info",
        "tip" | "hint" => "Tip",
        "success" | "check" | "done" => "Check",
        "warning" | "caution" | "attention" => "Warning",
        "danger" | "error" | "bug" | "failure" | "fail" | "missing" => "Danger",
        _ => "Note",
    }
}

/// The icon of a kind that has no component of its own.
fn box_icon(kind: &str) -> Option<&'static str> {
    Some(match kind {
        "abstract" | "summary" | "tldr" => "clipboard-list",
        "example" => "flask",
        "quote" | "cite" => "quote-left",
        "question" | "help" | "faq" => "circle-question",
        "bug" => "bug",
        "failure" | "fail" | "missing" => "xmark",
        _ => return None,
    })
}

/// A box, as its first line says.
struct BoxHead {
    kinds: Vec<String>,
    /// `None` if nothing is said: it is the name of the kind then.
    title: Option<String>,
    is_folded: bool,
    is_open: bool,
    /// It stands beside the words that follow.
    is_beside: bool,
}

impl BoxHead {
    /// `!!! kind other "Title"`
    fn read(text: &str) -> Option<Self> {
        let text = text.trim();
        let (is_folded, is_open, rest) = match text.get(..3)? {
            "!!!" => (false, false, text.slice(3..)),
            "???" => {
                (true, text.slice(3..).starts_with('+'), text.slice(3..).strip_prefix('+').unwrap_or(text.slice(3..)))
            }
            _ => return None,
        };
        let (kinds, title) = match rest.split_once('"') {
            Some((kinds, title)) => (kinds, Some(title.trim_end().strip_suffix('"')?.to_owned())),
            None => (rest, None),
        };
        let kinds: Vec<String> = kinds.split_whitespace().map(str::to_lowercase).collect();
        let is_name = |kind: &String| kind.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '_'));
        let has_kind = !kinds.is_empty() || is_folded && title.is_some();
        let is_beside = kinds.iter().any(|kind| kind == "inline");
        (has_kind && kinds.iter().all(is_name)).then_some(Self { kinds, title, is_folded, is_open, is_beside })
    }

    /// `[!kind] Title`, as GitHub has it, with a sign behind the bracket where it is folded.
    fn of_alert(text: &str) -> Option<Self> {
        let (kind, rest) = text.trim().strip_prefix("[!")?.split_once(']')?;
        let is_name = !kind.is_empty() && kind.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '_'));
        let (is_folded, is_open) = (rest.starts_with(['+', '-']), rest.starts_with('+'));
        let title = rest.trim_start_matches(['+', '-']).trim();
        let title = Some(title.to_owned()).filter(|title| !title.is_empty());
        is_name.then(|| Self { kinds: vec![kind.to_lowercase()], title, is_folded, is_open, is_beside: false })
    }

    fn kind(&self) -> &str {
        self.kinds.first().map_or("details", String::as_str)
    }

    /// What stands above the content.
    fn shown_title(&self) -> String {
        self.title.clone().unwrap_or_else(|| {
            let mut chars = self.kind().chars();
            chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
        })
    }
}

/// Whether words come next, beside which a box can stand.
fn is_before_words(lines: &[BlockLine<'_>]) -> bool {
    let next = lines.iter().find(|line| !line.is_blank());
    next.is_some_and(|line| {
        let starts = line.text.chars().next().unwrap_or(' ');
        starts.is_alphanumeric() && marker_of(*line).is_none() || matches!(starts, '[' | '*' | '_' | '`' | '"')
    })
}

/// A title without icons, and the first of them.
fn without_icons(title: &str) -> (String, Option<String>) {
    let (mut words, mut icon) = (String::with_capacity(title.len()), None);
    let mut rest = title;
    while let Some(at) = rest.find(':') {
        words.push_str(rest.slice(..at));
        rest = rest.slice(at..);
        let name = rest.slice(1..).split_once(':').map(|(name, _)| name).filter(|name| is_icon(name));
        let Some(name) = name else {
            words.push(':');
            rest = rest.slice(1..);
            continue;
        };
        icon = icon.or_else(|| Some(icon_path(name)));
        rest = rest.slice(name.len() + 2..);
        rest = attributes::leading(rest).map_or(rest, |(_, length)| rest.slice(length..));
        if words.is_empty() || words.ends_with(' ') {
            rest = rest.trim_start();
        }
    }
    words.push_str(rest);
    (words.trim().to_owned(), icon)
}

/// The title of a tab: `=== "Title"`.
fn parse_tab_title(text: &str) -> Option<(String, bool)> {
    let rest = text.trim().strip_prefix("===")?;
    let (is_new, rest) = rest.strip_prefix('!').map_or((false, rest), |rest| (true, rest));
    let rest = rest.strip_prefix('+').unwrap_or(rest);
    let rest = rest.strip_prefix('!').unwrap_or(rest);
    let title = rest.strip_prefix(' ')?.trim();
    let quoted = title.strip_prefix('"').and_then(|title| title.strip_suffix('"'));
    let quoted = quoted.or_else(|| title.strip_prefix('\'')?.strip_suffix('\''))?;
    Some((quoted.replace("\\\"", "\""), is_new))
}

/// A line of slashes. The name of a block is one word.
fn parse_slash_block(text: &str) -> Option<(usize, &str, &str)> {
    parse_slash_line(text).filter(|(_, name, _)| !name.contains(' '))
}

/// A block between slashes.
struct Slashed<'t> {
    name: &'t str,
    words: &'t str,
    options: Vec<(&'t str, &'t str)>,
    start: usize,
    end: usize,
}

/// The block between slashes that starts at a line.
fn slashed<'t>(lines: &[BlockLine<'t>], at: usize, budget: &mut usize) -> Option<Slashed<'t>> {
    let (count, name, words) = parse_slash_block(lines[at].text).filter(|(_, name, _)| !name.is_empty())?;
    let is_end = |line: &BlockLine<'_>| {
        parse_slash_block(line.text).is_some_and(|(other, name, _)| other == count && name.is_empty())
    };
    let mut open = 0_usize;
    let mut end = None;
    for (number, line) in lines.iter().enumerate().skip(at + 1) {
        *budget = budget.checked_sub(1)?;
        if is_end(line) {
            if open == 0 {
                end = Some(number);
                break;
            }
            open -= 1;
        } else if parse_slash_block(line.text).is_some_and(|(other, name, _)| other == count && !name.is_empty()) {
            open += 1;
        }
    }
    let end = end?;
    let count = lines[at + 1..end].iter().take_while(|line| line.indent() >= INDENT).count();
    let options = lines[at + 1..at + 1 + count].iter().filter_map(|line| line.text.trim().split_once(':'));
    let options = options.map(|(key, value)| (key.trim(), value.trim().trim_matches(['"', '\'']))).collect();
    Some(Slashed { name, words, options, start: at + 1 + count, end })
}

impl Slashed<'_> {
    fn option(&self, name: &str) -> Option<&str> {
        self.options.iter().find(|(known, _)| *known == name).map(|(_, value)| *value)
    }
}

impl MkDocsWriter<'_> {
    pub(super) fn boxed(
        &mut self,
        lines: &[BlockLine<'_>],
        at: usize,
        depth: usize,
        out: &mut Vec<Out>,
    ) -> Option<usize> {
        if let Some(head) = BoxHead::read(lines[at].text) {
            let end = at + 1 + owned(&lines[at + 1..]);
            let content: Vec<BlockLine<'_>> = lines[at + 1..end].iter().map(|line| line.cut(INDENT)).collect();
            let head = BoxHead { is_beside: head.is_beside && is_before_words(&lines[end..]), ..head };
            self.push_box(&head, &content, depth, lines[at], out);
            return Some(end);
        }
        if parse_tab_title(lines[at].text).is_some() {
            return Some(self.tabs(lines, at, depth, out));
        }
        self.slashed(lines, at, depth, out)
    }

    /// Writes a quote as a box, if its first line says that it is one.
    pub(super) fn alert(&mut self, quoted: &[BlockLine<'_>], depth: usize, out: &mut Vec<Out>) -> bool {
        let Some((first, rest)) = quoted.split_first().filter(|_| self.syntax.alerts) else { return false };
        let Some(head) = BoxHead::of_alert(first.text) else { return false };
        self.push_box(&head, rest, depth, *first, out);
        true
    }

    fn push_box(
        &mut self,
        head: &BoxHead,
        content: &[BlockLine<'_>],
        depth: usize,
        at: BlockLine<'_>,
        out: &mut Vec<Out>,
    ) {
        let (title, own_icon) = without_icons(&head.shown_title());
        let title = self.title_prop(&title);
        let mut props: Vec<(&str, &str)> = Vec::new();
        if !title.is_empty() {
            props.push(("title", &title));
        }
        let name = if head.is_folded { "Accordion" } else { box_component(head.kind()) };
        if let Some(icon) = own_icon.as_deref().or_else(|| box_icon(head.kind())) {
            props.push(("icon", icon));
        }
        if head.is_open {
            props.push(("defaultOpen", "true"));
        }
        let inner = trimmed(self.blocks(content, depth + 1));
        let inner = wrapped(name, &props, inner, at);
        if !head.is_beside {
            return out.extend(inner);
        }
        let side = if head.kinds.iter().any(|kind| kind == "end") {
            "md:float-right md:ml-6"
        } else {
            "md:float-left md:mr-6"
        };
        out.extend([blank(at), raw(at, &format!("<div class=\"{side} md:w-72\">")), blank(at)]);
        out.extend(inner);
        out.extend([blank(at), raw(at, "</div>"), blank(at)]);
    }

    /// Tabs that follow each other.
    fn tabs(&mut self, lines: &[BlockLine<'_>], at: usize, depth: usize, out: &mut Vec<Out>) -> usize {
        let indent = lines[at].indent();
        let mut inner = Vec::new();
        let (mut next, mut end) = (at, at + 1);
        while let Some((title, is_new)) =
            lines.get(next).filter(|line| line.indent() == indent).and_then(|line| parse_tab_title(line.text))
        {
            if is_new && next > at {
                break;
            }
            end = next + 1 + owned(&lines[next + 1..]);
            let content: Vec<BlockLine<'_>> = lines[next + 1..end].iter().map(|line| line.cut(INDENT)).collect();
            self.push_tab(&title, &content, depth, lines[next], &mut inner);
            next = end + lines[end..].iter().take_while(|line| line.is_blank()).count();
        }
        out.extend(wrapped("Tabs", &[], inner, lines[at]));
        end
    }

    fn push_tab(
        &mut self,
        title: &str,
        content: &[BlockLine<'_>],
        depth: usize,
        at: BlockLine<'_>,
        out: &mut Vec<Out>,
    ) {
        let heading = self.heading_id.clone();
        let inner = trimmed(self.blocks(content, depth + 1));
        let (title, icon) = without_icons(title);
        let id = self.syntax.tab_id(&strip_inline_marks(&title), &heading);
        let title = self.title_prop(&title);
        let mut props = vec![("title", title.as_str())];
        props.extend(icon.as_deref().map(|icon| ("icon", icon)));
        props.extend(id.as_deref().map(|id| ("id", id)));
        out.extend(wrapped("Tab", &props, inner, at));
    }

    fn slashed(&mut self, lines: &[BlockLine<'_>], at: usize, depth: usize, out: &mut Vec<Out>) -> Option<usize> {
        let found = slashed(lines, at, &mut self.budget)?;
        let content = &lines[found.start..found.end];
        let title = Some(found.words.to_owned()).filter(|words| !words.is_empty());
        match found.name {
            "tab" => {
                let mut inner = Vec::new();
                let mut next = at;
                let mut end = at;
                while let Some(one) =
                    lines.get(next).and_then(|_| slashed(lines, next, &mut self.budget)).filter(|one| one.name == "tab")
                {
                    self.push_tab(one.words, &lines[one.start..one.end], depth, lines[next], &mut inner);
                    end = one.end + 1;
                    next = end + lines[end..].iter().take_while(|line| line.is_blank()).count();
                }
                out.extend(wrapped("Tabs", &[], inner, lines[at]));
                return Some(end);
            }
            "html" | "define" => {
                let blocks = self.blocks(content, depth + 1);
                out.extend(blocks);
            }
            "details" => {
                let is_open = found.option("open").is_some_and(|value| value.eq_ignore_ascii_case("true"));
                let kinds = found.option("type").map(str::to_owned).into_iter().collect();
                let head = BoxHead {
                    kinds,
                    title: title.or_else(|| Some("Details".to_owned())),
                    is_folded: true,
                    is_open,
                    is_beside: false,
                };
                self.push_box(&head, content, depth, lines[at], out);
            }
            name => {
                let kind = found.option("type").unwrap_or(if name == "admonition" { "note" } else { name });
                if kind.ends_with("caption") {
                    return None;
                }
                let head =
                    BoxHead { kinds: vec![kind.to_owned()], title, is_folded: false, is_open: false, is_beside: false };
                self.push_box(&head, content, depth, lines[at], out);
            }
        }
        Some(found.end + 1)
    }

    /// `/// caption`: words below the block above.
    pub(super) fn caption(
        &mut self,
        lines: &[BlockLine<'_>],
        at: usize,
        out: &mut Vec<Out>,
        start: usize,
    ) -> Option<usize> {
        let found = slashed(lines, at, &mut self.budget)?;
        let lead = match found.name {
            "caption" => String::new(),
            "figure-caption" => self.numbered(0, "Figure"),
            "table-caption" => self.numbered(1, "Table"),
            _ => return None,
        };
        let content: Vec<BlockLine<'_>> =
            lines[found.start..found.end].iter().copied().filter(|line| !line.is_blank()).collect();
        let first = lines[at];
        let figure = [blank(first), raw(first, "<figure>"), blank(first)];
        out.splice(start..start, figure);
        out.extend([blank(first), raw(first, "<figcaption>"), blank(first)]);
        let kind: LineKind = self.next_paragraph();
        for (number, line) in content.iter().enumerate() {
            let lead = if number == 0 { lead.as_str() } else { "" };
            out.push(Out { kind, ..raw(*line, &format!("{lead}{}", line.text.trim())) });
        }
        out.extend([blank(first), raw(first, "</figcaption>"), raw(first, "</figure>"), blank(first)]);
        Some(found.end + 1)
    }

    fn numbered(&mut self, at: usize, name: &str) -> String {
        self.captions[at] += 1;
        format!("{name} {}. ", self.captions[at])
    }

    /// A title as the property of a component, which is Markdown.
    fn title_prop(&self, title: &str) -> String {
        super::inline::Inline::new(self.syntax, &self.references, &[], self.tags).words(title)
    }
}
