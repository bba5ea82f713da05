//! Members of request bodies and parameters of queries, each checked as the contract says.

use std::collections::BTreeMap;

use axum::http::HeaderMap;
use percent_encoding::percent_decode_str;
use serde_json::{Map, Value};

use crate::store::{
    AgentFilter, AgentStatus, DeliveryFilter, DeliveryStatus, DeploymentFilter, DeploymentStatus, ExportFilter,
    ExportStatus, Slice,
};
use bundle::BundleFeature;
use fetch::git;

use super::error_response::ErrorResponse;

/// Carries the key of a request that may be sent again.
pub(super) const IDEMPOTENCY_KEY: &str = "idempotency-key";

/// Longest host name, bytes.
const DOMAIN_BYTES: usize = 253;
/// Longest version label, bytes.
const VERSION_BYTES: usize = 64;
/// Most paths of one export, and the longest of them in bytes.
const MAX_PATHS: usize = 10_000;
const PATH_BYTES: usize = 1024;
/// Longest prompt, bytes.
const PROMPT_BYTES: usize = 32_768;
/// Longest idempotency key, bytes.
const IDEMPOTENCY_KEY_BYTES: usize = 255;
/// Most jobs of one page of a list, and how many there are by default.
const LIST_MOST: usize = 100;
const LIST_DEFAULT: usize = 20;

/// The fields of a request for an export.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct ExportFields {
    /// In lower case.
    pub(super) domain: String,
    pub(super) version: Option<String>,
    pub(super) paths: Vec<String>,
    /// What is switched for this bundle.
    pub(super) features: Vec<(BundleFeature, bool)>,
}

type FieldMembers = Map<String, Value>;

fn text_field<'a>(members: &'a FieldMembers, name: &'static str) -> Result<&'a str, ErrorResponse> {
    match members.get(name) {
        None => Err(ErrorResponse::invalid(format!("{name} is required"))),
        Some(Value::String(text)) if !text.is_empty() => Ok(text),
        Some(Value::String(_)) => Err(ErrorResponse::invalid(format!("{name} must not be empty"))),
        Some(_) => Err(ErrorResponse::invalid(format!("{name} must be a string"))),
    }
}

/// `branch` of a preview.
pub(super) fn branch(members: &FieldMembers) -> Result<String, ErrorResponse> {
    let branch = text_field(members, "branch")?;
    git::branch(branch)
        .map_err(|why| ErrorResponse::invalid(format!("branch is not the name of a branch: it {why}")))?;
    Ok(branch.to_owned())
}

/// `prompt` of an agent job.
pub(super) fn prompt(members: &FieldMembers) -> Result<String, ErrorResponse> {
    let prompt = text_field(members, "prompt")?;
    if prompt.len() > PROMPT_BYTES {
        return Err(ErrorResponse::invalid(format!("prompt has more than {PROMPT_BYTES} bytes")));
    }
    Ok(prompt.to_owned())
}

/// The body of an export.
pub(super) fn export_fields(members: &FieldMembers) -> Result<ExportFields, ErrorResponse> {
    Ok(ExportFields {
        domain: domain(text_field(members, "domain")?)?,
        version: version_field(members)?,
        paths: paths(members)?,
        features: features(members)?,
    })
}

/// A host name. Each mistake has its own message, because people paste addresses.
fn domain(text: &str) -> Result<String, ErrorResponse> {
    let label = |label: &str| {
        let inner = label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
        (1..=63).contains(&label.len()) && inner && !label.starts_with('-') && !label.ends_with('-')
    };
    let last = text.rsplit_once('.').map(|(_, last)| last);
    let is_host = text.len() <= DOMAIN_BYTES
        && text.split('.').all(label)
        && last.is_some_and(|last| !last.bytes().all(|byte| byte.is_ascii_digit()));
    if !is_host {
        return Err(ErrorResponse::invalid(
            "domain must be a host name such as docs.example.com, without scheme, port or path",
        ));
    }
    Ok(text.to_ascii_lowercase())
}

