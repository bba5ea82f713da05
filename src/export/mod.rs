//! The export driver: a source in, one bundle out, with a report of what happened.
//!
//! 1. `site::load` reads the configuration, the front matter and the navigation; globs choose the pages.
//! 2. Anchors of the pages that others link into are found (`anchors`), so that no link names a missing one.
//! 3. `theme` prepares what pages share.
//! 4. Pages are read, parsed, rendered, framed and compressed in parallel, batch by batch, and appended in order (`pages`).
//! 5. The search index (`search`), filled meanwhile, the style sheet of utility classes, what search engines, models and feed readers ask for (`side`), 404.html,
//!    theme files and assets follow; the manifest closes the bundle.
//!
//! Invariant: in memory are the batch of pages that is made, the two that are written and wait for that, a bounded number of batches that wait for other
//! servers, and a bounded number of bytes of sources (`KEPT_BYTES`). No page sees another's content but for its anchors.

mod anchors;
mod assets;
mod components;
mod dates;
mod hero;
mod includes;
mod islands;
mod not_found;
mod options;
mod pages;
mod png;
mod proof;
mod report;
mod revision;
mod search;
mod side;
mod snippets;
mod styles;
mod workspace;

use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use rustc_hash::FxHashSet;

use crate::asset::Assets;
use crate::asset::remote::{Asked, Remote, RemoteDescriptions};
use crate::base::time::seconds_of_moment;
use crate::base::{BundlePath, Diagnostic, PageId, diagnostic, limits, url};
use crate::bundle::sbom;
use crate::expand::COMPONENT_REQUEST;
use crate::bundle::{self, Bundle, Entry, Origin, Revision};
use crate::link::{Resolver, ThemeLinks};
use crate::refs::OutsideReferences;
use crate::render::{Kit, code};
use crate::side::picture::Social;
use crate::side::{Descriptions, FULL, Source, analytics, favicon};
use crate::site::{self, ConfigKind, Site, SourceTree};
use crate::theme::{self, Theme};

use report::Clock;

pub use crate::bundle::{Deployment, Format};
pub use options::{Options, Output, Services, Trust};
pub use report::{Error, Event, Report, Stage};
pub use workspace::{Answer, Settings, Shown, Workspace, open};

/// Exports a site.
///
/// # Errors
/// The source is no site, the output cannot be written, or `cancel` was set.
pub fn run(options: &Options, progress: &(dyn Fn(Event) + Sync), cancel: &AtomicBool) -> Result<Report, Error> {
    pool(options)?.install(|| Export { options, progress, cancel, clock: Clock::default() }.run(None))
}

/// A source that has been listed already: a commit, an archive, a folder.
#[derive(Debug)]
pub struct Listed {
    /// Its files.
    pub tree: SourceTree,
    /// What was wrong with listing them.
    pub problems: Vec<Diagnostic>,
    /// Which commit it is; `None` if the folder around it may say.
    pub revision: Option<Revision>,
}

/// The same for a source that has been listed; `options.source` is where it came from, and is not read.
///
/// # Errors
/// As for [`run`].
pub fn run_listed(listed: Listed, options: &Options, progress: &(dyn Fn(Event) + Sync), cancel: &AtomicBool) -> Result<Report, Error> {
    pool(options)?.install(|| Export { options, progress, cancel, clock: Clock::default() }.run(Some(listed)))
}

/// The folder of a source. Of one that has been listed it is only named.
fn root(source: &Path, is_listed: bool) -> Result<PathBuf, Error> {
    if is_listed {
        return Ok(source.parent().filter(|_| source.is_file()).unwrap_or(source).to_owned());
    }
    site::root(source).map_err(Error::Source)
}

/// Bytes of pages that are kept between the reading of their facts and their own: those of ten thousand pages of ordinary length, a third of what an export of as many may have.
const KEPT_BYTES: usize = 64 << 20;

/// A site that has been read.
struct Opened {
    site: site::Loaded,
    /// What it loads from elsewhere.
    remote: Remote,
    /// Which commit it is, if that is known already.
    revision: Option<Revision>,
    diagnostics: Vec<Diagnostic>,
}

