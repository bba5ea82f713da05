//! The heading of a Markdown text that is the title of a page in a plain folder.

use pulldown_cmark::{Event, Options, Parser, TextMergeStream};

use base::cut::SliceText as _;
use base::emoji::replace_emoji_names;
use base::lines::{Verbatim, starts_item};

/// A heading.
#[derive(Debug, PartialEq, Eq)]
pub struct Heading {
    /// Its text, without markup.
    pub text: String,
    /// From 1 to 6.
    pub level: u8,
    /// Of the first level, and nothing but pictures and tags stands above it.
    pub is_first: bool,
    /// It is nothing but a picture: the text is what that shows.
    is_picture: bool,
}

/// The first heading of the first level outside of code and comments: `# ATX`, underlined, or `<h1>` in a line that
/// begins with a tag. One of words comes before one that is a picture. Else the first heading, unless it is that of a
/// part: a small one behind text.
pub fn find_page_title(body: &str) -> Option<Heading> {
    let mut verbatim = Verbatim::default();
    let mut paragraph = String::new();
    let mut has_text = false;
    let mut is_top = true;
    let (mut picture, mut other) = (None, None);
    let mut lines = body.lines();
    while let Some(line) = lines.next() {
        let indent = line.len() - line.trim_start_matches(' ').len();
        let text = line.trim();
        // with deeper indentation nothing opens or closes
        if verbatim.takes(if indent < 4 { text } else { line }) {
            paragraph.clear();
            continue;
        }
        if indent < 4
            && let Some(heading) =
                atx(text).or_else(|| underlined(text, &paragraph)).or_else(|| parse_html_heading(text, &lines))
        {
            match heading {
                Heading { level: 1, is_picture: false, .. } => return Some(Heading { is_first: is_top, ..heading }),
                Heading { level: 1, .. } => picture = picture.or(Some(heading)),
                _ => other = other.or_else(|| Some(Some(heading).filter(|heading| heading.level <= 2 || !has_text))),
            }
            is_top = false;
            paragraph.clear();
            continue;
        }
        has_text |= !text.is_empty() && !text.starts_with(['<', '[']);
        // what MDX imports, logos and badges
        is_top &= text.is_empty()
            || text.starts_with(['<', '[', '!'])
            || text.starts_with("import ")
            || text.starts_with("export ");
        let interrupts = text.is_empty()
            || text.starts_with(['>', '<', '|'])
            || starts_item(text)
            || is_thematic_break(text)
            || (paragraph.is_empty() && indent >= 4);
        if interrupts {
            paragraph.clear();
        } else {
            paragraph.push_str(if paragraph.is_empty() { "" } else { "\n" });
            paragraph.push_str(text);
        }
    }
    picture.or(other.flatten())
}

/// `---`, `* * *`, `___`
fn is_thematic_break(text: &str) -> bool {
    let mark = text.chars().next().filter(|mark| matches!(mark, '-' | '*' | '_'));
    mark.is_some_and(|mark| text.chars().all(|c| c == mark || c == ' ') && text.matches(mark).count() >= 3)
}

fn atx(text: &str) -> Option<Heading> {
    let level = text.bytes().take_while(|byte| *byte == b'#').count();
    let rest = text.slice(level..);
    if !(1..=6).contains(&level) || !(rest.is_empty() || rest.starts_with([' ', '\t'])) {
        return None;
    }
    heading_of_markdown(&without_id(text), u8::try_from(level).ok()?)
}

fn underlined(text: &str, paragraph: &str) -> Option<Heading> {
    let level = match text.as_bytes().first()? {
        b'=' if text.bytes().all(|byte| byte == b'=') => 1,
        b'-' if text.bytes().all(|byte| byte == b'-') => 2,
        _ => return None,
    };
    heading_of_markdown(&format!("{}\n===", without_id(paragraph)), level).filter(|_| !paragraph.is_empty())
}

/// `<h1 align="center">…</h1>`, as README files have it; its text may end some lines further down.
fn parse_html_heading(text: &str, rest: &std::str::Lines<'_>) -> Option<Heading> {
    const MAX_LINES: usize = 8;
    let at = ["<h1", "<H1"].iter().find_map(|tag| text.find(tag)).filter(|at| {
        text.starts_with('<') && (text.slice(at + 3..).is_empty() || text.slice(at + 3..).starts_with(['>', ' ']))
    })?;
    let mut inner = text.slice(at..).to_owned();
    for line in rest.clone().take(MAX_LINES) {
        if inner.contains("</h1>") {
            break;
        }
        inner.push(' ');
        inner.push_str(line.trim());
    }
    let inner = inner.slice(inner.find('>')? + 1..);
    let inner = inner.slice(..inner.find("</h1>").unwrap_or(inner.len()));
    heading_of_markdown(&format!("# {inner}"), 1)
}

