//! Which syntax the extensions of a configuration add to Markdown.

use site::python_slug::{PythonCase, PythonSlug};
use site::yaml::Yaml;

use super::config::{MkDocsConfig, flag_of, list_of, yaml_at_path, yaml_text};

/// What pages may use beside the Markdown of John Gruber.
#[derive(Clone, Debug, Default)]
pub(super) struct MkDocsSyntax {
    /// `{ #id .class name=value }`
    pub(super) attributes: bool,
    /// `*[X]: words`
    pub(super) abbreviations: bool,
    /// `==x==`
    pub(super) mark: bool,
    /// `^^x^^` and `^x^`
    pub(super) insert: bool,
    pub(super) superscript: bool,
    /// `~~x~~` and `~x~`
    pub(super) delete: bool,
    pub(super) subscript: bool,
    /// `++ctrl+c++`
    pub(super) keys: bool,
    /// `{++x++}` and its like
    pub(super) critic: bool,
    /// `$x$`, `\(x\)`
    pub(super) math: bool,
    /// `(c)`, `-->`
    pub(super) symbols: bool,
    /// `#!python x` in code
    pub(super) inline_language: bool,
    /// A new line is a break.
    pub(super) breaks: bool,
    /// A list may begin in the lines of a paragraph.
    pub(super) eager_lists: bool,
    /// Definitions of terms.
    pub(super) definitions: bool,
    /// Notes below the page.
    pub(super) footnotes: bool,
    /// Ids of tabs begin with that of the heading above them.
    pub(super) tabs_below_headings: bool,
    /// The repository of `#12`: its address.
    pub(super) issues: Option<String>,
    /// Files that stand at the end of every page.
    pub(super) appended: Vec<String>,
    /// Folders in which included files are looked for, from the root of the source.
    pub(super) include_folders: Vec<String>,
    /// What else includes files.
    pub(super) includes: Includes,
    /// `[=85% "words"]`
    pub(super) progress: bool,
    /// How headings get their anchors.
    pub(super) slug: PythonSlug,
    /// How tabs get theirs, if they have some.
    pub(super) tab_slug: Option<PythonSlug>,
    /// Quotes that begin with `[!NOTE]` are boxes.
    pub(super) alerts: bool,
    /// The first line of indented code may name its language: `:::python`, `#!python`.
    pub(super) code_headers: bool,
    /// Every block of code may have notes: `# (1)!`. Without it, those that say so.
    pub(super) annotations: bool,
    /// Quotes, dashes and dots become typographic.
    pub(super) is_typographic: bool,
    /// Values of `{{ … }}`, if the plugin for them is used.
    pub(super) macros: Option<Yaml>,
}

/// Which plugins and extensions include files.
#[derive(Clone, Debug, Default)]
pub(super) struct Includes {
    /// `{% include-markdown "a.md" %}`, `{% include "a.md" %}`
    pub(super) tags: bool,
    /// `{% raw %}` keeps tags as they are written.
    pub(super) has_raw: bool,
    /// `{!a.md!}`
    pub(super) marks: bool,
    /// `{* a.py hl[2] *}`
    pub(super) variants: bool,
    /// Folders in which paths are looked for, from the root of the source.
    pub(super) folders: Vec<String>,
}

impl Includes {
    fn of(options: &MkDocsConfig) -> Self {
        let marks = ["mdx_include", "markdown_include.include", "markdown_include"];
        let base =
            marks.iter().filter_map(|name| yaml_at_path(options.extension(name)?, &["base_path"]).and_then(yaml_text));
        let base: Vec<String> = base.filter_map(|path| load::tool::path_in_source_root(&options.root, &path)).collect();
        let macros = options.plugin("macros");
        // templates have a folder of their own
        let of_macros = macros.and_then(|plugin| yaml_at_path(plugin, &["include_dir"])).and_then(yaml_text);
        let of_macros = of_macros.and_then(|path| load::tool::path_in_source_root(&options.root, &path));
        let folders = of_macros.into_iter().chain(base).chain([options.pages.clone(), options.root.clone()]).collect();
        Self {
            tags: options.plugin("include-markdown").is_some() || macros.is_some(),
            has_raw: macros.is_some(),
            marks: marks.iter().any(|name| options.extension(name).is_some()),
            variants: options.extension("markdown_include_variants").is_some(),
            folders,
        }
    }
}