fn load(root: &Path, listed: Option<Listed>, options: &Options, cancel: &AtomicBool) -> Result<Opened, Error> {
    let refused = |error| match error {
        site::LoadError::Config(problem) => Error::Config(problem),
        other => Error::Source(other.to_string()),
    };
    let (tree, problems, revision) = match listed {
        Some(Listed { tree, problems, revision }) => (tree, problems, revision),
        None => {
            let (tree, problems) = site::list(root).map_err(refused)?;
            (tree, problems, None)
        }
    };
    let mut diagnostics = Vec::new();
    let remote = Remote::new(&options.remote, &tree, &mut diagnostics);
    let descriptions = RemoteDescriptions::new(&remote, cancel);
    let load_options = site::LoadOptions { kept: KEPT_BYTES, remote: Some(&descriptions), ..site::LoadOptions::default() };
    let mut site = site::load_tree(tree, problems, &load_options).map_err(refused)?;
    remote.place_descriptions(&site.site.tree);
    diagnostics.append(&mut site.diagnostics);
    Ok(Opened { site, remote, revision, diagnostics })
}

fn pool(options: &Options) -> Result<rayon::ThreadPool, Error> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(options.jobs.unwrap_or(0)).stack_size(limits::STACK_BYTES).build();
    pool.map_err(|error| Error::Io { context: "cannot start threads".to_owned(), source: io::Error::other(error) })
}

/// What an escaped pattern stands for: the path as somebody wrote it.
fn unescaped(pattern: &str) -> String {
    let mut out = String::with_capacity(pattern.len());
    let mut rest = pattern.chars();
    while let Some(c) = rest.next() {
        match c {
            '[' => {
                out.extend(rest.next());
                // the bracket that closes it
                rest.next();
            }
            c => out.push(c),
        }
    }
    out
}

/// What a bundle loads from outside, with the requests of its components. `blocked`: whether the policy of its pages stops them.
fn with_requests(mut outside: OutsideReferences, diagnostics: &[Diagnostic], blocked: bool) -> OutsideReferences {
    outside.component_requests = diagnostics.iter().filter(|diagnostic| diagnostic.code == COMPONENT_REQUEST).count() as u64;
    outside.requests_blocked = blocked;
    outside
}

struct Export<'a> {
    options: &'a Options,
    progress: &'a (dyn Fn(Event) + Sync),
    cancel: &'a AtomicBool,
    clock: Clock,
}

