//! `_offprint/contents.html` and its parts: every page of the navigation by plain links.

use rayon::prelude::*;
use serde::Serialize;
use tera::Context;

use super::fragment::ROOT;
use super::language::own_name;
use super::structure::Branch;
use super::theme_file::ThemeFile;
use super::{SiteTheme, page, template_failed};
use base::BundlePath;
use nav::NodeKind;
use templates::words;

/// Most entries of one file.
const MAX_FILE_ENTRIES: usize = 500;

/// The page with the beginning of the list.
pub(super) const PATH: &str = "_offprint/contents.html";

#[derive(Serialize)]
struct ContentsLine {
    label: String,
    url: Option<String>,
    /// Lines below it follow.
    opens: bool,
    /// Tags of the lists that end behind it.
    end: String,
    /// Holds more lines than should stand in one column.
    is_long: bool,
}

#[derive(Serialize)]
struct ContentsSection {
    title: String,
    /// Another file of the list, if the section has one.
    url: Option<String>,
    lines: Vec<ContentsLine>,
}

/// Writes the list: on one page if it is short, else a page per branch or block of a branch.
pub(super) fn build_contents(theme: &SiteTheme<'_>) -> Vec<ThemeFile> {
    let branches = &theme.structure.branches;
    let total: usize = branches.iter().map(|branch| branch.entries.len()).sum();
    let mut parts = Vec::new();
    let mut sections = Vec::new();
    for (index, branch) in branches.iter().enumerate().filter(|(_, branch)| !branch.entries.is_empty()) {
        let name = branch_name(theme, branch);
        if total <= MAX_FILE_ENTRIES {
            sections.push(ContentsSection {
                title: name,
                url: None,
                lines: lines(theme, branch, 0, branch.entries.len()),
            });
            continue;
        }
        let blocks = branch.entries.len().div_ceil(MAX_FILE_ENTRIES);
        for block in 0..blocks {
            let title = if blocks == 1 { name.clone() } else { format!("{name} ({} / {blocks})", block + 1) };
            let path = format!("_offprint/contents-{index}-{}.html", block + 1);
            sections.push(ContentsSection {
                title: title.clone(),
                url: Some(path.trim_start_matches("_offprint/").to_owned()),
                lines: Vec::new(),
            });
            parts.push((index, block, title, path));
        }
    }
    let part = |(index, block, title, path): (usize, usize, String, String)| {
        let branch = &branches[index];
        let (from, to) = (block * MAX_FILE_ENTRIES, ((block + 1) * MAX_FILE_ENTRIES).min(branch.entries.len()));
        let list = [ContentsSection { title: String::new(), url: None, lines: lines(theme, branch, from, to) }];
        contents_file(theme, &path, u32::try_from(index).unwrap_or(0), &title, &list)
    };
    let mut files: Vec<ThemeFile> = parts.into_par_iter().map(part).collect();
    let home = theme
        .source
        .navigation
        .home
        .map_or(0, |page| theme.structure.spots.get(page.0 as usize).map_or(0, |spot| spot.branch));
    let words = &words::for_language(&theme.chromes[home as usize].lang).frame;
    files.push(contents_file(theme, PATH, home, words.all_pages, &sections));
    files
}

/// The names of a branch's divisions.
fn branch_name(theme: &SiteTheme<'_>, branch: &Branch) -> String {
    let labels: Vec<&str> = branch
        .chain
        .iter()
        .map(|id| theme.source.node(*id))
        .map(|node| if node.kind == NodeKind::Language { own_name(&node.key) } else { node.label.as_str() })
        .filter(|label| !label.is_empty())
        .collect();
    if labels.is_empty() { theme.source.config().name.clone() } else { labels.join(" · ") }
}

/// Most lines of an outermost group that are kept together.
const MAX_GROUP_LINES: usize = 24;

/// How deep each line stands below the outermost ones shown: a part of a list may begin within a group.
fn levels(depths: impl Iterator<Item = u32>) -> Vec<usize> {
    let mut above: Vec<u32> = Vec::new();
    depths
        .map(|depth| {
            while above.last().is_some_and(|last| *last >= depth) {
                above.pop();
            }
            above.push(depth);
            above.len() - 1
        })
        .collect()
}

fn lines(theme: &SiteTheme<'_>, branch: &Branch, from: usize, to: usize) -> Vec<ContentsLine> {
    let entries = &branch.entries[from..to];
    let levels = levels(entries.iter().map(|entry| entry.depth.min(6)));
    let line = |(at, entry): (usize, &super::structure::SidebarEntry)| {
        let level = levels[at];
        let rest = &levels[at + 1..];
        let next = rest.first().copied().unwrap_or(0);
        let is_long =
            level == 0 && rest.iter().take(MAX_GROUP_LINES).take_while(|level| **level > 0).count() == MAX_GROUP_LINES;
        let node = theme.source.node(entry.node);
        let url = match &node.href {
            Some(href) if node.kind == NodeKind::Link => {
                theme.source.href(href, "navigation").map(|link| link.url.replace(ROOT, "../"))
            }
            _ => node.page.and_then(|page| theme.source.links.page(page)).map(|url| format!("../{url}")),
        };
        ContentsLine {
            label: node.label.clone(),
            url,
            opens: next > level,
            end: "</ul></li>".repeat(level.saturating_sub(next)),
            is_long,
        }
    };
    entries.iter().enumerate().map(line).collect()
}

fn contents_file(
    theme: &SiteTheme<'_>,
    path: &str,
    branch: u32,
    title: &str,
    sections: &[ContentsSection],
) -> ThemeFile {
    let mut context = Context::new();
    context.insert("sections", sections);
    let content =
        theme.tera.render("contents.html", &context).unwrap_or_else(|error| template_failed(&theme.source, &error));
    let html = page::render_generated_page(theme, path, branch, title, &content);
    ThemeFile { path: BundlePath::sanitize(path), bytes: html.into_bytes() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_lists_begin_anywhere() {
        let check = |depths: &[u32], expect: &[usize]| assert_eq!(levels(depths.iter().copied()), expect, "{depths:?}");
        check(&[0, 1, 1, 2, 0], &[0, 1, 1, 2, 0]);
        check(&[2, 2, 1, 2, 0], &[0, 0, 0, 1, 0]);
        check(&[0, 3, 1], &[0, 1, 1]);
    }
}
