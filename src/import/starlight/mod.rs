//! Starlight, the documentation theme of Astro: `astro.config.*` above `src/content/docs`.
//!
//! `config` reads what is said of files and languages, `front` the front matter; `menu` makes the navigation, `look`
//! the name, colors and links of the site; `text` writes what only Starlight knows as Markdown or components, with the
//! options and titles of code that `fence` reads; `component` makes scripts of the project's own components, whose
//! templates `template` reads, with the `collection`s that they ask for.

mod collection;
mod component;
mod config;
mod fence;
mod front;
mod look;
mod menu;
mod template;
mod text;

use base::{Place, Problem};
use load::Site;
use load::tool::{
    Dashes, FolderView, PageFacts, PageSource, Project, RenderedText, SCRIPTS, SourceLayout, Tool, ToolInput, script,
};
use nav::order::PageOrder;
use site::config::Config;
use site::heading_ids::HeadingIds;
use site::page::Dialect;
use site::problems::LoadProblems;
use site::tree::{self, SourceTree};

use component::component_script;
use config::StarlightConfig;

/// Starlight.
#[derive(Debug)]
pub(super) struct Starlight;

/// Where the pages lie, from the folder of the configuration.
const PAGES: &str = "src/content/docs";

impl Tool for Starlight {
    fn name(&self) -> &'static str {
        "starlight"
    }

    fn title(&self) -> &'static str {
        "Starlight"
    }

    fn detect(&self, folder: &FolderView<'_>) -> Option<String> {
        const FOLDERS: [&str; 6] = ["", "docs/", "website/", "site/", "www/", "documentation/"];
        let found = folder.first_of(&FOLDERS, "astro.config", &SCRIPTS)?;
        folder.text(&found).is_some_and(|text| text.contains("starlight")).then_some(found)
    }

    fn stands_for(&self, _project: &FolderView<'_>, config: &str, folder: &str) -> bool {
        let beside = tree::folder(config);
        let pages = if beside.is_empty() { PAGES.to_owned() } else { format!("{beside}/{PAGES}") };
        pages == folder || pages.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'))
    }

    fn open(&self, source: &ToolInput<'_>, problems: &mut LoadProblems) -> Option<Box<dyn Project>> {
        let value = source.evaluated(problems);
        let options = StarlightConfig::read(value, source);
        let layout = SourceLayout { statics: options.statics(source), ..SourceLayout::of_folder(&options.pages) };
        let colors = look::starlight_colors(&options, source);
        Some(Box::new(StarlightSettings { options, layout, colors }))
    }
}

/// What its configuration says.
#[derive(Debug)]
struct StarlightSettings {
    options: StarlightConfig,
    layout: SourceLayout,
    /// The accent, light and dark.
    colors: (Option<String>, Option<String>),
}

impl Project for StarlightSettings {
    fn layout(&self) -> &SourceLayout {
        &self.layout
    }

    fn known_keys(&self) -> Option<&'static [&'static str]> {
        Some(&front::KNOWN)
    }

    fn heading_ids(&self) -> HeadingIds {
        HeadingIds::GitHub
    }

    fn shows_descriptions(&self) -> bool {
        false
    }

    fn punctuation(&self, _dialect: Dialect) -> Option<Dashes> {
        let is_off = script::json_at_path(&self.options.astro, &["markdown", "smartypants"]).as_bool() == Some(false);
        (!is_off).then_some(Dashes::Long)
    }

    fn read_page(&self, source: &PageSource<'_>, facts: &mut PageFacts) {
        let Some(inside) = self.options.inside(source.path) else { return };
        let own = source.text("slug").map(|slug| slug.trim_matches('/').to_owned());
        let address = own.map_or_else(
            || config::starlight_address(inside),
            |slug| if slug.is_empty() { "index".to_owned() } else { slug },
        );
        // parts of pages begin with an underscore
        facts.is_part = inside.rsplit('/').next().is_some_and(|name| name.starts_with('_'));
        if !self.options.base.is_empty() {
            facts.aliases.push(format!("{}/{address}", self.options.base));
        }
        let locale = self.options.locale_of(&address);
        if locale.prefix == self.options.locales[0].prefix {
            // pages that a language does not have are shown in the default one
            let own = address.strip_prefix(locale.prefix.as_str()).unwrap_or(&address).trim_start_matches('/');
            let own = own.strip_suffix("/index").unwrap_or(if own == "index" { "" } else { own });
            let others = self.options.locales[1..].iter().filter(|other| other.has_pages);
            facts
                .redirects
                .extend(others.map(|other| format!("{}/{own}", other.prefix).trim_end_matches('/').to_owned()));
        }
        facts.address = Some(address);
        front::read_starlight_front(source, facts);
    }

    fn configure(&self, config: &mut Config, tree: &SourceTree) {
        look::configure_starlight(&self.options, &self.colors, config, tree);
    }

    fn navigation(&self, site: &Site) -> PageOrder {
        menu::starlight_order(&self.options, site)
    }

    fn rewrite(&self, text: &RenderedText<'_>, problems: &mut Vec<Problem>) -> Option<Vec<(String, Place)>> {
        text::rewrite_starlight_text(&self.options, text, problems)
    }

    fn runs(&self, path: &str) -> bool {
        component::is_component(path)
    }

    fn known(&self, site: &Site, name: &str) -> Option<String> {
        collection::known(&self.options, site, name)
    }

    fn rewrite_script(&self, site: &Site, path: &str, text: &str) -> Option<String> {
        component_script(&self.options, site, path, text)
    }
}
