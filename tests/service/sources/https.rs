//! A repository over https, as most are: a server with a certificate of its own authority, before the `http-backend` of
//! the real `git`.

use std::fs;
use std::net::{SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex};

use axum::body::{Body, Bytes, to_bytes};
use axum::http::{HeaderMap, Request, Response};
use base64::Engine as _;
use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use offprint::fetch::git::Protocol;
use offprint::service::job::child::{Cause, ChildProgress, JobSource};
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tempfile::TempDir;

use super::{Job, Repository, git, page, runtime};

/// What a client has to say to be let in.
const USER: &str = "robot";
const TOKEN: &str = "s3cr3t/t0k3n";

/// A server with a certificate of its own.
pub(super) struct Server {
    pub(super) address: SocketAddr,
    pub(super) authority: PathBuf,
    _home: TempDir,
    _runtime: tokio::runtime::Runtime,
}

impl Server {
    /// A server of the repositories in a folder, for those who know the token.
    fn start(projects: &Path) -> Self {
        let projects = projects.to_owned();
        Self::of(move |request| answer(request, projects.clone()).boxed())
    }

    /// A server that answers as it is told.
    pub(super) fn of(
        answer: impl Fn(Request<Incoming>) -> BoxFuture<'static, Response<Body>> + Clone + Send + 'static,
    ) -> Self {
        let home = TempDir::with_prefix("offprint-https-").unwrap();
        let (certificate, key) = (home.path().join("cert.pem"), home.path().join("key.pem"));
        let status = Command::new("openssl")
            .args([
                "req",
                "-x509",
                "-newkey",
                "ec",
                "-pkeyopt",
                "ec_paramgen_curve:prime256v1",
                "-nodes",
                "-days",
                "2",
                "-subj",
                "/CN=test",
                "-addext",
                "subjectAltName=IP:127.0.0.1",
            ])
            .args(["-addext", "basicConstraints=critical,CA:FALSE"])
            .arg("-keyout")
            .arg(&key)
            .arg("-out")
            .arg(&certificate)
            .stderr(Stdio::null())
            .status()
            .unwrap();
        assert!(status.success());
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let chain = CertificateDer::pem_file_iter(&certificate).unwrap().map(Result::unwrap).collect();
        let config = rustls::ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_no_client_auth();
        let config = config.with_single_cert(chain, PrivateKeyDer::from_pem_file(&key).unwrap()).unwrap();
        let acceptor = tokio_rustls::TlsAcceptor::from(Arc::new(config));
        let runtime = runtime();
        let listener = runtime.block_on(tokio::net::TcpListener::bind("127.0.0.1:0")).unwrap();
        let address = listener.local_addr().unwrap();
        runtime.spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let (acceptor, answer) = (acceptor.clone(), answer.clone());
                tokio::spawn(async move {
                    let Ok(stream) = acceptor.accept(stream).await else { return };
                    let answer = service_fn(move |request| answer(request).map(Ok::<_, std::convert::Infallible>));
                    let _ =
                        hyper::server::conn::http1::Builder::new().serve_connection(TokioIo::new(stream), answer).await;
                });
            }
        });
        Self { address, authority: certificate, _home: home, _runtime: runtime }
    }

    fn job(&self, credentials: &str, path: &str) -> Job {
        let url = format!("https://{credentials}{}{path}", self.address);
        let mut job = Job::new(JobSource::Git {
            url,
            branch: Some("main".to_owned()),
            subdir: Some("docs".to_owned()),
            since: None,
            protocols: vec![Protocol::Https],
            shown: Vec::new(),
        });
        job.limits.certificates = Some(self.authority.clone());
        job.work.allow_private = vec![self.address.to_string()];
        job
    }
}

/// One request of somebody who has to know the token.
async fn answer(request: Request<Incoming>, projects: PathBuf) -> Response<Body> {
    let plain = |status: u16| Response::builder().status(status);
    if let Some(target) = request.uri().path().strip_prefix("/moved") {
        return plain(302)
            .header("location", format!("{target}?{}", request.uri().query().unwrap_or_default()))
            .body(Body::empty())
            .unwrap();
    }
    let expect = format!("Basic {}", base64::engine::general_purpose::STANDARD.encode(format!("{USER}:{TOKEN}")));
    if request.headers().get("authorization").is_none_or(|given| given.as_bytes() != expect.as_bytes()) {
        return plain(401).header("www-authenticate", "Basic realm=\"git\"").body(Body::empty()).unwrap();
    }
    let path = request.uri().path().to_owned();
    by_git(request, path, projects).await
}

