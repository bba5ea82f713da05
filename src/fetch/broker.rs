//! Downloads by another process, for one that has no network: it asks over a channel, and the other one answers with
//! what came. The guard, the bounds and the client are the other one's; nothing that asks is believed.
//!
//! What is sent, each a line of JSON: by the process without a network a [`BrokerRequest`], by the other one a
//! [`BrokerReply`]; after a piece follow its bytes.

use std::io::{self, BufRead, Read, Write};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use tokio::runtime::Runtime;
use tokio::sync::{Semaphore, mpsc};
use tokio::task::AbortHandle;
use url::Url;

use base::limits;

use super::{Client, DownloadFailure, ResponseHead};

/// Longest line that is read, bytes: the description of a piece of work may name ten thousand pages.
const LINE_BYTES: u64 = 32 << 20;
/// Longest name of a client, bytes.
const AGENT_BYTES: usize = 300;
/// Most downloads at a time, and in all: an address is asked for again as another kind, or when it was too large to be
/// asked for in passing.
const MAX_DOWNLOADS: usize = 64;
const MAX_ASKS: u64 = 4 * limits::REMOTE_ADDRESSES as u64;
/// Most bytes of all downloads.
const TOTAL_BYTES: u64 = 2 * limits::REMOTE_TOTAL_BYTES;

/// What a process without a network asks for.
#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "ask", rename_all = "camelCase", deny_unknown_fields)]
enum BrokerRequest {
    /// A download.
    Get { id: u64, url: String, agent: String, bytes: u64 },
    /// The end of one that is no longer of use.
    Cancel { id: u64 },
}

/// What it is answered.
#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "reply", rename_all = "camelCase", deny_unknown_fields)]
enum BrokerReply {
    /// So many bytes, which follow.
    Piece { id: u64, bytes: usize },
    /// All of it has come.
    Answer { id: u64, url: String, headers: Vec<(String, String)>, bytes: u64 },
    /// There is nothing, or no more.
    Refused { id: u64, refusal: DownloadFailure },
}

/// The side without a network. Cheap to clone.
#[derive(Clone)]
pub struct Broker(Arc<Asking>);

struct Asking {
    channel: Mutex<Box<dyn Write + Send>>,
    waiting: Mutex<FxHashMap<u64, mpsc::UnboundedSender<Arrived>>>,
    next: AtomicU64,
}

/// What has come of a download.
enum Arrived {
    Piece(Vec<u8>),
    End(Result<ResponseHead, DownloadFailure>),
}

impl Broker {
    /// Asks by `output`, and reads the answers from `input` in a thread of its own, which calls `at_end` when there
    /// will be no more: the other process has gone.
    ///
    /// # Errors
    /// The thread cannot be started.
    pub fn start(
        input: impl BufRead + Send + 'static,
        output: impl Write + Send + 'static,
        at_end: impl FnOnce() + Send + 'static,
    ) -> io::Result<Self> {
        let asking = Arc::new(Asking {
            channel: Mutex::new(Box::new(output)),
            waiting: Mutex::default(),
            next: AtomicU64::new(0),
        });
        let listener = Arc::clone(&asking);
        std::thread::Builder::new().name("broker".to_owned()).spawn(move || {
            listener.listen(input);
            at_end();
        })?;
        Ok(Self(asking))
    }

    /// As [`Client::fetch`].
    pub(super) async fn fetch(
        &self,
        url: &Url,
        agent: &str,
        bytes: u64,
        sink: &mut (dyn FnMut(&[u8]) -> io::Result<()> + Send),
    ) -> Result<ResponseHead, DownloadFailure> {
        let id = self.0.next.fetch_add(1, Ordering::Relaxed);
        let (sender, mut arrived) = mpsc::unbounded_channel();
        self.0.waiting.lock().unwrap_or_else(PoisonError::into_inner).insert(id, sender);
        let open = OpenDownload { asking: &self.0, id };
        let gone = || DownloadFailure::Broken("the process that fetches has gone".to_owned());
        self.0
            .say(&BrokerRequest::Get { id, url: url.to_string(), agent: agent.to_owned(), bytes })
            .map_err(|_| gone())?;
        loop {
            match arrived.recv().await.ok_or_else(gone)? {
                Arrived::Piece(piece) => sink(&piece).map_err(|error| DownloadFailure::Kept(error.to_string()))?,
                Arrived::End(end) => {
                    open.close();
                    return end;
                }
            }
        }
    }
}