impl Export<'_> {
    fn run(mut self, listed: Option<Listed>) -> Result<Report, Error> {
        let root = root(&self.options.source, listed.is_some())?;
        let target = self.target(&root)?;
        self.stage("load", None);
        let Opened { site: loaded, remote, revision, mut diagnostics } = load(&root, listed, self.options, self.cancel)?;
        self.check_cancelled()?;
        let (site, navigation) = (&loaded.site, &loaded.navigation);

        let chosen = self.choose(site)?;
        let exported = |page: PageId| chosen.binary_search(&page).is_ok();
        let dates = dates::Asked::about(site, &chosen);
        let home = navigation.home.iter().chain(&navigation.order).chain(&chosen).copied().find(|page| exported(*page));
        let assets = Assets::new(site, self.options.include_js);
        let mut resolver = Resolver::new(site, home, exported, &assets);
        resolver.remote = Some(&remote);
        let base = site.config.base_url(self.options.domain.as_deref());
        resolver.made = side::made(site, &assets, &base);
        let snippets = snippets::Snippets::new(site, self.options.trust.exported_at.as_deref().and_then(seconds_of_moment));
        let (kit, problems) = kit(site, self.options.highlight);
        diagnostics.extend(problems);

        self.stage("anchors", None);
        anchors::find(&resolver, site, &kit, &snippets);

        self.stage("theme", None);
        let links = ThemeLinks::new(&resolver);
        let descriptions = Descriptions::of(site);
        let source = Source { site, navigation, resolver: &resolver, home, descriptions: &descriptions, base: &base };
        let mut theme_options = theme_options(site, &assets, &kit, self.options.domain.clone(), self.options.include_js);
        let icons = favicon::make(&source);
        (theme_options.ico, theme_options.touch_icon) = (icons.ico, icons.touch);
        let analytics = self.add_services(&source, &mut theme_options, &mut diagnostics);
        theme_options.reach = self.reach(&remote, analytics);
        if self.options.services.offline_search {
            theme_options.searchable = search::searchable(site, &chosen);
        }
        let (theme, theme_files, problems) = self.theme(&source, &theme_options, &links, &chosen, &remote)?;
        diagnostics.extend(problems);

        let delta_from = self.delta_from()?;
        let mut bundle = Bundle::at(target)?;
        let social = self.options.social_images.then(|| Social::new(source, &mut diagnostics)).flatten();
        let dates = dates.finish(&mut diagnostics);
        self.stage("pages", Some(chosen.len() as u64));
        let mut search = search::Search::new(site, &theme);
        let writer = pages::Writer { site, kit: &kit, resolver: &resolver, snippets: &snippets, theme: &theme, dates: &dates, side: Some(source), social: social.as_ref(), records: Some(search.records(site, navigation)) };
        let wants_full = resolver.made.names.contains(&FULL);
        let mut full = if wants_full { Some(side::Full::new(&bundle)?) } else { None };
        let mut written = writer.write_all(&source.all_pages(), home, pages::Sinks { bundle: &mut bundle, search: &mut search, full: full.as_mut() }, self.progress, self.cancel)?;
        self.settle(&remote, links.take_asked())?;
        self.clock.busy(written.busy_us);
        diagnostics.extend(written.diagnostics);
        // the longest of all files, which is written while the search index is made
        if let Some(full) = full {
            full.finish(&mut bundle)?;
        }

        let offline_search = search.any();
        if offline_search {
            self.stage("search", None);
            bundle.add(search.finish())?;
        }

        if let Some(started) = written.utilities {
            self.stage("utilities", None);
            let all = written.classes.iter().flatten().cloned().collect();
            let sheet = styles::utilities(started, &all, &resolver, self.cancel, &mut diagnostics)?;
            bundle.add(styles::of_pages(&sheet, &written.classes).map(|(path, css)| own_file(path, css.into_bytes())).collect())?;
        }

        self.stage("side", None);
        let wanted = side::Wanted { feeds: std::mem::take(&mut written.feeds), icons: icons.files, may_leave: self.options.services.deployment != Deployment::AirGapped, reach: theme_options.reach };
        side::write(&source, wanted, &mut bundle, &mut diagnostics)?;
        bundle.add(social.and_then(|social| social.common()).map(|(path, bytes)| own_file(path, bytes)).into_iter().collect())?;

        self.stage("assets", None);
        let mut shared = theme_files;
        shared.extend(theme.joined_styles());
        if kit.formulas.any() {
            shared.extend_from_slice(theme.math_files());
        }
        shared.push(Theme::notices(!written.classes.is_empty(), written.has_islands));
        let not_found = self.not_found(&source, &kit, &snippets, &theme, &mut diagnostics);
        bundle.add(not_found.into_iter().chain(shared.into_iter().map(|file| own_file(file.path, file.bytes))).collect())?;
        let bytes_assets = self.add_assets(theme_options.reach, &assets, &resolver, &mut bundle, &mut diagnostics)?;
        self.add_remote(&remote, &mut bundle, &mut diagnostics)?;

        self.stage("finish", None);
        bundle.add(vec![self.components(site, &remote, bundle.records())])?;
        let revision = revision.or_else(|| revision::of(&site.tree, &self.options.output.path.canonicalize().unwrap_or_default()));
        let about = self.about(revision, chosen.len() as u64, analytics, offline_search);
        let ending = bundle::Ending { signer: self.options.trust.signer.as_deref(), delta_from: delta_from.as_ref() };
        let summary = bundle.finish_with(&about, &ending)?;
        diagnostics.extend(summary.diagnostics.into_iter().chain(proof::of_files(&summary.outside)));
        diagnostics.extend(remote.write_lock(!self.options.paths.is_empty()));
        site::written::place_all(site, &mut diagnostics);
        diagnostic::tidy(&mut diagnostics);
        let outside = with_requests(summary.outside, &diagnostics, theme_options.reach.blocks_requests());
        let scripts = assets.with_extension("js").into_iter().filter(|_| !self.options.include_js);
        Ok(Report {
            pages: chosen.len() as u64,
            files: summary.files,
            bytes_in: written.bytes_in + bytes_assets,
            bytes_out: summary.bytes,
            html_bytes: summary.html_bytes,
            bundle_bytes: summary.bundle_bytes,
            stages: self.clock.finish(),
            diagnostics,
            left_out_js: scripts.map(|file| site.tree.path(file).to_owned()).collect(),
            outside,
            origins: origins(site, &resolver, &chosen, home),
            remote: remote.counts(),
        })
    }

    /// Where the bundle goes: asked before any work is done for it.
    fn target(&self, source: &Path) -> Result<bundle::Target, Error> {
        let Output { path, format } = self.options.output.clone();
        Ok(bundle::Target::check(&bundle::Options { path, format, source: source.to_owned() })?)
    }

    /// What the manifest says of the bundle as a whole.
    fn about(&self, source: Option<Revision>, page_count: u64, analytics: bool, offline_search: bool) -> bundle::About {
        bundle::About {
            domain: self.options.domain.clone(),
            version: self.options.version.clone(),
            page_count,
            deployment: self.options.services.deployment,
            features: bundle::Features {
                search: self.options.services.search.is_some(),
                assistant: self.options.services.assistant.is_some(),
                analytics,
                offline_search,
                ..bundle::Features::default()
            },
            source,
            exported_at: self.options.trust.exported_at.clone(),
            options: self.shaping_options(),
        }
    }

    /// The list of what the bundle holds of others.
    fn components(&self, site: &Site, remote: &Remote, files: &[bundle::Record]) -> Entry {
        let code = self.options.highlight.then_some(&site.config.styling.code);
        let mut held = components::of(files, code);
        held.extend(components::vendored(remote.vendored(), files));
        let subject = (self.options.domain.as_deref(), self.options.version.as_deref());
        own_file(BundlePath::sanitize(sbom::SBOM_PATH), sbom::json(subject, &held))
    }

    /// Options that shape the bytes and cannot be seen otherwise, for the manifest.
    fn shaping_options(&self) -> serde_json::Map<String, serde_json::Value> {
        let Options { paths, include_js, highlight, social_images, optimize_png, .. } = self.options;
        let switches = [("includeJs", *include_js), ("highlight", *highlight), ("socialImages", *social_images), ("optimizePng", *optimize_png)];
        std::iter::once(("paths", paths.as_slice().into()))
            .chain(switches.map(|(name, on)| (name, on.into())))
            .map(|(name, value): (&str, serde_json::Value)| (name.to_owned(), value))
            .collect()
    }

    /// The earlier bundle that a delta is made from.
    fn delta_from(&self) -> Result<Option<bundle::reader::Archive>, Error> {
        let Some(path) = &self.options.trust.delta_from else { return Ok(None) };
        let shown = path.display();
        if self.options.output.format == Format::Dir {
            return Err(Error::Options("a delta is an archive, not a folder; name a file with `-o`".to_owned()));
        }
        if self.options.output.path.canonicalize().is_ok_and(|output| path.canonicalize().is_ok_and(|path| path == output)) {
            return Err(Error::Options(format!("the delta would replace `{shown}`, the bundle that it is made from; name another file with `-o`")));
        }
        let archive = bundle::reader::Archive::open(path).map_err(|error| Error::Options(format!("`{shown}`: {}", error.full())))?;
        if archive.is_folder() {
            return Err(Error::Options(format!("`{shown}` is a folder; a delta is made from an archive")));
        }
        Ok(Some(archive))
    }

    /// The page that hosts show for addresses without one; an author's page of that name stands in for it.
    fn not_found(&self, source: &Source<'_>, kit: &Kit, snippets: &snippets::Snippets<'_>, theme: &Theme<'_>, diagnostics: &mut Vec<Diagnostic>) -> Option<Entry> {
        let Source { site, resolver, .. } = source;
        let path = BundlePath::sanitize("404.html");
        let Some(own) = (0..site.pages.len() as u32).map(PageId).find(|page| resolver.path(*page) == Some(&path)) else {
            let content = not_found::content(source, kit, snippets, diagnostics);
            return Some(Entry { path, bytes: theme.not_found(&content).into_bytes(), origin: Origin::Exporter });
        };
        let entry = site.page(own);
        let file = entry.file.map_or(entry.slug.as_str(), |file| site.tree.path(file));
        let message = "hosts show this page for addresses that do not exist";
        let hint = "at other addresses, its links and styles do not work; rename it, and set the text of the built-in page with `errors.404`";
        diagnostics.push(Diagnostic::new("own-404", message).at(file, 0, 0).hint(hint));
        None
    }

    /// What pages say of other hosts and of the site map. Returns whether they have scripts of analytics services.
    fn add_services(&self, source: &Source<'_>, options: &mut theme::Options, diagnostics: &mut Vec<Diagnostic>) -> bool {
        let services = &self.options.services;
        options.sitemap = sitemap(source);
        options.search_endpoint.clone_from(&services.search);
        options.assistant_endpoint.clone_from(&services.assistant);
        options.repository = repository(source.site);
        options.may_leave = services.deployment != Deployment::AirGapped;
        if services.analytics {
            let (tags, problems) = analytics::tags(&source.site.config, self.options.domain.as_deref());
            options.head = tags;
            diagnostics.extend(problems);
        }
        !options.head.is_empty()
    }

    /// What pages may load and ask beyond the bundle: what the deployment allows, and what somebody asked for.
    fn reach(&self, remote: &Remote, analytics: bool) -> theme::Reach {
        let Services { deployment, search, .. } = &self.options.services;
        theme::Reach {
            connections: *deployment != Deployment::AirGapped,
            media: !remote.is_on(),
            search: search.is_some(),
            services: analytics,
            author_scripts: self.options.include_js,
        }
    }

    fn stage(&mut self, name: &'static str, total: Option<u64>) {
        self.clock.start(name);
        (self.progress)(Event::Stage { name, total });
    }

    /// The pages that the globs choose, in order.
    fn choose(&self, site: &Site) -> Result<Vec<PageId>, Error> {
        let mut globs = globset::GlobSetBuilder::new();
        for pattern in &self.options.paths {
            let glob = globset::GlobBuilder::new(pattern.trim_start_matches('/')).literal_separator(true).build();
            globs.add(glob.map_err(|error| Error::Options(error.to_string()))?);
        }
        let globs = globs.build().map_err(|error| Error::Options(error.to_string()))?;
        let wanted = |page: &PageId| self.options.paths.is_empty() || globs.is_match(&site.page(*page).slug);
        let chosen: Vec<PageId> = (0..site.pages.len() as u32).map(PageId).filter(wanted).collect();
        if self.options.every_path {
            let met: FxHashSet<usize> = chosen.iter().flat_map(|page| globs.matches(&site.page(*page).slug)).collect();
            if let Some((_, path)) = self.options.paths.iter().enumerate().find(|(at, _)| !met.contains(at)) {
                return Err(Error::Source(format!("`{}` is not a page", unescaped(path))));
            }
        }
        if chosen.is_empty() {
            return Err(Error::Source("no page matches `--paths`".to_owned()));
        }
        Ok(chosen)
    }

    /// The theme. Few sites have a logo or a font elsewhere: their chrome is made again once it is there.
    fn theme<'t>(
        &self,
        source: &Source<'t>,
        options: &'t theme::Options,
        links: &'t ThemeLinks<'t>,
        chosen: &[PageId],
        remote: &Remote,
    ) -> Result<(Theme<'t>, Vec<theme::ThemeFile>, Vec<Diagnostic>), Error> {
        let site = source.site;
        for picture in theme::outside_previews(&site.config, options, chosen.iter().map(|page| site.page(*page))) {
            theme::SiteLinks::asset(links, picture);
        }
        loop {
            let built = Theme::build(site, source.navigation, options, links);
            if self.settle(remote, links.take_asked())? {
                return Ok(built);
            }
        }
    }

    /// Commits what something was made with; `false`, once it is there, if some of it was still to come.
    fn settle(&self, remote: &Remote, mut asked: Asked) -> Result<bool, Error> {
        let pending = asked.take_pending();
        if pending.is_empty() {
            remote.commit(asked);
            return Ok(true);
        }
        remote.wait(&pending, self.cancel)?;
        Ok(false)
    }

    fn check_cancelled(&self) -> Result<(), Error> {
        if self.cancel.load(Ordering::Relaxed) { Err(Error::Cancelled) } else { Ok(()) }
    }
}

