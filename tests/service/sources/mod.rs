//! Sources of the service, each exported by a child process: a folder, a branch of a repository, an archive.
//! Repositories are made and served by the real `git`; archives come over HTTP.

mod archives;
#[cfg(target_os = "linux")]
mod children;
#[cfg(target_os = "linux")]
mod confinement;
#[cfg(target_os = "linux")]
mod hostile_git;
#[cfg(target_os = "linux")]
mod https;
mod ssh;

use std::fs;
use std::io::Read as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::{Mutex, OnceLock};

use offprint::bundle::{BundleDeployment, ManifestFeatures};
use offprint::confine::{Isolation, Layers};
use offprint::fetch::git::Protocol;
use offprint::service::job::child::{
    self, Built, Cause, ChildProgress, ChildWork, ExportFailure, JobSource, MachineLimits,
};
use tempfile::TempDir;

const PROGRAM: &str = env!("CARGO_BIN_EXE_offprint");
/// A site with a bit of everything that is read in different ways.
const SITE: [(&str, &str); 9] = [
    (
        "docs.json",
        r##"{"theme": "mint", "name": "Acme", "colors": {"primary": "#0F766E"}, "logo": "/images/logo.svg", "navigation": {"$ref": "./nav.json"}}"##,
    ),
    ("nav.json", r#"{"pages": ["index", "guides/start", "changelog"]}"#),
    (
        "index.mdx",
        "---\ntitle: Home\n---\n\nimport Note from '/snippets/note.mdx'\n\n# Welcome\n\n<Note />\n\n![A logo](/images/logo.svg) [Start](/guides/start#first)\n\n```js\nconst x = 1;\n```\n",
    ),
    (
        "guides/start.mdx",
        "---\ntitle: Start\n---\n\n## First\n\nText with $x^2$ and <Tooltip tip=\"a\">words</Tooltip>.\n\n[An archive](/files/notes.zip)\n",
    ),
    ("changelog.mdx", "---\ntitle: Changes\nrss: true\n---\n\n<Update label=\"2026-11-20\">\n\nNews.\n\n</Update>\n"),
    ("snippets/note.mdx", "A shared note.\n"),
    (
        "images/logo.svg",
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"40\" height=\"20\"><rect width=\"40\" height=\"20\" fill=\"#0F766E\"/></svg>",
    ),
    ("custom.css", "body { --x: url(/images/logo.svg) }\n"),
    ("files/notes.zip", "PK\u{5}\u{6}\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"),
];

fn write(root: &Path, files: &[(&str, &str)]) {
    for (path, text) in files {
        let path = root.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
}

/// The program `git`, with no settings but ours.
fn git(folder: &Path, args: &[&str]) -> String {
    let output = git_command(folder).args(args).output().unwrap();
    assert!(output.status.success(), "git {args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}

fn git_command(folder: &Path) -> Command {
    let mut git = Command::new("git");
    git.env_clear()
        .env("PATH", std::env::var_os("PATH").unwrap_or_default())
        .env("HOME", folder)
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .stdin(Stdio::null());
    for who in ["AUTHOR", "COMMITTER"] {
        git.env(format!("GIT_{who}_NAME"), "A")
            .env(format!("GIT_{who}_EMAIL"), "a@b.c")
            .env(format!("GIT_{who}_DATE"), "2026-11-20T00:00:00Z");
    }
    git.arg("-C").arg(folder).args(["-c", "protocol.file.allow=always"]);
    git
}

/// A repository with the site below `docs` on its branch `main`.
struct Repository {
    folder: TempDir,
}

impl Repository {
    fn new() -> Self {
        let folder = TempDir::with_prefix("offprint-repository-").unwrap();
        git(folder.path(), &["init", "-q", "-b", "main"]);
        write(&folder.path().join("docs"), &SITE);
        let repository = Self { folder };
        repository.commit("First line\n\nand more");
        repository
    }

    fn path(&self) -> &Path {
        self.folder.path()
    }

    fn commit(&self, message: &str) -> String {
        git(self.path(), &["add", "-A"]);
        git(self.path(), &["commit", "-q", "--allow-empty", "-m", message]);
        git(self.path(), &["rev-parse", "HEAD"])
    }

    fn source(&self, branch: Option<&str>) -> JobSource {
        JobSource::Git {
            url: format!("file://{}", self.path().display()),
            branch: branch.map(str::to_owned),
            subdir: Some("docs".to_owned()),
            since: None,
            protocols: vec![Protocol::File],
            shown: Vec::new(),
        }
    }

    fn since(&self, branch: Option<&str>, commit: &str) -> JobSource {
        match self.source(branch) {
            JobSource::Git { url, branch, subdir, protocols, .. } => {
                JobSource::Git { url, branch, subdir, since: Some(commit.to_owned()), protocols, shown: Vec::new() }
            }
            other => other,
        }
    }
}

/// Confinement as far as this machine has it: what holds with it holds for all that follow.
fn layers() -> Layers {
    static LAYERS: OnceLock<Layers> = OnceLock::new();
    *LAYERS.get_or_init(|| {
        let limits = MachineLimits { program: PROGRAM.into(), ..MachineLimits::default() };
        let folder = tempfile::tempdir().unwrap();
        child::find_layers(&limits, Isolation::BestEffort, &folder.path().join("trial")).unwrap()
    })
}

/// Work in a folder of its own.
struct Job {
    home: TempDir,
    work: ChildWork,
    limits: MachineLimits,
}

impl Job {
    fn new(source: JobSource) -> Self {
        let home = TempDir::with_prefix("offprint-job-").unwrap();
        let work = ChildWork {
            source,
            folder: home.path().join("job"),
            domain: Some("docs.acme.example".to_owned()),
            version: None,
            paths: Vec::new(),
            groups: Vec::new(),
            deployment: BundleDeployment::Cloud,
            features: ManifestFeatures { offline_search: true, ..ManifestFeatures::default() },
            optimize_png: false,
            from: None,
            search: None,
            assistant: None,
            allow_private: Vec::new(),
        };
        Self {
            home,
            work,
            limits: MachineLimits { program: PROGRAM.into(), layers: layers(), ..MachineLimits::default() },
        }
    }

    fn version(mut self, version: &str) -> Self {
        self.work.version = Some(version.to_owned());
        self
    }

    fn run(&self) -> Result<Built, ExportFailure> {
        self.run_telling(|_| {})
    }

    fn run_telling(&self, tell: impl Fn(ChildProgress) + Send + Sync) -> Result<Built, ExportFailure> {
        runtime().block_on(child::run_child(&self.work, &self.limits, tell, std::future::pending()))
    }

    #[track_caller]
    fn fails(&self, cause: Cause, expect: &str) -> ExportFailure {
        let failure = self.run().expect_err("a failure");
        assert_eq!(failure.cause, cause, "{failure:?}");
        assert!(failure.message.contains(expect), "{failure:?}");
        failure
    }
}

fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap()
}

/// What the command line makes of a folder.
fn by_command_line(source: &Path, version: &str, more: &[&str]) -> Vec<u8> {
    let home = tempfile::tempdir().unwrap();
    let bundle = home.path().join("bundle.zip");
    let output = Command::new(PROGRAM)
        .env_clear()
        .stdin(Stdio::null())
        .arg("export")
        .arg(source)
        .arg("-o")
        .arg(&bundle)
        .args(["--domain", "docs.acme.example", "--version", version, "--deployment", "cloud", "--progress", "none"])
        .args(more)
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    fs::read(bundle).unwrap()
}

fn manifest(built: &Built) -> serde_json::Value {
    let mut archive = zip::ZipArchive::new(fs::File::open(&built.archive).unwrap()).unwrap();
    serde_json::from_reader(archive.by_name("_offprint/manifest.json").unwrap()).unwrap()
}

fn page(built: &Built, name: &str) -> String {
    let mut archive = zip::ZipArchive::new(fs::File::open(&built.archive).unwrap()).unwrap();
    let mut text = String::new();
    archive.by_name(name).unwrap().read_to_string(&mut text).unwrap();
    text
}

#[test]
fn a_folder_of_pages_is_read_with_the_configuration_around_it() {
    let folder = TempDir::with_prefix("offprint-repository-").unwrap();
    write(
        folder.path(),
        &[
            ("manual/mkdocs.yml", "site_name: Harbor\nmarkdown_extensions: [admonition]\n"),
            ("manual/docs/a.md", "# A\n\n!!! tip\n\n    Words.\n"),
            ("other.md", "# Elsewhere\n"),
        ],
    );
    git(folder.path(), &["init", "-q", "-b", "main"]);
    git(folder.path(), &["add", "-A"]);
    git(folder.path(), &["commit", "-q", "-m", "a"]);
    let repository = JobSource::Git {
        url: format!("file://{}", folder.path().display()),
        branch: None,
        subdir: Some("manual/docs".to_owned()),
        since: None,
        protocols: vec![Protocol::File],
        shown: Vec::new(),
    };
    for source in [repository, JobSource::Folder { path: folder.path().join("manual/docs") }] {
        let mut job = Job::new(source.clone());
        let built = job.run().unwrap();
        let html = page(&built, "a.html");
        assert!(html.contains("Harbor") && html.contains("data-component=\"Tip\""), "{source:?}: {html}");
        assert_eq!(built.pages, 1);
        // the tool that the operator names counts more than the files
        job.work.folder = job.home.path().join("plain");
        job.work.from = Some("plain".to_owned());
        let html = page(&job.run().unwrap(), "a.html");
        assert!(!html.contains("Harbor") && html.contains("Words."), "{source:?}: {html}");
    }
}

#[test]
fn e_arc_2_a_folder_gives_the_bytes_of_the_command_line() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), &SITE);
    let job = Job::new(JobSource::Folder { path: folder.path().to_owned() }).version("v1");
    let reported = Mutex::new(Vec::new());
    let built = job.run_telling(|progress| reported.lock().unwrap().push(progress)).unwrap();
    let bytes = fs::read(&built.archive).unwrap();
    assert_eq!(bytes, by_command_line(folder.path(), "v1", &[]));
    assert_eq!((built.size, built.pages, built.version.as_str(), &built.commit), (bytes.len() as u64, 3, "v1", &None));
    assert_eq!(built.archive.parent(), Some(job.work.folder.as_path()));
    let reported = reported.into_inner().unwrap();
    assert_eq!(reported[0], ChildProgress::Source { version: "v1".to_owned(), commit: None });
    assert!(
        reported.contains(&ChildProgress::Stage("pages".to_owned()))
            && reported.contains(&ChildProgress::Pages { done: 3, total: 3 }),
        "{reported:?}"
    );
    // nothing but the work's folder was written
    let mut left: Vec<_> = fs::read_dir(job.home.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    left.sort();
    assert_eq!(left, ["job"]);
    assert!(!folder.path().join("offprint.lock").exists());
}

#[test]
fn a_project_decides_whether_png_files_are_recompressed() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), &SITE);
    for (optimize_png, arguments) in [(false, &[][..]), (true, &["--optimize-png"])] {
        let mut job = Job::new(JobSource::Folder { path: folder.path().to_owned() }).version("v1");
        job.work.optimize_png = optimize_png;
        let built = job.run().unwrap();
        assert_eq!(manifest(&built)["options"]["optimizePng"], optimize_png);
        assert_eq!(fs::read(&built.archive).unwrap(), by_command_line(folder.path(), "v1", arguments));
    }
}

