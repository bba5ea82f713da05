//! `SiteTest`: a source folder goes through the real program, and what comes out is checked. Expectations that nothing
//! meets fail, and so do diagnostics that nobody expected: a test says everything about its site.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;
use tempfile::TempDir;

use crate::suite::html::Page;

/// The program under test.
pub(crate) fn offprint() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_offprint"));
    command.stdin(Stdio::null()).env_clear();
    command
}

/// The folder of a fixture site.
pub(crate) fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures").join(name)
}

/// Seconds of processor time that are more than enough for any site of a test on a slow machine: what is quadratic in its
/// input takes minutes, what multiplies takes hours. Other programs that are busy meanwhile cost none of it.
const MOST_CPU_SECONDS: &str = "60";

type Check = Box<dyn FnOnce(&Exported) -> Vec<String>>;

/// A site, the arguments of its export, and what is expected of it. Nothing happens before [`SiteTest::run`].
#[must_use = "call run()"]
pub(crate) struct SiteTest {
    source: Source,
    /// What it is, where a test has many.
    what: String,
    args: Vec<String>,
    code: i32,
    checks: Vec<Check>,
    diagnostics: Vec<Expected>,
    others_allowed: bool,
    finished: bool,
}

enum Source {
    Fixture(PathBuf),
    Inline(TempDir),
}

/// A diagnostic that has to be there.
#[derive(Debug)]
struct Expected {
    code: String,
    place: String,
}

impl SiteTest {
    /// A site under `fixtures/`.
    pub(crate) fn fixture(name: &str) -> Self {
        Self::new(Source::Fixture(fixture(name)))
    }

    /// A site in one string: `//- path` starts a file. Without a `docs.json` or `mint.json` among them it is a plain
    /// folder.
    pub(crate) fn inline(files: &str) -> Self {
        let folder = TempDir::with_prefix("offprint-site-").expect("a temporary folder");
        for (path, text) in split_files(files) {
            write(folder.path(), path, text.as_bytes());
        }
        Self::new(Source::Inline(folder))
    }

    /// A site with the smallest `docs.json` and one page, `index`, with this body.
    pub(crate) fn page(body: &str) -> Self {
        Self::pages(&[("index", body)])
    }

    /// The same with several pages, all in the navigation.
    pub(crate) fn pages(pages: &[(&str, &str)]) -> Self {
        let site = Self::inline("");
        let names: Vec<_> = pages.iter().map(|(name, _)| *name).collect();
        let config = serde_json::json!({
            "theme": "mint", "name": "Test", "colors": { "primary": "#0F766E" }, "navigation": { "pages": names },
        });
        let mut site = site.file("docs.json", config.to_string());
        for (name, body) in pages {
            site = site.file(&format!("{name}.mdx"), format!("---\ntitle: Page {name}\n---\n\n{body}\n"));
        }
        site
    }

    fn new(source: Source) -> Self {
        let (what, args, checks, diagnostics) = Default::default();
        Self { source, what, args, code: 0, checks, diagnostics, others_allowed: false, finished: false }
    }

    /// Adds a file to an inline site.
    pub(crate) fn file(self, path: &str, bytes: impl AsRef<[u8]>) -> Self {
        match &self.source {
            Source::Inline(folder) => write(folder.path(), path, bytes.as_ref()),
            Source::Fixture(_) => panic!("fixtures are not written to"),
        }
        self
    }

    /// Adds an argument.
    pub(crate) fn arg(mut self, arg: &str) -> Self {
        self.args.push(arg.to_owned());
        self
    }

    /// Expects an end within [`MOST_CPU_SECONDS`]; says what the site is if anything is wrong.
    pub(crate) fn bounded(mut self, what: &str) -> Self {
        what.clone_into(&mut self.what);
        self.arg("--cpu-limit").arg(MOST_CPU_SECONDS)
    }

    /// The exit code that is expected instead of 0.
    pub(crate) fn exits(mut self, code: i32) -> Self {
        self.code = code;
        self
    }

    /// Expects a diagnostic: its code, and where: `file:line:column`, or as much of it as matters.
    pub(crate) fn diagnostic(mut self, code: &str, place: &str) -> Self {
        self.diagnostics.push(Expected { code: code.to_owned(), place: place.to_owned() });
        self
    }

