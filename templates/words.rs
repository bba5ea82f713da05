//! The words of the interface: what a bundle says itself, by language.
//!
//! A language is a file, `words/<language>.toml` beside this module, named by its primary subtag (BCP 47). The build script makes
//! a `static` of each, so a file that lacks a key does not compile. A new language is one new file.

use serde::Serialize;

/// What the interface says in a language.
#[derive(Debug)]
pub struct Words {
    /// The language itself.
    pub language: LanguageWords,
    /// What stands around contents.
    pub frame: FrameWords,
    /// Inside contents.
    pub content: ContentWords,
    /// Pages of API references.
    pub api: ApiWords,
    /// What a reader can do with a page.
    pub actions: ActionsWords,
    /// The search dialog.
    pub search: SearchWords,
    /// The console of API pages.
    pub console: ConsoleWords,
}

/// A language, in its own words.
#[derive(Debug)]
pub struct LanguageWords {
    /// What it calls itself.
    pub name: &'static str,
    /// Written from right to left.
    pub right_to_left: bool,
}

/// The words around the content of a page, which templates know as `w`.
#[derive(Debug, Serialize)]
#[expect(missing_docs, reason = "the keys say what they are; English says the rest")]
pub struct FrameWords {
    pub skip: &'static str,
    pub menu: &'static str,
    pub close: &'static str,
    pub theme: &'static str,
    pub pages: &'static str,
    pub sections: &'static str,
    pub links: &'static str,
    pub on_this_page: &'static str,
    pub breadcrumbs: &'static str,
    pub previous: &'static str,
    pub next: &'static str,
    pub related: &'static str,
    pub modified: &'static str,
    pub all_pages: &'static str,
    pub language: &'static str,
    pub version: &'static str,
    pub product: &'static str,
    pub announcement: &'static str,
    pub deprecated: &'static str,
    pub home: &'static str,
    pub examples: &'static str,
    pub filter: &'static str,
    pub view: &'static str,
    pub variation: &'static str,
    pub not_found: &'static str,
    /// Below `not_found`.
    pub not_found_text: &'static str,
    pub failed: &'static str,
    /// In place of the chat of an `assistant` page.
    pub assistant: &'static str,
}

/// Words that the program writes into contents, and those that its scripts show there.
#[derive(Debug, PartialEq, Eq)]
pub struct ContentWords {
    /// Of the button beside code.
    pub copy_code: &'static str,
    /// What it says afterwards.
    pub copied: &'static str,
    /// Unfolds a long block.
    pub show_all: &'static str,
    /// Folds it again.
    pub show_less: &'static str,
    /// Of the button that wraps long lines of code.
    pub wrap: &'static str,
    /// Of a field that must be sent.
    pub required: &'static str,
    /// Of a field that should not be used any more.
    pub deprecated: &'static str,
    /// Before the value that a field has otherwise.
    pub default: &'static str,
    /// The name of a group of tabs.
    pub request_example: &'static str,
    /// The name of a group of tabs.
    pub response_example: &'static str,
    /// Of the sign beside a heading.
    pub link_here: &'static str,
}

