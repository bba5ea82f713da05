//! Servers that speak with a forked tongue.

use std::time::Duration;

use super::Ends::{Exported, Failed, Late};
use super::packs::{BLOB, Pack, copies};
use super::server::{
    FLUSH, Step, before_pack, branches, breaks, capabilities, channel, endless, gives, gzipped, honest, line, main_at,
    stalls, status, typed,
};
use super::{Kind, Scenario, TOKEN, World};
use axum::body::Body;
use axum::http::Response;

fn scenario(name: &'static str, speak: fn(Step, &World) -> Response<Body>, ends: super::Ends) -> Scenario {
    Scenario { name, kind: Kind::Speaks(speak), of_head: false, ends }
}

pub(super) fn scenarios() -> Vec<Scenario> {
    [http(), advertisements(), lists(), broken_packs(), strange_objects()].into_iter().flatten().collect()
}

/// What any web server can answer.
fn http() -> Vec<Scenario> {
    vec![
        scenario("honest", |step, _| gives(step, &Pack::site()), Exported),
        scenario(
            "redirect-elsewhere",
            |_, world| status(302, "location", &format!("https://{}/x.git/info/refs?token=abc", world.bystander)),
            Failed("no redirect is followed"),
        ),
        scenario(
            "redirect-to-a-file",
            |_, _| status(301, "location", "file:///etc/passwd"),
            Failed("no redirect is followed"),
        ),
        scenario(
            "redirect-to-metadata",
            |_, _| status(307, "location", "http://169.254.169.254/latest/"),
            Failed("no redirect is followed"),
        ),
        scenario(
            "redirect-of-a-question",
            |step, world| match step {
                Step::Capabilities => typed(step, capabilities()),
                _ => status(307, "location", &format!("https://{}/", world.bystander)),
            },
            Failed("no redirect is followed"),
        ),
        scenario(
            "credentials",
            |_, _| status(401, "www-authenticate", "Basic realm=\"your password, please\""),
            Failed("asks for credentials (401)"),
        ),
        scenario("forbidden", |_, _| status(403, "x", "y"), Failed("forbids it (403)")),
        scenario("absent", |_, _| status(404, "x", "y"), Failed("no such repository")),
        scenario("error", |_, _| status(500, "x", "y"), Failed("answers 500")),
        scenario(
            "html",
            |_, _| status(200, "content-type", "text/html"),
            Failed("does not speak Git's smart protocol"),
        ),
        scenario(
            "dumb",
            |_, _| Response::new(Body::from(format!("{}\trefs/heads/main\n", "a".repeat(40)))),
            Failed("does not speak Git's smart protocol"),
        ),
        Scenario { name: "silence", kind: Kind::Silent, of_head: false, ends: Late },
        scenario(
            "drip",
            |step, _| typed(step, endless(b"fff0version 2".to_vec(), b"x".to_vec(), Duration::from_millis(300))),
            Late,
        ),
    ]
}

/// What stands before everything.
fn advertisements() -> Vec<Scenario> {
    vec![
        scenario("nothing", |step, _| typed(step, ""), Failed("cannot be read")),
        scenario(
            "noise",
            |step, _| typed(step, (0..=255_u8).cycle().take(10_000).collect::<Vec<u8>>()),
            Failed("cannot be read"),
        ),
        scenario("cut-off", |step, _| typed(step, breaks(capabilities()[..60].to_vec())), Failed("is broken")),
        scenario(
            "capabilities-without-end",
            |step, _| {
                typed(
                    step,
                    endless(
                        [line("# service=git-upload-pack\n"), FLUSH.to_vec(), line("version 2\n")].concat(),
                        line("x".repeat(60_000)),
                        Duration::ZERO,
                    ),
                )
            },
            Failed("more than 32 MB of branches"),
        ),
        scenario(
            "old-branches-without-end",
            |step, _| typed(step, endless(old_branch(), many(), Duration::ZERO)),
            Failed("more than 32 MB of branches"),
        ),
        scenario(
            "bomb",
            |_, _| {
                Response::builder()
                    .header("content-type", "application/x-git-upload-pack-advertisement")
                    .header("content-encoding", "gzip")
                    .body(Body::from(bomb()))
                    .unwrap()
            },
            Failed("more than 32 MB of branches"),
        ),
        scenario(
            "another-service",
            |step, _| typed(step, [line("# service=git-receive-pack\n"), FLUSH.to_vec()].concat()),
            Failed("cannot be read"),
        ),
        scenario(
            "error-with-colors",
            |step, _| typed(step, line(format!("ERR \u{1b}[2J\u{7}\nhttps://robot:{TOKEN}@git.example/ \u{1b}]0;x"))),
            Failed("cannot be read"),
        ),
    ]
}

