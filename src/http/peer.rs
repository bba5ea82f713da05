//! Addresses of clients as servers count them, and how many connections each may have open.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Arc, Mutex, PoisonError};

/// An IPv4 address that came in through an IPv6 socket as IPv4.
pub fn plain(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V6(six) => six.to_ipv4_mapped().map_or(IpAddr::V6(six), IpAddr::V4),
        four => four,
    }
}

/// What counts as one client: one with an IPv6 address has the 2^64 of its network.
pub fn client_network(address: IpAddr) -> IpAddr {
    match plain(address) {
        IpAddr::V6(six) => IpAddr::V6(Ipv6Addr::from_bits(six.to_bits() & !u128::from(u64::MAX))),
        four => four,
    }
}

/// The connections that are open, of all clients and of each.
#[derive(Debug, Default)]
pub struct OpenConnections {
    count: Mutex<Count>,
}

#[derive(Debug, Default)]
struct Count {
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
