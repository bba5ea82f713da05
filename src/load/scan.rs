//! One pass over every text of a site: its front matter, what it imports, which anchors of other pages it names. Only
//! these facts are kept.

use std::borrow::Cow;
use std::hash::{BuildHasher as _, Hash as _, Hasher as _};

use memchr::{memchr3, memmem};
use rustc_hash::FxHashSet;

use base::Diagnostic;
use base::cut::SliceText as _;
use base::import_statement::module_of_statement;
use base::lines::Verbatim;
use base::variables::Variables;
use site::constant::with_mdx_constants;
use site::fragments::fragments;
use site::front_matter::{self, Split, split_front_matter};
use site::hero::read_hero;
use site::meta::{Context, read_page_meta};
use site::page::{Dialect, Endpoint, FrontMatter};
use site::title::{Heading, find_page_title};
use site::yaml::YamlEntry;

use super::foreign_syntax::{ForeignSyntax, find_foreign_syntax};
use super::tool::{PageFacts, PageFront, PageSource, Project};

/// Longest import clause that is looked through for its `from`, bytes.
const MAX_IMPORT_BYTES: usize = 4 << 10;
/// The facts of a file.
#[derive(Debug, Default)]
pub(crate) struct Scan {
    /// Its front matter.
    pub meta: Box<FrontMatter>,
    /// The operation that its front matter names.
    pub endpoint: Option<Endpoint>,
    /// Digest of the front matter's text.
    pub block: u64,
    /// Byte offset of the body.
    pub body_offset: usize,
    /// Line of the body's first line, from 1.
    pub body_line: u32,
    /// What `import … from` and `export … from` name, as written.
    pub imports: Vec<String>,
    /// Link targets with a path before their `#`, as written; each once.
    pub fragments: Vec<String>,
    /// The heading that is its title; only looked for in plain folders.
    pub heading: Option<Heading>,
    /// Whether it is MDX whatever its name says; only looked for in plain folders.
    pub is_mdx: bool,
    /// How the tool of the site reads it.
    pub dialect: Option<Dialect>,
    /// The address that its front matter gives it (`slug`); only looked for in plain folders.
    pub address: Option<String>,
    /// Where the tool of the project puts the page, and what it calls it.
    pub placed: Option<Box<Placed>>,
    /// Its author does not publish it yet; only looked for in plain folders.
    pub is_draft: bool,
    /// Syntax of tools that nothing reads, and the line of each; only looked for in folders without a tool.
    pub foreign: Vec<(ForeignSyntax, u32)>,
    /// What is wrong with the front matter of the file.
    pub problems: Vec<Diagnostic>,
}

/// What a tool says of a page beside its front matter.
#[derive(Debug, Default)]
pub(crate) struct Placed {
    pub address: Option<String>,
    pub aliases: Vec<String>,
    pub redirects: Vec<String>,
    pub dialect: Option<Dialect>,
    pub is_part: bool,
}

impl Scan {
    /// A digest of everything that a load takes from a file: as long as it stays, only the file's own page has changed.
    pub(crate) fn facts(&self) -> u64 {
        let mut hasher = rustc_hash::FxHasher::default();
        (self.block, self.body_offset, self.body_line, &self.imports, self.is_mdx, self.problems.len())
            .hash(&mut hasher);
        if let Some(heading) = &self.heading {
            (heading.level, &heading.text, heading.is_first).hash(&mut hasher);
        }
        hasher.finish()
    }
}

/// Reads a page or snippet.
/// `project`: that of a tool, in a plain folder.
pub(crate) fn scan_markdown(
    text: &str,
    path: &str,
    in_plain_folder: bool,
    variables: &Variables,
    project: Option<&dyn Project>,
) -> Scan {
    let split: Split<'_> = split_front_matter(text);
    let mut problems = Vec::new();
    let entries = front_matter::entries_with(&split, variables, path, &mut problems);
    let mut front = PageFront { entries, body_offset: split.body_offset, body_line: split.body_line };
    if let Some(project) = project {
        project.complete_front(path, text, &mut front);
    }
    let PageFront { entries, body_offset, body_line } = front;
    let body = text.get(body_offset..).unwrap_or_default();
    let page = PageSource { path, entries: &entries, body };
    let known = known_entries(&entries, project);
    let known = known.as_deref().unwrap_or(&entries);
    let context = &mut Context { file: path, block_line: split.block_line, problems: &mut problems };
    let (meta, endpoint) = read_page_meta(known, context);
    let mut scan = Scan { meta: Box::new(meta), endpoint, body_offset, body_line, ..Scan::default() };
    if in_plain_folder {
        read_plain_keys(&entries, &mut scan);
    }
    if let Some(project) = project {
        ask_project(project, &page, &mut scan);
    }
    if split.block.is_empty() && never_closed(body) {
        problems.push(tell_never_closed(&page, body_line, &mut scan.meta));
    }
    scan.heading = page_heading(&page, &scan, in_plain_folder, project);
    let is_looked_for = in_plain_folder && project.is_none();
    let foreign = if is_looked_for { find_foreign_syntax(body) } else { Vec::new() };
    scan.foreign = foreign.into_iter().map(|(syntax, line)| (syntax, body_line + line)).collect();
    scan.block = rustc_hash::FxBuildHasher.hash_one(text.get(..body_offset));
    scan.is_mdx = in_plain_folder && has_comment_of_mdx(body);
    Scan { imports: scan_imports(text), fragments: fragments(body), problems, ..scan }
}

