//! Lists: what is indented by four spaces belongs to an item, and what is indented as its words are.

use base::lines::fence_of;

use super::block::MkDocsWriter;
use super::lines::{BlockLine, INDENT, Out, blank, push_below, trimmed};
use super::notes;
use super::starts::{VERBATIM, is_block, leading_tag_name, marker_of};

/// What an item holds as it stands, with all its indentation: fenced code, or an element like `<pre>`.
#[derive(Default)]
enum HeldContent {
    #[default]
    Nothing,
    /// Until a fence of a mark and a width.
    Fence(u8, usize),
    /// Until the end tag of a name.
    Element(String),
}

impl HeldContent {
    fn is_open(&self) -> bool {
        !matches!(self, Self::Nothing)
    }

    /// Follows a line into what it opens, or out of what it closes.
    fn follow(&mut self, text: &str) {
        let text = text.trim_start();
        let is_end = |name: &str| text.to_ascii_lowercase().contains(&format!("</{name}"));
        match self {
            Self::Nothing => {
                let element = || leading_tag_name(text).filter(|(name, ends)| !ends && VERBATIM.contains(&&**name));
                if let Some((mark, width, _)) = fence_of(text) {
                    *self = Self::Fence(mark, width);
                } else if let Some((name, _)) = element().filter(|(name, _)| !is_end(name)) {
                    *self = Self::Element(name);
                }
            }
            // Python-Markdown ends code by a row of the same width
            Self::Fence(mark, width) => {
                let is_end =
                    |(other, marks, info): (u8, usize, &str)| other == *mark && marks == *width && info.is_empty();
                if fence_of(text).is_some_and(is_end) {
                    *self = Self::Nothing;
                }
            }
            Self::Element(name) => {
                if is_end(name) {
                    *self = Self::Nothing;
                }
            }
        }
    }
}

/// The lines of an item, cut to its words, and the line behind it.
pub(super) fn list_item_lines<'s>(lines: &[BlockLine<'s>], at: usize, width: usize) -> (Vec<BlockLine<'s>>, usize) {
    let mut inner = vec![lines[at].from(width.min(lines[at].text.len()))];
    // words of an item may be indented less, as in CommonMark
    let least = width.clamp(2, INDENT);
    let mut end = at + 1;
    let mut held = HeldContent::default();
    let mut is_lazy = !inner[0].is_blank();
    held.follow(inner[0].text);
    // the spaces that all lines lose: those before the block that is indented least, so that none moves against another
    let mut margin = if is_block(inner[0]) { least } else { INDENT };
    let mut is_behind_blank = false;
    while end < lines.len() {
        let line = lines[end];
        if line.is_blank() {
            let next = lines[end..].iter().position(|line| !line.is_blank()).map(|next| end + next);
            let belongs = |line: BlockLine<'_>| line.indent() >= least || held.is_open() && line.indent() > 0;
            let Some(next) = next.filter(|next| belongs(lines[*next])) else { break };
            inner.extend(lines[end..next].iter().map(|line| BlockLine { text: "", ..*line }));
            (end, is_lazy, is_behind_blank) = (next, false, true);
            continue;
        }
        let is_own = line.indent() >= least;
        let is_next = marker_of(line).is_some() && !is_own;
        if !is_own && !held.is_open() && (is_next || !is_lazy || is_block(line)) {
            break;
        }
        let begins_block = is_behind_blank || is_block(line) || marker_of(line).is_some();
        if is_own && !held.is_open() && begins_block {
            margin = margin.min(line.indent());
        }
        let cut = line.cut(margin);
        held.follow(cut.text);
        (is_lazy, is_behind_blank) = (!held.is_open(), false);
        inner.push(cut);
        end += 1;
    }
    (inner, end)
}

impl MkDocsWriter<'_> {
    pub(super) fn list(
        &mut self,
        lines: &[BlockLine<'_>],
        at: usize,
        depth: usize,
        out: &mut Vec<Out>,
    ) -> Option<usize> {
        marker_of(lines[at])?;
        out.push(blank(lines[at]));
        let notes = self.notes.take();
        let mut number_of_item = 0;
        let mut at = at;
        let mut end = at;
        while let Some((number, width)) = lines.get(at).and_then(|line| marker_of(*line)) {
            let (inner, next) = list_item_lines(lines, at, width);
            let mark = number.map_or_else(|| "-   ".to_owned(), |number| format!("{:<4}", format!("{number}. ")));
            let around = std::mem::replace(&mut self.in_item, true);
            let mut blocks = trimmed(self.blocks(&inner, depth + 1));
            self.in_item = around;
            number_of_item += 1;
            if let Some(list) = notes {
                notes::name_item(&mut blocks, list, number_of_item, lines[at]);
            }
            // blank lines that stand between the words and a list in them make the item no looser than it was
            let blocks = if inner.iter().any(BlockLine::is_blank) { blocks } else { tight(blocks) };
            push_below(out, &mark, mark.len(), blocks, lines[at]);
            end = next;
            let following = lines[next..].iter().position(|line| !line.is_blank()).map(|blanks| next + blanks);
            match following.filter(|following| marker_of(lines[*following]).is_some()) {
                Some(following) => {
                    if following > next {
                        out.push(blank(lines[next]));
                    }
                    at = following;
                }
                None => break,
            }
        }
        out.push(blank(lines[end - 1]));
        Some(end)
    }
}

/// Lines without the blank ones that stand between words and what needs none.
fn tight(lines: Vec<Out>) -> Vec<Out> {
    let is_blank = |line: &Out| line.lead.is_empty() && line.text.is_empty();
    let needs = |line: &Out| line.text.starts_with(['\u{e001}', '<', '|']) || line.lead.starts_with('#');
    // whether the next line that is not blank needs a blank one before it
    let mut is_before_need = vec![false; lines.len()];
    for at in (0..lines.len().saturating_sub(1)).rev() {
        let next = &lines[at + 1];
        is_before_need[at] = if is_blank(next) { is_before_need[at + 1] } else { needs(next) };
    }
    let mut retained: Vec<Out> = Vec::with_capacity(lines.len());
    let mut verbatim = base::lines::Verbatim::default();
    for (line, is_before_need) in lines.into_iter().zip(is_before_need) {
        let is_code = verbatim.takes(&format!("{}{}", line.lead, line.text));
        if !is_blank(&line) || is_code || is_before_need || retained.last().is_some_and(needs) {
            retained.push(line);
        }
    }
    retained
}
