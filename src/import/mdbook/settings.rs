//! What `book.toml` says.

use rustc_hash::FxHashMap;
use toml::{Table, Value};

use base::Diagnostic;
use base::diagnostic::list_in_backticks;
use site::problems::{LoadProblems, line_column};

/// Preprocessors whose work is done here too, or that change nothing which readers see.
const KNOWN_PREPROCESSORS: [&str; 17] = [
    "admonish",
    "alerts",
    "catppuccin",
    "emojicodes",
    "footnote",
    "index",
    "katex",
    "links",
    "mermaid",
    "open-on-gh",
    "pagetoc",
    "tabs",
    "toc",
    "trpl-figure",
    "trpl-listing",
    "trpl-note",
    "variables",
];

/// How formulas are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Math {
    /// Not at all: dollars are text.
    #[default]
    None,
    /// `\\( … \\)`, `\\[ … \\]` and `$$ … $$`, for MathJax.
    Tex,
    /// `$ … $` and `$$ … $$`.
    Katex,
}

/// What `book.toml` says.
#[derive(Debug)]
pub(super) struct MdBookSettings {
    pub(super) title: Option<String>,
    pub(super) description: Option<String>,
    pub(super) language: Option<String>,
    /// The folder of the pages.
    pub(super) source: String,
    pub(super) repository: Option<String>,
    pub(super) repository_icon: Option<String>,
    /// `…/edit/main/{path}`
    pub(super) edit: Option<String>,
    pub(super) default_theme: Option<String>,
    /// The folder of the theme, which may hold an icon.
    pub(super) theme: String,
    pub(super) math: Math,
    /// Quotes, dashes and dots become typographic.
    pub(super) is_typographic: bool,
    /// Chapters have no numbers.
    pub(super) is_unnumbered: bool,
    /// Levels of the navigation that are open at first; `None`: all.
    pub(super) open_levels: Option<usize>,
    /// Former addresses and where they lead, as written.
    pub(super) redirects: Vec<(String, String)>,
    /// There is a page with all of the book.
    pub(super) has_print_page: bool,
    /// What begins a hidden line, by language.
    pub(super) hidden_prefixes: FxHashMap<String, String>,
    /// Values that pages show, by name: those of mdbook-variables.
    pub(super) variables: Vec<(String, String)>,
    /// Preprocessors that are not known here.
    unknown: Vec<String>,
    /// Style sheets and scripts of the author.
    additional: Vec<String>,
}

impl Default for MdBookSettings {
    fn default() -> Self {
        Self::of(&Table::new())
    }
}

impl MdBookSettings {
    /// Reads the text of `book.toml`; `None` if it is not TOML.
    pub(super) fn read(text: &str) -> Option<Self> {
        Some(Self::of(&text.parse().ok()?))
    }

    fn of(table: &Table) -> Self {
        let at = |keys: &[&str]| {
            let (first, rest) = keys.split_first()?;
            rest.iter().try_fold(table.get(*first)?, |value, key| value.get(key))
        };
        let text = |keys: &[&str]| {
            at(keys).and_then(Value::as_str).map(|text| text.trim().to_owned()).filter(|text| !text.is_empty())
        };
        let html = |key: &str| text(&["output", "html", key]);
        let flag = |keys: &[&str]| at(keys).and_then(Value::as_bool);
        let pairs = |keys: &[&str]| {
            let pairs = at(keys).and_then(Value::as_table).into_iter().flatten();
            pairs.filter_map(|(key, value)| Some((key.clone(), value.as_str()?.to_owned())))
        };
        let preprocessors: Vec<&String> =
            at(&["preprocessor"]).and_then(Value::as_table).into_iter().flat_map(Table::keys).collect();
        let has = |name: &str| preprocessors.iter().any(|one| *one == name);
        let math = match flag(&["output", "html", "mathjax-support"]) {
            _ if has("katex") => Math::Katex,
            Some(true) => Math::Tex,
            _ => Math::None,
        };
        let level = at(&["output", "html", "fold", "level"]).and_then(Value::as_integer).unwrap_or(0);
        let folds = flag(&["output", "html", "fold", "enable"]) == Some(true);
        let additional = ["additional-css", "additional-js"].iter().flat_map(|key| {
            let paths = at(&["output", "html", key]).and_then(Value::as_array).into_iter().flatten();
            paths.filter_map(Value::as_str).filter(|path| is_of_author(path)).map(str::to_owned)
        });
        Self {
            title: text(&["book", "title"]),
            description: text(&["book", "description"]),
            language: text(&["book", "language"]),
            source: text(&["book", "src"]).unwrap_or_else(|| "src".to_owned()),
            repository: html("git-repository-url"),
            repository_icon: html("git-repository-icon"),
            edit: html("edit-url-template"),
            default_theme: html("default-theme"),
            theme: html("theme").unwrap_or_else(|| "theme".to_owned()),
            math,
            is_typographic: flag(&["output", "html", "smart-punctuation"])
                .or_else(|| flag(&["output", "html", "curly-quotes"]))
                .unwrap_or(true),
            is_unnumbered: flag(&["output", "html", "no-section-label"]) == Some(true),
            open_levels: folds.then(|| usize::try_from(level).unwrap_or(0)),
            redirects: pairs(&["output", "html", "redirect"]).collect(),
            has_print_page: flag(&["output", "html", "print", "enable"]) != Some(false),
            hidden_prefixes: pairs(&["output", "html", "code", "hidelines"]).collect(),
            variables: pairs(&["preprocessor", "variables", "variables"]).collect(),
            unknown: preprocessors
                .into_iter()
                .filter(|name| !KNOWN_PREPROCESSORS.contains(&name.as_str()))
                .cloned()
                .collect(),
            additional: additional.collect(),
        }
    }

