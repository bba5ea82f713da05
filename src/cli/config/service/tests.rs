use super::*;
use bundle::BundleDeployment;
use service::tenant::{KeyScopes, ProjectSource};

const HASH: &str = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08";

fn read(text: &str) -> Result<ServiceConfig, Vec<String>> {
    read_with(text, &|_| None)
}

fn read_with(text: &str, variable: &dyn Fn(&str) -> Option<String>) -> Result<ServiceConfig, Vec<String>> {
    parse_service_config(text, Path::new("/etc/offprint.toml"), variable)
        .map_err(|problems| problems.iter().map(ConfigProblem::to_string).collect())
}

/// Reads a text that is wrong in one way.
#[track_caller]
fn check(text: &str, place: &str, part: &str) {
    match read(text) {
        Ok(_) => panic!("accepted: {text}"),
        Err(problems) => {
            assert_eq!(problems.len(), 1, "{problems:#?}");
            let expect = format!("/etc/offprint.toml{place}: ");
            assert!(
                problems[0].starts_with(&expect) && problems[0].contains(part),
                "{problems:?} instead of {expect} … {part}"
            );
        }
    }
}

/// The example of the contract, section 11, word for word but for what it leaves out in comments.
fn contract() -> String {
    format!(
        r#"
[server]
listen = "127.0.0.1:8080"
public_url = "https://api.docs.example"
preview_url = "https://{{slug}}.preview.example"
data_dir = "/var/lib/offprint"
trusted_proxies = ["10.0.0.0/8"]
metrics_listen = "127.0.0.1:9090"

[bundles]
link_ttl_seconds = 3600
retention_seconds = 2592000
keep_last = 10
signing_key = "{HASH}"
previous_signing_keys = []

[storage]
url = "s3://bucket/prefix"

[git]
allow_protocols = ["https"]

[limits]
previews_per_minute = 5
exports_running = 2
exports_queued = 20
agent_calls_per_hour = 100
auth_failures_per_minute = 30
job_seconds = 600

[agent]
command = ["/usr/local/bin/docs-agent"]
model = "default"
timeout_seconds = 1800
archive_after_seconds = 2592000

[[organizations]]
id = "acme"
plan = {{ static_export = true, preview = true, agent = true }}
limits = {{ previews_per_minute = 7 }}

[[organizations.keys]]
id = "ci"
hash = "{HASH}"
scopes = ["read"]
expires_at = 2027-02-18T01:00:00+01:00
allow_ips = ["203.0.113.0/24", "2001:db8::/32"]

[[projects]]
id = "acme-docs"
organization = "acme"
domain = "Docs.Acme.example"
source = {{ git = "https://git.example/acme/docs.git", branch = "main", subdir = "docs" }}
deployment = "cloud"
groups = ["staff", "partners", "staff"]
features = {{ offline_search = true }}

[[projects]]
id = "folder"
organization = "acme"
domain = "folder.acme.example"
source = {{ path = "acme-docs" }}
deployment = "air-gapped"
optimize_png = true

[[projects]]
id = "archive"
organization = "acme"
domain = "archive.acme.example"
source = {{ archive_url = "https://files.example/acme-docs.zip", from = "mkdocs" }}
"#
    )
}

