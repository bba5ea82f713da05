//! Links of one page: relative URLs, and warnings where a link leads nowhere.

use std::borrow::Cow;
use std::cell::RefCell;

use crate::asset::remote::{AddressSpot, FoundAsset, Requests};
use base::url::{self, relative_url};
use base::{BundlePath, Diagnostic, FileId, LoadKind, PageId, Place};
use load::Site;
use render::{Href, LoadSource, PageResolver};
use site::tree::composed;
use spec::restricted::restricted_link;

use super::anchors::TOP;
use super::{LinkResolver, ResolvedTarget};

/// Resolves for one page, written to one bundle path.
#[derive(Debug)]
pub struct PageLinks<'a> {
    resolver: &'a LinkResolver<'a>,
    page: PageId,
    slug: &'a str,
    path: &'a BundlePath,
    file: Option<FileId>,
    /// Fragments of the page itself that it links to, with the place of the link: they can only be judged when it is
    /// rendered.
    own_fragments: RefCell<Vec<(String, Place)>>,
    /// Pages whose anchors were looked up.
    anchored: RefCell<Vec<PageId>>,
    /// What the page loads from other servers.
    requests: RefCell<Requests>,
}

impl<'a> PageLinks<'a> {
    /// Links of `page` as they are written in the bundle file `path` (its own, or `index.html`).
    pub fn new(resolver: &'a LinkResolver<'a>, page: PageId, path: &'a BundlePath) -> Self {
        let entry = resolver.site.page(page);
        Self {
            resolver,
            page,
            slug: &entry.slug,
            path,
            file: entry.file,
            own_fragments: RefCell::default(),
            anchored: RefCell::default(),
            requests: RefCell::default(),
        }
    }

    /// Takes the list of what the page loads from other servers.
    pub fn take_requests(&self) -> Requests {
        self.requests.take()
    }

    /// Whether pages load pictures from where they are.
    pub fn loads_outside(&self) -> bool {
        self.resolver.remote.is_none_or(|remote| !remote.is_on())
    }

    /// The fragments of the page itself that it links to, and the pages whose anchors it links to.
    pub fn into_fragments(self) -> (Vec<(String, Place)>, Vec<PageId>) {
        (self.own_fragments.into_inner(), self.anchored.into_inner())
    }

    /// How the page that a link leads to is really called, if the link differs from that by case alone.
    fn misspelled(&self, href: &str, page: PageId) -> Option<&'a str> {
        let site = self.resolver.site;
        let slug = site.page(page).slug.as_str();
        let path = decoded_path(href);
        let written = super::strip_extension(path.trim_start_matches(['.', '/']).trim_end_matches('/'));
        // `INDEX.md` is the page `index`, and its file is called like that
        if site.page(page).file.is_some_and(|file| super::strip_extension(site.tree.path(file)).ends_with(written)) {
            return None;
        }
        let end = slug.len().checked_sub(written.len()).and_then(|from| slug.get(from..))?;
        (end != written && end.to_lowercase() == written.to_lowercase()).then_some(slug)
    }

    /// The file that a missing one may be, and why it is another.
    fn meant(&self, src: &str, place: Place) -> Option<String> {
        let name = self.folded_file(src, place)?;
        let is_elsewhere = name.ends_with(decoded_path(src).trim_start_matches(['.', '/']));
        let advice = if is_elsewhere { "correct the path" } else { "on most systems, names are case-sensitive" };
        Some(format!("there is `{name}`: {advice}"))
    }

    /// A file that is called like an address but for case.
    fn folded_file(&self, src: &str, place: Place) -> Option<&'a str> {
        let tree = &self.resolver.site.tree;
        let path = decoded_path(src);
        let file = if place.line == 0 { self.file } else { Some(place.file) };
        let folders = [file.map_or("", |file| super::folder(tree.path(file))), ""];
        let found = folders
            .iter()
            .find_map(|base| tree.find_folded(&super::normalise(if path.starts_with('/') { "" } else { base }, &path)));
        found.map(|file| tree.path(file))
    }

    fn resolve(&self, href: &str, place: Place) -> ResolvedTarget {
        // content that was made, not written, has no place: it belongs to the page
        let file = if place.line == 0 { self.file } else { Some(place.file) };
        self.resolver.resolve(href, file, self.slug)
    }

    fn problem(&self, place: Place, diagnostic: Diagnostic) -> Diagnostic {
        diagnostic.at(self.file_name(place), place.line, place.column)
    }

    fn to_page(&self, target: PageId, query: &str, fragment: &str) -> String {
        let path = self.resolver.path(target).map_or("", |path| path.as_str());
        let mut out = relative_url(self.path.as_str(), path);
        out.push_str(query);
        if !fragment.is_empty() {
            out.push('#');
            out.push_str(&url::encode_fragment(fragment));
        }
        out
    }

    /// The anchor of another page.
    fn anchor(&self, page: PageId, fragment: &str) -> Option<String> {
        let mut anchored = self.anchored.borrow_mut();
        if !anchored.contains(&page) {
            anchored.push(page);
        }
        self.resolver.anchor(page, fragment)
    }

    fn outside(&self, url: String, load: LoadKind, place: Place) -> LoadSource {
        let outside = LoadSource { external: true, url, ..LoadSource::default() };
        let Some(remote) = self.resolver.remote else { return outside };
        let spot = AddressSpot { file: self.file_name(place), line: place.line, column: place.column };
        match remote.look_up(&outside.url, load, spot, &mut self.requests.borrow_mut()) {
            FoundAsset::Off => outside,
            FoundAsset::Absent => LoadSource { absent: true, ..outside },
            FoundAsset::Here { path, fragment, size } => LoadSource {
                url: relative_url(self.path.as_str(), path.as_str()) + &fragment,
                external: false,
                absent: false,
                size,
            },
            // what is made with it is thrown away
            FoundAsset::Pending => LoadSource { external: false, ..outside },
        }
    }

    fn own_fragment(&self, fragment: String, place: Place) -> Href {
        if fragment.is_empty() {
            return Href { url: format!("#{TOP}"), external: false };
        }
        let url = format!("#{}", url::encode_fragment(&fragment));
        self.own_fragments.borrow_mut().push((fragment, place));
        Href { url, external: false }
    }
}