/// A download under way: it is called off when it is no longer waited for.
struct OpenDownload<'a> {
    asking: &'a Asking,
    id: u64,
}

impl OpenDownload<'_> {
    fn close(self) {
        self.asking.waiting.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.id);
    }
}

impl Drop for OpenDownload<'_> {
    fn drop(&mut self) {
        let waits = self.asking.waiting.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.id);
        if waits.is_some() {
            // if it cannot be said, there is nothing to call off
            let _ = self.asking.say(&BrokerRequest::Cancel { id: self.id });
        }
    }
}

impl Asking {
    fn say(&self, ask: &BrokerRequest) -> io::Result<()> {
        write_line(&mut **self.channel.lock().unwrap_or_else(PoisonError::into_inner), ask, &[])
    }

    /// Reads answers until there are no more.
    fn listen(&self, mut input: impl BufRead) {
        while let Ok(Some(reply)) = read_line::<BrokerReply>(&mut input) {
            let (id, arrived) = match reply {
                BrokerReply::Piece { id, bytes } => {
                    let mut piece = vec![0; bytes];
                    if input.read_exact(&mut piece).is_err() {
                        break;
                    }
                    (id, Arrived::Piece(piece))
                }
                BrokerReply::Answer { id, url, headers, bytes } => {
                    let Ok(url) = Url::parse(&url) else { break };
                    (id, Arrived::End(Ok(ResponseHead { url, headers: header_map(headers), bytes })))
                }
                BrokerReply::Refused { id, refusal } => (id, Arrived::End(Err(refusal))),
            };
            let waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
            // what is no longer waited for was called off
            if let Some(sender) = waiting.get(&id) {
                let _ = sender.send(arrived);
            }
        }
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }
}

impl std::fmt::Debug for Broker {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Broker")
    }
}

impl PartialEq for Broker {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for Broker {}

/// The side that has the network: fetches what `input` asks for, and answers by `output`, until `input` ends or makes
/// no sense. What is needed for that is set up when something is asked for.
///
/// # Errors
/// Nothing can be fetched: there are no threads.
pub fn serve_downloads(
    mut input: impl BufRead,
    output: impl Write + Send + 'static,
    client: impl Fn() -> Result<Client, DownloadFailure>,
) -> io::Result<()> {
    let serving = Arc::new(Serving {
        channel: Mutex::new(Box::new(output)),
        permits: Semaphore::new(MAX_DOWNLOADS),
        left: AtomicU64::new(TOTAL_BYTES),
        running: Mutex::default(),
    });
    let mut means: Option<(Runtime, Result<Client, DownloadFailure>)> = None;
    let mut requests = 0;
    while let Ok(Some(ask)) = read_line::<BrokerRequest>(&mut input) {
        let (id, url, agent, bytes) = match ask {
            BrokerRequest::Get { id, url, agent, bytes } => (id, url, agent, bytes),
            BrokerRequest::Cancel { id } => {
                serving.cancel(id);
                continue;
            }
        };
        requests += 1;
        let is_fit = requests <= MAX_ASKS && agent.len() <= AGENT_BYTES && HeaderValue::from_str(&agent).is_ok();
        let Some(url) = Url::parse(&url).ok().filter(|_| is_fit) else { break };
        let (runtime, client) = match &mut means {
            Some(means) => means,
            none => none.insert((runtime()?, client())),
        };
        match client {
            Ok(client) => serving.begin(runtime, client.at_most(bytes.min(limits::DESCRIPTION_BYTES)), id, url, agent),
            Err(refusal) => serving.say(&BrokerReply::Refused { id, refusal: refusal.clone() }, &[])?,
        }
    }
    if let Some((runtime, _)) = means {
        // a running name lookup cannot be canceled: it is not waited for
        runtime.shutdown_background();
    }
    Ok(())
}

fn runtime() -> io::Result<Runtime> {
    tokio::runtime::Builder::new_multi_thread().worker_threads(2).thread_name("fetch").enable_all().build()
}

struct Serving {
    channel: Mutex<Box<dyn Write + Send>>,
    permits: Semaphore,
    /// Bytes that may still come.
    left: AtomicU64,
    running: Mutex<FxHashMap<u64, AbortHandle>>,
}

impl Serving {
    fn begin(self: &Arc<Self>, runtime: &Runtime, client: Client, id: u64, url: Url, agent: String) {
        let task = Arc::clone(self);
        // held until it is noted: it may be over at once
        let mut running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        let handle = runtime.spawn(async move {
            task.download(&client, id, &url, &agent).await;
            task.running.lock().unwrap_or_else(PoisonError::into_inner).remove(&id);
        });
        running.insert(id, handle.abort_handle());
    }

