//! Addresses in raw HTML, which MkDocs leaves as they are: they lead from the address of the built page, not from its
//! file.

use base::cut::SliceText as _;
use load::tool::RenderedText;
use site::tree;

use super::MkDocsSettings;

/// A tag whose addresses lead from the root, where they lead to a page or a file.
pub(super) fn of_tag(settings: &MkDocsSettings, text: &RenderedText<'_>, tag: &str) -> String {
    let mut out = String::with_capacity(tag.len());
    let mut rest = tag;
    while let Some((at, name)) =
        [" src=", " href=", " poster=", " data="].iter().filter_map(|name| Some((rest.find(name)?, name))).min()
    {
        let start = at + name.len();
        let value = rest.slice(start..);
        let quote = value.chars().next().filter(|c| matches!(c, '"' | '\''));
        let Some(quote) = quote else {
            out.push_str(rest.slice(..start));
            rest = value;
            continue;
        };
        let Some((address, after)) = value.slice(1..).split_once(quote) else { break };
        out.push_str(rest.slice(..start));
        out.push(quote);
        out.push_str(&from_root(settings, text, address).unwrap_or_else(|| address.to_owned()));
        out.push(quote);
        rest = after;
    }
    out.push_str(rest);
    out
}

/// An address that leads from that of a page, from the root; `None` if nothing is there.
fn from_root(settings: &MkDocsSettings, text: &RenderedText<'_>, address: &str) -> Option<String> {
    let is_relative = !address.is_empty() && !address.starts_with(['/', '#', '?']) && !address.contains(':');
    let end = address.find(['#', '?']).unwrap_or(address.len());
    let path = address.slice(..end);
    if !is_relative || path.ends_with(".md") {
        return None;
    }
    let slug = text.slug;
    let folder = match slug.strip_suffix("index").filter(|folder| folder.is_empty() || folder.ends_with('/')) {
        Some(folder) => folder.trim_end_matches('/'),
        None if settings.options.flag(&["use_directory_urls"]) == Some(false) => tree::folder(slug),
        None => slug,
    };
    let found = tree::join_document_path(folder, path)?;
    let file = [settings.options.pages.as_str(), found.as_str()].join("/");
    let bare = found.trim_end_matches('/').trim_end_matches(".html");
    let is_there = text.site.tree.find(file.trim_start_matches('/')).is_some()
        || text.site.find_page(bare).is_some()
        || text.site.find_page(format!("{bare}/index").trim_start_matches('/')).is_some();
    is_there.then(|| format!("/{}{}", found.trim_end_matches('/'), address.slice(end..)))
}