    /// Lets other diagnostics pass.
    pub(crate) fn other_diagnostics(mut self) -> Self {
        self.others_allowed = true;
        self
    }

    /// Expects an element that matches a CSS selector on a page, e.g. `("guides/start", "h2#install")`.
    pub(crate) fn element(self, page: &str, selector: &str) -> Self {
        let (page, selector) = (page.to_owned(), selector.to_owned());
        self.check(move |site| {
            let found = site.page(&page).count(&selector);
            if found > 0 { Vec::new() } else { vec![format!("{page}: nothing matches `{selector}`")] }
        })
    }

    /// Expects that nothing matches a CSS selector on a page.
    pub(crate) fn no_element(self, page: &str, selector: &str) -> Self {
        let (page, selector) = (page.to_owned(), selector.to_owned());
        self.check(move |site| {
            let found = site.page(&page).count(&selector);
            if found == 0 { Vec::new() } else { vec![format!("{page}: {found} times `{selector}`")] }
        })
    }

    /// Expects words in the content of a page.
    pub(crate) fn text(self, page: &str, words: &str) -> Self {
        let (page, words) = (page.to_owned(), words.to_owned());
        self.check(move |site| {
            let text = site.page(&page).content_text();
            if text.contains(&words) { Vec::new() } else { vec![format!("{page}: no `{words}` in: {text}")] }
        })
    }

    /// Expects that words are nowhere in the file of a page, not even in an attribute.
    pub(crate) fn nowhere(self, page: &str, words: &str) -> Self {
        let (page, words) = (page.to_owned(), words.to_owned());
        self.check(move |site| {
            let source = site.text_of(&format!("{page}.html"));
            if source.contains(&words) { vec![format!("{page}: holds `{words}`")] } else { Vec::new() }
        })
    }

    /// Expects a file in the bundle.
    pub(crate) fn has_file(self, path: &str) -> Self {
        let path = path.to_owned();
        self.check(move |site| {
            if site.files.contains_key(&path) {
                Vec::new()
            } else {
                vec![format!("no file `{path}`; there are {:?}", site.files.keys())]
            }
        })
    }

    /// Expects that a file is not in the bundle.
    pub(crate) fn no_file(self, path: &str) -> Self {
        let path = path.to_owned();
        self.check(move |site| if site.files.contains_key(&path) { vec![format!("file `{path}`")] } else { Vec::new() })
    }

    /// Any other check: returns what is wrong.
    pub(crate) fn check(mut self, check: impl FnOnce(&Exported) -> Vec<String> + 'static) -> Self {
        self.checks.push(Box::new(check));
        self
    }

    /// Exports the site, into a folder, and compares. Panics with everything that is wrong.
    #[track_caller]
    pub(crate) fn run(mut self) -> Exported {
        self.finished = true;
        let path = match &self.source {
            Source::Fixture(path) => path.clone(),
            Source::Inline(folder) => folder.path().to_owned(),
        };
        let args: Vec<_> = self.args.iter().map(String::as_str).collect();
        let exported = Exported::of(&path, &args);
        let mut wrong = Vec::new();
        if exported.code != self.code {
            wrong.push(format!("exit code {}, not {}\n{}", exported.code, self.code, exported.stderr));
        } else {
            for check in std::mem::take(&mut self.checks) {
                wrong.extend(check(&exported));
            }
            wrong.extend(compare(&self.diagnostics, &exported.diagnostics, self.others_allowed));
        }
        assert!(wrong.is_empty(), "{}\n{}\n", self.what, wrong.join("\n"));
        exported
    }
}

impl Drop for SiteTest {
    fn drop(&mut self) {
        assert!(self.finished || std::thread::panicking(), "a SiteTest without run() tests nothing");
    }
}

fn compare(expected: &[Expected], found: &[Diagnostic], others_allowed: bool) -> Vec<String> {
    let mut left: Vec<_> = found.iter().collect();
    let mut wrong = Vec::new();
    for want in expected {
        let at = left.iter().position(|have| have.code == want.code && have.place().starts_with(&want.place));
        match at {
            Some(at) => drop(left.remove(at)),
            None => wrong.push(format!("expected `{}` at {}", want.code, want.place)),
        }
    }
    if !others_allowed || !wrong.is_empty() {
        let what = if others_allowed { "there was" } else { "unexpected" };
        wrong.extend(
            left.iter()
                .map(|have| format!("{what} {} `{}` at {}: {}", have.severity, have.code, have.place(), have.message)),
        );
    }
    wrong
}

