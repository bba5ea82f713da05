//! Migrations: what an export makes of a source and of what the source was migrated to is the same, page by page.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::process::Output;

use scraper::{ElementRef, Node};
use tempfile::TempDir;

use super::html::parse_selector;
use super::site::{Exported, fixture, offprint};

/// Sites of other tools below `fixtures`.
const FIXTURES: [&str; 12] = [
    "docsify",
    "docusaurus",
    "fumadocs",
    "hugo",
    "nextra",
    "nextra-4",
    "obsidian",
    "plain",
    "starlight",
    "vitepress",
    "vuepress",
    "vuepress-2",
];

/// Writes files into a folder.
fn write(folder: &Path, files: &[(&str, &str)]) {
    for (path, text) in files {
        fs::create_dir_all(folder.join(path).parent().unwrap()).unwrap();
        fs::write(folder.join(path), text).unwrap();
    }
}

fn migrate(source: &Path, target: &Path, arguments: &[&str]) -> Output {
    offprint().arg("migrate").arg(source).arg("-o").arg(target).args(arguments).output().unwrap()
}

#[track_caller]
fn migrated(source: &Path) -> TempDir {
    let work = TempDir::with_prefix("offprint-migrated-").unwrap();
    let ended = migrate(source, &work.path().join("site"), &[]);
    assert_eq!(ended.status.code(), Some(0), "{}", String::from_utf8_lossy(&ended.stderr));
    work
}

/// A file of what small files of a plain folder were migrated to.
#[track_caller]
fn text_of(files: &[(&str, &str)], path: &str) -> String {
    let source = TempDir::new().unwrap();
    write(source.path(), files);
    let target = migrated(source.path());
    let path = target.path().join("site").join(path);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// What readers get of a page.
#[derive(Debug, Default, PartialEq, Eq)]
struct Seen {
    /// Words of the content; the title once.
    words: Vec<String>,
    /// Anchors of the headings.
    anchors: Vec<String>,
    /// Blocks of code.
    code: Vec<String>,
    /// Where links of the content lead, and how they are called.
    links: Vec<(String, String)>,
    /// Pictures, by what they load.
    pictures: Vec<String>,
    /// Labels and targets of the navigation.
    navigation: Vec<(String, String)>,
}

/// The words of an element, without what belongs to the frame and without `skipped` elements.
fn push_words(out: &mut String, element: ElementRef<'_>, skip: &impl Fn(ElementRef<'_>) -> bool) {
    for child in element.children() {
        match child.value() {
            Node::Text(text) => out.push_str(text),
            Node::Element(_) => {
                let Some(child) = ElementRef::wrap(child) else { continue };
                if child.attr("data-chrome").is_none() && !skip(child) {
                    let is_block = !matches!(
                        child.value().name(),
                        "span" | "a" | "em" | "strong" | "code" | "b" | "i" | "wbr" | "kbd" | "sub" | "sup" | "del"
                    );
                    out.push_str(if is_block { " " } else { "" });
                    push_words(out, child, skip);
                    out.push_str(if is_block { " " } else { "" });
                }
            }
            _ => {}
        }
    }
}

/// Words without punctuation, which the format sets typographically.
fn words(text: &str) -> Vec<String> {
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_lowercase).collect()
}

/// Where a relative address of a page leads.
fn target(page: &str, href: &str) -> String {
    if href.contains("://") || href.starts_with("mailto:") || href.starts_with("data:") {
        return href.to_owned();
    }
    let (path, fragment) = href.split_once('#').unwrap_or((href, ""));
    let mut parts: Vec<&str> = page.split('/').collect();
    if !path.is_empty() {
        parts.pop();
        for part in path.split('/') {
            match part {
                "" | "." => {}
                ".." => drop(parts.pop()),
                part => parts.push(part),
            }
        }
    }
    format!("{}#{fragment}", parts.join("/"))
}