#[test]
fn versions_are_digits_of_the_content() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), &SITE);
    let version = || Job::new(JobSource::Folder { path: folder.path().join("docs.json") }).run().unwrap().version;
    let first = version();
    assert!(first.len() == 12 && first.bytes().all(|byte| byte.is_ascii_hexdigit()), "{first}");
    assert_eq!(version(), first);
    fs::write(folder.path().join("snippets/note.mdx"), "Another note.\n").unwrap();
    assert_ne!(version(), first);
}

#[test]
fn a_branch_gives_the_bytes_of_its_checkout() {
    let repository = Repository::new();
    let job = Job::new(repository.source(Some("main"))).version("v1");
    let built = job.run().unwrap();
    let copy = tempfile::tempdir().unwrap();
    git(copy.path(), &["clone", "-q", "--depth", "1", &format!("file://{}", repository.path().display()), "copy"]);
    assert_eq!(fs::read(&built.archive).unwrap(), by_command_line(&copy.path().join("copy/docs"), "v1", &[]));
    assert_eq!(
        manifest(&built)["source"],
        serde_json::json!({ "commit": git(repository.path(), &["rev-parse", "HEAD"]), "dirty": false })
    );
}

#[test]
fn commits_are_told() {
    let repository = Repository::new();
    let first = git(repository.path(), &["rev-parse", "HEAD"]);
    let reported = Mutex::new(Vec::new());
    let built =
        Job::new(repository.source(None)).run_telling(|progress| reported.lock().unwrap().push(progress)).unwrap();
    let commit = built.commit.clone().unwrap();
    assert_eq!(
        (commit.sha.as_str(), commit.reference.as_str(), commit.message.as_str()),
        (first.as_str(), "main", "First line")
    );
    assert_eq!((built.version.as_str(), commit.files_changed.clone()), (&first[..12], Default::default()));
    assert!(
        reported
            .into_inner()
            .unwrap()
            .contains(&ChildProgress::Source { version: built.version.clone(), commit: Some(commit) })
    );

    // a branch that is replaced: its history is another one, and the commit to compare with is on no branch any more
    let docs = repository.path().join("docs");
    git(repository.path(), &["checkout", "-q", "--orphan", "other"]);
    fs::write(docs.join("new.mdx"), "---\ntitle: New\n---\nNew page.\n").unwrap();
    fs::write(docs.join("index.mdx"), "---\ntitle: Home\n---\nAnother text.\n").unwrap();
    fs::remove_file(docs.join("custom.css")).unwrap();
    fs::write(repository.path().join("outside.txt"), "not below docs").unwrap();
    let second = repository.commit("Second");
    git(repository.path(), &["branch", "-q", "-f", "main", "other"]);
    let built = Job::new(repository.since(Some("main"), &first)).run().unwrap();
    let commit = built.commit.unwrap();
    assert_eq!(commit.sha, second);
    let changed = &commit.files_changed;
    assert_eq!(
        (&changed.added, &changed.modified, &changed.removed),
        (&vec!["new.mdx".to_owned()], &vec!["index.mdx".to_owned()], &vec!["custom.css".to_owned()])
    );
    // one that nobody has
    let built = Job::new(repository.since(Some("main"), &"ab".repeat(20))).run().unwrap();
    assert_eq!(built.commit.unwrap().files_changed, Default::default());
}

