//! A Git server that says what a scenario wants it to: the smart protocol over HTTP, version 2, as far as a fetch goes.

use std::io::Write as _;
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::http::Response;
use futures_util::stream::{self, StreamExt as _};
use gix::ObjectId;

use super::packs::Pack;

const ADVERTISEMENT: &str = "application/x-git-upload-pack-advertisement";
const RESULT: &str = "application/x-git-upload-pack-result";

/// What a client asks for, in this order.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Step {
    Capabilities,
    Branches,
    Objects,
}

/// One line of the protocol.
pub(super) fn line(text: impl AsRef<[u8]>) -> Vec<u8> {
    let text = text.as_ref();
    [format!("{:04x}", text.len() + 4).as_bytes(), text].concat()
}

pub(super) const FLUSH: &[u8] = b"0000";
const DELIMITER: &[u8] = b"0001";

/// An answer of the type that the step has.
pub(super) fn typed(step: Step, body: impl Into<Body>) -> Response<Body> {
    let kind = if step == Step::Capabilities { ADVERTISEMENT } else { RESULT };
    Response::builder().header("content-type", kind).body(body.into()).unwrap()
}

pub(super) fn status(status: u16, name: &str, value: &str) -> Response<Body> {
    Response::builder().status(status).header(name, value).body(Body::from("<html>no</html>")).unwrap()
}

/// What a server of version 2 begins with.
pub(super) fn capabilities() -> Vec<u8> {
    let lines = [
        "# service=git-upload-pack\n",
        "",
        "version 2\n",
        "agent=git/2.40\n",
        "ls-refs=unborn\n",
        "fetch=shallow\n",
        "object-format=sha1\n",
        "",
    ];
    lines.iter().flat_map(|text| if text.is_empty() { FLUSH.to_vec() } else { line(text) }).collect()
}

/// A list of branches, each a line.
pub(super) fn branches(lines: &[String]) -> Vec<u8> {
    lines.iter().flat_map(line).chain(FLUSH.to_vec()).collect()
}

pub(super) fn main_at(head: ObjectId) -> Vec<u8> {
    branches(&[format!("{head} HEAD symref-target:refs/heads/main\n"), format!("{head} refs/heads/main\n")])
}

/// What stands before a pack.
pub(super) fn before_pack(head: ObjectId) -> Vec<u8> {
    [line("shallow-info\n"), line(format!("shallow {head}")), DELIMITER.to_vec(), line("packfile\n")].concat()
}

/// Bytes on one of the three channels: 1 is the pack, 2 progress, 3 an error that ends it.
pub(super) fn channel(number: u8, bytes: &[u8]) -> Vec<u8> {
    bytes.chunks(60_000).flat_map(|part| line([&[number], part].concat())).collect()
}

/// Goes through all the steps with a pack that is given as it is.
pub(super) fn honest(step: Step, head: ObjectId, pack: &[u8]) -> Response<Body> {
    match step {
        Step::Capabilities => typed(step, capabilities()),
        Step::Branches => typed(step, main_at(head)),
        Step::Objects => typed(step, [before_pack(head), channel(1, pack), FLUSH.to_vec()].concat()),
    }
}

pub(super) fn gives(step: Step, pack: &Pack) -> Response<Body> {
    honest(step, pack.head, &pack.bytes())
}

/// The first bytes, and then the same again and again, as often as the pause allows; without an end.
pub(super) fn endless(first: Vec<u8>, again: Vec<u8>, pause: Duration) -> Body {
    let again = Bytes::from(again);
    let rest = stream::unfold(again, move |again| async move {
        // none is shorter than a millisecond
        if !pause.is_zero() {
            tokio::time::sleep(pause).await;
        }
        Some((Ok::<_, std::io::Error>(again.clone()), again))
    });
    Body::from_stream(stream::once(async { Ok(Bytes::from(first)) }).chain(rest))
}

/// The first bytes, and then nothing, without an end.
pub(super) fn stalls(first: Vec<u8>) -> Body {
    Body::from_stream(stream::once(async { Ok::<_, std::io::Error>(Bytes::from(first)) }).chain(stream::pending()))
}

/// The first bytes, and then the connection breaks.
pub(super) fn breaks(first: Vec<u8>) -> Body {
    Body::from_stream(stream::iter([Ok(Bytes::from(first)), Err(std::io::Error::other("gone"))]))
}

pub(super) fn gzipped(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}
