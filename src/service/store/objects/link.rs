//! Links to archives that we serve ourselves (contract §7): a bearer secret over parsed values, so that no text can be
//! read in two ways.
//!
//! `{public_url}/bundles/{jobId}/{file}?exp=…&iat=…&kid=…&sig=…`. What is signed: public authority, path, `iat`, `exp`,
//! `kid`, organization and digest of the archive, each with its length before it. Pure functions: the clock is an
//! argument.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::{Digest as _, Sha256};
use subtle::ConstantTimeEq as _;

use base::digest::hmac_sha256_of_values;
use base::hex::{self, to_hex};

use super::LINK_SECONDS;

/// How far the clock of the signing node may be ahead, seconds.
const AHEAD_SECONDS: u64 = 300;
/// What the first signed bytes are: signatures of another kind with the same key are never links.
const PURPOSE: &str = "offprint bundle link 1";
/// Bytes of a signature.
const SIGNATURE_BYTES: usize = 32;

/// A key that signs links.
#[derive(Clone, PartialEq, Eq)]
pub struct LinkKey {
    secret: [u8; 32],
    id: String,
}

impl LinkKey {
    /// A key of these bytes.
    pub fn new(secret: [u8; 32]) -> Self {
        let id = to_hex(&Sha256::digest(secret)[..4]);
        Self { secret, id }
    }

    /// A key of 64 hexadecimal digits.
    pub fn parse(text: &str) -> Option<Self> {
        hex::from_hex(&text.to_ascii_lowercase()).map(Self::new)
    }

    /// Its public name, the first 8 hexadecimal digits of its SHA-256.
    pub fn id(&self) -> &str {
        &self.id
    }

    fn signature(&self, subject: &LinkSubject<'_>, issued: u64, expires: u64) -> [u8; SIGNATURE_BYTES] {
        let LinkSubject { authority, path, organization, digest } = subject;
        let (issued, expires) = (issued.to_string(), expires.to_string());
        hmac_sha256_of_values(
            &self.secret,
            &[PURPOSE, authority, path, &issued, &expires, &self.id, organization, digest],
        )
    }
}

impl std::fmt::Debug for LinkKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Key({})", self.id)
    }
}

/// The keys of a service.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Keys {
    /// Signs, and is accepted.
    pub current: LinkKey,
    /// Accepted, never used to sign.
    pub previous: Vec<LinkKey>,
}

/// What a link gives access to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LinkSubject<'a> {
    /// Host and port of the service's public URL, from its configuration and never from a request.
    pub authority: &'a str,
    /// Path of the link: [`link_path`] when it is signed, the path of the request, as it came, when it is verified.
    pub path: &'a str,
    /// The organization that the archive belongs to.
    pub organization: &'a str,
    /// SHA-256 of the archive, hexadecimal.
    pub digest: &'a str,
}

/// What a link that was accepted says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Granted {
    /// When it was made, seconds since 1970.
    pub issued: u64,
    /// The last second in which it works.
    pub expires: u64,
}

/// Why a link does not work.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// It was not made here, or it was changed; which one is not said.
    #[error("the link is not valid")]
    Invalid,
    /// Its time is over; said only of links that are right in everything else.
    #[error("the link has expired")]
    Expired,
}

/// The file name of an archive in links and downloads. Both parts have been checked: a host name and a version label.
pub fn archive_file_name(domain: &str, version: &str) -> String {
    format!("{domain}-{version}.zip")
}

/// The path of a link.
pub fn link_path(job: &str, file_name: &str) -> String {
    format!("/bundles/{job}/{file_name}")
}

/// The query of a link that works for `life` seconds from `now`: to be put behind the path and a `?`. `life` is cut to
/// [`LINK_SECONDS`].
pub fn sign(keys: &Keys, subject: &LinkSubject<'_>, now: u64, life: u64) -> String {
    let expires = now.saturating_add(life.clamp(1, LINK_SECONDS));
    let signature = URL_SAFE_NO_PAD.encode(keys.current.signature(subject, now, expires));
    format!("exp={expires}&iat={now}&kid={}&sig={signature}", keys.current.id)
}

