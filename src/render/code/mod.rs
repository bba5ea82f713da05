//! Code blocks: the options of the fence, build-time highlighting, markup.
//!
//! 1. [`markup::fence_info`] reads the info string (or the props of `<CodeBlock>`) into `BlockOptions`.
//! 2. `notation` takes `[!code ++]` marks out of the code.
//! 3. `highlight` turns the code into HTML, line by line, with caches that all pages share.
//! 4. `write` puts it into the markup of the theme contract, section 2.

mod cache;
mod highlight;
mod library;
mod notation;
mod pack;
mod palette;
mod placeholder;
mod variables;

use crate::Renderer;
use base::cut::SliceText as _;
use base::html::{self, push_html_text};
use markup::fence_info::BlockOptions;
use templates::words::ContentWords;

pub use highlight::{HighlightOptions, Highlighter};

use notation::{CodeMarks, LineMarks, NoteMark};

/// Licenses of the vendored grammars and themes.
pub const THIRD_PARTY: &str = include_str!("assets/THIRD_PARTY.txt");

/// Where the grammars and themes come from, with their versions.
pub const ORIGINS: &str = include_str!("assets/README.md");

/// A code block to write.
#[derive(Clone, Copy, Debug)]
pub struct CodeBlock<'a> {
    /// The code as written, `[!code …]` marks included.
    pub code: &'a str,
    /// The options of the fence.
    pub options: &'a BlockOptions,
    /// HTML of the icon; empty for none.
    pub icon: &'a str,
    /// Whether the block shows its title (in a code group the tab does).
    pub title_shown: bool,
}

/// Code in which marks of Docusaurus (`// highlight-next-line`) are written as those of the format; `None` if it has none.
pub fn marks_of_docusaurus(code: &str) -> Option<String> {
    notation::of_docusaurus(code)
}

/// Code in which the marks of notes (`[!code note:2]`) are their numbers, `(2)`; `None` if it has none.
pub fn notes_as_numbers(code: &str) -> Option<String> {
    notation::with_numbers(code)
}

/// Writes a code block: `div.code-block` > header, `pre` > `code`, copy button. Its text is the clean code, byte for
/// byte.
pub fn write_code(renderer: &mut Renderer<'_>, block: &CodeBlock<'_>) {
    let highlighter = &renderer.kit.highlighter;
    let of_docusaurus = if renderer.is_plain { notation::of_docusaurus(block.code) } else { None };
    let block = &CodeBlock { code: of_docusaurus.as_deref().unwrap_or(block.code), ..*block };
    write_block(&mut renderer.out, highlighter, renderer.words, block);
}

fn write_block(out: &mut String, highlighter: &Highlighter, words: &ContentWords, block: &CodeBlock<'_>) {
    let options = block.options;
    let (code, marks) = clean_code(block.code);
    let lines = BlockLines { options, marks: &marks.lines };
    out.push_str("<div class=\"code-block\" data-component=\"CodeBlock\"");
    for (attribute, on) in [
        (" data-nocopy", options.nocopy),
        (" data-wrap", options.wrap),
        (" data-lines", options.lines),
        (" data-focus", lines.focus()),
        (" data-diff", lines.has_diff()),
        (" data-expandable", options.expandable),
        (" data-hides", !options.hidden.is_empty()),
    ] {
        if on {
            out.push_str(attribute);
        }
    }
    let themed = options.theme.as_deref().and_then(|name| highlighter.themed(name));
    if let Some(themed) = &themed {
        out.push_str(" data-own-theme style=\"");
        html::push_attr(out, themed.style());
        out.push('"');
    }
    out.push('>');
    let label = highlighter.label(&options.lang);
    write_header(out, block, label);
    out.push_str("<pre tabindex=\"0\"");
    if let Some(title) = &options.title {
        out.push_str(" role=\"group\" aria-label=\"");
        html::push_attr(out, title);
        out.push('"');
    }
    out.push_str("><code");
    if let Some(first) = options.first_line.filter(|_| options.lines) {
        out.push_str(&format!(" style=\"counter-reset:line {}\"", first - 1));
    }
    if !options.lang.is_empty() {
        out.push_str(" class=\"language-");
        html::push_attr(out, &options.lang);
        out.push('"');
    }
    out.push('>');
    let shown = match &themed {
        Some(themed) => highlighter.themed_html(themed, &options.lang, &code),
        None => highlighter.html(&options.lang, &code),
    };
    let shown = if marks.notes.is_empty() { shown } else { with_notes(&shown, &marks.notes).into() };
    if lines.wrapped() {
        lines.write(out, &shown)
    } else {
        out.push_str(&shown)
    }
    out.push_str("</code></pre>");
    // shown by script: without it they would do nothing
    if options.expandable || !options.hidden.is_empty() {
        out.push_str("<button type=\"button\" class=\"code-expand\" data-chrome aria-expanded=\"true\" hidden>");
        out.push_str(words.show_all);
        out.push_str("</button>");
    }
    if !options.nocopy {
        out.push_str("<button type=\"button\" data-copy aria-label=\"");
        out.push_str(words.copy_code);
        out.push_str("\" hidden></button>");
    }
    out.push_str("</div>");
}

