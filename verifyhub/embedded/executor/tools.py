"""The tools of the folder's agent; every call is recorded.

The record is exactly what the agent saw, since the answer is checked against it.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from verifyhub.embedded.executor.folder import Folder, LookError
from verifyhub.embedded.executor.jail import Limits, RunError, run_jailed
from verifyhub.engine.types import CallStatus

MAX_OUTPUT_CHARACTERS = 60_000
MAX_ARGUMENTS = 100


class RefusedError(Exception):
    """The tool refuses the request."""


class FailedError(Exception):
    """The tool failed; the message is its output."""


class Toolbox:
    """Tools for one folder, and the calls made with them, in order.

    Args:
        folder: The folder that the tools can read.
        allow_run: Names of programs that may be run; none by default. Such a program
            runs code of the folder.
        limits: The limits of each command.
        isolated: False also runs commands where the kernel cannot isolate them.

    Attributes:
        calls: Tool calls in the format of the API, with real times and durations.
    """

    def __init__(
        self,
        folder: Folder,
        *,
        allow_run: Sequence[str] = (),
        limits: Limits | None = None,
        isolated: bool = True,
    ) -> None:
        self._folder = folder
        self._allowed = frozenset(allow_run)
        self._limits = limits or Limits()
        self._isolated = isolated
        self.calls: list[dict[str, Any]] = []
        self._tools: dict[str, Callable[[Mapping[str, Any]], str]] = {
            "list_files": lambda arguments: folder.list_files(
                _text(arguments, "path", ".")
            ),
            "read_file": lambda arguments: folder.read(_text(arguments, "path")),
            "search": lambda arguments: folder.search(
                _text(arguments, "text"), _text(arguments, "path", ".")
            ),
        }
        if self._allowed:
            self._tools["run_command"] = self._run

    @property
    def specifications(self) -> list[dict[str, Any]]:
        """Return the descriptions of the tools for a model."""
        path = {"type": "string", "description": "relative to the folder"}
        text = {"type": "string", "description": "a text, no pattern"}
        tools = [
            _specification("list_files", "List the files below a folder.", path=path),
            _specification("read_file", "Read a text file.", path=path),
            _specification(
                "search", "Find lines that hold a text.", text=text, path=path
            ),
        ]
        if self._allowed:
            names = ", ".join(sorted(self._allowed))
            argv = {"type": "array", "items": {"type": "string"}}
            tools.append(
                _specification(
                    "run_command",
                    f"Run one of these programs, without a shell: {names}.",
                    argv=argv,
                )
            )
        return tools

    def use(self, tool: str, arguments: Mapping[str, Any]) -> str:
        """Call a tool, record the call, and return the output that the agent sees."""
        if tool not in self._tools:
            # Nothing was executed, so nothing is recorded.
            return f"There is no tool of this name; there are {', '.join(self._tools)}."
        started_at, clock = datetime.now(UTC), time.perf_counter()
        status = CallStatus.OK
        try:
            output = self._tools[tool](arguments)
        except RefusedError as error:
            output, status = str(error), CallStatus.REFUSED
        except (LookError, RunError, FailedError) as error:
            output, status = str(error), CallStatus.ERROR
        if len(output) > MAX_OUTPUT_CHARACTERS:
            output = f"{output[:MAX_OUTPUT_CHARACTERS]}\n[cut]"
        # The API accepts no NUL. The agent sees only text that can also be sent.
        output = output.replace("\0", "\ufffd")
        self.calls.append(
            {
                "id": f"call-{len(self.calls) + 1}",
                "tool": tool,
                "input": dict(arguments),
                "output": output,
                "status": str(status),
                "started_at": started_at.isoformat(),
                "duration_ms": round((time.perf_counter() - clock) * 1000),
            }
        )
        return output

    def _run(self, arguments: Mapping[str, Any]) -> str:
        argv = arguments.get("argv")
        if (
            not isinstance(argv, list)
            or not argv
            or len(argv) > MAX_ARGUMENTS
            or not all(isinstance(word, str) and "\0" not in word for word in argv)
        ):
            raise RefusedError("argv: must be a list of texts, the program first")
        if argv[0] not in self._allowed:
            names = ", ".join(sorted(self._allowed))
            raise RefusedError(f"{argv[0][:100]}: may not be run; allowed are {names}")
        done = run_jailed(
            argv, self._folder.root, self._limits, isolated=self._isolated
        )
        output = done.output.decode("utf-8", "replace")
        if done.is_cut:
            output += f"\n[output cut after {self._limits.output_bytes} bytes]"
        if output and not output.endswith("\n"):
            output += "\n"
        if done.exit_code is None:
            raise FailedError(f"{output}killed after {self._limits.wall_seconds:g} s")
        output += f"exit code: {done.exit_code}"
        if done.exit_code != 0:
            raise FailedError(output)
        return output


def _text(arguments: Mapping[str, Any], name: str, default: str | None = None) -> str:
    value = arguments.get(name, default)
    if not isinstance(value, str):
        raise LookError(f"{name}: a text is required")
    return value


def _specification(name: str, description: str, **properties: Any) -> dict[str, Any]:
    optional = {"path"} if name != "read_file" else set()
    return {
        "name": name,
        "description": description,
        "parameters": {
            "type": "object",
            "properties": properties,
            "required": [key for key in properties if key not in optional],
            "additionalProperties": False,
        },
    }
