//! The posts of the plugin `blog`: their addresses and their order.

use base::cut::SliceText as _;
use base::{PageId, time};
use load::Site;
use load::tool::{PageSource, ToolInput};
use site::python_slug::{PythonCase, PythonSlug};
use site::yaml::{Yaml, parse_yaml};

use super::config::{MkDocsConfig, flag_of, yaml_at_path, yaml_text};

/// When a post was written.
pub(super) const DATE: &str = "mkdocs-date";

/// A blog.
#[derive(Clone, Debug)]
pub(super) struct MkDocsBlog {
    /// Its folder below that of the pages; empty for the whole site.
    pub(super) folder: String,
    posts: String,
    url: String,
    date: String,
    names: Vec<(String, String)>,
}

/// A post.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Post {
    pub(super) address: String,
    pub(super) date: String,
}

impl MkDocsBlog {
    /// The blog of a configuration, if it has one.
    pub(super) fn all(options: &MkDocsConfig, source: &ToolInput<'_>) -> Vec<Self> {
        let Some(plugin) = options.plugin("blog") else { return Vec::new() };
        let text = |key: &str, default: &str| {
            yaml_at_path(plugin, &[key]).and_then(yaml_text).unwrap_or_else(|| default.to_owned())
        };
        let folder = text("blog_dir", "blog").trim_matches(['.', '/']).to_owned();
        let posts = text("post_dir", "{blog}/posts").replace("{blog}", &folder).trim_matches('/').to_owned();
        let authors = text("authors_file", "{blog}/.authors.yml").replace("{blog}", &folder);
        let authors = [options.pages.as_str(), authors.trim_start_matches('/')].join("/");
        vec![Self {
            folder,
            posts,
            url: text("post_url_format", "{date}/{slug}"),
            date: text("post_url_date_format", "yyyy/MM/dd"),
            names: source.text(authors.trim_start_matches('/')).map(|text| author_names(&text)).unwrap_or_default(),
        }]
    }

    /// The path of a post below the folder of posts.
    fn rest<'p>(&self, stem: &'p str) -> Option<&'p str> {
        stem.strip_prefix(self.posts.as_str())?.strip_prefix('/')
    }

    /// Whether a page is a post.
    pub(super) fn has(&self, stem: &str) -> bool {
        self.rest(stem).is_some()
    }

    /// What is known of a post; `None` if the page is none.
    pub(super) fn post(&self, stem: &str, source: &PageSource<'_>) -> Option<Post> {
        let rest = self.rest(stem)?;
        let date = date_of(source.value("date"))?;
        let title = source.text("title").map(str::to_owned).or_else(|| first_heading(source.body));
        let slug = source.text("slug").map(str::to_owned).unwrap_or_else(|| {
            let title = title.unwrap_or_else(|| rest.rsplit('/').next().unwrap_or(rest).to_owned());
            PythonSlug::Spaces(PythonCase::Lower).of(&title)
        });
        let category = match source.value("categories") {
            Some(Yaml::List(list)) => list.first().and_then(yaml_text).unwrap_or_default(),
            _ => String::new(),
        };
        let url = self
            .url
            .replace("{date}", &formatted(&self.date, &date))
            .replace("{slug}", slug.trim_matches('/'))
            .replace("{file}", rest.rsplit('/').next().unwrap_or(rest))
            .replace("{categories}", &PythonSlug::Spaces(PythonCase::Lower).of(&category));
        let parts: Vec<&str> = self.folder.split('/').chain(url.split('/')).filter(|part| !part.is_empty()).collect();
        Some(Post { address: parts.join("/"), date })
    }

    /// The address of the list of posts.
    pub(super) fn index(&self) -> String {
        if self.folder.is_empty() { "index".to_owned() } else { format!("{}/index", self.folder) }
    }

    /// The posts of a site, the latest first.
    pub(super) fn posts(&self, site: &Site) -> Vec<PageId> {
        let date = |page: PageId| {
            site.page(page)
                .meta
                .extra
                .iter()
                .find(|(key, _)| *key == DATE)
                .map(|(_, date)| date.as_str())
                .unwrap_or_default()
        };
        let prefix = if self.folder.is_empty() { String::new() } else { format!("{}/", self.folder) };
        let mut posts: Vec<PageId> = site
            .iter()
            .filter(|(id, page)| page.slug.starts_with(&prefix) && !date(*id).is_empty())
            .map(|(id, _)| id)
            .collect();
        posts.sort_by(|a, b| date(*b).cmp(date(*a)).then_with(|| site.page(*a).slug.cmp(&site.page(*b).slug)));
        posts
    }

    /// The line below the title of a post: its day and its authors.
    pub(super) fn byline(&self, whole: &str) -> Option<String> {
        let split = site::front_matter::split_front_matter(whole);
        let entries = parse_yaml(split.block, true).unwrap_or_default();
        let value = |key: &str| entries.iter().find(|entry| entry.key == key).map(|entry| &entry.value);
        let date = date_of(value("date")).map(|date| mkdocs_long_date(&date));
        let authors: Vec<String> = match value("authors") {
            Some(Yaml::List(list)) => list.iter().filter_map(yaml_text).map(|key| self.name(&key)).collect(),
            _ => Vec::new(),
        };
        let parts: Vec<String> = date.into_iter().chain(authors).collect();
        (!parts.is_empty()).then(|| parts.join(" · ").replace(['<', '{', '_', '*'], " "))
    }

    fn name(&self, key: &str) -> String {
        self.names.iter().find(|(known, _)| known == key).map_or_else(|| key.to_owned(), |(_, name)| name.clone())
    }
}

