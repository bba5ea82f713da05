//! Steps 3 and 5: authentication and authorization (contract, section 3).

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Instant;

use axum::http::{HeaderMap, HeaderValue, header};

use crate::job::QueueLimits;
use crate::store::Time;
use crate::tenant::{Failures, Organization, OrganizationKey, TenantDirectory};
use http::forwarded::{is_forwarded_by_stranger, request_client_address};

use super::Api;
use super::error_response::{ErrorCode, ErrorResponse};

/// `WWW-Authenticate` of a 401 without a key, and with a wrong one.
const NO_KEY: HeaderValue = HeaderValue::from_static("Bearer realm=\"offprint\"");
const NO_VALID_KEY: HeaderValue = HeaderValue::from_static("Bearer realm=\"offprint\", error=\"invalid_token\"");
const NEEDS_WRITE: HeaderValue =
    HeaderValue::from_static("Bearer realm=\"offprint\", error=\"insufficient_scope\", scope=\"write\"");
const NEEDS_READ: HeaderValue =
    HeaderValue::from_static("Bearer realm=\"offprint\", error=\"insufficient_scope\", scope=\"read\"");

/// The scope that a key needs (E-AUT-5).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AccessScope {
    Read,
    Write,
}

/// What the plan of the organization must have (contract, section 3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PlanFeature {
    Any,
    Previews,
    StaticExport,
    Agent,
}

/// The holder of a key that is valid here and now.
#[derive(Clone, Debug)]
pub(super) struct Caller {
    pub(super) key: Arc<OrganizationKey>,
}

impl Caller {
    pub(super) fn organization(&self) -> &Organization {
        &self.key.organization
    }

    /// How many jobs of a kind the organization may have.
    pub(super) fn limits(&self) -> QueueLimits {
        let limits = self.organization().limits;
        QueueLimits { running: limits.exports_running, queued: limits.exports_queued }
    }
}

/// Step 3: the key, and where it may be used.
pub(super) fn authenticate(
    headers: &HeaderMap,
    client: IpAddr,
    directory: &TenantDirectory,
    failures: &Failures,
) -> Result<Caller, ErrorResponse> {
    let token = bearer_token(headers)?;
    let found =
        token.as_deref().and_then(|token| directory.key(token)).filter(|key| !key.has_expired(Time::now().seconds()));
    let Some(key) = found else {
        return Err(refuse(failures, client, if token.is_some() { NO_VALID_KEY } else { NO_KEY }));
    };
    if !key.allow.is_empty() && !key.allow.contain(client) {
        return Err(ErrorResponse::new(ErrorCode::IpNotAllowed, "the key cannot be used from this address"));
    }
    Ok(Caller { key: Arc::clone(key) })
}

/// Whether a request comes from an operator: from this machine itself, by no proxy, or with a key that can read. What
/// is no such request is answered all the same, so nothing is counted.
pub(super) fn is_operator(api: &Api, headers: &HeaderMap, peer: IpAddr) -> bool {
    let proxies = &api.0.options.trusted_proxies;
    let client = request_client_address(headers, peer, proxies);
    if client.is_loopback() && !is_forwarded_by_stranger(headers, peer, proxies) {
        return true;
    }
    let directory = api.0.directory.current();
    let token = bearer_token(headers).ok().flatten();
    token.as_deref().and_then(|token| directory.key(token)).is_some_and(|key| {
        let is_allowed = key.allow.is_empty() || key.allow.contain(client);
        is_allowed && key.scopes.read && !key.has_expired(Time::now().seconds())
    })
}

/// Counts a failed authentication; what it is answered.
pub(super) fn refuse(failures: &Failures, client: IpAddr, challenge: HeaderValue) -> ErrorResponse {
    metrics::counter!("offprint_auth_failures_total").increment(1);
    match failures.count(client, Instant::now()) {
        Ok(()) => unauthorized(challenge),
        Err(wait) => ErrorResponse::new(ErrorCode::RateLimited, "too many failed authentications").retry_after(wait),
    }
}

/// Without valid credentials there is no answer.
pub(super) fn unauthorized(challenge: HeaderValue) -> ErrorResponse {
    ErrorResponse::new(ErrorCode::Unauthorized, "authentication failed").with(header::WWW_AUTHENTICATE, challenge)
}

/// What follows `Bearer`; what is no text is still a token, and a wrong one. Keys in queries and cookies are never
/// read.
fn bearer_token(headers: &HeaderMap) -> Result<Option<String>, ErrorResponse> {
    let mut values = headers.get_all(header::AUTHORIZATION).iter();
    let (first, second) = (values.next(), values.next());
    if second.is_some() {
        return Err(ErrorResponse::invalid("there are two Authorization headers"));
    }
    let text = first.map(|value| String::from_utf8_lossy(value.as_bytes()));
    let pair = text.as_deref().and_then(|text| text.split_once(' '));
    Ok(pair
        .filter(|(scheme, _)| scheme.eq_ignore_ascii_case("bearer"))
        .map(|(_, token)| token.trim_matches(' ').to_owned())
        .filter(|token| !token.is_empty()))
}

/// Step 5: the key's scopes, then the organization's plan.
pub(super) fn check_access(
    caller: &Caller,
    scope: AccessScope,
    plan: PlanFeature,
    has_agent: bool,
) -> Result<(), ErrorResponse> {
    let scopes = caller.key.scopes;
    let (is_allowed, needed, message) = match scope {
        AccessScope::Read => (scopes.read, NEEDS_READ, "the key cannot read"),
        AccessScope::Write => (scopes.write, NEEDS_WRITE, "the key can only read"),
    };
    if !is_allowed {
        return Err(ErrorResponse::new(ErrorCode::InsufficientScope, message).with(header::WWW_AUTHENTICATE, needed));
    }
    let paid = caller.organization().plan;
    let (is_paid, message) = match plan {
        PlanFeature::Any => (true, ""),
        PlanFeature::Previews => (paid.preview, "preview deployments are not available on the current plan"),
        PlanFeature::StaticExport => (paid.static_export, "static export requires the Enterprise plan"),
        PlanFeature::Agent => (paid.agent && has_agent, "agent jobs are not available"),
    };
    if is_paid { Ok(()) } else { Err(ErrorResponse::new(ErrorCode::PlanRequired, message)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check_token(values: &[&str], expect: Option<Option<&str>>) {
        let mut headers = HeaderMap::new();
        for value in values {
            headers.append(header::AUTHORIZATION, HeaderValue::from_bytes(value.as_bytes()).unwrap());
        }
        assert_eq!(bearer_token(&headers).ok().as_ref().map(Option::as_deref), expect, "{values:?}");
    }

    #[test]
    fn e_aut_2_only_bearer_tokens_count() {
        check_token(&[], Some(None));
        check_token(&["Bearer opk_x"], Some(Some("opk_x")));
        check_token(&["bEARER   opk_x "], Some(Some("opk_x")));
        check_token(&["Bearer"], Some(None));
        check_token(&["Bearer "], Some(None));
        check_token(&["Basic opk_x"], Some(None));
        check_token(&["opk_x"], Some(None));
        check_token(&["Bearer\topk_x"], Some(None));
        check_token(&["Bearer schlüssel"], Some(Some("schlüssel")));
        check_token(&["Bearer a", "Bearer a"], None);
    }
}
