//! The licenses of the linked crates: `offprint --licenses` prints what this module writes from the sources of the crates
//! in `Cargo.lock`.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::suite::site::offprint;

const LIST: &str = "src/cli/licenses/crates.txt";
/// What packages and images are built for.
const TARGETS: [&str; 2] = ["x86_64-unknown-linux-gnu", "aarch64-unknown-linux-gnu"];
/// Licenses that this project takes crates under, the one that is chosen first where a crate leaves the choice. A crate
/// under another one is a decision that has to be made here and in `deny.toml`. Each with words of its text.
const ACCEPTED: [(&str, &str); 10] = [
    ("Apache-2.0", "Apache License Version 2.0"),
    ("MIT", "Permission is hereby granted, free of charge, to any person obtaining a copy"),
    ("Unicode-3.0", "UNICODE LICENSE V3"),
    ("Zlib", "This software is provided 'as-is'"),
    ("ISC", "Permission to use, copy, modify, and/or distribute this software"),
    ("BSD-2-Clause", "Redistribution and use in source and binary forms"),
    ("BSD-3-Clause", "Redistribution and use in source and binary forms"),
    ("CC0-1.0", "CC0 1.0 Universal"),
    ("Apache-2.0 WITH LLVM-exception", "LLVM Exceptions to the Apache 2.0 License"),
    ("MPL-2.0", "Mozilla Public License"),
];
/// How the names of files begin that have licenses.
const NOTICES: [&str; 6] = ["licen", "unlicen", "copying", "notice", "third_party", "third-party"];
/// And how those of others end, whose names begin so.
const SOURCES: [&str; 8] = [".rs", ".c", ".h", ".py", ".js", ".json", ".html", ".sh"];
/// Asks for nothing but that its text and the place of the source are given.
const FILE_COPYLEFT: &str = "MPL-2.0";

/// A crate that is linked into the program.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct LinkedCrate {
    name: String,
    version: String,
    /// Identifiers that all apply.
    licenses: Vec<&'static str>,
    repository: String,
    authors: String,
    folder: PathBuf,
}

fn cargo(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO"))
        .args(arguments)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("cargo starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// The ways in which an SPDX expression can be met: in each, all of the identifiers apply.
fn alternatives(expression: &str) -> Vec<Vec<String>> {
    let mut tokens = expression.replace('/', " OR ").replace('(', " ( ").replace(')', " ) ");
    tokens = tokens.replace(" WITH ", "_WITH_");
    let tokens: Vec<&str> = tokens.split_whitespace().collect();
    let (found, rest) = any_of(&tokens);
    assert!(rest.is_empty(), "{expression}");
    found
}

fn any_of<'a, 'b>(tokens: &'a [&'b str]) -> (Vec<Vec<String>>, &'a [&'b str]) {
    let (mut found, mut rest) = all_of(tokens);
    while let Some((&"OR", after)) = rest.split_first() {
        let (more, after) = all_of(after);
        found.extend(more);
        rest = after;
    }
    (found, rest)
}

fn all_of<'a, 'b>(tokens: &'a [&'b str]) -> (Vec<Vec<String>>, &'a [&'b str]) {
    let (mut found, mut rest) = one(tokens);
    while let Some((&"AND", after)) = rest.split_first() {
        let (more, after) = one(after);
        found = found.iter().flat_map(|left| more.iter().map(move |right| [&left[..], right].concat())).collect();
        rest = after;
    }
    (found, rest)
}

fn one<'a, 'b>(tokens: &'a [&'b str]) -> (Vec<Vec<String>>, &'a [&'b str]) {
    match tokens.split_first().expect("an expression") {
        (&"(", inner) => {
            let (found, rest) = any_of(inner);
            (found, rest.strip_prefix(&[")"]).expect("a closed parenthesis"))
        }
        (id, rest) => (vec![vec![id.replace('_', " ")]], rest),
    }
}