/// The tools of all pages.
fn kit(site: &Site, highlight: bool) -> (Kit, Vec<Diagnostic>) {
    let styling = &site.config.styling;
    let mut diagnostics = Vec::new();
    let mut grammars = Vec::new();
    for path in &styling.custom_languages {
        let file = site.tree.find(path.trim_start_matches(['.', '/']));
        match file.and_then(|file| site.tree.read_at_most(file, limits::CONFIG_BYTES).ok()).and_then(|bytes| String::from_utf8(bytes).ok()) {
            Some(text) => grammars.push((path.clone(), text)),
            None => {
                let problem = Diagnostic::new("missing-file", format!("the grammar `{path}` cannot be read")).about(path);
                diagnostics.push(problem.hint("correct `styling.codeblocks.languages.custom`"));
            }
        }
    }
    let (highlighter, problems) =
        code::Highlighter::new(&code::Options { style: styling.code.clone(), languages: grammars, off: !highlight });
    diagnostics.extend(problems);
    let kit = Kit { highlighter, formulas: Default::default(), icons: site.config.icon_library, code_style: styling.code.clone(), variations: site.config.variations.clone() };
    (kit, diagnostics)
}

/// The repository that pages are changed in, if the site has links there: the one that the configuration names, else that of the folder.
fn repository(site: &Site) -> Option<theme::Repository> {
    let feedback = &site.config.feedback;
    if !(feedback.edit || feedback.issue) {
        return None;
    }
    let found = revision::repository(&site.tree);
    let web = feedback.repository.clone().or_else(|| Some(found.as_ref()?.web.clone()))?;
    let branch = feedback.branch.clone().or_else(|| Some(found.as_ref()?.branch.clone())).unwrap_or_else(|| "main".to_owned());
    let folder = feedback.directory.as_ref().map(|directory| format!("{directory}/")).or_else(|| Some(found?.folder)).unwrap_or_default();
    Some(theme::Repository { web, branch, folder })
}

