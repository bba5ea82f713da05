//! Reads request bodies: bounded in size and time, JSON objects only.

use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::http::{HeaderMap, HeaderValue, header};
use futures_util::StreamExt as _;
use serde_json::{Map, Value};
use tokio::time::Instant;

use super::error_response::{ErrorCode, ErrorResponse};
use super::json::{self, read_json_object};

/// Largest body, bytes.
pub(super) const BODY_BYTES: usize = 64 << 10;
/// Time from the head of a request to the end of its body.
pub(super) const BODY_TIME: Duration = Duration::from_secs(30);

/// What became of a body.
pub(super) enum BodyRead {
    /// All of it.
    Whole(Bytes),
    /// It has more than [`BODY_BYTES`].
    TooLarge,
    /// It was not there in time.
    TooSlow,
    /// It broke off, or was no HTTP.
    Broken,
}

/// Step 2: a body that says itself that it is too large is not read at all.
pub(super) fn check_declared(headers: &HeaderMap) -> Result<(), ErrorResponse> {
    let declared = headers
        .get(header::CONTENT_LENGTH)
        .and_then(|value| value.to_str().ok())
        .and_then(|text| text.parse::<u64>().ok());
    if declared.is_some_and(|length| length > BODY_BYTES as u64) { Err(body_too_large()) } else { Ok(()) }
}

/// Reads a body to its end or to the first thing that is wrong with it.
pub(super) async fn read_request_body(body: Body, arrived: Instant) -> BodyRead {
    let mut pieces = body.into_data_stream();
    let mut whole = Vec::new();
    let reading = async {
        while let Some(piece) = pieces.next().await {
            let Ok(piece) = piece else { return BodyRead::Broken };
            if whole.len() + piece.len() > BODY_BYTES {
                return BodyRead::TooLarge;
            }
            whole.extend_from_slice(&piece);
        }
        BodyRead::Whole(Bytes::new())
    };
    match tokio::time::timeout_at(arrived + BODY_TIME, reading).await {
        Ok(BodyRead::Whole(_)) => BodyRead::Whole(whole.into()),
        Ok(other) => other,
        Err(_) => BodyRead::TooSlow,
    }
}

/// Step 7: an empty body needs no type, any other has to be JSON.
pub(super) fn check_type(headers: &HeaderMap, body: &BodyRead) -> Result<(), ErrorResponse> {
    if matches!(body, BodyRead::Whole(bytes) if bytes.is_empty()) {
        return Ok(());
    }
    let mut types = headers.get_all(header::CONTENT_TYPE).iter();
    match (types.next().and_then(|value| value.to_str().ok()), types.next()) {
        (Some(value), None) if is_json(value) => Ok(()),
        _ => Err(ErrorResponse::new(ErrorCode::UnsupportedMediaType, "the body must be of the type application/json")),
    }
}

/// `application/json`, perhaps with `charset=utf-8`.
fn is_json(value: &str) -> bool {
    let mut parts = value.split(';').map(str::trim);
    let is_json = parts.next().is_some_and(|media_type| media_type.eq_ignore_ascii_case("application/json"));
    let is_utf8 = |part: &str| {
        let Some((name, value)) = part.split_once('=') else { return false };
        name.eq_ignore_ascii_case("charset") && value.trim_matches('"').eq_ignore_ascii_case("utf-8")
    };
    is_json && parts.all(is_utf8)
}

/// Step 8, as far as it is the same for all: bytes that came in time and within bounds.
pub(super) fn require_whole_body(body: BodyRead) -> Result<Bytes, ErrorResponse> {
    match body {
        BodyRead::Whole(bytes) => Ok(bytes),
        BodyRead::TooLarge => Err(body_too_large()),
        BodyRead::TooSlow => Err(ErrorResponse::new(ErrorCode::RequestTimeout, "the request took too long")
            .with(header::CONNECTION, HeaderValue::from_static("close"))),
        // where the next request would begin is not known any more
        BodyRead::Broken => Err(ErrorResponse::invalid("the body is incomplete")
            .with(header::CONNECTION, HeaderValue::from_static("close"))),
    }
}

/// A body as the object that every body of the contract is.
pub(super) fn read_body_object(bytes: &[u8]) -> Result<(Map<String, Value>, [u8; 32]), ErrorResponse> {
    if bytes.is_empty() {
        return Err(ErrorResponse::invalid("a JSON object is needed as body"));
    }
    let members = read_json_object(bytes).map_err(ErrorResponse::invalid)?;
    let digest = json::digest_of_object(&members);
    Ok((members, digest))
}

fn body_too_large() -> ErrorResponse {
    ErrorResponse::new(ErrorCode::BodyTooLarge, format!("the body is larger than {BODY_BYTES} bytes"))
        .with(header::CONNECTION, HeaderValue::from_static("close"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_type_is_json() {
        for good in [
            "application/json",
            "Application/JSON; charset=utf-8",
            "application/json;charset=\"UTF-8\"",
            "application/json ; Charset=utf-8",
        ] {
            assert!(is_json(good), "{good}");
        }
        for bad in [
            "",
            "text/json",
            "application/json; charset=latin1",
            "application/json; x=y",
            "application/json;",
            "application/jsonp",
            "application/json, text/plain",
        ] {
            assert!(!is_json(bad), "{bad}");
        }
    }

    #[tokio::test]
    async fn a_body_ends_at_its_bound() {
        let read = |size: usize| read_request_body(Body::from(vec![b' '; size]), Instant::now());
        assert!(matches!(read(BODY_BYTES).await, BodyRead::Whole(bytes) if bytes.len() == BODY_BYTES));
        assert!(matches!(read(BODY_BYTES + 1).await, BodyRead::TooLarge));
    }

    #[tokio::test]
    async fn a_body_has_its_time() {
        let arrived = Instant::now() - BODY_TIME;
        let never = Body::from_stream(futures_util::stream::pending::<Result<Bytes, std::io::Error>>());
        assert!(matches!(read_request_body(never, arrived).await, BodyRead::TooSlow));
    }
}
