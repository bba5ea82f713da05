//! Which of several descriptions a page means: one beside it, of its language, or in the nearest folder.

use site::tree;

/// The language of what stands in no folder of a language.
const USUAL: &str = "en";
/// Folders that are called by a language: their primary subtags.
const LANGUAGES: [&str; 34] = [
    "ar", "ca", "cn", "cs", "da", "de", "en", "es", "fi", "fr", "he", "hi", "hu", "id", "it", "ja", "jp", "ko", "lv",
    "nl", "no", "pl", "pt", "ro", "ru", "sv", "th", "tr", "uk", "uz", "vi", "zh", "el", "fa",
];

/// The path that a source has beside a page, if it is written so: `./openapi.yaml`, `../openapi.yaml`.
pub(super) fn beside(source: &str, near: &str) -> Option<String> {
    let is_relative = source.starts_with("./") || source.starts_with("../");
    is_relative.then(|| tree::join_document_path(tree::folder(near), source)).flatten()
}

/// How far a description is from a page: whether it is of another language, and how many folders of the page's path it
/// does not share.
pub(super) fn distance(path: &str, near: &str) -> (u8, usize) {
    let own = language(tree::folder(near));
    let theirs = language(tree::folder(path)).or_else(|| language_of_name(path));
    let of_language = match (own, theirs) {
        (Some(own), Some(theirs)) => u8::from(own != theirs) * 2,
        (None, Some(theirs)) => u8::from(theirs != USUAL) * 2,
        (Some(_), None) => 1,
        (None, None) => 0,
    };
    let [own, theirs] = [near, path].map(|path| tree::folder(path).split('/').filter(|part| !part.is_empty()));
    let shared = own.clone().zip(theirs).take_while(|(own, theirs)| own == theirs).count();
    (of_language, own.count() - shared)
}

/// The language that a folder is of, by its name or that of one around it.
fn language(folder: &str) -> Option<&'static str> {
    folder.split('/').find_map(|part| {
        let is_code = part.len() == 2 || part.len() <= 7 && matches!(part.get(2..3), Some("-" | "_"));
        let primary = part.get(..2).filter(|_| is_code)?;
        LANGUAGES.into_iter().find(|code| code.eq_ignore_ascii_case(primary))
    })
}

/// The language that the name of a file ends with: `openapi.fr.yaml`, `openapi-fr.yaml`.
fn language_of_name(path: &str) -> Option<&'static str> {
    let (stem, _) = path.rsplit('/').next()?.rsplit_once('.')?;
    let (_, last) = stem.rsplit_once(['.', '-', '_'])?;
    LANGUAGES.into_iter().find(|code| *code == last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_of_the_same_language_comes_first() {
        let nearest =
            |near: &str, paths: &[&'static str]| paths.iter().copied().min_by_key(|path| distance(path, near));
        let languages = ["ar/openapi/a.json", "de/openapi/a.json", "openapi/a.json", "zh-Hans/a.json"];
        assert_eq!(nearest("guides/a", &languages), Some("openapi/a.json"));
        assert_eq!(nearest("ar/guides/a", &languages), Some("ar/openapi/a.json"));
        assert_eq!(nearest("zh-Hans/guides/a", &languages), Some("zh-Hans/a.json"));
        assert_eq!(nearest("fr/guides/a", &languages), Some("openapi/a.json"));
        assert_eq!(nearest("guides/a", &["ar/a.json", "en/a.json"]), Some("en/a.json"));
        assert_eq!(nearest("v2/api/x", &["v1/a.json", "v2/a.json", "v3/a.json"]), Some("v2/a.json"));
        let names = ["openapi-ar.json", "openapi.fr.json", "openapi.json", "openapi_de.json"];
        assert_eq!(nearest("guides/a", &names), Some("openapi.json"));
        assert_eq!(nearest("fr/a", &names), Some("openapi.fr.json"));
        assert_eq!(nearest("de/a", &names), Some("openapi_de.json"));
        assert_eq!(beside("../a.json", "v2/api/x").as_deref(), Some("v2/a.json"));
        assert_eq!(beside("a.json", "v2/api/x"), None);
    }
}
