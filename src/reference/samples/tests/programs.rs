//! Samples run as programs: what a server receives is what the request says.

use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;
use url::form_urlencoded;

use self::Programs::{All, Each};
use super::received::{Received, ReceivedPart, Server};
use super::{SampleBody, SampleRequest, bodies, language, request, write_sample};
use crate::request::PartValue;
use crate::samples::native;

/// The files that requests send.
const FILES: [(&str, &[u8]); 2] = [("proof.pdf", b"%PDF-1.7 \xff\r\n--"), ("b.png", b"\x89PNG\r\n\x1a\n\0")];

/// How the texts of samples run in a folder.
#[derive(Clone, Copy)]
enum Programs {
    /// One after the other.
    Each(fn(&Path, &str) -> Output),
    /// Built together.
    All(fn(&Path, &[String]) -> Vec<Output>),
}

fn output(folder: &Path, program: &str, arguments: &[&str]) -> Output {
    let mut command = Command::new(program);
    for name in ["http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"] {
        command.env_remove(name);
    }
    command.current_dir(folder).args(arguments).env("GO111MODULE", "off").env("GOCACHE", folder.join("cache"));
    command.output().unwrap_or_else(|error| panic!("{program} is needed to test samples: {error}"))
}

fn write(folder: &Path, name: &str, text: &str) {
    std::fs::write(folder.join(name), text).expect("a file");
}

fn bash(folder: &Path, text: &str) -> Output {
    output(folder, "bash", &["-c", &text.replacen("curl ", "curl --silent --show-error --noproxy '*' ", 1)])
}

fn python(folder: &Path, text: &str) -> Output {
    write(folder, "requests.py", include_str!("requests.py"));
    write(folder, "sample.py", text);
    output(folder, "python3", &["sample.py"])
}

fn node(folder: &Path, text: &str) -> Output {
    write(folder, "sample.mjs", text);
    output(folder, "node", &["sample.mjs"])
}

fn browser(folder: &Path, text: &str) -> Output {
    let input = "import { readFileSync } from \"node:fs\";\n\
                 const files = [\"proof.pdf\", \"b.png\"].map((name) => new Blob([readFileSync(name)]));\n\
                 globalThis.document = { querySelector: () => ({ files }) };\n";
    // the only file of a page is the first that its reader chooses
    let text = text.replace("body: input.files[0]", "body: await input.files[1].arrayBuffer()");
    node(folder, &format!("{input}{text}"))
}

fn typescript(folder: &Path, text: &str) -> Output {
    node(folder, &text.replace(": RequestInit =", " =").replace(": Response =", " =").replace(": string =", " ="))
}

fn php(folder: &Path, text: &str) -> Output {
    write(folder, "sample.php", text);
    output(folder, "php", &["sample.php"])
}

fn ruby(folder: &Path, text: &str) -> Output {
    write(folder, "sample.rb", text);
    output(folder, "ruby", &["sample.rb"])
}

fn go(folder: &Path, text: &str) -> Output {
    write(folder, "sample.go", text);
    output(folder, "go", &["run", "sample.go"])
}

fn java(folder: &Path, texts: &[String]) -> Vec<Output> {
    // each program lives for a moment: the second compiler takes more time than it saves
    const FAST: &str = "-XX:TieredStopAtLevel=1";
    let names: Vec<String> = (0..texts.len()).map(|number| format!("Sample{number}")).collect();
    for (name, text) in names.iter().zip(texts) {
        let (imports, code): (Vec<_>, Vec<_>) = text.lines().partition(|line| line.starts_with("import "));
        let start = format!("class {name} {{ public static void main(String[] arguments) throws Exception {{");
        let program = format!("{}\n{start}\n{}\n}} }}\n", imports.join("\n"), code.join("\n"));
        write(folder, &format!("{name}.java"), &program);
    }
    // all at once: the compiler takes longer to start than for any of them
    let files: Vec<String> = names.iter().map(|name| format!("{name}.java")).collect();
    let option = format!("-J{FAST}");
    let arguments: Vec<&str> = [option.as_str()].into_iter().chain(files.iter().map(String::as_str)).collect();
    let built = output(folder, "javac", &arguments);
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    names.iter().map(|name| output(folder, "java", &[FAST, "-cp", ".", name])).collect()
}

