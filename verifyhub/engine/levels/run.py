"""The three levels in order, stopping at the first that failed (B1 to B3)."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from verifyhub.engine.ledger.history import CHANGES, EventKind, FileEvent, Timeline
from verifyhub.engine.ledger.ledger import Ledger
from verifyhub.engine.levels.categories import Problem
from verifyhub.engine.levels.claims import (
    MAX_CLAIMS,
    ClaimType,
    LevelClaim,
    read_claim,
    sent_claims,
)
from verifyhub.engine.levels.filesystem import DISAGREE, ClaimState, FileRuling, Judge
from verifyhub.engine.levels.schema import LevelSchema, check_outputs
from verifyhub.engine.levels.structure import check_structure, unpack_claims
from verifyhub.engine.ports import Clock, FileLook, FileState, FileTree
from verifyhub.engine.reports import CheckResult, Grade, Outcome
from verifyhub.engine.text.paths import Components, components
from verifyhub.engine.types import Interaction

STRUCTURE = "level_1_structure"
SCHEMA = "level_2_schema"
FILESYSTEM = "level_3_filesystem"
MAX_ERRORS = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class LevelInputs:
    """Inputs of the levels besides the interaction.

    `clock` measures `duration_ms`; without one no durations are given, so that equal
    inputs give equal reports.
    """

    schemas: Sequence[LevelSchema] = ()
    tree: FileTree | None = None
    clock: Clock | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Levels:
    """Results of the levels.

    `failed` is the level that failed, if one did; `doubted` is whether something
    that the agent's side sent could not be checked.
    """

    checks: tuple[CheckResult, ...]
    failed: CheckResult | None
    doubted: bool


def run_levels(
    interaction: Interaction,
    ledger: Ledger,
    inputs: LevelInputs,
    *,
    manifest_signed: bool = False,
) -> Levels:
    """Check an interaction's own account of its work, level by level.

    Args:
        inputs: Schemas, files and a clock.
        manifest_signed: Whether a gateway signed the manifest; else it is the agent's
            word.
    """
    interaction, packing = unpack_claims(interaction)
    grades = {
        **({inputs.tree.name: Grade.A} if inputs.tree is not None else {}),
        ManifestTree.name: Grade.B if manifest_signed else Grade.D,
    }
    levels: tuple[tuple[str, Callable[[], CheckResult]], ...] = (
        (STRUCTURE, lambda: _structure(interaction, packing)),
        (SCHEMA, lambda: _schema(interaction, inputs)),
        (FILESYSTEM, lambda: _filesystem(interaction, ledger, inputs, grades)),
    )
    checks: list[CheckResult] = []
    failed: CheckResult | None = None
    for name, level in levels:
        if failed is not None:
            checks.append(_skipped(name, "earlier_level_failed"))
            continue
        check = _timed(level, inputs.clock)
        checks.append(check)
        failed = check if check.outcome is Outcome.FAILED else None
    doubted = any(
        check.outcome is Outcome.INCONCLUSIVE
        and (not check.details.get("generated") or check.reason == DISAGREE)
        for check in checks
    )
    return Levels(checks=tuple(checks), failed=failed, doubted=doubted)


def _timed(level: Callable[[], CheckResult], clock: Clock | None) -> CheckResult:
    if clock is None:
        return level()
    started = clock()
    check = level()
    if check.outcome is Outcome.SKIPPED:
        return check
    spent = round((clock() - started) * 1000, 3)
    return replace(check, details={**check.details, "duration_ms": spent})


def _structure(interaction: Interaction, packing: list[Problem]) -> CheckResult:
    # Of the free list of claims only typed ones are an account that can be checked.
    if interaction.structured_output is None and not sent_claims(interaction)[1]:
        return _skipped(STRUCTURE, "no_structured_output")
    problems = packing + check_structure(interaction)
    if problems:
        return _failed(STRUCTURE, 0.0, [problem.as_dict() for problem in problems])
    return CheckResult(name=STRUCTURE, outcome=Outcome.PASSED, score=1.0)


def _schema(interaction: Interaction, inputs: LevelInputs) -> CheckResult:
    if not inputs.schemas:
        return _skipped(SCHEMA, "no_schema_registered")
    results = check_outputs(interaction.tool_calls, inputs.schemas)
    if not results:
        return _skipped(SCHEMA, "no_registered_tool_called")
    details = {"outputs": [result.as_dict() for result in results[:MAX_CLAIMS]]}
    errors = [problem.as_dict() for result in results for problem in result.problems]
    valid = sum(1 for result in results if not result.problems and not result.reason)
    if errors:
        return _failed(SCHEMA, valid / len(results), errors, details)
    return _undisputed(SCHEMA, all_known=valid == len(results), details=details)


def _filesystem(
    interaction: Interaction,
    ledger: Ledger,
    inputs: LevelInputs,
    grades: Mapping[str, Grade],
) -> CheckResult:
    place, sent = sent_claims(interaction)
    claims = [read_claim(index, f"{place}[{index}]", claim) for index, claim in sent]
    # The operator's own files first: they are looked at, not told about.
    trees: list[FileTree] = [inputs.tree] if inputs.tree is not None else []
    if interaction.manifest is not None:
        trees.append(ManifestTree(interaction.manifest))
    generated = not claims
    # Claims made from the trace are checked only where there is anything else.
    if generated and (trees or interaction.structured_output is not None):
        claims = claims_of_trace(ledger.timeline)
    if not claims:
        return _skipped(FILESYSTEM, "no_claims")
    judge = Judge(ledger.timeline, trees, grades)
    return _ruled([judge.rule(claim) for claim in claims], generated=generated)


def _ruled(rulings: Sequence[FileRuling], *, generated: bool) -> CheckResult:
    states = [ruling.state for ruling in rulings]
    details: dict[str, Any] = {
        "claims": [ruling.as_dict() for ruling in rulings],
        "counts": {str(state): states.count(state) for state in ClaimState},
        "generated": generated,
    }
    false = [ruling for ruling in rulings if ruling.state is ClaimState.FALSE]
    if false:
        true_claims = states.count(ClaimState.OK) + states.count(ClaimState.STALE)
        errors = [ruling.error() for ruling in false]
        return _failed(FILESYSTEM, true_claims / len(rulings), errors, details)
    result = _undisputed(
        FILESYSTEM,
        all_known=all(ruling.is_settled for ruling in rulings),
        details=details,
    )
    disputed = any(ruling.reason == DISAGREE for ruling in rulings)
    return replace(result, reason=DISAGREE) if disputed else result


def _undisputed(
    name: str, *, all_known: bool, details: Mapping[str, Any]
) -> CheckResult:
    return CheckResult(
        name=name,
        outcome=Outcome.PASSED if all_known else Outcome.INCONCLUSIVE,
        score=1.0 if all_known else None,
        reason="" if all_known else "not_all_could_be_checked",
        details=details,
    )


def _failed(
    name: str,
    score: float,
    errors: Sequence[Mapping[str, Any]],
    details: Mapping[str, Any] | None = None,
) -> CheckResult:
    return CheckResult(
        name=name,
        outcome=Outcome.FAILED,
        score=score,
        reason=str(errors[0]["category"]),
        details={
            **(details or {}),
            "errors": list(errors[:MAX_ERRORS]),
            "errors_by_category": dict(Counter(error["category"] for error in errors)),
        },
    )


def _skipped(name: str, reason: str) -> CheckResult:
    return CheckResult(name=name, outcome=Outcome.SKIPPED, reason=reason)


def claims_of_trace(timeline: Timeline) -> list[LevelClaim]:
    """Return claims for the state of each file after the last call that changed it.

    A file whose bytes the trace does not hold gets the claim it can bear: the last
    text that an edit put in, or none.
    """
    claims: list[LevelClaim] = []
    for key, events in timeline.files.items():
        changes = [event for event in events if event.kind in CHANGES]
        if changes and len(claims) < MAX_CLAIMS:
            claim = _claim(len(claims), timeline.spelled[key], changes[-1])
            claims += [claim] if claim else []
    return claims


def _claim(index: int, path: str, last: FileEvent) -> LevelClaim | None:
    known: dict[str, str] = {}
    if last.kind is EventKind.DELETE:
        kind = ClaimType.FILE_DELETE
    elif last.exact_hash:
        kind, known = ClaimType.FILE_WRITE, {"sha256": last.exact_hash}
    elif last.kind is EventKind.EDIT and last.added and last.added[-1]:
        kind, known = ClaimType.FILE_EDIT, {"after": last.added[-1]}
    else:
        return None
    place = f"tool_calls[{last.call}]"
    return LevelClaim(index=index, place=place, type=kind, path=path, **known)


class ManifestTree:
    """An uploaded manifest. A file that it does not list was not looked at."""

    name = "manifest"

    def __init__(self, entries: Sequence[Mapping[str, Any]]) -> None:
        self._entries: dict[Components, Mapping[str, Any]] = {
            components(entry["path"]): entry for entry in entries
        }

    def look(self, path: str, anchors: Sequence[str]) -> FileLook:
        entry = self._entries.get(components(path))
        if entry is None:
            return FileLook(state=FileState.UNREAD, reason="not_in_manifest")
        if entry.get("sha256") is None:
            return FileLook(state=FileState.ABSENT)
        listed = entry.get("anchors")
        return FileLook(
            state=FileState.PRESENT,
            sha256=entry["sha256"].lower(),
            anchors=None if listed is None else frozenset(listed).intersection(anchors),
        )
