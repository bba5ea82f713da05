//! Files that an export writes beside the pages: lists for agents and for search engines, feeds of change logs. Pages
//! link to them.

use base::lines::Verbatim;
use base::{BundlePath, FileId, PageId};
use load::Site;
use load::inventory::resolve_import;

use super::LinkResolver;

/// Which of them there are.
#[derive(Debug, Default)]
pub struct GeneratedFiles {
    /// The names of those that are made once.
    pub names: Vec<&'static str>,
    /// Change logs have feeds.
    pub feeds: bool,
}

/// Where the feed of a page lies: `changelog/rss.xml` for `changelog.html`.
pub fn feed_path(page: &BundlePath) -> BundlePath {
    let path = page.as_str();
    BundlePath::sanitize(&format!("{}/rss.xml", path.strip_suffix(".html").unwrap_or(path)))
}

impl LinkResolver<'_> {
    /// The file of that path that the export writes.
    pub(super) fn generated_file(&self, path: &str) -> Option<BundlePath> {
        if self.generated.names.contains(&path) {
            return Some(BundlePath::sanitize(path));
        }
        let folder = path
            .strip_suffix("rss.xml")
            .filter(|folder| self.generated.feeds && (folder.is_empty() || folder.ends_with('/')))?;
        let page = self.page(folder.trim_end_matches('/'))?;
        has_feed(self.site, page).then(|| self.path(page).map(feed_path)).flatten()
    }
}

/// Whether a page, or a file that it imports, has entries of a change log. Such links are few, so the page is read when
/// one is met.
fn has_feed(site: &Site, page: PageId) -> bool {
    let entry = site.page(page);
    let Some(file) = entry.file.filter(|_| entry.meta.groups.is_empty()) else { return false };
    let text = generated_file_text(site, file);
    let imported =
        text.lines().filter(|line| line.starts_with("import ")).filter_map(|line| line.split(['"', '\'']).nth(1));
    has_updates(&text)
        || imported
            .filter_map(|name| resolve_import(&site.tree, site.tree.path(file), name))
            .any(|file| has_updates(&generated_file_text(site, file)))
}

fn generated_file_text(site: &Site, file: FileId) -> String {
    site.tree.text(file).unwrap_or_default()
}

/// Whether `<Update` stands outside of code and comments.
fn has_updates(text: &str) -> bool {
    let mut verbatim = Verbatim::default();
    let begins = |line: &str| line.strip_prefix("<Update").is_some_and(|rest| !rest.starts_with(char::is_alphanumeric));
    text.lines().map(str::trim_start).any(|line| !verbatim.takes(line) && begins(line))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_in_code_are_none() {
        assert!(has_updates("# Log\n  <Update label=\"1\">\nText\n</Update>\n"));
        assert!(has_updates("```mdx\nx\n```\n<Update\nlabel=\"1\">"));
        assert!(!has_updates("```mdx\n<Update label=\"1\">\n```\n<Updates />\n`<Update>`"));
    }
}
