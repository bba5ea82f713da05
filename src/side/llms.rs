//! `llms.txt`: the pages of the default language and version with what they are about, as a list for models.

use std::fmt::Write as _;

use rayon::prelude::*;

use base::{Description, FileId, PageId, limits, url};
use frame::link::ResolvedTarget;
use nav::NodeKind;

use super::SiteContext;
use super::markdown::{collapse_whitespace, markdown_link_destination};
use super::markdown_page::instructions;

/// Longest list, characters.
const MAX_CHARS: usize = 100_000;
/// Longest description, characters, and what it is cut to while the list is too long.
const DESCRIPTION: [usize; 4] = [300, 150, 60, 0];

/// The pages in it, in order.
pub fn pages(source: &SiteContext<'_>) -> Vec<PageId> {
    source.pages(|page| page.visibility.llms)
}

/// The whole file.
pub fn llms_file(source: &SiteContext<'_>) -> String {
    let head = llms_head(source);
    let foot = foot(source);
    let entries: Vec<(String, String)> = pages(source).into_par_iter().map(|page| llms_entry(source, page)).collect();
    let mut out = head;
    if !entries.is_empty() {
        out.push_str("\n## Docs\n\n");
    }
    let room = MAX_CHARS.saturating_sub(character_count(&out) + character_count(&foot));
    write_llms_list(&mut out, &entries, room);
    out.push_str(&foot);
    out
}

fn character_count(text: &str) -> usize {
    text.chars().count()
}

fn llms_head(source: &SiteContext<'_>) -> String {
    let config = &source.site.config;
    let mut out = format!("# {}\n", collapse_whitespace(&config.name));
    if let Some(description) = &config.description {
        let _ = write!(out, "\n> {}\n", collapse_whitespace(description.words()));
    }
    let instructions = instructions(&config.markdown.instructions);
    if !instructions.is_empty() {
        let _ = write!(out, "\n{instructions}");
    }
    out
}

/// A page's link and its description, of which only the first paragraph is used.
fn llms_entry(source: &SiteContext<'_>, page: PageId) -> (String, String) {
    let meta = &source.page(page).meta;
    let lead = meta.description.as_ref().map_or("", Description::lead);
    (llms_link(&meta.title, &source.twin_url(page)), collapse_whitespace(lead).into_owned())
}

fn llms_link(title: &str, address: &str) -> String {
    format!(
        "- [{}]({})",
        collapse_whitespace(title).replace('[', "\\[").replace(']', "\\]"),
        markdown_link_destination(address)
    )
}

/// Appends what has room: with shorter descriptions if need be, then without the last pages.
fn write_llms_list(out: &mut String, entries: &[(String, String)], room: usize) {
    let lengths: Vec<(usize, usize)> =
        entries.iter().map(|(link, text)| (character_count(link) + 1, character_count(text))).collect();
    let with = |limit: usize, (link, text): (usize, usize)| {
        link + if text == 0 || limit == 0 { 0 } else { 2 + text.min(limit) }
    };
    let total = |limit: usize| lengths.iter().map(|entry| with(limit, *entry)).sum::<usize>();
    let limit = DESCRIPTION.into_iter().find(|limit| total(*limit) <= room).unwrap_or(0);
    let fits = total(limit) <= room;
    // room for the note
    let room = if fits { room } else { room.saturating_sub(120) };
    let mut used = 0;
    for (index, (link, text)) in entries.iter().enumerate() {
        used += with(limit, lengths[index]);
        if used > room {
            let _ = writeln!(
                out,
                "\n{} more pages are omitted here; `llms-full.txt` has all pages.",
                entries.len() - index
            );
            return;
        }
        out.push_str(link);
        if !text.is_empty() && limit > 0 {
            let _ = write!(out, ": {}", shorten_description(text, limit));
        }
        out.push('\n');
    }
}

/// At most so many characters, the last of them a sign that there were more.
fn shorten_description(text: &str, limit: usize) -> String {
    if character_count(text) <= limit {
        return text.to_owned();
    }
    let shortened: String = text.chars().take(limit - 1).collect();
    format!("{}…", shortened.trim_end())
}

