//! Responses in JSON.

use hyper::header::{CACHE_CONTROL, CONTENT_TYPE, HeaderValue, X_CONTENT_TYPE_OPTIONS};
use hyper::{Response, StatusCode};
use serde_json::Value;

use super::site::ReplyBody;

/// A response in JSON that no cache keeps.
pub(super) fn json_response(status: StatusCode, value: &Value) -> Response<ReplyBody> {
    let mut answer = Response::new(ReplyBody::whole(value.to_string()));
    *answer.status_mut() = status;
    let headers = answer.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    answer
}