/// The first lines of a server of version 1, which tells all its branches at once.
fn old_branch() -> Vec<u8> {
    let first = format!("{} HEAD\0shallow symref=HEAD:refs/heads/main agent=x\n", "a".repeat(40));
    [line("# service=git-upload-pack\n"), FLUSH.to_vec(), line(first)].concat()
}

/// A small answer that is a large one: capabilities, 64 MB of them.
fn bomb() -> Vec<u8> {
    let start = [line("# service=git-upload-pack\n"), FLUSH.to_vec(), line("version 2\n")].concat();
    let rest = line(format!("agent={}", "x".repeat(60_000))).repeat(1_100);
    gzipped(&[start, rest].concat())
}

/// Which branches there are said to be.
fn lists() -> Vec<Scenario> {
    fn listing(step: Step, list: Vec<u8>) -> Response<Body> {
        let pack = Pack::site();
        if step == Step::Branches { typed(step, list) } else { gives(step, &pack) }
    }
    vec![
        scenario(
            "no-such-branch",
            |step, _| listing(step, branches(&[format!("{} refs/heads/other\n", Pack::site().head)])),
            Failed("branch not found: `main`"),
        ),
        scenario("no-branch", |step, _| listing(step, FLUSH.to_vec()), Failed("branch not found: `main`")),
        scenario(
            "unborn-head",
            |step, _| listing(step, branches(&["unborn HEAD symref-target:refs/heads/main\n".to_owned()])),
            Failed("the repository is empty"),
        )
        .of_head(),
        scenario("no-head", |step, _| listing(step, FLUSH.to_vec()), Failed("the repository is empty")).of_head(),
        scenario(
            "head-far-away",
            |step, _| {
                listing(
                    step,
                    branches(&[format!("{} HEAD symref-target:refs/heads/../../../../canary\n", Pack::site().head)]),
                )
            },
            Exported,
        )
        .of_head(),
        scenario(
            "head-in-colors",
            |step, _| {
                listing(step, branches(&[format!("{} HEAD symref-target:refs/heads/\u{1b}[2Jx\n", Pack::site().head)]))
            },
            Exported,
        )
        .of_head(),
        scenario(
            "branches-far-away",
            |step, _| {
                listing(
                    step,
                    [main_at(Pack::site().head)[..].strip_suffix(FLUSH).unwrap().to_vec(), branches(&far_away())]
                        .concat(),
                )
            },
            Exported,
        ),
        scenario(
            "branches-without-end",
            |step, _| {
                typed(
                    step,
                    if step == Step::Branches {
                        endless(many(), many(), Duration::ZERO)
                    } else {
                        capabilities().into()
                    },
                )
            },
            Failed("more than 32 MB of branches"),
        ),
        scenario(
            "branch-of-nothing",
            |step, _| listing(step, branches(&[format!("{} refs/heads/main\n", "0".repeat(40))])),
            Failed("could not be found"),
        ),
    ]
}

fn far_away() -> Vec<String> {
    [
        "refs/heads/../../../../../canary",
        "../../canary/secret.md",
        "/etc/passwd",
        "refs/heads/main.lock",
        "refs/heads/.git/config",
        "-x",
        "refs/offprint/head",
    ]
    .map(|name| format!("{} {name}\n", Pack::site().head))
    .to_vec()
}