fn c(folder: &Path, text: &str) -> Output {
    write(folder, "sample.c", text);
    let built = output(folder, "cc", &["-Wall", "-Werror", "sample.c", "-o", "sample", "-lcurl"]);
    if built.status.success() { output(folder, "./sample", &[]) } else { built }
}

fn powershell(folder: &Path, text: &str) -> Output {
    write(folder, "sample.ps1", text);
    output(folder, "pwsh", &["-NoProfile", "-File", "sample.ps1"])
}

/// A sample, and the server that waits for what it sends.
struct Sample {
    kind: &'static str,
    request: SampleRequest,
    text: String,
    server: Server,
}

const TARGET: &str = "/v1/orders/a%20b?limit=10&tag=%5Ba%5D";

impl Sample {
    fn new(name: &str, kind: &'static str, method: &str, body: SampleBody) -> Self {
        let mut request = request(method, "", body);
        if method == "DELETE" {
            request.headers.retain(|(name, _)| name != "Authorization");
            request.basic = Some(("user".to_owned(), "it's $5".to_owned()));
            request.cookies = vec![("session".to_owned(), "a1".to_owned()), ("b".to_owned(), "2".to_owned())];
        }
        let server = Server::start();
        request.url = format!("http://{}{TARGET}", server.address);
        let text = write_sample(language(name), &request);
        Self { kind, request, text, server }
    }
}

/// Sends every kind of request, and compares.
fn check(name: &str, programs: Programs, without: &[&str]) {
    let folder = tempfile::tempdir().expect("a folder");
    for (file, content) in FILES {
        std::fs::write(folder.path().join(file), content).expect("a file");
    }
    let mut samples = Vec::new();
    for (kind, body) in bodies() {
        if without.contains(&kind) {
            continue;
        }
        let methods: &[&str] = match (kind, name) {
            ("empty", "javascript" | "node" | "typescript") => &["GET", "HEAD", "DELETE", "OPTIONS"],
            ("empty", _) => &["GET", "HEAD", "DELETE", "OPTIONS", "PURGE"],
            ("json patch", _) => &["PATCH"],
            ("file", _) => &["PUT"],
            _ => &["POST"],
        };
        samples.extend(methods.iter().map(|method| Sample::new(name, kind, method, body.clone())));
    }
    let texts: Vec<String> = samples.iter().map(|sample| sample.text.clone()).collect();
    let outputs = match programs {
        Each(run) => texts.iter().map(|text| run(folder.path(), text)).collect(),
        All(run) => run(folder.path(), &texts),
    };
    assert_eq!(outputs.len(), samples.len());
    for (sample, output) in samples.into_iter().zip(outputs) {
        compare(name, sample, &output);
    }
}

/// Compares what the server of a sample has received with its request.
fn compare(name: &str, Sample { kind, request, text, server }: Sample, output: &Output) {
    let error = String::from_utf8_lossy(&output.stderr);
    let at = format!("{name} {} {kind}\n{text}\n{error}", request.method);
    let received = server.finish().unwrap_or_else(|| panic!("nothing was sent: {at}"));
    assert!(output.status.success(), "{at}");
    assert_eq!((received.method.as_str(), received.target.as_str()), (request.method.as_str(), TARGET), "{at}");
    for (name, value) in &request.headers {
        assert_eq!(received.header(&name.to_lowercase()), value, "{at}");
    }
    if request.basic.is_some() {
        assert_eq!(received.header("authorization"), "Basic dXNlcjppdCdzICQ1", "{at}");
        // a page cannot say which cookies it sends
        if name != "javascript" {
            assert_eq!(received.header("cookie"), "session=a1; b=2", "{at}");
        }
    }
    compare_bodies(&request.body, &received, &at);
}

