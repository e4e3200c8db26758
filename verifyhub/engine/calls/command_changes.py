"""Changes by commands of a shell."""

import ast
import itertools
import math
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from verifyhub.engine.calls.changes import CallChange, ChangeKind
from verifyhub.engine.calls.cuts import marks_of_cuts
from verifyhub.engine.calls.facts import CallFacts
from verifyhub.engine.calls.patches import BEGIN, read_patch
from verifyhub.engine.calls.programs import ProgramRole
from verifyhub.engine.calls.shell import (
    FILLED_IN,
    Heredoc,
    SimpleCommand,
    heredocs,
    redirections,
)
from verifyhub.engine.calls.states import CallState
from verifyhub.engine.calls.tool_changes import call_change, patch_changes

_PATH_WORD = re.compile(
    r"(?<![\w@.~+/-])(?:[\w@.~+-]*(?:/[\w@.~+-]+)+|[\w@~+-]+\.[A-Za-z]\w{0,9})"
)
_SCRIPT_WRITE = re.compile(
    r"write_(?:text|bytes)|writeFile|appendFile|(?<!stdout)(?<!stderr)\.write\("
    r"|open\([^)\n]{1,120}['\"][wax]b?\+?['\"]|File\.write|IO\.write"
    r"|file_put_contents|shutil\.(?:copy|move)|os\.(?:remove|rename|unlink)"
    r"|\.(?:unlink|rename)\(|json\.dump\(|\.to_csv\("
)
_ELSEWHERE = ("/dev/", "/tmp/")  # noqa: S108 - read in a command, never opened
# Maximum characters of a script in which paths are searched.
_SCRIPT_LIMIT = 20_000


def command_changes(entry: CallFacts) -> Iterator[CallChange]:
    """Yield the changes of a call's commands, in order."""
    command = entry.command or ""
    patches = [patch for text in _patch_texts(entry) for patch in read_patch(text)]
    if patches:
        yield from patch_changes(entry, patches)
        return
    reached = _reached(entry)
    for part in entry.commands:
        for change in _part_changes(entry, part, command):
            yield replace(change, done=True) if part.start < reached else change


def _reached(entry: CallFacts) -> float:
    """Return up to where a failed call's command was done: to the check that failed.

    Of a command that the trace cuts, the rest may be one. Where the call did not fail,
    or a file could not be written, no part is done for that.
    """
    if entry.state is not CallState.FAILED or _UNWRITTEN.search(
        entry.call.output[:_OUTPUT_HEAD]
    ):
        return -math.inf
    if any(marks_of_cuts(entry.command or "")):
        return math.inf
    return max((part.start for part in entry.commands if part.kinds), default=-math.inf)


_UNWRITTEN = re.compile(
    r"permission denied|read-only|no such file|cannot (?:create|write|touch)|EACCES",
    re.IGNORECASE,
)
_OUTPUT_HEAD = 2_000


def _patch_texts(entry: CallFacts) -> Iterator[str]:
    command = entry.command or ""
    if BEGIN in command:
        yield command
    elif any(ProgramRole.PATCHES in part.role for part in entry.commands):
        yield from (
            command[heredoc.start : heredoc.end] for heredoc in heredocs(command)
        )


def _part_changes(
    entry: CallFacts, part: SimpleCommand, command: str
) -> Iterator[CallChange]:
    role = part.role
    if role & ProgramRole.DELETES:
        yield call_change(entry, ChangeKind.DELETE, _plain(part.operands))
    elif role & (
        ProgramRole.MOVES | ProgramRole.COPIES | ProgramRole.TOUCHES | ProgramRole.LINKS
    ):
        operands = part.operands
        moved = role & ProgramRole.MOVES and len(operands) == 2
        yield call_change(
            entry,
            ChangeKind.TOUCH,
            operands,
            (command,),
            rewritten=_plain(_targets(part)),
            gone=_plain(operands[:1]) if moved else (),
        )
    elif role & ProgramRole.EDITS:
        if "view" not in part.words:
            paths = _paths_of(part.text)
            yield call_change(entry, ChangeKind.TOUCH, paths, (command,))
    elif part.edits_in_place:
        yield call_change(
            entry,
            ChangeKind.TOUCH,
            _paths_of(part.text),
            (command,),
            rewritten=_plain(part.edited),
        )
    elif part.runs_inline and _SCRIPT_WRITE.search(command):
        written = _written_inline(part, command)
        if written is not None:
            yield call_change(entry, ChangeKind.TOUCH, written, (command,))
    elif part.rewrites:
        yield call_change(entry, ChangeKind.TOUCH, ())
    elif role & ProgramRole.MAKES_FOLDERS:
        yield call_change(entry, ChangeKind.TOUCH, part.operands, (command,))
    else:
        yield from _redirected(entry, part, command)


