"""Template filters for money and other units of caps."""

from django import template
from django.utils.translation import gettext

from verifyhub.common.env import MICRODOLLARS

register = template.Library()

CENT, LEAST = 10_000, 100


@register.filter
def dollars(microdollars: int | None) -> str:
    """Write millionths of a US dollar; small sums to a hundredth of a cent."""
    if microdollars is None:
        return gettext("no price")
    if 0 < microdollars < LEAST:
        return gettext("under $0.0001")
    places = 2 if microdollars % CENT == 0 or microdollars >= 100 * CENT else 4
    return f"${microdollars / MICRODOLLARS:,.{places}f}"


@register.filter
def in_unit(amount: int | None, counter: str) -> str:
    """Format an amount in a cap's unit: money, tokens, seconds or calls."""
    if amount is None:
        return "–"
    if counter == "microdollars":
        return dollars(amount)
    return f"{amount:,} s" if counter == "ms" else f"{amount:,}"
