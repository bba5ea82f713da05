//! Pictures without alternative text, found in the source: a bundle does not distinguish a picture that lacks its
//! text from one that is decoration.

use rayon::prelude::*;

use base::refs::{self, RawAddress, ReferenceKind, Visitor};
use base::{Diagnostic, FileId};

use load::Site;
use markup::tree::{BlockKind, JsxElement, Node};

use super::source_document::{parse_body, text_files};

const HINT: &str = "describe it; write `alt=\"\"` for decoration";

/// One finding for each picture of pages and snippets that has no alternative text.
pub fn without_words(site: &Site) -> Vec<Diagnostic> {
    text_files(site).into_par_iter().flat_map_iter(|(file, is_mdx)| in_file(site, file, is_mdx)).collect()
}

fn in_file(site: &Site, file: FileId, is_mdx: bool) -> Vec<Diagnostic> {
    let Some(text) = site.tree.text(file) else { return Vec::new() };
    // most pages have none at all, and are not parsed again
    if !text.contains("![") && !text.contains("<img") {
        return Vec::new();
    }
    let document = parse_body(site, file, &text, is_mdx);
    let mut out = Vec::new();
    let mut open: Vec<&Node> = document.nodes.iter().collect();
    while let Some(node) = open.pop() {
        let (src, line, column) = match node {
            Node::Block(block) => {
                open.extend(&block.children);
                match &block.kind {
                    BlockKind::Image { src, .. } if Node::text_of(&block.children).trim().is_empty() => {
                        (src.clone(), block.place.line, block.place.column)
                    }
                    _ => continue,
                }
            }
            Node::Element(element) => {
                open.extend(&element.children);
                if !lacks_words(element) {
                    continue;
                }
                (element.props.text("src").unwrap_or_default().into_owned(), element.place.line, element.place.column)
            }
            Node::Html { markup, place } => {
                let mut raw = RawPictures { markup, found: Vec::new() };
                refs::html::scan_html(markup.as_bytes(), &mut raw);
                out.extend(
                    raw.found
                        .into_iter()
                        .map(|(src, line)| finding(&src).at(site.tree.path(file), place.line + line, 0)),
                );
                continue;
            }
            _ => continue,
        };
        out.push(finding(&src).at(site.tree.path(file), line, column));
    }
    out
}

fn finding(src: &str) -> Diagnostic {
    Diagnostic::warning(
        "missing-alt",
        format!("the picture `{}` has no alternative text", super::facts::display_checked_address(src)),
    )
    .hint(HINT)
}

/// Whether an element is a picture whose author said nothing about its words. Attributes that are spread may hold them.
fn lacks_words(element: &JsxElement) -> bool {
    let has = |name: &str| element.props.0.iter().any(|(own, _)| own == name);
    let is_decoration = || {
        element.props.text("role").is_some_and(|role| role == "presentation" || role == "none")
            || element.props.flag("aria-hidden")
    };
    element.name == "img" && !has("alt") && !has("...") && has("src") && !is_decoration()
}

/// Pictures in raw HTML, with the number of line ends before them.
struct RawPictures<'a> {
    markup: &'a str,
    found: Vec<(String, u32)>,
}

impl Visitor for RawPictures<'_> {
    const DETAILS: bool = true;
    fn reference(&mut self, _: ReferenceKind, _: RawAddress<'_>, _: usize) {}
    fn image(&mut self, alt: Option<RawAddress<'_>>, src: Option<RawAddress<'_>>, at: usize) {
        if alt.is_none() {
            let lines =
                self.markup.as_bytes()[..at.min(self.markup.len())].iter().filter(|byte| **byte == b'\n').count();
            self.found.push((src.map(RawAddress::url).unwrap_or_default(), u32::try_from(lines).unwrap_or_default()));
        }
    }
    fn restart(&mut self) {
        self.found.clear();
    }
}