fn write_header(out: &mut String, block: &CodeBlock<'_>, label: Option<&str>) {
    let title = block.options.title.as_deref().filter(|_| block.title_shown);
    let Some(title) = title else { return };
    out.push_str("<div class=\"code-head\">");
    out.push_str(block.icon);
    out.push_str("<span class=\"code-title\">");
    push_html_text(out, title);
    out.push_str("</span>");
    // a file name says its language already
    if let Some(label) =
        label.filter(|label| !names_file(title) && !title.to_lowercase().contains(&label.to_lowercase()))
    {
        out.push_str("<span class=\"code-language\" data-chrome>");
        push_html_text(out, label);
        out.push_str("</span>");
    }
    out.push_str("</div>");
}

/// Whether a title looks like `src/app.ts` or `Dockerfile.dev`.
fn names_file(title: &str) -> bool {
    let name = title.rsplit(['/', '\\']).next().unwrap_or(title);
    name.rsplit_once('.')
        .is_some_and(|(_, extension)| !extension.is_empty() && extension.chars().all(|c| c.is_ascii_alphanumeric()))
}

/// The code that is shown and copied, and what marks say of its lines.
fn clean_code(code: &str) -> (std::borrow::Cow<'_, str>, CodeMarks) {
    use std::borrow::Cow;
    let unix = if code.contains("\r\n") { Cow::Owned(code.replace("\r\n", "\n")) } else { Cow::Borrowed(code) };
    if let Some((clean, marks)) = notation::take_code_marks(&unix) {
        return (Cow::Owned(clean.trim_end_matches('\n').to_owned()), marks);
    }
    let trimmed = match unix {
        Cow::Borrowed(code) => Cow::Borrowed(code.trim_end_matches('\n')),
        Cow::Owned(code) => Cow::Owned(code.trim_end_matches('\n').to_owned()),
    };
    (trimmed, CodeMarks::default())
}

/// Code as HTML with links to its notes. They have no text: that of the code stays whole, and no copy has a number in it.
fn with_notes(shown: &str, notes: &[NoteMark]) -> String {
    let mut out = String::with_capacity(shown.len() + notes.len() * 96);
    let mut notes = notes.iter().peekable();
    let mut rest = shown;
    // bytes of the code so far
    let mut at = 0;
    while let Some(c) = rest.chars().next() {
        let is_tag = c == '<';
        // ends of elements come before a note
        while !rest.starts_with("</")
            && let Some(note) = notes.next_if(|note| note.at <= at)
        {
            push_note(&mut out, note);
        }
        let length = match c {
            '<' => rest.find('>').map_or(rest.len(), |end| end + 1),
            '&' => rest.find(';').map_or(1, |end| end + 1),
            c => c.len_utf8(),
        };
        out.push_str(rest.slice(..length));
        rest = rest.slice(length..);
        at += match c {
            _ if is_tag => 0,
            // an entity is a character of ASCII
            '&' => 1,
            c => c.len_utf8(),
        };
    }
    notes.for_each(|note| push_note(&mut out, note));
    out
}