/// The file that lists the pages for search engines, if there is one.
fn sitemap(source: &Source<'_>) -> Option<String> {
    (!source.base.is_empty() || source.is_written("sitemap.xml")).then(|| "sitemap.xml".to_owned())
}

/// What the theme is told.
fn theme_options(site: &Site, assets: &Assets<'_>, kit: &Kit, domain: Option<String>, include_js: bool) -> theme::Options {
    let urls = |extension: &str| assets.with_extension(extension).into_iter().map(|file| url::encode_path(assets.path(file).as_str())).collect();
    let name: String = site.config.name.to_lowercase().chars().map(|c| if c.is_alphanumeric() { c } else { '-' }).collect();
    theme::Options {
        site_id: domain.clone().unwrap_or(name),
        domain,
        // those of a plain folder are for the pages of another tool
        styles: if site.kind == ConfigKind::Plain { Vec::new() } else { urls("css") },
        scripts: if include_js { urls("js") } else { Vec::new() },
        code_colours: kit.highlighter.css(),
        minify: Some(crate::js::compile::minify),
        ..theme::Options::default()
    }
}

/// The files that pages were made of, by their paths in the bundle.
fn origins(site: &Site, resolver: &Resolver<'_>, chosen: &[PageId], home: Option<PageId>) -> Vec<(String, String)> {
    let source = |page: PageId| site.page(page).file.map(|file| site.tree.path(file).to_owned());
    let own = chosen.iter().filter_map(|page| Some((resolver.path(*page)?.to_string(), source(*page)?)));
    home.and_then(source).map(|file| ("index.html".to_owned(), file)).into_iter().chain(own).collect()
}

fn own_file(path: BundlePath, bytes: Vec<u8>) -> Entry {
    Entry { path, bytes, origin: Origin::Exporter }
}