fn version_field(members: &FieldMembers) -> Result<Option<String>, ErrorResponse> {
    if !members.contains_key("version") {
        return Ok(None);
    }
    let version = text_field(members, "version")?;
    let good = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-');
    if version.len() > VERSION_BYTES || !version.bytes().all(good) {
        return Err(ErrorResponse::invalid(format!(
            "version must have 1 to {VERSION_BYTES} letters, digits, dots, underscores or hyphens"
        )));
    }
    Ok(Some(version.to_owned()))
}

/// Features of the bundle, by the names of its manifest; others are ignored like other unknown members.
fn features(members: &FieldMembers) -> Result<Vec<(BundleFeature, bool)>, ErrorResponse> {
    let switches = match members.get("features") {
        None => return Ok(Vec::new()),
        Some(Value::Object(switches)) => switches,
        Some(_) => return Err(ErrorResponse::invalid("features must be an object")),
    };
    let mut found = Vec::new();
    for feature in BundleFeature::ALL {
        let name = if feature == BundleFeature::OfflineSearch { "offlineSearch" } else { feature.name() };
        match switches.get(name) {
            None => {}
            Some(Value::Bool(on)) => found.push((feature, *on)),
            Some(_) => return Err(ErrorResponse::invalid(format!("features.{name} must be true or false"))),
        }
    }
    Ok(found)
}

fn paths(members: &FieldMembers) -> Result<Vec<String>, ErrorResponse> {
    let items = match members.get("paths") {
        None => return Ok(Vec::new()),
        Some(Value::Array(items)) => items,
        Some(_) => return Err(ErrorResponse::invalid("paths must be an array of strings")),
    };
    if items.is_empty() || items.len() > MAX_PATHS {
        return Err(ErrorResponse::invalid(format!("paths must have 1 to {MAX_PATHS} items")));
    }
    items
        .iter()
        .enumerate()
        .map(|(index, item)| match item {
            Value::String(path) if is_page_path(path) => Ok(path.clone()),
            Value::String(_) => Err(ErrorResponse::invalid(format!(
                "paths[{index}] must be a page path such as guides/start: relative, without extension, empty parts, . or .."
            ))),
            _ => Err(ErrorResponse::invalid(format!("paths[{index}] must be a string"))),
        })
        .collect()
}

fn is_page_path(path: &str) -> bool {
    let has_extension = [".mdx", ".md", ".html"].iter().any(|extension| path.to_ascii_lowercase().ends_with(extension));
    let parts_good = path.split('/').all(|part| !matches!(part, "" | "." | ".."));
    path.len() <= PATH_BYTES
        && parts_good
        && !has_extension
        && !path.contains('\\')
        && !path.chars().any(char::is_control)
}

/// The key of a request that may be sent again.
pub(super) fn idempotency_key(headers: &HeaderMap) -> Result<Option<&str>, ErrorResponse> {
    let mut values = headers.get_all(IDEMPOTENCY_KEY).iter();
    let Some(value) = values.next() else { return Ok(None) };
    let key = value.to_str().ok().filter(|key| {
        (1..=IDEMPOTENCY_KEY_BYTES).contains(&key.len()) && key.bytes().all(|byte| byte.is_ascii_graphic())
    });
    match (key, values.next()) {
        (Some(key), None) => Ok(Some(key)),
        _ => Err(ErrorResponse::invalid(format!(
            "Idempotency-Key must be one value of 1 to {IDEMPOTENCY_KEY_BYTES} visible ASCII characters"
        ))),
    }
}

/// The query of a list of exports.
pub(super) fn filter(query: &str) -> Result<ExportFilter, ErrorResponse> {
    let mut query = Query::read(query, &["domain", "status"])?;
    Ok(ExportFilter {
        domain: query.take("domain").map(|text| domain(&text)).transpose()?,
        status: query.status(ExportStatus::of, "queued, running, completed or failed")?,
        limit: query.limit,
        cursor: query.cursor,
    })
}

/// The query of a list of deployments.
pub(super) fn deployment_filter(query: &str) -> Result<DeploymentFilter, ErrorResponse> {
    let mut query = Query::read(query, &["branch", "status"])?;
    Ok(DeploymentFilter {
        branch: query.take("branch"),
        status: query.status(DeploymentStatus::of, "queued, in_progress, success or failure")?,
        limit: query.limit,
        cursor: query.cursor,
    })
}

