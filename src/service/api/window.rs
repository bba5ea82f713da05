//! Step 6: rate limits and queue caps, and what responses say of them (contract, E-PRV-2).

use std::sync::atomic::Ordering;
use std::time::Duration;

use axum::http::{HeaderName, HeaderValue};
use axum::response::Response;

use super::Api;
use super::access::Caller;
use super::call::Resource;
use http::lockout::whole_seconds;

use super::error_response::{ErrorCode, ErrorResponse};
use super::route::{RateWindow, Route};
use super::streams::{STREAMS, StreamGuard};

const RATE_LIMIT: HeaderName = HeaderName::from_static("ratelimit");
const RATE_LIMIT_POLICY: HeaderName = HeaderName::from_static("ratelimit-policy");

/// What a request has used up of a window.
#[derive(Default)]
pub(super) struct WindowBudget {
    standing: Option<WindowStanding>,
    stream: Option<StreamGuard>,
}

/// How a window stands after a request.
struct WindowStanding {
    name: &'static str,
    limit: u32,
    length: Duration,
    left: u32,
    reset: Duration,
}

impl WindowBudget {
    /// The place of a stream.
    pub(super) fn take_stream(&mut self) -> Option<StreamGuard> {
        self.stream.take()
    }

    /// Says in an answer what is left.
    pub(super) fn write_headers(self, answered: Result<Response, ErrorResponse>) -> Result<Response, ErrorResponse> {
        let Some(standing) = self.standing else { return answered };
        let headers = standing.headers();
        match answered {
            Ok(mut response) => {
                response.headers_mut().extend(headers);
                Ok(response)
            }
            Err(error) => Err(headers.into_iter().fold(error, |error, (name, value)| error.with(name, value))),
        }
    }
}

impl WindowStanding {
    fn headers(&self) -> [(HeaderName, HeaderValue); 2] {
        let Self { name, limit, length, left, reset } = self;
        let value = |text: String| HeaderValue::try_from(text).unwrap_or(HeaderValue::from_static(""));
        let policy = value(format!("\"{name}\";q={limit};w={}", length.as_secs()));
        let state = value(format!("\"{name}\";r={left};t={}", whole_seconds(*reset).min(length.as_secs())));
        [(RATE_LIMIT_POLICY, policy), (RATE_LIMIT, state)]
    }
}

/// Counts a request against what its operation uses up.
pub(super) async fn spend(
    api: &Api,
    route: &Route,
    caller: &Caller,
    resource: &Resource,
) -> Result<WindowBudget, ErrorResponse> {
    if route.starts_work && api.0.is_draining.load(Ordering::Relaxed) {
        return Err(ErrorResponse::unavailable("the service is about to stop"));
    }
    let limits = caller.organization().limits;
    let organization = caller.organization().id.as_str();
    match route.window {
        RateWindow::None => Ok(WindowBudget::default()),
        RateWindow::Previews => {
            let window = format!("preview/{organization}");
            let message = |limit| format!("preview limit of {limit} requests per minute reached");
            take_from_window(api, "preview", &window, limits.previews_per_minute, Duration::from_secs(60), message)
                .await
        }
        RateWindow::AgentCalls => {
            let project = match resource {
                Resource::Project(project) => project.id.as_str(),
                Resource::Agent(job) => job.project.as_str(),
                _ => return Err(ErrorResponse::internal("an agent call without a project")),
            };
            let window = format!("agent/{project}");
            let message = |limit| format!("agent limit of {limit} requests per hour reached");
            take_from_window(api, "agent", &window, limits.agent_calls_per_hour, Duration::from_secs(3600), message)
                .await
        }
        RateWindow::BundleLinks => {
            let window = format!("bundle/{organization}");
            let message = |limit| format!("limit of {limit} bundle links per minute reached");
            take_from_window(api, "bundle", &window, limits.bundle_links_per_minute, Duration::from_secs(60), message)
                .await
        }
        RateWindow::Queue(kind) => {
            api.0.jobs.room(organization, kind, caller.limits()).await?;
            Ok(WindowBudget::default())
        }
        RateWindow::Streams => match api.0.streams.enter(organization) {
            Some(place) => Ok(WindowBudget { standing: None, stream: Some(place) }),
            None => Err(ErrorResponse::new(ErrorCode::RateLimited, format!("at most {STREAMS} streams can be open"))
                .retry_after(Duration::from_secs(5))),
        },
    }
}

/// Counts a request against a window; 0 means no window.
async fn take_from_window(
    api: &Api,
    name: &'static str,
    window: &str,
    limit: u32,
    length: Duration,
    message: impl Fn(u32) -> String,
) -> Result<WindowBudget, ErrorResponse> {
    if limit == 0 {
        return Ok(WindowBudget::default());
    }
    let rate = api.0.jobs.ledger().take(window, limit, length, api.0.jobs.now()).await?;
    let budget = WindowBudget {
        standing: Some(WindowStanding { name, limit, length, left: rate.left, reset: rate.reset }),
        stream: None,
    };
    if rate.accepted {
        return Ok(budget);
    }
    let refused = ErrorResponse::new(ErrorCode::RateLimited, message(limit)).retry_after(rate.reset.min(length));
    match budget.write_headers(Err(refused)) {
        Err(error) => Err(error),
        Ok(_) => Err(ErrorResponse::internal("an error response became an answer")),
    }
}