fn many() -> Vec<u8> {
    (0..1_000).flat_map(|number| line(format!("{} refs/heads/main-{number}\n", "b".repeat(40)))).collect()
}

/// Packs that are not what they say.
fn broken_packs() -> Vec<Scenario> {
    fn bytes(step: Step, change: impl FnOnce(&mut Vec<u8>)) -> Response<Body> {
        let pack = Pack::site();
        let mut bytes = pack.bytes();
        change(&mut bytes);
        honest(step, pack.head, &bytes)
    }
    vec![
        scenario("cut-pack", |step, _| bytes(step, |bytes| bytes.truncate(100)), Failed("cannot be read")),
        scenario("no-pack", |step, _| bytes(step, Vec::clear), Failed("cannot be read")),
        scenario("bent-pack", |step, _| bytes(step, |bytes| bytes[40] ^= 0xff), Failed("cannot be read")),
        scenario(
            "wrong-checksum",
            |step, _| bytes(step, |bytes| *bytes.last_mut().unwrap() ^= 1),
            Failed("cannot be read"),
        ),
        scenario(
            "more-objects-than-there-are",
            |step, _| honest(step, Pack::site().head, &Pack::site().bytes_that_claim(10)),
            Failed("cannot be read"),
        ),
        scenario(
            "four-billion-objects",
            |step, _| honest(step, Pack::site().head, &Pack::site().bytes_that_claim(u32::MAX)),
            Failed("cannot be read"),
        ),
        scenario(
            "another-commit",
            |step, _| honest(step, gix::ObjectId::from_hex(&[b'c'; 40]).unwrap(), &Pack::site().bytes()),
            Failed("cannot be read"),
        ),
        scenario(
            "stall-in-a-pack",
            |step, _| match step {
                Step::Objects => typed(
                    step,
                    stalls([before_pack(Pack::site().head), channel(1, &Pack::site().bytes()[..60])].concat()),
                ),
                _ => gives(step, &Pack::site()),
            },
            Late,
        ),
        scenario(
            "progress-without-end",
            |step, _| match step {
                Step::Objects => typed(
                    step,
                    endless(
                        before_pack(Pack::site().head),
                        channel(2, "\u{1b}[2J\u{1b}]0;x\u{7} 50%\r".repeat(2_000).as_bytes()),
                        Duration::from_millis(10),
                    ),
                ),
                _ => gives(step, &Pack::site()),
            },
            Late,
        ),
        scenario(
            "fatal-with-colors",
            |step, _| match step {
                Step::Objects => typed(
                    step,
                    [
                        before_pack(Pack::site().head),
                        channel(3, format!("fatal: \u{1b}[31m{TOKEN}").as_bytes()),
                        FLUSH.to_vec(),
                    ]
                    .concat(),
                ),
                _ => gives(step, &Pack::site()),
            },
            Failed("cannot be read"),
        ),
    ]
}

