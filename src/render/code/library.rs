//! The languages that can be highlighted: vendored ones and the site's own.

use std::sync::OnceLock;

use rustc_hash::FxHashMap;

use base::Diagnostic;

use super::pack::{self, GRAMMARS};
use textmate::{Grammar, GrammarId, Grammars};

/// Names that authors use beside those that the grammars bring along.
const ALIASES: [(&str, &str); 53] = [
    ("cplusplus", "cpp"),
    ("h", "c"),
    ("hpp", "cpp"),
    ("cc", "cpp"),
    ("charp", "csharp"),
    ("cshtml", "razor"),
    ("golang", "go"),
    ("gomod", "go"),
    ("node", "javascript"),
    ("nodejs", "javascript"),
    ("react", "jsx"),
    ("ecmascript", "javascript"),
    ("deno", "typescript"),
    ("bun", "typescript"),
    ("python3", "python"),
    ("py3", "python"),
    ("pycon", "python"),
    ("ipython", "python"),
    ("ksh", "shellscript"),
    ("curl", "shellscript"),
    ("cli", "shellscript"),
    ("terminal", "shellsession"),
    ("shell-session", "shellsession"),
    ("session", "shellsession"),
    ("powershell-interactive", "powershell"),
    ("cmdline", "bat"),
    ("dos", "bat"),
    ("objectivec", "objective-c"),
    ("obj-c", "objective-c"),
    ("objective-c++", "objective-cpp"),
    ("gradle", "groovy"),
    ("kotlin-script", "kotlin"),
    ("env", "dotenv"),
    ("patch", "diff"),
    ("mysql", "sql"),
    ("postgres", "sql"),
    ("postgresql", "sql"),
    ("sqlite", "sql"),
    ("tsql", "sql"),
    ("svg", "xml"),
    ("xaml", "xml"),
    ("plist", "xml"),
    ("rss", "xml"),
    ("xhtml", "html"),
    ("webmanifest", "json"),
    ("docker-compose", "yaml"),
    ("compose", "yaml"),
    ("jinja2", "jinja"),
    ("conf", "ini"),
    ("cfg", "ini"),
    ("config", "ini"),
    ("protobuf3", "proto"),
    ("erb", "html"),
];

/// The languages that can be highlighted.
pub(super) struct LanguageLibrary {
    languages: Vec<HighlightLanguage>,
    by_scope: FxHashMap<Box<str>, GrammarId>,
    by_name: FxHashMap<Box<str>, GrammarId>,
    injected: FxHashMap<GrammarId, Vec<GrammarId>>,
}

struct HighlightLanguage {
    label: Box<str>,
    source: GrammarSource,
    grammar: OnceLock<Option<Grammar>>,
}

enum GrammarSource {
    Packed(pack::PackEntry),
    /// Compiled when the library is made.
    Own,
}

impl LanguageLibrary {
    /// The vendored languages and the custom ones: (source path, JSON text). Custom ones win over vendored ones of the
    /// same name.
    pub(super) fn new(custom: &[(String, String)]) -> (Self, Vec<Diagnostic>) {
        let mut library = Self {
            languages: Vec::new(),
            by_scope: FxHashMap::default(),
            by_name: FxHashMap::default(),
            injected: FxHashMap::default(),
        };
        let mut injections = Vec::new();
        for entry in GRAMMARS.entries() {
            let id = GrammarId(library.languages.len() as u16);
            library.by_scope.insert(entry.column(1).into(), id);
            // parts of other languages have no label: authors do not write in them
            if !entry.column(2).is_empty() {
                library.by_name.insert(entry.column(0).into(), id);
                for alias in entry.column(3).split_whitespace() {
                    library.by_name.insert(alias.into(), id);
                }
            }
            injections.push((id, entry.column(4)));
            library.languages.push(HighlightLanguage {
                label: entry.column(2).into(),
                source: GrammarSource::Packed(entry),
                grammar: OnceLock::new(),
            });
        }
        for (id, roots) in injections {
            for root in roots.split_whitespace() {
                if let Some(&root) = library.by_name.get(root) {
                    library.injected.entry(root).or_default().push(id);
                }
            }
        }
        for (alias, name) in ALIASES {
            if let Some(&id) = library.by_name.get(name) {
                library.by_name.entry(alias.into()).or_insert(id);
            }
        }
        let diagnostics = custom.iter().filter_map(|(path, json)| library.add(path, json)).collect();
        (library, diagnostics)
    }

