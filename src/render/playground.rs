//! The console of an API page: whether a page has one, and which servers it may ask.

use std::collections::BTreeSet;

use serde_json::Value;
use url::Url;

use base::cut::SliceText as _;
use base::limits::MAX_ORIGINS;
use site::page::{Endpoint, FrontMatter};

/// Most addresses that the variables of one server make.
const MAX_SERVER_ADDRESSES: usize = 512;

/// The console of a page. It sends requests from the browser to the servers of the description.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Playground {
    /// The servers that the description of the API names.
    pub servers: Vec<PlaygroundServer>,
}

/// A server that a console may ask.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlaygroundServer {
    /// Its address, with `{variables}`.
    pub url: String,
    /// The variables in the address, with their values.
    pub variables: Vec<PlaygroundVariable>,
}

/// A variable in the address of a server.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlaygroundVariable {
    /// Its name.
    pub name: String,
    /// The value that it has unless another is chosen.
    pub default: String,
    /// All values that it may have; empty: any, of which a policy can only allow the default.
    pub values: Vec<String>,
}

impl Playground {
    /// Scheme, host and port of each server, sorted, each once. A server whose address is relative to the page has none:
    /// it is the host of the page.
    pub fn origins(&self) -> Vec<String> {
        let mut origins = BTreeSet::new();
        for server in &self.servers {
            let addresses = server.addresses();
            origins.extend(addresses.iter().filter_map(|address| origin_of(address)));
        }
        origins.into_iter().take(MAX_ORIGINS).collect()
    }
}

impl PlaygroundServer {
    /// A server without variables.
    pub fn fixed(url: &str) -> Self {
        Self { url: url.to_owned(), variables: Vec::new() }
    }

    /// Its addresses with every value of the variables that decide where it is.
    fn addresses(&self) -> Vec<String> {
        let mut addresses = vec![self.url.clone()];
        for variable in &self.variables {
            let place = format!("{{{}}}", variable.name);
            // what stands behind the host is of no matter
            let is_in_origin = self.url.find(&place).is_some_and(|at| at < authority_end(&self.url));
            let values: Vec<&str> = if is_in_origin && addresses.len() * variable.values.len() <= MAX_SERVER_ADDRESSES {
                variable.values.iter().chain([&variable.default]).map(String::as_str).collect()
            } else {
                vec![variable.default.as_str()]
            };
            let filled = addresses.iter().flat_map(|address| values.iter().map(|value| address.replace(&place, value)));
            addresses = filled.collect();
        }
        addresses
    }
}

/// Where the path of an address begins.
fn authority_end(url: &str) -> usize {
    let start = url.find("://").map_or(0, |at| at + 3);
    url.slice(start..).find('/').map_or(url.len(), |at| start + at)
}

/// Scheme, host and port of an address that a page can send requests to.
fn origin_of(address: &str) -> Option<String> {
    let url = Url::parse(address.trim()).ok()?;
    let is_plain = matches!(url.scheme(), "http" | "https") && url.host_str().is_some_and(is_plain_host);
    is_plain.then(|| url.origin().ascii_serialization())
}

/// Whether a host can stand in a policy: a wildcard would allow others, too.
fn is_plain_host(host: &str) -> bool {
    !host.is_empty()
        && host
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'_' | b':' | b'[' | b']'))
}

/// Whether a page shows a console: its own `playground`, else `api.playground.display`. `auth` is as `interactive`: a
/// bundle knows none of its readers.
pub fn shows_console(api: &Value, meta: &FrontMatter, endpoint: Option<&Endpoint>) -> bool {
    let is_operation = endpoint.is_some_and(|endpoint| endpoint.method != "WEBHOOK");
    is_operation && matches!(display(api, meta), "interactive" | "auth")
}

/// `interactive`, `simple`, `none` or `auth`.
fn display<'a>(api: &'a Value, meta: &'a FrontMatter) -> &'a str {
    let site = || api.get("playground")?.get("display")?.as_str();
    meta.playground.as_deref().or_else(site).unwrap_or("interactive")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[track_caller]
    fn check(url: &str, variables: &[(&str, &str, &[&str])], expect: &[&str]) {
        let variables = variables
            .iter()
            .map(|(name, default, values)| PlaygroundVariable {
                name: (*name).to_owned(),
                default: (*default).to_owned(),
                values: values.iter().map(|value| (*value).to_owned()).collect(),
            })
            .collect();
        let playground = Playground { servers: vec![PlaygroundServer { url: url.to_owned(), variables }] };
        assert_eq!(playground.origins(), expect);
    }

    #[test]
    fn servers_are_allowed_by_scheme_host_and_port() {
        check("https://api.example.com/v1", &[], &["https://api.example.com"]);
        check("http://10.0.0.1:8080", &[], &["http://10.0.0.1:8080"]);
        check("https://API.example.com:443/a b", &[], &["https://api.example.com"]);
        check("https://[::1]:9/", &[], &["https://[::1]:9"]);
    }

    #[test]
    fn a_server_beside_the_page_needs_no_permission() {
        for url in ["/v1", "v1", "", "./api", "//api.example.com"] {
            check(url, &[], &[]);
        }
    }

    #[test]
    fn nothing_but_a_host_gets_into_a_policy() {
        for url in
            ["https://*", "https://*.example.com", "https://a.b;script-src *", "wss://a.b", "data:x", "https:///"]
        {
            check(url, &[], &[]);
        }
        check("https://user:word@a.b/x", &[], &["https://a.b"]);
    }

    #[test]
    fn every_listed_value_of_a_variable_is_allowed() {
        check(
            "https://{region}.a.b/{stage}",
            &[("region", "eu", &["eu", "us"]), ("stage", "live", &["live", "test"])],
            &["https://eu.a.b", "https://us.a.b"],
        );
        check("https://{name}.a.b", &[("name", "demo", &[])], &["https://demo.a.b"]);
        check("{base}/v1", &[("base", "https://a.b", &[])], &["https://a.b"]);
        check("https://a.b:{port}", &[("port", "1", &["1", "2"])], &["https://a.b:1", "https://a.b:2"]);
        check("https://{missing}.a.b", &[], &[]);
    }

    #[test]
    fn a_policy_stays_short() {
        let values: Vec<String> = (0..100).map(|n| format!("r{n}")).collect();
        let variable =
            |name: &str| PlaygroundVariable { name: name.to_owned(), default: "r0".to_owned(), values: values.clone() };
        let server =
            PlaygroundServer { url: "https://{a}.{b}.{c}".to_owned(), variables: ["a", "b", "c"].map(variable).into() };
        assert_eq!(Playground { servers: vec![server] }.origins().len(), MAX_ORIGINS);
    }

    #[test]
    fn the_page_decides_before_the_site_whether_there_is_a_console() {
        let shows = |api: Value, own: Option<&str>, operation: Option<&str>| {
            let meta = FrontMatter { playground: own.map(str::to_owned), ..FrontMatter::default() };
            shows_console(&api, &meta, operation.and_then(Endpoint::parse).as_ref())
        };
        let site = |mode: &str| json!({"playground": {"display": mode}});
        assert!(shows(Value::Null, None, Some("GET /a")) && shows(site("auth"), None, Some("GET /a")));
        assert!(!shows(site("simple"), None, Some("GET /a")) && !shows(site("none"), None, Some("GET /a")));
        assert!(
            shows(site("none"), Some("interactive"), Some("GET /a"))
                && !shows(Value::Null, Some("simple"), Some("GET /a"))
        );
        assert!(!shows(Value::Null, None, None) && !shows(Value::Null, None, Some("webhook paid")));
    }
}
