//! `offprint check`: every defect is found once, where it was written, and nothing else is.

use std::collections::BTreeSet;
use std::fs;
use std::io::{Read, Write};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;
use tempfile::TempDir;

use crate::suite::site::{fixture, offprint};

/// A source with one defect of each kind between things that are right.
const DEFECTS: &[(&str, &str)] = &[
    (
        "docs.json",
        r##"{ "theme": "mint", "name": "Test", "colors": { "primary": "#0F766E" },
  "navigation": { "pages": ["index", "guides/start", "guides/Named", "gone-from-navigation"] },
  "redirects": [
    { "source": "/old", "destination": "/guides/start" },
    { "source": "/round", "destination": "/and-round" },
    { "source": "/and-round", "destination": "/round" },
    { "source": "/adrift", "destination": "/nowhere" },
    { "source": "/to-the-part", "destination": "/guides/Named#no-part" },
    { "source": "/wild/:slug*", "destination": "/guides/:slug*" }
  ] }"##,
    ),
    (
        "index.mdx",
        "---\ntitle: Start\n---\n\n[fine](/guides/start#steps) [fine](/old) [fine](#here)\n\n## Here\n\n[a](/guides/instal) [b](/guides/start#stepz)\n\n[c](#hear)\n\n[d](/guides/named)\n",
    ),
    (
        "guides/start.mdx",
        "---\ntitle: Begin\n---\n\n## Steps\n\n![](/images/a.png) ![A](/images/a.png) <img src=\"/images/a.png\" alt=\"\" />\n\n![B](/images/B.png)\n\n![C](/images/c.png)\n\n\
         ![D](https://example.org/d.png)\n\n<iframe src=\"https://www.youtube.com/embed/x1\" title=\"Film\" />\n",
    ),
    ("guides/Named.mdx", "---\ntitle: Named\n---\n\nWords.\n"),
    ("lost.mdx", "---\ntitle: Lost\n---\n\n[on](/lost-too)\n"),
    ("lost-too.mdx", "---\ntitle: Lost too\n---\n\n[back](/lost)\n"),
    ("quiet.mdx", "---\ntitle: Quiet\nhidden: true\n---\n\nWords.\n"),
];

fn site(files: &[(&str, &str)]) -> TempDir {
    let folder = TempDir::with_prefix("offprint-check-").expect("a temporary folder");
    for (path, text) in files {
        write(&folder.path().join(path), text.as_bytes());
    }
    folder
}

fn defects() -> TempDir {
    let folder = site(DEFECTS);
    for name in ["images/a.png", "images/b.png"] {
        write(&folder.path().join(name), &fs::read(fixture("docs/images/grid.png")).expect("a picture"));
    }
    folder
}

fn write(path: &Path, bytes: &[u8]) {
    fs::create_dir_all(path.parent().expect("a folder")).expect("folders");
    fs::write(path, bytes).expect("a file");
}

fn check(target: &Path, args: &[&str]) -> Output {
    offprint().arg("check").arg(target).args(args).output().expect("the program starts")
}

/// The findings as `severity code file:line:column`.
fn found(output: &Output) -> Vec<String> {
    let json: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let findings = json["findings"].as_array().expect("findings");
    let mut out: Vec<String> = findings
        .iter()
        .map(|finding| {
            format!(
                "{} {} {}:{}:{}",
                text(&finding["severity"]),
                text(&finding["code"]),
                text(&finding["file"]),
                finding["line"],
                finding["column"]
            )
        })
        .collect();
    out.sort();
    out
}