#[test]
fn the_contracts_example_is_read() {
    let service = read(&contract()).unwrap_or_else(|problems| panic!("{problems:#?}"));
    assert_eq!(service.listen.to_string(), "127.0.0.1:8080");
    assert_eq!(service.preview_url.as_ref().unwrap().url("x"), "https://x.preview.example");
    assert_eq!(service.data_dir, Some("/var/lib/offprint".into()));
    assert_eq!(service.signing_keys.len(), 1);
    assert_eq!(service.storage_url.unwrap().as_str(), "s3://bucket/prefix");
    assert_eq!(service.agent.command, ["/usr/local/bin/docs-agent"]);
    let acme = service.directory.organization("acme").unwrap();
    assert!(acme.plan.static_export && acme.plan.preview && acme.plan.agent);
    assert_eq!((acme.limits.previews_per_minute, acme.limits.exports_running, acme.limits.keep_last), (7, 2, 10));
    let docs = service.directory.project_of_domain("acme", "docs.acme.example").unwrap();
    assert_eq!((docs.id.as_str(), docs.deployment), ("acme-docs", BundleDeployment::Cloud));
    // a search needs a service, which the example does not name
    assert!(!docs.features.search && docs.features.playground && docs.features.offline_search);
    assert_eq!(docs.groups, ["partners", "staff"]);
    assert_eq!(
        service.directory.project("acme", "folder").unwrap().source,
        ProjectSource::Folder("/etc/acme-docs".into())
    );
    let optimize_png = |id| service.directory.project("acme", id).unwrap().optimize_png;
    assert!(!optimize_png("acme-docs") && optimize_png("folder"));
    let from = |id| service.directory.project("acme", id).unwrap().from;
    assert_eq!((from("folder"), from("archive")), (None, Some("mkdocs")));
    let air_gapped = service.directory.project("acme", "folder").unwrap().features;
    assert!(!air_gapped.search && !air_gapped.playground && air_gapped.offline_search);
}

#[test]
fn an_empty_file_is_all_defaults() {
    let service = read("").unwrap_or_else(|problems| panic!("{problems:#?}"));
    assert_eq!(service.listen.to_string(), "127.0.0.1:8080");
    assert!(service.data_dir.is_none() && service.signing_keys.is_empty() && service.agent.command.is_empty());
    assert_eq!((service.auth_failures_per_minute, service.job_seconds, service.workers), (30, 600, None));
    assert_eq!(service.git_protocols, [Protocol::Https]);
    assert_eq!(service.isolation, Isolation::BestEffort);
}

#[test]
fn keys_of_links_may_stand_elsewhere() {
    let folder = tempfile::tempdir().unwrap();
    let (file, other) = (folder.path().join("key"), "b".repeat(64));
    std::fs::write(&file, format!("{other}\n")).unwrap();
    let text = |current: &str| {
        format!("[bundles]\nsigning_key = {current}\nprevious_signing_keys = [\"{HASH}\", {{ file = {file:?} }}]")
    };
    let variable = |name: &str| (name == "LINK_KEY").then(|| "a".repeat(64));
    let service =
        read_with(&text("{ env = \"LINK_KEY\" }"), &variable).unwrap_or_else(|problems| panic!("{problems:#?}"));
    let expect = ["a".repeat(64), HASH.to_owned(), other].map(|hex| base::hex::from_hex(&hex).unwrap());
    assert_eq!(service.signing_keys, expect);
    check("[bundles]\nsigning_key = { env = \"LINK_KEY\" }", ":2:15", "no variable `LINK_KEY`");
    check("[bundles]\nsigning_key = { file = \"/nowhere/key\" }", ":2:15", "`/nowhere/key` cannot be read");
    check("[bundles]\nsigning_key = 7", ":2:15", "`{ file = \"path\" }`");
}

#[test]
fn isolation_is_one_of_three() {
    for (name, isolation) in Isolation::NAMES {
        let service =
            read(&format!("[server]\nisolation = \"{name}\"")).unwrap_or_else(|problems| panic!("{problems:#?}"));
        assert_eq!(service.isolation, isolation);
    }
    check("[server]\nisolation = \"strict\"", ":2:13", "`best-effort`, `require`, `off`");
}

#[test]
fn unknown_keys_name_those_that_are() {
    check("[server]\nlissten = \"x\"", ":2:1", "expected one of `listen`, `public_url`");
    check("[sever]", ":1:2", "expected one of `server`");
    check(
        "[[organizations]]\nid = \"a\"\nplan = { preveiw = true }",
        ":3:10",
        "expected one of `static_export`, `preview`, `agent`",
    );
    check("[[organizations]]\nid = \"a\"\nlimits = { job_seconds = 1 }", ":3:12", "unknown field `job_seconds`");
    check("[server\n", ":1:8", "");
    check("[limits]\njob_seconds = \"x\"", ":2:15", "expected u64");
    check("[limits]\njob_seconds = -1", ":2:15", "expected u64");
    check("[[organizations]]\nplan = {}", ":1:1", "missing field `id`");
}