impl MkDocsSyntax {
    pub(super) fn of(options: &MkDocsConfig) -> Self {
        let has = |names: &[&str]| names.iter().any(|name| options.extension(name).is_some());
        let is_on = |name: &str, key: &str| {
            options.extension(name).is_some_and(|value| yaml_at_path(value, &[key]).and_then(flag_of) != Some(false))
        };
        let extra = |name: &str| has(&[name, "extra", "pymdownx.extra"]);
        let snippets = options.extension("pymdownx.snippets");
        let folders: Vec<String> = list_of(snippets.and_then(|value| yaml_at_path(value, &["base_path"])))
            .filter_map(yaml_text)
            .map(|path| path.replace("$config_dir", ".").replace("$docs_dir", "docs"))
            .filter_map(|path| load::tool::path_in_source_root(&options.root, &path))
            .collect();
        Self {
            attributes: extra("attr_list"),
            abbreviations: extra("abbr"),
            mark: has(&["pymdownx.mark"]),
            insert: is_on("pymdownx.caret", "insert"),
            superscript: is_on("pymdownx.caret", "superscript"),
            delete: is_on("pymdownx.tilde", "delete"),
            subscript: is_on("pymdownx.tilde", "subscript"),
            keys: has(&["pymdownx.keys"]),
            critic: has(&["pymdownx.critic"]),
            math: has(&["pymdownx.arithmatex", "mdx_math", "markdown_katex", "arithmatex"]),
            symbols: has(&["pymdownx.smartsymbols"]),
            inline_language: has(&["pymdownx.inlinehilite"]),
            breaks: has(&["nl2br"]),
            eager_lists: has(&["mdx_breakless_lists"]),
            definitions: extra("def_list"),
            footnotes: extra("footnotes"),
            tabs_below_headings: options
                .extension("pymdownx.tabbed")
                .is_some_and(|value| yaml_at_path(value, &["combine_header_slug"]).and_then(flag_of) == Some(true)),
            issues: issues(options),
            appended: list_of(snippets.and_then(|value| yaml_at_path(value, &["auto_append"])))
                .filter_map(yaml_text)
                .collect(),
            include_folders: if folders.is_empty() { vec![options.root.clone()] } else { folders },
            includes: Includes::of(options),
            progress: has(&["pymdownx.progressbar"]),
            slug: slugify_rule(options.extension("toc").and_then(|toc| yaml_at_path(toc, &["slugify"]))),
            tab_slug: options
                .extension("pymdownx.tabbed")
                .and_then(|tabbed| yaml_at_path(tabbed, &["slugify"]))
                .map(|rule| slugify_rule(Some(rule))),
            alerts: has(&["github-callouts", "gfm_admonition", "markdown_gfm_admonition"])
                || ["gh-admonitions", "callouts"].iter().any(|name| options.plugin(name).is_some()),
            code_headers: has(&["codehilite", "extra.codehilite"]),
            annotations: options.has_feature("content.code.annotate"),
            is_typographic: has(&["smarty"]),
            macros: options.plugin("macros").map(|_| macro_values(options)),
        }
    }

    /// The id of a tab by the words of its title and the heading above it.
    pub(super) fn tab_id(&self, title: &str, heading: &str) -> Option<String> {
        let own = self.tab_slug?.of(title);
        let is_below = self.tabs_below_headings && !heading.is_empty();
        Some(if is_below { format!("{heading}-{own}") } else { own })
    }
}

/// The address of the repository whose issues `#12` names.
fn issues(options: &MkDocsConfig) -> Option<String> {
    let magic = options.extension("pymdownx.magiclink")?;
    yaml_at_path(magic, &["repo_url_shorthand"]).and_then(flag_of).filter(|is_on| *is_on)?;
    let own = |key: &str| yaml_at_path(magic, &[key]).and_then(yaml_text);
    let host = match own("provider").as_deref() {
        Some("gitlab") => "https://gitlab.com",
        Some("bitbucket") => "https://bitbucket.org",
        _ => "https://github.com",
    };
    Some(format!("{host}/{}/{}", own("user")?, own("repo")?))
}

/// The rule that `slugify` names.
fn slugify_rule(value: Option<&Yaml>) -> PythonSlug {
    let case_of = |value: &Yaml| match yaml_at_path(value, &["kwds", "case"]).and_then(yaml_text).as_deref() {
        Some("lower" | "fold") => PythonCase::Lower,
        Some("lower-ascii") => PythonCase::LowerAscii,
        _ => PythonCase::Preserved,
    };
    match value {
        Some(Yaml::Text(name)) if name.ends_with("slugify_unicode") => PythonSlug::WordsOfAll,
        Some(Yaml::Text(name)) if name.contains("uslugify_cased") || name.contains("gfm_encoded") => {
            PythonSlug::Spaces(PythonCase::Preserved)
        }
        Some(Yaml::Text(name)) if name.contains("uslugify") || name.contains(".gfm") => {
            PythonSlug::Spaces(PythonCase::Lower)
        }
        Some(value @ Yaml::Map(_)) => PythonSlug::Spaces(case_of(value)),
        _ => PythonSlug::Words,
    }
}

/// What pages know by name: the values of `extra`, and some of the configuration below `config`.
fn macro_values(options: &MkDocsConfig) -> Yaml {
    const KEYS: [&str; 9] = [
        "site_name",
        "site_url",
        "site_description",
        "site_author",
        "repo_url",
        "repo_name",
        "edit_uri",
        "copyright",
        "extra",
    ];
    let own = KEYS.iter().filter_map(|key| Some(((*key).to_owned(), options.at(&[key])?.clone())));
    let config = ("config".to_owned(), Yaml::Map(own.collect()));
    let mut values = match options.at(&["extra"]) {
        Some(Yaml::Map(values)) => values.clone(),
        _ => Vec::new(),
    };
    if !values.iter().any(|(name, _)| name == "config") {
        values.push(config);
    }
    Yaml::Map(values)
}
