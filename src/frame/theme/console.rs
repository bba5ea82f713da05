//! The API console as pages know it: the button of a page, and the client that it loads when a reader first opens it. The
//! client reads the page's own HTML, so there is one for all pages of a language.

use rustc_hash::FxHashMap;
use serde_json::{Value, json};

use tera::{Context, Tera};

use super::fragment::safe;
use super::language::is_rtl;
use super::language::language_of;
use super::minify::minify_css;
use super::policy;
use super::source::ChromeInput;
use super::structure::Structure;
use super::theme_file::{ThemeFile, fingerprinted, small_script};
use super::{SiteTheme, template_failed};
use base::html::{self, escape_html_text};
use base::{BundlePath, PageId, url};

use render::playground::shows_console;
use site::page::PageEntry;
use templates::words::{self, Words};

/// Parts of the client, in order.
const SCRIPTS: [(&str, &str); 12] = [
    ("fields.js", templates::text("js/console/fields.js")),
    ("controls.js", templates::text("js/console/controls.js")),
    ("checks.js", templates::text("js/console/checks.js")),
    ("request.js", templates::text("js/console/request.js")),
    ("answer.js", templates::text("js/console/answer.js")),
    ("server.js", templates::text("js/console/server.js")),
    ("grants.js", templates::text("js/console/grants.js")),
    ("samples.js", templates::text("js/console/samples.js")),
    ("access.js", templates::text("js/console/access.js")),
    ("body.js", templates::text("js/console/body.js")),
    ("history.js", templates::text("js/console/history.js")),
    ("dialog.js", templates::text("js/console/dialog.js")),
];
const SHEET: &str = templates::text("css/console/console.css");
/// What the page does that a login returns to.
const RETURN: &str = templates::text("js/oauth/oauth.js");
/// What the button does, for the script of all pages.
pub(super) const LOADER: &str = templates::text("js/optional/try.js");

/// Whether pages of the site may have a console.
pub(super) fn is_enabled(source: &ChromeInput<'_>) -> bool {
    source.options.playground && source.site.pages.iter().any(|page| shows(source, page))
}

fn shows(source: &ChromeInput<'_>, page: &PageEntry) -> bool {
    shows_console(&source.config().api, &page.meta, page.endpoint.as_ref())
}

/// The path of the client of each branch, and the files of the clients.
pub(super) fn clients(
    source: &ChromeInput<'_>,
    structure: &Structure,
    tera: &Tera,
) -> (Vec<Option<String>>, Vec<ThemeFile>) {
    if !is_enabled(source) {
        return (vec![None; structure.branches.len()], Vec::new());
    }
    let sheet = fingerprinted("console", "css", minify_css(SHEET).into_bytes());
    let mut files: Vec<ThemeFile> = Vec::new();
    let mut by_language: FxHashMap<&'static str, String> = FxHashMap::default();
    let paths = structure.branches.iter().map(|branch| {
        let words = words::for_language(&language_of(source, branch));
        let path = by_language.entry(words.language.name).or_insert_with(|| {
            let file = api_console_script(source, words, &sheet);
            let path = url::encode_path(file.path.as_str());
            files.push(file);
            path
        });
        Some(path.clone())
    });
    let paths = paths.collect();
    files.push(sheet);
    if has_logins(source) {
        let lang = structure.branches.first().map_or_else(String::new, |branch| language_of(source, branch));
        files.extend(return_page(source, &lang, tera));
    }
    (paths, files)
}

/// Whether a description has a way of OAuth 2.0 to authorize.
fn has_logins(source: &ChromeInput<'_>) -> bool {
    let descriptions = &source.site.descriptions;
    let documents = descriptions.ids().filter_map(|id| descriptions.document(id));
    let schemes = documents.filter_map(|root| root.pointer("/components/securitySchemes")?.as_object());
    let is_login = |scheme: &Value| matches!(scheme["type"].as_str(), Some("oauth2" | "openIdConnect"));
    schemes.flat_map(|schemes| schemes.values()).any(is_login)
}

