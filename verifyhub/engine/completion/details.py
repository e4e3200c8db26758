"""Compare the number or addressee that a claim states with what the calls show."""

import re
from collections.abc import Sequence

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
    if ruling.status is not ClaimStatus.SUPPORTED:
        return ruling
    outputs = [_text_of(ledger, index) for index in calls]
    return (
        _other_number(claim, calls, outputs)
        or _other_address(claim.text, calls, outputs)
        or ruling
    )


def compare_addresses(
    text: str, ruling: Ruling, calls: Sequence[int], ledger: Ledger
) -> Ruling:
    """Lower a supported claim where the calls show other addressees than its text."""
    if ruling.status is not ClaimStatus.SUPPORTED:
        return ruling
    outputs = [_text_of(ledger, index) for index in calls]
    return _other_address(text, calls, outputs) or ruling


def _text_of(ledger: Ledger, index: int) -> str:
    call = ledger.calls[index].call
    return f"{dict(call.input)} {call.output}"[:_LIMIT].lower()


def _other_number(
    claim: WorkClaim, calls: Sequence[int], outputs: Sequence[str]
) -> Ruling | None:
    claimed = _OPENED.search(claim.words)
    printed_numbers = {number for text in outputs for number in _PRINTED.findall(text)}
    if not claimed or not printed_numbers or claimed[1] in printed_numbers:
        return None
    return contradicted(*reversed(calls))


def _other_address(
    statement: str, calls: Sequence[int], outputs: Sequence[str]
) -> Ruling | None:
    text = statement.lower()
    claimed = {
        match.group().rstrip(".-")
        for match in _ADDRESS.finditer(text)
        if not _SENDER.search(text[max(0, match.start() - 20) : match.start()])
    }
    used = {
        address.rstrip(".-") for text in outputs for address in _ADDRESS.findall(text)
    }
    if claimed <= used:
        return None
    # An alias or a group may stand for some of them, but not where all are others.
    return (
        contradicted(*reversed(calls))
        if used and not claimed & used
        else unchecked(*calls)
    )
