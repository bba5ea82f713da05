//! What the command line, the environment and a file say about `offprint host`. The command line comes first, then the
//! environment (`OFFPRINT_HOST_LISTEN` …), then the file, then the default.

use std::fs;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Duration;

use schemars::JsonSchema;
use serde::Deserialize;

use base::hex::from_hex;
use fetch::ServerAddress;
use host::{BUNDLE_BYTES, BundleSource, CONTENT_BYTES, Expect, HostOptions, SecretText, SiteOptions};
use http::lockout::LockoutRule;
use http::peer::NetworkList;

/// Largest configuration file, bytes; most sites and names in it.
const FILE_BYTES: u64 = 1 << 20;
const MAX_SITES: usize = 1_000;

/// Longest first lock, seconds.
const MAX_LOCK_SECONDS: u64 = 24 * 3600;

const LISTEN: &str = "127.0.0.1:8080";
const DEFAULT_RETAINED_BUNDLES: usize = 3;
/// Far more than a browser or a crawler opens, and few enough that no address has them all.
const DEFAULT_ADDRESS_CONNECTIONS: usize = 512;

/// What the command line says; nothing is a value that is not given.
#[derive(Clone, Debug, Default)]
pub struct HostFlags {
    /// `--config`.
    pub config: Option<PathBuf>,
    /// `--listen`.
    pub listen: Option<String>,
    /// `--tls-cert`.
    pub tls_cert: Option<PathBuf>,
    /// `--tls-key`.
    pub tls_key: Option<PathBuf>,
    /// `--token-file`.
    pub token_file: Option<PathBuf>,
    /// `--password-failures`.
    pub password_failures: Option<u32>,
    /// `--lock-seconds`.
    pub lock_seconds: Option<u64>,
    /// `--drain`.
    pub drain: Option<u64>,
    /// `--threads`.
    pub threads: Option<usize>,
    /// `--content-cache`.
    pub content_bytes: Option<usize>,
    /// `--address-connections`.
    pub address_connections: Option<usize>,
    /// `--trusted-proxies`.
    pub trusted_proxies: Vec<String>,
    /// `--cache-dir`.
    pub cache_dir: Option<PathBuf>,
    /// What concerns the one site.
    pub site: SiteFlags,
}

/// What is said about one site, by flags or as an item of `[[sites]]`.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct SiteFlags {
    /// Only in a file: the names that mean the site; none: any name.
    pub hosts: Vec<String>,
    /// `--bundle`.
    pub bundle: Option<PathBuf>,
    /// `--bundle-url`.
    #[schemars(with = "Option<String>")]
    pub bundle_url: Option<SecretText>,
    /// `--bundle-url-file`.
    pub bundle_url_file: Option<PathBuf>,
    /// `--export-version`.
    pub version: Option<String>,
    /// `--sha256`.
    pub sha256: Option<String>,
    /// `--public-key`.
    pub public_key: Option<String>,
    /// `--allow-downgrade`.
    pub allow_downgrade: bool,
    /// `--max-bytes`.
    pub max_bytes: Option<u64>,
    /// `--allow-http`.
    pub allow_http: Vec<String>,
    /// `--ca-file`.
    pub ca_file: Option<PathBuf>,
    /// `--keep`.
    pub keep: Option<usize>,
    /// `--watch-url`, seconds.
    #[serde(rename = "watch_seconds")]
    pub watch: Option<u64>,
    /// `--readers`.
    pub readers: Option<PathBuf>,
    /// `--noindex`.
    pub noindex: bool,
    /// `--no-search`, turned round in the file.
    #[serde(rename = "search", deserialize_with = "inverted")]
    #[schemars(extend("default" = true))]
    pub no_search: bool,
    /// `--mcp`.
    pub mcp: bool,
}

fn inverted<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<bool, D::Error> {
    bool::deserialize(deserializer).map(|on| !on)
}

