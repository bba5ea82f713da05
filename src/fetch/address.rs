//! Which addresses a download may dial: the open internet, and nothing that lies behind the machine it runs on.
//!
//! The ranges are those of IANA's special-purpose registries for IPv4 and IPv6, multicast and reserved space, and the
//! public addresses that clouds give their metadata services.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use ipnet::{Ipv4Net, Ipv6Net};

/// How far an address reaches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AddressReach {
    /// A host of the open internet.
    Public,
    /// This machine or the network around it: dialed only where that is allowed. What it is, in words.
    Private(&'static str),
    /// Never dialed: credentials of clouds, groups of hosts, addresses that stand for others. What it is, in words.
    Never(&'static str),
}

use AddressReach::{Never, Private, Public};

const METADATA: AddressReach = Never("the address of a cloud metadata service");
const OWN_NETWORK: AddressReach = Private("an address of a private network");
const THIS_MACHINE: AddressReach = Private("an address of this machine");
const LINK: AddressReach = Never("a link-local address, used by cloud metadata services");
const RESERVED: AddressReach = Never("a reserved address");
const DOCUMENTATION: AddressReach = Never("an address for examples");
const STAND_IN: AddressReach = Never("an address that stands for another one");
const GROUP: AddressReach = Never("an address of a group of hosts");

const fn v4(a: u8, b: u8, c: u8, d: u8, length: u8) -> Ipv4Net {
    Ipv4Net::new_assert(Ipv4Addr::new(a, b, c, d), length)
}

const fn v6(segments: [u16; 8], length: u8) -> Ipv6Net {
    let [a, b, c, d, e, f, g, h] = segments;
    Ipv6Net::new_assert(Ipv6Addr::new(a, b, c, d, e, f, g, h), length)
}

/// The first range that holds an address decides.
const V4: [(Ipv4Net, AddressReach); 23] = [
    (v4(168, 63, 129, 16, 32), METADATA),   // Azure; a public address
    (v4(100, 100, 100, 200, 32), METADATA), // Alibaba
    (v4(192, 0, 0, 192, 32), METADATA),     // Oracle
    (v4(0, 0, 0, 0, 8), RESERVED),          // 0.0.0.0 reaches this machine on most systems
    (v4(10, 0, 0, 0, 8), OWN_NETWORK),
    (v4(100, 64, 0, 0, 10), OWN_NETWORK), // shared by customers of a provider
    (v4(127, 0, 0, 0, 8), THIS_MACHINE),
    (v4(169, 254, 0, 0, 16), LINK),
    (v4(172, 16, 0, 0, 12), OWN_NETWORK),
    (v4(192, 0, 0, 0, 24), RESERVED),
    (v4(192, 0, 2, 0, 24), DOCUMENTATION),
    (v4(192, 31, 196, 0, 24), RESERVED),
    (v4(192, 52, 193, 0, 24), RESERVED),
    (v4(192, 88, 99, 0, 24), STAND_IN), // relays of 6to4
    (v4(192, 168, 0, 0, 16), OWN_NETWORK),
    (v4(192, 175, 48, 0, 24), RESERVED),
    (v4(198, 18, 0, 0, 15), RESERVED), // benchmarks
    (v4(198, 51, 100, 0, 24), DOCUMENTATION),
    (v4(203, 0, 113, 0, 24), DOCUMENTATION),
    (v4(224, 0, 0, 0, 4), GROUP),
    (v4(255, 255, 255, 255, 32), GROUP),
    (v4(240, 0, 0, 0, 4), RESERVED),
    (v4(0, 0, 0, 0, 0), Public),
];

const V6: [(Ipv6Net, AddressReach); 21] = [
    (v6([0xfd00, 0x0ec2, 0, 0, 0, 0, 0, 0], 32), METADATA), // Amazon
    (v6([0xfd20, 0x00ce, 0, 0, 0, 0, 0, 0], 32), METADATA), // Google
    (v6([0, 0, 0, 0, 0, 0, 0, 1], 128), THIS_MACHINE),
    (v6([0, 0, 0, 0, 0, 0xffff, 0, 0], 96), STAND_IN), // IPv4 in disguise
    (v6([0x64, 0xff9b, 0, 0, 0, 0, 0, 0], 96), STAND_IN), // NAT64
    (v6([0x64, 0xff9b, 1, 0, 0, 0, 0, 0], 48), STAND_IN),
    (v6([0, 0, 0, 0, 0, 0, 0, 0], 8), RESERVED),
    (v6([0xfc00, 0, 0, 0, 0, 0, 0, 0], 7), OWN_NETWORK),
    (v6([0xfe80, 0, 0, 0, 0, 0, 0, 0], 10), LINK),
    (v6([0xff00, 0, 0, 0, 0, 0, 0, 0], 8), GROUP),
    (v6([0x2001, 0, 0, 0, 0, 0, 0, 0], 32), STAND_IN), // Teredo
    (v6([0x2001, 0, 0, 0, 0, 0, 0, 0], 23), RESERVED),
    (v6([0x2001, 0xdb8, 0, 0, 0, 0, 0, 0], 32), DOCUMENTATION),
    (v6([0x2002, 0, 0, 0, 0, 0, 0, 0], 16), STAND_IN), // 6to4
    (v6([0x2620, 0x4f, 0x8000, 0, 0, 0, 0, 0], 48), RESERVED),
    (v6([0x3fff, 0, 0, 0, 0, 0, 0, 0], 20), DOCUMENTATION),
    (v6([0x3ffe, 0, 0, 0, 0, 0, 0, 0], 16), RESERVED),
    // ISATAP hides an IPv4 address behind any prefix, but only inside of networks that set it up
    (v6([0x2000, 0, 0, 0, 0, 0, 0, 0], 3), Public),
    // unassigned
    (v6([0x4000, 0, 0, 0, 0, 0, 0, 0], 2), RESERVED),
    (v6([0x8000, 0, 0, 0, 0, 0, 0, 0], 1), RESERVED),
    (v6([0, 0, 0, 0, 0, 0, 0, 0], 0), RESERVED),
];

/// How far an address reaches.
pub fn reach(address: IpAddr) -> AddressReach {
    match address {
        IpAddr::V4(address) => {
            V4.iter().find(|(range, _)| range.contains(&address)).map_or(RESERVED, |(_, reach)| *reach)
        }
        IpAddr::V6(address) => {
            V6.iter().find(|(range, _)| range.contains(&address)).map_or(RESERVED, |(_, reach)| *reach)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(address: &str, expect: fn(AddressReach) -> bool) {
        let found = reach(address.parse().unwrap());
        assert!(expect(found), "{address} is {found:?}");
    }

    #[test]
    fn the_open_internet_is_public() {
        for address in [
            "1.1.1.1",
            "8.8.8.8",
            "93.184.216.34",
            "100.63.255.255",
            "100.128.0.0",
            "126.255.255.255",
            "128.0.0.0",
            "168.63.129.15",
            "169.253.255.255",
            "169.255.0.0",
            "172.15.255.255",
            "172.32.0.0",
            "192.0.1.0",
            "192.167.255.255",
            "192.169.0.0",
            "198.17.255.255",
            "198.20.0.0",
            "223.255.255.255",
            "2606:4700:4700::1111",
            "2a00:1450:4001:81b::200a",
            "2001:4860:4860::8888",
            "2001:200::1",
            "2620:fe::fe",
            "2003::1",
        ] {
            check(address, |reach| reach == Public);
        }
    }

    #[test]
    fn own_networks_are_private() {
        for address in [
            "10.0.0.0",
            "10.255.255.255",
            "100.64.0.1",
            "100.127.255.255",
            "127.0.0.1",
            "127.255.255.254",
            "172.16.0.1",
            "172.31.255.255",
            "192.168.0.1",
            "::1",
            "fc00::1",
            "fd12:3456::1",
        ] {
            check(address, |reach| matches!(reach, Private(_)));
        }
    }

    #[test]
    fn what_stands_for_something_else_is_never_dialed() {
        for address in [
            "0.0.0.0",
            "0.1.2.3",
            "100.100.100.200",
            "168.63.129.16",
            "169.254.0.1",
            "169.254.169.254",
            "192.0.0.1",
            "192.0.0.192",
            "192.0.2.1",
            "192.88.99.1",
            "198.18.0.1",
            "198.19.255.255",
            "198.51.100.1",
            "203.0.113.1",
            "224.0.0.1",
            "239.255.255.255",
            "240.0.0.1",
            "255.255.255.255",
            "::",
            "::ffff:127.0.0.1",
            "::ffff:8.8.8.8",
            "::127.0.0.1",
            "64:ff9b::7f00:1",
            "64:ff9b::808:808",
            "64:ff9b:1::1",
            "100::1",
            "fe80::1",
            "febf::1",
            "fec0::1",
            "ff02::1",
            "2001::1",
            "2001:10::1",
            "2001:20::1",
            "2001:db8::1",
            "2002:7f00:1::",
            "2002:c0a8:1::1",
            "3fff::1",
            "5f00::1",
            "fd00:ec2::254",
            "fd20:ce::254",
            "4000::1",
            "8000::1",
            "e000::1",
        ] {
            check(address, |reach| matches!(reach, Never(_)));
        }
    }

    proptest::proptest! {
        #[test]
        fn every_v4_address_agrees_with_the_standard_library(bits in proptest::num::u32::ANY) {
            let address = Ipv4Addr::from(bits);
            let special = address.is_private() || address.is_loopback() || address.is_link_local() || address.is_multicast() || address.is_broadcast() || address.is_documentation() || address.is_unspecified();
            if special {
                proptest::prop_assert_ne!(reach(address.into()), Public);
            }
        }
    }
}