fn compare_bodies(body: &SampleBody, received: &Received, at: &str) {
    let media = |expected: &str| {
        let sent = received.header("content-type");
        assert!(sent == expected || sent.split(';').next() == Some(expected), "{sent} is not {expected}: {at}");
    };
    match body {
        SampleBody::Empty => assert!(received.body.is_empty(), "{at}"),
        SampleBody::Json(expected, value) => {
            media(expected);
            let sent: Value = serde_json::from_slice(&received.body).unwrap_or_else(|error| panic!("{error}: {at}"));
            assert_eq!(&sent, value, "{at}");
        }
        SampleBody::Form(pairs) => {
            media("application/x-www-form-urlencoded");
            let sent: Vec<_> = form_urlencoded::parse(&received.body).into_owned().collect();
            let sorted = |mut pairs: Vec<(String, String)>| {
                pairs.sort();
                pairs
            };
            assert_eq!(sorted(sent), sorted(pairs.clone()), "{at}");
        }
        SampleBody::Multipart(parts) => {
            media("multipart/form-data");
            let mut sent = received.parts();
            sent.sort_by(|a, b| a.name.cmp(&b.name));
            let mut expected: Vec<_> = parts.iter().map(|part| expected_part(&part.name, &part.value)).collect();
            expected.sort_by(|a, b| a.name.cmp(&b.name));
            for part in expected.iter_mut().chain(&mut sent).filter(|part| part.name == "meta") {
                let value: Value =
                    serde_json::from_slice(&part.content).unwrap_or_else(|error| panic!("{error}: {at}"));
                part.content = value.to_string().into_bytes();
            }
            assert_eq!(sent, expected, "{at}");
        }
        SampleBody::Text(expected, text) => {
            media(expected);
            assert_eq!(String::from_utf8_lossy(&received.body), *text, "{at}");
        }
        SampleBody::File(expected, name) => {
            media(expected);
            assert_eq!(received.body, file_content(name), "{at}");
        }
    }
}

fn file_content(name: &str) -> Vec<u8> {
    FILES.iter().find(|(file, _)| *file == name).expect("a file of the test").1.to_vec()
}

fn expected_part(name: &str, value: &PartValue) -> ReceivedPart {
    let name = name.to_owned();
    match value {
        PartValue::Text(text) => ReceivedPart { name, file: None, content: text.clone().into_bytes() },
        PartValue::Json(value) => ReceivedPart { name, file: None, content: native::compact(value).into_bytes() },
        PartValue::File(file) => ReceivedPart { name, file: Some(file.clone()), content: file_content(file) },
    }
}

/// The same where the tool is not one that `tests/run` installs: says why where there is none.
fn check_where_installed(name: &str, probe: &[&str], programs: Programs, without: &[&str]) {
    let found = Command::new(probe[0]).args(&probe[1..]).output().is_ok_and(|output| output.status.success());
    if found {
        check(name, programs, without);
    } else {
        println!("skipped: `{}` does not run here", probe.join(" "));
    }
}

#[test]
fn curl_sends_the_request() {
    check("curl", Each(bash), &[]);
}

#[test]
fn python_sends_the_request() {
    check("python", Each(python), &["form without fields"]);
}

#[test]
fn javascript_sends_the_request() {
    check("javascript", Each(browser), &[]);
}

#[test]
fn node_sends_the_request() {
    check("node", Each(node), &[]);
}

#[test]
fn typescript_sends_the_request() {
    check("typescript", Each(typescript), &[]);
}

#[test]
fn php_sends_the_request() {
    check_where_installed("php", &["php", "-r", "curl_init();"], Each(php), &[]);
}

#[test]
fn ruby_sends_the_request() {
    check_where_installed("ruby", &["ruby", "-v"], Each(ruby), &[]);
}

#[test]
fn go_sends_the_request() {
    check_where_installed("go", &["go", "version"], Each(go), &[]);
}

#[test]
fn java_sends_the_request() {
    check_where_installed("java", &["javac", "-version"], All(java), &[]);
}

#[test]
fn c_sends_the_request() {
    check_where_installed("c", &["curl-config", "--version"], Each(c), &[]);
}

#[test]
fn powershell_sends_the_request() {
    check_where_installed("powershell", &["pwsh", "-v"], Each(powershell), &[]);
}
