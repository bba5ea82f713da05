//! Flags to the option structs that others own: every value is checked here, and an error says what would be right.

mod host;
mod remote;
pub mod service;
mod services;
mod tool;

use std::fs;
use std::path::{Path, PathBuf};

use globset::GlobBuilder;
use idna::uts46::{AsciiDenyList, DnsLength, Hyphens, Uts46};

use ::service::tenant;
use bundle::sign::{KEY_BYTES, KeyError, PublicKey, Signer};
use export::{BundleFormat, BundleOutput};

mod time;

pub(crate) use host::file_schema as host_schema;
pub use host::{HostFlags, SiteFlags};
pub(crate) use remote::REMOTE;
pub use remote::{ANY_PRIVATE, PrivateServer, RemoteFlags, private_server};
pub use services::{ServiceFlags, endpoint, feature};
pub use time::timestamp;
pub use tool::{ToolFlag, tool};
pub(crate) use tool::{any_tool_title, tool_titles};

/// Holds the password of a secret key.
pub const PASSWORD_VARIABLE: &str = "OFFPRINT_SIGN_PASSWORD";

/// Longest version label, characters (contract, section 6).
const VERSION_CHARS: usize = 64;
/// Longest page glob, bytes; most globs of one export (contract, section 6).
const GLOB_BYTES: usize = 1024;
const MAX_GLOBS: usize = 10_000;

/// Longest name of a user group, characters.
const GROUP_CHARS: usize = 128;

/// Checks the name of a user group.
///
/// # Errors
/// A sentence that says what is wrong.
pub fn group(text: &str) -> Result<String, String> {
    let name = text.trim();
    match name {
        "" => Err("a group needs a name".to_owned()),
        "*" => Err("name a group: `*` stands for any only where a page names its groups".to_owned()),
        _ if name.starts_with('!') => Err("a name without `!`: pages exclude groups with `excludes`".to_owned()),
        _ if name.chars().any(char::is_control) => Err("a name in one line".to_owned()),
        _ if name.chars().count() > GROUP_CHARS => Err(format!("at most {GROUP_CHARS} characters")),
        _ => Ok(name.to_owned()),
    }
}

/// `--group`: whose restricted pages are shown.
#[derive(Clone, Debug, clap::Args)]
pub struct GroupFlags {
    /// Include what only readers of a user group may see; repeatable, or separated by commas
    ///
    /// Pages with `groups` in their front matter, and parts of API descriptions with `x-mint.groups`, are left out
    /// unless one of their groups is given.
    #[arg(short, long = "group", visible_alias = "groups", value_name = "NAME", value_delimiter = ',', value_parser = group)]
    groups: Vec<String>,
}

impl GroupFlags {
    /// The groups in the form that exports take: sorted, each once.
    pub fn names(&self) -> Vec<String> {
        groups(&self.groups)
    }
}

/// User groups in the form that exports take: sorted, each once.
pub fn groups(named: &[String]) -> Vec<String> {
    let mut groups = named.to_vec();
    groups.sort_unstable();
    groups.dedup();
    groups
}

/// The folder of a source, resolved.
///
/// # Errors
/// A sentence: it cannot be read, or is no folder.
pub fn folder_of(source: &Path) -> Result<PathBuf, String> {
    let unreadable = |error: std::io::Error| format!("cannot read the source `{}`: {error}", source.display());
    fs::metadata(source).map_err(unreadable)?;
    let folder = fs::canonicalize(import::find_source_root(source)?).map_err(unreadable)?;
    if folder.is_dir() { Ok(folder) } else { Err(format!("the source `{}` is not a folder", source.display())) }
}

