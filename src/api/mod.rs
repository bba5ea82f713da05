//! The HTTP service.
#[allow(dead_code, reason = "x")]
mod json;
#[allow(dead_code, reason = "x")]
mod place;
pub use place::PreviewUrl;
