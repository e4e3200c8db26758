"""Tables of names in tool outputs, for the answer page."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from verifyhub.engine.ledger.ledger import Ledger
from verifyhub.review.answer_page.words import words_for

# Rows of one table, and calls linked in one row; the API has the rest.
MAX_ROWS = 40
MAX_CALLS = 6
_STATE_WORDS = {
    "ok": _("Succeeded"),
    "failed": _("Failed"),
    "error": _("Did not run"),
    "refused": _("Refused"),
    "unknown": _("Exit code not recorded"),
}

_ACTIONS = {
    "seen": _("seen"),
    "listed": _("listed"),
    "written": _("written"),
    "edited": _("edited"),
    "deleted": _("deleted"),
    "write": _("write"),
    "edit": _("edit"),
    "delete": _("delete"),
    "rewrite": _("rewrite"),
    "touch": _("touch"),
    "record": _("record"),
}
_RESULTS = {
    "passed": _("Passed"),
    "failed": _("Failed"),
    "all_skipped": _("All skipped"),
    "none_run": _("None run"),
    "unseen": _("Unseen"),
    "unclear": _("Unclear"),
}
_COUNTS = {
    "passed": _("%(n)s passed"),
    "failed": _("%(n)s failed"),
    "skipped": _("%(n)s skipped"),
}


def _acted(data: Mapping[str, Any]) -> str:
    return words_for(data["action"], _ACTIONS)


@dataclass
class EvidenceRow:
    """One row of a table: a name, its description, and its calls."""

    name: str
    tone: str = ""
    word: str = ""
    notes: list[str] = field(default_factory=list)
    calls: list[int] = field(default_factory=list)
    more_calls: int = 0

    def came_from(self, call: int) -> None:
        """Add a call, once."""
        if call in self.calls:
            return
        if len(self.calls) < MAX_CALLS:
            self.calls.append(call)
        else:
            self.more_calls += 1


@dataclass(frozen=True, slots=True)
class Table:
    """One table; `more` counts the rows that are left out."""

    title: str
    first: str
    rows: Sequence[EvidenceRow]
    more: int


def tables_of(ledger: Ledger) -> list[Table]:
    """Return the tables of a ledger that have any rows."""
    shown = ledger.as_dict()
    tables = (
        _table(gettext("Files"), gettext("File"), _files(shown["files"])),
        _table(
            gettext("Changes that were not made"),
            gettext("What"),
            _not_done(shown["not_done"]),
        ),
        _table(
            gettext("Commands"), gettext("Command"), map(_command, shown["commands"])
        ),
        _table(
            gettext("Tests, checks and builds"),
            gettext("Run"),
            map(_result, shown["results"]),
        ),
        _table(gettext("Packages"), gettext("Package"), _packages(shown["packages"])),
        _table(gettext("Addresses"), gettext("Address"), map(_fetch, shown["fetches"])),
        _table(gettext("Searches"), gettext("Search"), map(_query, shown["queries"])),
    )
    return [table for table in tables if table.rows]


def _table(title: str, first: str, rows: Iterable[EvidenceRow]) -> Table:
    shown = list(rows)
    return Table(title, first, shown[:MAX_ROWS], max(0, len(shown) - MAX_ROWS))


def _grouped(
    rows: Iterable[Mapping[str, Any]],
    name_of: Callable[[Mapping[str, Any]], str],
    note_of: Callable[[Mapping[str, Any]], str],
) -> list[EvidenceRow]:
    grouped: dict[str, EvidenceRow] = {}
    for data in rows:
        row = grouped.setdefault(name_of(data), EvidenceRow(name_of(data)))
        row.came_from(data["call"])
        note = note_of(data)
        if note and note not in row.notes and len(row.notes) < MAX_CALLS:
            row.notes.append(note)
    return list(grouped.values())


def _files(rows: Iterable[Mapping[str, Any]]) -> list[EvidenceRow]:
    """Sort changed names before others."""
    files = _grouped(rows, lambda row: row["path"], _acted)
    return sorted(files, key=lambda row: row.notes == [_acted({"action": "seen"})])


def _not_done(rows: Iterable[Mapping[str, Any]]) -> list[EvidenceRow]:
    return _grouped(
        rows,
        lambda row: ", ".join(row["names"]) or gettext("files that are not named"),
        lambda row: (
            gettext("%(action)s failed or was refused") % {"action": _acted(row)}
        ),
    )


def _packages(rows: Iterable[Mapping[str, Any]]) -> list[EvidenceRow]:
    return _grouped(
        rows,
        lambda row: f"{row['name']} ({row['ecosystem']})",
        lambda row: " ".join(filter(None, (row["shown"], row["version"]))),
    )


def _command(data: Mapping[str, Any]) -> EvidenceRow:
    status = data["exit_status"]
    notes = [] if status is None else [gettext("exit %(status)s") % {"status": status}]
    if data["background"]:
        notes.append(gettext("in the background"))
    if data["folder"]:
        notes.append(gettext("in %(folder)s") % {"folder": data["folder"]})
    return _by_state(data, data["text"], notes)


def _by_state(data: Mapping[str, Any], name: str, notes: list[str]) -> EvidenceRow:
    state = data["state"]
    return EvidenceRow(name, state, str(_STATE_WORDS[state]), notes, [data["call"]])


def _result(data: Mapping[str, Any]) -> EvidenceRow:
    counts = [
        str(text) % {"n": data[name]}
        for name, text in _COUNTS.items()
        if data[name] is not None
    ]
    name = f"{data['kind']} ({data['tool']})".replace(" ()", "")
    word = words_for(data["result"], _RESULTS)
    return EvidenceRow(name, data["result"], word, counts, [data["call"]])


def _fetch(data: Mapping[str, Any]) -> EvidenceRow:
    status = data["status"]
    if status is None:
        return _by_state(data, data["url"], [])
    tone = "ok" if status < 400 else "failed"
    return EvidenceRow(data["url"], tone, f"HTTP {status}", [], [data["call"]])


def _query(data: Mapping[str, Any]) -> EvidenceRow:
    if data["state"] in {"refused", "error"}:
        return _by_state(data, data["text"], [])
    words = {
        True: gettext("Findings"),
        False: gettext("No findings"),
        None: gettext("No output recorded"),
    }
    word = words[data["has_results"]]
    return EvidenceRow(data["text"], "", word, [], [data["call"]])
