//! The program as people and programs use it: arguments, exit codes, what goes to which stream, what is left on disk.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::sync::atomic::AtomicBool;

use offprint::export::bench::site::BenchPlan;
use serde_json::Value;

fn offprint(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_offprint"));
    command.args(arguments).current_dir(folder).stdin(Stdio::null());
    command
}

fn run(folder: &Path, arguments: &[&str]) -> Output {
    offprint(folder, arguments).output().unwrap()
}

fn stdout(output: &Output) -> &str {
    std::str::from_utf8(&output.stdout).unwrap()
}

fn stderr(output: &Output) -> &str {
    std::str::from_utf8(&output.stderr).unwrap()
}

/// The lines of `--progress json`.
fn events(output: &Output) -> Vec<Value> {
    stdout(output).lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn names_in(folder: &Path) -> Vec<String> {
    let mut names: Vec<_> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// A folder with a site of three pages in `docs`.
fn site() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let docs = folder.path().join("docs");
    fs::create_dir_all(docs.join("guides")).unwrap();
    let config = r##"{"theme": "mint", "name": "Test", "colors": {"primary": "#123456"}, "navigation": {"pages": ["index", "guides/start", "guides/next"]}}"##;
    fs::write(docs.join("docs.json"), config).unwrap();
    fs::write(docs.join("index.mdx"), "---\ntitle: Home\n---\n\nSee [start](/guides/start).\n").unwrap();
    fs::write(docs.join("guides/start.mdx"), "---\ntitle: Start\n---\n\n# One\n\nText.\n").unwrap();
    fs::write(docs.join("guides/next.mdx"), "---\ntitle: Next\n---\n\nSee [nothing](/nope/page).\n").unwrap();
    folder
}

/// Exits with 2, says why, writes nothing.
#[track_caller]
fn refuses(arguments: &[&str], expect: &str) {
    let folder = site();
    fs::write(folder.path().join("notes.txt"), "precious").unwrap();
    let output = run(folder.path(), arguments);
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    assert!(stderr(&output).contains(expect), "{}", stderr(&output));
    assert_eq!(stdout(&output), "");
    assert_eq!(names_in(folder.path()), ["docs", "notes.txt"]);
}

#[test]
fn usage_errors_exit_with_2() {
    refuses(&[], "offprint <COMMAND>");
    refuses(&["publish"], "unrecognized subcommand");
    refuses(
        &["export", "docs", "--domain", "https://docs.example.com/"],
        "a host name without `https://`, such as `docs.example.com`",
    );
    refuses(&["export", "docs", "--domain", "docs.example.com:443"], "without a port");
    refuses(&["export", "docs", "--version", "a b"], "letters, digits");
    refuses(&["export", "docs", "--jobs", "0"], "a number of threads");
    refuses(&["export", "docs", "--paths", "a[b"], "not a pattern");
    refuses(&["export", "docs", "--format", "tar"], "possible values: zip, dir");
    refuses(&["bench", "--pages", "0"], "0 is not in 1..=1000000");
}

#[test]
fn unusable_sources_and_outputs_exit_with_2() {
    refuses(&["export", "nothing"], "cannot read the source `nothing`");
    refuses(&["export", "docs", "-o", "docs"], "would replace the source");
    refuses(&["export", "docs", "-o", "notes.txt"], "not a bundle");
    refuses(&["export", "docs", "-o", "notes.txt", "--format", "dir"], "is not a folder");
    refuses(&["export", "docs", "-o", ".", "--format", "dir"], "would replace the source");
    let folder = site();
    let early = run(folder.path(), &["export", "docs", "-o", "docs", "--progress", "plain"]);
    assert!(
        early.status.code() == Some(2) && !stderr(&early).contains("Reading"),
        "nothing is read before: {}",
        stderr(&early)
    );
}

#[test]
fn help_and_version_are_answers() {
    let folder = tempfile::tempdir().unwrap();
    let version = run(folder.path(), &["-V"]);
    assert_eq!(
        (stdout(&version).trim(), version.status.code()),
        (concat!("offprint ", env!("CARGO_PKG_VERSION")), Some(0))
    );
    let help = run(folder.path(), &["export", "--help"]);
    assert!(help.status.success() && stderr(&help).is_empty());
    for part in ["Examples:", "Exit codes:", "--include-js", "--export-version <LABEL>", "\"event\":\"progress\""] {
        assert!(stdout(&help).contains(part), "{part}");
    }
    let overview = run(folder.path(), &["--help"]);
    let commands = stdout(&overview).lines().skip_while(|line| *line != "Commands:").skip(1);
    let names = commands.take_while(|line| !line.is_empty()).filter_map(|line| line.split_whitespace().next());
    let names: Vec<&str> = names.collect();
    assert!(names.contains(&"export") && names.contains(&"migrate"), "{names:?}");
    for name in names.into_iter().filter(|name| *name != "help") {
        let help = run(folder.path(), &[name, "--help"]);
        let longest = stdout(&help).lines().max_by_key(|line| line.chars().count()).unwrap_or_default();
        assert!((1..=110).contains(&longest.chars().count()), "{name}: {longest}");
    }
}

#[test]
fn an_export_writes_an_archive_named_after_its_source() {
    let folder = site();
    let output = run(folder.path(), &["export", "docs", "--version", "v2", "--domain", "Docs.Example.com"]);
    assert!(output.status.success(), "{}", stderr(&output));
    assert_eq!(stdout(&output), "");
    assert!(
        stderr(&output).contains("Exported 3 pages to docs.zip in ") && !stderr(&output).contains('\u{1b}'),
        "{}",
        stderr(&output)
    );
    assert_eq!(names_in(folder.path()), ["docs", "docs.zip"]);
    let mut archive = zip::ZipArchive::new(fs::File::open(folder.path().join("docs.zip")).unwrap()).unwrap();
    let manifest: Value = serde_json::from_reader(archive.by_name("_offprint/manifest.json").unwrap()).unwrap();
    assert_eq!(
        (&manifest["version"], &manifest["domain"], &manifest["pageCount"]),
        (&"v2".into(), &"docs.example.com".into(), &3.into())
    );
    assert!(manifest["files"]["guides/start.html"]["size"].as_u64().is_some_and(|size| size > 0));
}

#[test]
fn the_configuration_file_stands_for_its_folder() {
    let folder = site();
    let output = run(folder.path(), &["export", "docs/docs.json", "-o", "a.zip", "--progress", "none"]);
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(run(folder.path(), &["export", "docs", "-o", "b.zip"]).status.success());
    assert!(fs::read(folder.path().join("a.zip")).unwrap() == fs::read(folder.path().join("b.zip")).unwrap());
}

#[test]
fn exports_are_the_same_for_any_number_of_threads() {
    let folder = site();
    for jobs in ["1", "2", "8"] {
        assert!(run(folder.path(), &["export", "docs", "-o", &format!("{jobs}.zip"), "--jobs", jobs]).status.success());
    }
    let bytes = |jobs: &str| fs::read(folder.path().join(format!("{jobs}.zip"))).unwrap();
    assert!(bytes("1") == bytes("2") && bytes("2") == bytes("8"));
}

#[test]
fn an_output_inside_the_source_is_not_exported_again() {
    let folder = site();
    let docs = folder.path().join("docs");
    let export = |output: &str| {
        let output = run(&docs, &["export", ".", "-o", output]);
        assert!(output.status.success(), "{}", stderr(&output));
    };
    export("site/");
    let first = fs::read(docs.join("site/_offprint/manifest.json")).unwrap();
    export("site.zip");
    export("site/");
    assert!(first == fs::read(docs.join("site/_offprint/manifest.json")).unwrap());
}

#[test]
fn programs_get_events_and_people_nothing() {
    let folder = site();
    let output = run(folder.path(), &["export", "docs", "--progress", "json"]);
    assert!(output.status.success() && stderr(&output).is_empty(), "{}", stderr(&output));
    let events = events(&output);
    let named = |name: &str| events.iter().filter(|event| event["event"] == name).collect::<Vec<_>>();
    assert!(!named("stage").is_empty());
    let last = named("progress").last().copied().unwrap();
    assert_eq!((&last["done"], &last["total"]), (&3.into(), &3.into()));
    let done = events.last().unwrap();
    assert_eq!(
        (&done["event"], &done["pages"], &done["output"], &done["exitCode"]),
        (&"done".into(), &3.into(), &"docs.zip".into(), &0.into())
    );
    let link = named("diagnostic").into_iter().find(|event| event["file"] == "guides/next.mdx").unwrap();
    assert_eq!(link["line"], 5);
}

#[test]
fn failures_are_events_too() {
    let folder = site();
    let output = run(folder.path(), &["export", "nothing", "--progress", "json"]);
    let [event] = &events(&output)[..] else { panic!("{}", stdout(&output)) };
    assert_eq!((&event["event"], &event["exitCode"], output.status.code()), (&"failed".into(), &2.into(), Some(2)));
}

#[test]
fn strict_exports_fail_if_the_content_has_errors() {
    let folder = site();
    fs::write(folder.path().join("docs/guides/start.mdx"), "---\ntitle: [unclosed\n---\n\n<Card title={>\n").unwrap();
    let output = run(folder.path(), &["export", "docs", "--strict", "--progress", "json"]);
    let has_errors = events(&output).iter().any(|event| event["severity"] == "error");
    assert_eq!(output.status.code(), Some(i32::from(has_errors)), "{}", stdout(&output));
    assert!(run(folder.path(), &["export", "docs"]).status.success());
    assert_eq!(names_in(folder.path()), ["docs", "docs.zip"]);
}

#[test]
fn people_see_the_line_that_is_wrong() {
    let folder = site();
    let output = run(folder.path(), &["export", "docs"]);
    assert!(
        stderr(&output).contains("--> guides/next.mdx:5:")
            && stderr(&output).contains("5 | See [nothing](/nope/page)."),
        "{}",
        stderr(&output)
    );
}

#[test]
fn the_report_has_everything() {
    let folder = site();
    assert!(run(folder.path(), &["export", "docs", "--report", "report.json", "--progress", "none"]).status.success());
    let report: Value = serde_json::from_slice(&fs::read(folder.path().join("report.json")).unwrap()).unwrap();
    assert_eq!((&report["pages"], &report["output"], &report["exitCode"]), (&3.into(), &"docs.zip".into(), &0.into()));
    assert_eq!(report["bundleBytes"].as_u64(), Some(fs::metadata(folder.path().join("docs.zip")).unwrap().len()));
    assert!(report["stages"].as_array().is_some_and(|stages| !stages.is_empty()));
    assert!(
        report["diagnostics"].as_array().is_some_and(|found| found.iter().any(|one| one["file"] == "guides/next.mdx"))
    );
}

#[test]
fn a_report_replaces_nothing_but_a_report() {
    let folder = site();
    let export =
        |place: &str| run(folder.path(), &["export", "docs", "-o", "out/", "--progress", "none", "--report", place]);
    fs::write(folder.path().join("notes.json"), "{}").unwrap();
    for (place, why) in [
        ("no/such/folder.json", "there is no such folder"),
        ("docs/docs.json", "is another file"),
        ("notes.json", "is another file"),
        ("docs", "is a folder"),
    ] {
        let failed = export(place);
        assert!(failed.status.code() == Some(2) && stderr(&failed).contains(why), "{place}: {}", stderr(&failed));
        assert!(!folder.path().join("out").exists(), "{place}");
    }
    assert_eq!(fs::read(folder.path().join("notes.json")).unwrap(), b"{}");
    for _ in 0..2 {
        assert!(export("report.json").status.success());
    }
    assert!(stderr(&export("out/report.json")).contains("would lie in the bundle"));
    if cfg!(unix) {
        assert!(export("/dev/stdout").stdout.starts_with(b"{"));
    }
}

#[cfg(unix)]
#[test]
fn a_canceled_export_leaves_nothing() {
    let folder = tempfile::tempdir().unwrap();
    offprint::export::bench::site::generate_site(
        &folder.path().join("docs"),
        BenchPlan::new(3000, 1),
        &AtomicBool::new(false),
    )
    .unwrap();
    for output in ["site.zip", "site/"] {
        let mut child = offprint(folder.path(), &["export", "docs", "-o", output, "--progress", "json"])
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut events = BufReader::new(child.stdout.take().unwrap()).lines();
        assert!(events.next().is_some());
        assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
        let last: Value = serde_json::from_str(&events.map_while(Result::ok).last().unwrap()).unwrap();
        assert_eq!((&last["event"], &last["exitCode"]), (&"failed".into(), &130.into()));
        assert_eq!(child.wait().unwrap().code(), Some(130));
        assert_eq!(names_in(folder.path()), ["docs"]);
    }
}

#[test]
fn the_bench_prints_figures() {
    let folder = tempfile::tempdir().unwrap();
    let output = run(folder.path(), &["bench", "--pages", "20,40", "--json", "--no-highlight", "--keep", "kept"]);
    assert!(output.status.success(), "{}", stderr(&output));
    let printed: Value = serde_json::from_slice(&output.stdout).unwrap();
    // a home page and a page for the group come on top
    assert_eq!((&printed["runs"][0]["pages"], &printed["runs"][1]["pages"]), (&22.into(), &42.into()));
    assert_eq!((&printed["highlight"], &printed["runs"][1]["problems"]), (&false.into(), &0.into()));
    assert!(
        printed["growth"]["exponent"].is_number()
            && printed["runs"][0]["htmlBytes"].as_u64() > printed["runs"][0]["sourceBytes"].as_u64()
    );
    assert!(
        folder.path().join("kept/40-pages/bundle.zip").is_file()
            && folder.path().join("kept/20-pages/source/docs.json").is_file()
    );
    let text = run(folder.path(), &["bench", "--pages", "20"]);
    let stdout = String::from_utf8_lossy(&text.stdout);
    assert!(
        text.status.success() && stdout.contains(" a second, ") && stdout.contains("peak memory"),
        "{stdout}{}",
        stderr(&text)
    );
}

/// What the comparison with other programs builds: equal words, in the files of each.
#[test]
fn the_bench_writes_its_site_for_other_programs() {
    let folder = tempfile::tempdir().unwrap();
    for (layout, page) in [
        ("offprint", "group-00/section-000/page-01.mdx"),
        ("hugo", "content/group-00/section-000/page-01.md"),
        ("zola", "content/group-00/section-000/page-01.md"),
        ("mdbook", "src/group-00/section-000/page-01.md"),
        ("vitepress", "docs/group-00/section-000/page-01.md"),
    ] {
        let output = run(folder.path(), &["bench", "--pages", "220", "--source-for", layout, "--keep", layout]);
        assert!(output.status.success(), "{}", stderr(&output));
        assert!(stderr(&output).contains("223 pages"), "{}", stderr(&output));
        let text = fs::read_to_string(folder.path().join(layout).join(page)).unwrap();
        // the words begin after the front matter and the title, and links are the only other difference
        let words = |text: &str| {
            text[text.find("\n## ").unwrap()..]
                .split('(')
                .map(|part| part.rsplit(')').next().unwrap_or_default().to_owned())
                .collect::<String>()
        };
        let ours = fs::read_to_string(folder.path().join("offprint/group-00/section-000/page-01.mdx")).unwrap();
        assert_eq!(words(&text), words(&ours), "{layout}");
    }
    // links and pictures of a layout that this program reads too lead somewhere
    let checked = run(folder.path(), &["check", "mdbook/src"]);
    assert!(checked.status.success() && stderr(&checked).contains("0 errors, 0 warnings"), "{}", stderr(&checked));
    let several = run(folder.path(), &["bench", "--pages", "20,40", "--source-for", "zola", "--keep", "x"]);
    assert!(several.status.code() == Some(2) && stderr(&several).contains("one size"), "{}", stderr(&several));
    assert_eq!(run(folder.path(), &["bench", "--source-for", "zola"]).status.code(), Some(2));
}
