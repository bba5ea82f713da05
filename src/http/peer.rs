//! Addresses of clients as servers count them, lists of them, and how many connections each may have open.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Arc, Mutex, PoisonError};

use ipnet::IpNet;

/// An IPv4 address that came in through an IPv6 socket as IPv4.
pub fn unmapped_address(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V6(six) => six.to_ipv4_mapped().map_or(IpAddr::V6(six), IpAddr::V4),
        four => four,
    }
}

/// What counts as one client: one with an IPv6 address has the 2^64 of its network.
pub fn client_network(address: IpAddr) -> IpAddr {
    match unmapped_address(address) {
        IpAddr::V6(six) => IpAddr::V6(Ipv6Addr::from_bits(six.to_bits() & !u128::from(u64::MAX))),
        four => four,
    }
}

/// A list of networks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NetworkList {
    networks: Vec<IpNet>,
}

impl NetworkList {
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
        let address = unmapped_address(address);
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

/// The connections that are open, of all clients and of each.
#[derive(Debug, Default)]
pub struct OpenConnections {
    count: Mutex<ConnectionCount>,
}

#[derive(Debug, Default)]
struct ConnectionCount {
    total: usize,
    of_client: HashMap<IpAddr, usize>,
}

/// One of them; leaves when dropped.
#[derive(Debug)]
pub struct ConnectionPlace {
    open: Arc<OpenConnections>,
    client: IpAddr,
}

impl OpenConnections {
    /// Counts one more connection, unless there are `most` already, or `most_of_client` of this address.
    pub fn enter(self: &Arc<Self>, address: IpAddr, most: usize, most_of_client: usize) -> Option<ConnectionPlace> {
        let client = client_network(address);
        let mut count = self.count.lock().unwrap_or_else(PoisonError::into_inner);
        let of_client = count.of_client.get(&client).copied().unwrap_or(0);
        if count.total >= most || of_client >= most_of_client {
            return None;
        }
        count.total += 1;
        count.of_client.insert(client, of_client + 1);
        Some(ConnectionPlace { open: Arc::clone(self), client })
    }

    /// How many are open.
    pub fn total(&self) -> usize {
        self.count.lock().unwrap_or_else(PoisonError::into_inner).total
    }
}

impl Drop for ConnectionPlace {
    fn drop(&mut self) {
        let mut count = self.open.count.lock().unwrap_or_else(PoisonError::into_inner);
        count.total -= 1;
        if let Some(of_client) = count.of_client.get_mut(&self.client) {
            *of_client -= 1;
            if *of_client == 0 {
                count.of_client.remove(&self.client);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn networks_hold_addresses() {
        let allowed = ["203.0.113.0/24", "2001:db8::/32", "198.51.100.7", "::ffff:192.0.2.0/120"];
        let allowed = NetworkList::new(allowed.map(|text| NetworkList::network(text).unwrap()).to_vec());
        for address in ["203.0.113.255", "2001:db8:1::1", "198.51.100.7", "::ffff:203.0.113.9", "192.0.2.77"] {
            assert!(allowed.contain(address.parse().unwrap()), "{address}");
        }
        for address in ["203.0.114.0", "2001:db9::1", "198.51.100.8", "::1"] {
            assert!(!allowed.contain(address.parse().unwrap()), "{address}");
        }
        for bad in ["0.0.0.0/0", "::/0", "203.0.113.0/33", "example.com", "", "1.2.3", "1.2.3.4:80"] {
            assert!(NetworkList::network(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn each_client_has_its_places_and_gets_them_back() {
        let open = Arc::new(OpenConnections::default());
        let enter = |address: &str| open.enter(address.parse().unwrap(), 5, 2);
        let mut places = vec![enter("192.0.2.1").unwrap(), enter("::ffff:192.0.2.1").unwrap()];
        assert!(enter("192.0.2.1").is_none(), "however it comes in");
        places.push(enter("2001:db8::1").unwrap());
        places.push(enter("2001:db8::ffff:2").unwrap());
        assert!(enter("2001:db8::3").is_none(), "a network of IPv6 is one client");
        places.push(enter("2001:db8:0:1::1").unwrap());
        assert!(enter("192.0.2.7").is_none(), "all together have a bound");
        places.remove(0);
        assert!(enter("192.0.2.1").is_some());
        drop(places);
        assert!(open.total() == 0 && open.count.lock().unwrap().of_client.is_empty());
    }
}
