//! What a download may request: schemes, ports, hosts. Addresses in a URL are judged here, those of names when they are
//! resolved.

use std::net::IpAddr;
use std::str::FromStr;

use url::{Host, Url};

use super::DownloadFailure;
use super::address::{AddressReach, reach};

/// Longest address that is requested, bytes.
const MAX_URL_BYTES: usize = 8 << 10;

/// What a client may request. The default is the open internet on the usual ports.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FetchPolicy {
    /// Any server may have a private address. Addresses of metadata services stay refused.
    pub allow_private: bool,
    /// Servers that may have a private address.
    pub own: Vec<ServerAddress>,
    /// Ports besides 80 and 443.
    pub ports: Vec<u16>,
}

/// A server of one's own network: its name or address, and its port if it is an unusual one. Written `host` or
/// `host:port`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServerAddress {
    host: String,
    port: Option<u16>,
}

impl FromStr for ServerAddress {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let url = Url::parse(&format!("http://{text}/")).ok().filter(|url| {
            url.path() == "/" && url.query().is_none() && url.fragment().is_none() && url.username().is_empty()
        });
        let host = url.as_ref().and_then(Url::host_str).filter(|_| !text.contains(['/', '@', ' ']));
        match (host, &url) {
            // the parser drops the port that is the scheme's own
            (Some(host), Some(url)) => {
                Ok(Self { host: host.to_owned(), port: url.port().or_else(|| text.ends_with(":80").then_some(80)) })
            }
            _ => Err("a host name or address, with the port if it is not the default, such as `assets.internal:8080`"
                .to_owned()),
        }
    }
}

impl ServerAddress {
    /// Whether a URL is one of this server.
    pub fn is_of(&self, url: &Url) -> bool {
        let port = url.port_or_known_default();
        url.host_str() == Some(self.host.as_str())
            && self.port.map_or(matches!(port, Some(80 | 443)), |own| Some(own) == port)
    }
}

impl FetchPolicy {
    /// Judges a URL before anything is resolved or dialed.
    ///
    /// # Errors
    /// Why it is not requested.
    pub fn check_url(&self, url: &Url) -> Result<(), DownloadFailure> {
        if !matches!(url.scheme(), "http" | "https") {
            return Err(DownloadFailure::Scheme(url.scheme().to_owned()));
        }
        if url.as_str().len() > MAX_URL_BYTES {
            return Err(DownloadFailure::Address { host: "the address".to_owned(), what: "too long".into() });
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(DownloadFailure::Userinfo);
        }
        let host = url.host().ok_or_else(|| DownloadFailure::Scheme("no host".to_owned()))?;
        let name = url.host_str().unwrap_or_default();
        let port = url.port_or_known_default().unwrap_or(0);
        let is_own = |server: &ServerAddress| server.host == name && server.port == Some(port);
        if !matches!(port, 80 | 443) && !self.ports.contains(&port) && !self.own.iter().any(is_own) {
            return Err(DownloadFailure::Port(port));
        }
        match host {
            Host::Ipv4(address) => self.check_address(name, Some(port), address.into()),
            Host::Ipv6(address) => self.check_address(name, Some(port), address.into()),
            Host::Domain(_) => Ok(()),
        }
    }

    /// Judges an address that a host has. Without a port it may be any that `check_url` lets pass.
    ///
    /// # Errors
    /// The address is none that this client dials.
    pub fn check_address(&self, host: &str, port: Option<u16>, address: IpAddr) -> Result<(), DownloadFailure> {
        match reach(address) {
            AddressReach::Public => Ok(()),
            AddressReach::Private(what) if !self.may_be_private(host, port) => {
                Err(DownloadFailure::Address { host: host.to_owned(), what: what.into() })
            }
            AddressReach::Private(_) => Ok(()),
            AddressReach::Never(what) => Err(DownloadFailure::Address { host: host.to_owned(), what: what.into() }),
        }
    }

    fn may_be_private(&self, host: &str, port: Option<u16>) -> bool {
        let fits = |server: &ServerAddress| match (server.port, port) {
            (_, None) => true,
            (Some(own), Some(port)) => own == port,
            (None, Some(port)) => matches!(port, 80 | 443) || self.ports.contains(&port),
        };
        self.allow_private || self.own.iter().any(|server| server.host == host && fits(server))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn policy(own: &[&str]) -> FetchPolicy {
        FetchPolicy { own: own.iter().map(|server| server.parse().unwrap()).collect(), ..FetchPolicy::default() }
    }

    #[track_caller]
    fn check(policy: &FetchPolicy, url: &str, passes: bool) {
        let judged = policy.check_url(&Url::parse(url).unwrap());
        assert_eq!(judged.is_ok(), passes, "{url}: {judged:?}");
    }

    #[test]
    fn private_addresses_need_leave() {
        let strict = policy(&[]);
        check(&strict, "https://example.org/a.png", true);
        check(&strict, "http://93.184.216.34/", true);
        for url in [
            "http://127.0.0.1/",
            "http://2130706433/",
            "http://0x7f.1/",
            "http://0177.0.0.1/",
            "http://[::1]/",
            "http://[::ffff:10.0.0.1]/",
            "http://127.1/",
            "http://１２７.０.０.１/",
            "http://127.0.0.1./",
        ] {
            check(&strict, url, false);
        }
    }

    #[test]
    fn a_named_server_is_let_in_alone() {
        let policy = policy(&["127.0.0.1:8080", "assets.internal", "[::1]:9000"]);
        check(&policy, "http://127.0.0.1:8080/x", true);
        check(&policy, "http://[::1]:9000/x", true);
        check(&policy, "http://127.0.0.1/x", false);
        check(&policy, "http://127.0.0.1:8081/x", false);
        check(&policy, "http://127.0.0.2:8080/x", false);
        assert!(policy.check_address("assets.internal", Some(443), "10.0.0.1".parse().unwrap()).is_ok());
        assert!(policy.check_address("assets.internal", Some(443), "169.254.169.254".parse().unwrap()).is_err());
        assert!(policy.check_address("other.internal", Some(443), "10.0.0.1".parse().unwrap()).is_err());
    }

    #[test]
    fn metadata_services_are_never_let_in() {
        let lax = FetchPolicy { allow_private: true, ..policy(&["169.254.169.254"]) };
        check(&lax, "http://10.0.0.1/", true);
        check(&lax, "http://169.254.169.254/latest/meta-data", false);
        check(&lax, "http://[fd00:ec2::254]/", false);
        check(&lax, "http://168.63.129.16/", false);
        check(&lax, "http://10.0.0.1:22/", false);
    }

    #[test]
    fn servers_are_hosts_with_ports() {
        assert_eq!("a.b:80".parse(), Ok(ServerAddress { host: "a.b".into(), port: Some(80) }));
        assert_eq!("A.b".parse(), Ok(ServerAddress { host: "a.b".into(), port: None }));
        for bad in ["", "a/b", "http://a", "u@a", "a:99999", "a b", "a?x"] {
            assert!(bad.parse::<ServerAddress>().is_err(), "{bad}");
        }
    }
}