fn seen(site: &Exported, path: &str, titles: &BTreeSet<String>) -> Seen {
    let page = site.page(path.strip_suffix(".html").unwrap());
    let mut seen = Seen::default();
    // a title that the content shows stands above it for screen readers alone
    let shows_title = page.count("#page-title.visually-hidden") > 0;
    let title: Vec<String> = page
        .select("#page-title")
        .iter()
        .filter(|_| !shows_title)
        .flat_map(|title| words(&title.text().collect::<String>()))
        .collect();
    let of = |element: ElementRef<'_>| words(&element.text().collect::<String>());
    // a first heading says the title again, here or there
    let is_title = |element: ElementRef<'_>| {
        element.attr("class").is_some_and(|class| class.split(' ').any(|class| class == "h1"))
    };
    let mut text = String::new();
    for content in page.select(".mdx-content") {
        push_words(&mut text, content, &|element| {
            is_title(element) && !shows_title && of(element).starts_with(&title) || element.value().name() == "pre"
        });
    }
    seen.words = if title.is_empty() && !shows_title {
        page.select(".h1").first().map(|title| of(*title)).unwrap_or_default()
    } else {
        title.clone()
    };
    // what the heading of the title holds beside it, such as a badge
    let heading = page.select(".mdx-content .h1").first().map(|heading| of(*heading)).filter(|_| !shows_title);
    seen.words.extend(
        heading
            .iter()
            .filter(|heading| heading.starts_with(&seen.words))
            .flat_map(|heading| heading[seen.words.len()..].to_vec())
            .collect::<Vec<_>>(),
    );
    seen.words.extend(words(&text));
    let is_frame = |element: &ElementRef<'_>| {
        element.attr("data-chrome").is_some()
            || element.ancestors().filter_map(ElementRef::wrap).any(|above| above.attr("data-chrome").is_some())
    };
    for content in page.select(".mdx-content") {
        let all = |selector: &str| {
            content.select(&parse_selector(selector)).filter(|element| !is_frame(element)).collect::<Vec<_>>()
        };
        seen.anchors.extend(
            all("h2[id], h3[id], h4[id], h5[id], h6[id]")
                .into_iter()
                .filter(|heading| !is_title(*heading))
                .filter_map(|heading| heading.attr("id"))
                .map(str::to_owned),
        );
        seen.code.extend(all("pre").into_iter().map(|code| code.text().collect::<String>().trim_end().to_owned()));
        seen.links.extend(all("a[href]").into_iter().map(|link| {
            let to = target(path, link.attr("href").unwrap_or_default());
            // what leads to the title leads to the top
            let to = if titles.contains(&to) { format!("{}#", to.split('#').next().unwrap_or_default()) } else { to };
            (to, of(link).join(" "))
        }));
        seen.pictures
            .extend(all("img[src]").into_iter().filter_map(|picture| picture.attr("src")).map(|src| target(path, src)));
    }
    seen.navigation.extend(
        page.select("#sidebar a[href]")
            .into_iter()
            .map(|link| (of(link).join(" "), target(path, link.attr("href").unwrap_or_default()))),
    );
    seen
}

/// The addresses of headings that are the titles of their pages.
fn titles(site: &Exported) -> BTreeSet<String> {
    let of_page = |path: &str| -> Vec<String> {
        let page = site.page(path.strip_suffix(".html").unwrap());
        page.select(".h1[id]")
            .into_iter()
            .filter_map(|heading| Some(format!("{path}#{}", heading.attr("id")?)))
            .collect()
    };
    site.html().flat_map(of_page).collect()
}

fn pages(site: &Exported) -> BTreeMap<String, Seen> {
    let titles = titles(site);
    let is_page = |path: &&str| !path.starts_with("_offprint/") && *path != "404.html";
    site.html()
        .filter(is_page)
        // what only leads on is the same to readers as what a host redirects
        .filter(|path| !site.text_of(path).contains("http-equiv=\"refresh\""))
        .map(|path| (path.to_owned(), seen(site, path, &titles)))
        .collect()
}

/// What readers of a source and of its migration get otherwise.
#[track_caller]
fn differences(source: &Path) -> Vec<String> {
    let target = migrated(source);
    let (before, after) = (Exported::of(source, &[]), Exported::of(&target.path().join("site"), &[]));
    assert_eq!((before.code, after.code), (0, 0), "{}\n{}", before.stderr, after.stderr);
    let leads_on =
        |path: &str| after.files.contains_key(path) && after.text_of(path).contains("http-equiv=\"refresh\"");
    let (mut before, seen) = (pages(&before), pages(&after));
    // pages that are called otherwise, whose former address leads to the new one
    before.retain(|path, _| !leads_on(path));
    assert!(!before.is_empty());
    let missing: Vec<&String> = before.keys().filter(|path| !seen.contains_key(*path)).collect();
    let mut wrong: Vec<String> =
        missing.iter().map(|path| format!("{}: {path} is missing", source.display())).collect();
    for (path, before) in &before {
        let Some(after) = seen.get(path) else { continue };
        for (what, before, after) in [
            ("words", format!("{:?}", before.words), format!("{:?}", after.words)),
            ("anchors", format!("{:?}", before.anchors), format!("{:?}", after.anchors)),
            ("code", format!("{:?}", before.code), format!("{:?}", after.code)),
            ("links", format!("{:?}", before.links), format!("{:?}", after.links)),
            ("pictures", format!("{:?}", before.pictures), format!("{:?}", after.pictures)),
            ("navigation", format!("{:?}", before.navigation), format!("{:?}", after.navigation)),
        ] {
            if before != after {
                wrong.push(format!("{}: {path}: {what}\n  before: {before}\n  after:  {after}", source.display()));
            }
        }
    }
    wrong
}