#[test]
fn e_prv_4_branches_that_are_not_there() {
    let repository = Repository::new();
    Job::new(repository.source(Some("nothing"))).fails(Cause::NoBranch, "branch not found: `nothing`");
    Job::new(repository.source(Some("Main"))).fails(Cause::NoBranch, "branch not found: `Main`");
    git(repository.path(), &["tag", "v1"]);
    Job::new(repository.source(Some("v1"))).fails(Cause::NoBranch, "branch not found");
    let head = git(repository.path(), &["rev-parse", "HEAD"]);
    Job::new(repository.source(Some(&head))).fails(Cause::NoBranch, "branch not found");
    let empty = tempfile::tempdir().unwrap();
    git(empty.path(), &["init", "-q"]);
    let source = |url: String, branch: Option<&str>| JobSource::Git {
        url,
        branch: branch.map(str::to_owned),
        subdir: None,
        since: None,
        protocols: vec![Protocol::File],
        shown: Vec::new(),
    };
    Job::new(source(format!("file://{}", empty.path().display()), None)).fails(Cause::Source, "empty");
    Job::new(source("file:///nowhere/at/all".to_owned(), None)).fails(Cause::Source, "cannot be read");
    // `git` answers nothing where a repository belongs to another user, whom only root can make it belong to
    let foreign = Repository::new();
    if std::os::unix::fs::chown(foreign.path().join(".git"), Some(64_321), None).is_ok() {
        std::os::unix::fs::chown(foreign.path(), Some(64_321), None).unwrap();
        Job::new(foreign.source(Some("main"))).fails(Cause::Source, "`safe.directory` in `/etc/gitconfig`");
    }
    let mut job = Job::new(repository.source(Some("main")));
    if let JobSource::Git { subdir, .. } = &mut job.work.source {
        *subdir = Some("docs/../../etc".to_owned());
    }
    job.fails(Cause::Content, "is not in the repository");
}

