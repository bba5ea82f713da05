//! The configuration of nginx that the documentation gives, before a real service: TLS with a wildcard certificate,
//! addresses of clients, streams, previews. Needs nginx, openssl and curl.

use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use crate::service::server::{Server, git_source, key, organization_with, repository, wait};

const PAGE: &str = include_str!("../../fixtures/docs/service/operation.mdx");
const PLAN: &str = "static_export = true, preview = true";

fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

/// A block of code of the page, by its language.
fn block(language: &str) -> String {
    let start = format!("```{language} ");
    let from = PAGE.lines().skip_while(|line| !line.trim_start().starts_with(&start)).skip(1);
    let lines: Vec<&str> = from.take_while(|line| line.trim() != "```").map(str::trim_start).collect();
    assert!(lines.len() > 3, "the page has a block of {language}");
    lines.join("\n")
}

/// nginx, which ends with the test.
struct Nginx {
    child: Child,
    folder: tempfile::TempDir,
    port: u16,
}

impl Drop for Nginx {
    fn drop(&mut self) {
        let _ = Command::new("kill").arg(self.child.id().to_string()).status();
        let _ = self.child.wait();
    }
}

impl Nginx {
    fn start(service: u16) -> Self {
        let (folder, port) = (tempfile::tempdir().unwrap(), free_port());
        let place = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
        let openssl = Command::new("openssl")
            .args(["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"])
            .args(["-days", "2", "-subj", "/CN=docs.example", "-addext"])
            .arg("subjectAltName=DNS:api.docs.example,DNS:*.preview.example,DNS:docs.acme.example")
            .args(["-keyout", &place("privkey.pem"), "-out", &place("fullchain.pem")])
            .output();
        assert!(openssl.unwrap().status.success());
        let site = block("nginx")
            .lines()
            .filter(|line| !line.contains("[::]"))
            .map(|line| format!("{line}\n"))
            .collect::<String>()
            .replace("127.0.0.1:8080", &format!("127.0.0.1:{service}"))
            .replace("listen 80;", &format!("listen 127.0.0.1:{};", free_port()))
            .replace("listen 443 ", &format!("listen 127.0.0.1:{port} "))
            .replace("/etc/ssl/offprint/", &format!("{}/", folder.path().display()));
        let scratch: String = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
            .map(|kind| format!("{kind}_temp_path {};\n", place(kind)))
            .concat();
        let user = if Path::new("/proc/self").exists() && is_root() { "user root;\n" } else { "" };
        std::fs::write(
            place("nginx.conf"),
            format!(
                "{user}daemon off;\nworker_processes 1;\npid {};\nerror_log stderr;\nevents {{}}\nhttp {{\naccess_log off;\n{scratch}{site}}}\n",
                place("pid")
            ),
        )
        .unwrap();
        let path = format!("{}:/usr/sbin", std::env::var("PATH").unwrap_or_default());
        let mut nginx = Command::new("nginx");
        nginx.env("PATH", path).args(["-c", &place("nginx.conf"), "-e", "stderr"]).stdin(Stdio::null());
        let child = nginx.spawn().expect("nginx is installed: apt-get install nginx");
        let nginx = Self { child, folder, port };
        wait("nginx to listen", || std::net::TcpStream::connect(("127.0.0.1", port)).ok());
        nginx
    }

    /// What a client gets at an address, with its status on a line of its own at the end.
    fn curl(&self, address: &str, arguments: &[&str]) -> String {
        let certificate = self.folder.path().join("fullchain.pem");
        let output = Command::new("curl")
            .args(["-sS", "--max-time", "60", "--connect-to", &format!("::127.0.0.1:{}", self.port), "--cacert"])
            .arg(certificate)
            .args(["-w", "\n%{http_code}", "--noproxy", "*"])
            .args(arguments)
            .arg(address)
            .output()
            .expect("curl is installed");
        assert!(output.status.success(), "{address}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    }
}

fn is_root() -> bool {
    Command::new("id").arg("-u").output().unwrap().stdout.trim_ascii() == b"0"
}

fn text(json: &str, name: &str) -> String {
    let body = json.rsplit_once('\n').unwrap().0;
    let value: serde_json::Value = serde_json::from_str(body).unwrap_or_else(|error| panic!("{error}: {json}"));
    value[name].as_str().unwrap_or_else(|| panic!("{name}: {json}")).to_owned()
}

#[test]
fn the_documented_proxy_serves_api_previews_and_sites() {
    let server = Server::start(|folder| {
        let source = git_source(&repository(&folder.join("git")));
        let acme = organization_with("acme", PLAN, "", "", &source).replace("acme.example", "docs.acme.example");
        let here = organization_with("here", PLAN, "", "allow_ips = [\"127.0.0.2\"]", &source);
        format!(
            "[server]\npublic_url = \"https://api.docs.example\"\npreview_url = \"https://{{slug}}.preview.example\"\n\
             trusted_proxies = [\"127.0.0.1\"]\n\n[git]\nallow_protocols = [\"file\"]\n\n[console]\nenabled = true\n\n{acme}{here}"
        )
    });
    let nginx = Nginx::start(server.port);
    let bearer = |name: &str| format!("Authorization: Bearer {}", key(name));
    let (acme, here, json) = (bearer("acme"), bearer("here"), "Content-Type: application/json");
    let jobs = "https://api.docs.example/v1/static-export/jobs";
    // lists of addresses are about clients, whatever they say of themselves
    assert!(nginx.curl(jobs, &["--interface", "127.0.0.2", "-H", &here]).ends_with("\n200"));
    assert!(nginx.curl(jobs, &["-H", &here]).ends_with("\n403"));
    assert!(nginx.curl(jobs, &["-H", &here, "-H", "X-Forwarded-For: 127.0.0.2"]).ends_with("\n403"));

    let started = nginx.curl(jobs, &["-H", &acme, "-H", json, "-d", "{\"domain\":\"docs.acme.example\"}"]);
    let job = format!("{jobs}/{}", text(&started, "jobId"));
    let events = nginx.curl(&format!("{job}/events"), &["-N", "-H", &acme]);
    assert!(events.contains("event: completed"), "{events}");
    let bundle = nginx.curl(&format!("{job}/bundle"), &["-X", "POST", "-H", &acme]);
    let link = text(&bundle, "bundleUrl");
    assert!(link.starts_with("https://api.docs.example/bundles/"), "{link}");
    assert!(nginx.curl(&link, &["-o", "/dev/null"]).ends_with("200"));

    let trigger = ["-H", &acme, "-H", json, "-d", "{\"branch\":\"main\"}"];
    let preview = nginx.curl("https://api.docs.example/v1/project/preview/acme-docs", &trigger);
    assert_eq!(server.deployed("acme", &text(&preview, "statusId"))["status"], "success");
    assert!(nginx.curl(&text(&preview, "previewUrl"), &[]).contains("Home"));
    let update = nginx.curl("https://api.docs.example/v1/project/update/acme-docs", &["-X", "POST", "-H", &acme]);
    assert_eq!(server.deployed("acme", &text(&update, "statusId"))["status"], "success");
    assert!(nginx.curl("https://docs.acme.example/guides/start", &[]).contains("Start"));

    let form = format!("key={}", key("acme"));
    let login = ["-i", "-H", "Origin: https://api.docs.example", "-d", &form];
    let console = nginx.curl("https://api.docs.example/console/login", &login);
    assert!(console.contains("; Secure") && console.ends_with("\n303"), "{console}");
}
