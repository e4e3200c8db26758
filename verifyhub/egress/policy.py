"""Check the URLs and addresses of outgoing requests."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from ipaddress import ip_address

import httpx2

from verifyhub.egress.addresses import Address, AddressReach, reach
from verifyhub.egress.errors import EgressError

DEFAULT_PORTS = {"http": 80, "https": 443}
FIRST_FREE_PORT, LAST_PORT = 1024, 65535
LABEL = re.compile(r"[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?")
NUMBER = re.compile(r"[0-9]+|0x[0-9a-f]*")
MAX_NAME = 253
MAX_URL = 2000


@dataclass(frozen=True, slots=True)
class UrlTarget:
    """The host and port of a URL, normalised: lower case, no brackets, no final dot."""

    scheme: str
    host: str
    port: int


@dataclass(frozen=True, slots=True, kw_only=True)
class EgressPolicy:
    """The private addresses that the operator allows in addition to the internet.

    Attributes:
        allowed: Hosts as written in a URL, each with its port: `("localhost",
            11434)`. Such a pair may resolve to loopback and private addresses; another
            name of the same address, or another port, may not.
    """

    allowed: frozenset[tuple[str, int]] = field(default_factory=frozenset)

    def check_url(self, url: str) -> UrlTarget:
        """Check a URL by its text alone, without resolving it.

        Raises:
            EgressError: `blocked`, if the scheme is not http or https, the URL has a
                user name, the host has an unusual spelling, or the policy does not
                allow this host and port.
        """
        target = target_of(url)
        address = literal_address(target.host)
        if address is not None:
            self.check_addresses(target.host, target.port, [address])
        else:
            self._check_port(target.host, target.port)
        return target

    def check_addresses(
        self, host: str, port: int, addresses: Iterable[Address]
    ) -> None:
        """Refuse a host if any of its addresses is not allowed.

        Every address counts: if a name has a public and a private address, chance or
        the name's DNS server decides which one is used.

        Raises:
            EgressError: `blocked`.
        """
        self._check_port(host, port)
        permitted = {AddressReach.PUBLIC}
        if (host, port) in self.allowed:
            permitted.add(AddressReach.INTERNAL)
        if any(reach(address) not in permitted for address in addresses):
            raise EgressError(
                "blocked",
                "address_not_public",
            )

    def _check_port(self, host: str, port: int) -> None:
        """Refuse the ports of other protocols, such as mail and name servers."""
        usual = port in DEFAULT_PORTS.values() or port >= FIRST_FREE_PORT
        if not usual and (host, port) not in self.allowed:
            raise EgressError("blocked", "port_of_other_protocol")


def target_of(url: str) -> UrlTarget:
    """Return scheme, host and port of a URL.

    Raises:
        EgressError: `blocked`, if the scheme is not http or https, or the host is
            neither a plain name nor an address in its usual form.
    """
    try:
        # Parsed by the client's library, so that check and connection agree.
        parsed = httpx2.URL(url) if len(url) <= MAX_URL else None
    except (httpx2.InvalidURL, ValueError, TypeError):
        parsed = None
    if parsed is None or parsed.scheme not in DEFAULT_PORTS:
        raise EgressError("blocked", "address_not_http")
    if parsed.userinfo:
        raise EgressError("blocked", "address_with_user")
    port = DEFAULT_PORTS[parsed.scheme] if parsed.port is None else parsed.port
    if not 0 < port <= LAST_PORT:
        raise EgressError("blocked", "address_without_port")
    return UrlTarget(parsed.scheme, host_of(parsed.raw_host.decode("ascii")), port)


def host_of(text: str) -> str:
    """Normalise the spelling of a host.

    Raises:
        EgressError: `blocked`, if it is neither an address in its usual form nor a
            name. Resolvers read `127.1`, `0x7f.1` and `2130706433` as loopback, so
            a host whose last label is a number is not a name.
    """
    host = text.lower().removesuffix(".")
    if host.startswith("[") and host.endswith("]"):
        host = host[1:-1]
    address = literal_address(host)
    if address is not None:
        return str(address)
    labels = host.split(".")
    if (
        len(host) > MAX_NAME
        or not all(LABEL.fullmatch(label) for label in labels)
        or NUMBER.fullmatch(labels[-1])
    ):
        raise EgressError("blocked", "host_not_plain")
    return host


def literal_address(host: str) -> Address | None:
    """Return an address written in its usual form; None for anything else."""
    try:
        return ip_address(host)
    except ValueError:
        return None
