"""The scripted agent: does the steps of a turn for real, then gives its answer."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from verifyhub.demo.plants import Plant, take_out
from verifyhub.demo.script import TURNS, Turn
from verifyhub.demo.tools import Toolbox


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """A run as the API would receive it, and what is planted in its answer."""

    body: dict[str, Any]
    plants: tuple[Plant, ...]


def answer_of(turn: Turn, root: Path) -> tuple[str, tuple[Plant, ...]]:
    """Return a turn's answer without its marks, and its plants."""
    return take_out(turn.answer.replace("{root}", str(root.resolve())))


def perform(turn: Turn, root: Path) -> Run:
    """Use the tools of a turn on the repository below `root` and record the run."""
    toolbox = Toolbox(root)
    for tool, arguments in turn.steps:
        toolbox.use(tool, arguments)
    answer, plants = answer_of(turn, root)
    name, tier, role = turn.agent
    body = {
        "id": turn.id,
        "session": turn.session,
        "task": turn.task,
        "answer": answer,
        "agent": {"name": name, "tier": tier, "role": role},
        "tool_calls": toolbox.calls,
    }
    return Run(body=body, plants=plants)


def plants_by_id(root: Path) -> dict[str, tuple[Plant, ...]]:
    """Return what is planted in each run, by the run's id, without running it."""
    return {turn.id: answer_of(turn, root)[1] for turn in TURNS}
