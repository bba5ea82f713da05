//! Languages of a site: their tags, names and directions, and dates as they write them.

use super::source::ChromeInput;
use super::structure::Branch;
use base::cut::SliceText as _;
use base::time::format_long_date;
use nav::{NavNode, NodeId, NodeKind};
use templates::words;

/// The language tag (BCP 47) of a `language` of docs.json, which also knows `cn`, `jp`, `ua` and lower-case regions.
pub(super) fn language_tag(code: &str) -> String {
    match code {
        "cn" => return "zh-Hans".to_owned(),
        "jp" => return "ja".to_owned(),
        "ua" => return "uk".to_owned(),
        _ => {}
    }
    let parts: Vec<String> = code
        .split(['-', '_'])
        .filter(|part| !part.is_empty() && part.chars().all(|c| c.is_ascii_alphanumeric()))
        .enumerate()
        .map(|(i, part)| match (i, part.len()) {
            (0, _) => part.to_ascii_lowercase(),
            (_, 2) => part.to_ascii_uppercase(),
            (_, 4) => part.slice(..1).to_ascii_uppercase() + &part.slice(1..).to_ascii_lowercase(),
            _ => part.to_owned(),
        })
        .collect();
    if parts.is_empty() { "en".to_owned() } else { parts.join("-") }
}

/// The language tag of a branch.
pub(super) fn language_of(source: &ChromeInput<'_>, branch: &Branch) -> String {
    language_tag(language_node(source, branch).map_or("en", |id| division_key(source.node(id))))
}

/// The node of the navigation that is the language of a branch.
pub(super) fn language_node(source: &ChromeInput<'_>, branch: &Branch) -> Option<NodeId> {
    branch.chain.iter().copied().find(|id| source.node(*id).kind == NodeKind::Language)
}

/// What the navigation calls a division: its code for a language, its label for others.
pub(super) fn division_key(node: &NavNode) -> &str {
    if node.key.is_empty() { &node.label } else { &node.key }
}

/// Written from right to left.
pub(super) fn is_rtl(tag: &str) -> bool {
    let subtag = tag.split('-').next().unwrap_or_default();
    words::for_subtag(subtag).map_or(matches!(subtag, "fa" | "ur"), |words| words.language.right_to_left)
}

/// The language's name in itself; the code as written for one that is not known.
pub(super) fn own_name(code: &str) -> &str {
    let lower = code.to_ascii_lowercase();
    let subtag = match lower.as_str() {
        "cn" | "zh-hans" | "zh-cn" => "zh",
        "jp" | "ja-jp" => "ja",
        "ua" => "uk",
        other => other,
    };
    if let Some(words) = words::for_subtag(subtag) {
        return words.language.name;
    }
    match subtag {
        "zh-hant" | "zh-tw" => "繁體中文",
        "fr-ca" => "Français (Canada)",
        "pt-br" => "Português (Brasil)",
        "ro" => "Română",
        "hi" => "हिन्दी",
        "no" => "Norsk",
        "da" => "Dansk",
        "lv" => "Latviešu",
        "uz" => "Oʻzbekcha",
        "ca" => "Català",
        "fi" => "Suomi",
        "hu" => "Magyar",
        _ => code,
    }
}

/// An ISO date (`2026-03-09…`) in words where the page is English; other languages keep the ISO form.
pub(super) fn date_in_words(iso: &str, tag: &str) -> String {
    let day = iso.split(['T', ' ']).next().unwrap_or_default();
    let mut parts = day.splitn(3, '-').map(|part| part.parse::<usize>().ok());
    match (parts.next().flatten(), parts.next().flatten(), parts.next().flatten()) {
        (Some(year), Some(month @ 1..=12), Some(date @ 1..=31)) if day.len() == 10 => {
            if tag.starts_with("en") {
                format_long_date(year, month, date).unwrap_or_else(|| iso.to_owned())
            } else {
                day.to_owned()
            }
        }
        _ => iso.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_become_tags() {
        for (code, expect) in [
            ("en", "en"),
            ("cn", "zh-Hans"),
            ("jp", "ja"),
            ("ua", "uk"),
            ("ja-jp", "ja-JP"),
            ("zh-hant", "zh-Hant"),
            ("pt_br", "pt-BR"),
            ("", "en"),
            ("\"><x", "en"),
        ] {
            assert_eq!(language_tag(code), expect);
        }
    }

    #[test]
    fn languages_have_names_and_directions() {
        let names = ["de", "ZH-CN", "jp", "pt-BR", "de-AT", "tlh"].map(own_name);
        assert_eq!(names, ["Deutsch", "简体中文", "日本語", "Português (Brasil)", "de-AT", "tlh"]);
        assert_eq!(["ar", "he-IL", "fa", "ur-PK", "en", "xx"].map(is_rtl), [true, true, true, true, false, false]);
    }

    #[test]
    fn dates_read_well() {
        assert_eq!(date_in_words("2026-03-09T10:00:00Z", "en"), "March 9, 2026");
        assert_eq!(date_in_words("2026-03-09", "de"), "2026-03-09");
        assert_eq!(date_in_words("last week", "en"), "last week");
        assert_eq!(date_in_words("2026-13-09", "en"), "2026-13-09");
    }
}
