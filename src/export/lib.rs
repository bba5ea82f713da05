//! The export driver: a source in, one bundle out, with a report of what happened.
//!
//! 1. `load::load_site` reads the configuration, the front matter and the navigation; globs choose the pages. `prepare`
//!    sets up what all pages are made with, here and in the development server.
//! 2. Anchors of the pages that others link into are found (`anchors`), so that no link names a missing one.
//! 3. `theme` prepares what pages share.
//! 4. Pages are read, parsed, rendered (`content`), framed (`page`) and compressed in parallel, batch by batch, and
//!    appended in order (`pages`).
//! 5. The search index (`search`), filled meanwhile, the style sheet of utility classes, what search engines, models
//!    and feed readers request (`side`), 404.html, theme files and assets follow; the manifest closes the bundle.
//!
//! Invariant: in memory are the batch of pages that is made, the two that are written and wait for that, and a bounded
//! number of batches that wait for other servers. No page sees another's content but for its anchors.

#![cfg_attr(test, allow(clippy::print_stdout, reason = "tests may print"))]
#![cfg_attr(not(test), warn(clippy::string_slice))]

// files of others are cut by what is found in them, never by counted bytes

mod anchors;
mod assets;
pub mod bench;
mod census;
mod components;
mod content;
mod dates;
pub mod dev;
mod hero;
mod islands;
pub mod migrate;
mod not_found;
mod options;
mod page;
mod pages;
mod png;
mod prepare;
mod proof;
mod report;
mod revision;
mod rewriting;
mod search;
mod side;
mod snippets;
mod styles;
mod workspace;

use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use rustc_hash::FxHashSet;

use ::side::analytics::analytics_tags;
use ::side::favicon::{self, make_favicons};
use ::side::picture::SocialPreviews;
use ::side::{FULL, SiteContext};
use base::isolate::{LEFT_OUT, catch_panic, isolate};
use base::refs::OutsideReferences;
use base::time::seconds_of_moment;
use base::{BundlePath, Diagnostic, PageId, diagnostic, limits};
use bundle::sbom::{self, sbom_json};
use bundle::{Bundle, BundleEntry, EntryOrigin, Revision};
use frame::asset::remote::{Remote, RemoteDescriptions, Requests};
use frame::link::{LinkResolver, ThemeLinks};
use frame::theme::{self, SiteTheme, ThemeFile, UTILITIES};
use load::Site;
use markup::expand::COMPONENT_REQUEST;
use markup::js::ConfigEngine;
use reference::References;
use render::playground::shows_console;
use site::page::PageEntry;
use site::tree::SourceTree;

use dates::Dates;
use page::PageWriter;
use prepare::PreparedSite;
use report::StageClock;
use snippets::Snippets;

use anchors::find_anchors;
pub use bundle::{BundleDeployment, BundleFormat};
use not_found::not_found_content;
pub use options::{BundleOutput, ExportOptions, Services, Trust};
pub use png::PngSavings;
pub use report::{ExportError, ExportEvent, ExportReport, ReadAs, Stage};
use styles::styles_of_pages;
pub use workspace::{DevReply, ShownPage, Workspace, WorkspaceSettings, open_workspace};

/// Exports a site.
///
/// # Errors
/// The source is no site, the output cannot be written, or `cancel` was set.
pub fn export_site(
    options: &ExportOptions,
    progress: &(dyn Fn(ExportEvent) + Sync),
    cancel: &AtomicBool,
) -> Result<ExportReport, ExportError> {
    guarded(options, || RunningExport::new(options, progress, cancel).run(None))
}