/// The answer of the real `git http-backend`, by its gateway interface.
pub(super) async fn by_git(request: Request<Incoming>, path: String, projects: PathBuf) -> Response<Body> {
    let (parts, body) = request.into_parts();
    let body = to_bytes(Body::new(body), 1 << 20).await.unwrap();
    let query = parts.uri.query().unwrap_or_default().to_owned();
    let output = tokio::task::spawn_blocking(move || {
        gateway(&projects, parts.method.as_str(), &path, &query, &parts.headers, &body)
    })
    .await
    .unwrap();
    let split = memchr::memmem::find(&output, b"\r\n\r\n").unwrap();
    let head = String::from_utf8(output[..split].to_vec()).unwrap();
    let mut response = Response::builder();
    for line in head.lines() {
        let (name, value) = line.split_once(": ").unwrap();
        response = match name {
            "Status" => response.status(value.split(' ').next().unwrap().parse::<u16>().unwrap()),
            _ => response.header(name, value),
        };
    }
    response.body(Body::from(Bytes::copy_from_slice(&output[split + 4..]))).unwrap()
}

fn gateway(projects: &Path, method: &str, path: &str, query: &str, headers: &HeaderMap, body: &[u8]) -> Vec<u8> {
    use std::io::Write as _;

    let header = |name: &str| headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default().to_owned();
    let mut backend = Command::new("git");
    backend
        .arg("http-backend")
        .env_clear()
        .env("PATH", std::env::var_os("PATH").unwrap_or_default())
        .env("HOME", projects)
        .env("GIT_CONFIG_NOSYSTEM", "1");
    backend
        .env("GIT_PROJECT_ROOT", projects)
        .env("GIT_HTTP_EXPORT_ALL", "1")
        .env("PATH_INFO", path)
        .env("QUERY_STRING", query)
        .env("REQUEST_METHOD", method)
        .env("REMOTE_ADDR", "127.0.0.1");
    backend
        .env("CONTENT_TYPE", header("content-type"))
        .env("HTTP_CONTENT_ENCODING", header("content-encoding"))
        .env("GIT_PROTOCOL", header("git-protocol"))
        .env("CONTENT_LENGTH", body.len().to_string());
    let mut child = backend.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(body).unwrap();
    child.wait_with_output().unwrap().stdout
}

/// The server of a repository may be one of a private network; its pages have nothing loaded from there.
#[test]
fn s08_the_server_of_a_repository_is_not_asked_for_what_its_pages_load() {
    let repository = Repository::new();
    let projects = tempfile::tempdir().unwrap();
    let requests = Arc::new(Mutex::new(Vec::new()));
    let (seen, folder) = (Arc::clone(&requests), projects.path().to_owned());
    let server = Server::of(move |request| {
        seen.lock().unwrap().push(request.uri().path().to_owned());
        answer(request, folder.clone()).boxed()
    });
    let others = TcpListener::bind("127.0.0.1:0").unwrap();
    others.set_nonblocking(true).unwrap();
    let own = format!("https://{}/docs.git/picture.png", server.address);
    let other = format!("http://{}/other.png", others.local_addr().unwrap());
    let pictures = [&own, &other, "http://10.0.0.1/private.png", "http://[fd00::1]/private.png"];
    let page: String = pictures.iter().map(|picture| format!("![A picture]({picture})\n\n")).collect();
    fs::write(repository.path().join("docs/index.mdx"), page).unwrap();
    repository.commit("Pictures");
    git(projects.path(), &["clone", "-q", "--bare", &format!("file://{}", repository.path().display()), "docs.git"]);
    let job = server.job(&format!("{USER}:{}@", TOKEN.replace('/', "%2F")), "/docs.git");
    let logs = job.run().unwrap().logs;
    let refused: Vec<&String> = logs.iter().filter(|line| line.contains(" warning[remote-asset]")).collect();
    for picture in pictures {
        let host = picture.split('/').nth(2).unwrap();
        let host = host.rsplit_once(':').filter(|_| !host.ends_with(']')).map_or(host, |(host, _)| host);
        assert!(refused.iter().any(|line| line.contains(host)), "{picture}: {logs:?}");
    }
    let requests = requests.lock().unwrap();
    assert!(!requests.is_empty() && !requests.iter().any(|path| path.ends_with(".png")), "{requests:?}");
    assert!(others.accept().is_err(), "nor is any other server of the network");
}