/// API descriptions, and where the navigation leads outside.
fn foot(source: &SiteContext<'_>) -> String {
    let mut out = String::new();
    let (asynchronous, synchronous): (Vec<FileId>, Vec<FileId>) =
        source.site.specs.iter().partition(|file| is_async(source, **file));
    for (title, files) in [("OpenAPI Specs", synchronous), ("AsyncAPI Specs", asynchronous)] {
        let published = files.into_iter().filter(|file| source.resolver.assets.is_asset(*file));
        let mut listed: Vec<String> = Vec::new();
        for line in published.map(|file| spec(source, file)) {
            // two addresses may give the same
            if !listed.contains(&line) {
                listed.push(line);
            }
        }
        section(&mut out, title, &listed);
    }
    let mut optional: Vec<String> = Vec::new();
    for (id, node) in source.navigation.iter() {
        let hidden =
            node.hidden || source.navigation.ancestors(id).iter().any(|above| source.navigation.node(*above).hidden);
        let Some(href) =
            node.href.as_deref().filter(|_| !hidden && (node.kind == NodeKind::Link || node.children.is_empty()))
        else {
            continue;
        };
        if let ResolvedTarget::Outside(address) = source.resolver.resolve(href, None, "")
            && address.starts_with("http")
        {
            let line = llms_link(&node.label, &address);
            if !optional.contains(&line) {
                optional.push(line);
            }
        }
    }
    section(&mut out, "Optional", &optional);
    out
}

fn section(out: &mut String, title: &str, lines: &[String]) {
    if !lines.is_empty() {
        let _ = write!(out, "\n## {title}\n\n{}\n", lines.join("\n"));
    }
}

fn spec(source: &SiteContext<'_>, file: FileId) -> String {
    let path = source.resolver.assets.path(file).as_str();
    let name =
        source.site.tree.fetched_file(file).map_or(path, |fetched| {
            fetched.address().split(['?', '#']).next().unwrap_or_default().trim_end_matches('/')
        });
    let name = name.rsplit('/').next().unwrap_or(name);
    let name = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    llms_link(name, &source.file_url(&url::encode_path(path)))
}

/// Whether a description is one of channels: its first lines say so.
fn is_async(source: &SiteContext<'_>, file: FileId) -> bool {
    let text = source.site.tree.read_text(file, limits::DESCRIPTION_BYTES).unwrap_or_default();
    let has = |key: &[u8]| memchr::memmem::find(text.as_bytes(), key).is_some();
    text.starts_with("asyncapi:")
        || has(b"\nasyncapi:")
        || (has(b"\"asyncapi\"") && !has(b"\"openapi\"") && !has(b"\nopenapi:"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(pages: usize, description: usize, room: usize, expect: (usize, usize, bool)) {
        let entries: Vec<(String, String)> =
            (0..pages).map(|page| (llms_link(&format!("Page {page}"), "p.md"), "d".repeat(description))).collect();
        let mut out = String::new();
        write_llms_list(&mut out, &entries, room);
        assert!(character_count(&out) <= room, "{} of {room}", character_count(&out));
        let lines: Vec<&str> = out.lines().filter(|line| line.starts_with("- ")).collect();
        let longest =
            lines.iter().map(|line| line.chars().filter(|c| matches!(c, 'd' | '…')).count() - 1).max().unwrap_or(0);
        assert_eq!((lines.len(), longest, out.contains("more pages")), expect);
    }

    #[test]
    fn descriptions_give_way_before_pages_do() {
        check(10, 100, 100_000, (10, 100, false));
        check(10, 900, 100_000, (10, 300, false));
        check(10, 900, 2_000, (10, 150, false));
        check(10, 900, 300, (10, 0, false));
        check(1_000, 900, 2_000, (104, 0, true));
        check(0, 0, 0, (0, 0, false));
    }

    #[test]
    fn titles_cannot_close_their_link() {
        assert_eq!(llms_link("a] [b", "x (1).md"), "- [a\\] \\[b](<x (1).md>)");
    }
}
