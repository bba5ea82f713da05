//! `docs.json` to `Config`: every key but `navigation`. Wrong values are errors that name their path, and the default
//! is used; nothing here stops an export.

use base::{Description, Diagnostic};

use super::config::{
    Appearance, Background, CodeStyle, ColorScheme, Colors, Config, Font, Fonts, IconLibrary, Logo, MarkdownSettings,
    NotFound, Pair, Styling, Thumbnails,
};
use super::contextual::contextual;
use super::docs_chrome::{read_banner, read_footer, read_navbar};
use super::docs_meta::{integrations, read_feedback, read_redirects, read_seo, variables, variations};
use super::fields::{FieldPath, ObjectFields, UnreadKeys};
use super::json::{Json, JsonSpot, JsonValue};
use super::problems::LoadProblems;
use super::read_log::{Asked, ReadLog};
use super::read_values::{hex_pair, read_hex_color};
use super::sample_language::SampleLanguage;
use super::theme_family::{THEME_FAMILIES, ThemeFamily};

/// The accent of sites that set none.
const DEFAULT_ACCENT: &str = "#16A34A";

/// Reads a whole configuration.
pub fn read_docs_json(root: &Json, problems: &mut LoadProblems) -> Config {
    read_logged(root, None, problems)
}

/// The same, and notes what is asked of it.
pub fn read_logged(root: &Json, log: Option<&ReadLog>, problems: &mut LoadProblems) -> Config {
    let Some(members) = root.as_object() else {
        FieldPath { path: "docs.json".to_owned(), json: root, log }.wrong("an object", problems);
        return Config { colors: default_colors(), ..Config::default() };
    };
    let mut fields = ObjectFields::new(String::new(), members, log);
    // read elsewhere, or of no use in a bundle that knows no editor, no server and no outside requests
    fields.skip(&["$schema", "navigation", "public"]);
    let mut config = Config {
        theme: theme(&mut fields, root, problems),
        name: read_site_name(&mut fields, root, problems),
        description: fields.text("description", problems).filter(|text| !text.is_empty()).map(Description::new),
        colors: read_colors(&mut fields, root, problems),
        logo: fields.take("logo").and_then(|field| read_logo(&field, problems)),
        favicon: fields.pair("favicon", UnreadKeys::Warn, problems),
        appearance: read_appearance(&mut fields, problems),
        background: background(&mut fields, problems),
        thumbnails: thumbnails(&mut fields, problems),
        fonts: fields.take("fonts").map(|field| fonts(&field, problems)).unwrap_or_default(),
        icon_library: icon_library(&mut fields, problems),
        styling: read_styling(&mut fields, problems),
        navbar: fields.take("navbar").map(|field| read_navbar(&field, problems)).unwrap_or_default(),
        footer: fields.take("footer").map(|field| read_footer(&field, problems)).unwrap_or_default(),
        banner: fields.take("banner").and_then(|field| read_banner(&field, problems)),
        search_prompt: sub(&mut fields, "search", "`search`", problems, |search, problems| {
            search.text("prompt", problems)
        })
        .flatten(),
        seo: fields.take("seo").map(|field| read_seo(&field, problems)).unwrap_or_default(),
        redirects: fields.take("redirects").map(|field| read_redirects(&field, problems)).unwrap_or_default(),
        variables: fields.take("variables").map(|field| variables(&field, problems)).unwrap_or_default(),
        not_found: not_found(&mut fields, problems),
        markdown: read_markdown(&mut fields, problems),
        drilldown: sub(&mut fields, "interaction", "`interaction`", problems, |it, problems| {
            it.flag("drilldown", problems)
        })
        .flatten(),
        timestamp: sub(&mut fields, "metadata", "`metadata`", problems, |it, problems| it.flag("timestamp", problems))
            .flatten()
            .unwrap_or(false),
        contextual: fields.take("contextual").map(|field| contextual(&field, problems)).unwrap_or_default(),
        feedback: fields.take("feedback").map(|field| read_feedback(&field, problems)).unwrap_or_default(),
        api: fields.take("api").map(|field| api(&field, problems)).unwrap_or_default(),
        ..Config::default()
    };
    if config.theme.has_variations {
        config.variations = fields.take("variations").map(|field| variations(&field, problems)).unwrap_or_default();
    }
    if let Some(field) = fields.take("integrations") {
        config.integrations = integrations(&field, problems);
    }
    fields.finish("`docs.json`", UnreadKeys::Warn, problems);
    config
}