def _written_inline(part: SimpleCommand, command: str) -> tuple[str, ...] | None:
    """Return the files that an inline script may write; None if it writes none.

    The files of Python are read from its script. Scripts in other languages, and
    scripts that do not spell the file, may write any file in the command.
    """
    anything = _paths_of(command[:_SCRIPT_LIMIT])
    script = _python(part, command)
    if script is None:
        return anything
    writes = python_writes(script)
    if writes.others:
        return anything
    return writes.paths or None


def _python(part: SimpleCommand, command: str) -> str | None:
    """Return the Python script in a command: after `-c`, or in a here-document."""
    if part.program != "python":
        return None
    words = part.argv
    if "-c" in words[:-1]:
        return words[words.index("-c") + 1]
    heredoc = _fed(part, command)
    return None if heredoc is None else command[heredoc.start : heredoc.end]


def _fed(part: SimpleCommand, command: str) -> Heredoc | None:
    """Return the first here-document for a part of a command line."""
    end = part.start + len(part.text)
    fed = (item for item in heredocs(command) if part.start <= item.opened < end)
    return next(fed, None)


def _targets(part: SimpleCommand) -> tuple[str, ...]:
    """Return the files that were certainly written, not targets that may be folders."""
    operands = part.operands
    if part.role & ProgramRole.TOUCHES:
        return operands
    if len(operands) != 2 or "." not in operands[1].rsplit("/", 1)[-1].lstrip("."):
        return ()
    return operands[1:]


def _redirected(
    entry: CallFacts, part: SimpleCommand, command: str
) -> Iterator[CallChange]:
    for path, appends in redirections(part.text):
        if path.startswith(_ELSEWHERE):
            continue
        content = None if appends else _heredoc_text(part, command)
        action = ChangeKind.REWRITE if content is None else ChangeKind.WRITE
        yield call_change(entry, action, (path,), (command,), content=content)


def _heredoc_text(part: SimpleCommand, command: str) -> str | None:
    """Return the text that `cat > file <<'TAG'` writes to a file; None if unknown."""
    if part.program != "cat" or part.joined == "|":
        return None
    heredoc = _fed(part, command)
    if heredoc is None:
        return None
    text = command[heredoc.start : heredoc.end]
    return text if heredoc.literal or FILLED_IN.isdisjoint(text) else None


def _plain(words: Iterable[str]) -> tuple[str, ...]:
    return tuple(word for word in words if FILLED_IN.isdisjoint(word))


def _paths_of(text: str) -> tuple[str, ...]:
    return tuple(_PATH_WORD.findall(text))


# The files that an inline script in Python writes.
#
# The script is parsed and never run. A script that cannot be parsed, or is too long,
# shows nothing.

# Longer scripts are separate programs; parsing 1 MB takes a tenth of a second.
_LONGEST = 20_000
# Maximum possible texts of one name.
_MOST = 100
_WRITING_MODES = frozenset("wax+")
# Methods of a path that change its file, and functions that change a named file, with
# the argument that names it.
_METHODS = frozenset(
    {"write_text", "write_bytes", "unlink", "rename", "touch", "replace"}
)
_FUNCTIONS = {
    ("os", "remove"): 0,
    ("os", "unlink"): 0,
    ("os", "rename"): 1,
    ("os", "replace"): 1,
    ("shutil", "copy"): 1,
    ("shutil", "copyfile"): 1,
    ("shutil", "move"): 1,
}
# Methods that write a file named by their first argument.
_SAVING = frozenset({"to_csv", "to_json", "to_parquet", "to_excel", "savefig"})
_PATHS = frozenset({"Path", "PurePath", "PosixPath"})