#[test]
fn exports_of_source_and_target_show_the_same() {
    // the title of the start page stands above the cover, and what leads nowhere has no anchor
    let is_known = |one: &String| {
        one.contains("fixtures/docsify: index.html: words")
            || one.contains("fixtures/obsidian: Sails/Main sail.html: links")
    };
    let all = FIXTURES.iter().flat_map(|name| differences(&fixture(name)));
    let wrong: Vec<String> = all.filter(|one| !is_known(one)).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Errors of a check: code and page.
fn errors(source: &Path) -> BTreeSet<String> {
    let ended = offprint().arg("check").arg(source).args(["--format", "json"]).output().unwrap();
    let report: serde_json::Value = serde_json::from_slice(&ended.stdout).unwrap();
    let findings = report["findings"].as_array().unwrap().iter().filter(|finding| finding["severity"] == "error");
    findings.map(|finding| format!("{} {}", finding["code"], finding["message"])).collect()
}

#[test]
fn a_migration_adds_no_errors() {
    for name in FIXTURES {
        let target = migrated(&fixture(name));
        let (before, after) = (errors(&fixture(name)), errors(&target.path().join("site")));
        let codes = |errors: &BTreeSet<String>| -> BTreeMap<String, usize> {
            let mut counts = BTreeMap::new();
            for error in errors {
                *counts.entry(error.split(' ').next().unwrap_or_default().to_owned()).or_insert(0) += 1;
            }
            counts
        };
        for (code, count) in codes(&after) {
            assert!(
                count <= codes(&before).get(&code).copied().unwrap_or(0),
                "{name}: {code}\n{before:#?}\n{after:#?}"
            );
        }
    }
}

#[test]
fn a_second_migration_writes_the_same() {
    let (one, two) = (migrated(&fixture("docusaurus")), migrated(&fixture("docusaurus")));
    let files = |folder: &Path| -> BTreeMap<String, Vec<u8>> {
        let entries =
            walkdir::WalkDir::new(folder).into_iter().map(Result::unwrap).filter(|entry| entry.file_type().is_file());
        entries
            .map(|entry| {
                (entry.path().strip_prefix(folder).unwrap().display().to_string(), fs::read(entry.path()).unwrap())
            })
            .collect()
    };
    assert_eq!(files(&one.path().join("site")), files(&two.path().join("site")));
}

#[test]
fn the_source_stays_and_the_target_is_written_whole() {
    let source = TempDir::new().unwrap();
    write(source.path(), &[("index.md", "# Home\n\n[a](a.md)\n"), ("a.md", "# A\n\n![p](p.png)\n"), ("p.png", "x")]);
    let target = source.path().join("new/site");
    let ended = migrate(source.path(), &target, &[]);
    let stderr = String::from_utf8_lossy(&ended.stderr);
    assert!(
        stderr.contains("Wrote 2 pages") && stderr.contains("1 file") && ended.status.code() == Some(0),
        "{stderr}"
    );
    assert_eq!(fs::read_to_string(source.path().join("index.md")).unwrap(), "# Home\n\n[a](a.md)\n");
    assert_eq!(fs::read_to_string(target.join("index.mdx")).unwrap(), "---\ntitle: Home\n---\n\n[a](/a)\n");
    assert_eq!(fs::read_to_string(target.join("a.mdx")).unwrap(), "---\ntitle: A\n---\n\n![p](/p.png)\n");
    assert_eq!(fs::read(target.join("p.png")).unwrap(), b"x");
    let docs: serde_json::Value = serde_json::from_slice(&fs::read(target.join("docs.json")).unwrap()).unwrap();
    assert_eq!(docs["navigation"], serde_json::json!({"pages": ["index", "a"]}));
}

#[test]
fn what_stands_in_the_way_is_not_replaced() {
    let source = TempDir::new().unwrap();
    write(
        source.path(),
        &[("docs/index.md", "# Home\n"), ("full/own.txt", "mine"), ("old/docs.json", "{}"), ("old/x.mdx", "x")],
    );
    let at = |name: &str| source.path().join(name);
    let check = |target: &str, arguments: &[&str], expect: &str| {
        let ended = migrate(&at("docs"), &at(target), arguments);
        let stderr = String::from_utf8_lossy(&ended.stderr).into_owned();
        assert!(stderr.contains(expect) && ended.status.code() == Some(2), "{target}: {stderr}");
    };
    check("full", &[], "is not empty");
    check("full", &["--force"], "has no `docs.json`");
    check("old", &[], "is not empty");
    check("docs", &["--force"], "holds the source");
    check("full/own.txt", &[], "is a file");
    assert_eq!(fs::read_to_string(at("full/own.txt")).unwrap(), "mine");
    let ended = migrate(&at("docs"), &at("old"), &["--force"]);
    assert_eq!(ended.status.code(), Some(0), "{}", String::from_utf8_lossy(&ended.stderr));
    assert!(at("old/index.mdx").is_file() && !at("old/x.mdx").exists());
    let left: Vec<_> = fs::read_dir(source.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left.len(), 3, "{left:?}");
}

#[test]
fn a_source_of_the_format_is_refused() {
    let ended = migrate(&fixture("docs"), &TempDir::new().unwrap().path().join("x"), &[]);
    let stderr = String::from_utf8_lossy(&ended.stderr);
    assert!(stderr.contains("has a `docs.json`: it is in the format that a migration writes"), "{stderr}");
    assert_eq!(ended.status.code(), Some(2));
}

#[test]
fn programs_read_what_was_written() {
    let target = TempDir::new().unwrap();
    let ended = migrate(&fixture("hugo"), &target.path().join("site"), &["--format", "json"]);
    let answer: serde_json::Value = serde_json::from_slice(&ended.stdout).unwrap();
    assert_eq!((answer["from"].as_str(), answer["exitCode"].as_u64()), (Some("hugo"), Some(0)));
    assert!(answer["pages"].as_u64().unwrap() > 10 && answer["redirects"].as_u64().unwrap() > 0, "{answer}");
}

#[test]
fn titles_and_anchors_are_those_of_the_source() {
    let page = "# What's *new*\n\n## Config.json\n\n## Config.json\n\n## Plain\n\n<h3 id=\"own\">Own</h3>\n\nTo [the top](#whats-new).\n";
    assert_eq!(
        text_of(&[("index.md", page)], "index.mdx"),
        "---\ntitle: What's new\n---\n\n## Config.json {#configjson}\n\n## Config.json {#configjson-1}\n\n## Plain\n\n<h3 id=\"own\">Own</h3>\n\nTo [the top](/).\n"
    );
    let files = [("docusaurus.config.js", "export default {title: 'T'}\n"), ("docs/a.md", page)];
    let text = text_of(&files, "docs/a.mdx");
    for heading in ["## Config.json {#configjson}", "## Config.json {#configjson-1}", "## Plain\n"] {
        assert!(text.contains(heading), "{text}");
    }
}

#[test]
fn what_cannot_be_carried_over_is_told() {
    let source = TempDir::new().unwrap();
    write(
        source.path(),
        &[
            ("index.md", "# Home\n\n<script>run()</script>\n\nText.\n"),
            ("snippets/a.md", "# A\n"),
            ("theme.css", "body {}\n"),
        ],
    );
    let target = source.path().join("new");
    let stderr = String::from_utf8_lossy(&migrate(source.path(), &target, &[]).stderr).into_owned();
    for expect in ["index.md:3", "migrate-script", "migrate-style", "migrate-address"] {
        assert!(stderr.contains(expect), "{expect}: {stderr}");
    }
    assert!(target.join("snippet-pages/a.mdx").is_file() && !target.join("theme.css").exists());
    let docs: serde_json::Value = serde_json::from_slice(&fs::read(target.join("docs.json")).unwrap()).unwrap();
    assert_eq!(docs["redirects"][0]["source"], "/snippets/a");
}

#[test]
fn names_fit_into_what_systems_hold() {
    let long = "brennofen-".repeat(40);
    let folder = TempDir::new().unwrap();
    write(
        folder.path(),
        &[
            (
                "mkdocs.yml",
                &format!(
                    "site_name: T\nnav:\n  - Start: index.md\n  - {long}one: https://one.example\n  - {long}two: https://two.example\n"
                ),
            ),
            ("docs/index.md", "# Start\n\nWords.\n"),
        ],
    );
    let names = || {
        let target = migrated(folder.path());
        let links = target.path().join("site/links");
        let mut names: Vec<String> =
            fs::read_dir(links).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    };
    let first = names();
    assert_eq!(first.len(), 2, "{first:?}");
    assert!(
        first.iter().all(|name| name.len() <= 255 && name.starts_with("brennofen-") && name.ends_with(".mdx")),
        "{first:?}"
    );
    assert_eq!(names(), first, "a second migration gives the same names");
}
