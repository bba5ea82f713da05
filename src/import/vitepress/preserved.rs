//! Elements with `v-pre`, in which braces are text.

use base::cut::cut;
use base::html::is_void;
use base::html::tag::{MarkupToken, read_html_token};

/// Follows the lines of a page into such elements and out again.
#[derive(Debug, Default)]
pub(super) struct Preserved {
    /// The element that is open, and how many of its name are open in it.
    open: Option<(String, usize)>,
}

impl Preserved {
    /// Whether a line may begin or end such an element, or stands in one.
    pub(super) fn concerns(&self, line: &str) -> bool {
        self.open.is_some() || line.contains("v-pre")
    }

    /// A part of a line with what stands outside of such elements changed.
    pub(super) fn change_outside(&mut self, part: &str, mut change: impl FnMut(&str) -> String) -> String {
        let mut out = String::with_capacity(part.len());
        // what has not been written, and how far the next tag is in it
        let (mut rest, mut at) = (part, 0);
        while let Some(found) = cut(rest, at).1.find('<') {
            let start = at + found;
            let (before, behind) = cut(rest, start);
            let Some((token, after)) = read_html_token(behind) else {
                at = start + 1;
                continue;
            };
            at = rest.len() - after.len();
            match (&mut self.open, token) {
                (None, MarkupToken::Start(tag)) => {
                    let is_preserved = tag.attributes().any(|attribute| attribute.name == "v-pre");
                    if is_preserved && !tag.is_self_closing() && !is_void(tag.name) {
                        out.push_str(&change(before));
                        (rest, at) = (behind, at - start);
                        self.open = Some((tag.name.to_owned(), 0));
                    }
                }
                (Some((name, inner)), MarkupToken::Start(tag)) if tag.name == name && !tag.is_self_closing() => {
                    *inner += 1
                }
                (Some((name, inner)), MarkupToken::End(tag)) if tag.name == name => match inner.checked_sub(1) {
                    Some(left) => *inner = left,
                    None => {
                        out.push_str(cut(rest, at).0);
                        (rest, at) = (after, 0);
                        self.open = None;
                    }
                },
                _ => {}
            }
        }
        if self.open.is_some() {
            out.push_str(rest);
        } else {
            out.push_str(&change(rest));
        }
        out
    }
}
