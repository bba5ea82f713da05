//! What content may use of HTML, and what each tag means for what stands in it.

use base::cut::SliceText as _;
use base::html::{self, is_html_tag};

/// Whether a tag is one that content may use.
pub(crate) fn is_allowed_tag(name: &str) -> bool {
    html::is_phrasing(name) || tag_kind(name) != TagForm::Unknown
}

/// How a tag is written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum TagForm {
    /// A block with any content.
    Block,
    /// `<p>`.
    Paragraph,
    /// `<h1>` … `<h6>`.
    Heading,
    /// `<ul>`, `<ol>`, `<menu>`.
    List,
    /// `<dl>`.
    Terms,
    /// No content: `<br>`, `<hr>`, `<wbr>`.
    Void,
    /// A part of a list or table that stands elsewhere: only a block.
    Stray,
    /// A form control.
    Control,
    /// `<button>`, `<label>`, `<summary>`: phrasing content only.
    Phrasing,
    /// The tag is left out, and its children stay.
    Transparent,
    /// Nothing of it stays.
    Dropped,
    /// Handled by name.
    Special,
    /// Not a tag that content may use.
    Unknown,
}

/// How a tag of this name is written.
pub(super) fn tag_kind(name: &str) -> TagForm {
    match name {
        "div" | "section" | "article" | "aside" | "header" | "footer" | "main" | "nav" | "figure" | "figcaption"
        | "blockquote" | "address" | "center" | "details" | "fieldset" | "hgroup" | "search" | "dialog" | "form" => {
            TagForm::Block
        }
        "p" => TagForm::Paragraph,
        "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => TagForm::Heading,
        "ul" | "ol" | "menu" => TagForm::List,
        "dl" => TagForm::Terms,
        "br" | "hr" | "wbr" => TagForm::Void,
        "li" | "dt" | "dd" | "tr" | "td" | "th" | "thead" | "tbody" | "tfoot" | "caption" | "option" | "optgroup"
        | "legend" => TagForm::Stray,
        "input" | "select" | "textarea" => TagForm::Control,
        "button" | "label" | "summary" => TagForm::Phrasing,
        "noscript" | "canvas" | "head" | "html" | "body" | "slot" | "output" => TagForm::Transparent,
        "script" | "link" | "meta" | "title" | "base" | "param" | "col" | "colgroup" | "track" | "source"
        | "template" | "datalist" => TagForm::Dropped,
        "a" | "area" | "audio" | "embed" | "iframe" | "image" | "img" | "map" | "math" | "meter" | "object"
        | "picture" | "pre" | "progress" | "style" | "svg" | "table" | "video" => TagForm::Special,
        _ => TagForm::Unknown,
    }
}

/// Elements of a whole page, which authors cannot add to: landmarks belong to the frame, forms would send, dialogs
/// would hide.
pub(super) fn is_unfit(name: &str) -> bool {
    matches!(name, "footer" | "main" | "nav" | "aside" | "form" | "dialog" | "search")
}

/// Whether the first tag of a piece of raw HTML is a block's.
pub(crate) fn starts_block(markup: &str) -> bool {
    let rest = markup.trim_start().trim_start_matches(['<', '/']);
    let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '-')).unwrap_or(rest.len());
    let name = rest.slice(..end).to_ascii_lowercase();
    markup.trim_start().starts_with('<')
        && is_html_tag(&name)
        && !html::is_phrasing(&name)
        && (name == "iframe" || !html::owns_content(&name))
        && !matches!(tag_kind(&name), TagForm::Transparent | TagForm::Unknown)
        && !matches!(name.as_str(), "br" | "img" | "input" | "wbr" | "label" | "button")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_told_from_words() {
        assert!(starts_block("<div>") && starts_block("</details>") && starts_block("<TABLE>"));
        assert!(!starts_block("<b>") && !starts_block("<br/>") && !starts_block("<!-- x -->"));
        assert!(!starts_block("<slot>") && !starts_block("</marquee>") && !starts_block("<acronym>"));
        assert!(!starts_block("<SVG viewBox='0 0 1 1'>") && !starts_block("<script-name>"));
    }
}
