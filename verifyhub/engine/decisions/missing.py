"""Find missing opinions of models, and decide when to ask again."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from math import ceil

from verifyhub.engine.claims.check import NAME as CLAIMS
from verifyhub.engine.cross_tier.consult import SECOND_NAME
from verifyhub.engine.cross_tier.verifier import MISLED, NAME
from verifyhub.engine.goals.check import DISPUTED
from verifyhub.engine.goals.check import NAME as GOAL
from verifyhub.engine.ports import HELD_BACK
from verifyhub.engine.reports import CheckResult, Outcome

ASKED = frozenset({NAME, SECOND_NAME, GOAL})
# A judge that was misled, contradicts itself or is disputed has replied.
ANSWERED = frozenset({MISLED, "judge_contradicts_itself", DISPUTED})
# Reasons for a missing judgement of claims that another try may provide.
UNANSWERED = HELD_BACK | {
    "unreachable",
    "deadline",
    "refused",
    "rate_limited",
    "too_large",
    "no_tool_call",
    "malformed",
    "blocked",
    "not_configured",
}
# Seconds after which a caller should look again if the time of a reply is unknown.
AWAIT_SECONDS = 60


def missing_opinions(checks: Iterable[CheckResult]) -> Iterator[CheckResult]:
    """Yield the checks whose model gave no valid reply, or could not be called.

    Only those for which another try may succeed.
    """
    for check in checks:
        if check.name == CLAIMS:
            yield from _missing_judge(check)
        if check.name not in ASKED or check.reason in ANSWERED:
            continue
        held_back = check.outcome == Outcome.SKIPPED and check.reason in HELD_BACK
        if held_back or check.outcome == Outcome.INCONCLUSIVE:
            yield check


def _missing_judge(check: CheckResult) -> Iterator[CheckResult]:
    """Yield the check of claims, with the reason, if a model failed to judge one."""
    if check.outcome == Outcome.SKIPPED:
        return
    failed = check.details.get("failures") or {}
    reason = next((failure for failure in failed if failure in UNANSWERED), None)
    if reason is not None:
        yield replace(check, reason=reason)


def given_up(check: CheckResult) -> bool:
    """Whether there is no further try for a missing opinion."""
    return bool(check.details.get("given_up_after"))


def never_resumes(check: CheckResult) -> bool:
    """Whether a cap that does not depend on time prevents a check."""
    return check.reason in HELD_BACK and not check.details.get("retry_after_seconds")


def wait_for(checks: Iterable[CheckResult]) -> int | None:
    """Return when to read the verdict again, in seconds; None if that is useless.

    The minimum over the checks; a minute if a model failed without `Retry-After`.
    """
    waits = [
        ceil(check.details.get("retry_after_seconds") or AWAIT_SECONDS)
        for check in checks
        if not never_resumes(check)
    ]
    return min(waits, default=None)