    fn add(&mut self, path: &str, json: &str) -> Option<Diagnostic> {
        let refused = |why: String| {
            Diagnostic::new("code-grammar", format!("the custom grammar cannot be used: {why}"))
                .at(path, 0, 0)
                .hint("`styling.codeblocks.languages.custom` has to list TextMate grammars in JSON")
        };
        let raw: serde_json::Value = match serde_json::from_str(json) {
            Ok(raw) => raw,
            Err(error) => return Some(refused(error.to_string()).at(path, error.line() as u32, error.column() as u32)),
        };
        let text = |key: &str| raw.get(key).and_then(serde_json::Value::as_str);
        let grammar = match Grammar::compile(json, &|scope| self.by_scope.contains_key(scope)) {
            Ok(grammar) => grammar,
            Err(why) => return Some(refused(why)),
        };
        let Ok(index) = u16::try_from(self.languages.len()) else {
            return Some(refused("too many grammars".to_owned()));
        };
        let id = GrammarId(index);
        let stem = path.rsplit('/').next().unwrap_or(path).split('.').next().unwrap_or(path);
        let label = text("displayName").or_else(|| text("name")).unwrap_or(stem);
        let aliases = raw
            .get("aliases")
            .and_then(serde_json::Value::as_array)
            .into_iter()
            .flatten()
            .filter_map(serde_json::Value::as_str);
        for name in [stem, label].into_iter().chain(text("name")).chain(aliases) {
            self.by_name.insert(name.to_lowercase().into(), id);
        }
        if let Some(scope) = text("scopeName") {
            self.by_scope.insert(scope.into(), id);
        }
        self.languages.push(HighlightLanguage {
            label: label.into(),
            source: GrammarSource::Own,
            grammar: OnceLock::from(Some(grammar)),
        });
        None
    }

    /// A language by any of its names, in any case.
    pub(super) fn find(&self, name: &str) -> Option<GrammarId> {
        self.by_name.get(name).copied().or_else(|| self.by_name.get(name.to_lowercase().as_str()).copied())
    }

    /// Its name for people.
    pub(super) fn label(&self, id: GrammarId) -> &str {
        &self.languages[usize::from(id.0)].label
    }

    #[cfg(test)]
    pub(super) fn ids(&self) -> impl Iterator<Item = GrammarId> {
        (0..self.languages.len() as u16).map(GrammarId)
    }
}

impl Grammars for LanguageLibrary {
    fn id(&self, scope: &str) -> Option<GrammarId> {
        self.by_scope.get(scope).copied()
    }

    fn grammar(&self, id: GrammarId) -> Option<&Grammar> {
        let language = self.languages.get(usize::from(id.0))?;
        let compile = || match &language.source {
            GrammarSource::Packed(entry) => {
                Grammar::compile(&entry.text()?, &|scope| self.by_scope.contains_key(scope)).ok()
            }
            GrammarSource::Own => None,
        };
        language.grammar.get_or_init(compile).as_ref()
    }

    fn injected(&self, root: GrammarId) -> &[GrammarId] {
        self.injected.get(&root).map_or(&[], Vec::as_slice)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_vendored_grammar_compiles() {
        let (library, diagnostics) = LanguageLibrary::new(&[]);
        assert!(diagnostics.is_empty());
        for id in library.ids() {
            assert!(library.grammar(id).is_some(), "{}", library.label(id));
        }
    }

    #[test]
    fn common_names_are_known() {
        let (library, _) = LanguageLibrary::new(&[]);
        for name in "bash sh shell zsh console js ts jsx tsx py python rb yml yaml c++ c# cs golang go objc swift kotlin kt java php sql graphql docker \
            Dockerfile json jsonc json5 html css scss xml toml ini diff http make r scala haskell perl proto vue svelte astro groovy julia clojure erlang vim \
            zig solidity prisma liquid jinja kusto dotenv regex latex csv powershell ps1 dart lua rust md mdx env nix"
            .split_whitespace()
        {
            assert!(library.find(name).is_some(), "{name}");
        }
        for name in ["output", "response", "text", "", "vue-directives"] {
            assert!(library.find(name).is_none(), "{name}");
        }
    }

    #[test]
    fn custom_grammars_are_added_or_reported() {
        let good = r#"{"name":"Mine","scopeName":"source.mine","patterns":[{"match":"x","name":"keyword"}]}"#;
        let custom = [
            ("a/mine.tmLanguage.json".to_owned(), good.to_owned()),
            ("bad.json".to_owned(), "{\n oops".to_owned()),
            ("empty.json".to_owned(), "{}".to_owned()),
        ];
        let (library, diagnostics) = LanguageLibrary::new(&custom);
        assert!(library.find("mine").is_some() && library.find("Mine").is_some());
        let found: Vec<(&str, u32)> =
            diagnostics.iter().map(|diagnostic| (diagnostic.file.as_str(), diagnostic.line)).collect();
        assert_eq!(found, [("bad.json", 2), ("empty.json", 0)]);
    }
}