#[test]
fn values_say_what_would_be_right() {
    check("[server]\nlisten = \"8080\"", ":2:10", "127.0.0.1:8080");
    check("[server]\npublic_url = \"https://a.example/x\"", ":2:14", "scheme and host only");
    check("[server]\npreview_url = \"https://preview.example\"", ":2:15", "{slug}");
    check(
        "[server]\npublic_url = \"https://api.p.example\"\npreview_url = \"https://{slug}.p.example\"",
        ":3:15",
        "a domain of their own",
    );
    check("[server]\ntrusted_proxies = [\"0.0.0.0/0\"]", ":2:19", "every address");
    check("[server]\nworkers = 0", ":2:11", "one for each core");
    check("[previews]\naccess = \"password\"", ":2:10", "none of `link`, `key`, `basic`");
    check("[previews]\naccess = \"basic\"", ":2:10", "it needs `readers`");
    check("[previews]\naccess = \"basic\"\nreaders = \"nowhere\"", ":3:11", "cannot read the readers");
    check("[previews]\nreaders = \"nowhere\"", ":2:11", "only `access = \"basic\"`");
    check("[server]\nworkers = 1025", ":2:11", "from 1 to 1024");
    check("[bundles]\nlink_ttl_seconds = 0", ":2:20", "604800");
    check("[bundles]\nlink_ttl_seconds = 604801", ":2:20", "604800");
    check("[bundles]\nsigning_key = \"abc\"", ":2:15", "64 lower-case");
    check(&format!("[bundles]\nprevious_signing_keys = [\"{HASH}\"]"), ":2:25", "need a current `signing_key`");
    check("[storage]\nurl = \"gs://bucket\"", ":2:7", "s3://bucket/prefix");
    check("[storage]\nurl = \"s3://b\"\ncache_bytes = 1", ":3:15", "at least 67108864");
    check("[store]\nurl = \"postgres://us@db/store\"", ":2:7", "`[storage] url` is missing");
    let storage = "[storage]\nurl = \"s3://b\"\n[store]\nurl = ";
    check(&format!("{storage}\"mysql://us:secret@db/store\""), ":4:7", "postgres://user@host/database");
    check(&format!("{storage}\"postgres://us:secret@db/store?sslmode=prefer\""), ":4:7", "none of `disable`");
    check("[git]\nallow_protocols = [\"ext\"]", ":2:19", "`https`, `ssh`, `file`");
    check("[agent]\ntimeout_seconds = 0", ":2:19", "1 second");
}

const ACME: &str = "[[organizations]]\nid = \"acme\"\n";

#[test]
fn organizations_and_keys_are_one_of_a_kind() {
    check("[[organizations]]\nid = \"a b\"", ":2:6", "no id");
    check(&format!("{ACME}{ACME}"), ":4:6", "already");
    let key = |id: &str, rest: &str| format!("[[organizations.keys]]\nid = \"{id}\"\nhash = \"{HASH}\"\n{rest}\n");
    check(&format!("{ACME}{}{}", key("a", ""), key("b", "")), ":9:8", "already");
    check(&format!("{ACME}[[organizations.keys]]\nid = \"a\"\nhash = \"{}\"", "A".repeat(64)), ":5:8", "offprint key");
    check(&format!("{ACME}{}", key("a", "scopes = [\"admin\"]")), ":6:10", "neither");
    check(&format!("{ACME}{}", key("a", "scopes = []")), ":6:10", "both");
    check(&format!("{ACME}{}", key("a", "allow_ips = [\"::/0\"]")), ":6:13", "every address");
    check(&format!("{ACME}{}", key("a", "expires_at = 2027-02-18T00:00:00")), ":6:14", "offset");
    let (token, hash) = service::tenant::generate().unwrap();
    let written = key("a", "scopes = [\"write\"]").replace(HASH, &base::hex::to_hex(&hash));
    let service = read(&format!("{ACME}{written}")).unwrap_or_else(|problems| panic!("{problems:#?}"));
    assert_eq!(service.directory.key(&token).map(|key| key.scopes), Some(KeyScopes::ALL));
}

