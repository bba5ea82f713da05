//! `docs.json`: the configuration that the tool's own was read into.

use serde_json::{Map, Value, json};

use base::Diagnostic;
use frame::link::{LinkResolver, is_redirect_pattern};
use load::Site;
use site::config::{Banner, CodeStyle, ColorScheme, Config, Font, Footer, Icon, IconLibrary, Navbar, NavbarLink, Pair};

use super::addresses::PageAddresses;

/// Writes the configuration of a site around its navigation.
pub(super) fn docs_json(
    site: &Site,
    navigation: Value,
    addresses: &PageAddresses,
    resolver: &LinkResolver<'_>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Map<String, Value> {
    let config = &site.config;
    let writer = ConfigWriter { addresses, resolver };
    let mut out = CompactObject::default();
    out.set("$schema", "https://mintlify.com/docs.json");
    out.set("theme", serde_json::to_value(config.theme).unwrap_or_default());
    out.set("name", config.name.as_str());
    out.some("description", config.description.as_ref().map(|text| text.source()));
    out.set("colors", migrated_colors(config));
    out.some("logo", writer.logo(config));
    out.some("favicon", config.favicon.as_ref().map(|pair| writer.pair(pair)));
    out.filled("appearance", migrated_appearance(config));
    out.filled("background", writer.background(config));
    out.filled("fonts", writer.fonts(config));
    out.filled("icons", icons(config));
    out.filled("styling", migrated_styling(config));
    out.filled("navbar", writer.navbar(&config.navbar));
    out.set("navigation", navigation);
    out.filled("footer", writer.footer(&config.footer));
    out.some("banner", config.banner.as_ref().map(migrated_banner));
    out.some("search", config.search_prompt.as_ref().map(|prompt| json!({"prompt": prompt})));
    out.filled("seo", migrated_seo(config));
    out.some("interaction", config.drilldown.map(|on| json!({"drilldown": on})));
    out.some("metadata", config.timestamp.then(|| json!({"timestamp": true})));
    out.filled("errors", not_found(config));
    out.filled("feedback", migrated_feedback(config));
    out.filled("integrations", CompactObject(config.integrations.iter().cloned().collect()));
    let redirects = writer.redirects(config);
    out.some("redirects", (!redirects.is_empty()).then_some(Value::Array(redirects)));
    if let Some(note) = &config.footer.note {
        let message = format!("the note of the footer is left out: `{}`", note.chars().take(80).collect::<String>());
        let file = site.tool.as_ref().map(|tool| tool.config.as_str()).unwrap_or_default();
        diagnostics.push(
            Diagnostic::new("migrate-setting", message)
                .at(file, 0, 0)
                .hint("the footer of the format has links only; say it on a page that one of them leads to"),
        );
    }
    out.0
}

/// What a language says otherwise.
pub(super) fn migrated_language(
    site: &Site,
    key: &str,
    addresses: &PageAddresses,
    resolver: &LinkResolver<'_>,
    out: &mut Map<String, Value>,
) {
    let Some(own) = site.config.languages.iter().find(|own| own.language == key) else { return };
    let writer = ConfigWriter { addresses, resolver };
    let mut object = CompactObject::default();
    object.some("banner", own.banner.as_ref().map(migrated_banner));
    if let Some(footer) = &own.footer {
        object.filled("footer", writer.footer(footer));
    }
    if let Some(navbar) = &own.navbar {
        object.filled("navbar", writer.navbar(navbar));
    }
    out.extend(object.0);
}

/// An icon: its name, or an object where there is more to say.
pub(super) fn migrated_icon(icon: &Icon, addresses: &PageAddresses, resolver: &LinkResolver<'_>) -> Value {
    let name = match icon.name.starts_with(['/', '.']) {
        true => addresses.of_link(&icon.name, resolver),
        false => icon.name.clone(),
    };
    if icon.style.is_none() && icon.library.is_none() {
        return name.into();
    }
    let mut out = CompactObject::default();
    out.set("name", name);
    out.some("style", icon.style.as_deref());
    out.some("library", icon.library.as_deref());
    Value::Object(out.0)
}

/// An object without empty members.
#[derive(Default)]
struct CompactObject(Map<String, Value>);

