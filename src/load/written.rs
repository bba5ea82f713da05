//! Where the configuration says something, for problems that are found when it has long been read: they name a value,
//! and the value has a line.

use rustc_hash::FxHashMap;

use base::{Diagnostic, limits};
use site::problems::Positions;

use super::Site;

/// The files of the configuration, and where each of their texts stands first.
#[derive(Debug)]
pub struct ConfigText(Vec<WrittenConfig>);

#[derive(Debug)]
struct WrittenConfig {
    path: String,
    text: String,
    positions: Positions,
    /// Places of texts as they are spelled, in quotes; with the name of a member before them too.
    places: FxHashMap<String, usize>,
}

impl ConfigText {
    /// Reads them.
    pub fn of(site: &Site) -> Self {
        let json = site.config_files.iter().filter(|file| site.tree.path(**file).ends_with(".json"));
        let files = json.filter_map(|file| {
            let text = site.tree.read_text(*file, limits::CONFIG_BYTES).ok()?;
            Some(WrittenConfig::new(site.tree.path(*file).to_owned(), text))
        });
        Self(files.collect())
    }

    /// The first of them.
    pub fn file(&self) -> Option<&str> {
        self.0.first().map(|file| file.path.as_str())
    }

    /// File, line and column of the first of these that is there: each is a text in its quotes, or `"source": "text"`.
    pub fn place(&self, spellings: &[String]) -> Option<(&str, u32, u32)> {
        spellings.iter().find_map(|spelling| {
            self.0.iter().find_map(|file| {
                let (line, column) = file.positions.line_column(&file.text, *file.places.get(spelling)?);
                Some((file.path.as_str(), line, column))
            })
        })
    }
}

impl WrittenConfig {
    fn new(path: String, text: String) -> Self {
        const NAME: &str = "\"source\": ";
        let mut places = FxHashMap::default();
        let mut from = 0;
        while let Some(start) =
            memchr::memchr(b'"', text.as_bytes().get(from..).unwrap_or_default()).map(|at| from + at)
        {
            let end = quoted_end(text.as_bytes(), start);
            let spelled = text.get(start..end).unwrap_or_default();
            places.entry(spelled.to_owned()).or_insert(start);
            if let Some(name) = start.checked_sub(NAME.len())
                && text.get(name..start) == Some(NAME)
            {
                places.entry(format!("{NAME}{spelled}")).or_insert(name);
            }
            from = end;
        }
        Self { path, positions: Positions::of(&text), text, places }
    }
}

/// Where a text in quotes that begins at `start` ends, behind its closing quote.
fn quoted_end(bytes: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    while let Some(found) = memchr::memchr2(b'"', b'\\', bytes.get(at..).unwrap_or_default()) {
        at += found + 1;
        match bytes.get(at - 1) {
            Some(b'"') => return at,
            // whatever is escaped
            _ => at += 1,
        }
    }
    bytes.len()
}

/// A value as JSON spells it.
pub fn quote_json(value: &str) -> String {
    serde_json::Value::from(value).to_string()
}

/// Gives problems of the configuration that have no line that of the value which they are about.
pub fn place_all(site: &Site, diagnostics: &mut [Diagnostic]) {
    let Some(config) = site.kind.file_name() else { return };
    let mut lost = diagnostics.iter_mut().filter(|diagnostic| is_lost(diagnostic, config)).peekable();
    if lost.peek().is_some() {
        let written = ConfigText::of(site);
        lost.for_each(|diagnostic| place_in_config(diagnostic, &written));
    }
}

fn is_lost(diagnostic: &Diagnostic, config: &str) -> bool {
    diagnostic.line == 0 && diagnostic.about.is_some() && (diagnostic.file.is_empty() || diagnostic.file == config)
}

fn place_in_config(diagnostic: &mut Diagnostic, written: &ConfigText) {
    let named = diagnostic.about.as_deref().filter(|value| !value.is_empty());
    // addresses of `mint.json` may have no slash in front
    let bare = named.map(|value| value.trim_start_matches('/')).filter(|value| !value.is_empty());
    let spellings: Vec<String> = named.into_iter().chain(bare).map(quote_json).collect();
    if let Some((file, line, column)) = written.place(&spellings) {
        (diagnostic.file, diagnostic.line, diagnostic.column) = (file.to_owned(), line, column);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_found_as_they_are_spelled() {
        let docs = "{\"a\\\"b\": [\"/x\"],\n \"source\": \"/x\", \"source\":\"/y\", \"open";
        let written = ConfigText(vec![WrittenConfig::new("docs.json".to_owned(), docs.to_owned())]);
        let place = |spelling: &str| written.place(&[spelling.to_owned()]).map(|(_, line, column)| (line, column));
        assert_eq!(place("\"/x\""), Some((1, 11)));
        assert_eq!(place("\"source\": \"/x\""), Some((2, 2)));
        assert_eq!((place("\"source\": \"/y\""), place("\"/y\"")), (None, Some((2, 27))));
        assert_eq!((place("\"a\\\"b\""), place("\"b\""), place("")), (Some((1, 2)), None, None));
    }

    #[test]
    fn problems_are_placed_by_what_they_are_about() {
        let docs = "{\"theme\": \"mint\", \"name\": \"N\",\n\"favicon\": \"icon.png\"}";
        let written = ConfigText(vec![WrittenConfig::new("docs.json".to_owned(), docs.to_owned())]);
        let problem = || Diagnostic::warning("x", "`N` says `icon.png`");
        let mut problems = [
            problem().about("/icon.png"),
            problem(),
            problem().about("gone"),
            problem().about("N").at("index.mdx", 0, 0),
            problem().about("N").at("docs.json", 9, 1),
        ];
        problems
            .iter_mut()
            .filter(|problem| is_lost(problem, "docs.json"))
            .for_each(|problem| place_in_config(problem, &written));
        let places: Vec<_> =
            problems.iter().map(|problem| (problem.file.as_str(), problem.line, problem.column)).collect();
        assert_eq!(places, [("docs.json", 2, 12), ("", 0, 0), ("", 0, 0), ("index.mdx", 0, 0), ("docs.json", 9, 1)]);
    }
}
