//! Addresses of clients: lists of networks, and whose word about them counts.

use std::net::{IpAddr, Ipv6Addr};

use ipnet::IpNet;

use crate::http::peer::plain;

/// A list of networks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Addresses {
    networks: Vec<IpNet>,
}

impl Addresses {
    /// A list; an empty one is a list of nothing.
    pub fn new(networks: Vec<IpNet>) -> Self {
        Self { networks }
    }

    /// Whether there is no network in it.
    pub fn is_empty(&self) -> bool {
        self.networks.is_empty()
    }

    /// Whether an address is in one of them.
    pub fn contain(&self, address: IpAddr) -> bool {
        let address = plain(address);
        self.networks.iter().any(|network| network.contains(&address))
    }

    /// Reads an address or a network. One of all addresses (`/0`) is refused: it would allow what it looks like it
    /// restricts.
    ///
    /// # Errors
    /// A sentence that says what would be right.
    pub fn network(text: &str) -> Result<IpNet, String> {
        let network = text.parse::<IpNet>().or_else(|_| text.parse::<IpAddr>().map(IpNet::from));
        let network = network.map_err(|_| format!("`{text}` is no address: write one such as `203.0.113.7`, or a network such as `203.0.113.0/24` or `2001:db8::/32`"))?;
        if network.prefix_len() == 0 {
            return Err(format!("`{text}` means every address: leave the list out instead"));
        }
        Ok(mapped(network).unwrap_or(network).trunc())
    }
}

/// `::ffff:203.0.113.0/120` as the IPv4 network that it is.
fn mapped(network: IpNet) -> Option<IpNet> {
    let IpNet::V6(six) = network else { return None };
    let four = six.addr().to_ipv4_mapped()?;
    let length = six.prefix_len().checked_sub(96)?;
    IpNet::new(IpAddr::V4(four), length).ok()
}

/// The address of a client: the peer, or the one that a trusted proxy names. `forwarded` are the values of
/// `X-Forwarded-For` in order. The list is read from its end, as far as the proxies are trusted: what stands
/// before that may be anything. A word that is no address ends the reading.
pub fn client<'a>(peer: IpAddr, forwarded: impl DoubleEndedIterator<Item = &'a str>, trusted: &Addresses) -> IpAddr {
    let mut address = plain(peer);
    for value in forwarded.rev() {
        for word in value.rsplit(',') {
            if !trusted.contain(address) {
                return address;
            }
            match word.trim().parse::<IpAddr>().or_else(|_| bracketed(word.trim())) {
                Ok(named) => address = plain(named),
                Err(_) => return address,
            }
        }
    }
    address
}

/// `[2001:db8::1]`, as some proxies write it.
fn bracketed(word: &str) -> Result<IpAddr, std::net::AddrParseError> {
    word.trim_start_matches('[').trim_end_matches(']').parse::<Ipv6Addr>().map(IpAddr::V6)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(networks: &[&str]) -> Addresses {
        Addresses::new(networks.iter().map(|text| Addresses::network(text).unwrap()).collect())
    }

    #[test]
    fn networks_hold_addresses() {
        let allowed = list(&["203.0.113.0/24", "2001:db8::/32", "198.51.100.7", "::ffff:192.0.2.0/120"]);
        for address in ["203.0.113.255", "2001:db8:1::1", "198.51.100.7", "::ffff:203.0.113.9", "192.0.2.77"] {
            assert!(allowed.contain(address.parse().unwrap()), "{address}");
        }
        for address in ["203.0.114.0", "2001:db9::1", "198.51.100.8", "::1"] {
            assert!(!allowed.contain(address.parse().unwrap()), "{address}");
        }
        for bad in ["0.0.0.0/0", "::/0", "203.0.113.0/33", "example.com", "", "1.2.3", "1.2.3.4:80"] {
            assert!(Addresses::network(bad).is_err(), "{bad}");
        }
    }

    #[track_caller]
    fn check(peer: &str, forwarded: &[&str], trusted: &[&str], expect: &str) {
        assert_eq!(
            client(peer.parse().unwrap(), forwarded.iter().copied(), &list(trusted)),
            expect.parse::<IpAddr>().unwrap()
        );
    }

    #[test]
    fn only_trusted_proxies_are_believed() {
        check("198.51.100.1", &["10.0.0.1"], &[], "198.51.100.1");
        check("198.51.100.1", &["10.0.0.1"], &["10.0.0.0/8"], "198.51.100.1");
        check("10.0.0.1", &["203.0.113.5"], &["10.0.0.0/8"], "203.0.113.5");
        check("10.0.0.1", &["1.1.1.1, 203.0.113.5, 10.0.0.2"], &["10.0.0.0/8"], "203.0.113.5");
        check("10.0.0.1", &["1.1.1.1", "203.0.113.5"], &["10.0.0.0/8"], "203.0.113.5");
        check("::ffff:10.0.0.1", &["[2001:db8::7]"], &["10.0.0.0/8"], "2001:db8::7");
        check("10.0.0.1", &["nonsense"], &["10.0.0.0/8"], "10.0.0.1");
        check("10.0.0.1", &["203.0.113.5, nonsense"], &["10.0.0.0/8"], "10.0.0.1");
    }
}
