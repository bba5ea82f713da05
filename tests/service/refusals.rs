//! What is refused before its body was read leaves its connection as it was (E-HTTP-9): clients keep connections, and
//! many send the body after the head. `clients/run.sh` asks the same of the client libraries of other languages.

use std::io::{BufReader, Write as _};
use std::net::TcpStream;
use std::time::Duration;

use crate::service::client::{Answer, read};
use crate::service::server::{key, shared};

const JOBS: &str = "/v1/static-export/jobs";
/// Refusals on each connection.
const MANY: usize = 1_000;

/// A request whose body comes when its answer is there.
fn send_late(stream: &mut BufReader<TcpStream>, head: &str, body: &[u8]) -> Option<Answer> {
    let head = format!("{head}\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n", body.len());
    stream.get_mut().write_all(head.as_bytes()).ok()?;
    let answer = read(stream, false)?;
    stream.get_mut().write_all(body).ok()?;
    Some(answer)
}

fn connect() -> BufReader<TcpStream> {
    let stream = TcpStream::connect(("127.0.0.1", shared().port)).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
    stream.set_nodelay(true).unwrap();
    BufReader::new(stream)
}

#[test]
fn e_http_9_refusals_keep_their_connection_when_the_body_comes_later() {
    let authorized = |name: &str| format!("\r\nAuthorization: Bearer {}", key(name));
    let large = vec![b' '; 60_000];
    for (head, status) in [
        (format!("POST {JOBS} HTTP/1.1"), 401),
        (format!("POST /nowhere HTTP/1.1{}", authorized("acme")), 404),
        (format!("PUT {JOBS} HTTP/1.1{}", authorized("acme")), 405),
        (format!("POST /v1/project/preview/nothing HTTP/1.1{}", authorized("acme")), 404),
        (format!("POST {JOBS} HTTP/1.1{}", authorized("free")), 403),
        (format!("GET {JOBS} HTTP/1.1{}", authorized("acme")), 200),
    ] {
        let mut stream = connect();
        for number in 0..MANY {
            let body = if number % 50 == 0 { &large[..] } else { b"{\"branch\":\"main\"}" };
            let answer = send_late(&mut stream, &head, body).unwrap_or_else(|| panic!("no answer {number} to {head}"));
            assert_eq!((answer.status, answer.header("connection")), (status, None), "{number} of {head}");
        }
    }
}

#[test]
fn e_http_9_a_refusal_that_ends_its_connection_says_so() {
    // more than is read for nothing, and a body that waits to be asked for
    let large = format!("POST {JOBS} HTTP/1.1\r\nHost: x\r\nContent-Length: 70000\r\n\r\n");
    let waits = format!("POST {JOBS} HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 70\r\n\r\n");
    let site = "POST / HTTP/1.1\r\nHost: x.preview.test\r\nContent-Length: 9000000\r\n\r\n".to_owned();
    for (head, status) in [(large, 413), (waits, 401), (site, 404)] {
        let mut stream = connect();
        stream.get_mut().write_all(head.as_bytes()).unwrap();
        let answer = read(&mut stream, false).unwrap();
        assert_eq!((answer.status, answer.header("connection")), (status, Some("close")), "{head}");
        assert!(read(&mut stream, false).is_none(), "{head}");
    }
}

#[test]
fn e_http_9_refusals_keep_the_connections_of_a_client_library() {
    let base = format!("http://127.0.0.1:{}", shared().port);
    let requests = [
        ("POST", JOBS, 2_000, 401),
        ("POST", "/nowhere", 2, 404),
        ("PUT", JOBS, 1_000, 405),
        ("POST", "/v1/project/preview/x", 60_000, 401),
    ];
    let sending = async {
        offprint::base::tls::install_provider();
        let client = reqwest::Client::builder().no_proxy().build().unwrap();
        for (method, path, length, status) in requests.into_iter().cycle().take(MANY) {
            let body = reqwest::Body::wrap_stream(futures_util::stream::once(async move {
                tokio::task::yield_now().await;
                Ok::<_, std::io::Error>(vec![b' '; length])
            }));
            let request = client.request(method.parse().unwrap(), format!("{base}{path}")).body(body);
            let answer = request.send().await.unwrap();
            assert_eq!(answer.status(), status, "{method} {path}");
            answer.bytes().await.unwrap();
        }
    };
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(sending);
}