/// What pages of API references say. `{}` stands for a name or a value.
#[derive(Debug)]
#[expect(missing_docs, reason = "the keys say what they are; English says the rest")]
pub struct ApiWords {
    /// The group of operations without a tag.
    pub reference: &'static str,
    pub authorization: &'static str,
    pub path_parameters: &'static str,
    pub query_parameters: &'static str,
    pub headers: &'static str,
    pub cookies: &'static str,
    pub body: &'static str,
    pub responses: &'static str,
    pub callbacks: &'static str,
    pub messages: &'static str,
    pub servers: &'static str,
    pub fields: &'static str,
    pub read_only: &'static str,
    pub write_only: &'static str,
    /// Before the values that a field may have.
    pub values: &'static str,
    /// Before the only value that a field has.
    pub constant: &'static str,
    pub example: &'static str,
    /// Before the number of characters of a text.
    pub length: &'static str,
    /// Before the number of items of an array.
    pub items: &'static str,
    /// Before the number of properties of an object.
    pub properties: &'static str,
    pub multiple_of: &'static str,
    pub pattern: &'static str,
    pub unique: &'static str,
    /// Below a field that holds itself.
    pub repeats: &'static str,
    /// Below a field whose fields the page does not have.
    pub too_deep: &'static str,
    /// Between alternatives.
    pub or: &'static str,
    /// The alternative to all credentials.
    pub no_authorization: &'static str,
    /// Before a header, parameter or cookie with a credential.
    pub sent_as: &'static str,
    pub client_certificate: &'static str,
    pub scopes: &'static str,
    pub authorization_url: &'static str,
    pub device_authorization_url: &'static str,
    pub token_url: &'static str,
    pub refresh_url: &'static str,
    /// What a response leads to.
    pub links: &'static str,
    pub send: &'static str,
    pub receive: &'static str,
    /// Where a callback is sent.
    pub sent_to: &'static str,
    /// The name of a group of media types.
    pub media_types: &'static str,
    /// The name of a group of alternatives.
    pub alternatives: &'static str,
    /// The notation of a body beside its examples.
    pub schema: &'static str,
    pub schemas: &'static str,
    pub operations: &'static str,
    /// The page about a description.
    pub overview: &'static str,
    pub contact: &'static str,
    pub license: &'static str,
    pub terms: &'static str,
}

/// What menus and links of a page say. `{}` stands for the name of a service or a program.
#[derive(Debug)]
#[expect(missing_docs, reason = "the keys say what they are; English says the rest")]
pub struct ActionsWords {
    pub copy: &'static str,
    pub copied: &'static str,
    /// Name of the button that opens the menu.
    pub more: &'static str,
    pub view: &'static str,
    pub print: &'static str,
    pub spec: &'static str,
    pub assistant: &'static str,
    pub open_in: &'static str,
    pub connect: &'static str,
    pub mcp: &'static str,
    pub add_mcp: &'static str,
    pub edit: &'static str,
    pub issue: &'static str,
    /// To the page before.
    pub back: &'static str,
}

/// What the search dialog says, as its script reads it. `{}` stands for the query, or for a number.
#[derive(Debug, Serialize)]
#[expect(missing_docs, reason = "the keys say what they are; English says the rest")]
pub struct SearchWords {
    /// Name of button and dialog.
    pub search: &'static str,
    /// In the empty field.
    #[serde(skip)]
    pub prompt: &'static str,
    /// Before anything is typed, where there is nothing to open.
    pub idle: &'static str,
    /// Above pages that were opened from results.
    pub recent: &'static str,
    /// Above the first pages of the sidebar.
    pub suggested: &'static str,
    pub count: &'static str,
    /// The same for one result.
    pub one: &'static str,
    pub none: &'static str,
    pub advice: &'static str,
    pub failed: &'static str,
    pub retry: &'static str,
    /// What the keys in the foot do.
    #[serde(rename = "move")]
    pub moves: &'static str,
    pub open: &'static str,
    pub close: &'static str,
    /// What shows the results beyond the first ones.
    pub all: &'static str,
    pub versions: &'static str,
    /// All tabs or products.
    pub sections: &'static str,
    /// What leads to results that are not in the version or section that the reader looks in.
    pub everywhere: &'static str,
}