    /// Says what of the book an export cannot have.
    pub(super) fn tell_left_out(&self, config: &str, text: &str, problems: &mut LoadProblems) {
        let mut tell = |code: &'static str, key: &str, message: String, hint: &str| {
            let (line, column) = text.find(key).map_or((0, 0), |at| line_column(text, at));
            problems.found.push(Diagnostic::new(code, message).at(config, line, column).hint(hint));
        };
        if let Some(first) = self.unknown.first() {
            let names = list_in_backticks(self.unknown.iter().map(String::as_str));
            let (noun, verb) = if self.unknown.len() == 1 { ("preprocessor", "is") } else { ("preprocessors", "are") };
            tell(
                "preprocessor-unknown",
                &format!("preprocessor.{first}"),
                format!("the {noun} {names} {verb} not run: the pages have the text as it is written"),
                "write into the pages what it makes of them",
            );
        }
        if !self.additional.is_empty() {
            let names = list_in_backticks(self.additional.iter().map(String::as_str));
            tell(
                "style-left-out",
                "additional-",
                format!("{names}: style sheets and scripts of the book are left out"),
                "an export has the built-in design",
            );
        }
    }
}

/// Whether a style sheet or script is the author's: those of preprocessors that are known have no use here.
fn is_of_author(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    !["mermaid", "mdbook-", "admonish", "catppuccin", "pagetoc"].iter().any(|of_tool| name.starts_with(of_tool))
}

/// Says that `book.toml` is not TOML.
pub(super) fn tell_unread(config: &str, text: &str, problems: &mut LoadProblems) {
    let Err(error) = text.parse::<Table>() else { return };
    let (line, column) = error.span().map_or((0, 0), |span| line_column(text, span.start));
    let message = format!("`{config}` is not TOML: {}", error.message());
    problems.found.push(
        Diagnostic::warning("config-value", message)
            .at(config, line, column)
            .hint("correct it; the book is exported with the defaults of mdBook"),
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_read() {
        let read = |text: &str| MdBookSettings::read(text).map(|it| (it.title, it.source));
        assert_eq!(read("[book]\ntitle = \" B \"\nsrc = \"text\"\n"), Some((Some("B".to_owned()), "text".to_owned())));
        assert_eq!(read("[output]\n"), Some((None, "src".to_owned())));
        assert_eq!(read("[book"), None);
        let html = MdBookSettings::read(
            "[output.html]\nmathjax-support = true\nno-section-label = true\n[output.html.fold]\nenable = true\nlevel = 2\n[output.html.redirect]\n\"/a.html\" = \"b.html\"\n[output.html.code.hidelines]\npython = \"~\"\n[output.html.print]\nenable = false\n",
        )
        .expect("TOML");
        assert_eq!((html.math, html.is_unnumbered, html.open_levels), (Math::Tex, true, Some(2)));
        assert_eq!(html.redirects, [("/a.html".to_owned(), "b.html".to_owned())]);
        assert_eq!(html.hidden_prefixes.get("python").map(String::as_str), Some("~"));
        assert!(!html.has_print_page && MdBookSettings::default().has_print_page);
        assert_eq!(MdBookSettings::read("[preprocessor.katex]\n").map(|it| it.math), Some(Math::Katex));
    }

    #[test]
    fn what_is_not_run_is_told_once() {
        let messages = |text: &str| {
            let mut problems = LoadProblems::default();
            MdBookSettings::read(text).expect("TOML").tell_left_out("book.toml", text, &mut problems);
            problems
                .found
                .iter()
                .map(|problem| format!("{} {}: {}", problem.code, problem.line, problem.message))
                .collect::<Vec<_>>()
        };
        assert_eq!(messages("[preprocessor.toc]\n[preprocessor.links]\n"), Vec::<String>::new());
        assert_eq!(
            messages(
                "[book]\n[preprocessor.cmdrun]\n[output.html]\nadditional-css = [\"own.css\", \"mdbook-admonish.css\"]\n"
            ),
            [
                "preprocessor-unknown 2: the preprocessor `cmdrun` is not run: the pages have the text as it is written",
                "style-left-out 4: `own.css`: style sheets and scripts of the book are left out"
            ]
        );
    }
}
