//! The table of paths (contract, section 1), and how a request finds its row.
//!
//! Paths are exact: no slash at the end, case counts, every segment is percent-decoded once. `GET` brings `HEAD` with
//! it, every row `OPTIONS`.

use axum::http::{HeaderValue, Method, header};
use percent_encoding::percent_decode_str;

use super::refusal::{Code, Refusal};

/// What can be asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Operation {
    TriggerPreview,
    TriggerUpdate,
    UpdateStatus,
    StartExport,
    ListExports,
    GetExport,
    CancelExport,
    StreamExport,
    CreateBundle,
    CreateAgentJob,
    GetAgentJob,
    MessageAgentJob,
    ArchiveAgentJob,
    DownloadBundle,
    Live,
    Ready,
    Metrics,
}

use Operation::*;

/// The version segment of each row is part of its path: the same path under another one is unknown (S-VER-1).
const TABLE: [(&str, &[(Method, Operation)]); 14] = [
    ("/v1/static-export/jobs/{jobId}", &[(Method::GET, GetExport), (Method::DELETE, CancelExport)]),
    ("/v1/static-export/jobs", &[(Method::GET, ListExports), (Method::POST, StartExport)]),
    ("/v1/static-export/jobs/{jobId}/bundle", &[(Method::POST, CreateBundle)]),
    ("/v1/static-export/jobs/{jobId}/events", &[(Method::GET, StreamExport)]),
    ("/v1/project/update-status/{statusId}", &[(Method::GET, UpdateStatus)]),
    ("/v1/project/preview/{projectId}", &[(Method::POST, TriggerPreview)]),
    ("/v1/project/update/{projectId}", &[(Method::POST, TriggerUpdate)]),
    ("/v2/agent/{projectId}/job/{id}", &[(Method::GET, GetAgentJob)]),
    ("/v2/agent/{projectId}/job", &[(Method::POST, CreateAgentJob)]),
    ("/v2/agent/{projectId}/job/{id}/message", &[(Method::POST, MessageAgentJob)]),
    ("/v2/agent/{projectId}/job/{id}/archive", &[(Method::POST, ArchiveAgentJob)]),
    ("/bundles/{jobId}/{file}", &[(Method::GET, DownloadBundle)]),
    ("/livez", &[(Method::GET, Live)]),
    ("/readyz", &[(Method::GET, Ready)]),
];

/// Where the metrics are, if they have no address of their own.
const METRICS: (&str, &[(Method, Operation)]) = ("/metrics", &[(Method::GET, Metrics)]);

/// A row of the table, with what the path has in the places of its parameters, decoded.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Row {
    /// As the contract writes it.
    pub(super) template: &'static str,
    methods: &'static [(Method, Operation)],
    /// In the order of the path.
    pub(super) parameters: Vec<String>,
}

/// What a method asks of a row.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Asked {
    /// To do this.
    Operation(Operation),
    /// Which methods there are.
    Options,
}

/// The row of a path, still percent-encoded.
pub(super) fn find(path: &str, has_metrics: bool) -> Result<Row, Refusal> {
    let rows = TABLE.iter().chain(has_metrics.then_some(&METRICS));
    for (template, methods) in rows {
        if let Some(parameters) = parameters(template, path) {
            let parameters = parameters.into_iter().map(decoded).collect::<Option<_>>();
            let parameters =
                parameters.ok_or_else(|| Refusal::invalid("a part of the path is not valid percent-encoded UTF-8"))?;
            return Ok(Row { template, methods, parameters });
        }
    }
    Err(Refusal::not_found())
}

impl Row {
    /// What a method asks for.
    pub(super) fn asked(&self, method: &Method) -> Result<Asked, Refusal> {
        let looked_up = if *method == Method::HEAD { &Method::GET } else { method };
        match self.methods.iter().find(|(other, _)| other == looked_up) {
            Some((_, operation)) => Ok(Asked::Operation(*operation)),
            None if *method == Method::OPTIONS => Ok(Asked::Options),
            None => Err(Refusal::new(Code::MethodNotAllowed, format!("only {} can be used here", self.allow()))
                .with(header::ALLOW, self.allow_value())),
        }
    }

    /// The value of `Allow`.
    pub(super) fn allow_value(&self) -> HeaderValue {
        HeaderValue::try_from(self.allow()).unwrap_or(HeaderValue::from_static("OPTIONS"))
    }

    fn allow(&self) -> String {
        let mut names = Vec::new();
        for (method, _) in self.methods {
            names.push(method.as_str());
            if *method == Method::GET {
                names.push("HEAD");
            }
        }
        names.push("OPTIONS");
        names.join(", ")
    }

