//! Where previews are: the pattern of their addresses, and the label of each one (contract, E-PRV-5).

use std::fmt;
use std::str::FromStr;

use sha2::{Digest as _, Sha256};
use url::{Host, Url};

use base::digest::hmac_sha256;

/// Stands for the label in the pattern.
const SLUG: &str = "{slug}";
/// What the first bytes of the hash are: hashes of another kind with the same key are never labels.
const PURPOSE: &str = "offprint preview label 1";
/// Characters of the hash: 80 bits of it.
const HASH_CHARS: usize = 16;
/// Longest part of the project's id and of the branch in a label: with two hyphens and the hash, 62 of the 63 that DNS
/// allows.
const PROJECT_CHARS: usize = 20;
const BRANCH_CHARS: usize = 24;

/// `https://{slug}.preview.example`: where previews are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PreviewUrl {
    scheme: String,
    /// What follows the label, lower-case ASCII.
    domain: String,
    port: Option<u16>,
}

impl FromStr for PreviewUrl {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || {
            format!("`{text}`: write one such as `https://{SLUG}.preview.example`, with `{SLUG}` as its first label")
        };
        let (scheme, rest) = text.split_once("://").ok_or_else(wrong)?;
        let rest = rest.strip_prefix(SLUG).and_then(|rest| rest.strip_prefix('.')).ok_or_else(wrong)?;
        let url = Url::parse(&format!("{scheme}://{rest}")).map_err(|_| wrong())?;
        let bare = url.path() == "/"
            && url.query().is_none()
            && url.fragment().is_none()
            && url.username().is_empty()
            && url.password().is_none();
        match url.host() {
            Some(Host::Domain(domain))
                if bare
                    && matches!(scheme, "http" | "https")
                    && domain.len() <= 253 - 64
                    && !domain.contains(['{', '}', '*']) =>
            {
                Ok(Self { scheme: scheme.to_owned(), domain: domain.to_owned(), port: url.port() })
            }
            _ => Err(wrong()),
        }
    }
}

impl PreviewUrl {
    /// Below `localhost`, at a port of this machine.
    pub fn local(port: u16) -> Self {
        Self { scheme: "http".to_owned(), domain: "localhost".to_owned(), port: Some(port) }
    }

    /// The address of a label.
    pub fn url(&self, label: &str) -> String {
        let Self { scheme, domain, port } = self;
        match port {
            Some(port) => format!("{scheme}://{label}.{domain}:{port}"),
            None => format!("{scheme}://{label}.{domain}"),
        }
    }

    /// The label in a host name (lower case, no port); it may have more than one part, and then is that of nothing.
    pub fn label<'a>(&self, host: &'a str) -> Option<&'a str> {
        host.strip_suffix(&self.domain)?.strip_suffix('.').filter(|label| !label.is_empty())
    }

    /// Whether a host name is one of previews; a dot may end it, and its case does not count.
    pub fn covers(&self, host: &str) -> bool {
        self.label(host.trim_end_matches('.').to_ascii_lowercase().as_str()).is_some()
    }
}

/// The key of the labels of an installation: without it the address of a preview cannot be computed.
#[derive(Clone)]
pub struct PreviewKey([u8; 32]);

impl fmt::Debug for PreviewKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("(secret)")
    }
}

impl PreviewKey {
    /// A key of these bytes.
    pub fn new(secret: [u8; 32]) -> Self {
        Self(secret)
    }

    /// The label of a branch's preview. Its hash covers the id of the project and the branch, exactly as it is written:
    /// no two share one.
    pub(super) fn label(&self, project: &str, branch: &str) -> String {
        let hash = hmac_sha256(&self.0, &[PURPOSE, "\0", project, "\0", branch]);
        of_parts(project, branch, &base32(&hash))
    }
}

/// The label that earlier versions gave a branch's preview: anybody can compute it. It stays for previews that have it.
pub(super) fn unkeyed_label(project: &str, branch: &str) -> String {
    let mut sha = Sha256::new();
    sha.update(project);
    sha.update([0]);
    sha.update(branch);
    of_parts(project, branch, &base32(&sha.finalize()))
}

fn of_parts(project: &str, branch: &str, hash: &str) -> String {
    let mut parts = vec![readable(project, PROJECT_CHARS), readable(branch, BRANCH_CHARS), hash.to_owned()];
    parts.retain(|part| !part.is_empty());
    parts.join("-")
}