/// The file of `--config`.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(rename = "File")]
struct HostFile {
    /// `--listen`.
    listen: Option<String>,
    /// `--tls-cert`.
    tls_cert: Option<PathBuf>,
    /// `--tls-key`.
    tls_key: Option<PathBuf>,
    /// `--token-file`.
    token_file: Option<PathBuf>,
    /// `--password-failures`.
    password_failures: Option<u32>,
    /// `--lock-seconds`.
    lock_seconds: Option<u64>,
    /// `--drain`.
    drain_seconds: Option<u64>,
    /// `--threads`.
    threads: Option<usize>,
    /// `--content-cache`.
    #[serde(rename = "content_cache_bytes")]
    content_bytes: Option<usize>,
    /// `--address-connections`.
    address_connections: Option<usize>,
    /// `--trusted-proxies`.
    trusted_proxies: Vec<String>,
    /// `--cache-dir`.
    cache_dir: Option<PathBuf>,
    /// The sites; one without `hosts` is shown for every name.
    sites: Vec<SiteFlags>,
}

/// The JSON schema of the file.
pub(crate) fn file_schema() -> serde_json::Value {
    crate::json_schema::schema_of::<HostFile>(false)
}

impl HostFlags {
    /// The options of the server.
    ///
    /// # Errors
    /// A sentence that says what is wrong.
    pub fn options(self) -> Result<HostOptions, String> {
        self.options_with(|name| std::env::var(format!("OFFPRINT_HOST_{name}")).ok().filter(|value| !value.is_empty()))
    }

    fn options_with(mut self, variable: impl Fn(&str) -> Option<String>) -> Result<HostOptions, String> {
        let path = |name: &str| variable(name).map(PathBuf::from);
        self.config = self.config.or_else(|| path("CONFIG"));
        let mut file = self.config.as_deref().map(read_file).transpose()?;
        let rest = file.as_mut().map(std::mem::take).unwrap_or_default();
        let listen = self.listen.or_else(|| variable("LISTEN")).or(rest.listen).unwrap_or_else(|| LISTEN.to_owned());
        let tls =
            match (
                self.tls_cert.or_else(|| path("TLS_CERT")).or(rest.tls_cert),
                self.tls_key.or_else(|| path("TLS_KEY")).or(rest.tls_key),
            ) {
                (Some(chain), Some(key)) => Some((chain, key)),
                (None, None) => None,
                _ => return Err(
                    "a certificate needs its key, and a key its certificate: give both `--tls-cert` and `--tls-key`"
                        .to_owned(),
                ),
            };
        let cache_dir = self.cache_dir.or_else(|| path("CACHE_DIR")).or(rest.cache_dir);
        let threads = self
            .threads
            .or(parsed(&variable, "THREADS")?)
            .or(rest.threads)
            .unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from));
        if threads == 0 {
            return Err("`threads` must be at least 1".to_owned());
        }
        let address_connections = self
            .address_connections
            .or(parsed(&variable, "ADDRESS_CONNECTIONS")?)
            .or(rest.address_connections)
            .unwrap_or(DEFAULT_ADDRESS_CONNECTIONS);
        if address_connections == 0 {
            return Err("`address_connections` must be at least 1".to_owned());
        }
        let lockout = lockout(
            self.password_failures.or(parsed(&variable, "PASSWORD_FAILURES")?).or(rest.password_failures),
            self.lock_seconds.or(parsed(&variable, "LOCK_SECONDS")?).or(rest.lock_seconds),
        )?;
        let proxies = if self.trusted_proxies.is_empty() {
            list_from_variable(&variable, "TRUSTED_PROXIES")
        } else {
            self.trusted_proxies
        };
        let proxies = if proxies.is_empty() { rest.trusted_proxies } else { proxies };
        let sites = match &file {
            None => vec![self.site.with(&variable)?.options(cache_dir)?],
            Some(_) => sites(rest.sites, cache_dir.as_deref())?,
        };
        Ok(HostOptions {
            listen,
            tls,
            token: self.token_file.or_else(|| path("TOKEN_FILE")).or(rest.token_file),
            drain: Duration::from_secs(self.drain.or(parsed(&variable, "DRAIN")?).or(rest.drain_seconds).unwrap_or(0)),
            threads: threads.clamp(1, 256),
            content_bytes: self
                .content_bytes
                .or(parsed(&variable, "CONTENT_CACHE")?)
                .or(rest.content_bytes)
                .unwrap_or(CONTENT_BYTES),
            address_connections,
            trusted_proxies: NetworkList::new(
                proxies.iter().map(|text| NetworkList::network(text)).collect::<Result<_, _>>()?,
            ),
            lockout,
            sites,
        })
    }
}

