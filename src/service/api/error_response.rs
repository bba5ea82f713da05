//! Answers that say no: one shape, one table of codes (contract, section 4).

use std::borrow::Cow;
use std::time::Duration;

use axum::body::Body;
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};

use crate::store;
use http::lockout::whole_seconds;

/// Carries the code of an error for programs.
pub(super) const ERROR_CODE: HeaderName = HeaderName::from_static("x-error-code");

/// Why the answer is no, for programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ErrorCode {
    InvalidRequest,
    UnknownDomain,
    Unauthorized,
    PlanRequired,
    InsufficientScope,
    IpNotAllowed,
    LinkInvalid,
    LinkExpired,
    NotFound,
    MethodNotAllowed,
    RequestTimeout,
    NotCompleted,
    Conflict,
    NoGitSource,
    BundleGone,
    BodyTooLarge,
    TargetTooLong,
    UnsupportedMediaType,
    RangeNotSatisfiable,
    IdempotencyMismatch,
    RateLimited,
    HeadersTooLarge,
    QueueFull,
    Internal,
    Unavailable,
}

impl ErrorCode {
    /// The status and the value of `X-Error-Code`.
    const fn row(self) -> (StatusCode, &'static str) {
        match self {
            Self::InvalidRequest => (StatusCode::BAD_REQUEST, "invalid_request"),
            Self::UnknownDomain => (StatusCode::BAD_REQUEST, "unknown_domain"),
            Self::Unauthorized => (StatusCode::UNAUTHORIZED, "unauthorized"),
            Self::PlanRequired => (StatusCode::FORBIDDEN, "plan_required"),
            Self::InsufficientScope => (StatusCode::FORBIDDEN, "insufficient_scope"),
            Self::IpNotAllowed => (StatusCode::FORBIDDEN, "ip_not_allowed"),
            Self::LinkInvalid => (StatusCode::FORBIDDEN, "link_invalid"),
            Self::LinkExpired => (StatusCode::FORBIDDEN, "link_expired"),
            Self::NotFound => (StatusCode::NOT_FOUND, "not_found"),
            Self::MethodNotAllowed => (StatusCode::METHOD_NOT_ALLOWED, "method_not_allowed"),
            Self::RequestTimeout => (StatusCode::REQUEST_TIMEOUT, "invalid_request"),
            Self::NotCompleted => (StatusCode::CONFLICT, "not_completed"),
            Self::Conflict => (StatusCode::CONFLICT, "conflict"),
            Self::NoGitSource => (StatusCode::CONFLICT, "no_git_source"),
            Self::BundleGone => (StatusCode::GONE, "bundle_gone"),
            Self::BodyTooLarge => (StatusCode::PAYLOAD_TOO_LARGE, "body_too_large"),
            Self::TargetTooLong => (StatusCode::URI_TOO_LONG, "invalid_request"),
            Self::UnsupportedMediaType => (StatusCode::UNSUPPORTED_MEDIA_TYPE, "unsupported_media_type"),
            Self::RangeNotSatisfiable => (StatusCode::RANGE_NOT_SATISFIABLE, "range_not_satisfiable"),
            Self::IdempotencyMismatch => (StatusCode::UNPROCESSABLE_ENTITY, "idempotency_mismatch"),
            Self::RateLimited => (StatusCode::TOO_MANY_REQUESTS, "rate_limited"),
            Self::HeadersTooLarge => (StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE, "invalid_request"),
            Self::QueueFull => (StatusCode::TOO_MANY_REQUESTS, "queue_full"),
            Self::Internal => (StatusCode::INTERNAL_SERVER_ERROR, "internal"),
            Self::Unavailable => (StatusCode::SERVICE_UNAVAILABLE, "unavailable"),
        }
    }
}

/// An answer that says no.
#[derive(Debug)]
pub(super) struct ErrorResponse {
    code: ErrorCode,
    message: Cow<'static, str>,
    headers: Vec<(HeaderName, HeaderValue)>,
}

impl ErrorResponse {
    /// A code, and a sentence for people. The sentence must hold nothing that is not for the client to know.
    pub(super) fn new(code: ErrorCode, message: impl Into<Cow<'static, str>>) -> Self {
        Self { code, message: message.into(), headers: Vec::new() }
    }