/// Judges a link by the query of its request. `longest` is the longest life that is accepted, seconds; more than
/// [`LINK_SECONDS`] never is.
///
/// # Errors
/// It does not work, and what may be said about that.
pub fn verify(keys: &Keys, subject: &LinkSubject<'_>, query: &str, now: u64, longest: u64) -> Result<Granted, Refused> {
    let link = ParsedQuery::read(query).ok_or(Refused::Invalid)?;
    let key =
        std::iter::once(&keys.current).chain(&keys.previous).find(|key| key.id == link.key).ok_or(Refused::Invalid)?;
    let signature = key.signature(subject, link.issued, link.expires);
    if !bool::from(signature.as_slice().ct_eq(&link.signature)) {
        return Err(Refused::Invalid);
    }
    let life = link.expires.checked_sub(link.issued).filter(|life| (1..=longest.min(LINK_SECONDS)).contains(life));
    if life.is_none() || link.issued > now.saturating_add(AHEAD_SECONDS) {
        return Err(Refused::Invalid);
    }
    if now > link.expires {
        return Err(Refused::Expired);
    }
    Ok(Granted { issued: link.issued, expires: link.expires })
}

/// A query as we write it: four parameters, each once, in this order, in one spelling.
struct ParsedQuery<'a> {
    expires: u64,
    issued: u64,
    key: &'a str,
    signature: [u8; SIGNATURE_BYTES],
}

impl<'a> ParsedQuery<'a> {
    fn read(query: &'a str) -> Option<Self> {
        let mut parameters = query.split('&');
        let mut next = |name: &str| parameters.next()?.strip_prefix(name)?.strip_prefix('=');
        let (expires, issued, key, signature) = (next("exp")?, next("iat")?, next("kid")?, next("sig")?);
        let mut bytes = [0; SIGNATURE_BYTES];
        // the decoder takes one spelling only: no padding, no stray bits at the end
        let length = URL_SAFE_NO_PAD.decode_slice(signature, &mut bytes).ok()?;
        let is_whole = parameters.next().is_none() && length == SIGNATURE_BYTES;
        is_whole.then_some(Self {
            expires: parse_link_number(expires)?,
            issued: parse_link_number(issued)?,
            key,
            signature: bytes,
        })
    }
}

