"""The scripted agent: does the steps of a turn for real, then gives its answer."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from verifyhub.demo.plants import Plant, take_out
from verifyhub.demo.script import DemoTurn
from verifyhub.demo.tools import DemoTools


@dataclass(frozen=True, slots=True, kw_only=True)
class DemoRun:
    """A run as the API would receive it, and what is planted in its answer."""

    body: dict[str, Any]
    plants: tuple[Plant, ...]


def answer_of(turn: DemoTurn, root: Path) -> tuple[str, tuple[Plant, ...]]:
    """Return a turn's answer without its marks, and its plants."""
    return take_out(_placed(turn.answer, root))


def perform(turn: DemoTurn, root: Path) -> DemoRun:
    """Use the tools of a turn on the repository below `root` and record the run."""
    toolbox = DemoTools(root)
    for tool, arguments in turn.steps:
        toolbox.use(tool, {k: _placed(v, root) for k, v in arguments.items()})
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
    return DemoRun(body=body, plants=plants)


def _placed(text: str, root: Path) -> str:
    return text.replace("{root}", str(root.resolve()))
