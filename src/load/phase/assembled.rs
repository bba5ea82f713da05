//! The site is put together: in which order are its pages read?

use rustc_hash::FxHashMap;

use crate::inventory::Inventory;
use crate::loaded_site::Site;
use crate::unconfigured;
use base::{FileId, PageId};
use nav::NamesWithoutPages;
use nav::build::build_navigation;
use nav::draft::NavDraft;
use site::ConfigKind;
use site::config::Config;
use site::fragments::fragments;
use site::json::Json;
use site::page::{PageEntry, UrlPage, unnumbered};
use site::problems::LoadProblems;
use site::tree::{SourceTree, folded};
use spec::{Descriptions, OpenSpecs};

use super::described::DescribedSource;
use super::navigated::NavigatedSite;
use super::settings::{FROM_FOLDERS, SourceSettings};

/// A site without its navigation.
pub(crate) struct AssembledSite {
    pub(super) site: Site,
    pub(super) problems: LoadProblems,
    pub(super) draft: NavDraft,
    pub(super) is_written: bool,
    pub(super) url_pages: FxHashMap<String, UrlPage>,
    pub(super) config_name: String,
    pub(super) json: Option<Json>,
}

impl DescribedSource {
    /// Puts the site together.
    pub(crate) fn assemble(self) -> AssembledSite {
        let Self { open, settings, mut draft, is_written, mut inventory, withheld, generated } = self;
        let OpenSpecs { specs, tree, mut problems } = open;
        let SourceSettings { tool, project, kind, config_name, json, mut config, .. } = settings;
        config.languages = std::mem::take(&mut draft.languages);
        let restricted = inventory.grouped.iter().chain(&withheld).map(|name| folded(name)).collect();
        let mut site = assemble(tree, config, kind, &mut inventory, generated);
        (site.tool, site.project, site.restricted) = (Some(tool), project, restricted);
        site.specs = specs.files();
        let (descriptions, found) = Descriptions::keep(specs, &site.pages, &site.tree);
        site.descriptions = descriptions;
        problems.found.extend(found);
        let url_pages = inventory.url_pages;
        let mut assembled = AssembledSite { site, problems, draft, is_written, url_pages, config_name, json };
        assembled.complete_look_ups(inventory.redirects);
        assembled
    }
}

impl AssembledSite {
    /// Adds what is looked up in a site: former addresses, anchors that are linked, files of the configuration.
    pub(super) fn complete_look_ups(&mut self, redirects: Vec<(String, String)>) {
        let Self { site, problems, .. } = self;
        unconfigured::redirect(site, redirects);
        site.fragments.extend(site.descriptions.fragments());
        let descriptions =
            site.pages.iter().filter_map(|page| Some((page.file?, page.meta.description.as_ref()?.source())));
        let prefaces = site.pages.iter().filter_map(|page| page.preface.as_deref());
        let texts = descriptions.chain(prefaces.map(|preface| (preface.file, preface.text.as_str())));
        site.fragments.extend(texts.flat_map(|(file, text)| fragments(text).into_iter().map(move |it| (file, it))));
        site.config_files = config_files(site, problems);
    }

    /// Makes the navigation: the written one, that of the project, or that of the folders.
    pub(crate) fn navigate(self) -> NavigatedSite {
        let Self { site, mut problems, draft, is_written, url_pages, config_name, json } = self;
        let is_restricted = |name: &str| site.is_restricted(name);
        let others = NamesWithoutPages { url_pages: &url_pages, is_restricted: &is_restricted };
        let build = |found: &mut LoadProblems| build_navigation(&draft, site.nav_pages(), &others, found);
        let built = problems.guarded(&config_name, FROM_FOLDERS, build);
        let navigation = match built {
            Some(navigation) if is_written => navigation,
            of_pages => unconfigured::navigation(&site, &of_pages.unwrap_or_default().nodes),
        };
        let unwritten = json.filter(|_| !is_written).map(|json| json.at);
        NavigatedSite { site, navigation, problems, unwritten }
    }
}

/// Sorts the pages and makes the look-ups.
fn assemble(
    tree: SourceTree,
    config: Config,
    kind: ConfigKind,
    inventory: &mut Inventory,
    generated: Vec<PageEntry>,
) -> Site {
    let mut pages = std::mem::take(&mut inventory.pages);
    pages.extend(generated);
    pages.sort_unstable_by(|a, b| a.slug.cmp(&b.slug));
    let mut site = Site { tree, config, kind, ..Site::default() };
    for (index, page) in pages.iter().enumerate() {
        let id = PageId(u32::try_from(index).unwrap_or(u32::MAX));
        site.by_slug.insert(page.slug.clone(), id);
        site.by_folded_slug.entry(folded(&page.slug)).or_insert(id);
    }
    site.pages = pages;
    let aliases = inventory.aliases.iter().filter(|(name, _)| !site.by_slug.contains_key(name));
    let mut aliases: FxHashMap<String, PageId> =
        aliases.filter_map(|(name, slug)| Some((name.clone(), *site.by_slug.get(slug)?))).collect();
    if site.kind == ConfigKind::Plain {
        for (id, page) in (0..).map(PageId).zip(&site.pages) {
            let bare = unnumbered(&page.slug);
            if bare != page.slug && !site.by_slug.contains_key(&bare) {
                aliases.entry(bare).or_insert(id);
            }
        }
    }
    site.aliases = aliases;
    #[expect(clippy::iter_over_hash_type, reason = "a map into a map: no order")]
    for (slug, page) in &inventory.url_pages {
        site.url_pages.insert(slug.clone(), page.target.clone());
    }
    site.imported = std::mem::take(&mut inventory.imported);
    site.fragments = std::mem::take(&mut inventory.fragments);
    site.facts = std::mem::take(&mut inventory.facts);
    site
}

/// What was read as configuration, and `.mintignore`.
fn config_files(site: &Site, problems: &LoadProblems) -> Vec<FileId> {
    let of_tool = site.project.as_ref().map_or(&[][..], |project| &project.layout().config_files);
    let located = site.tool.as_ref().filter(|_| site.project.is_some()).map(|tool| tool.config.as_str());
    let names = problems.sources.iter().map(|(path, _)| path.as_str()).chain([".mintignore"]);
    let names = names.chain(located).chain(of_tool.iter().map(String::as_str));
    let mut files: Vec<FileId> = names.filter_map(|name| site.tree.find_any(name)).collect();
    files.sort_unstable();
    files.dedup();
    files
}