/// The licenses that a crate is taken under, by the order of [`ACCEPTED`].
fn chosen(expression: &str) -> Option<Vec<&'static str>> {
    let rank = |id: &String| ACCEPTED.iter().position(|(accepted, _)| accepted == id);
    let ranked =
        alternatives(expression).into_iter().filter_map(|ids| ids.iter().map(rank).collect::<Option<Vec<_>>>());
    let best = ranked.min_by_key(|ranks| {
        let mut ranks = ranks.clone();
        ranks.sort_unstable_by(|one, other| other.cmp(one));
        ranks
    })?;
    Some(best.into_iter().map(|rank| ACCEPTED[rank].0).collect())
}

/// The crates that are linked into the program with its default features, by name and version.
fn linked_crates() -> Vec<LinkedCrate> {
    let edges = ["tree", "--locked", "--package", "offprint", "--edges", "normal,no-proc-macro", "--prefix", "none"];
    let mut tree = [&edges[..], &["--format", "{p}"]].concat();
    tree.extend(TARGETS.iter().flat_map(|target| ["--target", target]));
    let linked: BTreeSet<(String, String)> = cargo(&tree)
        .lines()
        .filter_map(|line| {
            let mut words = line.split(' ');
            Some((words.next()?.to_owned(), words.next()?.strip_prefix('v')?.to_owned()))
        })
        .collect();
    let metadata: Value = serde_json::from_str(&cargo(&[
        "metadata",
        "--locked",
        "--format-version",
        "1",
        "--filter-platform",
        TARGETS[0],
        "--filter-platform",
        TARGETS[1],
    ]))
    .expect("metadata");
    let packages = metadata["packages"].as_array().expect("packages");
    let mut crates: Vec<LinkedCrate> = packages
        .iter()
        .filter_map(|package| {
            let text = |key: &str| package[key].as_str().unwrap_or_default().to_owned();
            let (name, version) = (text("name"), text("version"));
            let is_ours = package["source"].is_null();
            if is_ours || !linked.contains(&(name.clone(), version.clone())) {
                return None;
            }
            let licenses = chosen(&text("license"))
                .unwrap_or_else(|| panic!("{name} is under {}, which nothing in ACCEPTED meets", text("license")));
            let authors: Vec<&str> =
                package["authors"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
            let folder = Path::new(&text("manifest_path")).parent().expect("a folder").to_owned();
            Some(LinkedCrate {
                name,
                version,
                licenses,
                repository: text("repository"),
                authors: authors.join(", "),
                folder,
            })
        })
        .collect();
    crates.sort();
    crates
}

/// Notices in a folder and those below it: of a crate, and of what it has taken over from others.
fn notice_files(folder: &Path, depth: usize, out: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> =
        std::fs::read_dir(folder).expect("a folder").flatten().map(|entry| entry.path()).collect();
    entries.sort();
    for path in entries {
        let name = path.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
        if path.is_dir() {
            // what is not compiled is not linked
            if depth < 3 && !["tests", "test", "benches", "examples", "fuzz", "docs"].contains(&&*name) {
                notice_files(&path, depth + 1, out);
            }
        } else {
            let is_notice = NOTICES.iter().any(|start| name.starts_with(start));
            let is_source = SOURCES.iter().any(|ending| name.ends_with(ending));
            out.extend((is_notice && !is_source).then_some(path));
        }
    }
}

fn spaced(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The text without its line ends' differences and without space at ends of lines.
fn tidy(text: &str) -> String {
    let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    lines.join("\n").trim_matches('\n').to_owned()
}

/// The texts of a crate that have to be passed on: title and text.
fn texts(linked: &LinkedCrate, apache: &str) -> Vec<(String, String)> {
    let mut files = Vec::new();
    notice_files(&linked.folder, 0, &mut files);
    let mut read: Vec<(PathBuf, String)> = files
        .into_iter()
        .map(|path| {
            let text = tidy(&String::from_utf8_lossy(&std::fs::read(&path).expect("a file")));
            (path.strip_prefix(&linked.folder).expect("below the folder").to_owned(), text)
        })
        .collect();
    let mut out = Vec::new();
    for &id in &linked.licenses {
        let words = ACCEPTED.iter().find(|(accepted, _)| *accepted == id).expect("an accepted one").1;
        let is_top = |path: &Path| path.components().count() == 1;
        // the text of the Apache License is the same for all; who has written a crate stands beside it
        if id == "Apache-2.0" {
            out.push((id.to_owned(), apache.to_owned()));
            continue;
        }
        let found: Vec<usize> =
            (0..read.len()).filter(|&at| is_top(&read[at].0) && spaced(&read[at].1).contains(words)).collect();
        for &at in &found {
            out.push((id.to_owned(), read[at].1.clone()));
        }
        if found.is_empty() {
            let holder = if linked.authors.is_empty() { &linked.name } else { &linked.authors };
            out.push((id.to_owned(), format!("Copyright (c) {holder}\n\n{}", standard_text(id, &linked.name))));
        }
    }
    // licenses of parts, and notices, have to be passed on whatever is chosen
    read.retain(|(path, text)| {
        let name = path.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
        let is_part = path.components().count() > 1 || name.contains("notice") || name.contains("third");
        is_part && !text.is_empty()
    });
    for (path, text) in read {
        let text =
            if spaced(&text).contains("TERMS AND CONDITIONS FOR USE, REPRODUCTION") && !text.contains("Exceptions") {
                apache.to_owned()
            } else {
                text
            };
        out.push((format!("part: {}", path.display()), text));
    }
    out
}

/// The text of a license for a crate whose package has none.
fn standard_text(id: &str, name: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let read = |path: PathBuf| tidy(&std::fs::read_to_string(path).expect("a license"));
    match id {
        "MIT" => {
            let own = read(root.join("LICENSE-MIT"));
            own.split_once("Permission").map(|(_, rest)| format!("Permission{rest}")).expect("its words")
        }
        "MPL-2.0" => "The text of this license stands with other crates that are under it.".to_owned(),
        other => panic!("{name} is under {other}, and comes without its text"),
    }
}

/// The whole list.
fn list(crates: &[LinkedCrate]) -> String {
    let apache = tidy(
        &std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("LICENSE-APACHE")).expect("the license"),
    );
    let mut out = String::from("Linked crates, with the licenses that they are used under\n\n");
    let row = |linked: &LinkedCrate| {
        format!("  {} {}  {}  {}\n", linked.name, linked.version, linked.licenses.join(" AND "), linked.repository)
    };
    out.push_str("Under the Mozilla Public License 2.0, which covers their own files. They are unmodified; their source code is at these\naddresses, in the version that is named:\n\n");
    for linked in crates.iter().filter(|linked| linked.licenses.contains(&FILE_COPYLEFT)) {
        out.push_str(&row(linked));
    }
    out.push_str("\nAll:\n\n");
    for linked in crates {
        out.push_str(&row(linked));
    }
    // equal texts stand once, below all that they belong to
    let mut by_text: BTreeMap<(String, String), Vec<String>> = BTreeMap::new();
    for linked in crates {
        for (title, text) in texts(linked, &apache) {
            let key = (title, text);
            by_text.entry(key).or_default().push(format!("{} {}", linked.name, linked.version));
        }
    }
    for ((title, text), mut users) in by_text {
        users.dedup();
        let _ = write!(out, "\n{}\n{title}: {}\n\n{text}\n", "-".repeat(100), users.join(", "));
    }
    out
}

#[test]
fn the_list_is_that_of_the_linked_crates() {
    let crates = linked_crates();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(LIST);
    let expected = list(&crates);
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(&path, expected).expect("the list is written");
        return;
    }
    let found = std::fs::read_to_string(&path).unwrap_or_default();
    let lines: BTreeSet<&str> = found.lines().collect();
    let missing: Vec<&str> = expected.lines().filter(|line| !lines.contains(line)).take(20).collect();
    assert!(
        found == expected,
        "{LIST} is not of the crates in Cargo.lock: run `UPDATE_DOCS=1 cargo test --test all suite::licenses`. Missing: {missing:#?}"
    );
}