/// Packs that are, and that no program writes.
fn strange_objects() -> Vec<Scenario> {
    fn with(step: Step, add: impl FnOnce(&mut Pack)) -> Response<Body> {
        let mut pack = Pack::site();
        add(&mut pack);
        gives(step, &pack)
    }
    vec![
        scenario(
            "a-terabyte-that-is-not-there",
            |step, _| with(step, |pack| pack.entry(BLOB, 1 << 40, b"small")),
            Failed("cannot be read"),
        ),
        scenario(
            "more-than-it-claims",
            |step, _| with(step, |pack| pack.entry(BLOB, 16, &vec![0; 64 << 20])),
            Failed("cannot be read"),
        ),
        scenario("delta-bomb", |step, _| with(step, delta_bomb), Failed("too large")),
        scenario("delta-chain-bomb", |step, _| with(step, delta_chain_bomb), Failed("too large")),
        scenario(
            "delta-of-nothing",
            |step, _| {
                with(step, |pack| pack.delta_of(gix::ObjectId::from_hex(&[b'd'; 40]).unwrap(), &copies(0x10000, 1)))
            },
            Failed("cannot be read"),
        ),
        scenario(
            "delta-before-the-start",
            |step, _| with(step, |pack| pack.delta_at(1 << 40, &copies(0x10000, 1))),
            Failed("cannot be read"),
        ),
        scenario(
            "delta-of-itself",
            |step, _| with(step, |pack| pack.delta_at(0, &copies(0x10000, 1))),
            Failed("cannot be read"),
        ),
        scenario(
            "missing-page",
            |step, _| with(step, |pack| tree_of(pack, "100644", [b'e'; 40])),
            Failed("cannot be read"),
        ),
        scenario(
            "missing-folder",
            |step, _| with(step, |pack| tree_of(pack, "40000", [b'e'; 40])),
            Failed("cannot be read"),
        ),
        scenario(
            "page-for-a-tree",
            |step, _| {
                with(step, |pack| {
                    let page = pack.blob(b"x");
                    pack.commit(page);
                })
            },
            Failed("cannot be read"),
        ),
        scenario(
            "page-for-a-commit",
            |step, _| with(step, |pack| pack.head = pack.blob(b"x")),
            Failed("cannot be read"),
        ),
        scenario("names-that-are-paths", |step, world| with(step, |pack| names_that_are_paths(pack, world)), Exported),
        scenario("deep-tree", |step, _| with(step, deep_tree), Failed("nested too deep")),
        scenario("tree-bomb", |step, _| with(step, tree_bomb), Failed("more than 50000 files")),
    ]
}

fn tree_of(pack: &mut Pack, mode: &str, id: [u8; 40]) {
    let tree = pack.tree(&[(mode, "index.md", gix::ObjectId::from_hex(&id).unwrap())]);
    pack.commit(tree);
}

/// A tree that Git's programs would not write, with the real page in it.
fn names_that_are_paths(pack: &mut Pack, world: &World) {
    let page = pack.blob(b"# Home\n\nWords.\n");
    let canary = world.canary.join("touched").display().to_string();
    let names = [
        "..",
        ".",
        "",
        ".git",
        "../../../../canary/touched",
        "a/b.md",
        &canary,
        "index.md",
        "index.md",
        ".GIT",
        "git~1",
        ".g\u{200c}it",
        "nul",
        "a\\..\\b.md",
        "\u{1b}[2J.md",
    ];
    let files: Vec<_> = names.iter().map(|name| ("100644", *name, page)).collect();
    let inner = pack.tree(&files);
    let folders: Vec<_> = ["..", "../..", ".git", "a"].iter().map(|name| ("40000", *name, inner)).collect();
    let tree = pack.tree(&[files, folders].concat());
    pack.commit(tree);
}

/// A few bytes that stand for 16 GB.
fn delta_bomb(pack: &mut Pack) {
    pack.blob(&[0; 0x10000]);
    pack.delta(&copies(0x10000, 1 << 18));
}

/// Deltas of deltas, each 64 times as large as the one before: 16 GB in the end.
fn delta_chain_bomb(pack: &mut Pack) {
    pack.blob(&[0; 0x10000]);
    let mut bytes = 0x10000;
    for _ in 0..3 {
        pack.delta(&copies(bytes, 64 * bytes / 0x10000));
        bytes *= 64;
    }
}

/// A folder in a folder in a folder …
fn deep_tree(pack: &mut Pack) {
    let page = pack.blob(b"# Deep\n");
    let mut tree = pack.tree(&[("100644", "index.md", page)]);
    for _ in 0..6_000 {
        tree = pack.tree(&[("40000", "deeper", tree)]);
    }
    pack.commit(tree);
}

/// Ten folders, each with the same ten folders: ten billion files of twenty objects.
fn tree_bomb(pack: &mut Pack) {
    let page = pack.blob(b"# Many\n");
    let names = ["0.md", "1.md", "2.md", "3.md", "4.md", "5.md", "6.md", "7.md", "8.md", "9.md"];
    let mut tree = pack.tree(&names.map(|name| ("100644", name, page)));
    for _ in 0..9 {
        tree = pack.tree(&names.map(|name| ("40000", name, tree)));
    }
    pack.commit(tree);
}
