//! The plan of the tree, held by a test: which room of a crate imports which, circles of files, headers, lengths of files and of
//! functions, names of types, the places that may print or read the environment, and spelling.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

/// Folders of crates, each with those that it imports from. What crates import from each other is held by Cargo.
type Rooms = &'static [(&'static str, &'static [&'static str])];
const ROOMS: [(&str, Rooms); 4] = [
    ("markup", &[("js", &[]), ("foreign", &[]), ("expand", &["foreign", "js"])]),
    (
        "render",
        &[
            ("code", &[]),
            ("icon", &[]),
            ("math", &[]),
            ("diagram", &["icon"]),
            ("component", &["code", "diagram", "icon", "math"]),
        ],
    ),
    ("frame", &[("asset", &[]), ("theme", &["asset"]), ("link", &["asset", "theme"])]),
    (
        "service",
        &[
            ("store", &[]),
            ("tenant", &["store"]),
            ("job", &["store"]),
            ("webhook", &["job", "store", "tenant"]),
            ("api", &["job", "store", "tenant", "webhook"]),
        ],
    ),
];

/// Most lines of a file, its unit tests included.
const MAX_FILE_LINES: usize = 800;
/// Most files that may import each other in a circle, within a crate.
const MAX_CIRCLE_FILES: usize = 3;
/// Most such circles. Those that are left read what holds itself: HTML in attributes, elements in expressions, tables in
/// formulas, lists in notes, blocks in cells; and a site has the project of its tool, which is asked about the site.
const MAX_CIRCLES: usize = 7;

/// Most lines of a function.
const MAX_LINES: usize = 141;
/// Rooms whose functions are shorter.
const MAX_ROOM_LINES: [(&str, usize); 1] = [("load", 40)];
/// From how many lines on a function counts as long, and how many of them there may be. They may only become fewer.
const LONG_LINES: usize = 70;
const MAX_LONG: usize = 26;

/// Files that print, beside `src/cli`.
const PRINTING: [&str; 1] = ["base/telemetry.rs"];
/// Files that read the environment of the process, beside `src/cli`: each for the place of a program, of temporary files
/// or of the process, never for a setting of an export.
const ENVIRONMENT: [&str; 6] = [
    "confine/namespaces.rs",
    "main.rs",
    "host/cache.rs",
    "service/job/child/outside.rs",
    "service/job/paths.rs",
    "fetch/git/branch.rs",
];

/// A file of the product.
struct File {
    /// Below `src`, with `/`.
    path: String,
    text: String,
}

impl File {
    /// The code without comments, string literals' escapes aside, and without what follows `#[cfg(test)]`.
    fn code(&self) -> String {
        let end = self.text.find("#[cfg(test)]\nmod tests {").unwrap_or(self.text.len());
        without_comments(&self.text[..end])
    }

    fn is_test(&self) -> bool {
        self.path.ends_with("tests.rs") || self.path.contains("/tests/")
    }

    /// The name of its crate; `main` and `lib` of those at the root.
    fn crate_name(&self) -> &str {
        self.path.split('/').next().unwrap_or_default().trim_end_matches(".rs")
    }

    /// The path of its module: `page/render/mod.rs` is `page`, `render`.
    fn module(&self) -> Vec<&str> {
        let path = self.path.trim_end_matches(".rs");
        let path = path.strip_suffix("/mod").unwrap_or(path);
        path.split('/').filter(|part| *part != "lib").collect()
    }
}

fn without_comments(text: &str) -> String {
    text.lines().map(|line| line.split("//").next().unwrap_or_default()).collect::<Vec<_>>().join("\n")
}

fn walk(folder: &Path, root: &Path, out: &mut Vec<File>) {
    let mut entries: Vec<PathBuf> = fs::read_dir(folder).unwrap().flatten().map(|entry| entry.path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            walk(&path, root, out);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let name = path.strip_prefix(root).unwrap().to_string_lossy().replace('\\', "/");
            out.push(File { path: name, text: fs::read_to_string(&path).unwrap() });
        }
    }
}

fn files() -> Vec<File> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut out = Vec::new();
    walk(&root, &root, &mut out);
    assert!(out.len() > 400, "{} files", out.len());
    out
}