#[test]
fn s_prv_5_a_branch_comes_over_https() {
    let repository = Repository::new();
    let projects = tempfile::tempdir().unwrap();
    git(projects.path(), &["clone", "-q", "--bare", &format!("file://{}", repository.path().display()), "docs.git"]);
    let server = Server::start(projects.path());
    let credentials = format!("{USER}:{}@", TOKEN.replace('/', "%2F"));

    let job = server.job(&credentials, "/docs.git");
    let built = job.run().unwrap();
    assert_eq!(built.commit.as_ref().unwrap().sha, git(repository.path(), &["rev-parse", "HEAD"]));
    assert!(page(&built, "index.html").contains("A shared note."));
    let same = Job::new(repository.source(Some("main")));
    assert_eq!(built.sha256, same.run().unwrap().sha256);
    // nothing of what was written says how the server was asked
    for entry in
        walkdir::WalkDir::new(&job.work.folder).into_iter().flatten().filter(|entry| entry.file_type().is_file())
    {
        let bytes = fs::read(entry.path()).unwrap();
        assert!(memchr::memmem::find(&bytes, b"t0k3n").is_none(), "{}", entry.path().display());
    }

    let refused = |job: Job, cause: Cause| {
        let failure = job.run().unwrap_err();
        assert_eq!(failure.cause, cause, "{failure:?}");
        let text = format!("{failure:?} {:?}", job.work);
        assert!(!text.contains("t0k3n") && !text.contains("wr0ng"), "{text}");
        failure
    };
    refused(server.job("", "/docs.git"), Cause::Source);
    refused(server.job(&format!("{USER}:wr0ng@"), "/docs.git"), Cause::Source);
    refused(server.job(&credentials, "/other.git"), Cause::Source);
    // another place than the one that the operator wrote is not asked
    let moved = refused(server.job(&credentials, "/moved/docs.git"), Cause::Source);
    assert!(
        moved.message.contains(&format!("redirects to `https://{}/docs.git/info/refs`", server.address)),
        "{moved:?}"
    );
    // an address of a private network needs leave, as for all that is fetched
    let mut private = server.job(&credentials, "/docs.git");
    private.work.allow_private.clear();
    let private = refused(private, Cause::Source);
    assert!(
        private.message.contains("is not allowed") || private.message.contains("address of this machine"),
        "{private:?}"
    );
    let mut stranger = server.job(&credentials, "/docs.git");
    stranger.limits.certificates = None;
    refused(stranger, Cause::Source);
    let mut gone = server.job(&credentials, "/docs.git");
    if let JobSource::Git { branch, .. } = &mut gone.work.source {
        *branch = Some("nothing".to_owned());
    }
    refused(gone, Cause::NoBranch);
    // which branches are gone is told, whether or not the one that is wanted is there
    let gone = |target: &str, names: &[&str]| {
        let mut job = server.job(&credentials, "/docs.git");
        if let JobSource::Git { branch, shown, .. } = &mut job.work.source {
            (*branch, *shown) = (Some(target.to_owned()), names.iter().map(|name| (*name).to_owned()).collect());
        }
        let reported = std::sync::Mutex::new(Vec::new());
        let done = job.run_telling(|progress| {
            if let ChildProgress::Gone(branches) = progress {
                reported.lock().unwrap().extend(branches);
            }
        });
        (done.map(drop).map_err(|failure| failure.cause), reported.into_inner().unwrap())
    };
    assert_eq!(
        gone("nothing", &["main", "feature/x", "nothing"]),
        (Err(Cause::NoBranch), vec!["feature/x".to_owned(), "nothing".to_owned()])
    );
    assert_eq!(gone("main", &["main", "mai", "main2"]), (Ok(()), vec!["mai".to_owned(), "main2".to_owned()]));
    assert_eq!(gone("main", &["main"]), (Ok(()), Vec::new()));
}
