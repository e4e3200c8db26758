"""The evidence ledger of a run."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from verifyhub.engine.calls.call import Call, Deed
from verifyhub.engine.calls.changes import CallChange, base_name
from verifyhub.engine.calls.content import Content
from verifyhub.engine.calls.cuts import STEMS, marks_of_cuts
from verifyhub.engine.calls.deed_words import stem, words_of
from verifyhub.engine.calls.inputs import folded
from verifyhub.engine.calls.kin_rows import KinRows
from verifyhub.engine.calls.look_ups import LookUp, look_ups
from verifyhub.engine.calls.pairs import NO_PAIRS, Pairs
from verifyhub.engine.calls.programs import ProgramRole
from verifyhub.engine.calls.record_calls import RecordCall, record_calls
from verifyhub.engine.calls.tools import ToolKind
from verifyhub.engine.calls.unasked_names import calls_on_unasked
from verifyhub.engine.calls.unseen_ids import calls_on_unseen, stray_names
from verifyhub.engine.lazily import cached_property
from verifyhub.engine.ledger.figures import PrintedFigures
from verifyhub.engine.ledger.files import FileAction, FileEntry, Files
from verifyhub.engine.ledger.history import Timeline
from verifyhub.engine.ledger.packages import Package, read_packages
from verifyhub.engine.ledger.runs import (
    Command,
    RunResult,
    read_commands,
    read_results,
    run_words,
)
from verifyhub.engine.ledger.shown import ledger_as_dict
from verifyhub.engine.ledger.sources import LedgerSource, LedgerTier
from verifyhub.engine.ledger.symbols import Symbol, read_symbols
from verifyhub.engine.ledger.web import Fetch, Query, read_fetches, read_queries
from verifyhub.engine.text.tokens import word_set

# A single call without output may have returned nothing.
_FEW_UNRECORDED = 3
# Maximum edits that are compared with earlier outputs, and characters of each.
_MOST_EDITS = 10
_MOST_LINES = 5
_TELLING = 16
# Maximum failed changes that are asked what they would have made.
_MOST_UNMADE = 100
# Maximum marks of truncation; each is searched in the agent's own words.
_MOST_MARKS = 200


# Maximum characters of a task whose words are read.
_TASK_LIMIT = 20_000
# Characters of one output in which an id is looked for.
_SHOWN_LIMIT = 200_000
# What may stand between the parts of a number: "555-010 44".
SEPARATORS = re.compile(r"[\s().-]")
_KEY = re.compile(r"\"([\w -]{2,40})\"\s?:")
# Maximum characters of inputs in which words are searched.
_GIVEN_LIMIT = 200_000
# From this share of missing output on, the missing part may contain anything.
_MUCH_CUT = 0.2
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*+")
# The same for the whole trace.
_RUN_TEXT_LIMIT = 2_000_000
_DIFFED = re.compile(r"^diff --git a/\S{1,500} b/(\S{1,500})$", re.MULTILINE)
# " src/state.go | 50 +++++": a diff with counts of lines only.
_SUMMED = re.compile(r"^ (\S{1,300}) +\| +\d", re.MULTILINE)


@dataclass(frozen=True, kw_only=True)
class Ledger:
    """Typed facts from a run's tool calls, in order.

    The calls and the sources of evidence are read at once; everything else is computed
    at its first use. `unread` is the number of later calls that were left out because
    there are too many: they may contain anything.
    """

    calls: tuple[Call, ...] = ()
    sources: tuple[LedgerSource, ...] = ()
    command_lines: tuple[tuple[int, str, str], ...] = ()
    unread: int = 0
    pairs: Pairs = NO_PAIRS

    @cached_property
    def commands(self) -> tuple[Command, ...]:
        """Every simple command that was run, with the state of its call."""
        return tuple(read_commands(self.calls))

    @cached_property
    def results(self) -> tuple[RunResult, ...]:
        """Results of tests, linters, type checks, builds and formatters."""
        return tuple(read_results(self.calls, self.last_polls))

    @cached_property
    def last_polls(self) -> Mapping[int, int]:
        """The last poll of each call that left a process running."""
        return last_polls(self.calls)

    @cached_property
    def changes(self) -> tuple[CallChange, ...]:
        """Changes to files and records that calls made or attempted."""
        return tuple(change for entry in self.calls for change in entry.changes)

    @cached_property
    def changes_by_name(self) -> Mapping[str, Sequence[CallChange]]:
        """The changes of the files of each base name, in lower case."""
        by_name: dict[str, list[CallChange]] = {}
        for change in self.changes:
            for name in {base_name(path) for path in change.paths}:
                by_name.setdefault(name, []).append(change)
        return by_name

    @cached_property
    def done_changes(self) -> tuple[CallChange, ...]:
        """The changes that were made."""
        return tuple(change for change in self.changes if change.done)

    @cached_property
    def unmade(self) -> tuple[CallChange, ...]:
        """The failed changes of files that no later call changed, the newest ones."""
        last = {
            base_name(path): change.call
            for change in self.done_changes
            for path in change.paths
        }
        failed = [
            change
            for change in self.changes
            if not change.done
            and all(
                last.get(base_name(path), -1) < change.call for path in change.paths
            )
        ]
        return tuple(failed[-_MOST_UNMADE:])

    @cached_property
    def deletions(self) -> tuple[CallChange, ...]:
        """The deletions that were made."""
        return tuple(change for change in self.done_changes if change.deleted)

    @cached_property
    def rollbacks(self) -> tuple[Command, ...]:
        """The git commands that may undo or restore changes."""
        return tuple(
            command
            for command in self.commands
            if ProgramRole.ROLLS_BACK in command.part.role
        )

    @cached_property
    def commits(self) -> tuple[int, ...]:
        """The calls that committed with git and are not known to have failed."""
        return tuple(
            command.call
            for command in self.commands
            if (command.part.program, command.part.verb) == ("git", "commit")
            and not command.failed
        )

    @property
    def files(self) -> Sequence[FileEntry]:
        """The files that calls showed, wrote, edited and deleted."""
        return self._files.entries

    @property
    def timeline(self) -> Timeline:
        """The history of each file, for claims about the disk."""
        return self._files.timeline

    @cached_property
    def _files(self) -> Files:
        by_call: dict[int, list[CallChange]] = {}
        for change in self.changes:
            by_call.setdefault(change.call, []).append(change)
        return Files(self.calls, by_call)

    @cached_property
    def contents(self) -> tuple[Content, ...]:
        """Content that calls showed, with its files, in order."""
        return tuple(content for entry in self.calls for content in entry.contents)

    @cached_property
    def diffs(self) -> tuple[tuple[Call, tuple[str, ...]], ...]:
        """The calls that showed a stored diff of git, each with its files."""
        return self._showing("diff --git a/", _DIFFED)

    @cached_property
    def diffed_by_name(self) -> Mapping[str, Sequence[tuple[Call, str]]]:
        """The files of those diffs by the last component of their path, in order."""
        return _by_name(self.diffs)

    @cached_property
    def summed_by_name(self) -> Mapping[str, Sequence[tuple[Call, str]]]:
        """The same for stored diffs with counts of lines only."""
        return _by_name(self._showing(" | ", _SUMMED))

    def _showing(
        self, mark: str, file: re.Pattern[str]
    ) -> tuple[tuple[Call, tuple[str, ...]], ...]:
        showed = (
            entry
            for entry in self.calls
            if mark in entry.call.output and entry.shows_stored
        )
        files = ((entry, tuple(file.findall(entry.call.output))) for entry in showed)
        return tuple((entry, paths) for entry, paths in files if paths)

    @cached_property
    def deeds(self) -> tuple[Deed, ...]:
        """The actions of calls in words, in order."""
        return tuple(deed for entry in self.calls for deed in entry.deeds)

    @cached_property
    def printed(self) -> PrintedFigures:
        return PrintedFigures(self.calls)

    @cached_property
    def numbers(self) -> frozenset[str]:
        """Every number in the run, without commas too, and the heads of versions."""
        spelled = set(_NUMBER.findall(self.run_text))
        spelled.update(number.replace(",", "") for number in tuple(spelled))
        parts = [number.split(".") for number in spelled if "." in number]
        heads = (part[:end] for part in parts for end in range(1, len(part)))
        return frozenset({*spelled, *map(".".join, heads)})

    @cached_property
    def runs_by_word(self) -> Mapping[str, Sequence[int]]:
        """The calls that ran something, by the stems of the words that they name it by.

        Words of any command line (`run`, `test`) tell none from another.
        """
        by_word: dict[str, dict[int, None]] = {}
        for entry in self.calls:
            for word in run_words(entry):
                by_word.setdefault(word, {})[entry.index] = None
        return {word: tuple(calls) for word, calls in by_word.items()}

    @cached_property
    def agent_calls(self) -> tuple[Call, ...]:
        """The calls that set another agent to work."""
        return tuple(entry for entry in self.calls if entry.kind is ToolKind.AGENT)

    @cached_property
    def tool_names(self) -> frozenset[str]:
        """The names of the tools that were called."""
        return frozenset(entry.call.tool for entry in self.calls)

    @cached_property
    def deed_inputs(self) -> str:
        """The inputs of calls that changed something, in lower case, truncated."""
        calls = dict.fromkeys(deed.call for deed in self.deeds if not deed.looks)
        inputs = " ".join(str(self.calls[index].call.input) for index in calls)
        return inputs[:_GIVEN_LIMIT].lower()

    @cached_property
    def run_text(self) -> str:
        """The text of all calls and of the user, in lower case, truncated."""
        return "\n".join(source.text for source in self.sources)[
            :_RUN_TEXT_LIMIT
        ].lower()

    @cached_property
    def _is_long(self) -> bool:
        """Whether `run_text` is truncated."""
        size = sum(len(source.text) + 1 for source in self.sources)
        return size > _RUN_TEXT_LIMIT

    @cached_property
    def shows_all_deeds(self) -> bool:
        """Whether the ledger has all actions of the run, even if not all outputs."""
        return not (
            self.unread
            or self.reports
            or self.leaves_out_reads
            or self._is_long
            or any(change.cut for change in self.changes)
        )

    @cached_property
    def shows_all_runs(self) -> bool:
        """Whether the ledger has all that was run, and nobody else ran anything."""
        commands = (entry.command for entry in self.calls if entry.command)
        cut = any(mark in command for command in commands for mark in STEMS)
        return not (self.unread or self.reports or cut or self._is_long)

    @property
    def is_whole(self) -> bool:
        """Whether only a small part of inputs and outputs is missing."""
        return self.shows_all_deeds and self.has_outputs

    @property
    def has_outputs(self) -> bool:
        """Whether only a small part of the tools' outputs is missing."""
        if self.unread or self._is_long:
            return False
        return max(self.share_unrecorded, self.share_cut) < _MUCH_CUT

    def calls_doing(self, pattern: re.Pattern[str] | ProgramRole) -> list[int]:
        """Return the calls that did something of a kind, in order.

        Args:
            pattern: Words in the name of a tool or a command, or the known action of a
                program.
        """
        return _calls_of(
            deed
            for deed in self.deeds
            if not deed.looks and deed.is_(pattern) and not deed.rehearses
        )

    def calls_running(self, pattern: re.Pattern[str]) -> list[int]:
        """Return the calls whose tool or command has a word of a kind, in order.

        Commands that only look count too: requesting the health of a server is a look.
        """
        return _calls_of(
            deed
            for deed in self.deeds
            if (deed.command is not None or not deed.looks) and deed.is_(pattern)
        )

    def calls_looking_at(self, pattern: re.Pattern[str]) -> list[int]:
        """Return the calls that only looked at something of a kind, in order.

        Commands that only print the agent's own words do not count.
        """
        return _calls_of(
            deed
            for deed in self.deeds
            if deed.looks and deed.is_(pattern) and not deed.is_(ProgramRole.SPEAKS)
        )

    @cached_property
    def record_calls(self) -> tuple[RecordCall, ...]:
        """The calls that change a record, such as an order, a booking or a message."""
        return record_calls(self.calls, self.pairs)

    @cached_property
    def look_ups(self) -> tuple[LookUp, ...]:
        """The calls that only read records."""
        return look_ups(self.calls, self.record_calls)

    @cached_property
    def shown(self) -> Mapping[int, tuple[str, frozenset[str]]]:
        """What each call that succeeded was given and returned, as far as it is read.

        By its index, in upper case and without separators; with the words of its name
        and of the fields of both.
        """
        shown: dict[int, tuple[str, frozenset[str]]] = {}
        for entry in self.calls:
            if entry.succeeded:
                call, output = entry.call, entry.call.output[:_SHOWN_LIMIT]
                text = f"{str(dict(call.input))[:_TASK_LIMIT]}{output}"
                keys = _KEY.findall(output, 0, _TASK_LIMIT)
                fields = (call.tool, *map(str, call.input), *keys)
                words = frozenset(words_of(" ".join(fields)))
                shown[entry.index] = SEPARATORS.sub("", text).upper(), words
        return shown

    @cached_property
    def kin_rows(self) -> KinRows:
        """The rows of lists that look-ups showed."""
        return KinRows(self.look_ups)

    @cached_property
    def unseen_ids(self) -> Mapping[int, frozenset[str]]:
        """The ids that calls were given and that only resemble known ones, by call."""
        return calls_on_unseen(self.calls, self.record_calls, self._said)

    @cached_property
    def stray_names(self) -> Mapping[int, frozenset[str]]:
        """The names that calls were given and that nothing before shows, by call."""
        return stray_names(self.calls, self.record_calls, self._said)

    @cached_property
    def unasked_names(self) -> Mapping[int, frozenset[str]]:
        """The words of names that calls were given for others, by call."""
        user = "\n".join(self.asked_lines)
        return calls_on_unasked(self.calls, self.record_calls, user, self._said)

    @cached_property
    def _said(self) -> Sequence[str]:
        """What the user and the policy say."""
        return [
            source.text
            for source in self.sources
            if not source.field.startswith(("input", "output"))
        ]

    @cached_property
    def look_up_words(self) -> frozenset[str]:
        """The stems of the words that look-ups showed."""
        texts = [look_up.call.call.output[:_TASK_LIMIT] for look_up in self.look_ups]
        return frozenset(map(stem, words_of("\n".join(texts))))

    @cached_property
    def asked(self) -> frozenset[str]:
        """The stems of the user's words."""
        return frozenset(map(stem, words_of(" ".join(self.asked_lines))))

    @cached_property
    def asked_lines(self) -> tuple[str, ...]:
        text = " ".join(
            source.text for source in self.sources if source.field == "task"
        )
        return tuple(text[:_TASK_LIMIT].splitlines())

    @cached_property
    def symbols(self) -> tuple[Symbol, ...]:
        """The definitions in what was read."""
        return tuple(read_symbols(self.contents))

    @cached_property
    def packages(self) -> tuple[Package, ...]:
        """The packages that manifests, lock files, imports and installers name."""
        return tuple(read_packages(self.calls))

    @cached_property
    def fetches(self) -> tuple[Fetch, ...]:
        """The requested addresses."""
        return tuple(read_fetches(self.calls))

    @cached_property
    def queries(self) -> tuple[Query, ...]:
        """The searches of the run."""
        return tuple(read_queries(self.calls))

    @cached_property
    def listed(self) -> tuple[FileEntry, ...]:
        """The files in listings and searches."""
        return tuple(
            FileEntry(call=entry.index, path=path, action=FileAction.LISTED)
            for entry in self.calls
            for path in entry.listed
        )

    def as_dict(self) -> dict[str, Any]:
        """Return the ledger for people: limited JSON values, without contents."""
        return {**ledger_as_dict(self)}

    @cached_property
    def share_unrecorded(self) -> float:
        """The share of calls whose outputs were not recorded, from 0 to 1."""
        unrecorded = sum(not entry.is_recorded for entry in self.calls)
        return unrecorded / len(self.calls) if unrecorded >= _FEW_UNRECORDED else 0.0

    @cached_property
    def share_cut(self) -> float:
        """The share of the tools' outputs that is missing in the trace, from 0 to 1.

        It is computed from the marks of truncation (`calls.cuts`). A mark that the
        agent wrote itself does not count, since it could be an excuse. Outputs of tests
        and linters are left out: they say whether code works, and the code that an
        answer names was read elsewhere.
        """
        outputs = [
            source.text
            for source in self.sources
            if source.tier is LedgerTier.OBSERVED
            and source.field == "output"
            and not _only_checks(self.calls[source.tool_call])
        ]
        kept = sum(map(len, outputs))
        marks = [mark for text in outputs for mark in marks_of_cuts(text)]
        tiers = {LedgerTier.INPUT, LedgerTier.AUTHORED} if marks else set()
        own_texts = [
            source.text
            for source in self.sources
            if source.tier in tiers and any(stem in source.text for stem in STEMS)
        ]
        left_out = sum(
            length
            for mark, length in marks[:_MOST_MARKS]
            if not any(mark in text for text in own_texts)
        )
        return left_out / (kept + left_out) if left_out else 0.0

    @cached_property
    def leaves_out_reads(self) -> bool:
        """Whether an edit found text that no earlier output had shown.

        In this case the agent had read the file before this run, or in a missing part
        of the trace, since an edit contains the exact text that it replaces. Style
        sheets and prose do not count, since they tell nothing about names in code.
        """
        edits = [
            edit
            for edit in self.changes
            if edit.done
            and edit.replaced
            and not (edit.paths and all(map(_NO_CODE.search, edit.paths)))
        ][:_MOST_EDITS]
        return any(self._is_unseen(edit) for edit in edits)

    def _is_unseen(self, edit: CallChange) -> bool:
        old = "\n".join(replacement.old or "" for replacement in edit.replaced)
        lines = sorted(map(str.strip, old.splitlines()), key=len, reverse=True)
        telling = [line for line in lines[:_MOST_LINES] if len(line) >= _TELLING]
        names = [path.rpartition("/")[2] for path in edit.paths]
        texts = (*names, *telling)
        # A file is usually read shortly before it is edited.
        before = (
            source.text
            for source in reversed(self.sources)
            if source.tool_call < edit.call
        )
        return bool(telling) and not any(
            text in shown for shown in before for text in texts
        )

    @cached_property
    def reports(self) -> tuple[Call, ...]:
        """The calls that delegated work to another agent."""
        return tuple(entry for entry in self.calls if entry.is_report)

    @cached_property
    def cut_accounts(self) -> tuple[Call, ...]:
        """The calls with truncated outputs that may have reported work done elsewhere.

        These are reports of other agents, and outputs of unknown programs, which may
        show the screen of another agent or the log of a server.
        """
        return tuple(
            entry
            for entry in self.calls
            if (
                entry.is_report
                or any(
                    not (command.role or command.kinds) for command in entry.commands
                )
            )
            and any(marks_of_cuts(entry.call.output))
        )