/// What an export left behind.
#[derive(Debug)]
pub(crate) struct Exported {
    /// Exit code; -1 after a signal.
    pub(crate) code: i32,
    /// Standard error.
    pub(crate) stderr: String,
    /// Files of the bundle: path, bytes.
    pub(crate) files: BTreeMap<String, Vec<u8>>,
    /// The report, or null.
    pub(crate) report: Value,
    /// Its diagnostics.
    pub(crate) diagnostics: Vec<Diagnostic>,
}

/// A diagnostic of the report.
#[derive(Clone, Debug)]
pub(crate) struct Diagnostic {
    pub(crate) code: String,
    pub(crate) severity: String,
    pub(crate) message: String,
    pub(crate) file: String,
    pub(crate) line: u64,
    pub(crate) column: u64,
}

impl Diagnostic {
    /// `file:line:column`.
    pub(crate) fn place(&self) -> String {
        format!("{}:{}:{}", self.file, self.line, self.column)
    }

    fn of(value: &Value) -> Self {
        let text = |name: &str| value[name].as_str().unwrap_or_default().to_owned();
        let number = |name: &str| value[name].as_u64().unwrap_or_default();
        Self {
            code: text("code"),
            severity: text("severity"),
            message: text("message"),
            file: text("file"),
            line: number("line"),
            column: number("column"),
        }
    }
}

impl Exported {
    /// Exports a folder into a folder.
    pub(crate) fn of(source: &Path, args: &[&str]) -> Self {
        let work = TempDir::with_prefix("offprint-out-").expect("a temporary folder");
        let (out, report) = (work.path().join("site"), work.path().join("report.json"));
        // tests ask no server but their own
        let remote = ["--vendor", "--offline", "--locked"].iter().any(|flag| args.contains(flag));
        let alone: &[&str] = if remote { &[] } else { &["--vendor", "off"] };
        let output = offprint()
            .arg("export")
            .arg(source)
            .arg("-o")
            .arg(&out)
            .args(["--format", "dir", "--progress", "none", "--report"])
            .arg(&report)
            .args(alone)
            .args(args)
            .output()
            .expect("the program starts");
        Self::read(&output, &out, &report)
    }

    fn read(output: &Output, out: &Path, report: &Path) -> Self {
        let mut files = BTreeMap::new();
        for entry in
            walkdir::WalkDir::new(out).into_iter().filter_map(Result::ok).filter(|entry| entry.file_type().is_file())
        {
            let path = entry.path().strip_prefix(out).expect("below the output").to_string_lossy().replace('\\', "/");
            files.insert(path, fs::read(entry.path()).expect("a readable file"));
        }
        let report: Value =
            fs::read(report).ok().and_then(|bytes| serde_json::from_slice(&bytes).ok()).unwrap_or(Value::Null);
        let list = report["diagnostics"].as_array().map(Vec::as_slice).unwrap_or_default();
        Self {
            code: output.status.code().unwrap_or(-1),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
            files,
            diagnostics: list.iter().map(Diagnostic::of).collect(),
            report,
        }
    }

    /// A page by its path without extension.
    #[track_caller]
    pub(crate) fn page(&self, slug: &str) -> Page {
        Page::parse(self.text_of(&format!("{slug}.html")))
    }

    /// The text of a file.
    #[track_caller]
    pub(crate) fn text_of(&self, path: &str) -> &str {
        let bytes =
            self.files.get(path).unwrap_or_else(|| panic!("no file `{path}`; there are {:?}", self.files.keys()));
        std::str::from_utf8(bytes).expect("UTF-8")
    }

    /// Paths of all HTML files.
    pub(crate) fn html(&self) -> impl Iterator<Item = &str> {
        self.files.keys().map(String::as_str).filter(|path| path.ends_with(".html"))
    }
}

pub(crate) fn split_files(files: &str) -> Vec<(&str, &str)> {
    files
        .split("//- ")
        .skip(1)
        .map(|file| file.split_once('\n').unwrap_or((file, "")))
        .map(|(path, text)| (path.trim(), text))
        .collect()
}

fn write(root: &Path, path: &str, bytes: &[u8]) {
    let path = root.join(path);
    fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
    fs::write(path, bytes).expect("a file");
}
