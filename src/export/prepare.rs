//! What an export and the development server set up alike before the first page: the files of the author, the tools of
//! all pages, where links lead, and the options of the theme.

use ::side::favicon::Icons;
use ::side::{Excerpts, SiteContext};
use base::{Diagnostic, PageId, limits, url};
use frame::asset::{Assets, Remote};
use frame::link::LinkResolver;
use frame::theme;
use load::{Loaded, Site};
use nav::Navigation;
use reference::ReferencePages;
use render::{Kit, code};
use site::ConfigKind;

use super::{revision, search, side};

/// What decides how a site is prepared.
#[derive(Clone, Copy, Debug)]
pub(super) struct PrepareSetup<'a> {
    /// Host name of the site.
    pub(super) domain: Option<&'a str>,
    /// The author's own browser scripts are part of it.
    pub(super) include_js: bool,
    /// Code blocks are highlighted.
    pub(super) highlight: bool,
    /// Readers can search it without a network.
    pub(super) offline_search: bool,
}

/// A loaded site with what all its pages are made with.
pub(super) struct PreparedSite<'a> {
    pub(super) site: &'a Site,
    pub(super) navigation: &'a Navigation,
    /// The pages that are made, in order.
    pub(super) chosen: Vec<PageId>,
    /// The start page.
    pub(super) home: Option<PageId>,
    pub(super) assets: Assets<'a>,
    pub(super) kit: Kit,
    excerpts: Excerpts<'a>,
    /// The address of the site without a slash at the end; empty if it is not known.
    base_url: String,
    setup: PrepareSetup<'a>,
}

impl<'a> PreparedSite<'a> {
    /// Prepares a site, of which these pages are made.
    pub(super) fn new(
        loaded: &'a Loaded,
        chosen: Vec<PageId>,
        setup: PrepareSetup<'a>,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Self {
        let (site, navigation) = (&loaded.site, &loaded.navigation);
        let mut ranked = navigation.home.iter().chain(&navigation.order).chain(&chosen).copied();
        let home = ranked.find(|page| chosen.binary_search(page).is_ok());
        Self {
            site,
            navigation,
            home,
            assets: Assets::new(site, setup.include_js),
            kit: kit(site, setup.highlight, diagnostics),
            excerpts: Excerpts::new(site),
            base_url: site.config.base_url(setup.domain),
            chosen,
            setup,
        }
    }

    /// Resolves the links of its pages. `remote`: what they load from elsewhere becomes part of the bundle.
    pub(super) fn resolver<'p>(&'p self, remote: Option<&'p Remote>) -> LinkResolver<'p> {
        let exported = |page: PageId| self.chosen.binary_search(&page).is_ok();
        let mut resolver = LinkResolver::new(self.site, self.home, exported, &self.assets);
        resolver.remote = remote;
        resolver.generated = side::generated_files(self.site, &self.assets, &self.base_url);
        resolver
    }

    /// What the files beside the pages are made from.
    pub(super) fn source<'p>(
        &'p self,
        resolver: &'p LinkResolver<'p>,
        references: &'p dyn ReferencePages,
    ) -> SiteContext<'p> {
        SiteContext {
            site: self.site,
            navigation: self.navigation,
            resolver,
            references,
            excerpts: &self.excerpts,
            home: self.home,
            base: &self.base_url,
        }
    }

    /// The options of the theme.
    pub(super) fn theme_options(
        &self,
        source: &SiteContext<'_>,
        icons: &Icons,
        reach: theme::PageReach,
    ) -> theme::ThemeOptions {
        let Self { site, assets, setup, .. } = self;
        let urls = |extension: &str| {
            let files = assets.with_extension(extension).into_iter();
            files.map(|file| url::encode_path(assets.path(file).as_str())).collect()
        };
        let name: String =
            site.config.name.to_lowercase().chars().map(|c| if c.is_alphanumeric() { c } else { '-' }).collect();
        theme::ThemeOptions {
            site_id: setup.domain.map_or(name, str::to_owned),
            domain: setup.domain.map(str::to_owned),
            // those of a plain folder are for the pages of another tool
            styles: if site.kind == ConfigKind::Plain { Vec::new() } else { urls("css") },
            scripts: if setup.include_js { urls("js") } else { Vec::new() },
            code_colors: self.kit.highlighter.css(),
            minify: Some(markup::js::compile::minify),
            ico: icons.ico,
            touch_icon: icons.touch,
            sitemap: sitemap(source),
            repository: site_repository(site),
            searchable: if setup.offline_search { search::searchable(site, &self.chosen) } else { Vec::new() },
            reach,
            ..theme::ThemeOptions::default()
        }
    }
}

/// The tools of all pages.
fn kit(site: &Site, highlight: bool, diagnostics: &mut Vec<Diagnostic>) -> Kit {
    let styling = &site.config.styling;
    let mut grammars = Vec::new();
    for path in &styling.custom_languages {
        let file = site.tree.find(path.trim_start_matches(['.', '/']));
        match file.and_then(|file| site.tree.read_text(file, limits::CONFIG_BYTES).ok()) {
            Some(text) => grammars.push((path.clone(), text)),
            None => {
                let problem =
                    Diagnostic::new("missing-file", format!("the grammar `{path}` cannot be read")).about(path);
                diagnostics.push(problem.hint("correct `styling.codeblocks.languages.custom`"));
            }
        }
    }
    let (highlighter, problems) = code::Highlighter::new(&code::HighlightOptions {
        style: styling.code.clone(),
        languages: grammars,
        off: !highlight,
    });
    diagnostics.extend(problems);
    Kit {
        highlighter,
        formulas: Default::default(),
        icons: site.config.icon_library,
        code_style: styling.code.clone(),
        variations: site.config.variations.clone(),
    }
}

/// The repository that pages are changed in, if the site has links there: the one that the configuration names, else
/// that of the folder.
fn site_repository(site: &Site) -> Option<theme::SourceRepository> {
    let feedback = &site.config.feedback;
    if !(feedback.edit || feedback.issue) {
        return None;
    }
    let found = revision::source_repository(&site.tree);
    let web = feedback.repository.clone().or_else(|| Some(found.as_ref()?.web.clone()))?;
    let branch =
        feedback.branch.clone().or_else(|| Some(found.as_ref()?.branch.clone())).unwrap_or_else(|| "main".to_owned());
    let folder = feedback
        .directory
        .as_ref()
        .map(|directory| format!("{directory}/"))
        .or_else(|| Some(found?.folder))
        .unwrap_or_default();
    Some(theme::SourceRepository { web, branch, folder })
}

/// The file that lists the pages for search engines, if there is one.
fn sitemap(source: &SiteContext<'_>) -> Option<String> {
    (!source.base.is_empty() || source.is_written("sitemap.xml")).then(|| "sitemap.xml".to_owned())
}
