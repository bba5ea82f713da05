//! The operations of the interface (contract, section 1), one row each. A new one is a row, its function in
//! `operation`, and its description in `fixtures/docs/service/openapi.json`, with which a test compares this table.

use axum::http::Method;

use crate::store::WorkKind;

use super::access::AccessScope::{Read, Write};
use super::access::PlanFeature;
use super::error_response::ErrorResponse;
use super::operation::{agents, bundle_link, deployments, events, exports, health, webhooks};
use super::route::OperationRun::{Keyed, Public};
use super::route::{self, BodyShape, RateWindow, Route, RouteLookup, RouteMatch};

/// Where the metrics are.
const METRICS: &str = "/metrics";

/// All operations.
static ROUTES: [Route; 32] = [
    Route {
        method: Method::GET,
        path: "/v1/static-export/jobs",
        body: BodyShape::None,
        plan: PlanFeature::StaticExport,
        window: RateWindow::None,
        starts_work: false,
        resource: RouteLookup::None,
        run: Keyed(Read, |call| Box::pin(exports::list_exports(call))),
    },
    Route {
        method: Method::POST,
        path: "/v1/static-export/jobs",
        body: BodyShape::Json,
        plan: PlanFeature::StaticExport,
        window: RateWindow::Queue(WorkKind::Export),
        starts_work: true,
        resource: RouteLookup::None,
        run: Keyed(Write, |call| Box::pin(exports::start_export(call))),
    },
    Route {
        method: Method::GET,
        path: "/v1/static-export/jobs/{jobId}",
        body: BodyShape::None,
        plan: PlanFeature::StaticExport,
        window: RateWindow::None,
        starts_work: false,
        resource: RouteLookup::Export,
        run: Keyed(Read, |call| Box::pin(exports::show_export(call))),
    },
    Route {
        method: Method::DELETE,
        path: "/v1/static-export/jobs/{jobId}",
        body: BodyShape::None,
        plan: PlanFeature::StaticExport,
        window: RateWindow::None,
        starts_work: false,
        resource: RouteLookup::Export,
        run: Keyed(Write, |call| Box::pin(exports::cancel_export(call))),
    },
    Route {
        method: Method::GET,
        path: "/v1/static-export/jobs/{jobId}/log",
        body: BodyShape::None,
        plan: PlanFeature::StaticExport,
        window: RateWindow::None,
        starts_work: false,
        resource: RouteLookup::Export,
        run: Keyed(Read, |call| Box::pin(exports::export_log(call))),
    },
    Route {
        method: Method::POST,
        path: "/v1/static-export/jobs/{jobId}/bundle",
        body: BodyShape::Ignored,
        plan: PlanFeature::StaticExport,
        window: RateWindow::BundleLinks,
        starts_work: false,
        resource: RouteLookup::Export,
        run: Keyed(Write, |call| Box::pin(exports::create_bundle(call))),
    },
    Route {
        method: Method::GET,
        path: "/v1/static-export/jobs/{jobId}/events",
        body: BodyShape::None,
        plan: PlanFeature::StaticExport,
        window: RateWindow::Streams,
        starts_work: false,
        resource: RouteLookup::Export,
        run: Keyed(Read, |call| Box::pin(events::stream(call))),
    },
    Route {
        method: Method::POST,
        path: "/v1/project/preview/{projectId}",
        body: BodyShape::Json,
        plan: PlanFeature::Previews,
        window: RateWindow::Previews,
        starts_work: true,
        resource: RouteLookup::Project,
        run: Keyed(Write, |call| Box::pin(deployments::trigger_preview(call))),
    },
    Route {
        method: Method::POST,
        path: "/v1/project/update/{projectId}",
        body: BodyShape::Ignored,
        plan: PlanFeature::Any,
        window: RateWindow::Queue(WorkKind::Deployment),
        starts_work: true,
        resource: RouteLookup::Project,
        run: Keyed(Write, |call| Box::pin(deployments::trigger_update(call))),
    },
    Route {
        method: Method::GET,
        path: "/v1/project/update-status/{statusId}",
        body: BodyShape::None,
        plan: PlanFeature::Any,
        window: RateWindow::None,
        starts_work: false,
        resource: RouteLookup::Deployment,
        run: Keyed(Read, |call| Box::pin(deployments::show_deployment(call))),
    },
    Route {
        method: Method::DELETE,
        path: "/v1/project/update-status/{statusId}",
        body: BodyShape::None,
        plan: PlanFeature::Any,
        window: RateWindow::None,
        starts_work: false,
        resource: RouteLookup::Deployment,
        run: Keyed(Write, |call| Box::pin(deployments::cancel_deployment(call))),
    },
    Route {
        method: Method::GET,
        path: "/v1/project/deployments/{projectId}",
        body: BodyShape::None,
        plan: PlanFeature::Any,
        window: RateWindow::None,
        starts_work: false,
        resource: RouteLookup::Project,
        run: Keyed(Read, |call| Box::pin(deployments::list_deployments(call))),
    },
    Route {
        method: Method::GET,
        path: "/v1/project/previews/{projectId}",
        body: BodyShape::None,
        plan: PlanFeature::Any,
        window: RateWindow::None,
        starts_work: false,
        resource: RouteLookup::Project,
        run: Keyed(Read, |call| Box::pin(deployments::list_previews(call))),
    },
    Route {
        method: Method::GET,
        path: "/v1/project/previews/{projectId}/{subdomain}",
        body: BodyShape::None,
        plan: PlanFeature::Any,
        window: RateWindow::None,
        starts_work: false,
        resource: RouteLookup::Preview,
        run: Keyed(Read, |call| Box::pin(deployments::show_preview(call))),
    },
    Route {
        method: Method::DELETE,
        path: "/v1/project/previews/{projectId}/{subdomain}",
        body: BodyShape::None,
        plan: PlanFeature::Any,
        window: RateWindow::None,
        starts_work: false,
        resource: RouteLookup::Preview,
        run: Keyed(Write, |call| Box::pin(deployments::delete_preview(call))),
    },
    Route {
        method: Method::GET,
        path: "/v2/agent/{projectId}/jobs",
        body: BodyShape::None,
        plan: PlanFeature::Any,
        window: RateWindow::None,
        starts_work: false,
        resource: RouteLookup::Project,
        run: Keyed(Read, |call| Box::pin(agents::list_agent_jobs(call))),
    },
    Route {
        method: Method::POST,
        path: "/v2/agent/{projectId}/job",
        body: BodyShape::Json,
        plan: PlanFeature::Agent,
        window: RateWindow::AgentCalls,
        starts_work: true,
        resource: RouteLookup::Project,
        run: Keyed(Write, |call| Box::pin(agents::create_agent_job(call))),
    },
    Route {
        method: Method::GET,
        path: "/v2/agent/{projectId}/job/{id}",
        body: BodyShape::None,
        plan: PlanFeature::Any,
        window: RateWindow::None,
        starts_work: false,
        resource: RouteLookup::AgentJob,
        run: Keyed(Read, |call| Box::pin(agents::show_agent_job(call))),
    },
    Route {
        method: Method::DELETE,
        path: "/v2/agent/{projectId}/job/{id}",
        body: BodyShape::None,
        plan: PlanFeature::Any,
        window: RateWindow::None,
        starts_work: false,
        resource: RouteLookup::AgentJob,
        run: Keyed(Write, |call| Box::pin(agents::delete(call))),
    },
    Route {
        method: Method::POST,
        path: "/v2/agent/{projectId}/job/{id}/message",
        body: BodyShape::Json,
        plan: PlanFeature::Agent,
        window: RateWindow::AgentCalls,
        starts_work: true,
        resource: RouteLookup::AgentJob,
        run: Keyed(Write, |call| Box::pin(agents::message_agent_job(call))),
    },
    Route {
        method: Method::POST,
        path: "/v2/agent/{projectId}/job/{id}/archive",
        body: BodyShape::Ignored,
        plan: PlanFeature::Agent,
        window: RateWindow::AgentCalls,
        starts_work: false,
        resource: RouteLookup::AgentJob,
        run: Keyed(Write, |call| Box::pin(agents::archive(call))),
    },
    Route {
        method: Method::POST,
        path: "/v2/agent/{projectId}/job/{id}/cancel",
        body: BodyShape::Ignored,
        plan: PlanFeature::Any,
        window: RateWindow::None,
        starts_work: false,
        resource: RouteLookup::AgentJob,
        run: Keyed(Write, |call| Box::pin(agents::cancel_agent_job(call))),
    },
    Route {
        method: Method::GET,
        path: "/v1/webhooks",
        body: BodyShape::None,
        plan: PlanFeature::Any,
        window: RateWindow::None,
        starts_work: false,
        resource: RouteLookup::None,
        run: Keyed(Read, |call| Box::pin(webhooks::list_webhooks(call))),
    },
    Route {
        method: Method::POST,
        path: "/v1/webhooks/{webhookId}/enable",
        body: BodyShape::Ignored,
        plan: PlanFeature::Any,
        window: RateWindow::None,
        starts_work: false,
        resource: RouteLookup::Webhook,
        run: Keyed(Write, |call| Box::pin(webhooks::enable(call))),
    },
    Route {
        method: Method::GET,
        path: "/v1/webhooks/{webhookId}/deliveries",
        body: BodyShape::None,
        plan: PlanFeature::Any,
        window: RateWindow::None,
        starts_work: false,
        resource: RouteLookup::Webhook,
        run: Keyed(Read, |call| Box::pin(webhooks::deliveries(call))),
    },
    Route {
        method: Method::GET,
        path: "/v1/webhooks/{webhookId}/deliveries/{deliveryId}",
        body: BodyShape::None,
        plan: PlanFeature::Any,
        window: RateWindow::None,
        starts_work: false,
        resource: RouteLookup::Delivery,
        run: Keyed(Read, |call| Box::pin(webhooks::show_delivery(call))),
    },
    Route {
        method: Method::POST,
        path: "/v1/webhooks/{webhookId}/deliveries/{deliveryId}/redeliver",
        body: BodyShape::Ignored,
        plan: PlanFeature::Any,
        window: RateWindow::None,
        starts_work: false,
        resource: RouteLookup::Delivery,
        run: Keyed(Write, |call| Box::pin(webhooks::redeliver(call))),
    },
    Route {
        method: Method::GET,
        path: "/bundles/{jobId}/{file}",
        body: BodyShape::None,
        plan: PlanFeature::Any,
        window: RateWindow::None,
        starts_work: false,
        resource: RouteLookup::None,
        run: Public(|call| Box::pin(bundle_link::download(call))),
    },
    Route {
        method: Method::GET,
        path: "/livez",
        body: BodyShape::None,
        plan: PlanFeature::Any,
        window: RateWindow::None,
        starts_work: false,
        resource: RouteLookup::None,
        run: Public(|call| Box::pin(health::live(call))),
    },
    Route {
        method: Method::GET,
        path: "/readyz",
        body: BodyShape::None,
        plan: PlanFeature::Any,
        window: RateWindow::None,
        starts_work: false,
        resource: RouteLookup::None,
        run: Public(|call| Box::pin(health::ready(call))),
    },
    Route {
        method: Method::GET,
        path: "/openapi.json",
        body: BodyShape::None,
        plan: PlanFeature::Any,
        window: RateWindow::None,
        starts_work: false,
        resource: RouteLookup::None,
        run: Public(|call| Box::pin(health::describe_api(call))),
    },
    Route {
        method: Method::GET,
        path: "/metrics",
        body: BodyShape::None,
        plan: PlanFeature::Any,
        window: RateWindow::None,
        starts_work: false,
        resource: RouteLookup::None,
        run: Public(|call| Box::pin(health::metrics(call))),
    },
];