    fn cancel(&self, id: u64) {
        if let Some(task) = self.running.lock().unwrap_or_else(PoisonError::into_inner).remove(&id) {
            task.abort();
        }
    }

    async fn download(&self, client: &Client, id: u64, url: &Url, agent: &str) {
        let _permit = self.permits.acquire().await;
        let mut sink = |piece: &[u8]| {
            let taken = self
                .left
                .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(piece.len() as u64));
            taken.map_err(|_| io::Error::from(io::ErrorKind::QuotaExceeded))?;
            self.say(&BrokerReply::Piece { id, bytes: piece.len() }, piece)
        };
        let reply = match client.fetch(url, agent, &mut sink).await {
            Ok(ResponseHead { url, headers, bytes }) => {
                BrokerReply::Answer { id, url: url.into(), headers: header_list(&headers), bytes }
            }
            Err(refusal) => BrokerReply::Refused { id, refusal },
        };
        // a process that has gone needs no answer
        let _ = self.say(&reply, &[]);
    }

    fn say(&self, reply: &BrokerReply, bytes: &[u8]) -> io::Result<()> {
        write_line(&mut **self.channel.lock().unwrap_or_else(PoisonError::into_inner), reply, bytes)
    }
}

/// Writes a message as a line, and the bytes that follow it.
///
/// # Errors
/// The other side has gone.
pub fn write_line(output: &mut dyn Write, message: &impl Serialize, bytes: &[u8]) -> io::Result<()> {
    let mut line = serde_json::to_vec(message)?;
    line.push(b'\n');
    output.write_all(&line)?;
    output.write_all(bytes)?;
    output.flush()
}

/// Reads a message; nothing at the end.
///
/// # Errors
/// It makes no sense.
pub fn read_line<T: for<'a> Deserialize<'a>>(input: &mut impl BufRead) -> io::Result<Option<T>> {
    let mut line = Vec::new();
    input.by_ref().take(LINE_BYTES).read_until(b'\n', &mut line)?;
    if line.is_empty() { Ok(None) } else { Ok(serde_json::from_slice(&line)?) }
}

fn header_list(headers: &HeaderMap) -> Vec<(String, String)> {
    let text = |(name, value): (&HeaderName, &HeaderValue)| Some((name.to_string(), value.to_str().ok()?.to_owned()));
    headers.iter().filter_map(text).collect()
}

fn header_map(list: Vec<(String, String)>) -> HeaderMap {
    let parsed = |(name, value): (String, String)| Some((name.parse::<HeaderName>().ok()?, value.parse().ok()?));
    let mut map = HeaderMap::new();
    for (name, value) in list.into_iter().filter_map(parsed) {
        map.append(name, value);
    }
    map
}

#[cfg(all(test, unix))]
mod tests {
    use std::io::BufReader;
    use std::net::TcpListener;
    use std::os::unix::net::UnixStream;
    use std::sync::mpsc::channel;