/// Whether a page is not published yet.
pub(super) fn is_draft(source: &PageSource<'_>) -> bool {
    source.value("draft").and_then(flag_of) == Some(true)
}

/// Names of authors by their keys.
fn author_names(text: &str) -> Vec<(String, String)> {
    let entries = parse_yaml(text, true).unwrap_or_default();
    let Some(entry) = entries.into_iter().find(|entry| entry.key == "authors") else { return Vec::new() };
    let Yaml::Map(members) = entry.value else { return Vec::new() };
    members
        .into_iter()
        .filter_map(|(key, value)| Some((key, yaml_at_path(&value, &["name"]).and_then(yaml_text)?)))
        .collect()
}

/// The day of a value: `2024-01-02`, `2024-01-02 10:00`, or `created` of several.
fn date_of(value: Option<&Yaml>) -> Option<String> {
    let text = match value? {
        Yaml::Map(_) => yaml_at_path(value?, &["created"]).and_then(yaml_text)?,
        value => yaml_text(value)?,
    };
    let day: String = text.chars().take(10).collect();
    let is_day = day.len() == 10
        && day
            .bytes()
            .enumerate()
            .all(|(at, byte)| if matches!(at, 4 | 7) { byte == b'-' } else { byte.is_ascii_digit() });
    is_day.then_some(day)
}

/// A day as a pattern of Babel says it.
fn formatted(pattern: &str, date: &str) -> String {
    let (year, month, day) = (date.slice(..4), date.slice(5..7), date.slice(8..10));
    let mut out = String::new();
    let mut rest = pattern;
    while let Some(c) = rest.chars().next() {
        let count = rest.chars().take_while(|other| *other == c).count();
        let bare = |text: &str| text.trim_start_matches('0').to_owned();
        match (c, count) {
            ('y', 2) => out.push_str(year.slice(2..)),
            ('y', _) => out.push_str(year),
            ('M', 1) => out.push_str(&bare(month)),
            ('M', _) => out.push_str(month),
            ('d', 1) => out.push_str(&bare(day)),
            ('d', _) => out.push_str(day),
            (c, count) => out.extend(std::iter::repeat_n(c, count)),
        }
        rest = rest.slice(c.len_utf8() * count..);
    }
    out
}

/// `June 4, 2025`
pub(super) fn mkdocs_long_date(date: &str) -> String {
    let month = date.get(5..7).and_then(|month| month.parse().ok());
    month
        .and_then(|month| time::format_long_date(date.get(..4)?, month, date.get(8..10)?.trim_start_matches('0')))
        .unwrap_or_else(|| date.to_owned())
}

/// The words of the first heading of a text.
fn first_heading(body: &str) -> Option<String> {
    let line = body.lines().find(|line| line.starts_with("# "))?;
    Some(line.slice(2..).split(" {").next().unwrap_or_default().replace(['`', '*'], "").trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_have_forms() {
        assert_eq!(formatted("yyyy/MM/dd", "2021-09-03"), "2021/09/03");
        assert_eq!(formatted("yy-M-d", "2021-09-03"), "21-9-3");
        assert_eq!(mkdocs_long_date("2021-09-03"), "September 3, 2021");
        let created = Yaml::Map(vec![("created".to_owned(), Yaml::Text("2021-09-03 10:00".to_owned()))]);
        assert_eq!(date_of(Some(&created)).as_deref(), Some("2021-09-03"));
        assert_eq!(date_of(Some(&Yaml::Text("soon".to_owned()))), None);
        assert_eq!(first_heading("x\n# A `b` { #c }\n").as_deref(), Some("A b"));
    }
}