impl CompactObject {
    fn set(&mut self, key: &str, value: impl Into<Value>) {
        self.0.insert(key.to_owned(), value.into());
    }

    fn some(&mut self, key: &str, value: Option<impl Into<Value>>) {
        if let Some(value) = value {
            self.set(key, value);
        }
    }

    fn filled(&mut self, key: &str, value: Self) {
        if !value.0.is_empty() {
            self.set(key, Value::Object(value.0));
        }
    }
}

fn migrated_colors(config: &Config) -> Value {
    let colors = &config.colors;
    let mut out = CompactObject::default();
    out.set("primary", colors.primary.as_str());
    out.some("light", Some(colors.light.as_str()).filter(|color| *color != colors.primary && !color.is_empty()));
    out.some("dark", Some(colors.dark.as_str()).filter(|color| *color != colors.primary && !color.is_empty()));
    Value::Object(out.0)
}

fn migrated_appearance(config: &Config) -> CompactObject {
    let mut out = CompactObject::default();
    let default = match config.appearance.default {
        ColorScheme::System => None,
        ColorScheme::Light => Some("light"),
        ColorScheme::Dark => Some("dark"),
    };
    out.some("default", default);
    out.some("strict", config.appearance.strict.then_some(true));
    out
}

fn icons(config: &Config) -> CompactObject {
    let mut out = CompactObject::default();
    let library = match config.icon_library {
        IconLibrary::FontAwesome => None,
        IconLibrary::Lucide => Some("lucide"),
        IconLibrary::Tabler => Some("tabler"),
    };
    out.some("library", library);
    out
}

fn migrated_styling(config: &Config) -> CompactObject {
    let mut out = CompactObject::default();
    out.some("eyebrows", config.styling.breadcrumbs.then_some("breadcrumbs"));
    let code = match &config.styling.code {
        CodeStyle::System => None,
        CodeStyle::Dark => Some(json!("dark")),
        CodeStyle::Themes(pair) => Some(json!({"theme": {"light": pair.light, "dark": pair.dark}})),
    };
    out.some("codeblocks", code);
    out
}

fn migrated_banner(banner: &Banner) -> Value {
    let mut out = CompactObject::default();
    out.set("content", banner.content.as_str());
    out.some("dismissible", banner.dismissible.then_some(true));
    out.some("type", Some(banner.kind.as_str()).filter(|kind| !matches!(*kind, "" | "info")));
    out.some("color", banner.color.as_ref().map(light_and_dark));
    Value::Object(out.0)
}

fn light_and_dark(pair: &Pair) -> Value {
    let mut out = CompactObject::default();
    for (key, value) in [("light", &pair.light), ("dark", &pair.dark)] {
        out.some(key, Some(value.as_str()).filter(|value| !value.is_empty()));
    }
    Value::Object(out.0)
}

fn migrated_tags(tags: &[(String, String)]) -> Value {
    Value::Object(tags.iter().map(|(name, content)| (name.clone(), content.clone().into())).collect())
}

fn migrated_seo(config: &Config) -> CompactObject {
    let seo = &config.seo;
    let mut out = CompactObject::default();
    out.some("metatags", (!seo.metatags.is_empty()).then(|| migrated_tags(&seo.metatags)));
    out.some("indexing", seo.index_all.then_some("all"));
    out.some("organization", seo.organization.clone());
    let paths = seo.paths.iter().map(|(path, own)| json!({"path": path, "metatags": migrated_tags(own)}));
    let paths: Vec<Value> = paths.collect();
    out.some("paths", (!paths.is_empty()).then_some(Value::Array(paths)));
    out.some("trailingSlash", seo.trailing_slash.then_some(true));
    out
}

fn not_found(config: &Config) -> CompactObject {
    let page = &config.not_found;
    let mut own = CompactObject::default();
    own.some("redirect", (!page.redirect).then_some(false));
    own.some("title", page.title.as_deref());
    own.some("description", page.description.as_deref());
    let mut out = CompactObject::default();
    out.filled("404", own);
    out
}

fn migrated_feedback(config: &Config) -> CompactObject {
    let feedback = &config.feedback;
    let mut out = CompactObject::default();
    if !(feedback.edit || feedback.issue) {
        return out;
    }
    out.some("suggestEdit", feedback.edit.then_some(true));
    out.some("raiseIssue", feedback.issue.then_some(true));
    out.some("repository", feedback.repository.as_deref());
    out.some("branch", feedback.branch.as_deref());
    out
}