/// Reads a sub-object that tolerates unknown keys.
fn sub<'a, T>(
    fields: &mut ObjectFields<'a>,
    key: &'static str,
    kind: &'static str,
    problems: &mut LoadProblems,
    read: impl FnOnce(&mut ObjectFields<'a>, &mut LoadProblems) -> T,
) -> Option<T> {
    let mut inner = fields.object(key, problems)?;
    let value = read(&mut inner, problems);
    inner.finish(kind, UnreadKeys::Warn, problems);
    Some(value)
}

fn missing(key: &str, instead: &str, root: &Json, problems: &mut LoadProblems) {
    let message = format!("`{key}` is missing; {instead} is used");
    problems.at(root.at, Diagnostic::warning("config-missing-key", message).hint(format!("set `{key}` in docs.json")));
}

fn theme(fields: &mut ObjectFields<'_>, root: &Json, problems: &mut LoadProblems) -> &'static ThemeFamily {
    let Some(field) = fields.take("theme") else {
        missing("theme", "`mint`", root, problems);
        return <&ThemeFamily>::default();
    };
    field.choice(&THEME_FAMILIES.each_ref().map(|family| (family.name, family)), problems).unwrap_or_default()
}

fn read_site_name(fields: &mut ObjectFields<'_>, root: &Json, problems: &mut LoadProblems) -> String {
    if let Some(field) = fields.take("name") {
        let name = field.text(problems).filter(|name| !name.is_empty());
        return name.unwrap_or_else(|| "Documentation".to_owned());
    }
    missing("name", "`Documentation`", root, problems);
    "Documentation".to_owned()
}

/// The colors of sites without any.
pub fn default_colors() -> Colors {
    Colors { primary: DEFAULT_ACCENT.to_owned(), light: DEFAULT_ACCENT.to_owned(), dark: DEFAULT_ACCENT.to_owned() }
}

fn read_colors(fields: &mut ObjectFields<'_>, root: &Json, problems: &mut LoadProblems) -> Colors {
    let Some(mut colors) = fields.object("colors", problems) else {
        missing("colors.primary", &format!("`{DEFAULT_ACCENT}`"), root, problems);
        return default_colors();
    };
    let written = ["primary", "light", "dark"].map(|key| colors.take(key));
    if written[0].is_none() {
        missing("colors.primary", &format!("`{DEFAULT_ACCENT}`"), root, problems);
    }
    let [primary, light, dark] = written.map(|field| field.and_then(|field| read_hex_color(&field, problems)));
    colors.finish("`colors`", UnreadKeys::Refuse, problems);
    let primary = primary.unwrap_or_else(|| DEFAULT_ACCENT.to_owned());
    Colors { light: light.unwrap_or_else(|| primary.clone()), dark: dark.unwrap_or_else(|| primary.clone()), primary }
}

fn read_logo(field: &FieldPath<'_>, problems: &mut LoadProblems) -> Option<Logo> {
    if field.json.as_object().is_none() {
        return field.pair(UnreadKeys::Warn, problems).map(|image| Logo { image, ..Logo::default() });
    }
    let mut fields = field.object(problems)?;
    let image = fields.light_dark(problems);
    let href = fields.text("href", problems).filter(|href| !href.is_empty());
    fields.finish("`logo`", UnreadKeys::Warn, problems);
    image.map(|image| Logo { image, href, ..Logo::default() })
}

fn read_appearance(fields: &mut ObjectFields<'_>, problems: &mut LoadProblems) -> Appearance {
    const SCHEMES: [(&str, ColorScheme); 3] =
        [("system", ColorScheme::System), ("light", ColorScheme::Light), ("dark", ColorScheme::Dark)];
    sub(fields, "appearance", "`appearance`", problems, |it, problems| Appearance {
        default: it.choice("default", &SCHEMES, problems).unwrap_or_default(),
        strict: it.flag("strict", problems).unwrap_or(false),
    })
    .unwrap_or_default()
}

fn background(fields: &mut ObjectFields<'_>, problems: &mut LoadProblems) -> Background {
    const DECORATIONS: [(&str, &str); 3] = [("gradient", "gradient"), ("grid", "grid"), ("windows", "windows")];
    sub(fields, "background", "`background`", problems, |it, problems| Background {
        image: it.pair("image", UnreadKeys::Warn, problems),
        decoration: it.choice("decoration", &DECORATIONS, problems).map(str::to_owned),
        color: it.take("color").and_then(|field| hex_pair(&field, "`background.color`", problems)),
    })
    .unwrap_or_default()
}

fn thumbnails(fields: &mut ObjectFields<'_>, problems: &mut LoadProblems) -> Thumbnails {
    const SCHEMES: [(&str, ColorScheme); 2] = [("light", ColorScheme::Light), ("dark", ColorScheme::Dark)];
    sub(fields, "thumbnails", "`thumbnails`", problems, |it, problems| {
        // they are drawn in one font, whatever the pages have
        it.skip(&["fonts"]);
        let background = it.text("background", problems).filter(|path| !path.is_empty());
        Thumbnails { appearance: it.choice("appearance", &SCHEMES, problems), background }
    })
    .unwrap_or_default()
}

/// One font for everything, or one for headings and one for the body; what an own part leaves out, the common one
/// fills.
fn fonts(field: &FieldPath<'_>, problems: &mut LoadProblems) -> Fonts {
    let Some(mut fields) = field.object(problems) else { return Fonts::default() };
    let common = fields.take("family").is_some().then(|| font(field, true, problems)).flatten();
    fields.skip(&["family", "weight", "source", "format"]);
    let [heading, body] =
        ["heading", "body"].map(|key| fields.take(key)).map(|part| part.and_then(|part| font(&part, false, problems)));
    fields.finish("`fonts`", UnreadKeys::Refuse, problems);
    Fonts { heading: heading.or_else(|| common.clone()), body: body.or(common) }
}

fn font(field: &FieldPath<'_>, has_parts: bool, problems: &mut LoadProblems) -> Option<Font> {
    const FORMATS: [(&str, &str); 2] = [("woff", "woff"), ("woff2", "woff2")];
    let mut fields = field.object(problems)?;
    if has_parts {
        fields.skip(&["heading", "body"]);
    }
    let family = fields.text("family", problems).filter(|family| !family.is_empty());
    let weight = fields.take("weight").and_then(|weight| font_weight(&weight, problems));
    let source = fields.text("source", problems).filter(|source| !source.is_empty());
    let format = fields.choice("format", &FORMATS, problems).map(str::to_owned);
    fields.finish("a font", UnreadKeys::Refuse, problems);
    if family.is_none() {
        field.wrong("a font with a `family`", problems);
    }
    Some(Font { family: family?, weight, source, format })
}

fn font_weight(field: &FieldPath<'_>, problems: &mut LoadProblems) -> Option<u16> {
    field.note(|| Asked::Number);
    field.note(|| Asked::Text);
    let weight = match &field.json.value {
        JsonValue::Number(number) => number.as_u64(),
        JsonValue::String(text) => text.trim().parse().ok(),
        _ => None,
    };
    let weight = weight.and_then(|weight| u16::try_from(weight).ok()).filter(|weight| (1..=1000).contains(weight));
    if weight.is_none() {
        field.wrong("a weight from 1 to 1000", problems);
    }
    weight
}

fn icon_library(fields: &mut ObjectFields<'_>, problems: &mut LoadProblems) -> IconLibrary {
    const LIBRARIES: [(&str, IconLibrary); 3] =
        [("fontawesome", IconLibrary::FontAwesome), ("lucide", IconLibrary::Lucide), ("tabler", IconLibrary::Tabler)];
    sub(fields, "icons", "`icons`", problems, |it, problems| it.choice("library", &LIBRARIES, problems))
        .flatten()
        .unwrap_or_default()
}

fn read_styling(fields: &mut ObjectFields<'_>, problems: &mut LoadProblems) -> Styling {
    const EYEBROWS: [(&str, bool); 2] = [("section", false), ("breadcrumbs", true)];
    sub(fields, "styling", "`styling`", problems, |it, problems| {
        let breadcrumbs = it.choice("eyebrows", &EYEBROWS, problems).unwrap_or(false);
        let mut styling = Styling { breadcrumbs, ..Styling::default() };
        // only checked: pages with math have what math needs, others never have
        it.flag("latex", problems);
        if let Some(code) = it.take("codeblocks") {
            code_style(&code, &mut styling, problems);
        }
        styling
    })
    .unwrap_or_default()
}

fn code_style(field: &FieldPath<'_>, styling: &mut Styling, problems: &mut LoadProblems) {
    if let Some(name) = field.as_str() {
        styling.code = match name {
            "system" => CodeStyle::System,
            "dark" => CodeStyle::Dark,
            theme => CodeStyle::Themes(Pair { light: theme.to_owned(), dark: theme.to_owned() }),
        };
        return;
    }
    let Some(mut code) = field.object(problems) else { return };
    if let Some(pair) = code.pair("theme", UnreadKeys::Warn, problems) {
        styling.code = CodeStyle::Themes(pair);
    }
    if let Some(mut languages) = code.object("languages", problems) {
        styling.custom_languages =
            languages.list("custom", problems).iter().filter_map(|path| path.text(problems)).collect();
        languages.finish("`styling.codeblocks.languages`", UnreadKeys::Warn, problems);
    }
    code.finish("`styling.codeblocks`", UnreadKeys::Warn, problems);
}

fn not_found(fields: &mut ObjectFields<'_>, problems: &mut LoadProblems) -> NotFound {
    let page = sub(fields, "errors", "`errors`", problems, |errors, problems| {
        sub(errors, "404", "`errors.404`", problems, |page, problems| NotFound {
            redirect: page.flag("redirect", problems).unwrap_or(true),
            title: page.text("title", problems),
            description: page.text("description", problems),
        })
    });
    page.flatten().unwrap_or_default()
}

/// `markdown`: what the Markdown of pages says to agents, and whether it holds API descriptions.
fn read_markdown(fields: &mut ObjectFields<'_>, problems: &mut LoadProblems) -> MarkdownSettings {
    let read = sub(fields, "markdown", "`markdown`", problems, |markdown, problems| MarkdownSettings {
        schema: markdown.flag("schema", problems).unwrap_or(true),
        instructions: markdown
            .take("instructions")
            .map(|field| {
                field
                    .one_or_many()
                    .iter()
                    .filter_map(|line| line.text(problems))
                    .filter(|line| !line.is_empty())
                    .collect()
            })
            .unwrap_or_default(),
    });
    read.unwrap_or_default()
}

/// `api` is kept as written; only what the format is strict about is checked.
fn api(field: &FieldPath<'_>, problems: &mut LoadProblems) -> serde_json::Value {
    if let Some(mut api) = field.object(problems) {
        for key in ["openapi", "asyncapi"] {
            let Some(source) = api.take(key) else { continue };
            for source in source.one_or_many() {
                if source.json.as_object().is_some() {
                    let _ = api_source(&source, problems);
                } else if source.as_str().is_none() {
                    source.wrong("a path, a URL or an object with `source`", problems);
                }
            }
        }
        api_words(&mut api, problems);
    }
    field.json.to_value()
}

/// Settings of `api` that are words of a list.
fn api_words(api: &mut ObjectFields<'_>, problems: &mut LoadProblems) {
    const LISTS: [(&str, &str, &[&str]); 3] = [
        ("playground", "display", &["interactive", "simple", "none", "auth"]),
        ("params", "expanded", &["closed", "all"]),
        ("examples", "defaults", &["all", "required"]),
    ];
    for (object, key, words) in LISTS {
        let Some(field) = api.take(object) else { continue };
        if field.json.as_object().is_none() {
            field.doubt("an object", problems);
        } else if let Some(word) = field.object(problems).and_then(|mut fields| fields.take(key)) {
            word.doubt_unless(words, problems);
        }
    }
    let examples = api.take("examples").filter(|examples| examples.json.as_object().is_some());
    let languages =
        examples.and_then(|examples| examples.object(problems)).and_then(|mut examples| examples.take("languages"));
    let names: Vec<&str> = SampleLanguage::names().collect();
    for language in languages.map(|languages| languages.one_or_many()).unwrap_or_default() {
        language.doubt_unless_known(&names, |name| SampleLanguage::from_name(name).is_some(), problems);
    }
}

/// An API description that `api` or a container names.
#[derive(Clone, Debug)]
pub struct NamedDescription {
    /// Path or URL.
    pub source: String,
    /// Folder of the generated pages.
    pub directory: Option<String>,
    /// Its overlays, each with its place; and where the list stands. Without a list, they are found.
    pub overlays: Option<(Vec<(String, JsonSpot)>, JsonSpot)>,
}

/// `openapi` or `asyncapi` of `api` or a container: a path or URL, or `{source, directory?, overlays?}`.
pub fn api_source(field: &FieldPath<'_>, problems: &mut LoadProblems) -> Option<NamedDescription> {
    if let Some(text) = field.as_str() {
        let source = Some(text.trim().to_owned()).filter(|source| !source.is_empty())?;
        return Some(NamedDescription { source, directory: None, overlays: None });
    }
    let mut fields = field.object(problems)?;
    let (source, directory) = (fields.text("source", problems), fields.text("directory", problems));
    let overlays = fields.take("overlays").map(|overlays| {
        let paths = overlays.one_or_many();
        let paths = paths.iter().filter_map(|path| Some((path.text(problems)?, path.json.at)));
        (paths.filter(|(path, _)| !path.is_empty()).collect(), overlays.json.at)
    });
    fields.finish("an API source", UnreadKeys::Refuse, problems);
    if source.is_none() {
        field.wrong("a path, a URL or an object with `source`", problems);
    }
    let directory = directory.filter(|directory| !directory.is_empty());
    Some(NamedDescription { source: source?, directory, overlays })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::parse_json;
    use base::Severity;

    fn config(text: &str) -> (Config, Vec<Diagnostic>) {
        let mut problems = LoadProblems::default();
        let source = problems.add_source("docs.json", text.to_owned());
        let json = parse_json(text, source).unwrap().json;
        let config = read_docs_json(&json, &mut problems);
        (config, problems.finish())
    }

    /// Reads a configuration that has all required keys besides `keys`.
    fn with(keys: &str) -> (Config, Vec<Diagnostic>) {
        config(&format!("{{\"theme\": \"mint\", \"name\": \"N\", \"colors\": {{\"primary\": \"#000\"}},\n{keys}}}"))
    }

    #[track_caller]
    fn check<T: PartialEq + std::fmt::Debug>(keys: &str, field: impl Fn(&Config) -> T, expect: T) {
        let (config, problems) = with(keys);
        assert_eq!((field(&config), problems), (expect, Vec::new()), "{keys}");
    }

    #[track_caller]
    fn check_problem(keys: &str, severity: Severity, column: u32, message: &str) {
        let (_, problems) = with(keys);
        let found: Vec<_> = problems.iter().map(|it| (it.severity, it.line, it.column, it.message.as_str())).collect();
        assert_eq!(found, [(severity, 2, column, message)]);
    }

    /// The diagnostics of some keys, with their hints.
    fn diagnostics(keys: &str) -> Vec<(Severity, String, Option<String>)> {
        with(keys).1.into_iter().map(|problem| (problem.severity, problem.message, problem.hint)).collect()
    }

    #[track_caller]
    fn check_hint(keys: &str, hint: &str) {
        let found: Vec<Option<String>> = diagnostics(keys).into_iter().map(|(_, _, hint)| hint).collect();
        assert_eq!(found, [Some(hint.to_owned())], "{keys}");
    }

    #[test]
    fn unknown_keys_name_the_one_that_is_meant() {
        check_hint(r#""navbr": {}"#, "did you mean `navbar`?");
        check_hint(r#""favcion": "x.svg""#, "did you mean `favicon`?");
        check_hint(r#""redirect": []"#, "did you mean `redirects`?");
        check_hint(r#""redirects": [], "redirect": []"#, "remove `redirect`, or check its spelling");
        check_hint(r#""banner": {"content": "x", "dismissable": true}"#, "did you mean `dismissible`?");
        check_hint(r#""whatever": 1"#, "remove `whatever`, or check its spelling");
        for (old, now) in [
            ("topbarLinks", "navbar.links"),
            ("topbarCtaButton", "navbar.primary"),
            ("modeToggle", "appearance"),
            ("anchors", "navigation.global.anchors"),
            ("backgroundImage", "background.image"),
            ("analytics", "integrations"),
            ("openapi", "api.openapi"),
        ] {
            check_hint(&format!(r#""{old}": {{}}"#), &format!("the key in `docs.json` is `{now}`"));
        }
        check_hint(r#""seo": {"indexHiddenPages": true}"#, "the key in `docs.json` is `seo.indexing`");
    }

    #[test]
    fn values_that_change_nothing_are_checked_all_the_same() {
        let check = |keys: &str, message: &str, hint: Option<&str>| {
            let found = diagnostics(keys);
            let found: Vec<_> = found
                .iter()
                .map(|(severity, message, hint)| {
                    (*severity, message.split(" one of ").next().unwrap_or_default(), hint.as_deref())
                })
                .collect();
            assert_eq!(found, [(Severity::Warning, message, hint)], "{keys}");
        };
        let must_be = |path: &str| format!("`{path}` must be");
        check(
            r#""contextual": {"options": ["copy", "chatgtp"]}"#,
            &must_be("contextual.options[1]"),
            Some("did you mean `chatgpt`?"),
        );
        check(
            r#""contextual": {"options": ["copy", "view", "copy"]}"#,
            "`contextual.options[2]` must be an option that is not listed yet, not `copy`",
            None,
        );
        check(r#""api": {"playground": {"display": "hide"}}"#, &must_be("api.playground.display"), None);
        check(r#""api": {"playground": "interactive"}"#, "`api.playground` must be an object, not `interactive`", None);
        check(r#""api": {"params": {"expanded": true}}"#, &must_be("api.params.expanded"), None);
        check(r#""api": {"examples": {"languages": ["bash", "elixir"]}}"#, &must_be("api.examples.languages[1]"), None);
        check(
            r#""integrations": {"ga4": "G-123"}"#,
            "`integrations.ga4` must be an object with `measurementId`, not `G-123`",
            None,
        );
        check(
            r#""integrations": {"ga4": {"measurmentId": "G-123"}}"#,
            "`integrations.ga4.measurmentId`: an integration of this service has no key `measurmentId`; it has no effect",
            Some("did you mean `measurementId`?"),
        );
        check(r#""variables": {"v": 5}"#, "`variables.v` must be a string, not a number", None);
        check(
            r#""footer": {"links": [{"header": "H", "items": []}]}"#,
            "`footer.links[0]` must be a column with at least one link in `items`, not an object",
            None,
        );
        let (config, _) = with(r#""variables": {"v": 5}"#);
        assert_eq!(config.variables, [("v".to_owned(), "5".to_owned())]);
    }

    #[test]
    fn missing_keys_have_defaults() {
        let (config, problems) = config("{}");
        assert_eq!(
            (config.theme.name, config.name.as_str(), config.colors.dark.as_str()),
            ("mint", "Documentation", "#16A34A")
        );
        assert_eq!(
            problems.iter().map(|problem| (problem.code, problem.severity)).collect::<Vec<_>>(),
            [("config-missing-key", Severity::Warning); 3]
        );
    }

    #[test]
    fn looks() {
        check(
            r#""favicon": "/f.svg""#,
            |it| it.favicon.clone(),
            Some(Pair { light: "/f.svg".into(), dark: "/f.svg".into() }),
        );
        check(
            r#""logo": {"light": "/l.svg", "href": "https://x"}"#,
            |it| it.logo.clone().map(|logo| (logo.image.dark, logo.href)),
            Some(("/l.svg".into(), Some("https://x".into()))),
        );
        check(
            r#""appearance": {"default": "dark", "strict": true}"#,
            |it| (it.appearance.default, it.appearance.strict),
            (ColorScheme::Dark, true),
        );
        check(
            r##""background": {"color": {"dark": "#111"}, "decoration": "grid"}"##,
            |it| (it.background.color.clone().map(|color| color.dark), it.background.decoration.clone()),
            (Some("#111".into()), Some("grid".into())),
        );
        check(
            r#""fonts": {"family": "A", "heading": {"family": "B", "weight": 700}}"#,
            |it| {
                (
                    it.fonts.heading.clone().map(|font| (font.family, font.weight)),
                    it.fonts.body.clone().map(|font| font.family),
                )
            },
            (Some(("B".into(), Some(700))), Some("A".into())),
        );
        check(r#""icons": {"library": "lucide"}"#, |it| it.icon_library, IconLibrary::Lucide);
        check(
            r#""styling": {"eyebrows": "breadcrumbs", "latex": false, "codeblocks": "dark"}"#,
            |it| (it.styling.breadcrumbs, it.styling.code.clone()),
            (true, CodeStyle::Dark),
        );
        check(
            r#""styling": {"codeblocks": {"theme": {"light": "a", "dark": "b"}, "languages": {"custom": ["/g.json"]}}}"#,
            |it| (it.styling.code.clone(), it.styling.custom_languages.len()),
            (CodeStyle::Themes(Pair { light: "a".into(), dark: "b".into() }), 1),
        );
    }

    #[test]
    fn chrome() {
        check(
            r#""navbar": {"links": [{"label": "", "icon": "x", "href": "/a"}], "primary": {"type": "github", "href": "https://g"}}"#,
            |it| (it.navbar.links.len(), it.navbar.primary.clone().map(|link| (link.label, link.kind))),
            (1, Some(("GitHub".into(), Some("github".into())))),
        );
        check(
            r#""footer": {"socials": {"x": "https://x"}, "links": [{"header": "H", "items": [{"label": "L", "href": "/l"}]}]}"#,
            |it| (it.footer.socials.clone(), it.footer.columns[0].items.clone()),
            (vec![("x".into(), "https://x".into())], vec![("L".into(), "/l".into())]),
        );
        check(
            r##""banner": {"content": "Hi", "dismissible": true, "color": "#123"}"##,
            |it| {
                it.banner.clone().map(|banner| (banner.dismissible, banner.kind, banner.color.map(|color| color.dark)))
            },
            Some((true, "info".into(), Some("#123".into()))),
        );
    }

    #[test]
    fn the_rest() {
        check(
            r#""seo": {"metatags": {"a": "b", "n": 1}, "indexing": "all", "paths": [{"path": "/x", "metatags": {"c": "d"}}]}"#,
            |it| (it.seo.metatags.len(), it.seo.index_all, it.seo.paths.len()),
            (2, true, 1),
        );
        check(
            r#""redirects": [{"source": "/a", "destination": "/b"}, {"source": "/c", "destination": "/d", "permanent": false}]"#,
            |it| it.redirects.iter().map(|redirect| redirect.permanent).collect::<Vec<_>>(),
            vec![true, false],
        );
        check(r#""variables": {"a.b": "<b>1</b>"}"#, |it| it.variables.clone(), vec![("a.b".into(), "1".into())]);
        check(
            r#""errors": {"404": {"redirect": false, "title": "T"}}"#,
            |it| (it.not_found.redirect, it.not_found.title.clone()),
            (false, Some("T".into())),
        );
        check(
            r#""contextual": {"options": ["copy", {"title": "x", "href": "/y"}], "display": "toc"}, "metadata": {"timestamp": true}, "interaction": {"drilldown": true}"#,
            |it| (it.contextual.options.len(), it.contextual.in_contents, it.timestamp, it.drilldown),
            (2, true, true, Some(true)),
        );
        check(
            r#""api": {"openapi": ["a.json", {"source": "b.json"}]}, "search": {"prompt": "Ask"}"#,
            |it| (it.api["openapi"][0].as_str().map(str::to_owned), it.search_prompt.clone()),
            (Some("a.json".into()), Some("Ask".into())),
        );
    }

    #[test]
    fn wrong_values_name_their_path() {
        check_problem(
            r#""icons": {"library": "mine"}"#,
            Severity::Error,
            22,
            "`icons.library` must be one of `fontawesome`, `lucide`, `tabler`, not `mine`",
        );
        check_problem(r#""description": ["a"]"#, Severity::Error, 16, "`description` must be a string, not an array");
        check_problem(
            r#""navbar": {"links": [{"href": "javascript:alert(1)", "label": "x"}]}"#,
            Severity::Error,
            22,
            "`navbar.links[0]` must be a link to a page: `https:`, `mailto:`, a path or `#`, not an object",
        );
        check_problem(
            r#""footer": {"links": [{"items": [{"label": "x", "href": "//evil"}]}]}"#,
            Severity::Error,
            33,
            "`footer.links[0].items[0]` must be a link to a page: `https:`, `mailto:`, a path or `#`, not an object",
        );
        check_problem(
            r#""redirects": [{"source": "/a", "destination": "/b"}, {"source": "/a", "destination": "/c"}]"#,
            Severity::Warning,
            54,
            "`redirects[1]` is the second redirect from `/a`; the first one is used",
        );
        check_problem(
            r#""fonts": {"body": {"weight": 1}}"#,
            Severity::Error,
            19,
            "`fonts.body` must be a font with a `family`, not an object",
        );
    }

    #[test]
    fn unknown_keys() {
        check_problem(
            r#""rounded": {}"#,
            Severity::Warning,
            1,
            "`rounded`: `docs.json` has no key `rounded`; it has no effect",
        );
        check_problem(
            r#""integrations": {"mine": {}}"#,
            Severity::Error,
            18,
            "`integrations.mine`: `integrations` has no key `mine`",
        );
        check_problem(
            r##""background": {"color": {"lite": "#000"}}"##,
            Severity::Error,
            26,
            "`background.color.lite`: `background.color` has no key `lite`",
        );
    }
}
