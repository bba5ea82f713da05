//! Where a database is: `postgres://user:password@host:port/database?sslmode=…`, as libpq writes it, with two
//! differences. Encryption that can be turned off by whoever sits between is none, so `sslmode` is `disable`, or
//! `require` or `verify-full`, which both verify the certificate. Without it, the way to another machine is encrypted.

use std::path::PathBuf;
use std::time::Duration;

use percent_encoding::percent_decode_str;
use tokio_postgres::Config;
use tokio_postgres::config::{Host, SslMode, TargetSessionAttrs};

/// How long a connection may take to come up, for each of the hosts.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(3);
/// How long a connection may be silent before it is probed, between two probes, and without an answer.
const KEEPALIVE_IDLE: Duration = Duration::from_secs(10);
const KEEPALIVE_INTERVAL: Duration = Duration::from_secs(3);
const KEEPALIVE_RETRIES: u32 = 3;
const UNACKNOWLEDGED_TIMEOUT: Duration = Duration::from_secs(10);

/// A database.
pub(super) struct DatabaseAddress {
    pub(super) config: Config,
    /// Encrypted, and verified by these certificates; `None` within: by those of the system.
    pub(super) tls: Option<Option<PathBuf>>,
}

impl DatabaseAddress {
    /// Reads a URL. No message repeats it: it may hold a password.
    pub(super) fn parse(url: &str) -> Result<Self, String> {
        if !url.starts_with("postgres://") && !url.starts_with("postgresql://") {
            return Err("not a database: write `postgres://user@host/database`".to_owned());
        }
        let (start, query) = url.split_once('?').unwrap_or((url, ""));
        let (mut mode, mut certificates, mut others) = (None, None, Vec::new());
        for pair in query.split('&').filter(|pair| !pair.is_empty()) {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            match name {
                "sslmode" => mode = Some(value),
                "sslrootcert" => certificates = Some(PathBuf::from(&*percent_decode_str(value).decode_utf8_lossy())),
                _ => others.push(pair),
            }
        }
        let mut config: Config = format!("{start}?{}", others.join("&"))
            .parse()
            .map_err(|error: tokio_postgres::Error| format!("the URL of the database cannot be read: {error}"))?;
        if config.get_hosts().is_empty() && config.get_hostaddrs().is_empty() {
            return Err("the URL of the database names no host".to_owned());
        }
        let is_encrypted = match mode {
            None => certificates.is_some() || !is_here(&config),
            Some("disable") => false,
            Some("require" | "verify-full") => true,
            Some(other) => {
                let other: String = other.chars().take(20).collect();
                return Err(format!("`sslmode={other}` is none of `disable`, `require`, `verify-full`"));
            }
        };
        config
            .ssl_mode(if is_encrypted { SslMode::Require } else { SslMode::Disable })
            // of several hosts, the one that takes writes: after a failover another one
            .target_session_attrs(TargetSessionAttrs::ReadWrite)
            .connect_timeout(CONNECT_TIMEOUT)
            .keepalives_idle(KEEPALIVE_IDLE)
            .keepalives_interval(KEEPALIVE_INTERVAL)
            .keepalives_retries(KEEPALIVE_RETRIES)
            .tcp_user_timeout(UNACKNOWLEDGED_TIMEOUT);
        if config.get_application_name().is_none() {
            config.application_name("offprint");
        }
        Ok(Self { config, tls: is_encrypted.then_some(certificates) })
    }
}

/// Whether all hosts are this machine.
fn is_here(config: &Config) -> bool {
    let addresses = config.get_hostaddrs();
    if !addresses.is_empty() {
        return addresses.iter().all(std::net::IpAddr::is_loopback);
    }
    config.get_hosts().iter().all(|host| match host {
        Host::Tcp(name) => {
            name == "localhost" || name.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback())
        }
        #[cfg(unix)]
        Host::Unix(_) => true,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(url: &str, tls: Option<Option<&str>>) {
        let address = DatabaseAddress::parse(url).unwrap();
        assert_eq!(address.tls, tls.map(|path| path.map(PathBuf::from)), "{url}");
        assert_eq!(address.config.get_ssl_mode() == SslMode::Require, tls.is_some(), "{url}");
    }

    #[test]
    fn the_way_to_another_machine_is_encrypted() {
        check("postgres://us@localhost/store", None);
        check("postgresql://us:secret@127.0.0.1:5433/store?application_name=x", None);
        check("postgres://us@[::1]/store", None);
        check("postgres://us@%2Frun%2Fpostgresql/store", None);
        check("postgres://us@db.example/store", Some(None));
        check("postgres://us@localhost,db.example/store", Some(None));
        check("postgres://us@db.example/store?sslmode=disable", None);
        check("postgres://us@localhost/store?sslmode=require", Some(None));
        check("postgres://us@a,b/store?sslmode=verify-full&sslrootcert=%2Fetc%2Fca.pem", Some(Some("/etc/ca.pem")));
        check("postgres://us@localhost/store?sslrootcert=/ca.pem", Some(Some("/ca.pem")));
    }

    #[test]
    fn what_is_wrong_is_told_without_secrets() {
        for url in [
            "mysql://us:secret@db/store",
            "postgres://us:secret@db:port/store",
            "postgres://us:secret@db/store?sslmode=prefer",
            "postgres://us:secret@db/store?unknown=1",
            "postgres:///store?user=us&password=secret",
        ] {
            let error = DatabaseAddress::parse(url).err().expect(url);
            assert!(!error.contains("secret") && !error.is_empty(), "{error}");
        }
    }
}
