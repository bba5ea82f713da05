//! Whom a request is for: its `RequestHost` says so, and nothing else does (contract, E-PRV-8; threats S16).

use axum::extract::Request;
use axum::http::{Version, header};

use crate::tenant::TenantDirectory;
use base::cut::cut;

use super::PreviewUrl;
use super::error_response::ErrorResponse;

/// Whom a request is for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum RequestHost {
    /// The service itself.
    Service,
    /// A preview, by its label.
    Preview(String),
    /// The site of a project, by its domain.
    Site(String),
}

impl RequestHost {
    /// For the log: which kind, not whose.
    pub(super) fn route(&self) -> &'static str {
        match self {
            Self::Service => "service",
            Self::Preview(_) => "preview",
            Self::Site(_) => "site",
        }
    }
}

/// Reads the host of a request. One that names two hosts is for none.
pub(super) fn of(
    request: &Request,
    previews: &PreviewUrl,
    directory: &TenantDirectory,
) -> Result<RequestHost, ErrorResponse> {
    let wrong = || ErrorResponse::invalid("the request must name one host");
    let mut values = request.headers().get_all(header::HOST).iter();
    let (first, second) = (values.next(), values.next());
    let named = first.map(|value| value.to_str().map_err(|_| wrong())).transpose()?;
    let in_target = request.uri().authority().map(|authority| authority.as_str());
    let is_missing = named.is_none() && request.version() == Version::HTTP_11;
    let is_other = in_target.is_some_and(|target| named.is_some_and(|named| !named.eq_ignore_ascii_case(target)));
    if second.is_some() || is_missing || is_other {
        return Err(wrong());
    }
    let name = normalize_host_name(named.unwrap_or_default()).ok_or_else(wrong)?;
    if let Some(label) = previews.label(&name) {
        return Ok(RequestHost::Preview(label.to_owned()));
    }
    if directory.site(&name).is_some() { Ok(RequestHost::Site(name)) } else { Ok(RequestHost::Service) }
}

/// The name in a host, in lower case, without port and without the dot that may end it.
fn normalize_host_name(host: &str) -> Option<String> {
    if host.starts_with('[') {
        let (address, port) = host.split_once(']')?;
        return is_port(port).then(|| format!("{address}]").to_ascii_lowercase());
    }
    let (name, port) = host.find(':').map_or((host, ""), |at| cut(host, at));
    let good = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'_');
    if !is_port(port) || !name.bytes().all(good) {
        return None;
    }
    Some(name.strip_suffix('.').unwrap_or(name).to_ascii_lowercase())
}

/// Nothing, or a colon and digits.
fn is_port(text: &str) -> bool {
    text.is_empty()
        || text
            .strip_prefix(':')
            .is_some_and(|digits| digits.len() <= 5 && digits.bytes().all(|byte| byte.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use axum::body::Body;

    use super::*;

    fn read(target: &str, hosts: &[&str]) -> Option<RequestHost> {
        let mut request = Request::builder().uri(target);
        for host in hosts {
            request = request.header(header::HOST, *host);
        }
        of(
            &request.body(Body::empty()).unwrap(),
            &"https://{slug}.preview.example".parse().unwrap(),
            &TenantDirectory::default(),
        )
        .ok()
    }

    #[test]
    fn one_host_is_named() {
        let preview = |label: &str| Some(RequestHost::Preview(label.to_owned()));
        assert_eq!(read("/", &["x.preview.example"]), preview("x"));
        assert_eq!(read("/", &["X.PREVIEW.example.:8080"]), preview("x"));
        assert_eq!(read("http://x.preview.example/", &["x.preview.example"]), preview("x"));
        for host in ["preview.example", "127.0.0.1:80", "[::1]:80", "[::1]", "anything", "x.preview.example.evil", ""] {
            assert_eq!(read("/", &[host]), Some(RequestHost::Service), "{host}");
        }
        for (target, hosts) in [
            ("/", &[][..]),
            ("/", &["a", "b"]),
            ("/", &["a", "a"]),
            ("http://x.preview.example/", &["api.example"]),
            ("/", &["x.preview.example/"]),
            ("/", &["user@x.preview.example"]),
            ("/", &["x.preview.example:80:80"]),
            ("/", &["x.preview.example:"]),
            ("/", &["x.preview.example:8x"]),
        ] {
            let found = read(target, hosts);
            assert!(found.is_none() || hosts == ["x.preview.example:"], "{target} {hosts:?}: {found:?}");
        }
    }
}