/// The operations of a path; `has_metrics` says whether the metrics are among them.
pub(super) fn find_route(path: &str, has_metrics: bool) -> Result<RouteMatch, ErrorResponse> {
    route::find_among_routes(ROUTES.iter().filter(|route| has_metrics || route.path != METRICS), path)
}

/// The metrics, if that is their path.
pub(super) fn find_metrics(path: &str) -> Result<RouteMatch, ErrorResponse> {
    route::find_among_routes(ROUTES.iter().filter(|route| route.path == METRICS), path)
}

/// How a process is.
pub(super) fn find_health(path: &str) -> Result<RouteMatch, ErrorResponse> {
    route::find_among_routes(ROUTES.iter().filter(|route| ["/livez", "/readyz"].contains(&route.path)), path)
}

/// How a process is, or its metrics.
pub(super) fn find_health_or_metrics(path: &str) -> Result<RouteMatch, ErrorResponse> {
    find_health(path).or_else(|_| find_metrics(path))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use axum::response::IntoResponse as _;
    use serde_json::Value;

    use super::super::reference::DESCRIPTION;
    use super::super::route::MethodMatch;
    use super::*;

    /// A request for a path becomes the operation of a template, or a status.
    #[track_caller]
    fn check(method: Method, path: &str, expect: Result<(&str, &[&str]), u16>) {
        let found = find_route(path, true)
            .and_then(|found| found.match_method(&method).map(|matched| (matched, found.parameters)));
        match (found, expect) {
            (Ok((MethodMatch::Operation(route), parameters)), Ok((expect, expected))) => {
                let looked_up = if method == Method::HEAD { Method::GET } else { method };
                assert_eq!((&route.method, route.path), (&looked_up, expect), "{path}");
                assert_eq!(parameters, expected, "{path}");
            }
            (Err(error), Err(status)) => assert_eq!(error.into_response().status(), status, "{path}"),
            (Ok(_), expect) => panic!("{path} is there instead of {expect:?}"),
            (Err(error), expect) => panic!("{path}: {error:?} instead of {expect:?}"),
        }
    }

    #[test]
    fn the_table_is_what_the_description_says() {
        let ours: BTreeSet<(String, String)> =
            ROUTES.iter().map(|route| (route.path.to_owned(), route.method.as_str().to_lowercase())).collect();
        assert_eq!(ours.len(), ROUTES.len(), "a row stands there twice");
        let description: Value = serde_json::from_str(DESCRIPTION).unwrap();
        let mut described = BTreeSet::new();
        for (path, item) in description["paths"].as_object().unwrap() {
            for (method, operation) in item.as_object().unwrap() {
                let Some(name) = operation["operationId"].as_str() else { continue };
                described.insert((path.clone(), method.clone()));
                let Some(route) =
                    ROUTES.iter().find(|route| route.path == path && route.method.as_str().to_lowercase() == *method)
                else {
                    continue;
                };
                assert_eq!(route.body == BodyShape::Json, operation["requestBody"].is_object(), "the body of {name}");
                let is_public = operation["security"].as_array().is_some_and(Vec::is_empty);
                assert_eq!(matches!(route.run, Public(_)), is_public, "the key of {name}");
            }
        }
        assert_eq!(ours, described);
    }

    #[test]
    fn scopes_and_bodies_follow_the_methods() {
        for route in &ROUTES {
            let reads = route.method == Method::GET;
            assert_eq!(route.body == BodyShape::None, route.method != Method::POST, "the body of {}", route.path);
            if let Keyed(scope, _) = route.run {
                assert_eq!(scope == Read, reads, "the scope of {}", route.path);
            }
        }
    }

    #[test]
    fn the_rows_of_a_path_stand_one_after_another() {
        let mut seen = std::collections::BTreeSet::new();
        for rows in ROUTES.chunk_by(|one, other| one.path == other.path) {
            assert!(seen.insert(rows[0].path), "{}", rows[0].path);
        }
    }

    #[test]
    fn paths_are_exact() {
        let job = "/v1/static-export/jobs/{jobId}";
        check(Method::GET, "/v1/static-export/jobs/se_1", Ok((job, &["se_1"])));
        check(Method::HEAD, "/v1/static-export/jobs/se_1", Ok((job, &["se_1"])));
        check(Method::DELETE, "/v1/static-export/jobs/se_1", Ok((job, &["se_1"])));
        let message = "/v2/agent/{projectId}/job/{id}/message";
        check(Method::POST, "/v2/agent/docs/job/aj_1/message", Ok((message, &["docs", "aj_1"])));
        check(Method::POST, "/v1/static%2Dexport/jobs", Ok(("/v1/static-export/jobs", &[])));
        check(Method::GET, "/v1/static-export/jobs/a%2fb%25", Ok((job, &["a/b%"])));
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
        for path in ROUTES.iter().map(|route| route.path).filter(|path| path.starts_with("/v")) {
            let other =
                if path.starts_with("/v1") { path.replacen("/v1", "/v2", 1) } else { path.replacen("/v2", "/v1", 1) };
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
        let found = find_route("/v1/static-export/jobs", false).unwrap();
        assert_eq!(found.allow(), "GET, HEAD, POST, OPTIONS");
        assert!(matches!(found.match_method(&Method::OPTIONS), Ok(MethodMatch::Options)));
        assert!(find_route("/metrics", false).is_err() && find_metrics("/livez").is_err());
        assert!(find_health("/readyz").is_ok() && find_health("/v1/static-export/jobs").is_err());
    }
}