/// Where a bundle goes: the path that was given, or a name after the folder of the source.
///
/// # Errors
/// A sentence: there is no source, or no name for the output can be made from it.
pub fn output(source: &Path, path: Option<PathBuf>, format: Option<BundleFormat>) -> Result<BundleOutput, String> {
    let folder = folder_of(source)?;
    let format = format.unwrap_or_else(|| path.as_deref().map_or(BundleFormat::Zip, implied_format));
    let path = match path {
        Some(path) if path.as_os_str().is_empty() => return Err("the output needs a name".to_owned()),
        Some(path) => path,
        None => default_output(&folder, format).ok_or_else(|| {
            format!("set the output with `-o`: `{}` has no name that could be used", source.display())
        })?,
    };
    Ok(BundleOutput { path, format })
}

/// The page globs of an export, each of which has passed [`glob`].
///
/// # Errors
/// A sentence: there are too many.
pub fn globs(globs: Vec<String>) -> Result<Vec<String>, String> {
    if globs.len() > MAX_GLOBS {
        return Err(format!("{} globs are too many: at most {MAX_GLOBS}", globs.len()));
    }
    Ok(globs)
}

/// A folder if the path ends in a slash or names one that exists, else an archive.
fn implied_format(output: &Path) -> BundleFormat {
    let slash =
        output.as_os_str().as_encoded_bytes().last().is_some_and(|byte| std::path::is_separator(char::from(*byte)));
    if slash || output.is_dir() { BundleFormat::Dir } else { BundleFormat::Zip }
}

/// `<name>.zip` or `<name>-export` in the working directory, after the folder of the source (resolved).
fn default_output(folder: &Path, format: BundleFormat) -> Option<PathBuf> {
    let mut name = folder.file_name()?.to_owned();
    name.push(match format {
        BundleFormat::Zip => ".zip",
        BundleFormat::Dir => "-export",
    });
    Some(name.into())
}

/// Checks a host name and returns it in lower-case ASCII: at most 253 bytes, at least one dot, no scheme, port or path,
/// no IP address.
///
/// # Errors
/// A sentence that says what is wrong.
pub fn domain(text: &str) -> Result<String, String> {
    if let Some((scheme, rest)) = text.split_once("://") {
        let host = rest.split(['/', ':', '?', '#']).next().unwrap_or_default();
        return Err(format!(
            "a host name without `{scheme}://`, such as `{}`",
            if host.is_empty() { "docs.example.com" } else { host }
        ));
    }
    if text.contains(['/', '?', '#', '@']) {
        return Err("a host name only, without a path, such as `docs.example.com`".to_owned());
    }
    if text.contains(':') {
        return Err("a host name only, without a port, such as `docs.example.com`".to_owned());
    }
    if text.ends_with('.') {
        return Err("a host name without a trailing dot".to_owned());
    }
    let ascii = Uts46::new().to_ascii(text.as_bytes(), AsciiDenyList::STD3, Hyphens::CheckFirstLast, DnsLength::Verify);
    let ascii = ascii.map_err(|_| {
        "a host name: letters, digits and hyphens between dots, at most 63 in each part and 253 in all, such as `docs.example.com`".to_owned()
    })?;
    match ascii.rsplit_once('.') {
        None => Err("a whole host name, such as `docs.example.com`".to_owned()),
        Some((_, last)) if last.bytes().all(|byte| byte.is_ascii_digit()) => {
            Err("a host name, not an IP address".to_owned())
        }
        Some(_) => Ok(ascii.into_owned()),
    }
}

/// Checks a version label: `[A-Za-z0-9._-]{1,64}`.
///
/// # Errors
/// A sentence that says what is wrong.
pub fn check_version_label(text: &str) -> Result<String, String> {
    let good = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-');
    if text.is_empty() || text.chars().count() > VERSION_CHARS || !text.chars().all(good) {
        return Err(format!("1 to {VERSION_CHARS} letters, digits, `.`, `_` or `-`, such as `v2.1`"));
    }
    Ok(text.to_owned())
}

/// Checks the id of a key as the configuration of the service does.
///
/// # Errors
/// A sentence that says what is wrong.
pub fn id(text: &str) -> Result<String, String> {
    if tenant::is_id(text) {
        Ok(text.to_owned())
    } else {
        Err("1 to 64 letters, digits, `_` or `-`, such as `ci`".to_owned())
    }
}