/// A path that a file names, as segments from the root of the crates, and the name that a `use` gives it.
struct Named {
    path: Vec<String>,
    name: String,
}

/// The paths that a file names: each of `use crate::a::{b, c::d};`, and the paths written in the code.
fn paths(file: &File) -> Vec<Vec<String>> {
    paths_in(file, &file.code())
}

fn paths_in(file: &File, code: &str) -> Vec<Vec<String>> {
    let module: Vec<String> = file.module().into_iter().map(str::to_owned).collect();
    let mut out = Vec::new();
    for start in ["crate::", "super::", "self::"] {
        for (at, _) in code.match_indices(start) {
            let before = code[..at].chars().next_back();
            if before.is_some_and(|before| before.is_alphanumeric() || before == '_' || before == ':') {
                continue;
            }
            let mut base = if start == "crate::" { vec![file.crate_name().to_owned()] } else { module.clone() };
            if start == "super::" {
                base.pop();
            }
            tree(&code[at + start.len()..], base, &mut out);
        }
    }
    out.into_iter().map(|named| named.path).collect()
}

/// The crates in `src`.
fn crates() -> &'static BTreeSet<String> {
    static CRATES: LazyLock<BTreeSet<String>> = LazyLock::new(|| {
        let folders = fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("src")).unwrap().flatten();
        folders.filter_map(|entry| entry.file_name().into_string().ok()).filter(|name| !name.contains('.')).collect()
    });
    &CRATES
}

/// The names that a module has from its `use` declarations, private ones too: its children may name them. What comes from
/// crates of others is left out by the caller, which finds no file for it.
fn imported_names(file: &File) -> BTreeMap<String, Vec<String>> {
    let code = file.code();
    let module: Vec<String> = file.module().into_iter().map(str::to_owned).collect();
    let mut out = Vec::new();
    for (at, _) in code.match_indices("use ") {
        let line = &code[..at].rsplit('\n').next().unwrap_or_default();
        if !(line.is_empty() || line.starts_with("pub") && line.ends_with(' ')) {
            continue;
        }
        let text = &code[at + "use ".len()..];
        let (text, base) = match text.split_once("::").map(|(first, rest)| (first.trim(), rest)) {
            Some(("crate", rest)) => (rest, vec![file.crate_name().to_owned()]),
            Some((first, _)) if first.starts_with(char::is_lowercase) && crates().contains(first) => (text, Vec::new()),
            _ => (text, module.clone()),
        };
        tree(text, base, &mut out);
    }
    out.into_iter().map(|named| (named.name, named.path)).collect()
}

/// The paths in the code that begin with an imported name: `nav::build::complete` after `use crate::nav`.
fn paths_of_names(code: &str, names: &BTreeMap<String, Vec<String>>) -> Vec<Vec<String>> {
    let is_word = |letter: char| letter.is_alphanumeric() || letter == '_';
    let mut out = Vec::new();
    for (at, _) in code.match_indices("::") {
        let start = code[..at].rfind(|letter| !is_word(letter)).map_or(0, |before| before + 1);
        let Some(base) = names.get(&code[start..at]).filter(|_| !code[..start].ends_with("::")) else { continue };
        let mut named = Vec::new();
        tree(&code[at + "::".len()..], base.clone(), &mut named);
        out.extend(named.into_iter().map(|named| named.path));
    }
    out
}

/// Reads one tree of a `use`, or one path: `b::{c, d::E}`. Returns the bytes that it took.
fn tree(text: &str, mut base: Vec<String>, out: &mut Vec<Named>) -> usize {
    let mut at = 0;
    let push = |path: Vec<String>, alias: Option<&str>, out: &mut Vec<Named>| {
        let name = alias.or(path.last().map(String::as_str)).unwrap_or_default().to_owned();
        out.push(Named { path, name });
    };
    loop {
        let rest = &text[at..];
        let space = rest.len() - rest.trim_start().len();
        let rest = &rest[space..];
        if let Some(inside) = rest.strip_prefix('{') {
            let mut taken = at + space + 1;
            let mut left = inside;
            loop {
                let used = tree(left, base.clone(), out);
                left = &left[used..];
                taken += used;
                let trimmed = left.trim_start();
                taken += left.len() - trimmed.len();
                left = trimmed;
                match left.chars().next() {
                    Some(',') => {
                        left = &left[1..];
                        taken += 1;
                    }
                    Some('}') => return taken + 1,
                    _ => return taken,
                }
            }
        }
        let name = rest.split(|letter: char| !letter.is_alphanumeric() && letter != '_').next().unwrap_or_default();
        if name.is_empty() {
            push(base, None, out);
            return at + space;
        }
        at += space + name.len();
        match name {
            "super" => drop(base.pop()),
            "self" => {}
            _ => base.push(name.to_owned()),
        }
        if let Some(next) = text[at..].strip_prefix("::") {
            at = text.len() - next.len();
        } else {
            let mut given = None;
            if let Some(alias) = text[at..].trim_start().strip_prefix("as ") {
                let end = alias.find([',', '}', ';', '\n']).unwrap_or(0);
                given = Some(alias[..end].trim());
                at = text.len() - alias.len() + end;
            }
            push(base, given, out);
            return at;
        }
    }
}