/// The query of a list of agent jobs.
pub(super) fn agent_filter(query: &str) -> Result<AgentFilter, ErrorResponse> {
    let mut query = Query::read(query, &["status"])?;
    Ok(AgentFilter {
        status: query.status(AgentStatus::of, "active, completed, archived or failed")?,
        limit: query.limit,
        cursor: query.cursor,
    })
}

/// The query of a list of deliveries.
pub(super) fn delivery_filter(query: &str) -> Result<DeliveryFilter, ErrorResponse> {
    let mut query = Query::read(query, &["status"])?;
    Ok(DeliveryFilter {
        status: query.status(DeliveryStatus::of, "waiting, delivered or failed")?,
        limit: query.limit,
        cursor: query.cursor,
    })
}

/// The query of a list that has no filter.
pub(super) fn slice(query: &str) -> Result<Slice, ErrorResponse> {
    let query = Query::read(query, &[])?;
    Ok(Slice { limit: query.limit, cursor: query.cursor })
}

/// The query of any list: unknown parameters have no meaning, known ones may stand there once.
struct Query {
    limit: usize,
    cursor: Option<String>,
    others: BTreeMap<String, String>,
}

impl Query {
    fn read(query: &str, known: &[&str]) -> Result<Self, ErrorResponse> {
        let mut others = BTreeMap::new();
        for pair in query.split('&').filter(|pair| !pair.is_empty()) {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            let wrong = || ErrorResponse::invalid("the query is not valid");
            let (name, value) = (form(name).ok_or_else(wrong)?, form(value).ok_or_else(wrong)?);
            let is_known = matches!(name.as_str(), "limit" | "cursor") || known.contains(&name.as_str());
            if is_known && others.insert(name, value).is_some() {
                return Err(ErrorResponse::invalid("the query has a parameter twice"));
            }
        }
        let limit = match others.remove("limit") {
            None => LIST_DEFAULT,
            Some(text) => limit(&text)
                .ok_or_else(|| ErrorResponse::invalid(format!("limit must be a number from 1 to {LIST_MOST}")))?,
        };
        let cursor = others.remove("cursor");
        if cursor.as_ref().is_some_and(String::is_empty) {
            return Err(ErrorResponse::invalid("cursor must not be empty"));
        }
        Ok(Self { limit, cursor, others })
    }

    fn take(&mut self, name: &str) -> Option<String> {
        self.others.remove(name)
    }

    fn status<S>(&mut self, of: fn(&str) -> Option<S>, words: &str) -> Result<Option<S>, ErrorResponse> {
        let wrong = || ErrorResponse::invalid(format!("status must be {words}"));
        self.take("status").map(|word| of(&word).ok_or_else(wrong)).transpose()
    }
}

fn limit(text: &str) -> Option<usize> {
    let digits = text.len() <= 3 && text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|limit| digits && (1..=LIST_MOST).contains(limit))
}