/// A source that has been listed already: a commit, an archive, a folder.
#[derive(Debug)]
pub struct ListedRoot {
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
/// As for [`export_site`].
pub fn export_listed(
    listed: ListedRoot,
    options: &ExportOptions,
    progress: &(dyn Fn(ExportEvent) + Sync),
    cancel: &AtomicBool,
) -> Result<ExportReport, ExportError> {
    guarded(options, || RunningExport::new(options, progress, cancel).run(Some(listed)))
}

/// What `export` returns, in threads of its own. A panic that no file of the site accounts for is an error too.
fn guarded(
    options: &ExportOptions,
    export: impl FnOnce() -> Result<ExportReport, ExportError> + Send,
) -> Result<ExportReport, ExportError> {
    let pool = pool(options)?;
    catch_panic(|| pool.install(export)).unwrap_or_else(|| {
        let source = options.source.display();
        Err(ExportError::Source(format!(
            "an internal error stopped the export of `{source}`: nothing was written; report it"
        )))
    })
}

/// The folder of a source. Of one that has been listed it is only named.
fn source_folder(source: &Path, is_listed: bool) -> Result<PathBuf, ExportError> {
    if is_listed {
        return Ok(source.parent().filter(|_| source.is_file()).unwrap_or(source).to_owned());
    }
    import::find_source_root(source).map_err(ExportError::Source)
}

/// A site that has been read.
struct Opened {
    site: load::Loaded,
    /// What it loads from elsewhere.
    remote: Remote,
    /// Which commit it is, if that is known already.
    revision: Option<Revision>,
    diagnostics: Vec<Diagnostic>,
}

fn load_source(
    root: &Path,
    listed: Option<ListedRoot>,
    options: &ExportOptions,
    cancel: &AtomicBool,
) -> Result<Opened, ExportError> {
    let refused = |error| match error {
        load::LoadError::Config(problem) => ExportError::Config(problem),
        other => ExportError::Source(other.to_string()),
    };
    let (tree, problems, revision) = match listed {
        Some(ListedRoot { tree, problems, revision }) => (tree, problems, revision),
        None => {
            // the configuration may stand in a folder around
            let (tree, problems) = load::list_folder(&import::project_root(root, options.from)).map_err(refused)?;
            (tree, problems, None)
        }
    };
    let mut diagnostics = Vec::new();
    let remote = Remote::new(&options.remote, &tree, &mut diagnostics);
    let descriptions = RemoteDescriptions::new(&remote, cancel);
    let load_options = load::LoadOptions {
        groups: &options.groups,
        remote: Some(&descriptions),
        tools: import::TOOLS,
        from: options.from,
        evaluate: Some(&ConfigEngine),
    };
    let mut site = load::load_tree(tree, problems, &load_options).map_err(refused)?;
    remote.place_descriptions(&site.site.tree);
    diagnostics.append(&mut site.diagnostics);
    Ok(Opened { site, remote, revision, diagnostics })
}

fn pool(options: &ExportOptions) -> Result<rayon::ThreadPool, ExportError> {
    let pool =
        rayon::ThreadPoolBuilder::new().num_threads(options.jobs.unwrap_or(0)).stack_size(limits::STACK_BYTES).build();
    pool.map_err(|error| ExportError::Io {
        context: "cannot start threads".to_owned(),
        source: io::Error::other(error),
    })
}

/// What an escaped pattern stands for: the path as it was written.
fn unescape_pattern(pattern: &str) -> String {
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

/// What a bundle loads from outside, with the requests of its components. `blocked`: whether the policy of its pages
/// stops them.
fn with_requests(mut outside: OutsideReferences, diagnostics: &[Diagnostic], blocked: bool) -> OutsideReferences {
    outside.component_requests =
        diagnostics.iter().filter(|diagnostic| diagnostic.code == COMPONENT_REQUEST).count() as u64;
    outside.requests_blocked = blocked;
    outside
}

struct RunningExport<'a> {
    options: &'a ExportOptions,
    progress: &'a (dyn Fn(ExportEvent) + Sync),
    cancel: &'a AtomicBool,
    clock: StageClock,
    diagnostics: Vec<Diagnostic>,
}

/// A site whose theme is built: what the steps from the first page to the manifest work with.
struct Ready<'a> {
    prepared: &'a PreparedSite<'a>,
    source: SiteContext<'a>,
    snippets: &'a Snippets<'a>,
    theme: &'a SiteTheme<'a>,
    remote: &'a Remote,
    /// What pages may load and connect to beyond the bundle.
    reach: theme::PageReach,
    /// Draws pictures of pages, if an option enables them.
    social: Option<SocialPreviews<'a>>,
}

