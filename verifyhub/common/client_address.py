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
    """Replace a trusted proxy's address in `REMOTE_ADDR` by the client's.

    Sign-ins are counted by this address, and `/metrics` is open to loopback. A peer
    that is not a trusted proxy is the client, whatever its headers say.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Set the client's address and continue."""
        forwarded = request.META.get("HTTP_X_FORWARDED_FOR", "")
        if forwarded:
            request.META["REMOTE_ADDR"] = client_address(
                request.META.get("REMOTE_ADDR", ""), forwarded, settings.TRUSTED_PROXIES
            )
        return self.get_response(request)


def client_address(peer: str, forwarded: str, trusted: Networks) -> str:
    """Return the nearest address that is not a trusted proxy's.

    Args:
        peer: The address of the connection.
        forwarded: `X-Forwarded-For`, to which each proxy appends its client.
        trusted: Proxies whose headers are trusted.
    """
    client, hops = peer, [peer, *reversed(forwarded.split(","))]
    # If every peer is trusted, only the nearest one is known to be a proxy.
    for entry in hops[:2] if trusted == EVERY_PEER else hops:
        address = _read(entry)
        if address is None:
            break
        client = str(address)
        if not any(address in network for network in trusted):
            break
    return client


def networks(entries: Iterable[str]) -> Networks:
    """Read addresses and networks; `*` trusts every peer, as in gunicorn.

    Raises:
        env.SettingError: If an entry is neither.
    """
    listed = list(entries)
    if "*" in listed:
        return EVERY_PEER
    try:
        return tuple(ip_network(entry, strict=False) for entry in listed)
    except ValueError as error:
        raise env.SettingError(f"VERIFYHUB_FORWARDED_ALLOW_IPS: {error}") from error


def _read(text: str) -> Address | None:
    """Read an address, with an optional port; None for anything else."""
    plain = text.strip()
    if plain.startswith("["):
        plain = plain[1:].partition("]")[0]
    elif plain.count(":") == 1:
        plain = plain.partition(":")[0]
    try:
        return read_address(plain)
    except ValueError:
        return None