/// S04: entries of a commit that are no files, and names that no checkout would have.
#[test]
fn s04_links_submodules_and_hostile_names_are_left_out() {
    let repository = Repository::new();
    let canary = tempfile::tempdir().unwrap();
    fs::write(canary.path().join("secret.md"), "the canary sings").unwrap();
    let docs = repository.path().join("docs");
    for (number, target) in [
        "/etc/passwd",
        "../../../../../../etc/passwd",
        "../.git/config",
        &format!("{}/secret.md", canary.path().display()),
    ]
    .iter()
    .enumerate()
    {
        std::os::unix::fs::symlink(target, docs.join(format!("link{number}.mdx"))).unwrap();
    }
    std::os::unix::fs::symlink(canary.path(), docs.join("folder")).unwrap();
    fs::write(
        docs.join("index.mdx"),
        "---\ntitle: Home\n---\n![x](/link0.mdx) [y](/folder/secret.md) <Snippet file=\"../link3.mdx\" />\n",
    )
    .unwrap();
    git(repository.path(), &["add", "-A"]);
    git(
        repository.path(),
        &["update-index", "--add", "--cacheinfo", &format!("160000,{},docs/module", "ab".repeat(20))],
    );
    git(repository.path(), &["commit", "-q", "-m", "links"]);
    let job = Job::new(repository.source(Some("main")));
    let built = job.run().unwrap();
    for name in ["docs/link0.mdx` is a link", "docs/module` is a submodule", "docs/folder` is a link"] {
        let name = name.trim_start_matches("docs/");
        assert!(
            built.logs.iter().any(|line| line.contains("not-a-file") && line.contains(name)),
            "{name}: {:?}",
            built.logs
        );
    }
    let everything: String = everything(&built);
    assert!(!everything.contains("the canary sings") && !everything.contains("root:x:0"));

    // a tree that git itself would not write
    let blob = git(repository.path(), &["rev-parse", "HEAD:docs/nav.json"]);
    let id: Vec<u8> = (0..20).map(|at| u8::from_str_radix(&blob[2 * at..2 * at + 2], 16).unwrap()).collect();
    let mut tree = Vec::new();
    for name in ["../../up.md", "..", ".", "", "/etc/cron.d/x", "a/b.md", "nul", "plain.md"] {
        tree.extend_from_slice(format!("100644 {name}\0").as_bytes());
        tree.extend_from_slice(&id);
    }
    let raw = repository.path().join("raw");
    fs::write(&raw, &tree).unwrap();
    let tree = git(repository.path(), &["hash-object", "-t", "tree", "--literally", "-w", raw.to_str().unwrap()]);
    let commit = git(repository.path(), &["commit-tree", "-m", "hostile", &tree]);
    git(repository.path(), &["update-ref", "refs/heads/hostile", &commit]);
    let mut job = Job::new(repository.source(Some("hostile")));
    if let JobSource::Git { subdir, .. } = &mut job.work.source {
        *subdir = None;
    }
    match job.run() {
        Ok(built) => assert!(page(&built, "plain.html").contains("pages") && built.pages == 1, "{:?}", built.logs),
        Err(failure) => assert_eq!(failure.cause, Cause::Source, "{failure:?}"),
    }
    let mut left: Vec<_> = fs::read_dir(job.home.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    left.sort();
    assert_eq!(left, ["job"]);
}

fn everything(built: &Built) -> String {
    let mut archive = zip::ZipArchive::new(fs::File::open(&built.archive).unwrap()).unwrap();
    let mut all = String::new();
    for at in 0..archive.len() {
        let mut bytes = Vec::new();
        archive.by_index(at).unwrap().read_to_end(&mut bytes).unwrap();
        all.push_str(&String::from_utf8_lossy(&bytes));
    }
    all
}

#[test]
fn s26_only_listed_protocols_are_asked() {
    let home = tempfile::tempdir().unwrap();
    let canary = home.path().join("canary");
    let touch = format!("touch {}", canary.display());
    let ask = |url: &str, protocols: &[Protocol]| {
        let source = JobSource::Git {
            url: url.to_owned(),
            branch: None,
            subdir: None,
            since: None,
            protocols: protocols.to_vec(),
            shown: Vec::new(),
        };
        Job::new(source).run().unwrap_err()
    };
    let all = [Protocol::Https, Protocol::Ssh, Protocol::File];
    let repository = Repository::new();
    for (url, protocols) in [
        (format!("file://{}", repository.path().display()), vec![Protocol::Https]),
        (repository.path().display().to_string(), vec![Protocol::Https, Protocol::Ssh]),
        (format!("ext::sh -c {touch}"), all.to_vec()),
        (format!("ssh://-oProxyCommand={}/x", touch.replace(' ', "%20")), all.to_vec()),
        (format!("-oProxyCommand={touch}@host:x"), all.to_vec()),
        (format!("--upload-pack={touch}"), all.to_vec()),
        ("http://127.0.0.1:9/x".to_owned(), all.to_vec()),
        ("git://127.0.0.1/x".to_owned(), all.to_vec()),
    ] {
        let failure = ask(&url, &protocols);
        assert_eq!(failure.cause, Cause::Source, "{url}: {failure:?}");
    }
    let failure = ask("https://someone:s3cr3tt0k3n@127.0.0.1:9/x.git", &all);
    assert!(!format!("{failure:?}").contains("s3cr3t"), "{failure:?}");
    assert!(!canary.exists());
}

#[test]
fn paths_name_pages() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), &SITE);
    let mut job = Job::new(JobSource::Folder { path: folder.path().to_owned() }).version("v1");
    job.work.paths = vec!["index".to_owned(), "guides/start".to_owned()];
    let built = job.run().unwrap();
    assert_eq!(built.pages, 2);
    assert_eq!(
        fs::read(&built.archive).unwrap(),
        by_command_line(folder.path(), "v1", &["--paths", "index", "guides/start"])
    );
    for path in ["guides/none", "guides/*", "snippets/note"] {
        job.work.paths = vec!["index".to_owned(), path.to_owned()];
        job.work.folder = job.home.path().join(path.replace(['/', '*'], "-"));
        let failure = job.run().unwrap_err();
        assert!(failure.cause == Cause::Content && failure.message.contains("is not a page"), "{failure:?}");
    }
}