#[test]
fn every_defect_of_a_source_is_found_once() {
    let folder = defects();
    let output = check(folder.path(), &["--format", "json"]);
    assert_eq!(output.status.code(), Some(1), "{}", String::from_utf8_lossy(&output.stderr));
    let expect = [
        "error broken-anchor docs.json:8:7",
        "error broken-anchor index.mdx:11:1",
        "error broken-anchor index.mdx:9:21",
        "error broken-link index.mdx:9:1",
        "error missing-file guides/start.mdx:11:1",
        "error missing-file guides/start.mdx:9:1",
        "error nav-missing-page docs.json:2:70",
        "error redirect-cycle docs.json:5:7",
        "error redirect-cycle docs.json:6:7",
        "error redirect-dangling docs.json:7:7",
        "warning link-case index.mdx:13:1",
        "warning missing-alt guides/start.mdx:7:1",
        "warning orphan-page lost-too.mdx:0:0",
        "warning orphan-page lost.mdx:0:0",
        "warning outside-load guides/start.mdx:13:6",
    ];
    assert_eq!(found(&output), expect);
    let json: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!((&json["kind"], &json["placeholders"], &json["outsideLoads"]), (&"source".into(), &1.into(), &1.into()));
    let hints: Vec<&str> =
        json["findings"].as_array().expect("findings").iter().filter_map(|finding| finding["hint"].as_str()).collect();
    assert!(hints.iter().any(|hint| hint.contains("there is `images/b.png`")), "{hints:?}");
}

#[test]
fn what_descriptions_say_wrong_is_found_where_it_is_written() {
    let api = "openapi: 3.1.0
security: [{none: []}]
paths:
  /a/{id}:
    get:
      operationId: same
      responses:
        '200':
          description: Fine
          content:
            application/json:
              schema: {$ref: 'parts.yaml#/Pet'}
              example: {name: 1}
  /b:
    get:
      operationId: same
      parameters: [{$ref: '#/components/parameters/None'}]
";
    let parts = "Pet:\n  required:\n    - name\n    - gone\n  properties:\n    name: {type: string}\n    old:\n      type: integer\n      default: x\n";
    let swagger = r#"{"swagger": "2.0",
 "paths": {"/c": {"get": {"summary": "C",
   "parameters": [{"name": "n", "in": "query", "type": "integer", "default": "x"}]}}}}"#;
    let docs = r##"{"theme": "mint", "name": "T", "colors": {"primary": "#0F766E"}, "navigation": {"groups": [{"group": "A", "openapi": ["api.yaml", "old.json"]}, {"group": "B", "pages": ["index"]}]}}"##;
    let site = site(&[
        ("docs.json", docs),
        ("index.mdx", "---\ntitle: Start\n---\n\nWords.\n"),
        ("api.yaml", api),
        ("parts.yaml", parts),
        ("old.json", swagger),
    ]);
    let output = check(site.path(), &["--format", "json"]);
    let found: Vec<String> = found(&output).into_iter().filter(|it| it.contains("openapi")).collect();
    assert_eq!(
        found,
        [
            "warning openapi-duplicate-id api.yaml:16:7",
            "warning openapi-example api.yaml:13:15",
            "warning openapi-example old.json:3:19",
            "warning openapi-example parts.yaml:9:7",
            "warning openapi-parameter api.yaml:5:5",
            "warning openapi-ref api.yaml:17:21",
            "warning openapi-required parts.yaml:4:7",
            "warning openapi-security api.yaml:2:13",
        ]
    );
}

#[test]
fn formats_and_exit_codes() {
    let folder = defects();
    let github = check(folder.path(), &["--format", "github"]);
    let lines = String::from_utf8(github.stdout).expect("UTF-8");
    let file = folder.path().join("index.mdx").display().to_string();
    let start =
        format!("::error file={file},line=9,col=1,title=broken-link::`/guides/instal` leads to no page or file");
    assert!(lines.lines().any(|line| line.starts_with(&start)), "{lines}");
    assert!(lines.lines().all(|line| line.starts_with("::error ") || line.starts_with("::warning ")), "{lines}");

    let text = check(folder.path(), &[]);
    let stderr = String::from_utf8(text.stderr).expect("UTF-8");
    assert!(
        text.stdout.is_empty()
            && stderr.contains("index.mdx:9:1")
            && stderr.contains("[a](/guides/instal)")
            && stderr.contains("10 errors, 5 warnings"),
        "{stderr}"
    );

    let quiet = site(&[("index.md", "# Start\n\n![](a.png)\n")]);
    write(&quiet.path().join("a.png"), &fs::read(fixture("docs/images/grid.png")).expect("a picture"));
    assert_eq!(check(quiet.path(), &[]).status.code(), Some(0));
    assert_eq!(check(quiet.path(), &["--strict"]).status.code(), Some(1));
    assert_eq!(check(Path::new("/no/such/bundle.zip"), &[]).status.code(), Some(2));
    assert_eq!(check(&quiet.path().join("a.png"), &[]).status.code(), Some(2));
}