    /// Something in the request is wrong.
    pub(super) fn invalid(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(ErrorCode::InvalidRequest, message)
    }

    /// There is no such thing, or it belongs to another organization: the response does not say which.
    pub(super) fn not_found() -> Self {
        Self::new(ErrorCode::NotFound, "not found")
    }

    /// No operation has this path.
    pub(super) fn no_route() -> Self {
        Self::new(ErrorCode::NotFound, "no operation has this path: /docs/ lists them")
    }

    /// The bundle was there.
    pub(super) fn bundle_gone() -> Self {
        Self::new(ErrorCode::BundleGone, "the files of this job are past retention")
    }

    /// A defect. What it is stands in the log, and only there.
    pub(super) fn internal(cause: impl std::fmt::Display) -> Self {
        tracing::error!(cause = %cause, "internal error");
        Self::new(ErrorCode::Internal, "internal error")
    }

    /// The service cannot take the request now.
    pub(super) fn unavailable(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(ErrorCode::Unavailable, message).retry_after(Duration::from_secs(5))
    }

    /// Whether the same request may succeed later.
    pub(super) fn is_unavailable(&self) -> bool {
        self.code == ErrorCode::Unavailable
    }

    /// Whether it is one of too many.
    pub(super) fn is_rate_limited(&self) -> bool {
        self.code == ErrorCode::RateLimited
    }

    /// With a header.
    pub(super) fn with(mut self, name: HeaderName, value: HeaderValue) -> Self {
        self.headers.push((name, value));
        self
    }

    /// With `Retry-After`, in whole seconds, never shorter than the time.
    pub(super) fn retry_after(self, time: Duration) -> Self {
        self.with(header::RETRY_AFTER, HeaderValue::from(whole_seconds(time)))
    }
}

/// Why there is no page of a list: what is absent is the record that its cursor names.
pub(super) fn unlisted(error: store::StoreError) -> ErrorResponse {
    match error {
        store::StoreError::Absent => ErrorResponse::invalid("cursor was not returned by a list"),
        error => error.into(),
    }
}

impl IntoResponse for ErrorResponse {
    fn into_response(self) -> Response {
        let (status, code) = self.code.row();
        let body = serde_json::json!({ "error": self.message }).to_string();
        let mut response = Response::new(Body::from(body));
        *response.status_mut() = status;
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
        headers.insert(ERROR_CODE, HeaderValue::from_static(code));
        headers.extend(self.headers);
        response
    }
}

/// What the store says, where the operation itself has nothing more to say about it.
impl From<store::StoreError> for ErrorResponse {
    fn from(error: store::StoreError) -> Self {
        match error {
            store::StoreError::QueueFull => {
                Self::new(ErrorCode::QueueFull, "too many jobs of this organization are waiting")
                    .retry_after(Duration::from_secs(10))
            }
            store::StoreError::Saturated => Self::unavailable("too many jobs are waiting"),
            store::StoreError::Absent => Self::not_found(),
            store::StoreError::Conflict(why) => Self::new(ErrorCode::Conflict, why),
            store::StoreError::Lost => Self::internal("a lease was lost in a request"),
            store::StoreError::Unavailable(cause) => {
                tracing::error!(cause, "the store does not work");
                Self::unavailable("the service cannot store anything now")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_are_never_shorter_than_needed() {
        for (millis, expect) in [(0, 1), (1, 1), (1000, 1), (1001, 2), (59_001, 60), (60_000, 60)] {
            assert_eq!(whole_seconds(Duration::from_millis(millis)), expect, "{millis} ms");
        }
    }

    #[test]
    fn messages_cannot_break_out_of_their_json() {
        let response = ErrorResponse::invalid("a \"quote\"\r\nX: y").into_response();
        let body =
            futures_util::FutureExt::now_or_never(axum::body::to_bytes(response.into_body(), 1000)).unwrap().unwrap();
        assert_eq!(body, "{\"error\":\"a \\\"quote\\\"\\r\\nX: y\"}");
    }
}