@dataclass(frozen=True, slots=True)
class Writes:
    """The files that a script writes, and whether it writes any other, unnamed one."""

    paths: tuple[str, ...] = ()
    others: bool = False

    def __bool__(self) -> bool:
        return bool(self.paths) or self.others


def python_writes(script: str) -> Writes:
    """Return the files that a Python script writes, as far as it spells them."""
    if len(script) > _LONGEST:
        return Writes()
    # Without its escapes, no string causes a warning; the written files are the same.
    plain = script.replace("\\\n", " ").replace("\\'", " ").replace('\\"', " ")
    try:
        tree = ast.parse(plain.replace("\\", "/"))
        reader = _PythonReader()
        reader.read(tree)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return Writes()
    return Writes(tuple(dict.fromkeys(reader.paths)), reader.others)


@dataclass(slots=True)
class _PythonReader:
    paths: list[str] = field(default_factory=list)
    others: bool = False
    bound: dict[str, tuple[str, ...]] = field(default_factory=dict)

    def read(self, tree: ast.AST) -> None:
        """Read bindings first, since a function may use names defined below it."""
        nodes = list(ast.walk(tree))
        for node in nodes:
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
                self.bound[node.targets[0].id] = self._some(self._texts(node.value))
            elif isinstance(node, ast.For) and isinstance(node.target, ast.Name):
                self.bound[node.target.id] = self._some(self._items(node.iter))
        for node in nodes:
            if isinstance(node, ast.Call):
                self._call(node)

    def _call(self, node: ast.Call) -> None:
        target = self._target(node)
        if target is None:
            return
        texts = self._some(self._texts(target))
        self.paths += texts
        self.others |= not texts

    def _target(self, node: ast.Call) -> ast.expr | None:
        """Return the expression of the file that a call writes; None without one."""
        function = node.func
        if isinstance(function, ast.Name):
            opens = function.id == "open" and bool(node.args) and _writes(node, 1)
            return node.args[0] if opens else None
        if not isinstance(function, ast.Attribute):
            return None
        owner = function.value.id if isinstance(function.value, ast.Name) else ""
        place = _FUNCTIONS.get((owner, function.attr))
        if place is not None:
            return node.args[place] if len(node.args) > place else None
        if function.attr == "open":
            return function.value if _writes(node, 0) else None
        if function.attr in _SAVING:
            return node.args[0] if node.args else None
        # `text.replace(a, b)` is of a string; that of a path has one argument.
        is_method_of_path = function.attr != "replace" or len(node.args) == 1
        return (
            function.value if function.attr in _METHODS and is_method_of_path else None
        )

    def _some(self, texts: Iterator[str]) -> tuple[str, ...]:
        return tuple(itertools.islice(texts, _MOST))

    def _items(self, node: ast.expr) -> Iterator[str]:
        if isinstance(node, (ast.List, ast.Tuple, ast.Set)):
            for item in node.elts:
                yield from self._texts(item)

    def _texts(self, node: ast.expr) -> Iterator[str]:
        """Yield the possible texts of an expression, if it spells them."""
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value
        elif isinstance(node, ast.Name):
            yield from self.bound.get(node.id, ())
        elif isinstance(node, ast.Call) and node.args and _name(node.func) in _PATHS:
            yield from self._texts(node.args[0])
        elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div):
            yield from self._texts(node.right)


def _name(node: ast.expr) -> str:
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


def _writes(node: ast.Call, place: int) -> bool:
    """Whether the mode of a call of `open` is for writing."""
    modes = [keyword.value for keyword in node.keywords if keyword.arg == "mode"]
    modes += node.args[place : place + 1]
    return any(
        isinstance(mode, ast.Constant)
        and isinstance(mode.value, str)
        and not _WRITING_MODES.isdisjoint(mode.value)
        for mode in modes
    )
