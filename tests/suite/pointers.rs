//! Files that stand for others: pointers of Git LFS and git-annex, symbolic links.

use super::site::{SiteTest, offprint};

const POINTER: &str = "version https://git-lfs.github.com/spec/v1\noid sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef\nsize 52117\n";

fn clone_without_large_files() -> SiteTest {
    let config = r##"{"theme": "mint", "name": "T", "colors": {"primary": "#0F766E"}, "navigation": {"pages": ["index", "ash"]}}"##;
    SiteTest::inline("")
        .file("docs.json", config)
        .file("index.mdx", "---\ntitle: Start\n---\n\n![Glow](/images/glow.png) [Plan](/plan.pdf)\n")
        .file("ash.mdx", POINTER)
        .file("images/glow.png", POINTER)
        .file("plan.pdf", POINTER.replace('\n', "\r\n"))
        .file("film.mp4", "/annex/objects/SHA256E-s52117--0123.mp4\n")
        .file("text.woff2", POINTER)
        .file("ofen.css", POINTER)
        .file("api/openapi.yaml", POINTER)
        .file("about.txt", "Words about a pointer: version https://git-lfs.github.com/spec/v1\noid sha256:01\n")
}

#[test]
fn pointers_of_every_kind_of_file_are_named() {
    let named = ["ash.mdx", "images/glow.png", "plan.pdf", "film.mp4", "text.woff2", "ofen.css", "api/openapi.yaml"];
    let site = named.iter().fold(clone_without_large_files(), |site, path| site.diagnostic("lfs-pointer", path)).run();
    for command in ["run `git lfs pull` in the repository", "run `git annex get .` in the repository"] {
        assert!(site.stderr.contains(command), "{}", site.stderr);
    }
}

#[test]
fn a_check_fails_on_a_pointer() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("index.md"), "# Start\n\n![Glow](glow.png)\n").expect("a file");
    std::fs::write(folder.path().join("glow.png"), POINTER).expect("a file");
    let ended = offprint().arg("check").arg(folder.path()).output().expect("a check");
    let said = String::from_utf8_lossy(&ended.stderr).into_owned() + &String::from_utf8_lossy(&ended.stdout);
    assert_eq!(ended.status.code(), Some(1), "{said}");
    assert!(said.contains("lfs-pointer") && said.contains("git lfs pull"), "{said}");
}

#[cfg(unix)]
#[test]
fn a_link_to_a_folder_stands_for_its_files() {
    use std::os::unix::fs::symlink;

    let folder = tempfile::tempdir().expect("a folder");
    let write = |path: &str, text: &str| {
        let path = folder.path().join(path);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        std::fs::write(path, text).expect("a file");
    };
    write("index.md", "# Start\n\n[now](latest/glow.md) ![A](pictures/a.png)\n");
    write("v2/glow.md", "# Glow\n\nWords.\n");
    write("drawings/a.png", "no picture");
    symlink("v2", folder.path().join("latest")).expect("a link");
    symlink("drawings", folder.path().join("pictures")).expect("a link");
    symlink("..", folder.path().join("v2/up")).expect("a link");
    let site = super::site::Exported::of(folder.path(), &[]);
    assert_eq!(site.code, 0, "{}", site.stderr);
    for path in ["v2/glow.html", "latest/glow.html", "pictures/a.png"] {
        assert!(site.files.contains_key(path), "{path} of {:?}", site.files.keys());
    }
    let found: Vec<_> = site.diagnostics.iter().map(|found| (found.code.as_str(), found.file.as_str())).collect();
    assert_eq!(found, [("not-a-file", "v2/up")]);
    assert!(site.diagnostics[0].message.contains("a folder that it is in itself"), "{}", site.diagnostics[0].message);
}

#[test]
fn a_link_that_was_checked_out_as_a_text_is_named() {
    SiteTest::inline("")
        .file("index.md", "# Start\n")
        .file("v2/glow.md", "# Glow\n")
        .file("latest", "v2")
        .file("notes", "v2 and other words")
        .diagnostic("not-a-file", "latest")
        .run();
}

#[test]
fn documents_that_are_not_read_are_counted_once() {
    let site = SiteTest::inline("")
        .file("index.md", "# Start\n")
        .file("a.rst", "Title\n=====\n")
        .file("guide/b.RST", "Title\n=====\n")
        .file("guide/c.adoc", "= T\n")
        .file("guide/d.qmd", "# q\n")
        .file("e.ipynb", "{}")
        .file("README.rst", "About\n=====\n")
        .diagnostic("unread-documents", "a.rst")
        .run();
    let message = &site.diagnostics[0].message;
    assert_eq!(message, "5 documents are in formats that are not read: 2 `.rst`, 1 `.adoc`, 1 `.ipynb`, 1 `.qmd`");
}
