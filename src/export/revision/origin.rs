//! Where a repository comes from, as far as it is public: its page on a public host.

use gix::bstr::ByteSlice as _;

/// Hosts whose addresses are known to lead to pages of repositories.
const HOSTS: [&str; 2] = ["github.com", "gitlab.com"];

/// The page of the repository that `origin` names, and its branch: the default one of that remote if the copy knows it,
/// else the one that is checked out.
pub(super) fn public_origin(repository: &gix::Repository) -> Option<(String, String)> {
    let url = repository.config_snapshot().string("remote.origin.url")?;
    let web = web(url.to_str().ok()?)?;
    let branch = default_branch(repository).or_else(|| {
        let head = repository.head_name().ok()??;
        Some(head.as_bstr().strip_prefix(b"refs/heads/")?.to_str().ok()?.to_owned())
    });
    Some((web, branch.unwrap_or_else(|| "main".to_owned())))
}

/// The default branch of `origin`.
fn default_branch(repository: &gix::Repository) -> Option<String> {
    let head = repository.find_reference("refs/remotes/origin/HEAD").ok()?;
    let target = head.target();
    let branch = target.try_name()?.as_bstr().strip_prefix(b"refs/remotes/origin/")?;
    Some(branch.to_str().ok()?.to_owned())
}

/// The page of a repository on a public host; nothing of the address but host, owner and name is kept, so no name,
/// password or token is.
fn web(url: &str) -> Option<String> {
    let (authority, path) = match url.split_once("://") {
        Some(("https" | "ssh", rest)) => rest.split_once('/')?,
        Some(_) => return None,
        // `git@github.com:a/b.git`
        None => url.split_once(':')?,
    };
    let host = authority.rsplit('@').next()?.split(':').next()?;
    let host = HOSTS.iter().find(|known| host.eq_ignore_ascii_case(known))?;
    let path = path.trim_matches('/');
    let path = path.strip_suffix(".git").unwrap_or(path);
    let is_name = |part: &str| {
        !part.is_empty()
            && !part.starts_with('.')
            && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.'))
    };
    (path.contains('/') && path.split('/').all(is_name)).then(|| format!("https://{host}/{path}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_shows_no_more_than_everybody_may_know() {
        let page = Some("https://github.com/acme/docs".to_owned());
        for url in [
            "https://github.com/acme/docs.git",
            "https://github.com/acme/docs/",
            "https://someone@github.com/acme/docs",
            "https://x-access-token:ghs_secret@github.com/acme/docs.git",
            "https://user:p@ss:word@GitHub.com/acme/docs.git",
            "git@github.com:acme/docs.git",
            "ssh://git@github.com:22/acme/docs.git",
        ] {
            assert_eq!(web(url), page, "{url}");
        }
        for url in [
            "https://git.internal.example/acme/docs",
            "http://github.com/acme/docs",
            "/srv/git/docs.git",
            "file:///srv/docs.git",
            "https://github.com/acme",
            "https://github.com.evil.example/a/b",
            "https://github.com/a/b?token=x",
        ] {
            assert_eq!(web(url), None, "{url}");
        }
        assert_eq!(web("git@gitlab.com:group/part/docs.git"), Some("https://gitlab.com/group/part/docs".to_owned()));
    }
}
