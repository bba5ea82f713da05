//! What `.gitbook.yaml` says, and the addresses of pages.

use percent_encoding::percent_decode_str;

use base::Diagnostic;
use load::tool::path_in_source_root;
use site::problems::LoadProblems;
use site::yaml::{Yaml, parse_yaml};

/// What `.gitbook.yaml` says.
#[derive(Debug, Default)]
pub(super) struct GitBookSettings {
    /// The folder of the pages.
    pub(super) folder: String,
    /// The list of contents, in that folder.
    pub(super) list: String,
    /// The start page, in that folder.
    readme: String,
    /// Former addresses with the files that are there now.
    redirects: Vec<(String, String)>,
}

impl GitBookSettings {
    pub(super) fn read(text: &str) -> Self {
        let entries = parse_yaml(text, true).unwrap_or_default();
        let value = |key: &str| entries.iter().find(|entry| entry.key == key).map(|entry| &entry.value);
        let members = |key: &str| match value(key) {
            Some(Yaml::Map(members)) => members.clone(),
            _ => Vec::new(),
        };
        let of_structure = |key: &str, other: &str| {
            let found = members("structure").into_iter().find(|(name, _)| name == key);
            let path = found.and_then(|(_, value)| value.as_text().map(str::to_owned));
            path.map_or_else(|| other.to_owned(), |path| path.trim().trim_start_matches("./").to_owned())
        };
        let root = value("root").and_then(Yaml::as_text).unwrap_or_default();
        let redirects = members("redirects").into_iter();
        Self {
            folder: path_in_source_root("", root.trim_start_matches("./")).unwrap_or_default(),
            list: of_structure("summary", "SUMMARY.md"),
            readme: of_structure("readme", "README.md"),
            redirects: redirects.filter_map(|(from, to)| Some((from, to.as_text()?.to_owned()))).collect(),
        }
    }

    /// The address of a page, by the path of its file in the folder; `None` if it is that of any folder of Markdown.
    /// `as_slugs`: names are written as GitBook writes them.
    pub(super) fn address(&self, own: &str, as_slugs: bool) -> Option<String> {
        if own == self.readme && !self.readme.is_empty() && own != "README.md" {
            return Some("index".to_owned());
        }
        if !as_slugs {
            return None;
        }
        let stem = own.strip_suffix(".md").or_else(|| own.strip_suffix(".mdx")).unwrap_or(own);
        let (folder, name) = stem.rsplit_once('/').map_or(("", stem), |(folder, name)| (folder, name));
        let name = if name.eq_ignore_ascii_case("readme") { "index" } else { name };
        let parts = folder.split('/').chain([name]).filter(|part| !part.is_empty());
        Some(parts.map(gitbook_slug).collect::<Vec<_>>().join("/"))
    }

    /// The former addresses of a page.
    pub(super) fn redirects_to<'s>(&'s self, own: &str) -> impl Iterator<Item = String> + use<'s> {
        let stem = own.strip_suffix(".md").unwrap_or(own).to_owned();
        let leads_here = move |to: &str| {
            let to = to.trim_start_matches("./").trim_start_matches('/');
            to.strip_suffix(".md") == Some(stem.as_str())
        };
        let from = self.redirects.iter().filter(move |(_, to)| leads_here(to));
        from.map(|(from, _)| from.trim_matches('/').to_owned())
    }
}

/// A name in an address: lower case, with hyphens for what is neither letter nor digit, dot nor underscore.
fn gitbook_slug(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    for c in name.chars() {
        if c.is_alphanumeric() || matches!(c, '.' | '_') {
            out.extend(c.to_lowercase());
        } else if !out.is_empty() && !out.ends_with('-') {
            out.push('-');
        }
    }
    let trimmed = out.trim_end_matches('-');
    if trimmed.is_empty() { name.to_owned() } else { trimmed.to_owned() }
}

/// The file that an entry of the list names; `None` if it leads elsewhere.
pub(super) fn summary_entry_path(folder: &str, target: &str) -> Option<String> {
    let target = target.split(['#', '?']).next().filter(|target| !target.is_empty() && !target.contains("://"))?;
    path_in_source_root(folder, &percent_decode_str(target).decode_utf8().ok()?)
}

/// The values of `vars.yaml`, by name.
pub(super) fn parse_vars(text: &str) -> Vec<(String, String)> {
    let entries = parse_yaml(text, true).unwrap_or_default();
    entries.into_iter().filter_map(|entry| Some((entry.key, entry.value.as_text()?.to_owned()))).collect()
}

/// Says which entries of the list of contents stand for pages that GitBook makes.
pub(super) fn tell_generated_entries(list: &str, text: &str, problems: &mut LoadProblems) {
    for (line, number) in text.lines().zip(1..) {
        let Some(kind) = line.trim().strip_prefix("type:").map(str::trim).filter(|kind| kind.starts_with("builtin:"))
        else {
            continue;
        };
        let message = format!("the pages of an entry of `{kind}` are left out: GitBook makes them of a description");
        let hint = "write the pages out as files, or export the description as a site of its own";
        let column = u32::try_from(line.len() - line.trim_start().len()).unwrap_or(0) + 1;
        problems.found.push(Diagnostic::new("page-template", message).at(list, number, column).hint(hint));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_read() {
        let read = GitBookSettings::read(
            "root: ./docs/\nstructure:\n  readme: ./intro.md\n  summary: contents.md\nredirects:\n  old/page: new.md\n",
        );
        assert_eq!(
            (read.folder.as_str(), read.list.as_str(), read.address("intro.md", false).as_deref()),
            ("docs", "contents.md", Some("index"))
        );
        assert_eq!(read.redirects_to("new.md").collect::<Vec<_>>(), ["old/page"]);
    }

    #[test]
    fn addresses_are_slugs() {
        let of = |path: &str| GitBookSettings::read("").address(path, true).unwrap_or_default();
        assert_eq!(of("API Reference/Get_Pets (1).md"), "api-reference/get_pets-1");
        assert_eq!(of("a/README.md"), "a/index");
        assert_eq!(of("changes/v1.2.md"), "changes/v1.2");
        assert_eq!(of("指南/开始.md"), "指南/开始");
        assert_eq!(GitBookSettings::read("").address("A.md", false), None);
    }
}
