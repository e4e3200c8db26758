"""Which files a script of Python writes that stands in a command itself.

It is parsed and never run. What cannot be parsed, or is too long, tells nothing.
"""

import ast
import itertools
from collections.abc import Iterator
from dataclasses import dataclass, field

# Longer scripts are programs of their own; parsing takes a tenth of a second for 1 MB.
_LONGEST = 20_000
# Texts that one name may stand for.
_MOST = 100
_WRITING_MODES = frozenset("wax+")
# Methods of a path that change its file, and functions that change a named one: which
# argument names it.
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
# Methods that write a file which their first argument names.
_SAVING = frozenset({"to_csv", "to_json", "to_parquet", "to_excel", "savefig"})
_PATHS = frozenset({"Path", "PurePath", "PosixPath"})


@dataclass(frozen=True, slots=True)
class Writes:
    """What a script writes: the files, and whether it writes any other, unnamed one."""

    paths: tuple[str, ...] = ()
    others: bool = False

    def __bool__(self) -> bool:
        return bool(self.paths) or self.others


def python_writes(script: str) -> Writes:
    """Return which files a script of Python writes, as far as it spells them."""
    if len(script) > _LONGEST:
        return Writes()
    # Without its escapes no string warns of a wrong one; what it writes stays the same.
    plain = script.replace("\\\n", " ").replace("\\'", " ").replace('\\"', " ")
    try:
        tree = ast.parse(plain.replace("\\", "/"))
        found = _PythonReader()
        found.read(tree)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return Writes()
    return Writes(tuple(dict.fromkeys(found.paths)), found.others)


@dataclass(slots=True)
class _PythonReader:
    paths: list[str] = field(default_factory=list)
    others: bool = False
    bound: dict[str, tuple[str, ...]] = field(default_factory=dict)

    def read(self, tree: ast.AST) -> None:
        """Read bindings first: a function may use what stands below it."""
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
        """Return what names the file that a call writes; None if it writes none."""
        made = node.func
        if isinstance(made, ast.Name):
            opens = made.id == "open" and bool(node.args) and _writes(node, 1)
            return node.args[0] if opens else None
        if not isinstance(made, ast.Attribute):
            return None
        owner = made.value.id if isinstance(made.value, ast.Name) else ""
        place = _FUNCTIONS.get((owner, made.attr))
        if place is not None:
            return node.args[place] if len(node.args) > place else None
        if made.attr == "open":
            return made.value if _writes(node, 0) else None
        if made.attr in _SAVING:
            return node.args[0] if node.args else None
        # `text.replace(a, b)` is of a string: a path's takes one name.
        alike = made.attr != "replace" or len(node.args) == 1
        return made.value if made.attr in _METHODS and alike else None

    def _some(self, texts: Iterator[str]) -> tuple[str, ...]:
        return tuple(itertools.islice(texts, _MOST))

    def _items(self, node: ast.expr) -> Iterator[str]:
        if isinstance(node, (ast.List, ast.Tuple, ast.Set)):
            for item in node.elts:
                yield from self._texts(item)

    def _texts(self, node: ast.expr) -> Iterator[str]:
        """Yield the texts that an expression may be, where it spells them."""
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
    """Whether the mode of a call of `open` writes."""
    modes = [one.value for one in node.keywords if one.arg == "mode"]
    modes += node.args[place : place + 1]
    return any(
        isinstance(mode, ast.Constant)
        and isinstance(mode.value, str)
        and not _WRITING_MODES.isdisjoint(mode.value)
        for mode in modes
    )