/// When wrong passwords lock.
///
/// # Errors
/// A sentence that says which numbers there are.
pub(super) fn lockout(failures: Option<u32>, lock_seconds: Option<u64>) -> Result<LockoutRule, String> {
    let default = LockoutRule::default();
    if lock_seconds.is_some_and(|seconds| !(1..=MAX_LOCK_SECONDS).contains(&seconds)) {
        return Err(format!("`lock_seconds` must be from 1 to {MAX_LOCK_SECONDS}"));
    }
    Ok(LockoutRule {
        failures: failures.unwrap_or(default.failures),
        lock: lock_seconds.map_or(default.lock, Duration::from_secs),
    })
}

/// The words of a variable that is a list.
fn list_from_variable(variable: &impl Fn(&str) -> Option<String>, name: &str) -> Vec<String> {
    let list = variable(name).unwrap_or_default();
    list.split(',').map(|word| word.trim().to_owned()).filter(|word| !word.is_empty()).collect()
}

/// The value of a variable that is a number or the like.
fn parsed<T: FromStr>(variable: &impl Fn(&str) -> Option<String>, name: &str) -> Result<Option<T>, String> {
    variable(name)
        .map(|value| value.trim().parse().map_err(|_| format!("`OFFPRINT_HOST_{name}` has an invalid value")))
        .transpose()
}

fn read_file(path: &Path) -> Result<HostFile, String> {
    let shown = path.display();
    let metadata = fs::metadata(path).map_err(|error| format!("cannot read `{shown}`: {error}"))?;
    if metadata.len() > FILE_BYTES {
        return Err(format!("`{shown}` is too large for a configuration"));
    }
    let text = fs::read_to_string(path).map_err(|error| format!("cannot read `{shown}`: {error}"))?;
    // the message has no excerpt of the file: links in it are secrets
    let mut file: HostFile = toml::from_str(&text).map_err(|error| {
        let line = error.span().map_or(0, |span| text.get(..span.start).unwrap_or_default().matches('\n').count() + 1);
        format!("{shown}:{line}: {}", error.message())
    })?;
    let folder = path.parent().unwrap_or(Path::new("."));
    let place = |path: &mut Option<PathBuf>| *path = path.take().map(|path| folder.join(path));
    [&mut file.tls_cert, &mut file.tls_key, &mut file.token_file, &mut file.cache_dir].into_iter().for_each(place);
    for site in &mut file.sites {
        [&mut site.bundle, &mut site.bundle_url_file, &mut site.ca_file, &mut site.readers].into_iter().for_each(place);
    }
    Ok(file)
}

