"""The scripted agent: it makes the tool calls of a turn for real, then answers."""

import os
import shlex
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from verifyhub.demo.plants import Plant, take_out
from verifyhub.demo.script import DemoTurn


@dataclass(frozen=True, slots=True, kw_only=True)
class DemoRun:
    """A run as the API would receive it, and the faults planted in its answer."""

    body: dict[str, Any]
    plants: tuple[Plant, ...]


def answer_of(turn: DemoTurn, root: Path) -> tuple[str, tuple[Plant, ...]]:
    """Return a turn's answer without marks, and its plants."""
    return take_out(_placed(turn.answer, root))


def perform(turn: DemoTurn, root: Path) -> DemoRun:
    """Make a turn's tool calls in the repository below `root`, and record the run."""
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


RUN_TIMEOUT_SECONDS = 20
MAX_OUTPUT_CHARACTERS = 20_000


class ToolError(Exception):
    """A tool call failed; the agent sees the message."""


class DemoTools:
    """Four tools for one folder, and the calls made with them, in order.

    Attributes:
        calls: Tool calls in the native ingest format, with real times and durations.
    """

    def __init__(self, root: Path) -> None:
        self.root = root.resolve()
        self.calls: list[dict[str, Any]] = []
        self._tools: dict[str, Callable[..., str]] = {
            "list_files": self._list_files,
            "read_file": self._read_file,
            "search_files": self._search_files,
            "run_command": self._run_command,
        }

    def use(self, tool: str, arguments: Mapping[str, str]) -> str:
        """Call a tool, record the call, and return the output that the agent sees."""
        started_at, clock = datetime.now(UTC), time.perf_counter()
        try:
            output, status = self._tools[tool](**arguments), "ok"
        except ToolError as error:
            output, status = str(error), "error"
        self.calls.append(
            {
                "id": f"call-{len(self.calls) + 1}",
                "tool": tool,
                "input": dict(arguments),
                "output": output[:MAX_OUTPUT_CHARACTERS],
                "status": status,
                "started_at": started_at.isoformat(),
                "duration_ms": round((time.perf_counter() - clock) * 1000),
            }
        )
        return output

    def _inside(self, path: str) -> Path:
        resolved = (self.root / path).resolve()
        if not resolved.is_relative_to(self.root):
            raise ToolError(f"{path}: outside the workspace")
        return resolved

    def _files(self) -> list[Path]:
        files = (path for path in self.root.rglob("*") if path.is_file())
        return sorted(path for path in files if "__pycache__" not in path.parts)

    def _list_files(self, path: str) -> str:
        folder = self._inside(path)
        if not folder.is_dir():
            raise ToolError(f"{path}: no such folder")
        inside = [file for file in self._files() if file.is_relative_to(folder)]
        if Path(path).is_absolute():
            return "\n".join(str(file) for file in inside)
        return "\n".join(str(file.relative_to(self.root)) for file in inside)

    def _read_file(self, path: str) -> str:
        file = self._inside(path)
        if not file.is_file():
            raise ToolError(f"{path}: no such file")
        return file.read_text(encoding="utf-8")

    def _search_files(self, text: str) -> str:
        hits = [
            f"{file.relative_to(self.root)}:{number}:{line}"
            for file in self._files()
            for number, line in enumerate(file.read_text().splitlines(), start=1)
            if text in line
        ]
        return "\n".join(hits) or "no matches"

    def _run_command(self, command: str) -> str:
        program, *arguments = shlex.split(command)
        if program != "python":
            raise ToolError(f"{program}: only python may be run here")
        environment = {
            "PATH": os.defpath,
            "PYTHONDONTWRITEBYTECODE": "1",
            "PYTHONIOENCODING": "utf-8",
        }
        try:
            done = subprocess.run(
                [sys.executable, *arguments],
                cwd=self.root,
                env=environment,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                timeout=RUN_TIMEOUT_SECONDS,
                text=True,
                check=False,
            )
        except subprocess.TimeoutExpired as error:
            raise ToolError(f"stopped after {RUN_TIMEOUT_SECONDS} s") from error
        output = f"{done.stdout}exit code: {done.returncode}"
        if done.returncode != 0:
            raise ToolError(output)
        return output
