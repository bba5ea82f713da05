//! What templates of shortcodes give, as the lines of a page.

use base::Place;
use base::cut::SliceText as _;
use base::lines::PlacedLines;

use super::run::{BLOCK, BLOCK_END, INSIDE, RENDERED, TemplateBlock, TemplateOutput};
use super::shortcode::ShortcodeCall;
use super::write::HugoWriter;

/// Most bytes that a template comes to with all that stands in it.
const MAX_TEMPLATE_OUTPUT_BYTES: usize = 8 << 20;

impl HugoWriter<'_> {
    /// Writes a shortcode by the template of the project; `false` if it has none that can be run.
    pub(super) fn by_template(&mut self, call: &ShortcodeCall<'_>) -> bool {
        let Some(mut output) = self.run_template(call) else { return false };
        let place = self.place_at(call.at);
        let is_markdown = call.is_markdown || self.settings.templates.of_markdown.contains(&call.name.to_lowercase());
        output.text = strip_html_comments(&output.text);
        as_code(&mut output, call);
        let inner = if output.text.contains([INSIDE, RENDERED]) {
            self.inner_lines(|it| it.inside_of(call))
        } else {
            Vec::new()
        };
        let lines: Vec<&str> = match is_markdown {
            true => output.text.trim_matches('\n').lines().map(str::trim_end).collect(),
            false => output.text.lines().map(str::trim).filter(|line| !line.is_empty()).collect(),
        };
        let first = lines.first().copied().unwrap_or_default().trim_start();
        let is_short = lines.len() <= 1 && inner.len() <= 1 && !is_block(first) && output.is_inline();
        if self.is_inline() || is_short {
            let inside: Vec<&str> = inner.iter().map(|(line, _)| line.trim()).collect();
            let words = lines.iter().map(|line| line.trim()).filter(|line| !line.is_empty()).collect::<Vec<_>>();
            let (words, inside) = (words.join(" "), inside.join(" "));
            let is_bounded =
                words.matches([INSIDE, RENDERED]).count().saturating_mul(inside.len()) <= MAX_TEMPLATE_OUTPUT_BYTES;
            let words = words.replace([INSIDE, RENDERED], if is_bounded { &inside } else { "" });
            let words = self.with_blocks_in_line(&words, &output.blocks);
            self.words(&words, place);
            return true;
        }
        let blocks: Vec<PlacedLines> = output.blocks.iter().map(|block| self.lines_of(block, place)).collect();
        let indent = self.indent();
        let out = around(&lines, &inner, &blocks, place);
        self.words("\n\n", place);
        // HTML in an item would be the end of it
        let out = out
            .into_iter()
            .map(|(line, at)| if line.is_empty() { (line, at) } else { (format!("{indent}{line}"), at) });
        self.push_lines(out.collect());
        self.words("\n\n", place);
        if !indent.is_empty() {
            self.words(&indent, place);
        }
        true
    }

    /// An attribute of the first tag that the template of a shortcode gives.
    pub(super) fn attribute_of_template(&self, call: &ShortcodeCall<'_>, name: &str) -> Option<String> {
        let text = self.run_template(call)?.text;
        let tag = text.slice(text.find('<')?..);
        let tag = tag.slice(..tag.find('>')?);
        let rest = tag.slice(tag.find(&format!(" {name}=\""))? + name.len() + 3..);
        rest.split('"').next().map(str::to_owned).filter(|value| !value.is_empty())
    }

    fn lines_of(&mut self, block: &TemplateBlock, place: Place) -> PlacedLines {
        match block {
            TemplateBlock::Text(text) => text.trim().lines().map(|line| (line.to_owned(), place)).collect(),
            TemplateBlock::Code(info, code) => {
                let (info, code) = (info.clone(), code.clone());
                self.inner_lines(|it| it.code(&info, &code, place))
            }
            TemplateBlock::File(file) => {
                let file = *file;
                self.inner_lines(|it| it.file(file))
            }
        }
    }

    fn with_blocks_in_line(&mut self, text: &str, blocks: &[TemplateBlock]) -> String {
        let mut out = String::new();
        let mut rest = text;
        while let Some(at) = rest.find(BLOCK).filter(|_| out.len() <= MAX_TEMPLATE_OUTPUT_BYTES) {
            out.push_str(rest.slice(..at));
            let Some((number, after)) = rest.slice(at + BLOCK.len_utf8()..).split_once(BLOCK_END) else { break };
            rest = after;
            match number.parse::<usize>().ok().and_then(|number| blocks.get(number)) {
                Some(TemplateBlock::Text(text) | TemplateBlock::Code(_, text)) => {
                    out.push_str(&text.split_whitespace().collect::<Vec<_>>().join(" "));
                }
                Some(TemplateBlock::File(file)) => {
                    let file = *file;
                    let lines = self.inner_lines(|it| it.file(file));
                    out.push_str(&lines.iter().map(|(line, _)| line.trim()).collect::<Vec<_>>().join(" "));
                }
                None => {}
            }
        }
        out.push_str(rest);
        out
    }
}

impl TemplateOutput {
    /// Whether nothing of it needs lines of its own.
    fn is_inline(&self) -> bool {
        self.blocks.iter().all(|block| matches!(block, TemplateBlock::Text(text) if !text.trim().contains('\n')))
    }
}