/// Letters and digits in lower case, everything else one hyphen, none at the ends.
fn readable(text: &str, most: usize) -> String {
    let mut out = String::new();
    for c in text.chars() {
        if out.len() >= most {
            break;
        }
        match c {
            'a'..='z' | '0'..='9' => out.push(c),
            'A'..='Z' => out.push(c.to_ascii_lowercase()),
            _ if out.is_empty() || out.ends_with('-') => {}
            _ => out.push('-'),
        }
    }
    out.truncate(out.trim_end_matches('-').len());
    out
}

/// The first characters of bytes in the lower-case alphabet of RFC 4648.
fn base32(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 32] = b"abcdefghijklmnopqrstuvwxyz234567";
    let bit = |index: usize| bytes.get(index / 8).map_or(0, |byte| usize::from(byte >> (7 - index % 8) & 1));
    let letter =
        |at: usize| char::from(LETTERS[(0..5).fold(0, |value, offset| value << 1 | bit(at * 5 + offset)) % 32]);
    (0..HASH_CHARS).map(letter).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use proptest::prelude::*;

    use super::*;

    fn label(project: &str, branch: &str) -> String {
        PreviewKey::new([7; 32]).label(project, branch)
    }

    #[test]
    fn labels_depend_on_the_key() {
        let [one, other] = [[1; 32], [2; 32]].map(|key| PreviewKey::new(key).label("docs", "main"));
        let unkeyed = unkeyed_label("docs", "main");
        assert!(one != other && one != unkeyed, "{one} {other} {unkeyed}");
        assert_eq!(PreviewKey::new([1; 32]).label("docs", "main"), one);
        assert_eq!(unkeyed, "docs-main-wvcgs7opw5if72y4", "labels of earlier versions stay what they were");
        assert_eq!(format!("{:?}", PreviewKey::new([1; 32])), "(secret)");
    }

    #[track_caller]
    fn check(project: &str, branch: &str, start: &str) {
        let label = label(project, branch);
        assert!(label.strip_prefix(start).is_some_and(|hash| hash.len() == HASH_CHARS), "{label} instead of {start}…");
    }

    #[test]
    fn labels_are_readable() {
        check("acme-docs", "feature/new-nav", "acme-docs-feature-new-nav-");
        check("acme-docs", "Feature//__X", "acme-docs-feature-x-");
        check("_", "日本", "");
        check(
            "a-very-long-name-of-a-project",
            "a-very-long-name-of-a-branch-too",
            "a-very-long-name-of-a-very-long-name-of-a-br-",
        );
    }

    #[test]
    fn s17_no_two_branches_share_a_label() {
        let mut seen = HashSet::new();
        for number in 0..100_000_u32 {
            assert!(seen.insert(label("docs", &format!("feat/{number}"))));
            assert!(seen.insert(label("docs", &format!("feat-{number}"))));
        }
        assert_ne!(label("a", "b"), label("A", "b"));
        assert_ne!(label("docs", "main"), label("docs", "Main"));
    }

    #[test]
    fn addresses_have_a_pattern() {
        let preview: PreviewUrl = "https://{slug}.Preview.example:8443".parse().unwrap();
        assert_eq!(preview.url("x"), "https://x.preview.example:8443");
        assert_eq!(preview.label("x.preview.example"), Some("x"));
        assert_eq!(preview.label("a.x.preview.example"), Some("a.x"));
        for other in
            ["preview.example", ".preview.example", "xpreview.example", "x.preview.example.evil", "x.preview.example."]
        {
            assert_eq!(preview.label(other), None, "{other}");
        }
        for bad in [
            "",
            "https://preview.example",
            "https://x-{slug}.preview.example",
            "https://x.{slug}.example",
            "ftp://{slug}.x.example",
            "https://{slug}.x.example/p",
            "https://{slug}.127.0.0.1",
            "https://{slug}.{slug}.example",
            "https://{slug}.",
        ] {
            assert!(bad.parse::<PreviewUrl>().is_err(), "{bad}");
        }
        assert_eq!(PreviewUrl::local(80).url("x"), "http://x.localhost:80");
    }

    proptest! {
        #[test]
        fn every_label_is_one_of_dns(project in "[A-Za-z0-9_-]{1,64}", branch in "\\PC{1,80}") {
            let label = label(&project, &branch);
            prop_assert!(label.len() <= 63 && label.bytes().all(|b| matches!(b, b'a'..=b'z' | b'0'..=b'9' | b'-')));
            prop_assert!(!label.starts_with('-') && !label.ends_with('-') && !label.starts_with("xn--"));
        }
    }
}
