"""What a run executed: its commands with how they ended, and their results."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from verifyhub.engine.calls.call import Call
from verifyhub.engine.calls.inputs import WORKING_FOLDER_FIELDS, path_values
from verifyhub.engine.calls.outcomes.model import ReadOutcome
from verifyhub.engine.calls.programs import ProgramRole
from verifyhub.engine.calls.shell import SimpleCommand
from verifyhub.engine.calls.states import CallState
from verifyhub.engine.text.paths import components, joined, shown

_FAILED = frozenset({CallState.FAILED, CallState.ERROR, CallState.REFUSED})


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """One simple command of a call.

    `state` and `exit_status` are those of the whole call: a frame states no others.
    `folder` is where it ran, as far as `cd` before it in the same call says.
    """

    call: int
    part: SimpleCommand
    state: CallState
    exit_status: int | None = None
    is_background: bool = False
    folder: str = ""

    @property
    def failed(self) -> bool:
        """Whether the call is known to have failed or to have been refused."""
        return self.state in _FAILED


@dataclass(frozen=True, slots=True, kw_only=True)
class RunResult:
    """How tests, a linter or a build ended in one call."""

    call: int
    outcome: ReadOutcome


def read_commands(calls: Iterable[Call]) -> Iterator[Command]:
    """Yield the simple commands of a run, in order."""
    for entry in calls:
        folder = _start_folder(entry)
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
                folder = _within(folder, part.operands[0])


def read_results(calls: Iterable[Call]) -> Iterator[RunResult]:
    """Yield how everything that was run ended; a report of another agent is none."""
    for entry in calls:
        for outcome in entry.results:
            yield RunResult(call=entry.index, outcome=outcome)


def _start_folder(entry: Call) -> str:
    given = path_values(entry.call.input, WORKING_FOLDER_FIELDS)
    return given[0][:1_000] if given else ""


def _within(folder: str, path: str) -> str:
    return shown(joined(components(folder), components(path[:1_000])))
