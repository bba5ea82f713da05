//! A request with example values: what samples in programming languages show.

use serde_json::Value;

/// A request of an operation.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct SampleRequest {
    /// Upper case.
    pub(crate) method: String,
    /// Server, path and query string. Path parameters without an example stand as `{name}`; everything else is
    /// percent-encoded.
    pub(crate) url: String,
    /// Name and value, in the order in which they are sent. Credentials are placeholders in angle brackets, such as
    /// `Bearer <token>`. There is no `Content-Type`: the body has it.
    pub(crate) headers: Vec<(String, String)>,
    /// Name and value.
    pub(crate) cookies: Vec<(String, String)>,
    /// User name and password of HTTP basic authentication, which then is not among the headers.
    pub(crate) basic: Option<(String, String)>,
    /// What is sent.
    pub(crate) body: SampleBody,
}

/// The body of a request.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) enum SampleBody {
    /// None.
    #[default]
    Empty,
    /// JSON, of a media type such as `application/json` or `application/merge-patch+json`.
    Json(String, Value),
    /// `application/x-www-form-urlencoded`: names and values, not encoded.
    Form(Vec<(String, String)>),
    /// `multipart/form-data`.
    Multipart(Vec<MultipartPart>),
    /// Text of a media type, such as XML.
    Text(String, String),
    /// A file of a media type: its name.
    File(String, String),
}

/// A part of a `multipart/form-data` body.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct MultipartPart {
    /// Its name.
    pub(crate) name: String,
    /// What it holds.
    pub(crate) value: PartValue,
}

/// What a part of a `multipart/form-data` body holds.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum PartValue {
    /// Text, numbers included.
    Text(String),
    /// An object or array, sent as JSON.
    Json(Value),
    /// A file: its name.
    File(String),
}
