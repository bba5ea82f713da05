use super::*;

/// Checks a folder of files and names what is wrong: `code file:line: what`.
#[track_caller]
fn check(files: &[(&str, &str)], expect: &[&str]) {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, text) in files {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().expect("a parent")).expect("folders");
        std::fs::write(path, text).expect("a file");
    }
    let report = check_bundle(folder.path()).expect("a bundle");
    let found = report.findings.iter().map(|finding| {
        let what = finding.message.split('`').nth(1).unwrap_or_default();
        format!(
            "{} {} {}:{}:{} {what}",
            if finding.severity == Severity::Error { "E" } else { "W" },
            finding.code,
            finding.file,
            finding.line,
            finding.column
        )
    });
    assert_eq!(found.collect::<Vec<_>>(), expect);
}

#[test]
fn each_defect_once() {
    check(
        &[
            (
                "index.html",
                "<h1 id=top1>x</h1>\n<a href=a.html#b>ok</a><a href='#top1'>ok</a><a href='#TOP'>ok</a><a href='x/%C3%BC.html'>ok</a>\n<a href=gone.html>x</a>",
            ),
            (
                "a.html",
                "<p id=b><p id=b>\n<a href=index.html#gone>x</a> <a href=#gone2>x</a><a href=A.html>x</a>\n<img src=gone.png alt=''><img src=b.png>",
            ),
            ("b.png", ""),
            (
                "x/ü.html",
                "<a href=../>x</a><a href=/a.html>x</a><a href=../a>x</a><a href=../../y>x</a>\n<img src=https://a.b/c.png alt=x><script src=//a.b/c.js></script>",
            ),
            ("lost.html", "<a href=lost2.html>x</a>"),
            ("lost2.html", "<a href=lost.html>x</a>"),
            ("hidden.html", "<meta name=robots content=noindex>"),
            ("404.html", ""),
            ("to.html", "<meta http-equiv=refresh content='0;url=fro.html'>"),
            ("fro.html", "<meta http-equiv=refresh content='0;url=to.html'>"),
            ("style.css", "a{b:url(b.png)}\nc{d:url(gone.woff2)}"),
        ],
        &[
            "W duplicate-id a.html:1:9 ",
            "E broken-anchor a.html:2:1 index.html",
            "E broken-anchor a.html:2:31 #gone2",
            "E case-mismatch a.html:2:51 A.html",
            "E missing-file a.html:3:1 gone.png",
            "W missing-alt a.html:3:26 b.png",
            "E redirect-cycle fro.html:0:0 ",
            "E broken-link index.html:3:1 gone.html",
            "W orphan-page lost.html:0:0 ",
            "W orphan-page lost2.html:0:0 ",
            "E missing-file style.css:2:5 gone.woff2",
            "E redirect-cycle to.html:0:0 ",
            "E folder-link x/ü.html:1:1 ../",
            "E absolute-address x/ü.html:1:18 /a.html",
            "E broken-link x/ü.html:1:39 ../a",
            "E broken-link x/ü.html:1:57 ../../y",
            "W outside-load x/ü.html:2:1 https://a.b/c.png",
            "E outside-load x/ü.html:2:34 //a.b/c.js",
        ],
    );
}

#[test]
fn what_is_right_is_left_alone() {
    check(
        &[
            (
                "index.html",
                "<a href='b%20c.html?x=1#%C3%BC'>x</a><a href=mailto:a@b.c>x</a><a href=#:~:text=x>x</a><img src=data:, alt><svg><use href='#q'/></svg>",
            ),
            (
                "b c.html",
                "<h2 id=ü><a href=index.html>x</a><a name=q></a><a href='#q'>x</a><a href='d.pdf#page=3'>x</a>",
            ),
            ("d.pdf", ""),
            ("_offprint/redirects.json", "[{\"source\":\"/old\",\"destination\":\"/b c.html\"}]"),
        ],
        &[],
    );
    check(
        &[("_offprint/redirects.json", "{"), ("index.html", "")],
        &["E unreadable-file _offprint/redirects.json:0:0 "],
    );
    check(
        &[("_offprint/redirects.json", "[{\"source\":\"/a\",\"destination\":\"/b\"}]"), ("index.html", "")],
        &["E redirect-dangling _offprint/redirects.json:0:0 /a"],
    );
    check(&[("a.html", "")], &["W no-start-page :0:0 "]);
}
