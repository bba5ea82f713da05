//! API reference: an OpenAPI or AsyncAPI description to the content of its pages.

pub(crate) mod request;
pub(crate) mod samples;
