//! Repositories that the real `git` holds and serves, and that no honest person makes.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use super::Ends::{Exported, Failed};
use super::{Kind, Scenario, World, git, write};

fn scenario(name: &'static str, spoil: fn(&Path, &World), ends: super::Ends) -> Scenario {
    Scenario { name, kind: Kind::Holds(spoil), of_head: false, ends }
}

pub(super) fn scenarios() -> Vec<Scenario> {
    vec![
        scenario("links-out-of-the-tree", links, Exported),
        scenario("submodule-through-a-link", submodule_through_a_link, Exported),
        scenario("submodule-that-is-an-option", submodule_that_is_an_option, Exported),
        scenario("names-that-differ-by-case", names_that_differ_by_case, Exported),
        scenario("large-file-pointers", large_file_pointers, Exported),
        scenario("filters", filters, Exported),
        scenario("repository-in-a-repository", repository_in_a_repository, Exported),
        scenario(
            "real-head-nowhere",
            |folder, _| drop(git(folder, &["symbolic-ref", "HEAD", "refs/heads/nowhere"])),
            Failed("the repository is empty"),
        )
        .of_head(),
        scenario(
            "real-and-empty",
            |folder, _| {
                git(folder, &["checkout", "-q", "--detach"]);
                git(folder, &["branch", "-q", "-D", "main"]);
            },
            Failed("branch not found: `main`"),
        ),
    ]
}

fn commit(folder: &Path) {
    git(folder, &["add", "-A"]);
    git(folder, &["commit", "-q", "-m", "Two"]);
}

fn links(folder: &Path, world: &World) {
    symlink("/etc/passwd", folder.join("passwd.md")).unwrap();
    symlink(world.canary.join("secret.md"), folder.join("secret.md")).unwrap();
    symlink(&world.canary, folder.join("canary")).unwrap();
    symlink("../../../../../../../../etc", folder.join("etc")).unwrap();
    symlink(".git/config", folder.join("config.md")).unwrap();
    let page =
        "# Home\n\nWords. ![x](passwd.md) [y](canary/secret.md)\n\n<Snippet file=\"../../../../etc/passwd\" />\n";
    write(
        folder,
        &[
            ("index.md", page),
            ("page.mdx", "import A from '/canary/secret.md'\n\n<A />\n"),
            (
                "docs.json",
                r##"{"theme": "mint", "name": "x", "colors": {"primary": "#000000"}, "navigation": {"pages": ["index", "page", "secret", "canary/secret"]}}"##,
            ),
        ],
    );
    commit(folder);
}

/// As CVE-2024-32002: a link to `.git` that differs only by case from the folder of a submodule, whose hook is then in
/// it.
fn submodule_through_a_link(folder: &Path, world: &World) {
    let modules = format!(
        "[submodule \"x/y\"]\n\tpath = A/modules/x\n\turl = https://{}/x.git\n\tupdate = !{}\n",
        world.bystander,
        world.command()
    );
    write(folder, &[(".gitmodules", &modules)]);
    symlink(".git", folder.join("a")).unwrap();
    git(folder, &["add", "-A"]);
    git(folder, &["update-index", "--add", "--cacheinfo", &format!("160000,{},A/modules/x", "ab".repeat(20))]);
    git(folder, &["commit", "-q", "-m", "Two"]);
}

/// As CVE-2018-17456 and CVE-2025-48384: addresses and paths that mean something else.
fn submodule_that_is_an_option(folder: &Path, world: &World) {
    let touch = world.command();
    let modules = format!(
        "[submodule \"-u{touch}\"]\n\tpath = m\n\turl = -u{touch}\n[submodule \"e\"]\n\tpath = e\n\turl = ext::sh -c \"{touch}\"\n[submodule \"../../x\"]\n\tpath = \"../../x\r\"\n\turl = file://{}\n",
        world.canary.display()
    );
    write(folder, &[(".gitmodules", &modules)]);
    git(folder, &["add", "-A"]);
    for path in ["m", "e"] {
        git(folder, &["update-index", "--add", "--cacheinfo", &format!("160000,{},{path}", "ab".repeat(20))]);
    }
    git(folder, &["commit", "-q", "-m", "Two"]);
}

fn names_that_differ_by_case(folder: &Path, _: &World) {
    write(
        folder,
        &[
            ("page.md", "# One\n\nText.\n"),
            ("Page.md", "# Two\n\nText.\n"),
            ("PAGE.md", "# Three\n\nText.\n"),
            ("a/page.md", "# A\n"),
            ("A/page.md", "# B\n"),
        ],
    );
    commit(folder);
}

fn large_file_pointers(folder: &Path, world: &World) {
    let pointer =
        format!("version https://git-lfs.github.com/spec/v1\noid sha256:{}\nsize 5000000000000\n", "ab".repeat(32));
    let settings = format!("[lfs]\n\turl = https://{}/lfs\n", world.bystander);
    write(
        folder,
        &[
            ("logo.png", &pointer),
            (".lfsconfig", &settings),
            (".gitattributes", "*.png filter=lfs diff=lfs merge=lfs -text\n"),
            ("index.md", "# Home\n\nWords. ![A logo](logo.png)\n"),
        ],
    );
    commit(folder);
}

fn filters(folder: &Path, world: &World) {
    let touch = world.command();
    let settings = format!(
        "[filter \"evil\"]\n\tsmudge = {touch}\n\tprocess = {touch}\n\trequired = true\n[core]\n\tfsmonitor = {touch}\n"
    );
    write(folder, &[("home/.gitconfig", &settings)]);
    // not through the index: our own `git` would obey it
    let attributes = folder.join(".git/attributes");
    fs::write(&attributes, "* filter=evil diff=evil merge=evil ident export-subst working-tree-encoding=UTF-16\n")
        .unwrap();
    let attributes = git(folder, &["hash-object", "-w", "--no-filters", attributes.to_str().unwrap()]);
    git(folder, &["add", "home"]);
    git(folder, &["update-index", "--add", "--cacheinfo", &format!("100644,{attributes},.gitattributes")]);
    git(folder, &["commit", "-q", "-m", "Two"]);
    // hooks of the other side, and settings that only its own user's may be
    fs::write(folder.join(".git/hooks/post-checkout"), format!("#!/bin/sh\n{touch}\n")).unwrap();
    let config = folder.join(".git/config");
    fs::write(&config, fs::read_to_string(&config).unwrap() + &format!("[uploadpack]\n\tpackObjectsHook = {touch}\n"))
        .unwrap();
}

/// A bare repository as content: whoever comes by may take it for one.
fn repository_in_a_repository(folder: &Path, world: &World) {
    let hook = format!("#!/bin/sh\n{}\n", world.command());
    let config =
        format!("[core]\n\tbare = false\n\tfsmonitor = {}\n\tworktree = {}\n", world.command(), world.canary.display());
    let alternates = format!("{}\n", world.canary.display());
    write(
        folder,
        &[
            ("HEAD", "ref: refs/heads/main\n"),
            ("config", &config),
            ("objects/info/alternates", &alternates),
            ("objects/info/http-alternates", &alternates),
            ("refs/heads/main", &"ab".repeat(20)),
            ("hooks/post-checkout", &hook),
            ("hooks/fsmonitor", &hook),
        ],
    );
    commit(folder);
}