    /// A parameter by its place.
    pub(super) fn parameter(&self, index: usize) -> &str {
        self.parameters.get(index).map_or("", String::as_str)
    }
}

/// The segments of a path in the places of a template's parameters, if the rest is equal.
fn parameters<'a>(template: &str, path: &'a str) -> Option<Vec<&'a str>> {
    let mut found = Vec::new();
    let (mut expected, mut segments) = (template.split('/'), path.split('/'));
    loop {
        match (expected.next(), segments.next()) {
            (None, None) => return Some(found),
            (Some(expected), Some(segment)) if expected.starts_with('{') && !segment.is_empty() => found.push(segment),
            (Some(expected), Some(segment))
                if expected == segment || (segment.contains('%') && decoded(segment).as_deref() == Some(expected)) => {}
            _ => return None,
        }
    }
}

/// A segment, percent-decoded. `None` where a `%` is not followed by two digits, or the bytes are no text.
pub(super) fn decoded(segment: &str) -> Option<String> {
    let well_formed = |rest: &str| rest.len() >= 2 && rest.as_bytes()[..2].iter().all(u8::is_ascii_hexdigit);
    if !segment.split('%').skip(1).all(well_formed) {
        return None;
    }
    percent_decode_str(segment).decode_utf8().ok().map(|text| text.into_owned())
}

#[cfg(test)]
mod tests {
    use axum::response::IntoResponse as _;

    use super::*;

    #[track_caller]
    fn check(method: Method, path: &str, expect: Result<(Operation, &[&str]), u16>) {
        let found = find(path, true).and_then(|row| row.asked(&method).map(|asked| (asked, row.parameters)));
        match (found, expect) {
            (Ok((Asked::Operation(operation), parameters)), Ok((expect, expected))) => {
                assert_eq!(operation, expect, "{path}");
                assert_eq!(parameters, expected, "{path}");
            }
            (Err(refusal), Err(status)) => assert_eq!(refusal.into_response().status(), status, "{path}"),
            (found, expect) => panic!("{path}: {found:?} instead of {expect:?}"),
        }
    }

    #[test]
    fn paths_are_exact() {
        check(Method::GET, "/v1/static-export/jobs/se_1", Ok((GetExport, &["se_1"])));
        check(Method::HEAD, "/v1/static-export/jobs/se_1", Ok((GetExport, &["se_1"])));
        check(Method::DELETE, "/v1/static-export/jobs/se_1", Ok((CancelExport, &["se_1"])));
        check(Method::POST, "/v2/agent/docs/job/aj_1/message", Ok((MessageAgentJob, &["docs", "aj_1"])));
        check(Method::POST, "/v1/static%2Dexport/jobs", Ok((StartExport, &[])));
        check(Method::GET, "/v1/static-export/jobs/a%2fb%25", Ok((GetExport, &["a/b%"])));
        for path in [
            "/",
            "",
            "*",
            "/v1/static-export/jobs/",
            "/v1/static-export/jobs//bundle",
            "/V1/static-export/jobs",
            "/v1/static-export/jobs/a/b",
            "/v1//static-export/jobs",
            "v1/static-export/jobs",
            "/livez/",
            "/v1/static-export/jobs/x/bundle/",
        ] {
            check(Method::GET, path, Err(404));
        }
        for path in [
            "/v1/static-export/jobs/%zz",
            "/v1/static-export/jobs/%",
            "/v1/static-export/jobs/%ff",
            "/v1/static-export/jobs/%2",
        ] {
            check(Method::GET, path, Err(400));
        }
    }

    #[test]
    fn s_ver_1_versions_do_not_mix() {
        for (template, _) in TABLE.iter().filter(|(template, _)| template.starts_with("/v")) {
            let other = if template.starts_with("/v1") {
                template.replacen("/v1", "/v2", 1)
            } else {
                template.replacen("/v2", "/v1", 1)
            };
            check(Method::GET, &other, Err(404));
            check(Method::POST, &other, Err(404));
        }
    }

    #[test]
    fn other_methods_are_told_what_there_is() {
        check(Method::PUT, "/v1/static-export/jobs", Err(405));
        check(Method::GET, "/v1/project/preview/docs", Err(405));
        check(Method::HEAD, "/v1/project/preview/docs", Err(405));
        check(Method::POST, "/livez", Err(405));
        let row = find("/v1/static-export/jobs", false).unwrap();
        assert_eq!(row.allow(), "GET, HEAD, POST, OPTIONS");
        assert_eq!(row.asked(&Method::OPTIONS).unwrap(), Asked::Options);
        assert!(find("/metrics", false).is_err());
    }
}