/// Checks a glob over page paths and returns it without a leading `/` or `./`. In it `*` stays within a folder and `**`
/// does not.
///
/// # Errors
/// A sentence that says what is wrong.
pub fn glob(text: &str) -> Result<String, String> {
    let glob = text.trim_start_matches("./").trim_start_matches('/');
    if glob.is_empty() {
        return Err("a path of a page or a pattern for such paths, such as `guides/**`".to_owned());
    }
    if glob.len() > GLOB_BYTES {
        return Err(format!("at most {GLOB_BYTES} bytes"));
    }
    if glob.split('/').any(|segment| matches!(segment, "" | "." | "..")) {
        return Err("a path inside the site, without empty parts, `.` or `..`".to_owned());
    }
    let checked = GlobBuilder::new(glob).literal_separator(true).build();
    checked.map(|_| glob.to_owned()).map_err(|error| format!("not a pattern: {}", error.kind()))
}

/// Reads a secret key. Its password, if it has one, comes from the environment, or else from `ask`.
///
/// # Errors
/// A sentence: the file cannot be read, is no key, or the password is missing or wrong.
pub fn signer(path: &Path, ask: impl FnOnce() -> Option<String>) -> Result<Signer, String> {
    let shown = path.display();
    let text = key_file(path)?;
    let password = if Signer::is_encrypted(&text) { std::env::var(PASSWORD_VARIABLE).ok().or_else(ask) } else { None };
    Signer::parse(&text, password.as_deref()).map_err(|error| match error {
        KeyError::NeedsPassword => format!("the key `{shown}` {error}: set `{PASSWORD_VARIABLE}`"),
        _ => format!("the key `{shown}` {error}"),
    })
}

/// Reads a public key: from a file, or the key itself.
///
/// # Errors
/// A sentence: it is neither.
pub fn public_key(text: &str) -> Result<PublicKey, String> {
    if let Ok(key) = PublicKey::parse(text) {
        return Ok(key);
    }
    let file = key_file(Path::new(text))?;
    PublicKey::parse(&file).map_err(|error| error.to_string())
}

/// The text of a file that is as short as a key.
fn key_file(path: &Path) -> Result<String, String> {
    let shown = path.display();
    let metadata = fs::metadata(path).map_err(|error| format!("cannot read the key `{shown}`: {error}"))?;
    if !metadata.is_file() || metadata.len() > KEY_BYTES {
        return Err(format!("`{shown}` is not a key"));
    }
    fs::read_to_string(path).map_err(|error| format!("cannot read the key `{shown}`: {error}"))
}

