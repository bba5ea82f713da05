//! Which tool a source belongs to.

use base::contents::Contents;
use load::tool::FolderView;
use site::tree::{SourceFile, SourceTree};

use super::{TOOLS, project_root, root_within};

fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (path, text) in files {
        std::fs::create_dir_all(folder.path().join(path).parent().unwrap()).unwrap();
        std::fs::write(folder.path().join(path), text).unwrap();
    }
    folder
}

/// What the tool of some files is, and its configuration.
#[track_caller]
fn check(files: &[(&str, &str)], expect: (&str, &str)) {
    let folder = folder(files);
    let (tree, _) = SourceTree::list(folder.path());
    let found = TOOLS.detect(&FolderView::of_tree(&tree));
    assert_eq!((found.tool.name(), found.config.as_str()), expect);
    let on_disk = TOOLS.detect(&FolderView::of_folder(folder.path()));
    assert_eq!((on_disk.tool.name(), on_disk.config.as_str()), expect, "on disk");
}

#[test]
fn tools_are_recognized_by_their_files() {
    check(&[("docs.json", "{}"), ("mkdocs.yml", "")], ("mintlify", "docs.json"));
    check(&[("README.md", "")], ("plain", ""));
    check(&[("mkdocs.yml", "site_name: x\n"), ("docs/index.md", "")], ("mkdocs", "mkdocs.yml"));
    check(&[("docs/en/mkdocs.yml", ""), ("docs/en/docs/index.md", "")], ("mkdocs", "docs/en/mkdocs.yml"));
    check(&[("zensical.toml", "[project]\n"), ("docs/index.md", "")], ("mkdocs", "zensical.toml"));
    check(&[("book.toml", "[book]\n")], ("mdbook", "book.toml"));
    check(&[("SUMMARY.md", "- [A](a.md)\n"), ("a.md", "")], ("gitbook", "SUMMARY.md"));
    check(&[("website/docusaurus.config.mjs", "")], ("docusaurus", "website/docusaurus.config.mjs"));
    check(&[("docs/.vitepress/config.mts", "")], ("vitepress", "docs/.vitepress/config.mts"));
    check(&[("astro.config.mjs", "import starlight from '@astrojs/starlight'")], ("starlight", "astro.config.mjs"));
    check(&[("astro.config.mjs", "export default {}")], ("plain", ""));
    check(&[("hugo.toml", "")], ("hugo", "hugo.toml"));
    check(&[("config.toml", "baseURL = 'x'"), ("content/a.md", "")], ("hugo", "config.toml"));
    check(&[("config.toml", "baseURL = 'x'")], ("plain", ""));
    check(&[("site/config.toml", "title = 'x'"), ("site/content/a.md", "")], ("hugo", "site/config.toml"));
    check(&[("docs/conf.py", "extensions = []\n")], ("sphinx", "docs/conf.py"));
    check(&[("antora.yml", "name: x\n")], ("antora", "antora.yml"));
    check(&[("_config.yml", "theme: minima\n")], ("jekyll", "_config.yml"));
    check(&[("_config.yml", "x: y\n")], ("plain", ""));
}