fn push_note(out: &mut String, note: &NoteMark) {
    let number = note.number();
    out.push_str("<a class=\"code-note\" href=\"#code-note-");
    out.push_str(&note.name);
    out.push_str("\" data-note=\"");
    out.push_str(number);
    out.push_str("\" aria-label=\"(");
    out.push_str(number);
    out.push_str(")\"></a>");
}

/// How the lines of a block differ.
struct BlockLines<'a> {
    options: &'a BlockOptions,
    marks: &'a [LineMarks],
}

impl BlockLines<'_> {
    fn focus(&self) -> bool {
        !self.options.focus.is_empty() || self.marks.iter().any(|mark| mark.focused)
    }

    fn has_diff(&self) -> bool {
        let options = self.options;
        !options.added.is_empty()
            || !options.removed.is_empty()
            || self.marks.iter().any(|mark| mark.added || mark.removed)
    }

    /// Only blocks that number or mark lines pay for an element per line.
    fn wrapped(&self) -> bool {
        let options = self.options;
        options.lines
            || !options.highlight.is_empty()
            || !options.focus.is_empty()
            || !options.hidden.is_empty()
            || self.has_diff()
            || !self.marks.iter().all(|mark| mark.is_plain())
    }

    /// Line feeds stay inside the elements, which are blocks: the text of the code is whole, and no line shows twice.
    fn write(&self, out: &mut String, shown: &str) {
        let marks = self.marks.iter().copied().chain(std::iter::repeat(LineMarks::default()));
        for ((line, number), mark) in shown.split_inclusive('\n').zip(1..).zip(marks) {
            out.push_str("<span class=\"line");
            for (class, on) in [
                (" highlighted", mark.highlighted || self.options.highlight.contains(number)),
                (" focused", mark.focused || self.options.focus.contains(number)),
                (" diff add", mark.added || self.options.added.contains(number)),
                (" diff remove", mark.removed || self.options.removed.contains(number)),
                (" hidden-line", self.options.hidden.contains(number)),
            ] {
                if on {
                    out.push_str(class);
                }
            }
            out.push_str("\">");
            out.push_str(line);
            out.push_str("</span>");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use markup::fence_info::LineSet;

    fn block(meta: &str, code: &str) -> String {
        let mut options = BlockOptions::of_meta(meta);
        "text".clone_into(&mut options.lang);
        let mut out = String::new();
        let block = CodeBlock { code, options: &options, icon: "", title_shown: true };
        write_block(&mut out, &Highlighter::default(), &templates::words::EN.content, &block);
        out
    }

    #[track_caller]
    fn check(meta: &str, code: &str, expect: &str) {
        assert_eq!(block(meta, code), expect);
    }

    /// Tags away, entities back: what a browser's `textContent` of the `code` says.
    fn text_of_code(html: &str) -> String {
        let inside = html
            .split_once("<code")
            .and_then(|(_, rest)| rest.split_once('>'))
            .and_then(|(_, rest)| rest.split_once("</code>"));
        let mut text = String::new();
        let mut in_tag = false;
        for c in inside.expect("has code").0.chars() {
            match c {
                '<' => in_tag = true,
                '>' => in_tag = false,
                c if !in_tag => text.push(c),
                _ => {}
            }
        }
        text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")
    }

    #[test]
    fn plain_blocks_are_lean() {
        check(
            "",
            "a < b\n",
            "<div class=\"code-block\" data-component=\"CodeBlock\"><pre tabindex=\"0\"><code class=\"language-text\">a &lt; b</code></pre>\
             <button type=\"button\" data-copy aria-label=\"Copy code\" hidden></button></div>",
        );
    }

    #[test]
    fn titles_make_headers() {
        check(
            "\"a & b\" nocopy",
            "x",
            "<div class=\"code-block\" data-component=\"CodeBlock\" data-nocopy><div class=\"code-head\"><span class=\"code-title\">a &amp; b</span></div>\
             <pre tabindex=\"0\" role=\"group\" aria-label=\"a &amp; b\"><code class=\"language-text\">x</code></pre></div>",
        );
    }

    #[test]
    fn marked_blocks_wrap_their_lines() {
        let html = block("{1} focus=2", "a\nb // [!code --]\n\nc // [!code ++]");
        assert!(html.contains(" data-focus data-diff>"), "{html}");
        assert!(
            html.contains(
                "<span class=\"line highlighted\">a\n</span><span class=\"line focused diff remove\">b\n</span>\
                 <span class=\"line\">\n</span><span class=\"line diff add\">c</span>"
            ),
            "{html}"
        );
    }

    #[test]
    fn hidden_lines_stay_in_the_text() {
        let options = BlockOptions { hidden: LineSet::parse("1"), ..BlockOptions::default() };
        let mut out = String::new();
        let block = CodeBlock { code: "use a;\nb();", options: &options, icon: "", title_shown: true };
        write_block(&mut out, &Highlighter::default(), &templates::words::EN.content, &block);
        assert!(out.contains(" data-hides>") && out.contains("class=\"code-expand\""), "{out}");
        assert!(
            out.contains("<span class=\"line hidden-line\">use a;\n</span><span class=\"line\">b();</span>"),
            "{out}"
        );
        assert_eq!(text_of_code(&out), "use a;\nb();");
    }

    #[test]
    fn notes_are_links_without_text() {
        let html = block("", "a < b # [!code note:1-2]\nc # see [!code note:3] d");
        let link = |name: &str, number: &str| {
            format!(
                "<a class=\"code-note\" href=\"#code-note-{name}\" data-note=\"{number}\" aria-label=\"({number})\"></a>"
            )
        };
        let expect = format!(">a &lt; b{}\nc # see {} d</code>", link("1-2", "2"), link("3", "3"));
        assert!(html.contains(&expect), "{html}");
        assert_eq!(text_of_code(&html), "a < b\nc # see  d");
        let notes = [(3, "1"), (9, "2")].map(|(at, name)| NoteMark { at, name: name.to_owned() });
        let expect = format!("<i>é&amp;</i>{}x{}", link("1", "1"), link("2", "2"));
        assert_eq!(with_notes("<i>é&amp;</i>x", &notes), expect, "a note beyond the end stands there");
    }

    #[test]
    fn a_theme_of_its_own_changes_colors_and_no_words() {
        let plain = block("a.txt", "x < y");
        let own = block("a.txt twoslash theme={\"nord\"}", "x < y");
        let style = own
            .split_once(" data-own-theme style=\"")
            .and_then(|(_, rest)| rest.split_once('"'))
            .expect("has a style")
            .0;
        assert_eq!(own.replace(&format!(" data-own-theme style=\"{style}\""), ""), plain);
        assert_eq!(block("a.txt theme=nope", "x < y"), plain);
    }

    #[test]
    fn windows_line_ends_and_the_last_newlines_go() {
        assert_eq!(text_of_code(&block("lines", "a\r\nb\r\n\n")), "a\nb");
    }

    proptest::proptest! {
        #[test]
        fn the_text_of_a_block_is_its_code(code in "[\\PC\n\t]{0,200}", lang in "(rust|ts|html|bash|none)", meta in "(lines|\\{1,3\\}|)") {
            let mut options = BlockOptions::of_meta(&meta);
            options.lang = lang;
            let mut out = String::new();
            write_block(&mut out, &Highlighter::default(), &templates::words::EN.content, &CodeBlock { code: &code, options: &options, icon: "", title_shown: true });
            let expect = clean_code(&code).0.into_owned();
            proptest::prop_assert_eq!(text_of_code(&out), expect);
        }
    }
}
