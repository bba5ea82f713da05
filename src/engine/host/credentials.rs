//! Credentials of readers of a private site, and of operators of the server. Only digests are kept; comparing takes as
//! long for a wrong secret as for a right one.

use std::path::Path;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use hyper::HeaderMap;
use hyper::header::{AUTHORIZATION, HeaderValue};
use sha2::{Digest as _, Sha256};
use subtle::{Choice, ConstantTimeEq as _};

use super::source::short_text;

/// Longest file with secrets, bytes.
const FILE_BYTES: u64 = 64 << 10;
/// Shortest token, characters.
const TOKEN_CHARS: usize = 16;

/// Readers of a site: each line of their file is `user:password`, or `bearer TOKEN`.
#[derive(Debug)]
pub struct Readers {
    accepted: Vec<[u8; 32]>,
    challenge: HeaderValue,
}

impl Readers {
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
        let (mut accepted, mut any_basic) = (Vec::new(), false);
        for line in text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')) {
            match line.split_once(' ') {
                Some((scheme, token)) if scheme.eq_ignore_ascii_case("bearer") && !token.trim().is_empty() => {
                    accepted.push(credential_digest("bearer", token.trim()))
                }
                _ if line.split_once(':').is_some_and(|(_, password)| !password.is_empty()) => {
                    any_basic = true;
                    accepted.push(credential_digest("basic", &STANDARD.encode(line)));
                }
                _ => return None,
            }
        }
        let challenge = if any_basic { "Basic realm=\"docs\", charset=\"UTF-8\"" } else { "Bearer realm=\"docs\"" };
        (!accepted.is_empty()).then_some(Self { accepted, challenge: HeaderValue::from_static(challenge) })
    }

    /// Whether a request comes from one of them.
    pub fn admit(&self, headers: &HeaderMap) -> bool {
        request_credential(headers).is_some_and(|given| {
            self.accepted.iter().fold(Choice::from(0), |found, known| found | known.ct_eq(&given)).into()
        })
    }

    /// The challenge for clients without them.
    pub(super) fn challenge(&self) -> &HeaderValue {
        &self.challenge
    }
}

/// The token of operators of the server.
#[derive(Debug)]
pub(super) struct Token([u8; 32]);

impl Token {
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

    /// Whether a request brings it.
    pub(super) fn admits(&self, headers: &HeaderMap) -> bool {
        request_credential(headers).is_some_and(|given| self.0.ct_eq(&given).into())
    }
}

fn credential_digest(scheme: &str, secret: &str) -> [u8; 32] {
    Sha256::digest(format!("{scheme} {secret}")).into()
}

/// The digest of what a request brings; two headers are none.
fn request_credential(headers: &HeaderMap) -> Option<[u8; 32]> {
    let mut lines = headers.get_all(AUTHORIZATION).into_iter();
    let (line, second) = (lines.next()?, lines.next());
    let (scheme, secret) = line.to_str().ok()?.split_once(' ')?;
    second.is_none().then(|| credential_digest(&scheme.to_ascii_lowercase(), secret.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(readers: &Readers, given: &[&str], expect: bool) {
        let mut headers = HeaderMap::new();
        for line in given {
            headers.append(AUTHORIZATION, line.parse().unwrap());
        }
        assert_eq!(readers.admit(&headers), expect, "{given:?}");
    }

    #[test]
    fn readers_are_those_of_the_file() {
        let readers = Readers::parse("# people\nann:p:w\n\nbearer abcdef\n").unwrap();
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
            assert!(Readers::parse(bad).is_none(), "{bad}");
        }
    }
}
