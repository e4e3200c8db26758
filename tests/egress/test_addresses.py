"""Which addresses a stranger's URL may reach, at the edges of every range."""

from ipaddress import ip_address, ip_network

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verifyhub.egress.addresses import FORBIDDEN, INTERNAL, AddressReach, reach

PUBLIC = [
    "1.1.1.1",
    "8.8.8.8",
    "9.255.255.255",
    "11.0.0.0",
    "100.63.255.255",
    "100.128.0.0",
    "126.255.255.255",
    "128.0.0.0",
    "169.253.255.255",
    "169.255.0.0",
    "172.15.255.255",
    "172.32.0.0",
    "192.167.255.255",
    "192.169.0.0",
    "198.17.255.255",
    "198.20.0.0",
    "223.255.255.255",
    "2001:200::1",
    "2003::1",
    "2606:4700:4700::1111",
    "2a00:1450:4001:82a::200e",
]
INSIDE = [
    "10.0.0.1",
    "10.255.255.255",
    "100.64.0.0",
    "100.127.255.255",
    "127.0.0.1",
    "127.255.255.254",
    "172.16.0.1",
    "172.31.255.255",
    "192.168.0.1",
    "::1",
    "fc00::1",
    "fd12:3456::1",
]
NOBODYS = [
    "0.0.0.0",  # noqa: S104 - an address, not a socket
    "0.1.2.3",
    "169.254.1.1",
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
    # Metadata services that hide in ranges of other use.
    "100.100.100.200",
    "168.63.129.16",
    "fd00:ec2::254",
    "fd20:ce::254",
    "::",
    # An IPv4 address in an IPv6 one.
    "::127.0.0.1",
    "::ffff:127.0.0.1",
    "::ffff:8.8.8.8",
    "::ffff:0:127.0.0.1",
    "64:ff9b::7f00:1",
    "64:ff9b::808:808",
    "64:ff9b:1::1",
    "2002:7f00:1::",
    "2001:0:4136:e378:8000:63bf:3fff:fdd2",
    # Link-local, site-local, multicast, documentation, discard, with a scope.
    "fe80::1",
    "fe80::1%eth0",
    "2606:4700::1%1",
    "fec0::1",
    "ff02::1",
    "ff0e::1",
    "2001:db8::1",
    "3fff::1",
    "100::1",
    "5f00::1",
    "4000::1",
]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        *((text, AddressReach.PUBLIC) for text in PUBLIC),
        *((text, AddressReach.INTERNAL) for text in INSIDE),
        *((text, AddressReach.FORBIDDEN) for text in NOBODYS),
    ],
)
def test_an_address_has_its_reach(text, expected):
    assert reach(ip_address(text)) is expected


@given(st.ip_addresses(v=4))
def test_what_python_calls_private_is_never_public(address):
    if address.is_private or address.is_multicast or address.is_reserved:
        assert reach(address) is not AddressReach.PUBLIC


@given(st.ip_addresses(v=6))
def test_outside_the_assigned_block_nothing_of_ipv6_is_public(address):
    if address not in ip_network("2000::/3"):
        assert reach(address) is not AddressReach.PUBLIC


@pytest.mark.parametrize("network", [*INTERNAL, *FORBIDDEN], ids=str)
def test_both_ends_of_a_range_belong_to_it(network):
    assert reach(network[0]) is not AddressReach.PUBLIC
    assert reach(network[-1]) is not AddressReach.PUBLIC
