//! Sessions of the console: a cookie that says whose key was shown, until when, signed. The key itself is in none.

use axum::http::{HeaderMap, HeaderValue, header};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use subtle::ConstantTimeEq as _;

use crate::store::Time;
use crate::tenant::{OrganizationKey, TenantDirectory};
use base::digest::{hmac_sha256_of_values, sha256_of_values};
use base::hex::to_hex;

/// The name of the cookie.
const COOKIE: &str = "offprint_console";
/// How long a session lasts, seconds.
pub(super) const SESSION_SECONDS: u64 = 3600;
/// What the first signed bytes are: signatures of another kind with the same key are never sessions.
const PURPOSE: &str = "offprint console session 1";
/// The same for the tokens of forms.
const FORM_PURPOSE: &str = "offprint console form 1";

/// Signs sessions.
#[derive(Clone)]
pub struct ConsoleKey([u8; 32]);

impl std::fmt::Debug for ConsoleKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("ConsoleKey")
    }
}

/// A session that is valid.
#[derive(Clone)]
pub(super) struct ConsoleSession {
    pub(super) key: std::sync::Arc<OrganizationKey>,
    /// Stands in every form: what was not made here for this session has none.
    pub(super) token: String,
    /// Stands for the session where those are kept that were ended.
    pub(super) id: String,
    /// When it ends by itself.
    pub(super) until: Time,
}

impl ConsoleKey {
    /// A key of these bytes.
    pub fn new(secret: [u8; 32]) -> Self {
        Self(secret)
    }

    /// The cookie of a new session for the holder of a key.
    pub(super) fn begin(&self, key: &OrganizationKey, now: u64, is_secure: bool) -> Option<HeaderValue> {
        let mut nonce = [0; 16];
        getrandom::fill(&mut nonce).ok()?;
        let expires = now + SESSION_SECONDS;
        let named = format!("{expires}.{}.{}.{}", key.organization.id, key.id, to_hex(&nonce));
        let signature = self.sign(&[PURPOSE, &named, &to_hex(&key.hash)]);
        cookie(&format!("{named}.{signature}"), SESSION_SECONDS, is_secure)
    }

    /// The session of a request. It ends with its time, and with its key.
    pub(super) fn find(&self, headers: &HeaderMap, directory: &TenantDirectory, now: u64) -> Option<ConsoleSession> {
        let value = session_cookie_value(headers)?;
        let (named, signature) = value.rsplit_once('.')?;
        let mut parts = named.split('.');
        let (expires, organization, id) = (parts.next()?, parts.next()?, parts.next()?);
        let key = directory.key_named(organization, id)?;
        let expect = self.sign(&[PURPOSE, named, &to_hex(&key.hash)]);
        let is_signed: bool = expect.as_bytes().ct_eq(signature.as_bytes()).into();
        let expires = expires.parse::<u64>().ok().filter(|expires| is_signed && now < *expires)?;
        (!key.has_expired(now)).then(|| ConsoleSession {
            key: key.clone(),
            token: self.sign(&[FORM_PURPOSE, named]),
            id: to_hex(&sha256_of_values(&[named])),
            until: Time::from_micros(expires.saturating_mul(1_000_000)),
        })
    }

    fn sign(&self, values: &[&str]) -> String {
        URL_SAFE_NO_PAD.encode(hmac_sha256_of_values(&self.0, values))
    }
}

impl ConsoleSession {
    /// Whether a form is one of this session.
    pub(super) fn has_token(&self, token: &str) -> bool {
        self.token.as_bytes().ct_eq(token.as_bytes()).into()
    }
}

/// The cookie that ends a session.
pub(super) fn session_end_cookie(is_secure: bool) -> Option<HeaderValue> {
    cookie("", 0, is_secure)
}

fn cookie(value: &str, seconds: u64, is_secure: bool) -> Option<HeaderValue> {
    let secure = if is_secure { "; Secure" } else { "" };
    let text = format!("{COOKIE}={value}; Path=/console; Max-Age={seconds}; HttpOnly; SameSite=Strict{secure}");
    HeaderValue::try_from(text).ok()
}

/// The value of the cookie; two have none.
fn session_cookie_value(headers: &HeaderMap) -> Option<&str> {
    let pairs = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    let mut found = pairs
        .flat_map(|value| value.split("; "))
        .filter_map(|pair| pair.split_once('='))
        .filter(|(name, _)| *name == COOKIE)
        .map(|(_, value)| value);
    let first = found.next()?;
    found.next().is_none().then_some(first)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::tenant::{KeyScopes, Organization, OrganizationPlan, PlanLimits};
    use http::peer::NetworkList;

    fn directory(hash: u8) -> (TenantDirectory, OrganizationKey) {
        let organization = Arc::new(Organization {
            id: "acme".into(),
            plan: OrganizationPlan::default(),
            limits: PlanLimits::default(),
            webhooks: Vec::new(),
        });
        let key = OrganizationKey {
            id: "ci".into(),
            hash: [hash; 32],
            scopes: KeyScopes::ALL,
            expires_at: Some(20_000),
            allow: NetworkList::default(),
            organization,
        };
        let mut directory = TenantDirectory::default();
        directory.add_key(key.clone()).unwrap();
        (directory, key)
    }

    /// The headers of a request with a cookie.
    fn sent(cookies: &[&str]) -> HeaderMap {
        let mut headers = HeaderMap::new();
        for cookie in cookies {
            headers.append(header::COOKIE, HeaderValue::try_from(*cookie).unwrap());
        }
        headers
    }

    #[test]
    fn sessions_end_with_their_time_and_their_key() {
        let (console, (directory, key)) = (ConsoleKey::new([7; 32]), directory(1));
        let cookie = console.begin(&key, 10_000, true).unwrap();
        let text = cookie.to_str().unwrap();
        assert!(text.ends_with("; Path=/console; Max-Age=3600; HttpOnly; SameSite=Strict; Secure"), "{text}");
        assert!(!text.contains(&to_hex(&key.hash)));
        let pair = text.split(';').next().unwrap();
        let finds = |console: &ConsoleKey, directory: &TenantDirectory, cookies: &[&str], now| {
            console.find(&sent(cookies), directory, now).is_some()
        };
        assert!(
            finds(&console, &directory, &[pair], 10_000)
                && finds(&console, &directory, &[&format!("a=b; {pair}")], 13_599)
        );
        assert!(!finds(&console, &directory, &[pair], 13_600), "its time is over");
        assert!(!finds(&console, &directory, &[pair, pair], 10_000), "two are none");
        assert!(!finds(&console, &super::tests::directory(2).0, &[pair], 10_000), "the key is another one");
        assert!(!finds(&console, &TenantDirectory::default(), &[pair], 10_000), "the key has gone");
        assert!(!finds(&ConsoleKey::new([8; 32]), &directory, &[pair], 10_000));
        for (from, to) in [(".acme.", ".globex."), ("13600", "99999"), (".ci.", ".me."), ("=", "=1")] {
            assert!(!finds(&console, &directory, &[&pair.replacen(from, to, 1)], 10_000), "{from}");
        }
        let late = console.begin(&key, 19_000, false).unwrap();
        let pair = late.to_str().unwrap().split(';').next().unwrap();
        assert!(finds(&console, &directory, &[pair], 19_999) && !finds(&console, &directory, &[pair], 20_000));
        let session = console.find(&sent(&[pair]), &directory, 19_000).unwrap();
        assert!(session.has_token(&session.token.clone()) && !session.has_token("") && !session.has_token("x"));
    }
}