#[test]
fn the_documentation_is_in_order() {
    let output = check(&fixture("docs"), &["--format", "json"]);
    assert_eq!((output.status.code(), found(&output)), (Some(0), Vec::<String>::new()));
}

/// Exports a source into a folder or an archive.
fn exported(source: &Path, name: &str) -> (TempDir, PathBuf) {
    let work = TempDir::new().expect("a temporary folder");
    let path = work.path().join(name);
    let output = offprint()
        .args(["export", "--progress", "none", "--vendor", "off", "-o"])
        .arg(&path)
        .arg(source)
        .output()
        .expect("the program starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    (work, path)
}

#[test]
fn archives_and_folders_say_the_same() {
    let folder = defects();
    let (_one, archive) = exported(folder.path(), "site.zip");
    let (_two, tree) = exported(folder.path(), "site/");
    let (archive, tree) = (check(&archive, &["--format", "json"]), check(&tree, &["--format", "json"]));
    // what the export mends is no fault of a bundle
    assert_eq!(archive.status.code(), Some(0));
    let expect = ["warning orphan-page lost-too.html:0:0", "warning orphan-page lost.html:0:0"];
    let is_outside_load = |finding: &String| finding.contains("outside-load");
    let left: Vec<String> = found(&archive).into_iter().filter(|finding| !is_outside_load(finding)).collect();
    assert_eq!((left, found(&archive)), (expect.map(str::to_owned).to_vec(), found(&tree)));
}

#[test]
fn an_export_says_whether_it_is_self_contained() {
    let folder = defects();
    let work = TempDir::new().expect("a temporary folder");
    let report = work.path().join("report.json");
    let output = offprint()
        .args(["export", "--vendor", "off"])
        .arg(folder.path())
        .arg("-o")
        .arg(work.path().join("s.zip"))
        .arg("--report")
        .arg(&report)
        .output()
        .expect("the program starts");
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(stderr.contains("self-contained: no, 1 outside load, ") && stderr.contains("1 placeholder"), "{stderr}");
    let report: Value = serde_json::from_slice(&fs::read(report).expect("a report")).expect("JSON");
    let outside = &report["outside"];
    assert_eq!(outside["loads"]["addresses"][0]["url"], "https://example.org/d.png");
    assert_eq!(outside["loads"]["addresses"][0]["file"], "guides/start.html");
    assert_eq!(
        (&outside["loads"]["count"], &outside["placeholders"]["count"], &outside["scripts"]),
        (&1.into(), &1.into(), &0.into())
    );
    assert!(outside["filesRead"].as_u64().is_some_and(|files| files > 8), "{outside}");
}

#[test]
fn pages_of_an_air_gapped_bundle_have_their_policy() {
    let folder = site(&[
        ("index.md", "# Start\n\n[a](a.md) [b](b.html)\n"),
        ("a.md", "# A\n"),
        ("b.html", "<!doctype html><title>B</title>"),
    ]);
    let (_work, tree) = exported(folder.path(), "site/");
    assert_eq!(found(&check(&tree, &["--format", "json"])), Vec::<String>::new());
    let edit = |name: &str, from: &str, to: &str| {
        let text = fs::read_to_string(tree.join(name)).expect("a page");
        assert!(text.contains(from), "{name}: {text}");
        fs::write(tree.join(name), text.replacen(from, to, 1)).expect("a page");
    };
    // without a policy, with one that stands behind what it is to block, and with one that allows requests
    edit("index.html", "http-equiv=\"Content-Security-Policy\"", "name=\"policy\"");
    edit("a.html", "<head>", "<head><script src=\"b.html\"></script>");
    edit("b.html", "connect-src 'self'", "connect-src *");
    let output = check(&tree, &["--format", "json"]);
    assert_eq!(
        (output.status.code(), found(&output)),
        (Some(1), ["a", "b", "index"].map(|page| format!("error missing-policy {page}.html:0:0")).to_vec())
    );
    // elsewhere a page may ask other servers
    edit("_offprint/manifest.json", "\"air-gapped\"", "\"client-hosted\"");
    assert_eq!(found(&check(&tree, &["--format", "json"])), Vec::<String>::new());
}

/// A host that knows three addresses; it answers until the test ends.
fn host() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("an address").to_string();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let Ok(mut stream) = stream else { return };
            std::thread::spawn(move || {
                let mut buffer = [0; 4096];
                let length = stream.read(&mut buffer).unwrap_or(0);
                let request = String::from_utf8_lossy(&buffer[..length]).into_owned();
                let (method, path) = request.split_once(' ').unwrap_or_default();
                let path = path.split(' ').next().unwrap_or_default();
                let answer = match (method, path) {
                    (_, "/moved") => "302 Found\r\nLocation: /there",
                    ("HEAD", "/there") => "405 Method Not Allowed",
                    (_, "/there") => "200 OK",
                    (_, "/shy") => "403 Forbidden",
                    _ => "404 Not Found",
                };
                let _ = write!(stream, "HTTP/1.1 {answer}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
            });
        }
    });
    address
}