/// Checks a number of threads: 1 to 1024.
///
/// # Errors
/// A sentence that says what is wrong.
pub fn jobs(text: &str) -> Result<usize, String> {
    text.parse()
        .ok()
        .filter(|jobs| (1..=1024).contains(jobs))
        .ok_or_else(|| "a number of threads from 1 to 1024".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(parsed: Result<String, String>, expect: Result<&str, &str>) {
        match (parsed, expect) {
            (Ok(value), Ok(expect)) => assert_eq!(value, expect),
            (Err(message), Err(expect)) => assert!(message.contains(expect), "{message}"),
            (parsed, expect) => panic!("{parsed:?} instead of {expect:?}"),
        }
    }

    #[test]
    fn domains_are_host_names() {
        check(domain("Docs.Example.COM"), Ok("docs.example.com"));
        check(domain("bücher.example"), Ok("xn--bcher-kva.example"));
        check(domain("a--b.example.com"), Ok("a--b.example.com"));
        check(domain("https://docs.example.com/x"), Err("without `https://`, such as `docs.example.com`"));
        check(domain("docs.example.com/guides"), Err("without a path"));
        check(domain("me@docs.example.com"), Err("without a path"));
        check(domain("docs.example.com:8080"), Err("without a port"));
        check(domain("::1"), Err("without a port"));
        check(domain("docs.example.com."), Err("trailing dot"));
        check(domain("localhost"), Err("a whole host name"));
        check(domain("127.0.0.1"), Err("IP address"));
        check(domain("docs.example.1"), Err("IP address"));
        for bad in [
            "",
            "a..b",
            ".a.b",
            "-a.com",
            "a-.com",
            "a b.com",
            "a_b.com",
            "a\u{0}.com",
            "a.com\n",
            "xn--a.com",
            "\u{200d}.com",
            "a%2f.com",
        ] {
            check(domain(bad), Err("letters, digits and hyphens"));
        }
        check(domain(&format!("{}.com", "a".repeat(63))), Ok(&format!("{}.com", "a".repeat(63))));
        check(domain(&format!("{}.com", "a".repeat(64))), Err("at most 63"));
        let long = format!("{}com", "abcdefghi.".repeat(25));
        assert_eq!(long.len(), 253);
        check(domain(&long), Ok(&long));
        check(domain(&format!("a{long}")), Err("253 in all"));
    }

    #[test]
    fn versions_are_labels() {
        check(check_version_label("v2.1_rc-3"), Ok("v2.1_rc-3"));
        check(check_version_label(&"1".repeat(64)), Ok(&"1".repeat(64)));
        for bad in ["", "a b", "ä", "a/b", "../x", &"1".repeat(65)] {
            check(check_version_label(bad), Err("1 to 64 letters"));
        }
    }

    #[test]
    fn globs_are_patterns_of_paths() {
        check(glob("guides/**"), Ok("guides/**"));
        check(glob("/{a,b}/[0-9]*"), Ok("{a,b}/[0-9]*"));
        check(glob("./index"), Ok("index"));
        check(glob(""), Err("such as `guides/**`"));
        check(glob("/"), Err("such as `guides/**`"));
        check(glob("a/../b"), Err("inside the site"));
        check(glob("a//b"), Err("inside the site"));
        check(glob("a[b"), Err("not a pattern: unclosed character class"));
        check(glob("{a"), Err("not a pattern: unclosed alternate"));
        check(glob(&"a".repeat(1025)), Err("1024 bytes"));
    }

    #[test]
    fn jobs_are_counted() {
        assert_eq!(jobs("8"), Ok(8));
        for bad in ["0", "-1", "1025", "two", ""] {
            assert!(jobs(bad).is_err_and(|message| message.contains("1 to 1024")), "{bad}");
        }
    }

    #[test]
    fn outputs_are_named_after_the_source() {
        let folder = tempfile::tempdir().unwrap();
        let docs = folder.path().join("docs");
        fs::create_dir(&docs).unwrap();
        fs::write(docs.join("docs.json"), "{}").unwrap();
        let output = |source: PathBuf, output: Option<&Path>, format| {
            super::output(&source, output.map(Into::into), format).map(|output| (output.path, output.format))
        };
        assert_eq!(output(docs.clone(), None, None), Ok(("docs.zip".into(), BundleFormat::Zip)));
        assert_eq!(output(docs.join("docs.json"), None, None), Ok(("docs.zip".into(), BundleFormat::Zip)));
        assert_eq!(
            output(docs.join("."), None, Some(BundleFormat::Dir)),
            Ok(("docs-export".into(), BundleFormat::Dir))
        );
        assert_eq!(output(docs.clone(), Some(Path::new("x/")), None), Ok(("x/".into(), BundleFormat::Dir)));
        assert_eq!(output(docs.clone(), Some(folder.path()), None), Ok((folder.path().into(), BundleFormat::Dir)));
        assert_eq!(output(docs.clone(), Some(Path::new("x.zip")), None), Ok(("x.zip".into(), BundleFormat::Zip)));
        assert!(
            output(docs.join("nothing"), None, None).is_err_and(|message| message.contains("cannot read the source"))
        );
        assert!(output(docs, Some(Path::new("")), None).is_err_and(|message| message.contains("needs a name")));
        assert!(output("/".into(), None, None).is_err_and(|message| message.contains("-o")));
    }
}