    use super::*;
    use crate::{DownloadLimits, FetchPolicy, System};

    /// Answers as many requests as there are answers, and names the address.
    fn server(answers: Vec<&'static [u8]>) -> String {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        std::thread::spawn(move || {
            for answer in answers {
                let (mut stream, _) = listener.accept().unwrap();
                let _ = stream.read(&mut [0; 4096]);
                let _ = stream.write_all(answer);
            }
        });
        address
    }

    fn policy() -> FetchPolicy {
        FetchPolicy { allow_private: true, own: Vec::new(), ports: (1..=u16::MAX).collect() }
    }

    /// A client whose downloads another thread makes under a policy.
    fn brokered(policy: FetchPolicy) -> (Client, std::sync::mpsc::Receiver<()>) {
        let (ours, theirs) = UnixStream::pair().unwrap();
        std::thread::spawn(move || {
            let client = || Client::new(policy.clone(), DownloadLimits::default(), Arc::new(System));
            serve_downloads(BufReader::new(theirs.try_clone().unwrap()), theirs, client).unwrap();
        });
        let (end, ended) = channel();
        let input = BufReader::new(ours.try_clone().unwrap());
        let broker = Broker::start(input, ours, move || end.send(()).unwrap()).unwrap();
        (Client::brokered(broker, self::policy(), DownloadLimits::default()), ended)
    }

    fn get(client: &Client, url: &str) -> Result<(ResponseHead, Vec<u8>), DownloadFailure> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
        runtime.block_on(client.get(&Url::parse(url).unwrap(), "test"))
    }

    #[test]
    fn what_comes_is_what_a_client_would_get() {
        let body =
            b"HTTP/1.1 200 OK\r\ncontent-type: text/css\r\nlink: </l>; rel=license\r\ncontent-length: 3\r\n\r\na{}";
        let address = server(vec![body, b"HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n"]);
        let (client, _ended) = brokered(policy());
        let (answer, bytes) = get(&client, &format!("{address}/a.css")).unwrap();
        assert_eq!((bytes.as_slice(), answer.bytes), (&b"a{}"[..], 3));
        assert_eq!(
            (&answer.headers["content-type"], &answer.headers["link"]),
            (&"text/css".parse().unwrap(), &"</l>; rel=license".parse().unwrap())
        );
        assert_eq!(answer.url.path(), "/a.css");
        assert_eq!(get(&client, &address).unwrap_err(), DownloadFailure::Status(404));
    }

    #[test]
    fn the_guard_is_the_other_sides() {
        let (client, _ended) = brokered(FetchPolicy::default());
        assert!(matches!(get(&client, "http://127.0.0.1/").unwrap_err(), DownloadFailure::Address { .. }));
        assert_eq!(get(&client, "http://example.com:8080/").unwrap_err(), DownloadFailure::Port(8080));
    }

    #[test]
    fn a_download_that_is_larger_than_may_be_ends() {
        let address = server(vec![b"HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n123456789"]);
        let (client, _ended) = brokered(policy());
        assert_eq!(get(&client.at_most(8), &address).unwrap_err(), DownloadFailure::TooLarge(8));
    }

    #[test]
    fn both_sides_know_when_the_other_has_gone() {
        let (ours, theirs) = UnixStream::pair().unwrap();
        let (end, ended) = channel();
        let input = BufReader::new(ours.try_clone().unwrap());
        let broker = Broker::start(input, ours, move || end.send(()).unwrap()).unwrap();
        drop(theirs);
        ended.recv().unwrap();
        let client = Client::brokered(broker, policy(), DownloadLimits::default());
        assert!(matches!(get(&client, "http://example.com/").unwrap_err(), DownloadFailure::Broken(_)));
        // nonsense ends the other side
        let client = || Client::new(policy(), DownloadLimits::default(), Arc::new(System));
        serve_downloads(&b"nonsense\n"[..], io::sink(), client).unwrap();
    }
}