#[test]
fn content_that_cannot_be_exported_says_why() {
    let folder = tempfile::tempdir().unwrap();
    Job::new(JobSource::Folder { path: folder.path().to_owned() }).fails(Cause::Content, "no pages");
    fs::write(folder.path().join("docs.json"), "{ no json").unwrap();
    Job::new(JobSource::Folder { path: folder.path().to_owned() }).fails(Cause::Content, "docs.json:1:");
    Job::new(JobSource::Folder { path: folder.path().join("nothing") }).fails(Cause::Source, "not there");
}

#[test]
fn bundles_are_for_the_groups_of_their_project() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), &SITE);
    write(folder.path(), &[("staff.mdx", "---\ntitle: Staff\ngroups: [staff]\n---\n\nText.\n")]);
    let job = || Job::new(JobSource::Folder { path: folder.path().to_owned() }).version("v1");
    assert_eq!(job().run().unwrap().pages, 3);
    let mut job = job();
    job.work.groups = vec!["staff".to_owned()];
    let built = job.run().unwrap();
    assert_eq!((built.pages, &manifest(&built)["options"]["groups"]), (4, &serde_json::json!(["staff"])));
    assert_eq!(fs::read(&built.archive).unwrap(), by_command_line(folder.path(), "v1", &["--group", "staff"]));
}
