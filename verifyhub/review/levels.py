"""What the three levels found, in words, for the answer page."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from verifyhub.engine.levels.run import FILESYSTEM, SCHEMA, STRUCTURE
from verifyhub.engine.reports import Outcome
from verifyhub.review.words import words_for

# A page shows so many claims; the verdict over the API holds them all.
MAX_ROWS = 200
LEVELS = {
    STRUCTURE: "Structure of the account",
    SCHEMA: "Tool outputs against their schemas",
    FILESYSTEM: "Claims about files and commands",
}
WHY = {
    "command_in_trace": "The trace holds this command.",
    "command_not_in_trace": "No call ran this command.",
    "not_run": "The call was refused.",
    "command_broke": "The call failed, perhaps before the command ran.",
    "no_trace": "The run came without tool calls.",
    "trace_cannot_tell": "A command or an unknown tool may have done it unseen.",
    "no_call_did_this": "No call of this run did this.",
    "call_failed": "The call that should have done it failed.",
    "hash_in_trace": "A call wrote these very bytes.",
    "bytes_not_in_trace": "The trace does not hold the file's bytes.",
    "other_bytes_in_trace": "The run wrote other bytes.",
    "only_deleted": "The run only deleted it.",
    "deleted_in_trace": "A call deleted it.",
    "never_deleted": "The run changed the file and never deleted it.",
    "anchor_in_trace": "A call put this text in.",
    "other_text_in_trace": "The run's edits hold other text.",
    "changed_later": "True when it was done; a later call changed the file again.",
    "command_may_have_changed_it": "A later command may have changed the file.",
    "ambiguous_path": "Several files of the run could be meant.",
    "too_much_text": "Too much text to search.",
    "same_hash": "The file has this SHA-256.",
    "other_hash": "The file has another SHA-256.",
    "anchor_found": "The file holds this text.",
    "no_anchor": "The file does not hold this text.",
    "not_there": "The file is not there.",
    "still_there": "The file is still there.",
    "not_in_manifest": "The manifest does not list it.",
    "not_inside": "The path leads to no file inside the workspace.",
    "hard_link": "The file has another name elsewhere; it is not read.",
    "no_regular_file": "It is no regular file.",
    "too_large": "It is larger than the limit.",
    "too_many_files": "The run claims more files than are looked at.",
    "changed_while_read": "It changed while it was read.",
    "root_not_there": "The declared workspace cannot be opened.",
    "kernel_without_openat2": "This server's kernel cannot open files safely enough.",
    "schema_incomplete": "The schema refers to one that is not registered.",
    "too_much_work": "The check took more steps than it is given.",
    "schema_unusable": "The schema cannot be used on this output.",
}
SOURCES = {
    "trace": "trace",
    "manifest": "uploaded manifest",
    "workspace": "declared workspace",
}
TONES = {"ok": "passed", "false": "failed", "stale": "candidate"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
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
    rows: list[Row]
    more: int
    generated: bool
    duration_ms: float | None


def levels_of(report: Mapping[str, Any]) -> list[Level]:
    """Return the levels of a report that had something to check."""
    return [
        _level(check)
        for check in report.get("checks", ())
        if check["name"] in LEVELS and check["outcome"] != Outcome.SKIPPED
    ]


def _level(check: Mapping[str, Any]) -> Level:
    details = check["details"]
    rows = [_claim_row(claim) for claim in details.get("claims", ())[:MAX_ROWS]]
    rows += [_output_row(output) for output in details.get("outputs", ())[:MAX_ROWS]]
    held = len(details.get("claims", ())) + len(details.get("outputs", ()))
    return Level(
        title=LEVELS[check["name"]],
        outcome=check["outcome"],
        errors=details.get("errors", []),
        rows=rows,
        more=held - len(rows),
        generated=details.get("generated", False),
        duration_ms=details.get("duration_ms"),
    )


def _claim_row(claim: Mapping[str, Any]) -> Row:
    source = SOURCES.get(claim["source"] or "", "")
    grade = f", grade {claim['grade']}" if claim["grade"] else ""
    return Row(
        subject=claim["path"],
        what=claim["type"].replace("-", " "),
        status=claim["status"],
        tone=TONES.get(claim["status"], "inconclusive"),
        why=words_for(claim["reason"], WHY),
        source=f"{source}{grade}",
        calls=tuple(claim["tool_calls"]),
    )


def _output_row(output: Mapping[str, Any]) -> Row:
    return Row(
        subject=output["tool"],
        what=output["schema"],
        status=output["status"],
        tone=TONES.get(output["status"], "inconclusive"),
        why=words_for(output["reason"], WHY) if output["reason"] else "",
        source="",
        calls=(output["tool_call"],),
    )
