//! API reference: an OpenAPI or AsyncAPI description to the content of its pages.

pub(crate) mod example;
pub(crate) mod request;
pub(crate) mod samples;
