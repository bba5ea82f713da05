//! Formulas as MathJax finds them: `\\( … \\)` among words, `\\[ … \\]` and `$$ … $$` on their own.

use base::cut::SliceText as _;
use base::lines::outside_code;

use super::settings::Math;

/// Writes the formulas of lines that follow each other with dollars.
#[derive(Debug)]
pub(super) struct MathWriter {
    math: Math,
    /// What ends the formula that is open.
    open: Option<&'static str>,
}

impl MathWriter {
    pub(super) fn new(math: Math) -> Self {
        Self { math, open: None }
    }

    /// A line outside of code blocks.
    pub(super) fn line(&mut self, line: &str) -> Option<String> {
        match self.math {
            Math::Katex => None,
            Math::None => as_text(line),
            Math::Tex => {
                let is_likely = self.open.is_some() || line.contains("\\\\") || line.contains('$');
                is_likely.then(|| self.formulas(line))
            }
        }
    }

    fn formulas(&mut self, line: &str) -> String {
        if line.trim().is_empty() {
            // a paragraph has ended, and no formula goes on behind it
            self.open = None;
            return String::new();
        }
        if self.open.is_some() || !line.contains('`') {
            return self.pieces(line);
        }
        outside_code(line, |part| self.pieces(part))
    }

    fn pieces(&mut self, part: &str) -> String {
        let mut out = String::with_capacity(part.len());
        let mut rest = part;
        loop {
            if let Some(end) = self.open {
                let Some((tex, after)) = rest.split_once(end) else {
                    out.push_str(&unescape_tex(rest));
                    return out;
                };
                out.push_str(unescape_tex(tex).trim_end());
                out.push_str(if end == "\\\\)" { "`$" } else { "$$" });
                (self.open, rest) = (None, after);
                continue;
            }
            const STARTS: [(&str, &str, &str); 3] =
                [("\\\\(", "\\\\)", "$`"), ("\\\\[", "\\\\]", "$$"), ("$$", "$$", "$$")];
            let first = STARTS.iter().filter_map(|(start, end, to)| Some((rest.find(start)?, *start, *end, *to)));
            // one among words ends in its line
            let first =
                first.filter(|(at, start, end, _)| *end != "\\\\)" || rest.slice(at + start.len()..).contains(end));
            let Some((at, start, end, to)) = first.min() else {
                out.push_str(&as_text(rest).unwrap_or_else(|| rest.to_owned()));
                return out;
            };
            out.push_str(rest.slice(..at));
            out.push_str(to);
            rest = rest.slice(at + start.len()..);
            if to == "$`" {
                rest = rest.trim_start();
            }
            self.open = Some(end);
        }
    }
}

/// A line whose dollars are text, if it has so many that they could be read as those of a formula.
fn as_text(line: &str) -> Option<String> {
    let is_code = line.starts_with("    ") || line.starts_with('\t');
    if is_code || line.bytes().filter(|byte| *byte == b'$').count() < 2 {
        return None;
    }
    Some(outside_code(line, |part| part.replace("\\$", "$").replace('$', "\\$")))
}

/// TeX without the backslashes that keep marks from being read as Markdown.
fn unescape_tex(tex: &str) -> String {
    let mut out = String::with_capacity(tex.len());
    let mut chars = tex.chars().peekable();
    while let Some(c) = chars.next() {
        match chars.peek() {
            Some(next) if c == '\\' && next.is_ascii_punctuation() => out.extend(chars.next()),
            _ => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(math: Math, text: &str) -> String {
        let mut writer = MathWriter::new(math);
        text.lines().map(|line| writer.line(line).unwrap_or_else(|| line.to_owned())).collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn formulas_have_dollars() {
        for (given, expect) in [
            ("The sum \\\\( a\\_1 + \\\\{b\\\\} \\\\) of `\\\\(x\\\\)`", "The sum $`a_1 + \\{b\\}`$ of `\\\\(x\\\\)`"),
            ("\\\\[ \\mu = \\frac{1}{N} \\\\]", "$$ \\mu = \\frac{1}{N}$$"),
            ("\\\\[\na \\\\\\\\\nb\n\\\\]\nc", "$$\na \\\\\nb\n$$\nc"),
            ("$$ a\\_b $$", "$$ a_b$$"),
            ("\\\\(open", "\\\\(open"),
            ("from $5 to $6", "from \\$5 to \\$6"),
        ] {
            assert_eq!(text(Math::Tex, given), expect, "{given}");
        }
    }

    #[test]
    fn dollars_are_text_where_there_is_no_math() {
        assert_eq!(text(Math::None, "$a$ and `$b$` and \\$c"), "\\$a\\$ and `$b$` and \\$c");
        assert_eq!(text(Math::None, "one $HOME"), "one $HOME");
        assert_eq!(text(Math::Katex, "$a$"), "$a$");
    }
}
