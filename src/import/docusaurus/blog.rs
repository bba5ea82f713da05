//! Posts: their dates, addresses and authors.

use base::cut::SliceText as _;
use base::{PageId, time};
use load::Site;
use load::tool::{PageFacts, PageSource};
use site::yaml::{Yaml, parse_yaml};

use super::DocusaurusSettings;
use super::plugins::{FolderKind, join_address};

/// When a post was written.
const DATE: &str = "docusaurus-date";

/// The day in a path: `2024-01-02-name`, `2024-01-02/index`, `2024/01/02/name`; what stands before and behind it.
fn day_in(path: &str) -> Option<(&str, String, &str)> {
    let is_start = |at: usize| at == 0 || !path.as_bytes()[at - 1].is_ascii_digit();
    for (at, _) in path.char_indices().filter(|(at, _)| is_start(*at)) {
        let mut rest = path.slice(at..);
        let mut numbers: Vec<&str> = Vec::new();
        for (place, most) in [4, 2, 2].into_iter().enumerate() {
            let length = rest.bytes().take(most).take_while(u8::is_ascii_digit).count();
            if length == 0 || place == 0 && length < 4 {
                break;
            }
            numbers.push(rest.slice(..length));
            rest = rest.slice(length..);
            if place < 2 {
                match rest.strip_prefix(['-', '/']) {
                    Some(behind) => rest = behind,
                    None => break,
                }
            }
        }
        if let [year, month, day] = numbers.as_slice() {
            return Some((
                path.slice(..at),
                format!("{year}-{month:0>2}-{day:0>2}"),
                rest.strip_prefix(['-', '/']).unwrap_or(rest),
            ));
        }
    }
    None
}

/// The address of a post below its blog.
pub(super) fn post_address(source: &PageSource<'_>, rest: &str, facts: &mut PageFacts) -> String {
    let stem = rest.rsplit_once('.').map_or(rest, |(stem, _)| stem);
    let stem = stem.strip_suffix("/index").unwrap_or(stem);
    let found = day_in(stem);
    let date = source.text("date").map(|date| date.chars().take(10).collect::<String>());
    let date = date.or_else(|| found.as_ref().map(|(_, date, _)| date.clone())).unwrap_or_default();
    facts.meta.extra.push((DATE, date));
    if !facts.meta.title_given {
        let name = found.as_ref().map_or(stem, |(_, _, name)| name);
        let has_title = source.body.lines().any(|line| line.starts_with("# "));
        if !has_title {
            (facts.meta.title, facts.meta.title_given) = (name.rsplit('/').next().unwrap_or(name).to_owned(), true);
        }
    }
    match (source.text("slug"), found) {
        (Some(slug), _) => slug.trim_matches('/').to_owned(),
        (None, Some((before, date, name))) => join_address(&[&date.replace('-', "/"), before, name]),
        (None, None) => stem.to_owned(),
    }
}

/// The line below the title of a post: its day and its authors. `whole` is the text with its front matter.
pub(super) fn byline(settings: &DocusaurusSettings, path: &str, whole: &str) -> Option<String> {
    let folder = settings.folder_of(path)?;
    let FolderKind::Blog(number) = folder.kind else { return None };
    let split = site::front_matter::split_front_matter(whole);
    let entries = parse_yaml(split.block, true).unwrap_or_default();
    let source = PageSource { path, entries: &entries, body: "" };
    let date = source.text("date").map(|date| date.chars().take(10).collect::<String>());
    let date = date.or_else(|| day_in(folder.rest(path)?).map(|(_, date, _)| date));
    let known = |key: &str| {
        let found = settings.blogs[number].authors.iter().find(|(known, _)| known == key);
        found.map_or_else(|| key.to_owned(), |(_, name)| name.clone())
    };
    let of = |value: &Yaml| match value {
        Yaml::Text(key) => Some(known(key)),
        value => {
            let member = |name: &str| value.member(name).and_then(Yaml::as_text);
            member("name").map(str::to_owned).or_else(|| member("key").map(known))
        }
    };
    let mut names: Vec<String> = Vec::new();
    for entry in entries.iter().filter(|entry| matches!(entry.key.as_str(), "authors" | "author")) {
        match &entry.value {
            Yaml::List(list) => names.extend(list.iter().filter_map(of)),
            value => names.extend(of(value)),
        }
    }
    let parts: Vec<String> = date.iter().map(|date| docusaurus_long_date(date)).chain(names).collect();
    (!parts.is_empty()).then(|| parts.join(" · ").replace(['<', '{', '_', '*'], " "))
}

/// `June 4, 2025`
pub(super) fn docusaurus_long_date(date: &str) -> String {
    let mut parts = date.split('-');
    let (year, month, day) = (parts.next(), parts.next(), parts.next());
    let month = month.and_then(|month| month.parse().ok());
    match (year, month, day.map(|day| day.trim_start_matches('0'))) {
        (Some(year), Some(month), Some(day)) => {
            time::format_long_date(year, month, day).unwrap_or_else(|| date.to_owned())
        }
        _ => date.to_owned(),
    }
}

/// The posts of a blog in a language, the latest first.
pub(super) fn posts(settings: &DocusaurusSettings, site: &Site, blog: usize, locale: usize) -> Vec<(String, PageId)> {
    let mut posts: Vec<(String, PageId)> = Vec::new();
    for (id, page) in site.iter() {
        let Some(file) = page.file else { continue };
        let Some(folder) = settings.folder_of(site.tree.path(file)) else { continue };
        let is_own = settings.locale_of(&page.slug) == locale;
        if folder.kind == FolderKind::Blog(blog) && is_own && page.meta.hidden != Some(true) {
            let date = page.meta.extra.iter().find(|(key, _)| *key == DATE).map(|(_, date)| date.clone());
            posts.push((date.unwrap_or_default(), id));
        }
    }
    posts.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| site.page(a.1).slug.cmp(&site.page(b.1).slug)));
    posts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_stand_in_paths() {
        let day = |path: &str| day_in(path).map(|(before, date, name)| format!("{before}|{date}|{name}"));
        assert_eq!(day("2024-01-02-hello").as_deref(), Some("|2024-01-02|hello"));
        assert_eq!(day("2024-1-2").as_deref(), Some("|2024-01-02|"));
        assert_eq!(day("news/2024/01/02/hello").as_deref(), Some("news/|2024-01-02|hello"));
        assert_eq!((day("hello"), day("v12-2")), (None, None));
        assert_eq!(docusaurus_long_date("2025-06-04"), "June 4, 2025");
    }
}
