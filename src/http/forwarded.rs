//! Addresses of clients: whose word about them counts.

use std::net::{IpAddr, Ipv6Addr};

use hyper::HeaderMap;

use super::peer::{NetworkList, unmapped_address};

/// Names the clients of proxies.
const FORWARDED_FOR: &str = "x-forwarded-for";

/// The address of the client of a request that came from `peer`.
pub fn request_client_address(headers: &HeaderMap, peer: IpAddr, trusted: &NetworkList) -> IpAddr {
    // fast path: most servers stand behind no proxy
    if trusted.is_empty() {
        return unmapped_address(peer);
    }
    let forwarded = headers.get_all(FORWARDED_FOR).iter().map(|value| value.to_str().unwrap_or_default());
    client_address(peer, forwarded, trusted)
}

/// Whether a proxy that is not trusted seems to have sent a request: all of its clients then count as one.
pub fn is_forwarded_by_stranger(headers: &HeaderMap, peer: IpAddr, trusted: &NetworkList) -> bool {
    headers.contains_key(FORWARDED_FOR) && !trusted.contain(peer)
}

/// The address of a client: the peer, or the one that a trusted proxy names. `forwarded` are the values of
/// `X-Forwarded-For` in order. The list is read from its end, as far as the proxies are trusted: what stands
/// before that may be anything. A word that is no address ends the reading.
fn client_address<'a>(
    peer: IpAddr,
    forwarded: impl DoubleEndedIterator<Item = &'a str>,
    trusted: &NetworkList,
) -> IpAddr {
    let mut address = unmapped_address(peer);
    for value in forwarded.rev() {
        for word in value.rsplit(',') {
            if !trusted.contain(address) {
                return address;
            }
            match word.trim().parse::<IpAddr>().or_else(|_| bracketed(word.trim())) {
                Ok(named) => address = unmapped_address(named),
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

    fn list(networks: &[&str]) -> NetworkList {
        NetworkList::new(networks.iter().map(|text| NetworkList::network(text).unwrap()).collect())
    }

    #[track_caller]
    fn check(peer: &str, forwarded: &[&str], trusted: &[&str], expect: &str) {
        assert_eq!(
            client_address(peer.parse().unwrap(), forwarded.iter().copied(), &list(trusted)),
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
