//! Lists of terms: words, and below them `:   what they mean`.

use super::block::MkDocsWriter;
use super::lines::{BlockLine, INDENT, Out, blank, owned, push_below, raw, trimmed};
use super::starts::definition;

impl MkDocsWriter<'_> {
    /// The line of the first definition of the words above, if that is what follows.
    pub(super) fn terms(&self, lines: &[BlockLine<'_>], end: usize) -> Option<usize> {
        let next = lines[end..].iter().position(|line| !line.is_blank()).filter(|blanks| *blanks <= 1)? + end;
        (self.syntax.definitions && definition(lines[next].text).is_some()).then_some(next)
    }

    /// Writes the definitions of a term; gives the line behind them. The parser of Markdown knows those of a page alone:
    /// in other blocks they are elements, in which `term` is where the words begin that were written of it.
    pub(super) fn definitions(
        &mut self,
        lines: &[BlockLine<'_>],
        at: usize,
        depth: usize,
        term: usize,
        out: &mut Vec<Out>,
    ) -> usize {
        let first = lines[at];
        if depth > 0 {
            let words = out.split_off(term.min(out.len()));
            out.extend([blank(first), raw(first, "<dl>"), raw(first, "<dt>"), blank(first)]);
            out.extend(trimmed(words));
            out.extend([blank(first), raw(first, "</dt>")]);
        }
        let (mut at, mut end) = (at, at);
        while let Some(words) = lines.get(at).and_then(|line| definition(line.text)) {
            if at > end && depth == 0 {
                out.push(blank(lines[end]));
            }
            let (inner, next) = defined(lines, at, words);
            let blocks = trimmed(self.blocks(&inner, depth + 1));
            if depth == 0 {
                push_below(out, ":   ", INDENT, blocks, lines[at]);
            } else {
                out.extend([raw(lines[at], "<dd>"), blank(lines[at])]);
                out.extend(blocks);
                out.extend([blank(lines[next - 1]), raw(lines[next - 1], "</dd>")]);
            }
            end = next;
            let following = lines[end..].iter().position(|line| !line.is_blank()).map(|next| end + next);
            match following.filter(|next| definition(lines[*next].text).is_some()) {
                Some(next) => at = next,
                None => break,
            }
        }
        let last = lines[end.max(1) - 1];
        if depth > 0 {
            out.push(raw(last, "</dl>"));
        }
        out.push(blank(last));
        end
    }

    /// The definition of a term that is a comment: its words alone.
    pub(super) fn lone_definition(
        &mut self,
        lines: &[BlockLine<'_>],
        at: usize,
        depth: usize,
        out: &mut Vec<Out>,
    ) -> Option<usize> {
        let words = definition(lines[at].text).filter(|_| self.syntax.definitions)?;
        let (inner, end) = defined(lines, at, words);
        out.push(blank(lines[at]));
        let blocks = self.blocks(&inner, depth + 1);
        out.extend(blocks);
        out.push(blank(lines[end - 1]));
        Some(end)
    }
}

/// The lines of a definition whose words are given, and the line behind it.
fn defined<'s>(lines: &[BlockLine<'s>], at: usize, words: &str) -> (Vec<BlockLine<'s>>, usize) {
    let mut end = at + 1;
    // words go on in lines that are not indented
    while end < lines.len() && !lines[end].is_blank() && definition(lines[end].text).is_none() {
        end += 1;
    }
    end += owned(&lines[end..]);
    let mut inner = vec![lines[at].from(lines[at].text.len() - words.len())];
    inner.extend(lines[at + 1..end].iter().map(|line| line.cut(INDENT)));
    (inner, end)
}