/// The sites of a file: each name means one of them, and each has a folder of its own in the cache.
fn sites(flags: Vec<SiteFlags>, cache: Option<&Path>) -> Result<Vec<SiteOptions>, String> {
    if flags.is_empty() {
        return Err("the configuration has no `[[sites]]`".to_owned());
    }
    if flags.len() > MAX_SITES {
        return Err(format!("{} sites are too many: at most {MAX_SITES}", flags.len()));
    }
    let mut seen = std::collections::BTreeSet::new();
    let mut sites = Vec::new();
    for (index, mut site) in flags.into_iter().enumerate() {
        site.hosts = site.hosts.iter().map(|host| host_name(host)).collect::<Result<_, _>>()?;
        let names = if site.hosts.is_empty() { vec![String::new()] } else { site.hosts.clone() };
        for name in names {
            if !seen.insert(name.clone()) {
                return Err(if name.is_empty() {
                    "two sites have no `hosts`".to_owned()
                } else {
                    format!("two sites have the name `{name}`")
                });
            }
        }
        let folder = site.hosts.first().map_or("any", String::as_str).to_owned();
        let place = |message: String| format!("site {} of the configuration: {message}", index + 1);
        sites.push(site.options(cache.map(|cache| cache.join(folder))).map_err(place)?);
    }
    Ok(sites)
}

/// A name as requests have it: no port, lower case, other alphabets in ASCII. `localhost` is one too.
fn host_name(text: &str) -> Result<String, String> {
    let server = text.parse::<ServerAddress>().is_ok() && !text.contains([':', '[', '_', '*']);
    ascii_host(text).filter(|_| server).ok_or_else(|| format!("`{text}` is not a host name"))
}

/// A host as addresses have it, with its port if there is one.
fn ascii_host(text: &str) -> Option<String> {
    let url = url::Url::parse(&format!("http://{text}/")).ok()?;
    let port = text
        .rsplit_once(':')
        .map(|(_, port)| port)
        .filter(|port| !port.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit()) && !text.ends_with(']'));
    Some(url.host_str()?.to_owned() + &port.map_or_else(String::new, |port| format!(":{port}")))
}

impl SiteFlags {
    /// Fills in what the environment says.
    fn with(mut self, variable: &impl Fn(&str) -> Option<String>) -> Result<Self, String> {
        let path = |name: &str| variable(name).map(PathBuf::from);
        let on = |name: &str| parsed::<bool>(variable, name).map(Option::unwrap_or_default);
        // a source on the command line is the source
        if self.bundle.is_none() && self.bundle_url.is_none() && self.bundle_url_file.is_none() {
            (self.bundle, self.bundle_url, self.bundle_url_file) =
                (path("BUNDLE"), variable("BUNDLE_URL").map(SecretText), path("BUNDLE_URL_FILE"));
        }
        self.version = self.version.or_else(|| variable("EXPORT_VERSION"));
        self.sha256 = self.sha256.or_else(|| variable("SHA256"));
        self.public_key = self.public_key.or_else(|| variable("PUBLIC_KEY"));
        self.max_bytes = self.max_bytes.or(parsed(variable, "MAX_BYTES")?);
        self.keep = self.keep.or(parsed(variable, "KEEP")?);
        self.watch = self.watch.or(parsed(variable, "WATCH_URL")?);
        self.ca_file = self.ca_file.or_else(|| path("CA_FILE"));
        self.readers = self.readers.or_else(|| path("READERS"));
        if self.allow_http.is_empty() {
            self.allow_http = list_from_variable(variable, "ALLOW_HTTP");
        }
        self.allow_downgrade |= on("ALLOW_DOWNGRADE")?;
        self.noindex |= on("NOINDEX")?;
        self.no_search |= on("NO_SEARCH")?;
        self.mcp |= on("MCP")?;
        Ok(self)
    }