/// The path in an address, decoded.
pub(super) fn decoded_path(src: &str) -> Cow<'_, str> {
    super::decode_percent(src.trim().split(['#', '?']).next().unwrap_or_default())
}

impl PageResolver for PageLinks<'_> {
    fn href(&self, href: &str, place: Place, diagnostics: &mut Vec<Diagnostic>) -> Href {
        match self.resolve(href, place) {
            ResolvedTarget::Page { page, fragment, query }
                if page == self.page && query.is_empty() && !fragment.is_empty() =>
            {
                self.own_fragment(fragment, place)
            }
            ResolvedTarget::Here(fragment) => self.own_fragment(fragment, place),
            ResolvedTarget::Page { page, query, fragment } => {
                if let Some(name) = self.misspelled(href, page) {
                    let message = format!("{} is called `{name}`", quote_address(href));
                    let hint = "write it exactly so: on most systems, names are case-sensitive";
                    diagnostics.push(self.problem(place, Diagnostic::new("link-case", message).hint(hint)));
                }
                let anchor = if fragment.is_empty() { Some(fragment.clone()) } else { self.anchor(page, &fragment) };
                if anchor.is_none() {
                    let message = format!(
                        "{}: the page has no anchor `#{}`",
                        quote_address(href),
                        display_link_address(&fragment)
                    );
                    let hint = "correct the anchor; the link leads to the top of the page";
                    diagnostics.push(self.problem(place, Diagnostic::new("broken-anchor", message).hint(hint)));
                }
                let heading = self.resolver.second_names(page).and_then(|names| names.get(&fragment));
                if let Some(anchor) =
                    heading.or(anchor.as_ref()).filter(|anchor| is_repaired(self.resolver.site, &fragment, anchor))
                {
                    diagnostics.push(self.problem(place, repaired_anchor(&quote_address(href), anchor)));
                }
                Href { url: self.to_page(page, &query, &anchor.unwrap_or_default()), external: false }
            }
            ResolvedTarget::Asset(file) => {
                self.resolver.assets.mark_used(file);
                Href {
                    url: relative_url(self.path.as_str(), self.resolver.assets.path(file).as_str()),
                    external: false,
                }
            }
            ResolvedTarget::Generated(path) => {
                Href { url: relative_url(self.path.as_str(), path.as_str()), external: false }
            }
            ResolvedTarget::Outside(url) | ResolvedTarget::Other(url) => Href { url, external: true },
            ResolvedTarget::Refused => {
                let message = format!("{} is not an allowed link", quote_address(href));
                diagnostics.push(self.problem(
                    place,
                    Diagnostic::new("refused-link", message).hint("use a page, a file or an `https` address"),
                ));
                Href::default()
            }
            ResolvedTarget::Restricted => {
                diagnostics.push(self.problem(place, restricted_link(&quote_address(href))));
                Href::default()
            }
            ResolvedTarget::Missing => {
                if !href.trim().is_empty() {
                    let message = format!("{} leads to no page or file", quote_address(href));
                    diagnostics.push(
                        self.problem(place, Diagnostic::new("broken-link", message).hint(self.resolver.advice(href))),
                    );
                }
                Href::default()
            }
        }
    }

    fn source(&self, src: &str, load: LoadKind, place: Place, diagnostics: &mut Vec<Diagnostic>) -> LoadSource {
        if src.trim_start().to_ascii_lowercase().starts_with("data:image/") {
            return LoadSource { url: src.trim().to_owned(), ..LoadSource::default() };
        }
        match self.resolve(src, place) {
            ResolvedTarget::Asset(file) => {
                self.resolver.assets.mark_used(file);
                let url = relative_url(self.path.as_str(), self.resolver.assets.path(file).as_str());
                LoadSource { url, size: self.resolver.assets.size(file), ..LoadSource::default() }
            }
            ResolvedTarget::Outside(url) => self.outside(url, load, place),
            ResolvedTarget::Missing | ResolvedTarget::Restricted => {
                let message = format!("the file {} does not exist", quote_address(src));
                let hint = self.meant(src, place).unwrap_or_else(|| "correct the path, or add the file".to_owned());
                diagnostics.push(self.problem(place, Diagnostic::new("missing-file", message).hint(hint)));
                LoadSource::default()
            }
            _ => {
                let message = format!("{} is not an allowed file", quote_address(src));
                diagnostics.push(
                    self.problem(place, Diagnostic::new("refused-link", message).hint("use a file of the source")),
                );
                LoadSource::default()
            }
        }
    }

    fn file_text(&self, path: &str, place: Place) -> Option<String> {
        match self.resolve(path, place) {
            ResolvedTarget::Asset(file) => self.resolver.site.tree.read_text(file, u64::MAX).ok(),
            ResolvedTarget::Outside(url) => self.resolver.remote?.drawing(
                &url,
                AddressSpot { file: self.file_name(place), line: place.line, column: place.column },
                &mut self.requests.borrow_mut(),
            ),
            _ => None,
        }
    }

    fn file_name(&self, place: Place) -> String {
        match (place.line, self.file) {
            (0, Some(file)) => self.resolver.site.tree.path(file).to_owned(),
            (0, None) => self.slug.to_owned(),
            _ => self.resolver.site.tree.path(place.file).to_owned(),
        }
    }
}