/// Reads the keys that have a meaning in a plain folder alone.
fn read_plain_keys(entries: &[YamlEntry], scan: &mut Scan) {
    let text = |key: &str| {
        entries.iter().find(|entry| entry.key == key).and_then(|entry| entry.value.as_text()).map(str::trim)
    };
    let says = |key: &str, value: &str| {
        let mut values = entries.iter().filter(|entry| entry.key == key).filter_map(|entry| entry.value.as_text());
        values.any(|text| text.trim().eq_ignore_ascii_case(value))
    };
    scan.meta.hero = read_hero(entries).map(Box::new);
    if says("unlisted", "true") {
        scan.meta.hidden = Some(true);
    }
    scan.address = text("slug").filter(|slug| !slug.trim_matches('/').is_empty()).map(str::to_owned);
    scan.is_draft = says("draft", "true") || says("published", "false");
}

/// Has the project of a tool correct what is known of a page.
fn ask_project(project: &dyn Project, page: &PageSource<'_>, scan: &mut Scan) {
    let mut facts = PageFacts {
        meta: std::mem::take(&mut scan.meta),
        address: None,
        aliases: Vec::new(),
        redirects: Vec::new(),
        dialect: None,
        is_draft: scan.is_draft,
        is_part: false,
    };
    project.read_page(page, &mut facts);
    let PageFacts { meta, address, aliases, redirects, dialect, is_draft, is_part } = facts;
    (scan.meta, scan.is_draft) = (meta, is_draft);
    scan.placed = Some(Box::new(Placed { address, aliases, redirects, dialect, is_part }));
}

/// Says that front matter has no end. If it names groups, the page has one that no reader is in: what it says cannot be
/// read, and that must not open the page.
fn tell_never_closed(page: &PageSource<'_>, line: u32, meta: &mut FrontMatter) -> Diagnostic {
    if page.body.lines().skip(1).take_while(|line| !line.trim().is_empty()).any(front_matter::names_groups) {
        meta.groups.push(String::new());
    }
    let problem = Diagnostic::new("front-matter", "the front matter is not closed").at(page.path, line, 1);
    problem.hint("end it with a line `---`; it is shown as text")
}

/// The heading that is the title of a page, where one is looked for.
fn page_heading(
    page: &PageSource<'_>,
    scan: &Scan,
    in_plain_folder: bool,
    project: Option<&dyn Project>,
) -> Option<Heading> {
    let needs_title = !scan.meta.title_given && scan.endpoint.is_none();
    let mut heading = (in_plain_folder || needs_title).then(|| find_page_title(page.body))??;
    if let Some(words) = project.and_then(|project| project.heading_words(page, &heading.text)) {
        heading.text = words;
    }
    if !in_plain_folder && heading.text.contains('{') {
        heading.text = with_mdx_constants(&heading.text, page.entries);
    }
    Some(heading)
}

/// The entries whose keys mean what they mean in a plain folder, if the project has others.
fn known_entries(entries: &[YamlEntry], project: Option<&dyn Project>) -> Option<Vec<YamlEntry>> {
    let keys = project?.known_keys()?;
    Some(entries.iter().filter(|entry| keys.contains(&entry.key.as_str())).cloned().collect())
}

/// Whether a text starts like front matter: a fence, a key, and no second fence.
fn never_closed(body: &str) -> bool {
    let mut lines = body.lines();
    let opens = lines.next().is_some_and(|line| line.trim_end() == "---");
    let is_key = |line: &str| {
        line.split_once(':').is_some_and(|(key, _)| {
            !key.is_empty() && key.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-".contains(&byte))
        })
    };
    opens && lines.next().is_some_and(is_key)
}

/// Whether a text holds `{/*` outside of code, which is a comment in MDX and has no use in Markdown.
/// Some generators read `.md` as MDX.
fn has_comment_of_mdx(body: &str) -> bool {
    if memmem::find(body.as_bytes(), b"{/*").is_none() {
        return false;
    }
    let mut verbatim = Verbatim::default();
    let is_code = |before: &str| before.starts_with("    ") || before.matches('`').count() % 2 == 1;
    body.lines()
        .any(|line| !verbatim.takes(line.trim_start()) && line.find("{/*").is_some_and(|at| !is_code(line.slice(..at))))
}

/// Reads a script: only its imports count.
pub(crate) fn scan_script(text: &str) -> Scan {
    Scan { imports: scan_imports(text), ..Scan::default() }
}