/// A part of a query, decoded as forms are.
fn form(text: &str) -> Option<String> {
    percent_decode_str(&text.replace('+', " ")).decode_utf8().ok().map(|text| text.into_owned())
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;
    use serde_json::json;

    use super::*;

    fn members(value: Value) -> FieldMembers {
        match value {
            Value::Object(members) => members,
            _ => panic!("no object"),
        }
    }

    #[test]
    fn domains_are_host_names() {
        for (good, expect) in [
            ("docs.acme.example", "docs.acme.example"),
            ("DOCS.Acme.Example", "docs.acme.example"),
            ("xn--bcher-kva.example", "xn--bcher-kva.example"),
            ("1.2.3.4a", "1.2.3.4a"),
            ("0.a", "0.a"),
        ] {
            assert_eq!(domain(good).unwrap(), expect);
        }
        let long = format!("{}com", "abcdefghi.".repeat(25));
        assert!(domain(&long).is_ok());
        for bad in [
            "localhost",
            "https://a.example",
            "a.example:80",
            "a.example/",
            "a.example.",
            ".a.example",
            "a..example",
            "-a.example",
            "a-.example",
            "127.0.0.1",
            "a.1",
            "bücher.example",
            "a b.example",
            "a_b.example",
            "a.example\n",
            &format!("a{long}"),
            &format!("{}.com", "a".repeat(64)),
        ] {
            assert!(domain(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn members_have_types_and_bounds() {
        for bad in [
            json!({}),
            json!({"domain": null}),
            json!({"domain": 1}),
            json!({"domain": ""}),
            json!({"domain": ["a.example"]}),
            json!({"domain": "a.example", "version": ""}),
            json!({"domain": "a.example", "version": null}),
            json!({"domain": "a.example", "version": "a b"}),
            json!({"domain": "a.example", "version": "v".repeat(65)}),
            json!({"domain": "a.example", "paths": []}),
            json!({"domain": "a.example", "paths": "a"}),
            json!({"domain": "a.example", "paths": [1]}),
            json!({"domain": "a.example", "paths": null}),
            json!({"domain": "a.example", "paths": ["/a"]}),
            json!({"domain": "a.example", "paths": ["a/"]}),
            json!({"domain": "a.example", "paths": ["a/../b"]}),
            json!({"domain": "a.example", "paths": ["a.mdx"]}),
            json!({"domain": "a.example", "paths": vec!["a"; MAX_PATHS + 1]}),
            json!({"domain": "a.example", "paths": ["a".repeat(1025)]}),
            json!({"domain": "a.example", "paths": ["a\u{0}"]}),
        ] {
            assert!(export_fields(&members(bad.clone())).is_err(), "{bad}");
        }
        let good = json!({"domain": "A.example", "version": "v2.1_rc-3", "paths": ["index", "guides/v1.2"], "other": {"is": "ignored"}});
        let expect = ExportFields {
            domain: "a.example".into(),
            version: Some("v2.1_rc-3".into()),
            paths: vec!["index".into(), "guides/v1.2".into()],
            features: Vec::new(),
        };
        assert_eq!(export_fields(&members(good)).unwrap(), expect);
        assert!(export_fields(&members(json!({"domain": "a.example", "paths": vec!["a"; MAX_PATHS]}))).is_ok());
        assert!(prompt(&members(json!({"prompt": "é".repeat(16_384)}))).is_ok());
        assert!(prompt(&members(json!({"prompt": "é".repeat(16_385)}))).is_err());
    }

    #[test]
    fn queries_are_checked() {
        let expect = ExportFilter {
            domain: Some("a.example".into()),
            status: Some(ExportStatus::Failed),
            limit: 7,
            cursor: Some("a+b".into()),
        };
        assert_eq!(filter("domain=A.example&status=failed&limit=7&cursor=a%2Bb&other=1").unwrap(), expect);
        assert_eq!(filter("").unwrap(), ExportFilter { limit: LIST_DEFAULT, ..ExportFilter::default() });
        for bad in [
            "limit=0",
            "limit=101",
            "limit=-1",
            "limit=",
            "limit=1.0",
            "limit=+1",
            "status=done",
            "status=",
            "domain=",
            "domain=x",
            "cursor=",
            "limit=1&limit=1",
            "domain=%ff",
        ] {
            assert!(filter(bad).is_err(), "{bad}");
        }
        let expect = DeploymentFilter {
            branch: Some("feature/x".into()),
            status: Some(DeploymentStatus::InProgress),
            limit: LIST_DEFAULT,
            cursor: None,
        };
        assert_eq!(deployment_filter("branch=feature%2Fx&status=in_progress&domain=x").unwrap(), expect);
        assert!(deployment_filter("status=running").is_err() && agent_filter("status=queued").is_err());
        assert_eq!(slice("limit=3&status=x").unwrap(), Slice { limit: 3, cursor: None });
    }

    #[test]
    fn keys_of_repetition_are_visible_ascii() {
        let read = |values: &[&[u8]]| {
            let mut headers = HeaderMap::new();
            for value in values {
                headers.append(IDEMPOTENCY_KEY, HeaderValue::from_bytes(value).unwrap());
            }
            idempotency_key(&headers).map(|key| key.map(str::to_owned)).ok()
        };
        assert_eq!((read(&[]), read(&[b"a-1!~"])), (Some(None), Some(Some("a-1!~".to_owned()))));
        for bad in [&[&b""[..]][..], &[b"a b"], &[b"\xc3\xa9"], &[b"a", b"a"], &[&[b'a'; 256]]] {
            assert_eq!(read(bad), None);
        }
        assert!(read(&[&[b'a'; 255]]).is_some_and(|key| key.is_some()));
    }
}