#[test]
fn projects_have_one_source_and_one_domain() {
    let project = |rest: &str| format!("{ACME}[[projects]]\nid = \"p\"\norganization = \"acme\"\n{rest}\n");
    check(&project("domain = \"d.example\"\nsource = { }"), ":7:10", "exactly one");
    check(
        &project("domain = \"d.example\"\nsource = { path = \"a\", archive_url = \"https://b.example/\" }"),
        ":7:10",
        "exactly one",
    );
    check(&project("domain = \"d.example\"\nsource = { path = \"a\", branch = \"b\" }"), ":7:10", "neither");
    check(&project("domain = \"https://d.example\"\nsource = { path = \"a\" }"), ":6:10", "without `https://`");
    for (url, why) in [
        ("https://us:secret@files.example/docs.zip", "no user and no password"),
        ("https://us@files.example/docs.zip", "no user and no password"),
        ("http://169.254.169.254/docs.zip", "link-local"),
        ("http://[fe80::1]/docs.zip", "link-local"),
        ("http://2852039166/docs.zip", "link-local"),
    ] {
        let source = project(&format!("domain = \"d.example\"\nsource = {{ archive_url = \"{url}\" }}"));
        check(&source, ":7:26", why);
    }
    check(&project("domain = \"d.example\"\nsource = { git = \"ext::sh -c id\" }"), ":7:18", "unsupported protocol");
    check(
        &project("domain = \"d.example\"\nsource = { git = \"ssh://git@h.example/r\" }"),
        ":7:18",
        "does not have `ssh`",
    );
    check(
        &project("domain = \"d.example\"\nsource = { git = \"git@h.example:r\" }"),
        ":7:18",
        "`git.allow_protocols` does not have `ssh`",
    );
    check(&project("domain = \"d.example\"\nsource = { git = \"/srv/r\" }"), ":7:18", "does not have `file`");
    check(
        &project("domain = \"d.example\"\nsource = { git = \"https://h.example/r\", subdir = \"../x\" }"),
        ":7:50",
        "inside the source",
    );
    check(
        &project("domain = \"d.example\"\nsource = { path = \"a\", from = \"word\" }"),
        ":7:31",
        "no tool that can be read",
    );
    for branch in ["", "refs/heads/main", "-x", "a..b", "HEAD"] {
        check(
            &project(&format!(
                "domain = \"d.example\"\nsource = {{ git = \"https://h.example/r\", branch = \"{branch}\" }}"
            )),
            ":7:50",
            "not a valid branch name",
        );
    }
    check(
        &project("domain = \"d.example\"\nsource = { path = \"a\" }\ndeployment = \"clowd\""),
        ":8:14",
        "`cloud`, `client-hosted`, `air-gapped`",
    );
    check(&project("domain = \"d.example\"\nsource = { path = \"a\" }\ngroups = [\"*\"]"), ":8:10", "name a group");
    check(
        &project("domain = \"d.example\"\nsource = { path = \"a\" }\nfeatures = { search = false }"),
        ":8:23",
        "part of every cloud",
    );
    check(
        &project(
            "domain = \"d.example\"\nsource = { path = \"a\" }\ndeployment = \"air-gapped\"\nfeatures = { assistant = true }",
        ),
        ":9:26",
        "not available",
    );
    let hosted = |more: &str| {
        project(&format!("domain = \"d.example\"\nsource = {{ path = \"a\" }}\ndeployment = \"client-hosted\"\n{more}"))
    };
    check(&hosted("features = { search = true }"), ":9:23", "search needs an endpoint, the address of its service");
    check(&hosted("assistant_endpoint = \"javascript:x\""), ":9:22", "https://");
    check(
        &hosted("search_endpoint = \"https://s.example/\"").replace("client-hosted", "air-gapped"),
        ":9:19",
        "search is not available to air-gapped deployments, only to `cloud` and `client-hosted`",
    );
    let two = format!(
        "{}{}",
        project("domain = \"d.example\"\nsource = { path = \"a\" }"),
        "[[projects]]\nid = \"q\"\norganization = \"acme\"\ndomain = \"D.example\"\nsource = { path = \"b\" }"
    );
    check(&two, ":11:10", "another project");
    let public = format!(
        "[server]\npublic_url = \"https://d.example\"\n{}",
        project("domain = \"d.example\"\nsource = { path = \"a\" }")
    );
    check(&public, ":8:10", "the service itself");
    check(
        "[[projects]]\nid = \"p\"\norganization = \"nobody\"\ndomain = \"d.example\"\nsource = { path = \"a\" }",
        ":3:16",
        "no organization",
    );
}