/// Module names of import and re-export statements at the start of a line. What stands in code blocks imports nothing:
/// a page that an example names is still a page.
fn scan_imports(text: &str) -> Vec<String> {
    let mut known: FxHashSet<Cow<'_, str>> = FxHashSet::default();
    let mut names: Vec<String> = Vec::new();
    for keyword in ["import", "export"] {
        let mut code = CodeTracker { text, at: 0, verbatim: Verbatim::default(), is_code: false };
        for at in memmem::find_iter(text.as_bytes(), keyword) {
            if !at_line_start(text, at) {
                continue;
            }
            if let Some(name) = import_name(text.slice(at..), keyword.len(), || code.holds(at))
                && !known.contains(&name)
                && !code.holds(at)
            {
                names.push(name.clone().into_owned());
                known.insert(name);
            }
        }
    }
    names
}

/// Follows a text into its code blocks, to ever later places.
struct CodeTracker<'a> {
    text: &'a str,
    /// Behind the last line that was looked at.
    at: usize,
    verbatim: Verbatim,
    /// Whether that line is code.
    is_code: bool,
}

impl CodeTracker<'_> {
    fn holds(&mut self, place: usize) -> bool {
        while self.at <= place {
            let rest = self.text.slice(self.at..);
            let length = rest.find('\n').map_or(rest.len(), |newline| newline + 1);
            // a fence may stand behind the marks of quotes and lists
            self.is_code = self.verbatim.takes(
                rest.slice(..length).trim_start_matches(|c: char| c.is_ascii_digit() || " \t>-*+.)".contains(c)),
            );
            self.at += length.max(1);
        }
        self.is_code
    }
}

/// Whether nothing stands before a place in its line, less than what makes it code apart.
fn at_line_start(text: &str, at: usize) -> bool {
    let before = text.slice(..at).trim_end_matches([' ', '\t']);
    let is_indented = text.slice(before.len()..at).len() >= 4 || text.slice(before.len()..at).contains('\t');
    !is_indented && (before.is_empty() || before.ends_with('\n') || before == "\u{feff}")
}

/// The module name of a statement that begins with `import` or `export`, whose length is `keyword`. What has neither
/// comments nor names between quotes is read without the parser, as nearly all are; so is what stands in code, which is
/// often of another language.
fn import_name(statement: &str, keyword: usize, is_code: impl FnOnce() -> bool) -> Option<Cow<'_, str>> {
    let rest = statement.slice(keyword..);
    let limit = rest.len().min(MAX_IMPORT_BYTES);
    let stop = memchr3(b';', b'\'', b'"', &rest.as_bytes()[..limit])?;
    let clause = rest.slice(..stop);
    let is_plain = !clause.contains("/*") && !clause.contains("//");
    let bare = statement.starts_with("import") && clause.trim().is_empty();
    let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$');
    let from = clause.trim_end().strip_suffix("from").is_some_and(|before| !before.ends_with(is_name))
        && !clause.starts_with(is_name);
    if is_plain && (bare || from) && rest.as_bytes()[stop] != b';' {
        let name = rest.slice(stop + 1..);
        let end = memchr3(rest.as_bytes()[stop], b'\n', b'\\', name.as_bytes())?;
        match name.as_bytes()[end] {
            b'\n' => return None,
            b'\\' => {}
            _ => return (end > 0).then(|| Cow::Borrowed(name.slice(..end))),
        }
    } else if is_plain && !clause.contains('{') {
        return None;
    }
    if is_code() { None } else { module_of_statement(statement).map(Cow::Owned) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[track_caller]
    fn check_imports(text: &str, expect: &[&str]) {
        assert_eq!(scan_imports(text), expect, "{text:?}");
    }

    #[test]
    fn imports_name_modules() {
        check_imports(
            "import A from \"/snippets/a.mdx\";\n  import {b,\n c} from './b.jsx'\nexport * from \"c\"\nimport 'd'\n",
            &["/snippets/a.mdx", "./b.jsx", "d", "c"],
        );
        check_imports("\u{feff}import A from 'a'", &["a"]);
        check_imports(
            "import a from \"./it's.mdx\"\nimport from from '/install-from-source.mdx'\nimport{b}from'./b'\nimport { 'x-y' as z } from './z'\nimport /* it's */ c from './c'\nimport d from './it\\'s'\nexport { 'a' as e } from './e'\nexport const x = {\n  a: 'b',\n}\n",
            &["./it's.mdx", "/install-from-source.mdx", "./b", "./z", "./c", "./it's", "./e"],
        );
        check_imports(
            "```ts\nimport A from './a'\n```\n\n    import B from './b'\n\n- ```\n  import C from './c'\n  ```\n\nimport D from './d'\n",
            &["./d"],
        );
        check_imports(
            "an import of 'x'\nimport; from 'x'\nimporter from 'x'\nexport const a = 'x'\nimport a from 'x\n'\nimport a from ''\n",
            &[],
        );
    }

    #[test]
    fn a_comment_of_mdx_tells_the_dialect() {
        assert!(has_comment_of_mdx("# A\n\n{/* TODO */}\n"));
        assert!(!has_comment_of_mdx("a `{/* b */}` c\n\n```jsx\n{/* d */}\n```\n"));
    }

    proptest! {
        #[test]
        fn no_text_panics(text in "(import|export|from|[\\[\\]()#<>\"'é \n;:a/{}`]){0,40}") {
            let _ = scan_imports(&text);
        }
    }
}