# Files in which no code is expected.
_NO_CODE = re.compile(
    r"\.(?:css|scss|sass|less|md|mdx|rst|adoc|txt|svg)$", re.IGNORECASE
)


def _only_checks(entry: Call) -> bool:
    """Whether a call ran tests, linters or builds, and nothing that shows files."""
    parts = [command for command in entry.commands if not command.looks]
    return bool(parts) and all(command.kinds for command in parts)


def _calls_of(deeds: Iterable[Deed]) -> list[int]:
    return list(dict.fromkeys(deed.call for deed in deeds))


# Commands that continued after their call returned, and the calls that saw their end.
#
# An agent starts a long command, gets the id of a session, and polls the session until
# the command ends. The last poll says how it ended.
_SESSION_FIELDS = word_set(
    "sessionid shellid bashid taskid processid pid jobid terminalid cellid"
)
_GIVEN_ID = re.compile(
    r"\b(?:session|process|shell|task|command|job|terminal|cell|background)\b"
    r"[^\n]{0,60}?\bID\b:?\s{0,2}[`\"'(]?([\w-]{1,64})",
    re.IGNORECASE,
)
_FRAME = 1_000


def last_polls(calls: Sequence[Call]) -> Mapping[int, int]:
    """Return the last poll of each call that left a command running."""
    started: dict[str, int] = {}
    polled: dict[int, int] = {}
    for entry in calls:
        sessions = {
            str(value)
            for field, value in entry.call.input.items()
            if folded(field) in _SESSION_FIELDS and isinstance(value, str | int)
        }
        starters = [started[session] for session in sessions if session in started]
        if starters and not entry.commands:
            polled[starters[0]] = entry.index
            continue
        if entry.is_background and entry.command is not None:
            told = _GIVEN_ID.findall(entry.call.output[:_FRAME])
            started |= dict.fromkeys((*sessions, *told), entry.index)
    return polled


def _by_name(
    showing: Iterable[tuple[Call, Iterable[str]]],
) -> Mapping[str, Sequence[tuple[Call, str]]]:
    by_name: dict[str, list[tuple[Call, str]]] = {}
    for entry, files in showing:
        for path in dict.fromkeys(files):
            by_name.setdefault(base_name(path), []).append((entry, path))
    return by_name