#[test]
fn the_program_prints_all_licenses() {
    let output = offprint().arg("--licenses").output().expect("the program starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    let list = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(LIST)).expect("the list");
    assert!(text.contains(list.trim()), "the crates");
    for said in
        ["Mozilla Public License Version 2.0", "SIL OPEN FONT LICENSE", "Khan Academy", "Lucide", "GNU C library"]
    {
        assert!(text.contains(said), "{said}");
    }
    // it stands alone
    for arguments in [&["--licenses", "export"][..], &["export", "--licenses"], &[]] {
        let output = offprint().args(arguments).output().expect("the program starts");
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
    }
}

#[test]
fn licenses_are_chosen_in_the_order_of_the_list() {
    assert_eq!(chosen("MIT OR Apache-2.0"), Some(vec!["Apache-2.0"]));
    assert_eq!(chosen("MIT/Unlicense"), Some(vec!["MIT"]));
    assert_eq!(chosen("(MIT OR Apache-2.0) AND Unicode-3.0"), Some(vec!["Apache-2.0", "Unicode-3.0"]));
    assert_eq!(chosen("Apache-2.0 WITH LLVM-exception OR BSL-1.0"), Some(vec!["Apache-2.0 WITH LLVM-exception"]));
    assert_eq!(chosen("Apache-2.0 OR GPL-2.0-only"), Some(vec!["Apache-2.0"]));
    assert_eq!(chosen("MPL-2.0"), Some(vec!["MPL-2.0"]));
    for refused in ["GPL-3.0-only", "MIT AND EPL-2.0", "EUPL-1.2"] {
        assert_eq!(chosen(refused), None, "{refused}");
    }
}

/// What the Debian package takes from the checkout is there; `deploy/package` alone would tell otherwise.
#[test]
fn files_of_the_package_exist() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let manifest = std::fs::read_to_string(root.join("Cargo.toml")).expect("the manifest");
    let manifest: toml::Value = toml::from_str(&manifest).expect("TOML");
    let assets = manifest["package"]["metadata"]["deb"]["assets"].as_array().expect("assets");
    let paths = assets.iter().filter_map(|asset| asset[0].as_str()).filter(|path| !path.starts_with("target/"));
    let missing: Vec<&str> = paths
        .filter(|path| {
            let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
            let (start, end) = name.split_once('*').unwrap_or((name, ""));
            let entries = std::fs::read_dir(root.join(folder)).into_iter().flatten().flatten();
            let mut names = entries.map(|entry| entry.file_name().to_string_lossy().into_owned());
            !names.any(|found| found.starts_with(start) && found.ends_with(end))
        })
        .collect();
    assert!(assets.len() > 5 && missing.is_empty(), "{missing:?}");
}

/// A crate that is renamed would be compiled at the level of all others without a word.
#[test]
fn crates_with_a_level_of_their_own_are_dependencies() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let read = |name: &str| -> toml::Value {
        toml::from_str(&std::fs::read_to_string(root.join(name)).expect("the file")).expect("TOML")
    };
    let lock = read("Cargo.lock");
    let packages = lock["package"].as_array().expect("packages");
    let locked: BTreeSet<&str> = packages.iter().filter_map(|package| package["name"].as_str()).collect();
    let manifest = read("Cargo.toml");
    let levels = manifest["profile"]["release"]["package"].as_table().expect("levels");
    let unknown: Vec<&String> = levels.keys().filter(|name| *name != "*" && !locked.contains(name.as_str())).collect();
    assert!(levels.len() > 10 && unknown.is_empty(), "{unknown:?} are no dependencies");
}