impl<'a> RunningExport<'a> {
    fn new(options: &'a ExportOptions, progress: &'a (dyn Fn(ExportEvent) + Sync), cancel: &'a AtomicBool) -> Self {
        Self { options, progress, cancel, clock: StageClock::default(), diagnostics: Vec::new() }
    }
}

impl RunningExport<'_> {
    fn run(mut self, listed: Option<ListedRoot>) -> Result<ExportReport, ExportError> {
        let root = source_folder(&self.options.source, listed.is_some())?;
        let target = self.target(&root)?;
        self.stage("load", None);
        let Opened { site: loaded, remote, revision, diagnostics } =
            load_source(&root, listed, self.options, self.cancel)?;
        self.diagnostics = diagnostics;
        self.check_canceled()?;
        let site = &loaded.site;
        let chosen = self.choose(site)?;
        let dates = dates::DateQuery::about(site, &chosen);
        let options = self.options;
        let prepared = PreparedSite::new(&loaded, chosen, options.setup(), &mut self.diagnostics);
        let mut resolver = prepared.resolver(Some(&remote));
        let references = References::new(site);
        let snippets = Snippets::new(site, options.trust.exported_at.as_deref().and_then(seconds_of_moment));

        self.stage("anchors", None);
        let wanted = find_anchors(&resolver, site, &prepared.kit, &snippets, &references);
        resolver.name_headings(wanted);

        self.stage("theme", None);
        let source = prepared.source(&resolver, &references);
        let icons = isolate("favicon.ico", LEFT_OUT, &mut self.diagnostics, |found| make_favicons(&source, found));
        let icons = icons.unwrap_or_default();
        let theme_options = self.theme_options(&prepared, &source, &icons, &remote);
        let links = ThemeLinks::new(&resolver);
        let (theme, theme_files) = self.theme(&prepared, &source, &theme_options, &links, &remote)?;
        let reach = theme_options.reach;

        let delta_from = self.delta_from()?;
        let mut bundle = Bundle::at(target)?;
        let social = isolate("_offprint/social", "no picture is drawn", &mut self.diagnostics, |found| {
            options.social_images.then(|| SocialPreviews::new(source, found)).flatten()
        });
        let social = social.flatten();
        let dates = dates.finish(&mut self.diagnostics);
        let ready =
            Ready { prepared: &prepared, source, snippets: &snippets, theme: &theme, remote: &remote, reach, social };
        let mut written = self.write_pages(&ready, &dates, &links, &mut bundle)?;
        self.write_utilities(&resolver, &mut written, &mut bundle)?;
        self.write_side_files(&ready, &mut written, icons.files, &mut bundle)?;
        self.write_shared_files(&ready, &mut written, theme_files, &mut bundle)?;
        self.finish(&ready, written, revision, delta_from, bundle)
    }

    /// The theme's options, completed by those of an export: services, and what pages may load.
    fn theme_options(
        &mut self,
        prepared: &PreparedSite<'_>,
        source: &SiteContext<'_>,
        icons: &favicon::Icons,
        remote: &Remote,
    ) -> theme::ThemeOptions {
        let Services { deployment, search, assistant, analytics, .. } = &self.options.services;
        let mut head = String::new();
        if *analytics {
            let (tags, problems) = analytics_tags(&prepared.site.config, self.options.domain.as_deref());
            head = tags;
            self.diagnostics.extend(problems);
        }
        let reach = theme::PageReach {
            connections: *deployment != BundleDeployment::AirGapped,
            media: !remote.is_on(),
            search: search.is_some(),
            services: !head.is_empty(),
            author_scripts: self.options.include_js,
        };
        theme::ThemeOptions {
            search_endpoint: search.clone(),
            assistant_endpoint: assistant.clone(),
            may_leave: *deployment != BundleDeployment::AirGapped,
            playground: self.options.services.playground,
            head,
            ..prepared.theme_options(source, icons, reach)
        }
    }

    /// Writes the pages, and what fills while they are made: the text of all of them and the search index.
    fn write_pages(
        &mut self,
        ready: &Ready<'_>,
        dates: &Dates,
        links: &ThemeLinks<'_>,
        bundle: &mut Bundle,
    ) -> Result<pages::PagesWritten, ExportError> {
        let Ready { prepared, source, .. } = ready;
        self.stage("pages", Some(prepared.chosen.len() as u64));
        let mut search = search::ExportSearch::new(prepared.site, ready.theme);
        let writer = PageWriter {
            source: *source,
            kit: &prepared.kit,
            snippets: ready.snippets,
            theme: ready.theme,
            dates,
            has_side_files: true,
            social: ready.social.as_ref(),
            readers: Some(census::CountedPages::of(prepared.site)),
            records: Some(search.records(prepared.site, prepared.navigation)),
        };
        let wants_full = source.resolver.generated.names.contains(&FULL);
        let mut full = if wants_full { Some(side::Full::new(bundle)?) } else { None };
        let mut written = writer.write_all(
            pages::Sinks { bundle, search: &mut search, full: full.as_mut() },
            self.progress,
            self.cancel,
        )?;
        self.settle(ready.remote, links.take_requests())?;
        self.clock.busy(std::mem::take(&mut written.busy_us));
        self.diagnostics.append(&mut written.diagnostics);
        // the longest of all files, which is written while the search index is made
        if let Some(full) = full {
            full.finish(bundle)?;
        }
        written.has_search = search.any();
        if written.has_search {
            self.stage("search", None);
            let files = isolate(search::SEARCH, "some pages are not found", &mut self.diagnostics, |_| search.finish());
            bundle.add(files.unwrap_or_default())?;
        }
        Ok(written)
    }

    /// Writes the style sheets of the utility classes that authors wrote, if there are any.
    fn write_utilities(
        &mut self,
        resolver: &LinkResolver<'_>,
        written: &mut pages::PagesWritten,
        bundle: &mut Bundle,
    ) -> Result<(), ExportError> {
        let Some(started) = written.utilities.take() else { return Ok(()) };
        self.stage("utilities", None);
        let all = written.classes.iter().flatten().cloned().collect();
        let files = isolate(UTILITIES, LEFT_OUT, &mut self.diagnostics, |found| {
            let sheet = styles::utilities(started, &all, resolver, self.cancel, found)?;
            let of_pages = styles_of_pages(&sheet, &written.classes);
            Ok::<_, ExportError>(of_pages.map(|(path, css)| own_file(path, css.into_bytes())).collect())
        });
        Ok(bundle.add(files.unwrap_or_else(|| Ok(Vec::new()))?)?)
    }

    /// Writes what search engines, models and feed readers request.
    fn write_side_files(
        &mut self,
        ready: &Ready<'_>,
        written: &mut pages::PagesWritten,
        icons: Vec<(&'static str, Vec<u8>)>,
        bundle: &mut Bundle,
    ) -> Result<(), ExportError> {
        self.stage("side", None);
        let inputs = side::Inputs {
            feeds: std::mem::take(&mut written.feeds),
            icons,
            may_leave: self.options.services.deployment != BundleDeployment::AirGapped,
            reach: ready.reach,
        };
        side::write_side_files(&ready.source, inputs, bundle, &mut self.diagnostics)?;
        let common = isolate("_offprint/social", LEFT_OUT, &mut self.diagnostics, |_| ready.social.as_ref()?.common());
        let common = common.flatten();
        bundle.add(common.map(|(path, bytes)| own_file(path, bytes)).into_iter().collect())?;
        Ok(())
    }

    /// Writes 404.html, the files of the theme and those of the author.
    fn write_shared_files(
        &mut self,
        ready: &Ready<'_>,
        written: &mut pages::PagesWritten,
        mut theme_files: Vec<ThemeFile>,
        bundle: &mut Bundle,
    ) -> Result<(), ExportError> {
        self.stage("assets", None);
        let Ready { prepared, source, theme, .. } = ready;
        if prepared.kit.formulas.any() {
            theme_files.extend_from_slice(theme.math_files());
        }
        theme_files.push(SiteTheme::notices(!written.classes.is_empty(), written.has_islands));
        let mut problems = Vec::new();
        let mut png = assets::PngTreatment::new(self.options);
        let not_found = isolate("404.html", LEFT_OUT, &mut problems, |found| not_found_page(ready, found)).flatten();
        let theme_files = theme_files.into_iter().map(|file| own_file(file.path, file.bytes));
        bundle.add(not_found.into_iter().chain(theme_files).collect())?;
        written.bytes_in +=
            self.add_assets(ready.reach, &prepared.assets, source.resolver, (&mut png, &mut *bundle), &mut problems)?;
        self.add_remote(ready.remote, (&mut png, bundle), &mut problems)?;
        written.png_savings = catch_panic(|| png.finish()).flatten();
        self.diagnostics.append(&mut problems);
        Ok(())
    }

    /// Closes the bundle with its manifest, and reports.
    fn finish(
        mut self,
        ready: &Ready<'_>,
        written: pages::PagesWritten,
        revision: Option<Revision>,
        delta_from: Option<bundle::reader::BundleReader>,
        mut bundle: Bundle,
    ) -> Result<ExportReport, ExportError> {
        self.stage("finish", None);
        let Ready { prepared, remote, reach, .. } = ready;
        let site = prepared.site;
        let page_count = prepared.chosen.len() as u64;
        let mut problems = Vec::new();
        let components = || self.components(site, remote, bundle.records());
        let components = isolate(sbom::SBOM_PATH, LEFT_OUT, &mut problems, |_| components());
        bundle.add(components.into_iter().collect())?;
        let revision = revision.or_else(|| {
            revision::find_revision(&site.tree, &self.options.output.path.canonicalize().unwrap_or_default())
        });
        let about = self.about(revision, page_count, reach.services, &written);
        let ending = bundle::Ending { signer: self.options.trust.signer.as_deref(), delta_from: delta_from.as_ref() };
        let summary = bundle.finish_with(&about, &ending)?;
        let pages_without_console = self.pages_without_console(site);
        let mut diagnostics = self.diagnostics;
        diagnostics.append(&mut problems);
        diagnostics.extend(summary.diagnostics.into_iter().chain(proof::of_files(&summary.outside)));
        diagnostics.extend(remote.write_lock(!self.options.paths.is_empty()));
        load::written::place_all(site, &mut diagnostics);
        diagnostic::tidy(&mut diagnostics);
        let outside = with_requests(summary.outside, &diagnostics, reach.blocks_requests());
        let scripts = prepared.assets.with_extension("js").into_iter().filter(|_| !self.options.include_js);
        Ok(ExportReport {
            pages: page_count,
            tool: site.tool.as_ref().map(ReadAs::of),
            words: written.words,
            files: summary.files,
            pages_without_console,
            playground_servers: written.has_console.then(|| written.console_servers.into_iter().collect()),
            bytes_in: written.bytes_in,
            bytes_out: summary.bytes,
            html_bytes: summary.html_bytes,
            bundle_bytes: summary.bundle_bytes,
            stages: self.clock.finish(),
            diagnostics,
            left_out_js: scripts.map(|file| site.tree.path(file).to_owned()).collect(),
            outside,
            png_savings: written.png_savings,
            origins: origins(prepared, ready.source.resolver),
            remote: remote.counts(),
        })
    }

    /// Pages that would have a console if the feature were on.
    fn pages_without_console(&self, site: &Site) -> u64 {
        let shows = |page: &&PageEntry| shows_console(&site.config.api, &page.meta, page.endpoint.as_ref());
        if self.options.services.playground { 0 } else { site.pages.iter().filter(shows).count() as u64 }
    }

    /// Where the bundle goes: checked before any work is done for it.
    fn target(&self, source: &Path) -> Result<bundle::StagingTarget, ExportError> {
        let BundleOutput { path, format } = self.options.output.clone();
        Ok(bundle::StagingTarget::check(&bundle::BundleOptions { path, format, source: source.to_owned() })?)
    }

    /// What the manifest says of the bundle as a whole.
    fn about(
        &self,
        source: Option<Revision>,
        page_count: u64,
        analytics: bool,
        written: &pages::PagesWritten,
    ) -> bundle::ManifestHeader {
        bundle::ManifestHeader {
            domain: self.options.domain.clone(),
            version: self.options.version.clone(),
            page_count,
            deployment: self.options.services.deployment,
            features: bundle::ManifestFeatures {
                search: self.options.services.search.is_some(),
                assistant: self.options.services.assistant.is_some(),
                analytics,
                playground: written.has_console,
                offline_search: written.has_search,
            },
            playground_servers: written.console_servers.iter().cloned().collect(),
            source,
            exported_at: self.options.trust.exported_at.clone(),
            options: self.options.shaping(),
        }
    }

    /// The list of what the bundle holds of others.
    fn components(&self, site: &Site, remote: &Remote, files: &[bundle::ManifestRecord]) -> BundleEntry {
        let code = self.options.highlight.then_some(&site.config.styling.code);
        let mut held = components::components_of(files, code);
        held.extend(components::vendored(remote.vendored(), files));
        let subject = (self.options.domain.as_deref(), self.options.version.as_deref());
        own_file(BundlePath::sanitize(sbom::SBOM_PATH), sbom_json(subject, &held))
    }

    /// The earlier bundle that a delta is made from.
    fn delta_from(&self) -> Result<Option<bundle::reader::BundleReader>, ExportError> {
        let Some(path) = &self.options.trust.delta_from else { return Ok(None) };
        let shown = path.display();
        if self.options.output.format == BundleFormat::Dir {
            return Err(ExportError::Options("a delta is an archive, not a folder; name a file with `-o`".to_owned()));
        }
        if self
            .options
            .output
            .path
            .canonicalize()
            .is_ok_and(|output| path.canonicalize().is_ok_and(|path| path == output))
        {
            return Err(ExportError::Options(format!(
                "the delta would replace `{shown}`, the bundle that it is made from; name another file with `-o`"
            )));
        }
        let archive = bundle::reader::BundleReader::open(path)
            .map_err(|error| ExportError::Options(format!("`{shown}`: {}", error.full())))?;
        if archive.is_folder() {
            return Err(ExportError::Options(format!("`{shown}` is a folder; a delta is made from an archive")));
        }
        Ok(Some(archive))
    }

    fn stage(&mut self, name: &'static str, total: Option<u64>) {
        self.clock.start(name);
        (self.progress)(ExportEvent::Stage { name, total });
    }

    /// The pages that the globs choose, in order.
    fn choose(&self, site: &Site) -> Result<Vec<PageId>, ExportError> {
        let mut globs = globset::GlobSetBuilder::new();
        for pattern in &self.options.paths {
            let glob = globset::GlobBuilder::new(pattern.trim_start_matches('/')).literal_separator(true).build();
            globs.add(glob.map_err(|error| ExportError::Options(error.to_string()))?);
        }
        let globs = globs.build().map_err(|error| ExportError::Options(error.to_string()))?;
        let is_requested = |page: &PageId| self.options.paths.is_empty() || globs.is_match(&site.page(*page).slug);
        let chosen: Vec<PageId> = (0..site.pages.len() as u32).map(PageId).filter(is_requested).collect();
        if self.options.every_path {
            let met: FxHashSet<usize> = chosen.iter().flat_map(|page| globs.matches(&site.page(*page).slug)).collect();
            if let Some((_, path)) = self.options.paths.iter().enumerate().find(|(at, _)| !met.contains(at)) {
                return Err(ExportError::Source(format!("`{}` is not a page", unescape_pattern(path))));
            }
        }
        if chosen.is_empty() {
            return Err(ExportError::Source("no page matches `--paths`".to_owned()));
        }
        Ok(chosen)
    }

    /// The theme. Few sites have a logo or a font elsewhere: their chrome is made again once it is there.
    fn theme<'t>(
        &mut self,
        prepared: &PreparedSite<'_>,
        source: &SiteContext<'t>,
        options: &'t theme::ThemeOptions,
        links: &'t ThemeLinks<'t>,
        remote: &Remote,
    ) -> Result<(SiteTheme<'t>, Vec<ThemeFile>), ExportError> {
        let site = source.site;
        let pages = prepared.chosen.iter().map(|page| site.page(*page));
        for picture in theme::outside_previews(&site.config, options, pages) {
            theme::SiteLinks::asset(links, picture);
        }
        loop {
            let (theme, files, problems) = SiteTheme::build(site, source.navigation, options, links);
            if self.settle(remote, links.take_requests())? {
                self.diagnostics.extend(problems);
                return Ok((theme, files));
            }
        }
    }

    /// Commits what something was made with; `false`, once it is there, if some of it was still to come.
    fn settle(&self, remote: &Remote, mut requests: Requests) -> Result<bool, ExportError> {
        let pending = requests.take_pending();
        if pending.is_empty() {
            remote.commit(requests);
            return Ok(true);
        }
        remote.wait(&pending, self.cancel)?;
        Ok(false)
    }

    fn check_canceled(&self) -> Result<(), ExportError> {
        if self.cancel.load(Ordering::Relaxed) { Err(ExportError::Canceled) } else { Ok(()) }
    }
}