    fn options(self, cache: Option<PathBuf>) -> Result<SiteOptions, String> {
        let source = match (self.bundle, self.bundle_url, self.bundle_url_file) {
            // a file that is not there yet may come, but a folder becomes no archive
            (Some(folder), None, None) if folder.is_dir() => {
                return Err(format!("`{}` is a folder, an unpacked bundle: give the archive", folder.display()));
            }
            (Some(file), None, None) => BundleSource::File(file),
            (None, Some(url), None) => BundleSource::Url(checked_url(url)?),
            (None, None, Some(file)) => BundleSource::UrlFile(file),
            (None, None, None) => {
                return Err("there is no bundle: give `--bundle FILE`, `--bundle-url URL` or `--bundle-url-file FILE`"
                    .to_owned());
            }
            _ => {
                return Err(
                    "a site has one bundle: give only one of `--bundle`, `--bundle-url` and `--bundle-url-file`"
                        .to_owned(),
                );
            }
        };
        let sha256 = self.sha256.map(|text| {
            let text = text.trim().to_ascii_lowercase();
            from_hex(&text).map(|_| text).ok_or_else(|| "a SHA-256 has 64 hexadecimal digits".to_owned())
        });
        for host in &self.allow_http {
            host.parse::<ServerAddress>().map_err(|expected| format!("`{host}` is no host: expected {expected}"))?;
        }
        Ok(SiteOptions {
            hosts: self.hosts,
            source,
            expect: Expect {
                version: self.version.map(|version| super::check_version_label(&version)).transpose()?,
                sha256: sha256.transpose()?,
                key: self.public_key.map(|key| super::public_key(&key)).transpose()?,
                allow_downgrade: self.allow_downgrade,
            },
            cache,
            keep: self.keep.unwrap_or(DEFAULT_RETAINED_BUNDLES).clamp(1, 100),
            max_bytes: self.max_bytes.unwrap_or(BUNDLE_BYTES),
            own_hosts: self.allow_http.iter().map(|host| ascii_host(host).unwrap_or_else(|| host.clone())).collect(),
            authorities: self.ca_file,
            watch: self.watch.filter(|seconds| *seconds > 0).map(Duration::from_secs),
            readers: self.readers,
            noindex: self.noindex,
            search: !self.no_search,
            mcp: self.mcp,
        })
    }
}