/// Takes off a heading's own id: `Title {#id}`, `Title { #id .class }`.
fn without_id(text: &str) -> String {
    let text = text.trim_end();
    let is_list = |open: &usize| {
        let inside = text.slice(open + 1..).strip_prefix(':').unwrap_or(text.slice(open + 1..)).trim_start_matches(' ');
        inside.starts_with(['#', '.']) && inside.matches('}').count() == 1
    };
    match text.rfind('{').filter(is_list) {
        Some(open) if text.ends_with('}') => text.slice(..open).trim_end().to_owned(),
        _ => text.to_owned(),
    }
}

/// The visible text of a heading's Markdown; `None` if there is none.
fn heading_of_markdown(markdown: &str, level: u8) -> Option<Heading> {
    let (mut text, mut pictured) = (String::new(), String::new());
    let mut skipped = 0;
    for event in TextMergeStream::new(Parser::new_ext(markdown, Options::ENABLE_STRIKETHROUGH)) {
        match event {
            Event::Start(pulldown_cmark::Tag::Image { .. }) => skipped += 1,
            Event::End(pulldown_cmark::TagEnd::Image) => skipped -= 1,
            Event::Text(part) if skipped == 0 => text.push_str(&replace_emoji_names(&part)),
            Event::Code(part) if skipped == 0 => text.push_str(&part),
            Event::Text(part) | Event::Code(part) => pictured.push_str(&part),
            Event::InlineHtml(tag) | Event::Html(tag) => pictured.push_str(alt(&tag).unwrap_or_default()),
            Event::SoftBreak | Event::HardBreak => text.push(' '),
            _ => {}
        }
    }
    let is_picture = text.trim().is_empty();
    let text = if is_picture { pictured } else { text }.split_whitespace().collect::<Vec<_>>().join(" ");
    (!text.is_empty()).then_some(Heading { text, level, is_first: false, is_picture })
}

/// What an `<img>` says that it shows.
fn alt(tag: &str) -> Option<&str> {
    let value = tag.strip_prefix("<img").and_then(|rest| rest.split_once(" alt=")).map(|(_, value)| value)?;
    let quote = value.chars().next().filter(|quote| matches!(quote, '"' | '\''))?;
    value.slice(1..).split(quote).next()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[track_caller]
    fn check(body: &str, expect: Option<(&str, u8)>) {
        let heading = find_page_title(body);
        assert_eq!(heading.as_ref().map(|heading| (heading.text.as_str(), heading.level)), expect, "{body:?}");
    }

    #[test]
    fn headings() {
        check("# Hello", Some(("Hello", 1)));
        check("text\n\n## The `code` of **[this](x)** ##\n### Later", Some(("The code of this", 2)));
        check("# T {#id}", Some(("T", 1)));
        check("# T { #id .c }", Some(("T", 1)));
        check("# T {: .c}", Some(("T", 1)));
        check("# T { x }", Some(("T { x }", 1)));
        check("Two\nlines\n===\n", Some(("Two lines", 1)));
        check("Under\n---\n", Some(("Under", 2)));
        check("[![badge](b.svg)](x)\n\n# Real", Some(("Real", 1)));
        check("<h1 align=\"center\">\n  <img src=\"x\">\n  My <b>thing</b>\n</h1>\n", Some(("My thing", 1)));
        check("#\n# x", Some(("x", 1)));
        check("\n### Small\n", Some(("Small", 3)));
        check("## Part\n\ntext\n\n# Title\n\n# Other\n", Some(("Title", 1)));
        check("<div><h1>Raw</h1></div>\n", Some(("Raw", 1)));
        check("# ![Logo](l.svg)\n\n## Part\n", Some(("Logo", 1)));
        check("<h1><img src='l.svg' alt='The logo'></h1>\n\n## Part\n", Some(("The logo", 1)));
        check("# ![](l.svg)\n\n## Part\n", Some(("Part", 2)));
        check("## Part\n\n### Small\n", Some(("Part", 2)));
        check("text\n\n### Small\n\n## Part\n", None);
        check("# :rocket: My `:rocket:` tool :white_check_mark:", Some(("🚀 My :rocket: tool ✅", 1)));
    }

    #[test]
    fn what_stands_above_the_title() {
        for (body, expect) in [
            ("# A", true),
            ("![l](l.svg)\n<br>\nimport a from 'b'\n\n# A", true),
            ("Text.\n\n# A", false),
            ("## Part\n\n# A", false),
        ] {
            assert_eq!(find_page_title(body).map(|heading| heading.is_first), Some(expect), "{body:?}");
        }
    }

    #[test]
    fn what_is_no_heading() {
        check("```\n# no\n```\n# yes", Some(("yes", 1)));
        check("~~~ `x`\n# no\n~~~\n", None);
        check("<!--\n# no\n-->\n# yes", Some(("yes", 1)));
        check("    # no", None);
        check("Text.\n\n### References\n", None);
        check("#no\n\n---\n- item\n---\n", None);
        check("| a |\n---\n", None);
        check("", None);
    }

    proptest! {
        #[test]
        fn no_text_panics(body in "[#=\\-`~<h1>!\\[\\]() é\n{}.0-9*]{0,60}") {
            let _ = find_page_title(&body);
        }
    }
}