/// What the console of API pages says beyond the words of these pages, as its script reads it. `{}` stands for a name,
/// an address or a number.
#[derive(Debug, Serialize)]
#[expect(missing_docs, reason = "the keys say what they are; English says the rest")]
pub struct ConsoleWords {
    /// Name of the button and the dialog.
    pub try_it: &'static str,
    pub send: &'static str,
    pub sending: &'static str,
    pub cancel: &'static str,
    pub server: &'static str,
    pub other_server: &'static str,
    pub server_address: &'static str,
    /// Below servers that a policy fixes.
    pub fixed: &'static str,
    pub no_authorization: &'static str,
    pub path: &'static str,
    pub query: &'static str,
    pub content_type: &'static str,
    pub form: &'static str,
    pub text: &'static str,
    pub user: &'static str,
    pub password: &'static str,
    pub remember: &'static str,
    pub forget: &'static str,
    pub paste_token: &'static str,
    pub add: &'static str,
    pub add_entry: &'static str,
    pub remove: &'static str,
    pub key: &'static str,
    pub value: &'static str,
    /// The name of a choice among alternatives.
    pub choose: &'static str,
    /// The choice of no value.
    pub unset: &'static str,
    pub missing: &'static str,
    /// In place of a form without fields.
    pub nothing: &'static str,
    pub response: &'static str,
    /// Before the first request.
    pub idle: &'static str,
    pub empty: &'static str,
    pub more: &'static str,
    pub download: &'static str,
    pub copy: &'static str,
    pub headers_note: &'static str,
    pub partial: &'static str,
    pub canceled: &'static str,
    pub blocked: &'static str,
    pub mixed: &'static str,
    pub offline: &'static str,
    pub unreachable: &'static str,
    pub unreachable_advice: &'static str,
    pub cors: &'static str,
    pub cors_advice: &'static str,
    pub cors_file: &'static str,
    pub bad_address: &'static str,
    pub bad_header: &'static str,
    pub bad_json: &'static str,
    /// Below a cookie, header or body that is not sent.
    pub curl_only: &'static str,
    pub method_note: &'static str,
    pub scheme_note: &'static str,
    /// Before the names of fields that do not hold what the page says.
    pub wrong: &'static str,
    /// Beside a field: its type.
    pub not_type: &'static str,
    /// Beside a field: a bound, as the page says it.
    pub out_of_bounds: &'static str,
    pub empty_path: &'static str,
    pub send_anyway: &'static str,
    pub get_token: &'static str,
    pub client_id: &'static str,
    pub client_secret: &'static str,
    /// Before the address of the page that a login returns to.
    pub return_address: &'static str,
    /// Where a page cannot be returned to.
    pub needs_host: &'static str,
    pub login_waits: &'static str,
    /// On the page that a login returns to.
    #[serde(skip)]
    pub login_done: &'static str,
    pub device_code: &'static str,
    pub token_got: &'static str,
    pub no_token: &'static str,
    /// Below credentials.
    pub kept: &'static str,
    /// Before requests that were sent before.
    pub history: &'static str,
}

include!(concat!(env!("OUT_DIR"), "/words.rs"));

/// The words of a language, as docs.json names it (`cn`, `jp`, `ua`) or as a tag; English where there are none.
pub fn for_language(language: &str) -> &'static Words {
    let primary = language.split(['-', '_']).next().unwrap_or_default().to_ascii_lowercase();
    let primary = match primary.as_str() {
        "cn" => "zh",
        "jp" => "ja",
        "ua" => "uk",
        known => known,
    };
    for_subtag(primary).unwrap_or(&EN)
}

