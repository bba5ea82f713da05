//! Bundles that are carried over a gap: verified, signed, compared, and sent as a delta.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;
use tempfile::TempDir;

use crate::suite::site::offprint;

/// A folder with a site, in which commands run.
struct Desk(TempDir);

impl Desk {
    fn new() -> Self {
        let desk = Self(TempDir::with_prefix("offprint-desk-").expect("a temporary folder"));
        desk.put("docs/docs.json", r#"{"name":"Desk","navigation":{"pages":["index","guides/one","guides/two"]}}"#);
        desk.put("docs/index.mdx", "---\ntitle: Home\n---\n\nSee [one](/guides/one).");
        for (name, title) in [("one", "First guide"), ("two", "Second & last")] {
            desk.put(
                &format!("docs/guides/{name}.mdx"),
                &format!("---\ntitle: {title}\n---\n\n{}", "Some text of a guide.\n\n".repeat(30)),
            );
        }
        desk.put("docs/images/a.svg", "<svg xmlns=\"http://www.w3.org/2000/svg\"/>");
        desk
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    fn put(&self, name: &str, text: &str) {
        let path = self.path().join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, text).expect("a file");
    }

    fn bytes(&self, name: &str) -> Vec<u8> {
        fs::read(self.path().join(name)).expect("a file")
    }

    fn command(&self, arguments: &[&str]) -> Output {
        offprint()
            .current_dir(self.path())
            .env_remove("OFFPRINT_SIGN_PASSWORD")
            .args(arguments)
            .output()
            .expect("the program starts")
    }

    /// Runs a command, which has to end with this code; gives what it answered.
    #[track_caller]
    fn run(&self, code: i32, arguments: &[&str]) -> String {
        let output = self.command(arguments);
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {}{}", text(&output.stdout), text(&output.stderr));
        text(&output.stdout) + &text(&output.stderr)
    }

    #[track_caller]
    fn export(&self, arguments: &[&str]) {
        self.run(0, &[&["export", "docs", "--progress", "none"], arguments].concat());
    }

    /// Answers of `verify`: whether it is intact, and the codes of its problems.
    #[track_caller]
    fn verify(&self, arguments: &[&str]) -> (bool, Vec<String>) {
        let output = self.command(&[&["verify", "--format", "json"], arguments].concat());
        let answer: Value = serde_json::from_slice(&output.stdout).expect("an answer");
        let problems = answer["problems"].as_array().expect("problems").iter();
        let problems = problems.map(|problem| {
            format!("{} {}", problem["code"].as_str().unwrap_or(""), problem["file"].as_str().unwrap_or(""))
        });
        let intact = answer["intact"] == true;
        assert_eq!(output.status.code(), Some(i32::from(!intact)));
        (intact, problems.collect())
    }

    fn names(&self) -> Vec<String> {
        let mut names: Vec<_> = fs::read_dir(self.path())
            .expect("a folder")
            .map(|entry| entry.expect("an entry").file_name().into_string().expect("UTF-8"))
            .collect();
        names.sort();
        names
    }
}

/// The program itself; `sh tests/run` installs it.
fn minisign(folder: &Path, arguments: &[&str]) -> Output {
    Command::new("minisign")
        .current_dir(folder)
        .args(arguments)
        .output()
        .expect("minisign, a package of that name in Debian")
}

#[test]
fn what_is_exported_is_intact_as_archive_and_as_folder() {
    let desk = Desk::new();
    desk.export(&[
        "-o",
        "a.zip",
        "--domain",
        "docs.example.com",
        "--version",
        "v1",
        "--exported-at",
        "2026-11-20T10:00:00Z",
    ]);
    desk.export(&["-o", "a/"]);
    assert_eq!(desk.verify(&["a.zip"]), (true, vec![]));
    assert_eq!(desk.verify(&["a"]), (true, vec![]));
    let text = desk.run(0, &["verify", "a.zip"]);
    for words in [
        "a.zip is intact",
        "3 pages, domain docs.example.com, version v1",
        "made with offprint",
        "at 2026-11-20T10:00:00Z",
        "not signed",
    ] {
        assert!(text.contains(words), "{words}: {text}");
    }
    assert_eq!(desk.command(&["verify", "nothing.zip"]).status.code(), Some(2));
    assert_eq!(desk.command(&["verify", "a.zip", "--public-key", "nothing"]).status.code(), Some(2));
}

#[test]
fn every_change_of_a_folder_is_named() {
    let desk = Desk::new();
    desk.export(&["-o", "a/"]);
    let page = desk.path().join("a/guides/one.html");
    let text = fs::read_to_string(&page).expect("a page");
    fs::write(&page, text.replacen("Some", "sOME", 1)).expect("a page");
    fs::write(desk.path().join("a/index.html"), "short").expect("a page");
    fs::remove_file(desk.path().join("a/404.html")).expect("a page");
    desk.put("a/more.html", "x");
    assert_eq!(
        desk.verify(&["a"]),
        (
            false,
            ["missing 404.html", "digest guides/one.html", "size index.html", "unlisted more.html"]
                .map(Into::into)
                .to_vec()
        )
    );
    let text = desk.run(1, &["verify", "a"]);
    assert!(
        text.contains("a is NOT intact: 4 problems") && text.contains("more.html: is not in the manifest"),
        "{text}"
    );
    desk.put("a/_offprint/manifest.json", "{}");
    assert_eq!(desk.verify(&["a"]).1, ["manifest _offprint/manifest.json"]);
}

#[test]
fn signed_bundles_verify_here_and_with_minisign() {
    let desk = Desk::new();
    let output = minisign(desk.path(), &["-G", "-W", "-p", "a.pub", "-s", "a.key"]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    minisign(desk.path(), &["-G", "-W", "-p", "b.pub", "-s", "b.key"]);
    desk.export(&["-o", "a.zip", "--version", "v1", "--sign", "a.key"]);
    desk.export(&["-o", "a/", "--version", "v1", "--sign", "a.key"]);
    desk.export(&["-o", "again.zip", "--version", "v1", "--sign", "a.key"]);
    assert!(desk.bytes("a.zip") == desk.bytes("again.zip"), "signing is no matter of chance");
    for bundle in ["a.zip", "a"] {
        assert_eq!(desk.verify(&[bundle, "--public-key", "a.pub"]), (true, vec![]));
        assert_eq!(desk.verify(&[bundle]), (true, vec![]));
        assert_eq!(
            desk.verify(&[bundle, "--public-key", "b.pub"]),
            (false, vec!["signature _offprint/manifest.json.minisig".into()])
        );
        let text = desk.run(1, &["verify", bundle, "--public-key", "b.pub"]);
        assert!(text.contains("signed with another key") && !text.contains("not valid"), "{text}");
    }
    let key = String::from_utf8(desk.bytes("a.pub")).expect("UTF-8");
    let key = key.lines().nth(1).expect("a key");
    let text = desk.run(0, &["verify", "a.zip", "-p", key]);
    assert!(text.contains("signed by the key") && text.contains("version:v1 manifest-sha256:"), "{text}");

    // the program that everybody has
    let verified = minisign(desk.path(), &["-V", "-m", "a/_offprint/manifest.json", "-p", "a.pub"]);
    assert!(verified.status.success(), "{}", String::from_utf8_lossy(&verified.stderr));
    assert!(String::from_utf8_lossy(&verified.stdout).contains("Trusted comment: offprint bundle version:v1"));
    let foreign = minisign(desk.path(), &["-V", "-m", "a/_offprint/manifest.json", "-p", "b.pub"]);
    assert!(!foreign.status.success());

    // and what it signs is accepted here
    fs::remove_file(desk.path().join("a/_offprint/manifest.json.minisig")).expect("a signature");
    assert_eq!(desk.verify(&["a", "-p", "a.pub"]).1, ["unsigned _offprint/manifest.json.minisig"]);
    let signed = minisign(desk.path(), &["-S", "-s", "a.key", "-m", "a/_offprint/manifest.json"]);
    assert!(signed.status.success());
    assert_eq!(desk.verify(&["a", "-p", "a.pub"]), (true, vec![]));

    // a changed manifest is not what was signed
    let manifest = String::from_utf8(desk.bytes("a/_offprint/manifest.json")).expect("UTF-8");
    desk.put("a/_offprint/manifest.json", &manifest.replace("\"v1\"", "\"v0\""));
    assert_eq!(desk.verify(&["a", "-p", "a.pub"]).1, ["signature _offprint/manifest.json.minisig"]);
    let text = desk.run(1, &["verify", "a", "-p", "a.pub"]);
    assert!(text.contains("its signature is not valid"), "{text}");
}

#[test]
fn what_is_no_bundle_is_named() {
    let desk = Desk::new();
    desk.export(&["-o", "a.zip"]);
    let whole = desk.bytes("a.zip");
    fs::write(desk.path().join("half.zip"), &whole[..whole.len() / 2]).expect("a part");
    fs::write(desk.path().join("more.zip"), [&whole[..], b"x"].concat()).expect("more");
    for (arguments, code, expect) in [
        (&["check", "half.zip"][..], 2, "error: `half.zip` is not a zip archive, or is incomplete\n"),
        (&["check", "more.zip"], 2, "error: `more.zip` has a comment, or data after its end\n"),
        (&["diff", "half.zip", "a.zip"], 2, "error: `half.zip` is not a zip archive, or is incomplete\n"),
        (&["diff", "none.zip", "a.zip"], 2, "error: cannot read `none.zip`: "),
        (
            &["verify", "more.zip"],
            1,
            "more.zip has a comment, or data after its end\nmore.zip is NOT intact: 1 problem\n",
        ),
    ] {
        let text = desk.run(code, arguments);
        // a name once, and no word of a signature that nobody has seen
        assert!(
            text.starts_with(expect) && !text.contains("not signed") && text.matches("none.zip").count() < 2,
            "{arguments:?}: {text}"
        );
    }
    desk.put("docs/index.mdx", "---\ntitle: Home\n---\n\nOther words.");
    desk.export(&["-o", "delta.zip", "--delta-from", "a.zip"]);
    let text = desk.run(2, &["check", "delta.zip"]);
    assert!(text.starts_with("error: `delta.zip` is a delta") && text.lines().count() == 1, "{text}");
}

#[test]
fn keys_with_passwords() {
    let desk = Desk::new();
    let pair = ::minisign::KeyPair::generate_encrypted_keypair(Some("secret".to_owned())).expect("a pair of keys");
    desk.put("a.key", &pair.sk.to_box(None).expect("a key").into_string());
    desk.put("a.pub", &pair.pk.to_box().expect("a key").into_string());
    let export = |password: &str| {
        let command = ["export", "docs", "-o", "a.zip", "--sign", "a.key"];
        offprint()
            .current_dir(desk.path())
            .env("OFFPRINT_SIGN_PASSWORD", password)
            .args(command)
            .output()
            .expect("the program starts")
    };
    let refused = export("wrong");
    assert_eq!(refused.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("the password is wrong"));
    assert_eq!(desk.names(), ["a.key", "a.pub", "docs"]);
    assert_eq!(export("secret").status.code(), Some(0));
    assert_eq!(desk.verify(&["a.zip", "-p", "a.pub"]), (true, vec![]));
    desk.run(2, &["export", "docs", "-o", "a.zip", "--sign", "docs/docs.json"]);
}

#[test]
fn differences_are_named_by_page() {
    let desk = Desk::new();
    desk.export(&["-o", "a.zip"]);
    assert_eq!(desk.run(0, &["diff", "a.zip", "a.zip"]), "the same files\n");
    desk.put("docs/docs.json", r##"{"name":"Desk","colors":{"primary":"#123456"},"navigation":{"pages":["index","guides/one","guides/three"]}}"##);
    desk.put("docs/guides/three.mdx", "---\ntitle: Third guide\n---\n\nNew.");
    desk.put("docs/guides/one.mdx", "---\ntitle: First guide\n---\n\nOther text.");
    fs::remove_file(desk.path().join("docs/guides/two.mdx")).expect("a page");
    desk.export(&["-o", "b.zip"]);
    desk.export(&["-o", "b/"]);
    let output = desk.command(&["diff", "a.zip", "b.zip", "--format", "json"]);
    assert_eq!(output.status.code(), Some(1));
    let answer: Value = serde_json::from_slice(&output.stdout).expect("an answer");
    let files = |list: &Value| {
        list.as_array()
            .expect("a list")
            .iter()
            .map(|page| page["file"].as_str().expect("a file").to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(
        (files(&answer["pages"]["added"]), files(&answer["pages"]["removed"])),
        (vec!["guides/three.html".into()], vec!["guides/two.html".into()])
    );
    assert!(files(&answer["pages"]["changed"]).contains(&"guides/one.html".to_owned()), "{answer}");
    assert!(
        answer["pages"]["removed"][0]["title"].as_str().is_some_and(|title| title.starts_with("Second & last")),
        "{answer}"
    );
    let text = desk.run(1, &["diff", "a.zip", "b"]);
    assert!(text.contains("pages: 1 added") && text.contains("+ guides/three.html (Third guide"), "{text}");
    desk.put("b/index.html", "x");
    assert!(desk.run(2, &["diff", "a.zip", "b"]).contains("holds other files than its manifest lists"));
    desk.run(2, &["diff", "a.zip", "nothing.zip"]);
}

#[test]
fn a_change_of_the_theme_alone_is_no_change_of_pages() {
    let desk = Desk::new();
    desk.export(&["-o", "a.zip"]);
    desk.put(
        "docs/docs.json",
        r##"{"name":"Desk","fonts":{"family":"Geist"},"navigation":{"pages":["index","guides/one","guides/two"]}}"##,
    );
    desk.export(&["-o", "b.zip"]);
    let answer: Value = serde_json::from_slice(&desk.command(&["diff", "a.zip", "b.zip", "--format", "json"]).stdout)
        .expect("an answer");
    let names = answer["onlySharedNames"].as_array().expect("a list");
    assert!(names.contains(&"guides/one.html".into()), "{answer}");
    assert_eq!(answer["pages"]["added"].as_array().map(Vec::len), Some(0), "{answer}");
}

#[test]
fn a_delta_makes_the_same_bundle() {
    let desk = Desk::new();
    let pair = ::minisign::KeyPair::generate_unencrypted_keypair().expect("a pair of keys");
    desk.put("a.key", &pair.sk.to_box(None).expect("a key").into_string());
    desk.put("a.pub", &pair.pk.to_box().expect("a key").into_string());
    desk.export(&["-o", "a.zip", "--version", "v1"]);
    desk.put("docs/guides/one.mdx", "---\ntitle: First guide\n---\n\nOther text.");
    desk.put("docs/guides/zero.mdx", "---\ntitle: Zero\n---\n\nNew text.");
    fs::remove_file(desk.path().join("docs/images/a.svg")).expect("a drawing");
    desk.export(&["-o", "b.zip", "--version", "v2", "--sign", "a.key"]);
    desk.export(&["-o", "delta.zip", "--version", "v2", "--sign", "a.key", "--delta-from", "a.zip"]);
    let (a, b) = (desk.bytes("a.zip"), desk.bytes("b.zip"));
    assert!(desk.bytes("delta.zip").len() < b.len() / 2, "{} of {}", desk.bytes("delta.zip").len(), b.len());
    let before = desk.names();
    let text = desk.run(0, &["apply", "a.zip", "delta.zip", "-o", "made.zip", "--public-key", "a.pub"]);
    assert!(text.contains("version v2") && text.contains("sha256 "), "{text}");
    assert!(desk.bytes("made.zip") == b, "byte for byte");
    assert_eq!(desk.verify(&["made.zip", "-p", "a.pub"]), (true, vec![]));

    // a delta is no bundle
    assert_eq!(desk.verify(&["delta.zip"]).1, ["delta "]);
    // in place
    fs::copy(desk.path().join("a.zip"), desk.path().join("made.zip")).expect("a copy");
    desk.run(0, &["apply", "made.zip", "delta.zip", "-o", "made.zip"]);
    assert!(desk.bytes("made.zip") == b);
    fs::remove_file(desk.path().join("made.zip")).expect("a bundle");

    // wrong bundle, no delta, wrong key, damaged delta, output that is no bundle: nothing is written
    let mut damaged = desk.bytes("delta.zip");
    damaged[60] ^= 1;
    fs::write(desk.path().join("damaged.zip"), damaged).expect("a delta");
    let other = ::minisign::KeyPair::generate_unencrypted_keypair().expect("a pair of keys");
    let other = other.pk.to_base64();
    for (arguments, expect) in [
        (&["b.zip", "delta.zip", "-o", "made.zip"][..], "is not the bundle that the delta was made from (version v1)"),
        (&["a.zip", "b.zip", "-o", "made.zip"], "is not a delta"),
        (&["a.zip", "damaged.zip", "-o", "made.zip"], ""),
        (&["a.zip", "delta.zip", "-o", "made.zip", "-p", &other], "the result is refused"),
        (&["a.zip", "delta.zip", "-o", "a.key"], "is a file, but not a bundle"),
        (&["a.zip", "delta.zip", "-o", "delta.zip"], "would replace the source"),
    ] {
        let text = desk.run(2, &[&["apply"], arguments].concat());
        assert!(text.contains(expect), "{expect}: {text}");
    }
    fs::remove_file(desk.path().join("damaged.zip")).expect("a delta");
    assert_eq!(desk.names(), before);
    assert!(desk.bytes("a.zip") == a);

    for (arguments, expect) in [
        (&["-o", "a.zip", "--delta-from", "a.zip"][..], "would replace"),
        (&["-o", "out/", "--delta-from", "a.zip"], "not a folder"),
        (&["-o", "new.zip", "--delta-from", "delta.zip"], "is a delta"),
        (&["-o", "new.zip", "--delta-from", "a.key"], "is not a zip archive"),
        (&["-o", "new.zip", "--delta-from", "nothing.zip"], "nothing.zip"),
    ] {
        let text = desk.run(2, &[&["export", "docs", "--progress", "none"], arguments].concat());
        assert!(text.contains(expect), "{expect}: {text}");
    }
    assert_eq!(desk.names(), before);
}

#[test]
fn the_manifest_names_the_commit() {
    let desk = Desk::new();
    let git = |arguments: &[&str]| {
        let mut command = Command::new("git");
        command.current_dir(desk.path()).env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_NOSYSTEM", "1");
        let output = command
            .args(["-c", "user.name=a", "-c", "user.email=a@example.com"])
            .args(arguments)
            .output()
            .expect("git");
        assert!(output.status.success(), "{arguments:?}");
        String::from_utf8(output.stdout).expect("UTF-8").trim().to_owned()
    };
    git(&["init", "-q"]);
    git(&["add", "docs"]);
    git(&["commit", "-q", "-m", "x"]);
    // what a repository configures must not come to life
    git(&["config", "core.fsmonitor", "touch hooked; false"]);
    git(&["config", "core.hooksPath", "."]);
    let source = |dirty: bool| serde_json::json!({ "commit": git(&["rev-parse", "HEAD"]), "dirty": dirty });
    let exported = || {
        desk.export(&["-o", "a/"]);
        serde_json::from_slice::<Value>(&desk.bytes("a/_offprint/manifest.json")).expect("JSON")
    };
    let manifest = exported();
    assert_eq!(manifest["source"], source(false));
    assert_eq!(manifest["tool"], serde_json::json!({ "name": "offprint", "version": env!("CARGO_PKG_VERSION") }));
    assert_eq!(
        manifest["options"],
        serde_json::json!({ "paths": [], "includeJs": false, "highlight": true, "socialImages": false, "optimizePng": false })
    );
    desk.put("docs/index.mdx", "---\ntitle: Home\n---\n\nChanged.");
    assert_eq!(exported()["source"], source(true));
    assert!(!desk.path().join("hooked").exists() && !desk.path().join("docs/hooked").exists());
}
