"""The ids and amounts by which a sentence names what something was done to."""

import re
from collections.abc import Collection

_TOKEN = re.compile(r"(?<![\w$€£.@/])#?[A-Za-z0-9](?:[\w-]{1,62}[A-Za-z0-9])?(?![\w@])")
# Thousands may be parted by a blank, a comma or a point, and so may cents.
_SUM = r"(?:\d{1,3}(?:[ \u00a0\u202f.,']\d{3}){1,3}|\d{1,12})(?:[.,]\d{1,2})?(?!\d)"
_MONEY = re.compile(
    rf"[$€£₽]\s?({_SUM})"
    rf"|(?<![\w.,])({_SUM})\s?(?:€|£|₽|usd|eur|gbp|rub|dollars?|euros?|руб\w*)(?!\w)",
    re.IGNORECASE,
)
_NOT_IDS = re.compile(
    r"\d{4}-\d{1,2}-\d{1,2}|\d{1,2}-\d{1,2}|\d{1,5}(?:st|nd|rd|th|am|pm|h|hrs?|min|mins|days?|x|k|gb|mb"
    r"|kg|lbs?|cm|mm|oz|ml|g|w|v|hz|p|in|ft)?|[a-z-]+|[A-Z][a-z-]+(?:-[A-Z]?[a-z]+)*"
    r"|\d{1,3}-(?:[a-z]+-?)+|[A-Z]{1,4}|\d{1,5}(?:[KMGT]B|KG|KM|KWH|MBPS)|\d+(?:-\d+){0,2}-?[a-z]+(?:-[a-z]+)*"
)
_ENDING = re.compile(r"(?:ending|ends)\s+(?:in|with)\W*$|\bin\W*$|[x•]{2,}\W*$|\*{3,}$")
_SAYS_ID = re.compile(
    r"\b(?:ids?|numbers?|codes?|reservations?|orders?|bookings?|confirmation|reference"
    r"|tickets?|no\.?|#|customers?|accounts?|employees?|claims?|cases?|invoices?|polic(?:y|ies)"
    r"|lines?|members?|students?|shipments?|transactions?|users?|listings?|contracts?|prescriptions?"
    r"|requests?|tasks?|leads?|patients?|loans?|subscriptions?|devices?|appointments?"
    r"|bestellung|auftrag|buchung|vertrag|rechnung|reservierung|kunde|nummer|nr\.?|commande"
    r"|réservation|facture|contrat|numéro|dossier|client|pedido|reserva|factura|contrato"
    r"|número|cliente|заказ\w*|бронировани\w*|брон\w*|договор\w*|счёт\w*|счет\w*"
    r"|заявк\w*|номер\w*|клиент\w*|билет\w*|№)"
    r"[\s:(#*`]*$|#$",
    re.IGNORECASE,
)
# Parts of a telephone number are no ids.
_PHONE = re.compile(r"(?<!\w)(?:\+\d{1,3}[ -]?)?\(\d{2,4}\)[ -]?\d{3,4}[ -]\d{3,4}\b")
_POSTCODE = re.compile(r"\b[A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2}\b")
_CAPITALS = re.compile(r"[A-Z]{5,12}")
# `Q3-report.pdf` is named by its whole name.
_ENDS_AS_FILE = re.compile(r"\.(?=[a-z0-9]{0,4}[a-z])[a-z0-9]{2,5}(?![\w.-]*\w)")


def ids_in(text: str, known: Collection[str]) -> tuple[str, ...]:
    """Return the ids that a text names, in upper case and without `#`.

    Args:
        text: Exact text in the answer.
        known: The ids that calls of the run were given, in upper case.
    """
    ids: list[str] = []
    text = _POSTCODE.sub(lambda match: " " * len(match.group()), text)
    text = _PHONE.sub(lambda match: " " * len(match.group()), text)
    for match in _TOKEN.finditer(text):
        token = match.group().lstrip("#")
        before = text[max(0, match.start() - 30) : match.start()]
        if _ENDS_AS_FILE.match(text, match.end()) and token.upper() not in known:
            continue
        if _is_id(token, before, known, hashed=match.group()[0] == "#"):
            ids.append(token.upper())
    return tuple(dict.fromkeys(ids))


def _is_id(token: str, before: str, known: Collection[str], *, hashed: bool) -> bool:
    if len(token) < 3 or (token.isdigit() and _ENDING.search(before)):
        return False
    if hashed:
        return any(char.isdigit() for char in token)
    if _CAPITALS.fullmatch(token):
        return token in known or bool(_SAYS_ID.search(before))
    if _NOT_IDS.fullmatch(token):
        return bool(token.isdigit() and len(token) >= 4 and _SAYS_ID.search(before))
    if token.isdigit():
        return True
    return any(char.isdigit() for char in token) and (
        token.upper() == token or "_" in token or "-" in token
    )


def amounts_in(text: str) -> frozenset[float]:
    """Return the amounts of money that a text states."""
    return frozenset(
        _sum_of(prefixed or suffixed) for prefixed, suffixed in _MONEY.findall(text)
    )


def _sum_of(text: str) -> float:
    units, mark, cents = text, "", ""
    if len(text) > _CENTS and (place := _LAST_MARK.search(text)):
        units, mark, cents = text[: place.start()], ".", place[1]
    return float("".join(filter(str.isdigit, units)) + mark + cents)


_CENTS = 2
_LAST_MARK = re.compile(r"[.,](\d{1,2})$")