/// The page that hosts show for addresses without one; an author's page of that name stands in for it.
fn not_found_page(ready: &Ready<'_>, diagnostics: &mut Vec<Diagnostic>) -> Option<BundleEntry> {
    let Ready { prepared, source, .. } = ready;
    let site = prepared.site;
    let path = BundlePath::sanitize("404.html");
    if source.is_written(path.as_str()) {
        return None;
    }
    let Some(own) = (0..site.pages.len() as u32).map(PageId).find(|page| source.resolver.path(*page) == Some(&path))
    else {
        let content = not_found_content(source, &prepared.kit, ready.snippets, diagnostics);
        return Some(BundleEntry {
            path,
            bytes: ready.theme.not_found(&content).into_bytes(),
            origin: EntryOrigin::Exporter,
        });
    };
    let entry = site.page(own);
    let file = entry.file.map_or(entry.slug.as_str(), |file| site.tree.path(file));
    let message = "hosts show this page for addresses that do not exist";
    let hint = "at other addresses, its links and styles do not work; rename it, and set the text of the built-in page with `errors.404`";
    diagnostics.push(Diagnostic::new("own-404", message).at(file, 0, 0).hint(hint));
    None
}

/// The files that pages were made of, by their paths in the bundle.
fn origins(prepared: &PreparedSite<'_>, resolver: &LinkResolver<'_>) -> Vec<(String, String)> {
    let PreparedSite { site, chosen, home, .. } = prepared;
    let source = |page: PageId| site.page(page).file.map(|file| site.tree.path(file).to_owned());
    let own = chosen.iter().filter_map(|page| Some((resolver.path(*page)?.to_string(), source(*page)?)));
    home.and_then(source).map(|file| ("index.html".to_owned(), file)).into_iter().chain(own).collect()
}

fn own_file(path: BundlePath, bytes: Vec<u8>) -> BundleEntry {
    BundleEntry { path, bytes, origin: EntryOrigin::Exporter }
}
