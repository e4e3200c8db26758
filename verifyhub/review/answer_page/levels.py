"""Results of the three levels, for the answer page."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from verifyhub.engine.levels.categories import Category
from verifyhub.engine.levels.run import FILESYSTEM, SCHEMA, STRUCTURE
from verifyhub.engine.reports import CheckResult, Outcome
from verifyhub.engine.verdicts import VerificationReport
from verifyhub.review.answer_page.words import words_for

# Maximum claims on a page; the API returns all.
MAX_ROWS = 200
LEVELS = {
    STRUCTURE: _("Structure of the work report"),
    SCHEMA: _("Tool outputs against their schemas"),
    FILESYSTEM: _("Claims about files and commands"),
}
WHY = {
    "sources_disagree": _("Trace, manifest and workspace differ."),
    "command_in_trace": _("The trace contains this command."),
    "command_not_in_trace": _("No call ran this command."),
    "not_run": _("The call was refused."),
    "command_broke": _("The call failed, perhaps before the command ran."),
    "no_trace": _("The run has no tool calls."),
    "trace_cannot_tell": _("A command or an unknown tool may have done it unseen."),
    "no_call_did_this": _("No call of this run did this."),
    "call_failed": _("The call that should have done it failed."),
    "hash_in_trace": _("A call wrote exactly these bytes."),
    "bytes_not_in_trace": _("The trace does not contain the file's content."),
    "other_bytes_in_trace": _("The run wrote other bytes."),
    "only_deleted": _("The run only deleted it."),
    "deleted_in_trace": _("A call deleted it."),
    "never_deleted": _("The run changed the file and never deleted it."),
    "anchor_in_trace": _("A call inserted this text."),
    "other_text_in_trace": _("The run's edits contain different text."),
    "changed_later": _("True when it was done; a later call changed the file again."),
    "command_may_have_changed_it": _("A later command may have changed the file."),
    "ambiguous_path": _("Several files of the run match."),
    "too_much_text": _("Too much text to search."),
    "same_hash": _("The file has this SHA-256."),
    "other_hash": _("The file has another SHA-256."),
    "anchor_found": _("The file contains this text."),
    "no_anchor": _("The file does not contain this text."),
    "not_there": _("The file does not exist."),
    "still_there": _("The file still exists."),
    "not_in_manifest": _("The manifest does not list it."),
    "not_inside": _("The path leads to no file inside the workspace."),
    "hard_link": _("The file has another name elsewhere; it is not read."),
    "no_regular_file": _("It is not a regular file."),
    "too_large": _("It is larger than the limit."),
    "too_many_files": _("The run claims more files than are checked."),
    "changed_while_read": _("It changed while it was read."),
    "root_not_there": _("The declared workspace cannot be opened."),
    "kernel_without_openat2": _(
        "This server's kernel cannot open files safely enough."
    ),
    "schema_incomplete": _("The schema refers to another one that is not registered."),
    "too_much_work": _("The check exceeded its step limit."),
    "schema_unusable": _("The schema cannot be used on this output."),
}
ERRORS = {
    Category.HASH_MISMATCH: _("The file does not have this SHA-256."),
    Category.ANCHOR_MISMATCH: _("The file does not contain this text."),
    Category.FILE_NOT_FOUND: _("The file does not exist."),
    Category.FILESYSTEM_MISMATCH: _("The run does not show this work."),
    Category.UNKNOWN: _("The claim is false."),
}
SOURCES = {
    "trace": pgettext_lazy("source", "trace"),
    "manifest": _("uploaded manifest"),
    "workspace": _("declared workspace"),
}
TONES = {"ok": "passed", "false": "failed", "stale": "candidate"}


@dataclass(frozen=True, slots=True, kw_only=True)
class LevelRow:
    """One claim or output: `tone` colours `status`; `calls` are tool call indexes."""

    subject: str
    what: str
    status: str
    tone: str
    why: str
    source: str
    calls: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Level:
    """One level that ran."""

    title: str
    outcome: str
    errors: list[Mapping[str, Any]]
    rows: list[LevelRow]
    more: int
    generated: bool
    duration_ms: float | None


def levels_of(report: VerificationReport) -> list[Level]:
    """Return the levels of a report that had something to check."""
    return [
        _level(check)
        for check in report.checks
        if check.name in LEVELS and check.outcome is not Outcome.SKIPPED
    ]


def _level(check: CheckResult) -> Level:
    details = check.details
    claims, outputs = details.get("claims", ()), details.get("outputs", ())
    rows = [_claim_row(claim) for claim in claims[:MAX_ROWS]]
    rows += [_output_row(output) for output in outputs[:MAX_ROWS]]
    errors = []
    for error in details.get("errors", ()):
        message = ERRORS.get(error["category"])
        errors.append(error if message is None else {**error, "message": message})
    return Level(
        title=str(LEVELS[check.name]),
        outcome=check.outcome,
        errors=errors,
        rows=rows,
        more=len(claims) + len(outputs) - len(rows),
        generated=details.get("generated", False),
        duration_ms=details.get("duration_ms"),
    )


def _claim_row(claim: Mapping[str, Any]) -> LevelRow:
    sides = [
        f"{_source(side)}: {words_for(side['reason'], WHY)}"
        for side in claim.get("sides", ())
    ]
    return LevelRow(
        subject=claim["path"],
        what=claim["type"].replace("-", " "),
        status=claim["status"],
        tone=TONES.get(claim["status"], "inconclusive"),
        why=words_for(claim["reason"], WHY),
        source="; ".join(sides) or _source(claim),
        calls=tuple(claim["tool_calls"]),
    )


def _source(decided: Mapping[str, Any]) -> str:
    source = SOURCES.get(decided["source"] or "", "")
    return f"{source}, grade {decided['grade']}" if decided["grade"] else str(source)


def _output_row(output: Mapping[str, Any]) -> LevelRow:
    return LevelRow(
        subject=output["tool"],
        what=output["schema"],
        status=output["status"],
        tone=TONES.get(output["status"], "inconclusive"),
        why=words_for(output["reason"], WHY) if output["reason"] else "",
        source="",
        calls=(output["tool_call"],),
    )
