//! Where the configuration says something, for problems that are found when it has long been read: they name a value,
//! and the value has a line.

use crate::base::{Diagnostic, limits};

use super::Site;
use super::problems::line_column;

/// The files of the configuration: path, text.
#[derive(Debug)]
pub struct ConfigText(Vec<(String, String)>);

impl ConfigText {
    /// Reads them.
    pub fn of(site: &Site) -> Self {
        let json = site.config_files.iter().filter(|file| site.tree.path(**file).ends_with(".json"));
        let files = json.filter_map(|file| {
            let text = site.tree.read_text(*file, limits::CONFIG_BYTES).ok()?;
            Some((site.tree.path(*file).to_owned(), text))
        });
        Self(files.collect())
    }

    /// The first of them.
    pub fn file(&self) -> Option<&str> {
        self.0.first().map(|(file, _)| file.as_str())
    }

    /// File, line and column of the first of these texts that is there.
    pub fn place(&self, texts: &[String]) -> Option<(&str, u32, u32)> {
        texts.iter().find_map(|pattern| {
            self.0.iter().find_map(|(file, text)| {
                let (line, column) = line_column(text, text.find(pattern.as_str())?);
                Some((file.as_str(), line, column))
            })
        })
    }
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
    fn problems_are_placed_by_what_they_are_about() {
        let docs = "{\"theme\": \"mint\", \"name\": \"N\",\n\"favicon\": \"icon.png\"}";
        let written = ConfigText(vec![("docs.json".to_owned(), docs.to_owned())]);
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
