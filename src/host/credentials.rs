//! Credentials of readers of a private site, and of operators of the server. Only digests are kept; comparing takes as
//! long for a wrong secret as for a right one, and for a name that no reader has. Who guesses is locked out (`lockout`).

use std::net::IpAddr;
use std::path::Path;
use std::time::Instant;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use hyper::HeaderMap;
use hyper::header::{AUTHORIZATION, HeaderValue};
use sha2::{Digest as _, Sha256};
use subtle::{Choice, ConstantTimeEq as _};

use http::lockout::{Guess, Judgement, Lockout};

use super::source::short_text;

/// Longest file with secrets, bytes.
const FILE_BYTES: u64 = 64 << 10;
/// Shortest token, characters.
const TOKEN_CHARS: usize = 16;

/// Readers of a site: each line of their file is `user:password`, or `bearer TOKEN`.
#[derive(Debug)]
pub struct SiteReaders {
    accepted: Vec<[u8; 32]>,
    /// Digests of the names that have a password.
    names: Vec<[u8; 32]>,
    challenge: HeaderValue,
}

impl SiteReaders {
    /// Reads the file.
    ///
    /// # Errors
    /// It cannot be read, or names no reader.
    pub fn read(path: &Path) -> Result<Self, String> {
        let text = short_text(path, FILE_BYTES)
            .map_err(|error| format!("cannot read the readers in `{}`: {error}", path.display()))?;
        Self::parse(&text)
            .ok_or_else(|| format!("`{}` names no reader: a line is `user:password` or `bearer TOKEN`", path.display()))
    }

    fn parse(text: &str) -> Option<Self> {
        let (mut accepted, mut names) = (Vec::new(), Vec::new());
        for line in text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')) {
            match line.split_once(' ') {
                Some((scheme, token)) if scheme.eq_ignore_ascii_case("bearer") && !token.trim().is_empty() => {
                    accepted.push(credential_digest("bearer", token.trim()))
                }
                _ => {
                    let (name, _) = line.split_once(':').filter(|(_, password)| !password.is_empty())?;
                    names.push(credential_digest("name", name));
                    accepted.push(credential_digest("basic", &STANDARD.encode(line)));
                }
            }
        }
        let challenge =
            if names.is_empty() { "Bearer realm=\"docs\"" } else { "Basic realm=\"docs\", charset=\"UTF-8\"" };
        (!accepted.is_empty()).then_some(Self { accepted, names, challenge: HeaderValue::from_static(challenge) })
    }

    /// Judges the credentials of a request from an address; `realm` is the site. `None`: it brings none, or two.
    pub fn judge(&self, headers: &HeaderMap, client: IpAddr, realm: usize, lockout: &Lockout) -> Option<Judgement> {
        let given = request_credential(headers)?;
        let name = given.name.as_deref();
        let is_known_name = is_among(&self.names, &credential_digest("name", name.unwrap_or_default()));
        let guess = Guess { client, realm, name, is_known_name, is_right: is_among(&self.accepted, &given.digest) };
        Some(lockout.judge(&guess, Instant::now()))
    }

    /// The challenge for clients without them.
    pub(super) fn challenge(&self) -> &HeaderValue {
        &self.challenge
    }
}

/// The token of operators of the server.
#[derive(Debug)]
pub(super) struct OperatorToken([u8; 32]);

impl OperatorToken {
    /// Reads the file.
    pub(super) fn read(path: &Path) -> Result<Self, String> {
        let text = short_text(path, FILE_BYTES)
            .map_err(|error| format!("cannot read the token in `{}`: {error}", path.display()))?;
        let token = text.trim();
        if token.len() < TOKEN_CHARS || token.contains(char::is_whitespace) {
            return Err(format!("`{}` holds no token: one word of at least {TOKEN_CHARS} characters", path.display()));
        }
        Ok(Self(credential_digest("bearer", token)))
    }

    /// Judges what a request from an address brings. `None`: it brings nothing.
    pub(super) fn judge(&self, headers: &HeaderMap, client: IpAddr, lockout: &Lockout) -> Option<Judgement> {
        let given = request_credential(headers)?;
        let is_right = self.0.ct_eq(&given.digest).into();
        let guess = Guess { client, realm: 0, name: None, is_known_name: false, is_right };
        Some(lockout.judge(&guess, Instant::now()))
    }
}

/// Whether a digest is one of those that are known: all are compared, whichever it is.
fn is_among(known: &[[u8; 32]], given: &[u8; 32]) -> bool {
    known.iter().fold(Choice::from(0), |found, known| found | known.ct_eq(given)).into()
}

fn credential_digest(scheme: &str, secret: &str) -> [u8; 32] {
    Sha256::digest(format!("{scheme} {secret}")).into()
}

/// What a request brings.
struct GivenCredential {
    digest: [u8; 32],
    /// The name beside a password.
    name: Option<String>,
}

/// What a request brings; two headers are none.
fn request_credential(headers: &HeaderMap) -> Option<GivenCredential> {
    let mut lines = headers.get_all(AUTHORIZATION).into_iter();
    let (line, second) = (lines.next()?, lines.next());
    let (scheme, secret) = line.to_str().ok()?.split_once(' ').filter(|_| second.is_none())?;
    let (scheme, secret) = (scheme.to_ascii_lowercase(), secret.trim());
    let pair = STANDARD.decode(secret).ok().filter(|_| scheme == "basic");
    let name = pair.and_then(|pair| Some(std::str::from_utf8(&pair).ok()?.split_once(':')?.0.to_owned()));
    Some(GivenCredential { digest: credential_digest(&scheme, secret), name })
}

#[cfg(test)]
mod tests {
    use super::*;
    use http::lockout::LockoutRule;

    #[track_caller]
    fn check(readers: &SiteReaders, given: &[&str], expect: bool) {
        let mut headers = HeaderMap::new();
        for line in given {
            headers.append(AUTHORIZATION, line.parse().unwrap());
        }
        let lockout = Lockout::new(LockoutRule { failures: 0, ..LockoutRule::default() });
        let judged = readers.judge(&headers, [192, 0, 2, 1].into(), 0, &lockout);
        assert_eq!(judged == Some(Judgement::Admitted), expect, "{given:?}");
    }

    #[test]
    fn readers_are_those_of_the_file() {
        let readers = SiteReaders::parse("# people\nann:p:w\n\nbearer abcdef\n").unwrap();
        let basic = |text: &str| format!("Basic {}", STANDARD.encode(text));
        check(&readers, &[&basic("ann:p:w")], true);
        check(&readers, &[&basic("ann:p:w").replace("Basic", "bAsIc")], true);
        check(&readers, &["Bearer abcdef"], true);
        for other in [
            &[][..],
            &["Bearer abcde"],
            &["abcdef"],
            &["Basic abcdef"],
            &[&basic("ann:p")],
            &["Bearer abcdef", "Bearer abcdef"],
            &["Bearer "],
        ] {
            check(&readers, other, false);
        }
        assert!(readers.challenge().to_str().unwrap().starts_with("Basic"));
    }

    #[test]
    fn files_without_readers_are_refused() {
        for bad in ["", "# nobody", "ann", "ann:", "bearer ", "ann:x\nbob"] {
            assert!(SiteReaders::parse(bad).is_none(), "{bad}");
        }
    }
}
