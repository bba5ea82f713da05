//! The lines that an author wrote, where they mean in MDX what they mean in the source.

use rustc_hash::FxHashMap;

use base::FileId;
use base::cut::{SliceText as _, cut};
use markup::parse_mdx_as_written;
use markup::tree::{BlockKind, MarkdownBlock, Node};

use super::canon::canon;

/// The text of a page's file.
#[derive(Debug)]
pub(crate) struct MigratedText<'a> {
    file: FileId,
    lines: Vec<&'a str>,
    /// Addresses of links and pictures as they were written, and what stands in their place.
    moved: &'a FxHashMap<String, String>,
}

impl<'a> MigratedText<'a> {
    /// The whole text of a file.
    pub(crate) fn new(file: FileId, text: &'a str, moved: &'a FxHashMap<String, String>) -> Self {
        Self { file, lines: text.lines().collect(), moved }
    }

    /// The line behind the last one, from 1.
    pub(super) fn end(&self) -> u32 {
        u32::try_from(self.lines.len()).unwrap_or(u32::MAX).saturating_add(1)
    }

    /// The line at which a node begins, if it is one of this file.
    pub(super) fn line_of(&self, node: &Node) -> Option<u32> {
        let place = match node {
            Node::Block(block) => block.place,
            Node::Element(element) => element.place,
            Node::Fence(fence) => fence.place,
            Node::Math { place, .. } | Node::Html { place, .. } => *place,
            _ => return None,
        };
        (place.file == self.file && place.line > 0).then_some(place.line)
    }

    /// The line that closes an element, before the line `next`: a tag, or a mark of the tool alone in its line.
    pub(super) fn end_of(&self, element: &markup::tree::JsxElement, next: Option<u32>) -> Option<u32> {
        let (first, next) = (element.place.line, next?);
        if element.place.file != self.file || first == 0 {
            return None;
        }
        let last = (first + 1..next).rev().find(|line| !self.line(*line).trim().is_empty())?;
        ["</", ":::", "{{", "{%", "///"]
            .iter()
            .any(|mark| self.line(last).trim_start().starts_with(mark))
            .then_some(last)
    }

    fn line(&self, number: u32) -> &'a str {
        number.checked_sub(1).and_then(|at| self.lines.get(at as usize)).copied().unwrap_or_default()
    }

    /// The lines of a block that ends before the line `next`, with the new addresses of its links; `None` if they do
    /// not mean the same in MDX.
    pub(super) fn lines(&self, block: &MarkdownBlock, next: Option<u32>) -> Option<String> {
        let is_fit = matches!(
            block.kind,
            BlockKind::Paragraph
                | BlockKind::Heading { .. }
                | BlockKind::Quote
                | BlockKind::List { .. }
                | BlockKind::Table { .. }
        );
        let start = Some(block.place.line).filter(|line| is_fit && block.place.file == self.file && *line > 0)?;
        let is_blank = |line: u32| self.line(line).trim().is_empty();
        let end = match block.kind {
            BlockKind::List { .. } | BlockKind::Quote => next?,
            // these end with the first free line
            _ => (start..next.unwrap_or(self.end())).find(|line| is_blank(*line)).or(next).unwrap_or(self.end()),
        };
        let last = (start..end).rev().find(|line| !is_blank(*line))?;
        let indent = self.line(start).len() - self.line(start).trim_start_matches(' ').len();
        let dedented = |line: u32| {
            let text = self.line(line);
            let spaces = text.len() - text.trim_start_matches(' ').len();
            text.slice(spaces.min(indent)..).trim_end_matches('\r')
        };
        let text: Vec<&str> = (start..=last).map(dedented).collect();
        if text.iter().any(|line| line.trim_start().starts_with('[') && line.contains("]:")) {
            return None; // the target of a link that stands elsewhere
        }
        let text = self.with_moved(&text.join("\n"));
        let is_strict = braces(&text) == braces_of_code(&block.children);
        if !is_strict || text.contains('\t') {
            return None;
        }
        let read = parse_mdx_as_written(&text, FileId::default(), 1);
        let is_same = read.problems.is_empty()
            && read.module.imports.is_empty()
            && canon(&read.nodes) == canon(&[Node::Block(Box::new(block.clone()))]);
        is_same.then_some(text)
    }

    /// A text with the new addresses of its links.
    fn with_moved(&self, text: &str) -> String {
        let mut out = String::with_capacity(text.len());
        let mut rest = text;
        while let Some(at) = rest.find("](") {
            let (before, after) = cut(rest, at + 2);
            out.push_str(before);
            let end = after.find([')', ' ', '\n']).unwrap_or(after.len());
            match self.moved.get(after.slice(..end)) {
                Some(new) => out.push_str(&super::text::mdx_link_destination(new)),
                None => out.push_str(after.slice(..end)),
            }
            rest = after.slice(end..);
        }
        out.push_str(rest);
        out
    }
}

/// How many signs of a text begin a tag or an expression in MDX.
fn braces(text: &str) -> usize {
    let signs = text.matches(['<', '{']).count();
    signs - text.matches("\\<").count() - text.matches("\\{").count()
}

/// How many of them stand in code, where they begin nothing.
fn braces_of_code(nodes: &[Node]) -> usize {
    nodes
        .iter()
        .map(|node| match node {
            Node::Code(code) => braces(code),
            Node::Fence(fence) => braces(&fence.code) + braces(&fence.meta),
            Node::Block(block) => braces_of_code(&block.children) + usize::from(has_own_id(block)),
            _ => 0,
        })
        .sum()
}

fn has_own_id(block: &MarkdownBlock) -> bool {
    matches!(block.kind, BlockKind::Heading { id: Some(_), .. })
}