#[test]
fn everything_wrong_is_told_at_once_in_the_order_of_the_file() {
    let Err(problems) = read("[server]\nlisten = \"x\"\npublic_url = \"y\"\n[git]\nallow_protocols = [\"z\"]") else {
        panic!("accepted")
    };
    let lines: Vec<_> = problems.iter().map(|problem| problem.split(':').nth(1).unwrap_or_default()).collect();
    assert_eq!(lines, ["2", "3", "5"]);
}

#[test]
fn variables_take_the_place_of_keys() {
    let variables = [
        ("OFFPRINT_SERVER_LISTEN", "[::1]:1"),
        ("OFFPRINT_LIMITS_JOB_SECONDS", "7"),
        ("OFFPRINT_SERVER_WORKERS", "3"),
        ("OFFPRINT_GIT_ALLOW_PROTOCOLS", "https, file"),
        ("OFFPRINT_BUNDLES_SIGNING_KEY", HASH),
        ("OFFPRINT_LIMITS_EXPORTS_QUEUED", "0"),
        ("OFFPRINT_CONSOLE_ENABLED", "true"),
        ("OFFPRINT_AUDIT_LOG", "stdout"),
        ("OFFPRINT_AUDIT_READS", "true"),
    ];
    let variable =
        |name: &str| variables.iter().find(|(other, _)| *other == name).map(|(_, value)| (*value).to_owned());
    let service = read_with("[server]\nlisten = \"0.0.0.0:80\"\n[[organizations]]\nid = \"a\"", &variable)
        .unwrap_or_else(|problems| panic!("{problems:#?}"));
    assert_eq!(
        (service.listen.to_string().as_str(), service.job_seconds, service.signing_keys.len()),
        ("[::1]:1", 7, 1)
    );
    assert_eq!((service.git_protocols, service.workers), (vec![Protocol::Https, Protocol::File], NonZeroUsize::new(3)));
    assert_eq!(service.directory.organization("a").unwrap().limits.exports_queued, 0);
    assert!(service.has_console && service.audit.unwrap().reads);
    let wrong = |name: &str| (name == "OFFPRINT_LIMITS_JOB_SECONDS").then(|| "x".to_owned());
    assert_eq!(
        read_with("", &wrong).err(),
        Some(vec!["/etc/offprint.toml: OFFPRINT_LIMITS_JOB_SECONDS: `x` is no number".to_owned()])
    );
}

#[test]
fn every_key_that_is_documented_has_its_variable() {
    let asked = std::cell::RefCell::new(std::collections::BTreeSet::new());
    let variable = |name: &str| {
        asked.borrow_mut().insert(name.to_owned());
        None
    };
    read_with("", &variable).unwrap();
    let page = include_str!("../../../../fixtures/docs/service/configuration.mdx");
    let (mut table, mut keys) = ("", 0);
    for line in page.lines().map(str::trim) {
        if let Some(title) = line.strip_prefix("<Accordion title=\"[") {
            table = title.split(']').next().unwrap();
        }
        let Some(key) = line.strip_prefix("| `").and_then(|row| row.split('`').next()).filter(|_| !table.is_empty())
        else {
            continue;
        };
        let key = if key.contains('.') { key.to_owned() } else { format!("{table}.{key}") };
        let name = format!("OFFPRINT_{}", key.replace('.', "_").to_ascii_uppercase());
        assert!(asked.borrow().contains(&name), "`{key}` has no variable {name}");
        keys += 1;
    }
    assert!(keys > 35, "{keys}");
}
