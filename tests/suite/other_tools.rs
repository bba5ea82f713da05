//! Repositories of other documentation tools: which tool they are recognized as, and what becomes of them.

use std::fs;
use std::path::Path;

use super::site::{SiteTest, offprint};

/// Writes files into a folder.
fn write(folder: &Path, files: &[(&str, &str)]) {
    for (path, text) in files {
        fs::create_dir_all(folder.join(path).parent().unwrap()).unwrap();
        fs::write(folder.join(path), text).unwrap();
    }
}

/// What an export says on standard error, and its exit code.
fn export(source: &Path, arguments: &[&str]) -> (String, Option<i32>) {
    let output = tempfile::tempdir().unwrap();
    let bundle = output.path().join("site.zip");
    let ended = offprint().arg("export").arg(source).arg("-o").arg(&bundle).args(arguments).output().unwrap();
    (String::from_utf8_lossy(&ended.stderr).into_owned(), ended.status.code())
}

#[test]
fn the_summary_says_which_tool_it_was() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), &[("mkdocs.yml", "site_name: S\n"), ("docs/index.md", "# S\n"), ("README.md", "# R\n")]);
    let (told, code) = export(folder.path(), &[]);
    assert!(told.contains("read as MkDocs, by mkdocs.yml") && code == Some(0), "{told}");
    let (told, _) = export(&folder.path().join("docs"), &[]);
    assert!(told.contains("Exported 1 page ") && told.contains("read as MkDocs"), "{told}");
    let (told, _) = export(folder.path(), &["--from", "plain"]);
    assert!(told.contains("Exported 2 pages") && told.contains("read as plain Markdown"), "{told}");
    let (told, code) = export(folder.path(), &["--from", "wiki"]);
    assert!(told.contains("`wiki` is no tool that can be read; one of mintlify") && code == Some(2), "{told}");
}

#[test]
fn some_tools_are_refused_in_a_sentence() {
    for (file, text, name) in [
        ("docs/conf.py", "extensions = []\n", "Sphinx"),
        ("antora.yml", "name: x\n", "Antora"),
        ("_config.yml", "theme: minima\n", "Jekyll"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        write(folder.path(), &[(file, text), ("a.md", "# A\n")]);
        let (told, code) = export(folder.path(), &[]);
        let sentence = format!("`{file}`: this is a");
        assert!(told.contains(&sentence) && told.contains(name) && told.contains("--from plain"), "{told}");
        assert_eq!(code, Some(2));
        let (told, code) = export(folder.path(), &["--from", "plain"]);
        assert!(told.contains("Exported 1 page ") && code == Some(0), "{told}");
    }
}

#[test]
fn programs_that_configure_are_evaluated() {
    let site = SiteTest::inline("")
        .file(
            "website/docusaurus.config.ts",
            "import { title } from './names';\nexport default { title } satisfies object;\n",
        )
        .file("website/names.ts", "export const title: string = 'The ' + 'manual';\n")
        .file("docs/a.md", "# A\n")
        .other_diagnostics()
        .run();
    assert!(site.text_of("docs/a.html").contains("The manual"));
}

#[test]
fn a_program_that_fails_is_told() {
    SiteTest::inline("")
        .file(".vitepress/config.ts", "export default {\n")
        .file("a.md", "# A\n")
        .diagnostic("config-script", ".vitepress/config.ts")
        .run();
}
