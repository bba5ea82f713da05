//! A real server of the S3 protocol, and what can be wrong with it or with the way to it.

use std::error::Error;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::time::Duration;

use hyper::body::{Bytes, Incoming};
use hyper::{Request, Response};
use hyper_util::rt::TokioIo;
use s3s::auth::SimpleAuth;
use s3s::service::{S3Service, S3ServiceBuilder};

type Failure = Box<dyn Error + Send + Sync>;

/// How long a slow store takes for each answer.
const SLOWNESS: Duration = Duration::from_millis(1_500);
/// More than any request or answer of the tests has.
const MAX_BODY_BYTES: usize = 64 << 20;

/// What is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// Nothing.
    None,
    /// Connections end as soon as they begin.
    Refuses,
    /// Connections end without an answer.
    Cuts,
    /// Nothing is ever answered.
    Hangs,
    /// Answers take long.
    IsSlow,
    /// The store has a defect.
    Fails,
    /// It does not let us in.
    Forbids,
    /// Something else answers, and calls everything a success.
    IsAnother,
    /// It takes what it is given, and its answers end in their midst.
    Truncates,
}

impl Fault {
    pub(crate) const ALL: [Self; 9] = [
        Self::None,
        Self::Refuses,
        Self::Cuts,
        Self::Hangs,
        Self::IsSlow,
        Self::Fails,
        Self::Forbids,
        Self::IsAnother,
        Self::Truncates,
    ];
}

/// A store, which ends with the process of the tests.
#[derive(Clone)]
pub(crate) struct Bucket {
    pub(crate) port: u16,
    fault: Arc<AtomicU8>,
}

impl Bucket {
    /// Starts a store that has the bucket `bundles`.
    pub(crate) fn start(root: &Path) -> Self {
        std::fs::create_dir_all(root.join("bundles")).unwrap();
        let mut service = S3ServiceBuilder::new(s3s_fs::FileSystem::new(root).unwrap());
        service.set_auth(SimpleAuth::from_single("an-id", "a-secret"));
        let service = service.build();
        let (sender, receiver) = std::sync::mpsc::channel();
        let fault = Arc::<AtomicU8>::default();
        let faults = Arc::clone(&fault);
        std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
            runtime.block_on(async move {
                let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
                sender.send(listener.local_addr().unwrap().port()).unwrap();
                while let Ok((stream, _)) = listener.accept().await {
                    if fault_of(&faults) == Fault::Refuses {
                        continue;
                    }
                    let (service, faults) = (service.clone(), Arc::clone(&faults));
                    let answer = hyper::service::service_fn(move |request| {
                        let (service, fault) = (service.clone(), fault_of(&faults));
                        async move { answer(&service, request, fault).await }
                    });
                    let connection = hyper::server::conn::http1::Builder::new();
                    tokio::spawn(connection.serve_connection(TokioIo::new(stream), answer));
                }
            });
        });
        Self { port: receiver.recv().unwrap(), fault }
    }

    pub(crate) fn set(&self, fault: Fault) {
        self.fault.store(fault as u8, Ordering::Relaxed);
    }

    pub(crate) fn endpoint(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// What the program is told of it.
    pub(crate) fn variables(&self) -> Vec<(&'static str, String)> {
        [
            ("AWS_ENDPOINT", self.endpoint().as_str()),
            ("AWS_ALLOW_HTTP", "true"),
            ("AWS_REGION", "us-east-1"),
            ("AWS_ACCESS_KEY_ID", "an-id"),
            ("AWS_SECRET_ACCESS_KEY", "a-secret"),
        ]
        .map(|(name, value)| (name, value.to_owned()))
        .to_vec()
    }
}

fn fault_of(fault: &AtomicU8) -> Fault {
    let at = usize::from(fault.load(Ordering::Relaxed));
    *Fault::ALL.get(at).unwrap_or(&Fault::None)
}

async fn answer(service: &S3Service, request: Request<Incoming>, fault: Fault) -> Result<Response<s3s::Body>, Failure> {
    let is_head = request.method() == hyper::Method::HEAD;
    let said = |status: u16, text: &'static str| {
        Response::builder().status(status).header("ETag", "\"00\"").body(s3s::Body::from(Bytes::from(text)))
    };
    match fault {
        Fault::None => {}
        // an error closes the connection
        Fault::Refuses | Fault::Cuts => return Err("out of order".into()),
        Fault::Hangs => std::future::pending().await,
        Fault::IsSlow => tokio::time::sleep(SLOWNESS).await,
        Fault::Fails => return Ok(said(500, "<Error><Code>InternalError</Code></Error>")?),
        Fault::Forbids => return Ok(said(403, "<Error><Code>AccessDenied</Code></Error>")?),
        Fault::IsAnother => {
            // as it is read to its end, the answer is believed to be one to all of it
            s3s::Body::from(request.into_body()).store_all_limited(MAX_BODY_BYTES).await?;
            return Ok(said(200, if is_head { "" } else { "<html><body>Please sign in.</body></html>" })?);
        }
        Fault::Truncates => {
            let (mut head, mut body) = hyper::service::Service::call(service, request).await?.into_parts();
            let body = body.store_all_limited(MAX_BODY_BYTES).await?;
            if body.is_empty() {
                return Err("the answer is lost".into());
            }
            head.headers.insert("content-length", body.len().to_string().parse()?);
            return Ok(Response::from_parts(head, s3s::Body::from(body.slice(..body.len() / 2))));
        }
    }
    hyper::service::Service::call(service, request).await.map_err(Failure::from)
}
