"""Settle claims about a pipeline that ran elsewhere, by the calls that looked at it."""

import re

from verifyhub.engine.calls.cuts import marks_of_cuts
from verifyhub.engine.completion.claims import WorkClaim
from verifyhub.engine.completion.ruling import (
    Ruling,
    contradicted,
    supported,
    unattempted,
    unchecked,
)
from verifyhub.engine.ledger.ledger import Ledger

_ABOUT = re.compile(
    r"\bci\b|\bpipelines?\b|\bgithub actions\b|\bworkflow\b|\bpr\b|\bpull request\b"
    r"|\bmergeable\b"
)
# "All 4 green: Build, Docs": these are checks where nothing ran here.
_CHECKS = re.compile(r"\bchecks\b|\A\W*(?:all|both) (?:\w+ )?(?:are )?green\b")
LOOKS_AT_RUNS = re.compile(
    # Who asks for the text of a pull request does not look at its checks.
    r"\bgh (?:run|pr (?:checks|status|view(?! .*--json (?!\S*(?:status|check|merge))))"
    r"|workflow)\b|\bglab (?:ci(?! lint)|pipeline|mr)\b"
    r"|statuscheckrollup|check-runs|actions/runs|(?:workflow|pipeline|check)_runs?\b"
    r"|pipeline_status|job_logs?\b"
)
_FAILED = re.compile(
    r"\"(?:conclusion|state|status)\": ?\"(?:failure|failed|timed_out|cancelled"
    r"|startup_failure)\"|\tfail\t|^x \w|completed with 'failure'"
    r"|some checks were not successful|^(?:ci )?pipeline.{0,20} failed",
    re.MULTILINE,
)
_OPEN = re.compile(
    r"\"(?:conclusion|state|status)\": ?\"(?:|in_progress|queued|pending)\"|\tpending\t"
    r"|^\* \w",
    re.MULTILINE,
)
_PASSED = re.compile(
    r"\"(?:conclusion|state|status)\": ?\"success\"|\tpass\t|^✓ \w"
    r"|completed with 'success'|all checks were successful"
    r"|^(?:ci )?pipeline.{0,20} (?:passed|succeeded)",
    re.MULTILINE,
)
# "Docs: success": each with its conclusion, where none is named twice.
_ROW = re.compile(
    r"^([^\n:]{1,80}): ?(success|skipped|neutral|failure|cancelled|timed_out"
    r"|in_progress|queued|pending|null|)$",
    re.MULTILINE,
)
_FINE = frozenset({"success", "skipped", "neutral"})
_ONE_RUN = re.compile(r"\bgh (?:pr checks|run (?:view|watch))\b")
# "CI: all green, including Build and Lint": what stands behind are its checks.
_LABEL = re.compile(r"\W*(?:github |pr )?(?:ci|checks|pipelines?)(?: \w+)?\W*:")
# "Tests in CI pass" is of no run here, but for a task of the project that is called so.
_IN_CI = re.compile(
    r"\b(?:in|on) (?:the )?ci\b|\bci (?:is|passes|passed|jobs?|runs?|build|checks)\b"
    r"|\bgithub actions\b"
)
_ALSO_HERE = re.compile(r"(?<!npm )(?<!bun )\bci\b|\bact\b")
# Characters of an output, from its end, in which a result is looked for.
_TAIL = 20_000


def settle_labelled(claim: WorkClaim, ledger: Ledger) -> Ruling | None:
    """Return what the last look shows of a line that is labelled as a pipeline's."""
    return settle_pipeline(claim, ledger) if _LABEL.match(claim.words) else None


def settle_pipeline(claim: WorkClaim, ledger: Ledger) -> Ruling | None:
    """Return what the last look at a pipeline shows; None where the claim is of none.

    A list of several runs may hold old failures: what passed and failed in one output
    is left open.
    """
    about = _ABOUT.search(claim.words)
    if not about and not (_CHECKS.search(claim.words) and not ledger.results):
        return None
    deeds = [deed.call for deed in ledger.deeds if LOOKS_AT_RUNS.search(deed.text)]
    if not deeds:
        ran_here = any(_ALSO_HERE.search(deed.text) for deed in ledger.deeds)
        return None if ran_here or not _IN_CI.search(claim.words) else unattempted()
    last = ledger.last_polls.get(deeds[-1], deeds[-1])
    output = ledger.calls[last].call.output[-_TAIL:].lower()
    conclusions = dict(_ROW.findall(output))
    if len(conclusions) > 1 and len(conclusions) == len(output.strip().splitlines()):
        fine = _FINE.issuperset(conclusions.values())
        return supported(last) if fine else contradicted(last)
    passed, failed = _PASSED.search(output), _FAILED.search(output)
    one_run = _ONE_RUN.search(str(ledger.calls[deeds[-1]].call.input))
    if failed and (one_run or not passed):
        return contradicted(last)
    is_whole = not _OPEN.search(output) and not any(marks_of_cuts(output))
    if passed and not failed and is_whole:
        return supported(last)
    return unchecked(last)
