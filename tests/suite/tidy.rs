//! The plan of the tree, held by a test: which storey imports which, circles of files, headers, lengths, the places that
//! may print or read the environment, and spelling.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The storeys from the ground up, each with those that it imports from.
const STOREYS: [(&str, &[&str]); 11] = [
    ("base", &[]),
    ("http", &["base"]),
    ("source", &["base"]),
    ("page", &["base", "source"]),
    ("frame", &["base", "source", "page"]),
    ("output", &["base", "source", "page", "frame"]),
    ("export", &["base", "http", "source", "page", "frame", "output"]),
    ("host", &["base", "http", "source", "frame", "output"]),
    ("service", &["base", "http", "source", "frame", "output", "export", "host"]),
    ("cli", &["base", "http", "source", "page", "frame", "output", "export", "host", "service"]),
    ("main", &["cli"]),
];

/// Most lines of a file, its unit tests included.
const MAX_FILE_LINES: usize = 800;
/// Most files that may import each other in a circle, within a storey.
const MAX_CIRCLE_FILES: usize = 3;
/// Most such circles. Those that are left read what holds itself: HTML in attributes, elements in expressions, tables in
/// formulas, lists in notes, blocks in cells.
const MAX_CIRCLES: usize = 5;

/// Files that print, beside `src/app/cli`.
const PRINTING: [&str; 1] = ["base/telemetry.rs"];
/// Files that read the environment of the process, beside `src/app/cli`: each for the place of a program, of temporary files
/// or of the process, never for a setting of an export.
const ENVIRONMENT: [&str; 6] = [
    "base/confine/namespaces.rs",
    "main.rs",
    "host/cache.rs",
    "service/job/child/outside.rs",
    "service/job/paths.rs",
    "source/git/branch.rs",
];

/// A file of the product.
struct File {
    /// Below `src`, with `/`.
    path: String,
    /// The same below the folder of its crate, the first one.
    place: String,
    text: String,
}

impl File {
    /// The code without comments, string literals' escapes aside, and without what follows `#[cfg(test)]`.
    fn code(&self) -> String {
        let end = self.text.find("#[cfg(test)]\nmod tests {").unwrap_or(self.text.len());
        let lines = self.text[..end].lines().map(|line| line.split("//").next().unwrap_or_default());
        lines.collect::<Vec<_>>().join("\n")
    }

    fn is_test(&self) -> bool {
        self.path.ends_with("tests.rs") || self.path.contains("/tests/")
    }

    fn storey(&self) -> &str {
        self.place.split('/').next().unwrap_or_default().trim_end_matches(".rs")
    }

    /// The path of its module: `page/render/mod.rs` is `page`, `render`.
    fn module(&self) -> Vec<&str> {
        let path = self.place.trim_end_matches(".rs");
        let path = path.strip_suffix("/mod").unwrap_or(path);
        path.split('/').filter(|part| *part != "lib").collect()
    }
}

fn walk(folder: &Path, root: &Path, out: &mut Vec<File>) {
    let mut entries: Vec<PathBuf> = fs::read_dir(folder).unwrap().flatten().map(|entry| entry.path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            walk(&path, root, out);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let name = path.strip_prefix(root).unwrap().to_string_lossy().replace('\\', "/");
            let place = name.split_once('/').map_or(name.as_str(), |(_, place)| place).to_owned();
            out.push(File { path: name, place, text: fs::read_to_string(&path).unwrap() });
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

/// The paths that a file names, as segments from the root of the crate: each of `use crate::a::{b, c::d};`, and the
/// paths written in the code.
fn paths(file: &File) -> Vec<Vec<String>> {
    let code = file.code();
    let module: Vec<String> = file.module().into_iter().map(str::to_owned).collect();
    let mut out = Vec::new();
    for start in ["crate::", "super::", "self::"] {
        for (at, _) in code.match_indices(start) {
            let before = code[..at].chars().next_back();
            if before.is_some_and(|before| before.is_alphanumeric() || before == '_' || before == ':') {
                continue;
            }
            let mut base = if start == "crate::" { Vec::new() } else { module.clone() };
            if start == "super::" {
                base.pop();
            }
            tree(&code[at + start.len()..], base, &mut out);
        }
    }
    out
}

/// Reads one tree of a `use`, or one path: `b::{c, d::E}`. Returns the bytes that it took.
fn tree(text: &str, mut base: Vec<String>, out: &mut Vec<Vec<String>>) -> usize {
    let mut at = 0;
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
            out.push(base);
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
            // `as name`
            if let Some(alias) = text[at..].trim_start().strip_prefix("as ") {
                let end = alias.find([',', '}', ';', '\n']).unwrap_or(0);
                at = text.len() - alias.len() + end;
            }
            out.push(base);
            return at;
        }
    }
}

