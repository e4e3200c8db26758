"""Read a run's commands with their states, and results of tests, linters and builds."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from verifyhub.engine.calls.call import Call
from verifyhub.engine.calls.deed_words import stem
from verifyhub.engine.calls.inputs import WORKING_FOLDER_FIELDS, path_values
from verifyhub.engine.calls.outcomes.model import ReadOutcome, Result
from verifyhub.engine.calls.programs import ProgramRole
from verifyhub.engine.calls.shell import SimpleCommand
from verifyhub.engine.calls.states import CallState
from verifyhub.engine.calls.tools import ToolKind
from verifyhub.engine.text.paths import components, joined, shown
from verifyhub.engine.text.tokens import word_set

_FAILED = frozenset({CallState.FAILED, CallState.ERROR, CallState.REFUSED})


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """One simple command of a call.

    `state` and `exit_status` are those of the whole call, since others are not
    reported. `folder` is its working folder, according to an earlier `cd` in the same
    call.
    """

    call: int
    part: SimpleCommand
    state: CallState
    exit_status: int | None = None
    is_background: bool = False
    folder: str = ""

    @property
    def failed(self) -> bool:
        """Whether the call failed or was refused, as far as known."""
        return self.state in _FAILED


@dataclass(frozen=True, slots=True, kw_only=True)
class RunResult:
    """The result of tests, a linter or a build in one call.

    `started` is the call that ran the command, if a later call saw its end.
    """

    call: int
    outcome: ReadOutcome
    started: int | None = None

    @property
    def command_call(self) -> int:
        return self.call if self.started is None else self.started


def read_commands(calls: Iterable[Call]) -> Iterator[Command]:
    """Yield the simple commands of a run, in order."""
    for entry in calls:
        folders = path_values(entry.call.input, WORKING_FOLDER_FIELDS)
        folder = folders[0][:1_000] if folders else ""
        for part in entry.commands:
            yield Command(
                call=entry.index,
                part=part,
                state=entry.state,
                exit_status=entry.exit_status,
                is_background=entry.is_background,
                folder=folder,
            )
            if ProgramRole.ENTERS in part.role and len(part.operands) == 1:
                inner = components(part.operands[0][:1_000])
                folder = shown(joined(components(folder), inner))


def read_results(
    calls: Sequence[Call], polls: Mapping[int, int]
) -> Iterator[RunResult]:
    """Yield the result of everything that was run, except reports of other agents.

    Args:
        polls: The last poll of each call that left something running (`last_polls`).
    """
    starters = {poll: start for start, poll in polls.items()}
    for entry in calls:
        start = starters.get(entry.index)
        seen = entry.results if start is None else _polled(calls[start], entry)
        for outcome in seen:
            yield RunResult(call=entry.index, outcome=outcome, started=start)


def _polled(starter: Call, poll: Call) -> tuple[ReadOutcome, ...]:
    """Return the result of a command by its last poll: output, then exit status."""
    read = {outcome.kind: outcome for outcome in poll.results}
    if poll.is_background:
        return tuple(read.values())
    kinds = dict.fromkeys(kind for part in starter.commands for kind in part.kinds)
    early = {outcome.kind: outcome for outcome in starter.results}
    for kind in kinds:
        outcome = read.get(kind) or early.get(kind)
        result = _ended(outcome, poll, alone=len(kinds) == 1)
        if result is not None:
            tool = outcome.tool if outcome else ""
            counts = read[kind].counts if kind in read else None
            read[kind] = ReadOutcome(kind=kind, result=result, tool=tool, counts=counts)
    return tuple(read.values())


def _ended(seen: ReadOutcome | None, poll: Call, *, alone: bool) -> Result | None:
    """Return the result that the exit status of a poll adds to its output."""
    result = seen.result if seen else None
    if result is Result.FAILED:
        return Result.FAILED
    if poll.failed:
        return Result.FAILED if alone else Result.UNCLEAR
    if poll.passed:
        return Result.PASSED
    return result


# The words by which a call names what it runs.
_RUN_WORD = re.compile(r"[^\W\d_]{3,40}")
_LONGEST_NAME = 300
# Words of any command line, and of any description of one.
_COMMON_WORDS = word_set(
    """
    run runs test tests check checks build builds all the and for with from into then
    file files code script scripts command commands project bin src lib app apps
    package packages module modules main dev prod usr home root tmp path dir out output
    input head tail cat grep echo exec set get new old show list print see verify
    bash python node npm npx pnpm yarn bun uvx uv pip poetry docker compose make git
    true false null exit dev config data local
    """
)
_ASIDE = ProgramRole.PREPARES | ProgramRole.VERSIONS
_STEMS = frozenset(map(stem, _COMMON_WORDS)) | _COMMON_WORDS


def run_words(entry: Call) -> Iterator[str]:
    """Yield the stems of the words of a call that runs something."""
    ran = [part for part in entry.commands if not (part.looks or part.role & _ASIDE)]
    if not ran and (entry.commands or entry.kind is not ToolKind.OTHER):
        return
    texts = [part.text[:_LONGEST_NAME] for part in ran if not part.runs_inline]
    texts.append(str(entry.call.input.get("description", ""))[:_LONGEST_NAME])
    if not entry.commands:
        texts.append(entry.call.tool)
    for text in texts:
        for word in _RUN_WORD.findall(text.lower()):
            root = stem(word)
            if root not in _STEMS:
                yield root