/// A link that can be requested. Error messages do not contain it.
fn checked_url(secret: SecretText) -> Result<SecretText, String> {
    match url::Url::parse(secret.0.trim()) {
        Ok(url)
            if matches!(url.scheme(), "http" | "https") && url.username().is_empty() && url.password().is_none() =>
        {
            Ok(secret)
        }
        Ok(url) if matches!(url.scheme(), "http" | "https") => {
            Err("the bundle's link holds a user name or a password, which is not sent".to_owned())
        }
        _ => Err("the bundle's link is no http or https address".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn url_flags() -> HostFlags {
        HostFlags {
            site: SiteFlags { bundle_url: Some(SecretText("https://a.b/c?sig=x".into())), ..SiteFlags::default() },
            ..HostFlags::default()
        }
    }

    #[test]
    fn no_threads_and_unpacked_bundles_serve_nothing() {
        let none = HostFlags { threads: Some(0), ..url_flags() };
        assert!(none.options_with(|_| None).is_err_and(|message| message.contains("thread")));
        let folder = tempfile::tempdir().unwrap();
        let flags = |bundle: PathBuf| HostFlags {
            site: SiteFlags { bundle: Some(bundle), ..SiteFlags::default() },
            ..HostFlags::default()
        };
        assert!(
            flags(folder.path().to_owned())
                .options_with(|_| None)
                .is_err_and(|message| message.contains("give the archive"))
        );
        // a file may come later
        assert!(flags(folder.path().join("site.zip")).options_with(|_| None).is_ok());
    }

    #[test]
    fn the_command_line_comes_before_the_environment() {
        let environment = |name: &str| match name {
            "LISTEN" => Some("0.0.0.0:1".to_owned()),
            "EXPORT_VERSION" => Some("v1".to_owned()),
            "BUNDLE" => Some("x.zip".to_owned()),
            "ALLOW_HTTP" => Some("a, b:80".to_owned()),
            "MCP" => Some("true".to_owned()),
            _ => None,
        };
        let options = HostFlags { listen: Some("[::1]:2".into()), ..url_flags() }.options_with(environment).unwrap();
        assert_eq!(options.listen, "[::1]:2");
        let site = &options.sites[0];
        assert!(matches!(&site.source, BundleSource::Url(_)) && site.mcp && site.search);
        assert_eq!(
            (site.expect.version.as_deref(), &site.own_hosts[..]),
            (Some("v1"), &["a".to_owned(), "b:80".to_owned()][..])
        );
        let options = HostFlags::default().options_with(environment).unwrap();
        assert!(options.listen == "0.0.0.0:1" && matches!(&options.sites[0].source, BundleSource::File(_)));
    }

    #[test]
    fn links_are_never_shown() {
        let shown = format!("{:?}", url_flags().options_with(|_| None).unwrap());
        assert!(!shown.contains("sig=x") && !shown.contains("a.b"), "{shown}");
        let wrong =
            SiteFlags { bundle_url: Some(SecretText("https://user:geheim@a.b/".into())), ..SiteFlags::default() };
        assert!(!wrong.options(None).unwrap_err().contains("geheim"));
    }

    #[track_caller]
    fn refuses(flags: SiteFlags, expect: &str) {
        let message = flags.options(None).unwrap_err();
        assert!(message.contains(expect), "{message}");
    }

    #[test]
    fn what_cannot_be_is_refused() {
        let file = || SiteFlags { bundle: Some("x.zip".into()), ..SiteFlags::default() };
        refuses(SiteFlags::default(), "there is no bundle");
        refuses(
            SiteFlags { bundle_url: Some(SecretText("ftp://a.b/".into())), ..SiteFlags::default() },
            "no http or https",
        );
        refuses(SiteFlags { bundle_url_file: Some("x".into()), ..file() }, "only one of");
        refuses(SiteFlags { sha256: Some("abc".into()), ..file() }, "64 hexadecimal");
        refuses(SiteFlags { version: Some("a b".into()), ..file() }, "letters, digits");
        refuses(SiteFlags { allow_http: vec!["http://a".into()], ..file() }, "is no host");
    }

    #[test]
    fn files_name_sites_and_places_relative_to_themselves() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("host.toml");
        let read = |text: &str| {
            fs::write(&path, text).unwrap();
            HostFlags { config: Some(path.clone()), ..HostFlags::default() }.options_with(|_| None)
        };
        let options = read("cache_dir = \"cache\"\n[[sites]]\nhosts = [\"Docs.example\"]\nbundle = \"a.zip\"\nsearch = false\n[[sites]]\nbundle_url = \"https://a.b/c\"\nwatch_seconds = 60\n").unwrap();
        assert!(matches!(&options.sites[0].source, BundleSource::File(file) if *file == folder.path().join("a.zip")));
        assert_eq!((&options.sites[0].hosts[..], options.sites[0].search), (&["docs.example".to_owned()][..], false));
        assert_eq!(options.sites[1].cache, Some(folder.path().join("cache/any")));
        assert_eq!(options.sites[1].watch, Some(Duration::from_secs(60)));
        for (text, expect) in [
            ("", "no `[[sites]]`"),
            ("x = 1", "unknown field"),
            ("[[sites]]\n\nbundel = \"x\"", "host.toml:3:"),
            ("[[sites]]\nbundle = \"x\"\n[[sites]]\nbundle = \"y\"", "two sites have no"),
            ("[[sites]]\nhosts = [\"a.b:80\"]\nbundle = \"x\"", "is not a host name"),
            (
                "[[sites]]\nhosts = [\"bücher.example\"]\nbundle = \"x\"\n[[sites]]\nhosts = [\"XN--bcher-kva.example\"]\nbundle = \"y\"",
                "two sites have the name `xn--bcher-kva.example`",
            ),
            ("[[sites]]\nhosts = [\"a.b\"]", "site 1 of the configuration: there is no bundle"),
        ] {
            let message = read(text).unwrap_err();
            assert!(message.contains(expect), "{message}");
        }
    }
}