struct ConfigWriter<'a> {
    addresses: &'a PageAddresses,
    resolver: &'a LinkResolver<'a>,
}

impl ConfigWriter<'_> {
    /// Redirects, to the addresses that their pages have here.
    fn redirects(&self, config: &Config) -> Vec<Value> {
        let written = config.redirects.iter().map(|redirect| {
            let destination = match is_redirect_pattern(&redirect.source) {
                true => redirect.destination.clone(),
                false => self.address(&redirect.destination),
            };
            let mut out = CompactObject::default();
            out.set("source", redirect.source.as_str());
            out.set("destination", destination);
            out.some("permanent", (!redirect.permanent).then_some(false));
            Value::Object(out.0)
        });
        let own = self.addresses.redirects.iter().map(|(from, to)| json!({"source": from, "destination": to}));
        written.chain(own).collect()
    }

    fn address(&self, href: &str) -> String {
        self.addresses.of_link(href, self.resolver)
    }

    /// One path if both forms are the same.
    fn pair(&self, pair: &Pair) -> Value {
        let (light, dark) = (self.address(&pair.light), self.address(&pair.dark));
        if light == dark || dark.is_empty() {
            return light.into();
        }
        json!({"light": light, "dark": dark})
    }

    fn logo(&self, config: &Config) -> Option<Value> {
        let logo = config.logo.as_ref()?;
        let Some(href) = &logo.href else { return Some(self.pair(&logo.image)) };
        let (light, dark) = (self.address(&logo.image.light), self.address(&logo.image.dark));
        Some(json!({"light": light, "dark": if dark.is_empty() { &light } else { &dark }, "href": self.address(href)}))
    }

    fn background(&self, config: &Config) -> CompactObject {
        let background = &config.background;
        let mut out = CompactObject::default();
        out.some("image", background.image.as_ref().map(|pair| self.pair(pair)));
        out.some("decoration", background.decoration.as_deref());
        out.some("color", background.color.as_ref().map(light_and_dark));
        out
    }

    fn fonts(&self, config: &Config) -> CompactObject {
        let font = |font: &Font| {
            let mut out = CompactObject::default();
            out.set("family", font.family.as_str());
            out.some("weight", font.weight);
            out.some("source", font.source.as_ref().map(|source| self.address(source)));
            out.some("format", font.format.as_deref());
            Value::Object(out.0)
        };
        let mut out = CompactObject::default();
        out.some("heading", config.fonts.heading.as_ref().map(font));
        out.some("body", config.fonts.body.as_ref().map(font));
        out
    }

    fn navbar(&self, navbar: &Navbar) -> CompactObject {
        let link = |link: &NavbarLink| {
            let mut out = CompactObject::default();
            out.some("type", link.kind.as_deref());
            out.some("label", Some(link.label.as_str()).filter(|label| !label.is_empty()));
            out.some("icon", link.icon.as_ref().map(|it| migrated_icon(it, self.addresses, self.resolver)));
            out.set("href", self.address(&link.href));
            Value::Object(out.0)
        };
        let mut out = CompactObject::default();
        let links: Vec<Value> = navbar.links.iter().map(link).collect();
        out.some("links", (!links.is_empty()).then_some(Value::Array(links)));
        out.some("primary", navbar.primary.as_ref().map(link));
        out
    }

    fn footer(&self, footer: &Footer) -> CompactObject {
        let mut out = CompactObject::default();
        let socials: Map<String, Value> =
            footer.socials.iter().map(|(name, url)| (name.clone(), url.clone().into())).collect();
        out.filled("socials", CompactObject(socials));
        let columns = footer.columns.iter().map(|column| {
            let item = |(label, href): &(String, String)| json!({"label": label, "href": self.address(href)});
            let mut own = CompactObject::default();
            own.some("header", column.header.as_deref());
            own.set("items", Value::Array(column.items.iter().map(item).collect()));
            Value::Object(own.0)
        });
        let columns: Vec<Value> = columns.collect();
        out.some("links", (!columns.is_empty()).then_some(Value::Array(columns)));
        out
    }
}