/// The words of a language by its primary subtag, in lower case.
pub fn for_subtag(subtag: &str) -> Option<&'static Words> {
    LANGUAGES.iter().find(|(language, _)| *language == subtag).map(|(_, words)| *words)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn languages_are_known_as_docs_json_and_as_tags_name_them() {
        let next = |language| for_language(language).frame.next;
        assert_eq!(
            (next("de"), next("de-AT"), next("pt-BR"), next("fr-ca")),
            ("Weiter", "Weiter", "Próximo", "Suivant")
        );
        assert_eq!((next("cn"), next("jp"), next("zh-Hant")), ("下一页", "次へ", "下一页"));
        assert_eq!((next(""), next("en-US"), next("tlh"), next("fi")), ("Next", "Next", "Next", "Next"));
    }

    /// What the build script read is what the files say: it understands less of TOML than there is.
    #[test]
    fn every_file_is_read_as_toml_reads_it() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("words");
        for (language, words) in LANGUAGES {
            let text = std::fs::read_to_string(folder.join(format!("{language}.toml"))).unwrap();
            let file: toml::Table = toml::from_str(&text).unwrap();
            let shown = format!("{words:?}");
            for (section, keys) in &file {
                for (key, value) in keys.as_table().unwrap() {
                    // those of contents and API pages are written as they are
                    let is_plain = !value.as_str().unwrap_or_default().contains(['"', '<', '&', '|']);
                    let is_as_written = matches!(section.as_str(), "content" | "api");
                    assert!(is_plain || !is_as_written, "{language}: {section}.{key}: {value}");
                    let value = value.as_str().map_or_else(|| value.to_string(), |text| format!("{text:?}"));
                    assert!(shown.contains(&format!("{key}: {value}")), "{language}: {section}.{key}: {shown}");
                }
            }
        }
        assert_eq!(std::fs::read_dir(folder).unwrap().count(), LANGUAGES.len());
    }

    /// The compiler sees a key that is missing; a text that was left in English, or lacks its place, is for a test.
    #[test]
    fn every_language_says_everything() {
        for (language, words) in LANGUAGES.into_iter().filter(|(language, _)| *language != "en") {
            let Words { frame, content, api, actions, search, console, .. } = words;
            for (own, english) in [
                (frame.not_found, EN.frame.not_found),
                (frame.not_found_text, EN.frame.not_found_text),
                (frame.failed, EN.frame.failed),
                (frame.assistant, EN.frame.assistant),
                (content.copy_code, EN.content.copy_code),
                (content.link_here, EN.content.link_here),
                (api.path_parameters, EN.api.path_parameters),
                (api.values, EN.api.values),
                (api.unique, EN.api.unique),
                (api.repeats, EN.api.repeats),
                (api.too_deep, EN.api.too_deep),
                (api.no_authorization, EN.api.no_authorization),
                (api.sent_as, EN.api.sent_as),
                (api.client_certificate, EN.api.client_certificate),
                (api.authorization_url, EN.api.authorization_url),
                (api.device_authorization_url, EN.api.device_authorization_url),
                (api.alternatives, EN.api.alternatives),
                (actions.copy, EN.actions.copy),
                (actions.issue, EN.actions.issue),
                (actions.back, EN.actions.back),
                (search.prompt, EN.search.prompt),
                (search.idle, EN.search.idle),
                (search.none, EN.search.none),
                (search.advice, EN.search.advice),
                (search.retry, EN.search.retry),
                (search.versions, EN.search.versions),
                (search.sections, EN.search.sections),
                (search.everywhere, EN.search.everywhere),
                (console.idle, EN.console.idle),
                (console.fixed, EN.console.fixed),
                (console.cors, EN.console.cors),
                (console.unreachable_advice, EN.console.unreachable_advice),
                (console.curl_only, EN.console.curl_only),
            ] {
                assert!(own != english && own.chars().count() >= 4, "{language}: {own}");
            }
            assert!(!format!("{words:?}").contains(": \"\""), "{language}: an empty text");
            let placed = [
                api.repeats,
                api.multiple_of,
                actions.open_in,
                actions.connect,
                search.count,
                search.one,
                search.none,
                search.all,
                console.remove,
                console.missing,
                console.more,
                console.blocked,
                console.mixed,
                console.unreachable,
                console.cors,
                console.cors_advice,
                console.bad_address,
                console.bad_header,
                console.bad_json,
                console.method_note,
                console.scheme_note,
            ];
            assert!(placed.iter().all(|text| text.contains("{}")), "{language}: {placed:?}");
        }
    }

    #[test]
    fn one_result_is_not_many() {
        for (language, one) in [
            ("en", "{} result"),
            ("nl", "{} resultaat"),
            ("sv", "{} träff"),
            ("de", "{} Treffer"),
            ("fr", "Résultats : {}"),
        ] {
            assert_eq!(for_language(language).search.one, one);
        }
    }
}
