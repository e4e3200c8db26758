"""The client's address behind trusted proxies."""

from collections.abc import Callable, Iterable
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_network
from ipaddress import ip_address as read_address

from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase

from verifyhub.common import env

Address = IPv4Address | IPv6Address
Networks = tuple[IPv4Network | IPv6Network, ...]
EVERY_PEER: Networks = (ip_network("0.0.0.0/0"), ip_network("::/0"))


class ClientAddressMiddleware:
    """Put the client's address in the place of a trusted proxy's, as `REMOTE_ADDR`.

    Sign-ins are counted by it, and `/metrics` answers loopback by it. A peer that is no
    trusted proxy is the client, whatever it says of others.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer the request with its client's address."""
        forwarded = request.META.get("HTTP_X_FORWARDED_FOR", "")
        if forwarded:
            request.META["REMOTE_ADDR"] = client_address(
                request.META.get("REMOTE_ADDR", ""), forwarded, settings.TRUSTED_PROXIES
            )
        return self.get_response(request)


def client_address(peer: str, forwarded: str, trusted: Networks) -> str:
    """Return the address that the nearest trusted proxy was asked from.

    Args:
        peer: The address of the connection.
        forwarded: `X-Forwarded-For`: each proxy adds at the end whom it was asked by.
        trusted: Proxies whose word counts.
    """
    client, hops = peer, [peer, *reversed(forwarded.split(","))]
    # Where every peer is trusted, the nearest one alone is known to be a proxy.
    for entry in hops[:2] if trusted == EVERY_PEER else hops:
        address = _read(entry)
        if address is None:
            break
        client = str(address)
        if not any(address in network for network in trusted):
            break
    return client


def networks(entries: Iterable[str]) -> Networks:
    """Read addresses and networks; `*`, as gunicorn has it, trusts every peer.

    Raises:
        env.SettingError: If one is neither.
    """
    listed = list(entries)
    if "*" in listed:
        return EVERY_PEER
    try:
        return tuple(ip_network(entry, strict=False) for entry in listed)
    except ValueError as error:
        raise env.SettingError(f"VERIFYHUB_FORWARDED_ALLOW_IPS: {error}") from error


def _read(text: str) -> Address | None:
    """Read an address, with the port that some proxies add; None for anything else."""
    plain = text.strip()
    if plain.startswith("["):
        plain = plain[1:].partition("]")[0]
    elif plain.count(":") == 1:
        plain = plain.partition(":")[0]
    try:
        return read_address(plain)
    except ValueError:
        return None
