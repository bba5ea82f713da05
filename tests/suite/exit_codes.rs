//! What the program returns, and where it prints.

use std::fs;
use std::process::Output;

use tempfile::TempDir;

use crate::suite::site::{SiteTest, fixture, offprint};

fn run(args: &[&str]) -> Output {
    offprint().args(args).output().expect("the program starts")
}

fn code(output: &Output) -> Option<i32> {
    output.status.code()
}

#[test]
fn help_and_version() {
    let help = run(&["export", "--help"]);
    assert_eq!(code(&help), Some(0));
    let text = String::from_utf8(help.stdout).expect("UTF-8");
    for flag in [
        "--format",
        "--domain",
        "--export-version",
        "--paths",
        "--jobs",
        "--cpu-limit",
        "--strict",
        "--progress",
        "--report",
        "--include-js",
        "--no-highlight",
    ] {
        assert!(text.contains(flag), "{flag} is not in --help");
        let documented = fs::read_to_string(fixture("docs/export/command.mdx")).expect("the page about the command");
        assert!(documented.contains(&format!("`{flag}")), "{flag} is not documented");
    }
    assert_eq!(code(&run(&["--version"])), Some(0));
}

#[test]
fn a_wrong_command_line() {
    for args in [
        &["frobnicate"][..],
        &["export", ".", "--no-such-flag"],
        &["export", ".", "--jobs", "none"],
        &["export", ".", "--format", "tar"],
        &["export", ".", "--domain", "https://x.org/"],
    ] {
        let output = run(args);
        assert_eq!(code(&output), Some(2), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
        assert!(output.stdout.is_empty() && !output.stderr.is_empty(), "{args:?}");
    }
}

/// Twenty milliseconds of a fast machine for each picture: far more than a second together.
#[cfg(any(target_os = "linux", target_os = "macos"))]
#[test]
fn a_limit_of_processor_time_ends_an_export() {
    let work = TempDir::new().expect("a temporary folder");
    fs::create_dir(work.path().join("docs")).expect("a folder");
    for number in 0..1_500 {
        let page = format!("# A title of many words that are different in number {number}\n\nText.\n");
        fs::write(work.path().join(format!("docs/page-{number}.md")), page).expect("a page");
    }
    fs::create_dir(work.path().join("out")).expect("a folder");
    for format in ["zip", "dir"] {
        let output = offprint()
            .args([
                "export",
                "docs",
                "-o",
                "out/site",
                "--format",
                format,
                "--domain",
                "ofen.example",
                "--social-images",
            ])
            .args(["--cpu-limit", "1", "--progress", "json", "--jobs", "1", "--offline"])
            .current_dir(work.path())
            .output()
            .expect("the program starts");
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(code(&output), Some(2), "{format}: {stderr}");
        assert!(stderr.contains("more than 1 s of processor time") && stderr.contains("--cpu-limit"), "{stderr}");
        let stdout = String::from_utf8_lossy(&output.stdout);
        let last = stdout.lines().last().unwrap_or_default();
        assert!(last.contains("\"event\":\"failed\"") && last.contains("processor time"), "{last}");
        let left: Vec<_> = fs::read_dir(work.path().join("out")).expect("a folder").collect();
        assert!(left.is_empty(), "{format}: {left:?}");
    }
}

#[test]
fn a_source_that_does_not_exist() {
    let work = TempDir::new().expect("a temporary folder");
    let out = work.path().join("site.zip");
    let output = run(&["export", "/no/such/folder", "-o", &out.to_string_lossy()]);
    assert_ne!(code(&output), Some(0));
    assert!(String::from_utf8_lossy(&output.stderr).contains("/no/such/folder"));
    assert!(!out.exists());
}

#[test]
fn a_folder_of_somebody_else_is_not_touched() {
    let work = TempDir::new().expect("a temporary folder");
    fs::write(work.path().join("letter.txt"), "dear").expect("a file");
    let output =
        run(&["export", &fixture("plain").to_string_lossy(), "-o", &work.path().to_string_lossy(), "--format", "dir"]);
    assert_ne!(code(&output), Some(0));
    assert_eq!(fs::read_dir(work.path()).expect("a folder").count(), 1);
}

#[test]
fn an_earlier_export_is_replaced() {
    let work = TempDir::new().expect("a temporary folder");
    let out = work.path().join("site");
    for name in ["plain", "mint"] {
        let output =
            run(&["export", &fixture(name).to_string_lossy(), "-o", &out.to_string_lossy(), "--format", "dir"]);
        assert_eq!(code(&output), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    }
    assert!(out.join("introduction.html").exists() && !out.join("guide").exists());
}

#[test]
fn strict_tells_of_errors_in_the_content() {
    let work = TempDir::new().expect("a temporary folder");
    let out = work.path().join("site.zip");
    let source = fixture("hostile");
    for (args, expected) in [(&[][..], 0), (&["--strict"], 1)] {
        let output =
            offprint().arg("export").arg(&source).arg("-o").arg(&out).args(args).output().expect("the program starts");
        assert_eq!(code(&output), Some(expected), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
        fs::remove_file(&out).expect("the archive is complete all the same");
    }
}

#[test]
fn the_documentation_is_clean() {
    SiteTest::fixture("docs").arg("--strict").run();
}

#[test]
fn programs_read_standard_output_and_people_standard_error() {
    let work = TempDir::new().expect("a temporary folder");
    let out = work.path().join("site.zip").to_string_lossy().into_owned();
    let source = fixture("plain").to_string_lossy().into_owned();
    let json = run(&["export", &source, "-o", &out, "--progress", "json"]);
    let lines = String::from_utf8(json.stdout).expect("UTF-8");
    let events: Vec<serde_json::Value> =
        lines.lines().map(|line| serde_json::from_str(line).expect("one JSON object on each line")).collect();
    let last = events.last().expect("an event");
    assert_eq!((&last["event"], &last["exitCode"]), (&"done".into(), &0.into()), "{lines}");
    assert!(events.iter().any(|event| event["event"] == "stage"), "{lines}");
    assert!(events.iter().any(|event| event["event"] == "diagnostic" && event["line"].as_u64() > Some(0)), "{lines}");
    for how in ["plain", "auto", "none"] {
        let plain = run(&["export", &source, "-o", &out, "--progress", how]);
        assert!(plain.stdout.is_empty(), "{how}: {}", String::from_utf8_lossy(&plain.stdout));
        assert!(!plain.stderr.contains(&0x1b), "no colors when nobody looks");
    }
}

/// Answers that go to a full disk are lost, which has to show; a reader that has seen enough is no failure.
#[cfg(target_os = "linux")]
#[test]
fn an_answer_that_is_lost_is_a_failure() {
    use std::process::Stdio;

    let work = TempDir::new().expect("a temporary folder");
    let at = |name: &str| work.path().join(name).to_string_lossy().into_owned();
    let source = fixture("plain").to_string_lossy().into_owned();
    let bundle = at("site.zip");
    assert_eq!(code(&run(&["export", &source, "-o", &bundle])), Some(0));
    fs::create_dir(at("docs")).expect("a folder");
    fs::write(at("docs/index.md"), "# Start\n\n[nowhere](nowhere.md)\n").expect("a page");
    for args in [
        &["key"][..],
        &["key", "--json"],
        &["check", &bundle, "--format", "json"],
        &["check", &at("docs"), "--format", "github"],
        &["verify", &bundle],
        &["verify", &bundle, "--format", "json"],
        &["diff", &bundle, &bundle],
        &["diff", &bundle, &bundle, "--format", "json"],
        &["bench", "--pages", "3"],
        &["bench", "--pages", "3", "--json"],
        &["export", &source, "-o", &at("other.zip"), "--progress", "json"],
        &["export", "--help"],
    ] {
        let full = fs::File::options().write(true).open("/dev/full").expect("a full disk");
        let output = offprint().args(args).stdout(full).stderr(Stdio::piped()).output().expect("the program starts");
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(code(&output), Some(2), "{args:?}: {stderr}");
        assert!(
            args.contains(&"--help") || stderr.matches("cannot write to standard output: No space left").count() == 1,
            "{args:?}: {stderr}"
        );
        // the hash of a key that nobody has is of no use
        assert!(!stderr.contains("hash = "), "{stderr}");
        let mut child =
            offprint().args(args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program starts");
        drop(child.stdout.take());
        let gone = child.wait_with_output().expect("an end");
        let stderr = String::from_utf8_lossy(&gone.stderr).into_owned();
        let expect = if args.contains(&"github") { 1 } else { 0 };
        assert!(code(&gone) == Some(expect) && !stderr.contains("standard output"), "{args:?}: {stderr}");
    }
}

#[test]
fn programs_read_why_there_is_no_answer() {
    for args in [
        &["check", "nope", "-f", "json"][..],
        &["verify", "nope.zip", "-f", "json"],
        &["diff", "nope.zip", "nope.zip", "-f", "json"],
    ] {
        let output = run(args);
        let answer: serde_json::Value = serde_json::from_slice(&output.stdout).expect("one JSON object");
        assert!(
            answer["message"].as_str().is_some_and(|message| message.contains("nope")) && answer["exitCode"] == 2,
            "{args:?}: {answer}"
        );
        assert!(code(&output) == Some(2) && String::from_utf8_lossy(&output.stderr).contains("nope"), "{args:?}");
    }
}

#[test]
fn arguments_that_cannot_be_used_end_at_once() {
    let work = TempDir::new().expect("a temporary folder");
    let at = |name: &str| work.path().join(name).to_string_lossy().into_owned();
    let source = fixture("plain").to_string_lossy().into_owned();
    fs::create_dir(at("folder")).expect("a folder");
    fs::write(at("garbage"), "garbage").expect("a file");
    for (args, expect) in [
        (&["export", &source, "-o", &at("site.zip"), "--lock", &at("folder")][..], "cannot read the lock file `"),
        (&["export", &source, "-o", &at("site.zip"), "--lock", &at("garbage")], "garbage` cannot be used: "),
        (&["host", "--bundle", &at("folder")], "is a folder, an unpacked bundle: give the archive"),
        (&["host", "--bundle", &at("garbage"), "--threads", "0"], "a number of threads"),
    ] {
        let output = run(args);
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(code(&output) == Some(2) && stderr.contains(expect), "{args:?}: {stderr}");
    }
    assert!(!work.path().join("site.zip").exists());
    // one that is not there yet is made
    assert_eq!(code(&run(&["export", &source, "-o", &at("site.zip"), "--lock", &at("new.lock")])), Some(0));
    let output = offprint().args(["check", &source]).env("TMPDIR", at("none")).output().expect("the program starts");
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!cfg!(unix) || code(&output) == Some(2) && stderr.contains(&at("none")), "{stderr}");
    // refused once, not twice
    let output = run(&["host", "--listen", "127.0.0.1:0", "--bundle", &at("garbage")]);
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        code(&output) == Some(1) && stderr.matches("the bundle is refused: it is not a zip archive").count() == 1,
        "{stderr}"
    );
}

#[test]
fn a_failure_is_an_event_too() {
    let output = run(&["export", "/no/such/folder", "--progress", "json"]);
    let event: serde_json::Value = serde_json::from_slice(&output.stdout).expect("one JSON object");
    assert_eq!((&event["event"], &event["exitCode"]), (&"failed".into(), &2.into()));
}

#[test]
fn a_file_is_no_source_unless_it_is_the_configuration() {
    let work = TempDir::new().expect("a temporary folder");
    let at = |name: &str| work.path().join(name).to_string_lossy().into_owned();
    for (name, text) in [
        ("index.md", "# Start\n"),
        ("secret.md", "# Secret\n"),
        ("x.txt", "x"),
        ("acme.zip", "PK"),
        (
            "docs.json",
            r##"{"theme": "mint", "name": "N", "colors": {"primary": "#123456"}, "navigation": {"pages": ["index"]}}"##,
        ),
    ] {
        fs::write(work.path().join(name), text).expect("a file");
    }
    for (name, hint) in [("x.txt", "not a source"), ("index.md", "not a source"), ("acme.zip", "`archive_url`")] {
        for args in [&["export", &at(name), "-o", &at("site.zip")][..], &["dev", &at(name), "--port", "0"]] {
            let output = run(args);
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            assert!(code(&output) == Some(2) && said.contains(hint), "{args:?}: {said}");
        }
        assert!(!work.path().join("site.zip").exists());
    }
    assert_eq!(code(&run(&["check", &at("x.txt")])), Some(2));
    fs::write(work.path().join("other.json"), "{}").expect("a file");
    assert_eq!(code(&run(&["check", &at("other.json")])), Some(2));
    assert_eq!(code(&run(&["check", &at("docs.json")])), Some(0));
    let output =
        offprint().current_dir(work.path()).args(["export", "docs.json", "-o", "site.zip"]).output().expect("an end");
    assert_eq!(code(&output), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
}

/// A site with a configuration, an index page and a page that no entry names; what `keys` adds to the configuration and
/// `body` to the page.
fn small_site(keys: &str, body: &str) -> TempDir {
    let folder = TempDir::new().expect("a temporary folder");
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, text).expect("a file");
    };
    let keys = if keys.is_empty() {
        r##""theme": "mint", "colors": {"primary": "#000"}, "navigation": {"pages": ["index", "guides/install"]}"##
            .to_owned()
    } else {
        keys.to_owned()
    };
    write("docs.json", &format!("{{\"name\": \"N\", {keys}}}"));
    write("index.mdx", &format!("---\ntitle: Index\n---\n\n{body}\n"));
    write("guides/install.mdx", "---\ntitle: Install\n---\n\nText.\n");
    folder
}

/// What the author wrote and is not shown as meant fails a strict export and any check: (configuration, body, code,
/// part of the hint).
#[test]
fn mistakes_that_change_what_readers_see_are_errors() {
    let with = |key: &str| format!(r#"{key}, "navigation": {{"pages": ["index", "guides/install"]}}"#);
    let theme = |name: &str| with(&format!(r##""theme": "{name}", "colors": {{"primary": "#000"}}"##));
    let color = |value: &str| with(&format!(r#""theme": "mint", "colors": {{"primary": "{value}"}}"#));
    let entry = |name: &str| {
        format!(
            r##""theme": "mint", "colors": {{"primary": "#000"}}, "navigation": {{"pages": ["index", "guides/install", "{name}"]}}"##
        )
    };
    let none = String::new;
    for (keys, body, code, hint) in [
        (none(), "<Note>never closed", "mdx-unclosed-tag", "closing tag"),
        (none(), "Closed</Note> twice", "mdx-stray-close", "remove it"),
        (none(), "A { is never closed", "mdx-expression", "close it"),
        (none(), "<Nota>Text</Nota>", "unknown-component", "did you mean `Note`?"),
        (none(), "{nowhere}", "undefined-name", "import it"),
        (none(), "import X from '/snippets/x.mdx'\n\n<X />", "import-missing", "extension"),
        (entry("guides/instal"), "Text", "nav-missing-page", "did you mean `guides/install`?"),
        (entry("setup/install"), "Text", "nav-missing-page", "did you mean `guides/install`?"),
        (entry("nowhere"), "Text", "nav-missing-page", "create `nowhere.mdx`"),
        (theme("mintt"), "Text", "config-value", "did you mean `mint`?"),
        (color("16A34A"), "Text", "config-value", "did you mean `#16A34A`?"),
        (color("teal"), "Text", "config-value", "write `#008080`"),
        (color("rgb(1, 2, 3)"), "Text", "config-value", "write `#010203`"),
    ] {
        let site = small_site(&keys, body);
        let out = site.path().join("site.zip");
        let export = |strict: &[&str]| {
            offprint()
                .arg("export")
                .arg(site.path())
                .arg("-o")
                .arg(&out)
                .args(strict)
                .output()
                .expect("the program starts")
        };
        let strict = export(&["--strict"]);
        let stderr = String::from_utf8_lossy(&strict.stderr).into_owned();
        assert_eq!(self::code(&strict), Some(1), "{code}: {stderr}");
        assert!(stderr.contains(&format!("error[{code}]")) && stderr.contains(hint), "{code}: {stderr}");
        assert_eq!(self::code(&export(&[])), Some(0), "{code}");
        fs::remove_file(&out).expect("the archive");
        let checked = offprint().arg("check").arg(site.path()).output().expect("the program starts");
        let stderr = String::from_utf8_lossy(&checked.stderr).into_owned();
        assert_eq!(self::code(&checked), Some(1), "{code}: {stderr}");
        assert!(stderr.contains(&format!("error[{code}]")), "{code}: {stderr}");
    }
}

/// What a strict export lets pass, and why a check does not: the pages are there, and the text of the links too.
#[test]
fn broken_links_are_warnings_of_an_export_and_errors_of_a_check() {
    for (body, code) in
        [("[a](/nowhere)", "broken-link"), ("[a](#nowhere)", "broken-anchor"), ("![a](/nowhere.png)", "missing-file")]
    {
        let site = small_site("", body);
        let strict = offprint()
            .arg("export")
            .arg(site.path())
            .arg("-o")
            .arg(site.path().join("site.zip"))
            .arg("--strict")
            .output()
            .expect("the program starts");
        let stderr = String::from_utf8_lossy(&strict.stderr).into_owned();
        assert_eq!(self::code(&strict), Some(0), "{stderr}");
        assert!(stderr.contains(&format!("warning[{code}]")), "{stderr}");
        fs::remove_file(site.path().join("site.zip")).expect("the archive");
        let checked = offprint().arg("check").arg(site.path()).output().expect("the program starts");
        assert_eq!(self::code(&checked), Some(1));
    }
}