/// A text without comments of HTML, which templates do not give.
fn strip_html_comments(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("<!--") {
        let Some(end) = rest.slice(at..).find("-->") else { break };
        out.push_str(rest.slice(..at));
        rest = rest.slice(at + end + 3..);
    }
    out.push_str(rest);
    out
}

/// `<pre><code>` around the inside becomes a block of code.
fn as_code(output: &mut TemplateOutput, call: &ShortcodeCall<'_>) {
    let mut out = String::with_capacity(output.text.len());
    let text = std::mem::take(&mut output.text);
    let mut rest = text.as_str();
    while let Some(at) = rest.find("<pre") {
        let Some(end) = rest.slice(at..).find("</pre>").map(|end| at + end) else { break };
        let whole = rest.slice(at..end);
        out.push_str(rest.slice(..at));
        rest = rest.slice(end + "</pre>".len()..);
        let content = whole.split_once('>').map_or("", |(_, content)| content).trim();
        let content = content
            .strip_suffix("</code>")
            .map_or(content, |content| content.split_once('>').map_or("", |(_, content)| content));
        let content = content.trim();
        let is_inside = content.chars().count() == 1 && content.starts_with([INSIDE, RENDERED]);
        let number = content.strip_prefix(BLOCK).and_then(|rest| rest.strip_suffix(BLOCK_END));
        let is_block = number.is_some_and(|number| {
            number
                .parse::<usize>()
                .is_ok_and(|number| matches!(output.blocks.get(number), Some(TemplateBlock::Code(..))))
        });
        if is_inside {
            let lang = ["language-", "lang-"].iter().find_map(|mark| whole.split_once(mark)).map_or("", |(_, lang)| {
                lang.split(|c: char| !(c.is_ascii_alphanumeric() || c == '-')).next().unwrap_or_default()
            });
            output.blocks.push(TemplateBlock::Code(lang.to_owned(), dedented(call.text)));
            out.push_str(&format!("\n{BLOCK}{}{BLOCK_END}\n", output.blocks.len() - 1));
        } else if is_block {
            out.push_str(content);
        } else {
            out.push_str(whole);
            out.push_str("</pre>");
        }
    }
    out.push_str(rest);
    output.text = out;
}

/// A text without the indentation that its lines share.
pub(super) fn dedented(text: &str) -> String {
    let text = text.trim_matches('\n').trim_end();
    let indent = |line: &str| line.len() - line.trim_start_matches(' ').len();
    let shared = text.lines().filter(|line| !line.trim().is_empty()).map(indent).min().unwrap_or(0);
    text.lines().map(|line| line.get(shared..).unwrap_or("")).collect::<Vec<_>>().join("\n")
}

/// The lines of a template around those of what is inside and of blocks, which are Markdown between empty lines.
fn around(lines: &[&str], inner: &[(String, Place)], blocks: &[PlacedLines], place: Place) -> PlacedLines {
    let mut out: PlacedLines = Vec::new();
    let mut bytes = 0;
    for line in lines {
        let mut rest = *line;
        let mut own = String::new();
        while let Some(at) = rest.find([INSIDE, RENDERED, BLOCK]).filter(|_| bytes <= MAX_TEMPLATE_OUTPUT_BYTES) {
            own.push_str(rest.slice(..at));
            let is_block = rest.slice(at..).starts_with(BLOCK);
            let is_rendered = rest.slice(at..).starts_with(RENDERED);
            let mark = rest.slice(at + INSIDE.len_utf8()..);
            let more: &[(String, Place)] = match is_block {
                true => {
                    let Some((number, after)) = mark.split_once(BLOCK_END) else { break };
                    rest = after;
                    number.parse::<usize>().ok().and_then(|number| blocks.get(number)).map_or(&[], Vec::as_slice)
                }
                false => {
                    rest = mark;
                    inner
                }
            };
            bytes += more.iter().map(|(line, _)| line.len() + 1).sum::<usize>();
            if more.len() <= 1 && !is_rendered && !is_block {
                own.push_str(more.first().map_or("", |(line, _)| line.trim()));
                continue;
            }
            if !own.trim().is_empty() {
                out.push((std::mem::take(&mut own), place));
            }
            own.clear();
            out.push((String::new(), place));
            out.extend(more.iter().cloned());
            out.push((String::new(), place));
        }
        own.push_str(rest);
        if !own.trim().is_empty() || line.is_empty() {
            out.push((own, place));
        }
    }
    out
}

fn is_block(line: &str) -> bool {
    const NAMES: [&str; 18] = [
        "div",
        "p",
        "section",
        "ul",
        "ol",
        "dl",
        "table",
        "figure",
        "pre",
        "blockquote",
        "details",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "script",
        "style",
    ];
    line.strip_prefix('<').is_some_and(|rest| {
        let end = rest.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(rest.len());
        NAMES.contains(&rest.slice(..end))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_go() {
        assert_eq!(strip_html_comments("a<!-- b -->c<!-- d"), "ac<!-- d");
        assert_eq!(dedented("\n    a\n      b\n\n    c\n"), "a\n  b\n\nc");
    }
}