#[test]
fn folders_of_pages_stand_for_their_project() {
    let it = folder(&[
        ("mk/mkdocs.yml", "docs_dir: manual\n"),
        ("mk/manual/a.md", ""),
        ("mk/other/a.md", ""),
        ("book/book.toml", "[book]\n"),
        ("book/src/SUMMARY.md", ""),
        ("hugo/hugo.toml", ""),
        ("hugo/content/en/a/b/c.md", ""),
        ("parts/config/_default/languages.toml", "[en]\ncontentDir = 'pages/en'\n"),
        ("parts/pages/en/docs/a.md", ""),
        ("parts/content/a.md", ""),
        ("wide/site/hugo.yaml", "module:\n  mounts:\n    - {source: ../geps, target: content/geps}\n"),
        ("wide/geps/a.md", ""),
        ("do/website/docusaurus.config.js", "module.exports = {presets: [['x', {docs: {path: '../docs'}}]]}"),
        ("do/docs/a.md", ""),
        ("star/astro.config.mjs", "starlight"),
        ("star/src/content/docs/a.md", ""),
        ("vp/.vitepress/config.ts", ""),
        ("vp/guide/more/a.md", ""),
        ("mk/manual/x/y/a.md", ""),
        ("hugo/static/a.txt", ""),
        ("repo/mkdocs.yml", ""),
        ("repo/docs/.git/HEAD", ""),
        ("deep/.git/HEAD", ""),
        ("deep/mkdocs.yml", "docs_dir: 1/2/3/4/5/6/7/8/9/docs\n"),
        ("deep/1/2/3/4/5/6/7/8/9/docs/a/b.md", ""),
    ]);
    let (tree, _) = SourceTree::list(it.path());
    let root = |path: &str| {
        let found = project_root(&it.path().join(path), None).canonicalize().unwrap();
        found.strip_prefix(it.path().canonicalize().unwrap()).unwrap().to_str().unwrap().to_owned()
    };
    for (named, expect) in [
        ("mk", "mk"),
        ("mk/manual", "mk"),
        ("mk/other", "mk/other"),
        ("book/src", "book"),
        ("hugo/content", "hugo"),
        ("mk/manual/x/y", "mk"),
        ("hugo/content/en", "hugo"),
        ("hugo/content/en/a/b", "hugo"),
        ("hugo/static", "hugo/static"),
        ("parts/pages", "parts"),
        ("parts/pages/en/docs", "parts"),
        ("wide/site", "wide"),
        ("wide/geps", "wide"),
        ("vp/guide/more", "vp"),
        ("do/website", "do"),
        ("do/docs", "do"),
        ("do", "do"),
        ("star/src/content/docs", "star"),
        ("vp", "vp"),
        ("repo/docs", "repo/docs"),
    ] {
        assert_eq!(root(named), expect, "{named}");
        if named != "repo/docs" {
            assert_eq!(root_within(&tree, named, None), expect, "{named}, in a tree");
        }
    }
    assert_eq!(root_within(&tree, "mk/manual/", Some("mkdocs")), "mk");
    assert_eq!(root_within(&tree, "mk/manual", Some("hugo")), "mk/manual");
    assert_eq!(root_within(&tree, "./mk/manual", Some("plain")), "mk/manual");
    assert_eq!(root_within(&tree, "", None), "");
    assert_eq!(root("deep/1/2/3/4/5/6/7/8/9/docs/a"), "deep");
    assert_eq!(project_root(&it.path().join("mk/manual"), Some("plain")), it.path().join("mk/manual"));
}

/// The tool and the configuration of some files.
#[track_caller]
fn check_below(paths: &[&str], from: Option<&str>, expect: Option<(&str, &str)>) {
    let file = |path: &&str| SourceFile { path: (*path).to_owned(), size: 0, ignored: false };
    let tree = SourceTree::of_files(Contents::default(), paths.iter().map(file).collect());
    let found = TOOLS.locate(&tree, from.map(|name| TOOLS.by_name(name).unwrap())).unwrap();
    let found = Some((found.tool.name(), found.config.as_str())).filter(|(_, config)| !config.is_empty());
    assert_eq!(found, expect, "{paths:?}");
}

#[test]
fn projects_are_found_two_folders_below() {
    check_below(
        &[
            "README.md",
            "CHANGES.md",
            "packages/a/README.md",
            "packages/docs/.vitepress/config.ts",
            "packages/docs/a.md",
        ],
        None,
        Some(("vitepress", "packages/docs/.vitepress/config.ts")),
    );
    check_below(&["README.md", "doc/book/book.toml", "doc/a.md"], None, Some(("mdbook", "doc/book/book.toml")));
    check_below(&["a/b/c/book.toml", "a/b/c/src/SUMMARY.md"], None, None);
    check_below(&["x/handbook/mkdocs.yml", "x/a.md", "x/b.md"], None, Some(("mkdocs", "x/handbook/mkdocs.yml")));
    // the folder of documentation comes before that of code
    check_below(&["code/book.toml", "my-docs/mkdocs.yml"], None, Some(("mkdocs", "my-docs/mkdocs.yml")));
}

#[test]
fn projects_beside_the_documentation_are_none() {
    check_below(
        &["README.md", "code/x/mkdocs.yml", "code/x/docs/a.md", "code/x/docs/b.md"],
        None,
        Some(("mkdocs", "code/x/mkdocs.yml")),
    );
    check_below(&["a.md", "b.md", "code/x/mkdocs.yml", "code/x/docs/c.md"], None, None);
    check_below(&["a.md", "b.md", "code/x/mkdocs.yml"], Some("mkdocs"), Some(("mkdocs", "code/x/mkdocs.yml")));
    for other in ["examples", "Tests", "node_modules", "docs/themes", ".cache", "docs/.old"] {
        check_below(&["README.md", &format!("{other}/mkdocs.yml")], None, None);
    }
    // a site in the format of this program, and what is refused
    check_below(&["docs/docs.json", "packages/docs/mkdocs.yml"], None, None);
    check_below(&["packages/docs/conf.py"], None, None);
}
