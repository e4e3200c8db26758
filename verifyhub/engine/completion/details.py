"""Compare the number or addressee that a claim states with what the calls show."""

import re
from collections.abc import Iterator, Sequence

from verifyhub.engine.completion.claims import WorkClaim
from verifyhub.engine.completion.ruling import Ruling, contradicted, unchecked
from verifyhub.engine.ledger.ledger import Ledger
from verifyhub.engine.reports import ClaimStatus

_OPENED = re.compile(
    r"\b(?:opened|created|filed|submitted|raised|published)"
    r"(?: (?:an?|the|new|draft|github|gitlab|follow-up)){0,3}"
    r" (?:prs?|pull requests?|merge requests?|mrs?|issues?)\b\W{0,3}[#!](\d{1,7})\b"
)
_PRINTED = re.compile(r"/(?:pull|pulls|issues|merge_requests)/(\d{1,7})\b")
_ADDRESS = re.compile(r"(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,4}")
_SENDER = re.compile(r"\b(?:from|as|account)\W{1,3}$")
# Characters of one call in which numbers and addresses are looked for.
_LIMIT = 100_000


def compare_details(
    claim: WorkClaim, ruling: Ruling, calls: Sequence[int], ledger: Ledger
) -> Ruling:
    """Lower a supported claim where the calls show another number or addressee.

    Args:
        claim: What is claimed.
        ruling: What the calls show of the deed itself.
        calls: The calls that do such deeds.
        ledger: What the tools show.
    """
    claimed = _OPENED.search(claim.words)
    if claimed and ruling.status is ClaimStatus.SUPPORTED:
        texts = _texts_of(calls, ledger)
        printed = {number for text in texts for number in _PRINTED.findall(text)}
        if printed and claimed[1] not in printed:
            return contradicted(*reversed(calls))
    return compare_addresses(claim.text, ruling, calls, ledger)


def compare_addresses(
    text: str, ruling: Ruling, calls: Sequence[int], ledger: Ledger
) -> Ruling:
    """Lower a supported claim where the calls show other addressees than its text."""
    text = text.lower()
    claimed = {
        match.group().rstrip(".-")
        for match in _ADDRESS.finditer(text)
        if not _SENDER.search(text[max(0, match.start() - 20) : match.start()])
    }
    if not claimed or ruling.status is not ClaimStatus.SUPPORTED:
        return ruling
    used = {
        address.rstrip(".-")
        for shown in _texts_of(calls, ledger)
        for address in _ADDRESS.findall(shown)
    }
    if claimed <= used:
        return ruling
    # An alias or a group may stand for some of them, but not where all are others.
    all_others = used and used.isdisjoint(claimed)
    return contradicted(*reversed(calls)) if all_others else unchecked(*calls)


def _texts_of(calls: Sequence[int], ledger: Ledger) -> Iterator[str]:
    for index in calls:
        call = ledger.calls[index].call
        yield f"{dict(call.input)} {call.output}"[:_LIMIT].lower()