#[test]
fn outside_links_are_asked_for() {
    let host = host();
    let page = format!(
        "# Start\n\n[a](http://{host}/there#x)\n\n[b](http://{host}/moved) [c](http://{host}/gone)\n\n[d](http://{host}/shy) [e](http://{host}/there)\n"
    );
    let folder = site(&[("index.md", &page)]);
    let output = check(folder.path(), &["--external", "--allow-private", "--format", "json"]);
    assert_eq!(
        found(&output),
        ["error dead-link index.md:5:0", "warning unclear-link index.md:7:0"],
        "{}",
        String::from_utf8_lossy(&output.stdout)
    );
    let json: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(json["external"], serde_json::json!({ "asked": 4, "alive": 2, "dead": 1, "unclear": 1, "refused": 0 }));
    let refused = check(folder.path(), &["--external", "--format", "json"]);
    assert!(
        found(&refused).iter().all(|finding| finding.starts_with("warning private-link index.md:")),
        "{:?}",
        found(&refused)
    );
    assert_eq!(refused.status.code(), Some(0));
}

/// What a checker that shares no code with ours says about a folder: (page, target).
fn second_opinion(tree: &Path) -> BTreeSet<(String, String)> {
    let output = Command::new("hyperlink")
        .arg(tree)
        .arg("--check-anchors")
        .output()
        .expect("`hyperlink` is installed; tests/run does it");
    let text = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    let mut page = String::new();
    let mut out = BTreeSet::new();
    for line in text.lines() {
        if let Some(target) = line.trim_start().strip_prefix("error: bad link /") {
            // rules for hosts, which know pages without their extension
            if page == "_redirects" {
                continue;
            }
            // where there is no page, its anchor is no second fault
            let file = target.split('#').next().unwrap_or_default();
            let target = if tree.join(file).is_file() { target } else { file };
            out.insert((page.clone(), target.trim_end_matches('/').to_owned()));
        } else if let Ok(path) = Path::new(line.trim_end()).strip_prefix(tree) {
            page = path.display().to_string();
        }
    }
    out
}