#[test]
fn imports_run_downwards() {
    let mut wrong = BTreeSet::new();
    let files = files();
    for (name, rooms) in ROOMS {
        let room_of = |path: &[String]| {
            rooms
                .iter()
                .find(|(room, _)| path.first().is_some_and(|it| it == name) && path.get(1).is_some_and(|it| it == room))
        };
        for file in files.iter().filter(|file| !file.is_test() && file.crate_name() == name) {
            let module: Vec<String> = file.module().into_iter().map(str::to_owned).collect();
            let Some((room, below)) = room_of(&module) else { continue };
            for path in paths(file) {
                let Some((other, _)) = room_of(&path).filter(|(other, _)| other != room) else { continue };
                if !below.contains(other) {
                    wrong.insert(format!("src/{}: `{room}` imports `{}`", file.path, path.join("::")));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.into_iter().collect::<Vec<_>>().join("\n"));
}

/// The files of the modules, and what each module calls by another name than its own.
struct Modules {
    files: BTreeMap<Vec<String>, usize>,
    names: Vec<BTreeMap<String, Vec<String>>>,
}

impl Modules {
    fn new(files: &[File]) -> Self {
        let module = |file: &File| file.module().into_iter().map(str::to_owned).collect();
        Self {
            files: files.iter().enumerate().map(|(at, file)| (module(file), at)).collect(),
            names: files.iter().map(imported_names).collect(),
        }
    }

    /// The file that holds what a path means, through all re-exports on the way.
    fn defined_in(&self, path: &[String]) -> Option<usize> {
        let mut path = path.to_vec();
        for _ in 0..MAX_REEXPORTS {
            let length = (1..=path.len()).rev().find(|length| self.files.contains_key(&path[..*length]))?;
            let file = self.files[&path[..length]];
            let Some(target) = path.get(length).and_then(|name| self.names[file].get(name)) else { return Some(file) };
            let is_known = (1..=target.len()).any(|length| self.files.contains_key(&target[..length]));
            if !is_known || target[..] == path[..=length] {
                return Some(file);
            }
            path = target.iter().chain(&path[length + 1..]).cloned().collect();
        }
        None
    }
}

/// Most re-exports of one name that lead to where it is defined.
const MAX_REEXPORTS: usize = 8;

/// The circles of files: strongly connected components of more than one file, by repeated search. A name is an arrow to
/// the file that defines it, whatever module it is taken from. A module and the file that declares it belong together:
/// what a child takes from its parent is no arrow unless the parent takes from it too.
fn circles(files: &[File]) -> Vec<Vec<String>> {
    let modules = Modules::new(files);
    let mut arrows: Vec<BTreeSet<usize>> = vec![BTreeSet::new(); files.len()];
    for (at, file) in files.iter().enumerate() {
        let module = file.module();
        let is_child = |path: &[String]| path.len() > module.len() && path.iter().zip(&module).all(|(a, b)| a == b);
        let named = paths_of_names(&file.code(), &modules.names[at]).into_iter().filter(|path| !is_child(path));
        let named = named.chain(paths(file));
        arrows[at].extend(named.filter_map(|path| modules.defined_in(&path)).filter(|other| *other != at));
    }
    let reach = |from: usize| {
        let mut seen = BTreeSet::new();
        let mut todo = vec![from];
        while let Some(at) = todo.pop() {
            todo.extend(arrows[at].iter().filter(|next| seen.insert(**next)));
        }
        seen
    };
    let reached: Vec<BTreeSet<usize>> = (0..files.len()).map(reach).collect();
    let mut out = BTreeSet::new();
    for at in 0..files.len() {
        let circle: Vec<String> = (0..files.len())
            .filter(|other| reached[at].contains(other) && reached[*other].contains(&at))
            .map(|other| files[other].path.clone())
            .collect();
        if circle.len() > 1 {
            out.insert(circle);
        }
    }
    out.into_iter().collect()
}

#[test]
fn circles_of_files_are_small_and_few() {
    let files: Vec<File> = files().into_iter().filter(|file| !file.is_test() && file.path != "lib.rs").collect();
    let circles = circles(&files);
    let wrong: Vec<String> =
        circles.iter().filter(|circle| circle.len() > MAX_CIRCLE_FILES).map(|circle| circle.join(" ")).collect();
    assert!(wrong.is_empty(), "too large:\n{}", wrong.join("\n"));
    let listed: Vec<String> = circles.iter().map(|circle| circle.join(" ")).collect();
    assert!(circles.len() <= MAX_CIRCLES, "{} circles:\n{}", circles.len(), listed.join("\n"));
}

#[test]
fn files_have_a_header_and_a_bounded_length() {
    let mut wrong = Vec::new();
    for file in files() {
        if !file.text.starts_with("//!") && !file.is_test() {
            wrong.push(format!("src/{}: no `//!` header", file.path));
        }
        let lines = file.text.lines().count();
        if lines > MAX_FILE_LINES {
            wrong.push(format!("src/{}: {lines} lines; at most {MAX_FILE_LINES}", file.path));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The functions of a file with their lines, as rustfmt sets them: up to the brace below the `fn`.
fn functions(code: &str) -> Vec<(&str, usize)> {
    const BEFORE: [&str; 6] = ["pub", "const", "async", "unsafe", "default", "extern"];
    let lines: Vec<&str> = code.lines().collect();
    let mut out = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let mut words = line.split_whitespace();
        let first = words.find(|word| !BEFORE.iter().any(|before| word.split('(').next() == Some(before)));
        let (Some("fn"), Some(name)) = (first, words.next()) else { continue };
        let indent = line.len() - line.trim_start().len();
        let is_end = |line: &&&str| {
            line.trim() == "}" && line.len() == indent + 1
                || line.ends_with(';') && !line.starts_with(&" ".repeat(indent + 1))
        };
        let is_short = line.ends_with(['}', ';']);
        let length = if is_short { 1 } else { 1 + lines[at + 1..].iter().take_while(|line| !is_end(line)).count() + 1 };
        out.push((name.split(['(', '<']).next().unwrap_or(name), length));
    }
    out
}

#[test]
fn functions_are_short() {
    assert_eq!(functions("fn a() {\n    b\n}\n\n    pub(crate) const fn c(x: X) -> Y {}"), [("a", 3), ("c", 1)]);
    let (mut long, mut wrong) = (Vec::new(), Vec::new());
    for file in files().iter().filter(|file| !file.is_test()) {
        for (name, lines) in functions(&file.code()) {
            let most =
                MAX_ROOM_LINES.iter().find(|(room, _)| *room == file.crate_name()).map_or(MAX_LINES, |(_, most)| *most);
            if lines > most {
                wrong.push(format!("src/{}: `{name}` has {lines} lines; at most {most}", file.path));
            }
            if lines > LONG_LINES {
                long.push(format!("src/{}: `{name}` {lines}", file.path));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(long.len() <= MAX_LONG, "{} functions over {LONG_LINES} lines:\n{}", long.len(), long.join("\n"));
}

/// How many types have each name, unit tests left out.
fn type_names() -> BTreeMap<String, usize> {
    const KINDS: [&str; 5] = ["struct", "enum", "trait", "union", "type"];
    let mut out = BTreeMap::new();
    for file in files().iter().filter(|file| !file.is_test()) {
        for line in file.code().lines() {
            let words = line.trim_start();
            let words = words.strip_prefix("pub(").and_then(|rest| Some(rest.split_once(") ")?.1)).unwrap_or(words);
            let mut words = words.split_whitespace().skip_while(|word| *word == "pub");
            let kind = words.next().filter(|word| KINDS.contains(word));
            // an indented `type` belongs to a trait
            let Some(kind) = kind.filter(|kind| *kind != "type" || !line.starts_with(' ')) else { continue };
            let name = words.next().unwrap_or_default();
            let end = name.find(|letter: char| !letter.is_alphanumeric() && letter != '_').unwrap_or(name.len());
            if name.starts_with(|letter: char| letter.is_uppercase()) && !kind.is_empty() {
                *out.entry(name[..end].to_owned()).or_default() += 1;
            }
        }
    }
    out
}

/// A name means one type. `type_names.txt` lists those that still mean several, each with how many. It may only shrink:
/// `UPDATE_DOCS=1` takes from it what is no longer so, and adds nothing.
#[test]
fn a_type_name_is_defined_once() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/suite/type_names.txt");
    let text = fs::read_to_string(&path).unwrap();
    let listed: BTreeMap<&str, usize> = text
        .lines()
        .map(|line| line.split_once(' ').unwrap())
        .map(|(name, count)| (name, count.parse().unwrap()))
        .collect();
    let found = type_names();
    let most = |name: &str| listed.get(name).copied().unwrap_or(1);
    let over: Vec<_> = found.iter().filter(|(name, count)| **count > most(name)).collect();
    assert!(
        over.is_empty(),
        "{over:?} are names of more types than `tests/suite/type_names.txt` lists: name them after what they hold"
    );
    let kept = listed.iter().map(|(name, most)| (name, found.get(*name).copied().unwrap_or(0).min(*most)));
    let kept: String = kept.filter(|(_, count)| *count > 1).map(|(name, count)| format!("{name} {count}\n")).collect();
    if std::env::var_os("UPDATE_DOCS").is_some() {
        fs::write(&path, &kept).unwrap();
    } else {
        assert_eq!(text, kept, "the list has become shorter: run this with UPDATE_DOCS=1");
    }
}

#[test]
fn only_the_command_line_prints_and_reads_the_environment() {
    const PRINTS: [&str; 6] = ["println!", "eprintln!", "print!(", "eprint!(", "io::stdout()", "io::stderr()"];
    const READS: [&str; 6] =
        ["env::var", "env::args", "env::current_dir", "env::current_exe", "env::temp_dir", "env::home_dir"];
    let mut wrong = Vec::new();
    for file in files().iter().filter(|file| !file.is_test() && file.crate_name() != "cli") {
        let code: String = file.code().lines().map(unquoted).collect::<Vec<_>>().join("\n");
        for (words, places, what) in
            [(PRINTS, &PRINTING[..], "prints"), (READS, &ENVIRONMENT[..], "reads the environment")]
        {
            let found: Vec<&str> = words.into_iter().filter(|word| code.contains(word)).collect();
            if !found.is_empty() && !places.contains(&file.path.as_str()) {
                wrong.push(format!("src/{} {what}: {found:?}", file.path));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Spellings and words that names and comments do not have: British ones, and persons in place of the client, caller,
/// thread or process that is meant.
const WORDS: [&str; 11] = [
    "behaviour",
    "cancelled",
    "cancelling",
    "centre",
    "colour",
    "dialled",
    "licence",
    "neighbour",
    "nobody",
    "organisation",
    "somebody",
];

/// A line without what stands between two quotation marks or two backticks: texts, file names, names on a wire.
fn unquoted(line: &str) -> String {
    let mut open = None;
    let mut out = String::new();
    for letter in line.replace(r#"\""#, "").replace("'\"'", "").chars() {
        match open {
            Some(mark) if mark == letter => open = None,
            Some(_) => {}
            None if matches!(letter, '"' | '`') => open = Some(letter),
            None => out.push(letter),
        }
    }
    out
}

#[test]
fn names_and_comments_are_plain_american_english() {
    let mut wrong = Vec::new();
    for file in files() {
        for (number, line) in file.text.lines().enumerate() {
            let text = unquoted(line).to_lowercase();
            let found: Vec<&str> = WORDS.into_iter().filter(|word| text.contains(word)).collect();
            if !found.is_empty() {
                wrong.push(format!("src/{}:{}: {}", file.path, number + 1, found.join(", ")));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Files that turn bytes into text without [`base::source_text`]: what they read is no source, or no text.
const LOSSY: [&str; 17] = [
    "base/refs/address.rs",
    "base/refs/css.rs",
    "base/refs/element.rs",
    "base/refs/tag.rs",
    "base/source_text.rs",
    "export/islands.rs",
    "frame/asset/svg_clean.rs",
    "frame/asset/svg_loads.rs",
    "bundle/diff.rs",
    "bundle/reader/directory.rs",
    "check/facts.rs",
    "search/area.rs",
    "search/head.rs",
    "search/postings.rs",
    "search/reader.rs",
    "search/word.rs",
    "side/history.rs",
];

/// The encoding of a source file is looked at in one place: elsewhere, a byte-order mark would stay in its text.
#[test]
fn source_files_become_text_in_one_place() {
    let crates_of_texts = [
        "base",
        "fetch",
        "site",
        "spec",
        "nav",
        "load",
        "import",
        "textmate",
        "markup",
        "reference",
        "render",
        "frame",
        "search",
        "bundle",
        "side",
        "check",
        "export",
    ];
    let reads_bytes = |file: &File| {
        let code = file.code();
        code.contains("from_utf8_lossy") && crates_of_texts.contains(&file.crate_name()) && !file.is_test()
    };
    let found: BTreeSet<String> = files().into_iter().filter(reads_bytes).map(|file| file.path).collect();
    let allowed: BTreeSet<String> =
        LOSSY.iter().chain(&["fetch/archive/layout.rs"]).map(|place| (*place).to_owned()).collect();
    assert_eq!(found, allowed, "`base::source_text` decodes texts of a source");
}

/// Most places of each crate or room that cut a list by counted numbers, `list[at..]`: beyond its end, that panics. They may only
/// become fewer. Texts are cut by `base::cut`: `clippy::string_slice` and `disallowed-methods` hold all code to it.
const MAX_SLICES: [(&str, usize); 20] = [
    ("base", 59),
    ("bundle", 29),
    ("check", 37),
    ("cli", 4),
    ("export", 8),
    ("fetch", 9),
    ("frame", 49),
    ("host", 4),
    ("import", 107),
    ("load", 5),
    ("markup", 65),
    ("nav", 3),
    ("reference", 3),
    ("render", 38),
    ("search", 17),
    ("service", 17),
    ("side", 16),
    ("site", 14),
    ("spec", 15),
    ("textmate", 15),
];

/// How often code cuts by a range in brackets.
fn slices(code: &str) -> usize {
    let bytes = code.as_bytes();
    let cuts = |open: &usize| {
        let before = bytes.get(open.wrapping_sub(1)).copied().unwrap_or(b' ');
        if !(before.is_ascii_alphanumeric() || matches!(before, b'_' | b')' | b']' | b'?')) {
            return false;
        }
        let mut depth = 0_i32;
        for (at, byte) in bytes.iter().enumerate().skip(*open) {
            match byte {
                b'[' | b'(' | b'{' => depth += 1,
                b']' | b')' | b'}' => depth -= 1,
                b'.' if depth == 1 && bytes.get(at + 1) == Some(&b'.') => return true,
                _ => {}
            }
            if depth == 0 {
                break;
            }
        }
        false
    };
    code.match_indices('[').map(|(at, _)| at).filter(cuts).count()
}

#[test]
fn lists_are_cut_by_what_is_found_in_them() {
    assert_eq!(slices("a[1..] b.c()[..n + f(1)] d[i] e[g(0..2)] [x, ..] #[y(..)] v![0..1]"), 2);
    let mut found: BTreeMap<String, usize> = BTreeMap::new();
    for file in files().iter().filter(|file| !file.is_test()) {
        let code: String = file.code().lines().map(unquoted).collect::<Vec<_>>().join("\n");
        *found.entry(file.crate_name().to_owned()).or_default() += slices(&code);
    }
    let most = |crate_name: &str| MAX_SLICES.iter().find(|(name, _)| *name == crate_name).map_or(0, |(_, most)| *most);
    let over: Vec<_> = found.iter().filter(|(crate_name, count)| **count > most(crate_name)).collect();
    assert!(over.is_empty(), "{over:?} cut by numbers in more places than `MAX_SLICES` says: use `get`");
}