/// Whether an anchor that was found for a fragment is another than that which it names. Other tools have anchors of their
/// own beside those of headings, which are called otherwise here.
pub fn is_repaired(site: &Site, fragment: &str, anchor: &str) -> bool {
    // the author's part of what GitHub shows, and a part of what another tool makes
    let fragment = fragment.strip_prefix("user-content-").unwrap_or(fragment);
    let is_around = fragment.strip_prefix(anchor).is_some_and(|rest| rest.starts_with('.'));
    site.project.is_none() && anchor != TOP && !is_around && composed(fragment) != composed(anchor)
}

/// Says that a link, as a message names it, leads to an anchor that is called otherwise.
pub fn repaired_anchor(link: &str, anchor: &str) -> Diagnostic {
    let message = format!("{link} leads nowhere: the anchor is `#{}`", display_link_address(anchor));
    Diagnostic::new("link-anchor", message).hint("write it exactly so: other programs do not correct it")
}

/// An address in the quotes of a message, which it may hold itself.
fn quote_address(address: &str) -> String {
    let shown = display_link_address(address);
    if shown.contains('`') { format!("`` {shown} ``") } else { format!("`{shown}`") }
}

/// An address for a message: one line, not too long.
pub(super) fn display_link_address(address: &str) -> String {
    const MAX_SHOWN_CHARS: usize = 120;
    let line = address.trim().chars().map(|c| if c.is_control() { ' ' } else { c });
    let mut out: String = line.clone().take(MAX_SHOWN_CHARS).collect();
    if line.count() > MAX_SHOWN_CHARS {
        out.push('…');
    }
    out
}