/// What ours says, in the same words.
fn first_opinion(tree: &Path) -> BTreeSet<(String, String)> {
    let output = check(tree, &["--format", "json"]);
    let json: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let mut out = BTreeSet::new();
    for finding in json["findings"].as_array().expect("findings") {
        let (page, message) =
            (finding["file"].as_str().unwrap_or_default(), finding["message"].as_str().unwrap_or_default());
        let quoted: Vec<&str> = message.split('`').skip(1).step_by(2).collect();
        let target = match (finding["code"].as_str().unwrap_or_default(), quoted.as_slice()) {
            ("broken-anchor", [fragment]) => format!("{page}{fragment}"),
            ("broken-anchor", [target, fragment]) => format!("{target}{fragment}"),
            ("broken-link" | "missing-file" | "case-mismatch", [address, ..]) => joined(page, address),
            _ => continue,
        };
        out.insert((page.to_owned(), target));
    }
    out
}

fn joined(page: &str, address: &str) -> String {
    let path = percent_encoding::percent_decode_str(address.split(['#', '?']).next().unwrap_or_default())
        .decode_utf8_lossy()
        .into_owned();
    let mut parts: Vec<&str> = page.split('/').collect();
    parts.pop();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    parts.join("/")
}

#[test]
#[ignore = "needs the program `hyperlink`; tests/run installs and includes it"]
fn an_independent_checker_agrees() {
    let (_work, tree) = exported(&fixture("docs"), "site/");
    assert_eq!((first_opinion(&tree), second_opinion(&tree)), Default::default());

    // the same tree with every seventh page gone, every fifth with other ids, and a page of links that were never right
    let mut pages: Vec<PathBuf> =
        walk(&tree).into_iter().filter(|path| path.extension().is_some_and(|extension| extension == "html")).collect();
    pages.sort();
    for (index, path) in
        pages.iter().enumerate().filter(|(_, path)| !path.ends_with("index.html") && !path.ends_with("404.html"))
    {
        if index % 7 == 3 {
            fs::remove_file(path).expect("a page");
        } else if index % 5 == 2 {
            let text = fs::read_to_string(path).expect("a page");
            fs::write(path, text.replace("<h2 id=\"", "<h2 id=\"was-")).expect("a page");
        }
    }
    fs::remove_file(tree.join("images/grid.png")).expect("a picture");
    let wrong = "<!doctype html><title>x</title><a href=\"quickstart.html#nope\">a</a><a href=\"gone.html\">b</a><img src=\"gone.png\" alt=\"\"><a href=\"#here\">c</a>\
        <img srcset=\"gone2.png 2x\" alt=\"\"><link rel=stylesheet href=\"gone.css\"><script src=gone.js></script><a href=\"QUICKSTART.html\">d</a>\
        <a href=\"my%20docs/%C3%BC.html?x=1\">e</a><!-- <a href=comment.html> --><script>'<a href=text.html>'</script><a href='&#103;one3.html'>f</a>";
    fs::write(tree.join("wrong.html"), wrong).expect("a page");
    let (ours, theirs) = (first_opinion(&tree), second_opinion(&tree));
    let only = |one: &BTreeSet<(String, String)>, other: &BTreeSet<(String, String)>| {
        one.difference(other).cloned().collect::<Vec<_>>()
    };
    assert!(ours == theirs, "only ours: {:#?}\nonly theirs: {:#?}", only(&ours, &theirs), only(&theirs, &ours));
    assert!(ours.len() > 100, "only {} broken links", ours.len());
}

fn walk(folder: &Path) -> Vec<PathBuf> {
    let mut open = vec![folder.to_owned()];
    let mut out = Vec::new();
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(folder).expect("a folder").flatten() {
            let path = entry.path();
            if path.is_dir() { open.push(path) } else { out.push(path) }
        }
    }
    out
}