#[test]
fn imports_run_downwards() {
    let allowed: BTreeMap<&str, &[&str]> = STOREYS.into_iter().collect();
    let mut wrong = BTreeSet::new();
    for file in files().iter().filter(|file| !file.is_test() && file.place != "lib.rs") {
        let storey = file.storey();
        let Some(below) = allowed.get(storey) else {
            wrong.insert(format!("src/{}: `{storey}` is no storey", file.path));
            continue;
        };
        for path in paths(file) {
            let Some(other) = path.first().filter(|other| allowed.contains_key(other.as_str()) && *other != storey)
            else {
                continue;
            };
            if !below.contains(&other.as_str()) {
                wrong.insert(format!("src/{}: `{storey}` imports `{}`", file.path, path.join("::")));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.into_iter().collect::<Vec<_>>().join("\n"));
}

/// The circles of files: strongly connected components of more than one file, by repeated search. A module and the file
/// that declares it belong together: what a child takes from its parent is no arrow unless the parent takes from it too.
fn circles(files: &[File]) -> Vec<Vec<String>> {
    let of_module: BTreeMap<Vec<&str>, usize> =
        files.iter().enumerate().map(|(at, file)| (file.module(), at)).collect();
    let mut arrows: Vec<BTreeSet<usize>> = vec![BTreeSet::new(); files.len()];
    for (at, file) in files.iter().enumerate() {
        for path in paths(file) {
            let longest = (1..=path.len()).rev().find_map(|length| {
                let path: Vec<&str> = path[..length].iter().map(String::as_str).collect();
                of_module.get(&path).copied()
            });
            arrows[at].extend(longest.filter(|other| *other != at));
        }
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
    let files: Vec<File> = files().into_iter().filter(|file| !file.is_test() && file.place != "lib.rs").collect();
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

#[test]
fn only_the_command_line_prints_and_reads_the_environment() {
    const PRINTS: [&str; 6] = ["println!", "eprintln!", "print!(", "eprint!(", "io::stdout()", "io::stderr()"];
    const READS: [&str; 6] =
        ["env::var", "env::args", "env::current_dir", "env::current_exe", "env::temp_dir", "env::home_dir"];
    let mut wrong = Vec::new();
    for file in files().iter().filter(|file| !file.is_test() && file.storey() != "cli") {
        let code: String = file.code().lines().map(unquoted).collect::<Vec<_>>().join("\n");
        for (words, places, what) in
            [(PRINTS, &PRINTING[..], "prints"), (READS, &ENVIRONMENT[..], "reads the environment")]
        {
            let found: Vec<&str> = words.into_iter().filter(|word| code.contains(word)).collect();
            if !found.is_empty() && !places.contains(&file.place.as_str()) {
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
    "output/bundle/diff.rs",
    "output/bundle/reader/directory.rs",
    "output/check/facts.rs",
    "output/search/area.rs",
    "output/search/head.rs",
    "output/search/postings.rs",
    "output/search/reader.rs",
    "output/search/word.rs",
    "output/side/history.rs",
];

/// The encoding of a source file is looked at in one place: elsewhere, a byte-order mark would stay in its text.
#[test]
fn source_files_become_text_in_one_place() {
    let storeys = ["base", "source", "page", "frame", "output", "export"];
    let reads_bytes = |file: &File| {
        let code = file.code();
        code.contains("from_utf8_lossy") && storeys.contains(&file.storey()) && !file.is_test()
    };
    let found: BTreeSet<String> = files().into_iter().filter(reads_bytes).map(|file| file.place).collect();
    let allowed: BTreeSet<String> =
        LOSSY.iter().chain(&["source/archive/layout.rs"]).map(|place| (*place).to_owned()).collect();
    assert_eq!(found, allowed, "`base::source_text` decodes texts of a source");
}

/// Most places of each storey that cut a list by counted numbers, `list[at..]`: beyond its end, that panics. They may only
/// become fewer. Texts are cut by `base::cut`: `clippy::string_slice` and `disallowed-methods` hold all code to it.
const MAX_SLICES: [(&str, usize); 9] = [
    ("base", 59),
    ("cli", 4),
    ("export", 4),
    ("frame", 49),
    ("host", 4),
    ("output", 99),
    ("page", 125),
    ("service", 17),
    ("source", 154),
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
        *found.entry(file.storey().to_owned()).or_default() += slices(&code);
    }
    let most = |storey: &str| MAX_SLICES.iter().find(|(name, _)| *name == storey).map_or(0, |(_, most)| *most);
    let over: Vec<_> = found.iter().filter(|(storey, count)| **count > most(storey)).collect();
    assert!(over.is_empty(), "{over:?} cut by numbers in more places than `MAX_SLICES` says: use `get`");
}
