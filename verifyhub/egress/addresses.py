"""IP addresses that a URL from outside may resolve to.

Python's `is_private` and `is_global` differ between patch versions, and classify NAT64
and 6to4 forms of loopback, and multicast, as global. Therefore this module has its own
tables. Source: the IANA special-purpose address registries (RFC 6890 and updates).
"""

from enum import StrEnum
from ipaddress import IPv4Address, IPv6Address, ip_network

Address = IPv4Address | IPv6Address


class AddressReach(StrEnum):
    """The requests that may reach an address.

    `public`: requests to any URL. `internal`: requests to a host and port that the
    operator allows. `forbidden`: no requests; the only HTTP servers there are the
    metadata services of clouds, which hand out credentials.
    """

    PUBLIC = "public"
    INTERNAL = "internal"
    FORBIDDEN = "forbidden"


# Loopback, private, carrier-grade NAT; loopback and unique local in IPv6.
INTERNAL = tuple(
    ip_network(text)
    for text in (
        "10.0.0.0/8",
        "100.64.0.0/10",
        "127.0.0.0/8",
        "172.16.0.0/12",
        "192.168.0.0/16",
        "::1/128",
        "fc00::/7",
    )
)
FORBIDDEN = tuple(
    ip_network(text)
    for text in (
        "0.0.0.0/8",
        "169.254.0.0/16",
        "192.0.0.0/24",
        "192.0.2.0/24",
        "192.31.196.0/24",
        "192.52.193.0/24",
        "192.88.99.0/24",
        "192.175.48.0/24",
        "198.18.0.0/15",
        "198.51.100.0/24",
        "203.0.113.0/24",
        "224.0.0.0/3",
        # Teredo, ORCHID, benchmarking, and the other protocol assignments.
        "2001::/23",
        "2001:db8::/32",
        # 6to4: an IPv4 address in another form.
        "2002::/16",
        "2620:4f:8000::/48",
        "3fff::/20",
    )
)
# No other IPv6 range is assigned for general use: mapped and compatible IPv4 addresses,
# NAT64, link-local, site-local and multicast addresses all lie outside it.
GLOBAL_V6 = ip_network("2000::/3")
# Metadata services outside the tables above: AWS over IPv6, Alibaba, and Azure, which
# uses a public address.
METADATA = frozenset(
    {
        IPv6Address("fd00:ec2::254"),
        IPv6Address("fd20:ce::254"),
        IPv4Address("100.100.100.200"),
        IPv4Address("168.63.129.16"),
    }
)


def reach(address: Address) -> AddressReach:
    """Return which requests may reach an address."""
    # A scope names one of this machine's own links.
    if address in METADATA or getattr(address, "scope_id", None) is not None:
        return AddressReach.FORBIDDEN
    if any(address in network for network in INTERNAL):
        return AddressReach.INTERNAL
    if any(address in network for network in FORBIDDEN):
        return AddressReach.FORBIDDEN
    if isinstance(address, IPv6Address) and address not in GLOBAL_V6:
        return AddressReach.FORBIDDEN
    return AddressReach.PUBLIC
