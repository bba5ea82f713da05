//! Links to what a page is made of: its source, to change it or to report a problem with it, and the API description
//! that it shows a part of.

use std::fmt::Write as _;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

use super::fragment::clean_fragment;
use super::source::ChromeInput;
use base::html::{self, escape_html_text};
use base::url;
use site::page::PageEntry;
use templates::words;

/// What `encodeURIComponent` leaves as it is.
pub(super) const COMPONENT: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.').remove(b'~');

/// The repository that a site is written in, as its host shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceRepository {
    /// `https://github.com/acme/docs`, without a slash at the end.
    pub web: String,
    /// The branch that changes are made on.
    pub branch: String,
    /// The folder of the site in it: empty, or with a slash at the end.
    pub folder: String,
}

impl SourceRepository {
    fn is_gitlab(&self) -> bool {
        let host = self.web.split('/').nth(2).unwrap_or_default();
        host.contains("gitlab")
    }

    /// Where a file is changed.
    fn edit(&self, path: &str) -> String {
        let way = if self.is_gitlab() { "/-/edit/" } else { "/edit/" };
        format!(
            "{}{way}{}/{}",
            self.web,
            url::encode_path(&self.branch),
            url::encode_path(&format!("{}{path}", self.folder))
        )
    }

    /// Where a problem with a file is reported.
    fn issue(&self, title: &str, path: &str) -> String {
        let (way, name, text) = if self.is_gitlab() {
            ("/-/issues/new", "issue[title]", "issue[description]")
        } else {
            ("/issues/new", "title", "body")
        };
        let part = |text: &str| utf8_percent_encode(text, COMPONENT).to_string();
        let file = format!("File: {}{path}", self.folder);
        format!("{}{way}?{}={}&{}={}", self.web, part(name), part(title), part(text), part(&file))
    }
}

/// The links of a page as HTML: to its source, unless the site disables them or its repository is not known, and to the
/// API description `spec` that it shows a part of.
pub(super) fn source_links_html(source: &ChromeInput<'_>, page: &PageEntry, lang: &str, spec: Option<&str>) -> String {
    let words = &words::for_language(lang).actions;
    let mut out = String::new();
    if let Some(address) = spec {
        let _ = write!(out, "<a href=\"{}\" download>{}</a>", html::attr(address), escape_html_text(words.spec));
    }
    let feedback = &source.config().feedback;
    let (Some(repository), Some(file)) = (source.options.repository.as_ref(), page.file) else { return out };
    let path = source.site.tree.path(file);
    let edit = feedback.edit.then(|| (repository.edit(path), words.edit));
    let issue = feedback.issue.then(|| (repository.issue(&clean_fragment(&page.meta.title), path), words.issue));
    for (address, label) in edit.into_iter().chain(issue) {
        let _ = write!(
            out,
            "<a href=\"{}\" target=\"_blank\" rel=\"noopener\">{}</a>",
            html::attr(&address),
            escape_html_text(label)
        );
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_have_their_own_addresses() {
        let repository = |web: &str| SourceRepository {
            web: web.to_owned(),
            branch: "release/1".to_owned(),
            folder: "docs/".to_owned(),
        };
        let (hub, lab) = (repository("https://github.com/a/b"), repository("https://gitlab.example.com/g/h/b"));
        assert_eq!(hub.edit("ä b.mdx"), "https://github.com/a/b/edit/release/1/docs/%C3%A4%20b.mdx");
        assert_eq!(lab.edit("x.mdx"), "https://gitlab.example.com/g/h/b/-/edit/release/1/docs/x.mdx");
        assert_eq!(
            hub.issue("A & B", "x.mdx"),
            "https://github.com/a/b/issues/new?title=A%20%26%20B&body=File%3A%20docs%2Fx.mdx"
        );
        assert!(
            lab.issue("A", "x.mdx").starts_with(
                "https://gitlab.example.com/g/h/b/-/issues/new?issue%5Btitle%5D=A&issue%5Bdescription%5D="
            )
        );
    }
}
