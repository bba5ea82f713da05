//! Who may see previews: by default whoever knows the address, which cannot be guessed; else only holders of a key of
//! the organization, or readers with a password.

use std::net::IpAddr;

use axum::http::{HeaderMap, HeaderValue, header};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use crate::store::Time;
use host::SiteReaders;
use http::forwarded::{is_forwarded_by_stranger, request_client_address};
use http::lockout::Judgement;

use super::error_response::{ErrorCode, ErrorResponse};
use super::{Api, access};

/// Has a browser ask for name and password.
const CHALLENGE: HeaderValue = HeaderValue::from_static("Basic realm=\"previews\", charset=\"UTF-8\"");

/// Who may see previews.
#[derive(Debug)]
pub enum PreviewAccess {
    /// Whoever knows the address.
    Link,
    /// Holders of a key of the organization with the scope `read`: as bearer token, or as the password of any user name,
    /// which is how browsers ask for it.
    Key,
    /// These readers.
    Basic(SiteReaders),
}

/// Who a request that may see a site comes from.
pub(super) enum Admitted {
    /// Anybody.
    Everybody,
    /// A reader, who may see all previews.
    Reader,
    /// The holder of a key of this organization.
    Organization(String),
}

impl Admitted {
    /// Whether it may see what belongs to an organization.
    pub(super) fn may_see(&self, organization: &str) -> bool {
        match self {
            Self::Everybody | Self::Reader => true,
            Self::Organization(own) => own == organization,
        }
    }

    /// Whether others may not see the same.
    pub(super) fn is_private(&self) -> bool {
        !matches!(self, Self::Everybody)
    }
}

/// Checks the credentials of a request for a preview, before anything is said about what is there.
pub(super) async fn admit(api: &Api, headers: &HeaderMap, peer: IpAddr) -> Result<Admitted, ErrorResponse> {
    let client = request_client_address(headers, peer, &api.0.options.trusted_proxies);
    let access = api.0.preview_access.load_full();
    let admitted = match &*access {
        PreviewAccess::Link => return Ok(Admitted::Everybody),
        PreviewAccess::Basic(readers) => admit_reader(api, readers, headers, client, peer).await?,
        PreviewAccess::Key => {
            let directory = api.0.directory.current();
            let token = preview_secret(headers);
            let key = token.as_deref().and_then(|token| directory.key(token));
            let valid = key.filter(|key| {
                let is_allowed = key.allow.is_empty() || key.allow.contain(client);
                is_allowed && key.scopes.read && !key.has_expired(Time::now().seconds())
            });
            valid.map(|key| Admitted::Organization(key.organization.id.clone()))
        }
    };
    if let Some(admitted) = admitted {
        return Ok(admitted);
    }
    // a browser that has not asked its reader yet has not failed
    if !headers.contains_key(header::AUTHORIZATION) {
        return Err(access::unauthorized(CHALLENGE));
    }
    Err(access::refuse(&api.0.failures, client, CHALLENGE))
}

/// Judges a reader's password, which people choose: unlike keys, it can be guessed. `None`: it is wrong, or there is
/// none.
async fn admit_reader(
    api: &Api,
    readers: &SiteReaders,
    headers: &HeaderMap,
    client: IpAddr,
    peer: IpAddr,
) -> Result<Option<Admitted>, ErrorResponse> {
    match readers.judge(headers, client, 0, &api.0.lockout) {
        Some(Judgement::Admitted) => Ok(Some(Admitted::Reader)),
        Some(Judgement::Locked { wait }) => {
            metrics::counter!("offprint_auth_failures_total").increment(1);
            Err(ErrorResponse::new(ErrorCode::RateLimited, "too many wrong passwords").retry_after(wait))
        }
        Some(Judgement::Refused { delay, message }) => {
            if let Some(message) = message {
                let is_lock = message.is_lock();
                if is_lock {
                    metrics::counter!("offprint_auth_locks_total").increment(1);
                }
                let is_behind_proxy = is_forwarded_by_stranger(headers, peer, &api.0.options.trusted_proxies);
                // all clients of a proxy that is not among `trusted_proxies` count as one
                tracing::warn!(%client, is_lock, untrusted_proxy = is_behind_proxy, "{message}");
            }
            tokio::time::sleep(delay).await;
            Ok(None)
        }
        None => Ok(None),
    }
}

/// The bearer token or the password of a request; two headers have none.
fn preview_secret(headers: &HeaderMap) -> Option<String> {
    let mut values = headers.get_all(header::AUTHORIZATION).iter();
    let (first, second) = (values.next()?, values.next());
    let (scheme, secret) = first.to_str().ok()?.split_once(' ')?;
    if second.is_some() {
        return None;
    }
    if scheme.eq_ignore_ascii_case("bearer") {
        return Some(secret.trim_matches(' ').to_owned());
    }
    let pair = STANDARD.decode(secret.trim()).ok().filter(|_| scheme.eq_ignore_ascii_case("basic"))?;
    let (_, password) = std::str::from_utf8(&pair).ok()?.split_once(':')?;
    Some(password.to_owned())
}