/// A number in its one spelling.
fn parse_link_number(text: &str) -> Option<u64> {
    let is_canonical = text.bytes().all(|byte| byte.is_ascii_digit()) && (text == "0" || !text.starts_with('0'));
    if is_canonical { text.parse().ok() } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const NOW: u64 = 1_800_000_000;
    const DIGEST: &str = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08";

    fn keys(current: u8, previous: &[u8]) -> Keys {
        Keys {
            current: LinkKey::new([current; 32]),
            previous: previous.iter().map(|byte| LinkKey::new([*byte; 32])).collect(),
        }
    }

    fn subject<'a>() -> LinkSubject<'a> {
        LinkSubject {
            authority: "api.docs.example",
            path: "/bundles/se_00112233445566778899aabbccddeeff/docs.acme.example-v2.1.zip",
            organization: "acme",
            digest: DIGEST,
        }
    }

    #[track_caller]
    fn check(query: &str, now: u64, expect: Result<u64, Refused>) {
        assert_eq!(
            verify(&keys(1, &[]), &subject(), query, now, LINK_SECONDS).map(|granted| granted.expires),
            expect,
            "{query} at {now}"
        );
    }

    #[test]
    fn a_link_works_until_it_ends() {
        let query = sign(&keys(1, &[]), &subject(), NOW, 3600);
        check(&query, NOW, Ok(NOW + 3600));
        check(&query, NOW + 3599, Ok(NOW + 3600));
        check(&query, NOW + 3600, Ok(NOW + 3600));
        check(&query, NOW + 3601, Err(Refused::Expired));
        check(&query, u64::MAX, Err(Refused::Expired));
    }

    #[test]
    fn a_clock_may_be_a_little_behind() {
        let query = sign(&keys(1, &[]), &subject(), NOW, 3600);
        check(&query, NOW - 300, Ok(NOW + 3600));
        check(&query, NOW - 301, Err(Refused::Invalid));
        check(&query, NOW - 25 * 3600, Err(Refused::Invalid));
        check(&query, 0, Err(Refused::Invalid));
    }

    #[test]
    fn no_link_lives_longer_than_allowed() {
        let query = sign(&keys(1, &[]), &subject(), NOW, u64::MAX);
        check(&query, NOW, Ok(NOW + LINK_SECONDS));
        assert_eq!(verify(&keys(1, &[]), &subject(), &query, NOW, 3600), Err(Refused::Invalid));
        // signed with the right key, but for too long, for no time, or backwards: by another program
        for (issued, expires) in [(NOW, NOW + LINK_SECONDS + 1), (NOW, NOW), (NOW, NOW - 1), (0, u64::MAX)] {
            let signature = URL_SAFE_NO_PAD.encode(keys(1, &[]).current.signature(&subject(), issued, expires));
            check(
                &format!("exp={expires}&iat={issued}&kid={}&sig={signature}", keys(1, &[]).current.id()),
                NOW,
                Err(Refused::Invalid),
            );
        }
    }

    #[test]
    fn links_have_the_contract_s_shape() {
        let query = sign(&keys(1, &[]), &subject(), NOW, 3600);
        let link = format!("https://{}{}?{query}", subject().authority, subject().path);
        assert!(
            link.len() <= 1024 && link.chars().all(|c| c.is_ascii_alphanumeric() || "._~:/?&=%-".contains(c)),
            "{link}"
        );
        assert_eq!(query.rsplit_once("sig=").unwrap().1.len(), 43);
        assert_eq!(
            link_path("se_00112233445566778899aabbccddeeff", &archive_file_name("docs.acme.example", "v2.1")),
            subject().path
        );
        // RFC 4231's way of checking: a fixed key, a fixed text, a digest that another program computed
        assert_eq!(LinkKey::new([1; 32]).id(), "72cd6e84");
        assert_eq!(LinkKey::parse(&"01".repeat(32)).unwrap(), LinkKey::new([1; 32]));
        assert_eq!(format!("{:?}", LinkKey::new([1; 32])), "Key(72cd6e84)");
    }

    #[test]
    fn keys_are_changed_without_breaking_links_and_withdrawn_at_once() {
        let query = sign(&keys(1, &[]), &subject(), NOW, 3600);
        assert!(verify(&keys(2, &[3, 1]), &subject(), &query, NOW, LINK_SECONDS).is_ok());
        assert_eq!(verify(&keys(2, &[3]), &subject(), &query, NOW, LINK_SECONDS), Err(Refused::Invalid));
        assert!(sign(&keys(2, &[1]), &subject(), NOW, 3600).contains(keys(2, &[]).current.id()));
    }

    #[test]
    fn a_link_is_good_for_its_own_archive_only() {
        let query = sign(&keys(1, &[]), &subject(), NOW, 3600);
        let others = [
            LinkSubject { authority: "api.docs.example:8443", ..subject() },
            LinkSubject {
                path: "/bundles/se_00112233445566778899aabbccddeefe/docs.acme.example-v2.1.zip",
                ..subject()
            },
            LinkSubject {
                path: "//bundles/se_00112233445566778899aabbccddeeff/docs.acme.example-v2.1.zip",
                ..subject()
            },
            LinkSubject {
                path: "/bundles/se_00112233445566778899aabbccddeeff/docs.acme.example-v2%2e1.zip",
                ..subject()
            },
            LinkSubject {
                path: "/bundles/se_00112233445566778899aabbccddeeff/docs.acme.example-v2.1.zip;a",
                ..subject()
            },
            LinkSubject { organization: "acm", ..subject() },
            LinkSubject { organization: "", ..subject() },
            LinkSubject { digest: &DIGEST[1..], ..subject() },
        ];
        for other in others {
            assert_eq!(verify(&keys(1, &[]), &other, &query, NOW, LINK_SECONDS), Err(Refused::Invalid), "{other:?}");
        }
    }

    #[test]
    fn other_spellings_are_no_links() {
        let query = sign(&keys(1, &[]), &subject(), NOW, 3600);
        let (exp, iat) = (format!("exp={}", NOW + 3600), format!("iat={NOW}"));
        let (rest, sig) = query.rsplit_once("&sig=").unwrap();
        let kid = keys(1, &[]).current.id().to_owned();
        let variants = [
            String::new(),
            format!("{query}&"),
            format!("&{query}"),
            format!("{query}&x=1"),
            format!("{query}&{exp}"),
            format!("{exp}&{query}"),
            format!("{query}="),
            format!("{query}%3D"),
            format!("?{query}"),
            format!("{query}#"),
            query.replace('&', ";"),
            query.replace(&exp, "exp="),
            query.replace(&exp, &format!("exp=0{}", NOW + 3600)),
            query.replace(&exp, &format!("exp=+{}", NOW + 3600)),
            query.replace(&exp, &format!("exp=-{}", NOW + 3600)),
            query.replace(&exp, &format!("exp={}.0", NOW + 3600)),
            query.replace(&exp, &format!("exp={}e0", NOW + 3600)),
            query.replace(&exp, &format!("exp=%31{}", &(NOW + 3600).to_string()[1..])),
            query.replace(&exp, "exp=18446744073709551616"),
            query.replace(&exp, &format!("exp= {}", NOW + 3600)),
            query.replace(&exp, &format!("EXP={}", NOW + 3600)),
            query.replace(&iat, &format!("iat={}", NOW - 1)),
            query.replace(&kid, &kid.to_uppercase()),
            query.replace(&kid, ""),
            format!("{iat}&{exp}&kid={kid}&sig={sig}"),
            format!("{rest}&sig="),
            format!("{rest}&sig={sig}="),
            format!("{rest}&sig={}", &sig[1..]),
            format!("{rest}&sig={sig}A"),
            format!("{rest}&sig={}", sig.replace(['-', '_'], "+")).replace("sig=", "sig=+"),
            rest.to_owned(),
            format!("sig={sig}&{rest}"),
        ];
        for variant in variants {
            check(&variant, NOW, Err(Refused::Invalid));
        }
        // the last character of a signature has two bits that no byte uses
        let last = sig.as_bytes()[42];
        let alphabet = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
        let at = alphabet.iter().position(|byte| *byte == last).unwrap();
        for stray in 1..4 {
            let twin = char::from(alphabet[(at & !3) | ((at + stray) & 3)]);
            check(&format!("{rest}&sig={}{twin}", &sig[..42]), NOW, Err(Refused::Invalid));
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 10_000, failure_persistence: None, ..ProptestConfig::default() })]

        /// S23: 10,000 links, each changed in one to three places of its path or query.
        #[test]
        fn changed_links_never_work(
            job in "se_[0-9a-f]{32}", domain in "[a-z]{1,12}\\.example", version in "[A-Za-z0-9._-]{1,12}", organization in "[A-Za-z0-9_-]{1,8}",
            life in 1..LINK_SECONDS, age in 0..LINK_SECONDS,
            changes in prop::collection::vec((any::<prop::sample::Index>(), 0..4_u8, "[ -~]"), 1..4),
        ) {
            let keys = keys(7, &[9]);
            let path = link_path(&job, &archive_file_name(&domain, &version));
            let authority = "api.docs.example";
            let subject = LinkSubject { authority, path: &path, organization: &organization, digest: DIGEST };
            let link = format!("{path}?{}", sign(&keys, &subject, NOW, life));
            let mut changed = link.clone();
            for (place, kind, text) in changes {
                let at = place.index(changed.len().max(1));
                match kind {
                    _ if changed.is_empty() => {}
                    0 => changed.replace_range(at..=at, &text),
                    1 => changed.insert_str(at, &text),
                    2 => drop(changed.remove(at)),
                    _ => changed.truncate(at.max(1)),
                }
            }
            let now = NOW + age;
            let (path, query) = changed.split_once('?').unwrap_or((&changed, ""));
            let verdict = verify(&keys, &LinkSubject { path, ..subject }, query, now, LINK_SECONDS);
            if changed == link {
                prop_assert_eq!(verdict.is_ok(), age <= life);
            } else {
                prop_assert_eq!(verdict, Err(Refused::Invalid), "{} from {}", changed, link);
            }
        }

        #[test]
        fn no_query_panics(query in "\\PC{0,200}") {
            prop_assert_eq!(verify(&keys(1, &[]), &subject(), &query, NOW, LINK_SECONDS), Err(Refused::Invalid));
        }
    }
}