/// The page that a login returns to, and its script. Servers know its address, so it is the same in every export.
fn return_page(source: &ChromeInput<'_>, lang: &str, tera: &Tera) -> [ThemeFile; 2] {
    let script = fingerprinted("oauth", "js", small_script(source, RETURN).into_bytes());
    let mut context = Context::new();
    context.insert("lang", lang);
    context.insert("rtl", &is_rtl(lang));
    context.insert_value("policy", safe(&policy::of_files(source.options.reach)));
    context.insert("done", words::for_language(lang).console.login_done);
    context.insert("script", script.path.as_str().trim_start_matches("_offprint/"));
    let page = tera.render("oauth.html", &context).unwrap_or_else(|error| template_failed(source, &error));
    [ThemeFile { path: BundlePath::sanitize("_offprint/oauth.html"), bytes: page.into_bytes() }, script]
}

fn api_console_script(source: &ChromeInput<'_>, words: &Words, sheet: &ThemeFile) -> ThemeFile {
    let words = html::script_json(&console_words(words).to_string());
    let sheet = html::script_json(&json!(url::encode_path(sheet.path.as_str())).to_string());
    let parts: String = SCRIPTS.iter().map(|(_, part)| *part).collect();
    let script = format!("(function (words, sheet) {{\n\"use strict\";\n{parts}\n}})({words}, {sheet});\n");
    fingerprinted("console", "js", small_script(source, &script).into_bytes())
}

impl SiteTheme<'_> {
    /// Takes the console from a page that must not have one.
    pub fn settle_console(&self, page: PageId, content: &mut render::RenderedPage) {
        let client = self.consoles.get(self.spot(page).branch as usize).is_some_and(Option::is_some);
        let entry = self.source.site.page(page);
        content.playground.take_if(|_| !client || !shows(&self.source, entry));
    }

    /// The button of a page that has a console, HTML: hidden until the script of the page is there.
    pub(super) fn console_button(&self, page: PageId, content: &render::RenderedPage) -> Option<String> {
        let playground = content.playground.as_ref()?;
        let spot = self.spot(page);
        let client = self.consoles.get(spot.branch as usize)?.as_ref()?;
        let lang = &self.chromes[spot.branch as usize].lang;
        Some(format!(
            "<button type=\"button\" class=\"api-try\" data-playground=\"{}\" data-connect=\"{}\" hidden>{}</button>",
            html::attr(client),
            html::attr(&playground.origins().join(" ")),
            escape_html_text(words::for_language(lang).console.try_it),
        ))
    }
}

/// What the client says: words of its own, and those that it shares with the page.
fn console_words(words: &Words) -> Value {
    let mut said = json!(words.console);
    for (key, word) in [
        ("required", words.content.required),
        ("copied", words.content.copied),
        ("close", words.frame.close),
        ("authorization", words.api.authorization),
        ("deprecated", words.content.deprecated),
        ("example", words.api.example),
        ("request", words.content.request_example),
        ("scopes", words.api.scopes),
        ("headers", words.api.headers),
        ("cookies", words.api.cookies),
        ("body", words.api.body),
    ] {
        said[key] = json!(word);
    }
    said
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_part_of_the_client_is_joined() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../templates/js/console");
        let mut names: Vec<String> =
            std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        let mut joined = SCRIPTS.map(|(name, _)| name);
        joined.sort_unstable();
        assert_eq!(names, joined);
    }

    #[test]
    fn the_client_evaluates_no_text_and_reads_no_html() {
        for (name, script) in SCRIPTS {
            for word in ["eval(", "Function(", "innerHTML", "outerHTML", "insertAdjacentHTML", "document.write"] {
                assert!(!script.contains(word), "{name} holds {word}");
            }
            // one of the samples prints the answer
            assert!(!script.contains("console.log") || name == "samples.js", "{name} logs");
        }
    }

    #[test]
    fn the_client_says_what_there_are_words_for() {
        let said = console_words(&words::EN);
        let parts: String = SCRIPTS.iter().map(|(_, part)| *part).collect();
        for key in said.as_object().unwrap().keys() {
            assert!(parts.contains(&format!("words.{key}")), "nothing says `{key}`");
        }
        for used in parts.split("words.").skip(1) {
            let key: String = used.chars().take_while(|c| c.is_ascii_lowercase() || *c == '_').collect();
            assert!(said.get(&key).is_some(), "{key}");
        }
    }
}
