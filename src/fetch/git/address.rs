//! Which repositories are fetched: by protocols on a list, at addresses that no program takes for an option.

use std::fmt;

use gix::url::Scheme;
use serde::{Deserialize, Serialize};

use base::cut::cut;

use super::GitError;

/// A protocol by which a repository is fetched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Protocol {
    /// `https://host/path`.
    Https,
    /// `ssh://user@host/path` or `user@host:path`.
    Ssh,
    /// `file:///path`, or a plain absolute path.
    File,
}

impl Protocol {
    /// Its name, as addresses and settings write it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Https => "https",
            Self::Ssh => "ssh",
            Self::File => "file",
        }
    }
}

/// Longest address, bytes.
const ADDRESS_BYTES: usize = 4 << 10;

/// An address that may be fetched from. Shown without what is secret.
#[derive(Clone)]
pub struct RemoteUrl {
    url: gix::Url,
    protocol: Protocol,
}

impl RemoteUrl {
    /// Checks an address against the protocols that are allowed.
    ///
    /// # Errors
    /// It is none, or not by one of these.
    pub fn parse(text: &str, allowed: &[Protocol]) -> Result<Self, GitError> {
        let wrong = |why| Err(GitError::Address(why));
        if text.len() > ADDRESS_BYTES || text.chars().any(char::is_control) {
            return wrong("is too long or has control characters");
        }
        // `a::b` names a program that would be started
        let Ok(url) = gix::url::parse(text) else { return wrong("is not one of a repository") };
        let protocol = match url.scheme {
            Scheme::Https => Protocol::Https,
            Scheme::Ssh => Protocol::Ssh,
            Scheme::File => Protocol::File,
            _ => return wrong("has an unsupported protocol: supported are https, ssh and file"),
        };
        if !allowed.contains(&protocol) {
            return wrong(match protocol {
                Protocol::Https => {
                    "has a protocol that is not allowed here: `git.allow_protocols` does not have `https`"
                }
                Protocol::Ssh => "has a protocol that is not allowed here: `git.allow_protocols` does not have `ssh`",
                Protocol::File => "is a path, which is not allowed here: `git.allow_protocols` does not have `file`",
            });
        }
        let is_option = |part: Option<&str>| part.is_some_and(|part| part.starts_with('-'));
        if is_option(url.user()) || is_option(url.host()) || url.path.starts_with(b"-") || url.path.starts_with(b"/-") {
            return wrong("has a part that starts with `-`");
        }
        match protocol {
            Protocol::File if url.host().is_some_and(|host| !host.is_empty() && host != "localhost") => {
                wrong("names another machine")
            }
            Protocol::File if !url.path.starts_with(b"/") => wrong("is a path that does not start at the root"),
            Protocol::Https | Protocol::Ssh if url.host().is_none_or(str::is_empty) => wrong("names no host"),
            _ => Ok(Self { url, protocol }),
        }
    }

    pub(super) fn url(&self) -> &gix::Url {
        &self.url
    }

    /// The protocol that it is fetched by.
    pub fn protocol(&self) -> Protocol {
        self.protocol
    }

    /// A message without the credentials of this address, in whichever form they occur in it; short.
    pub(super) fn scrub(&self, message: &str) -> String {
        let mut message = message.to_owned();
        // the user's name is often the token itself; that of ssh is not secret
        let secrets = [self.url.password(), self.url.user().filter(|_| self.protocol == Protocol::Https)];
        for secret in secrets.into_iter().flatten().filter(|secret| !secret.is_empty()) {
            let encoded = percent_encoding::utf8_percent_encode(secret, percent_encoding::NON_ALPHANUMERIC).to_string();
            message = message.replace(secret, "***").replace(&encoded, "***");
        }
        let one_line = message.split_whitespace().collect::<Vec<_>>().join(" ");
        one_line.chars().filter(|c| !c.is_control()).take(MESSAGE_CHARS).collect()
    }
}

/// Longest message of others that is passed on, characters.
const MESSAGE_CHARS: usize = 300;

impl fmt::Debug for RemoteUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Address({self})")
    }
}

impl fmt::Display for RemoteUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&public_address(&self.url.to_bstring().to_string()))
    }
}

/// An address for people: without user, password, query and fragment, any of which may be a secret.
pub fn public_address(address: &str) -> String {
    let address = address.split(['?', '#']).next().unwrap_or_default();
    let (scheme, rest) = address.split_once("://").map_or(("", address), |(scheme, rest)| (scheme, rest));
    let (authority, path) = rest.find('/').map_or((rest, ""), |at| cut(rest, at));
    let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
    let separator = if scheme.is_empty() { "" } else { "://" };
    format!("{scheme}{separator}{host}{path}").chars().map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [Protocol; 3] = [Protocol::Https, Protocol::Ssh, Protocol::File];

    #[track_caller]
    fn check(text: &str, allowed: &[Protocol], expect: Result<&str, &str>) {
        match (RemoteUrl::parse(text, allowed), expect) {
            (Ok(address), Ok(expect)) => assert_eq!(address.to_string(), expect),
            (Err(error), Err(expect)) => assert!(error.to_string().contains(expect), "{error}"),
            (found, _) => panic!("{text}: {found:?}"),
        }
    }

    #[test]
    fn only_listed_protocols_are_asked() {
        check("https://git.example/a/b.git", &ALL, Ok("https://git.example/a/b.git"));
        check("ssh://git@git.example/a/b.git", &ALL, Ok("ssh://git.example/a/b.git"));
        check("git@git.example:a/b.git", &ALL, Ok("git.example:a/b.git"));
        check("file:///srv/a.git", &ALL, Ok("file:///srv/a.git"));
        check("/srv/a.git", &ALL, Ok("/srv/a.git"));
        for text in ["ssh://git.example/a", "git@git.example:a", "/srv/a.git", "file:///srv/a"] {
            check(text, &[Protocol::Https], Err("not allowed here"));
        }
        for text in [
            "http://git.example/a",
            "git://git.example/a",
            "ext::sh -c id",
            "ext://sh -c id",
            "ftp://git.example/a",
            "foo::bar",
            "data:x://y/z",
        ] {
            assert!(RemoteUrl::parse(text, &ALL).is_err(), "{text}");
        }
    }

    #[test]
    fn no_part_is_an_option() {
        for text in [
            "ssh://-oProxyCommand=touch%20x/a",
            "ssh://-oProxyCommand=x@host/a",
            "-oProxyCommand=x@host:a",
            "ssh://host/-a",
            "--upload-pack=x",
            "https://-x/a",
            "a.git",
            "../a.git",
            "",
            "https:///a",
            "file://other/a",
            "https://a\nb/c",
        ] {
            assert!(RemoteUrl::parse(text, &ALL).is_err(), "{text}");
        }
    }

    #[test]
    fn credentials_are_not_shown() {
        let address = RemoteUrl::parse("https://me:s3cr%65t@git.example/a.git", &ALL).unwrap();
        assert_eq!(format!("{address} {address:?}"), "https://git.example/a.git Address(https://git.example/a.git)");
        assert_eq!(
            address.scrub("cannot ask\nhttps://me:s3cret@git.example/a.git"),
            "cannot ask https://***:***@git.example/a.git"
        );
        assert_eq!(public_address("https://token@h/a?key=1#x"), "https://h/a");
        assert_eq!(public_address("/srv/a"), "/srv/a");
    }
}
