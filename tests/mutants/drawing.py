"""Which mutants there are, and a draw of them by a seed."""

import ast
import difflib
import hashlib
import random
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from cosmic_ray.ast import ast_nodes, get_ast
from cosmic_ray.mutating import mutate_code
from cosmic_ray.plugins import get_operator, operator_names

PACKAGES = (
    "verifyhub/accounts",
    "verifyhub/engine/calls",
    "verifyhub/engine/completion",
    "verifyhub/engine/decisions",
    "verifyhub/engine/grounding",
    "verifyhub/engine/memory",
    "verifyhub/memory/services",
    "verifyhub/review/decide",
    "verifyhub/verification/services",
)
# Identity for equality: the same among strings, numbers and members of an enumeration.
ALIKE = re.compile(r"_(Eq|NotEq|Lt|LtE|Gt|GtE)_Is(Not)?$|_Is(Not)?_(Eq|NotEq)$")
# Leaves of the syntax tree that no operator looks at; most of them, too.
DULL = {"name", "string", "newline", "endmarker"}
PUNCTUATION = set("().,:=[]{}")
LOG_METHODS = {"debug", "info", "warning", "error", "exception", "critical"}

Position = tuple[int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Mutant:
    """One change to one place of one file.

    Attributes:
        path: The file, from the root of the checkout.
        digest: SHA-256 of the file the change was found in, as hexadecimal digits.
        operator: The operator of cosmic-ray.
        occurrence: Which of the places where the operator applies, from 0.
        start: Line, from 1, and column, from 0, where the changed code begins.
        end: Where it ends.
    """

    path: str
    digest: str
    operator: str
    occurrence: int
    start: Position
    end: Position

    @property
    def name(self) -> str:
        """What the mutant is called in the results."""
        return f"{self.path}:{self.start[0]} {self.operator} {self.occurrence}"

    @property
    def package(self) -> str:
        """Which of `PACKAGES` it is in."""
        return next(name for name in PACKAGES if self.path.startswith(f"{name}/"))

    def applied(self, source: str) -> str:
        """Return the file's text with the change."""
        mutated = mutate_code(source, get_operator(self.operator)(), self.occurrence)
        return str(mutated)

    def diff(self, source: str) -> str:
        """Return the change as a unified diff without context."""
        lines = difflib.unified_diff(
            source.splitlines(), self.applied(source).splitlines(), n=0, lineterm=""
        )
        return "\n".join(list(lines)[2:])


def sources(checkout: Path) -> Iterator[tuple[str, str]]:
    """Yield path and text of every file mutants are drawn from."""
    for package in PACKAGES:
        for file in sorted((checkout / package).rglob("*.py")):
            if "migrations" not in file.parts:
                yield str(file.relative_to(checkout)), file.read_text(encoding="utf-8")


def digest(source: str) -> str:
    """Return what tells one version of a file from another."""
    return hashlib.sha256(source.encode()).hexdigest()


def draw(files: Iterable[tuple[str, str]], *, number: int, seed: int) -> list[Mutant]:
    """Draw mutants at so many places, spread over the packages by their sizes.

    A place is drawn at most once however many operators apply there, so that
    arithmetic does not outweigh the rest.

    Args:
        files: Paths and texts.
        number: How many, if there are as many places.
        seed: The same files and the same seed give the same mutants.
    """
    places: dict[str, list[list[Mutant]]] = defaultdict(list)
    texts = dict(files)
    for path, source in texts.items():
        for place in _places(path, source):
            places[place[0].package].append(place)
    chance = random.Random(seed)
    drawn = []
    for package, share in _shares(places, number).items():
        chance.shuffle(places[package])
        mutants = (chance.choice(place) for place in places[package])
        programs = (m for m in mutants if _is_program(m.applied(texts[m.path])))
        drawn += islice(programs, share)
    return drawn


def _shares(places: Mapping[str, Sequence[object]], number: int) -> dict[str, int]:
    """Split `number` over the packages by how many places each has."""
    total = sum(len(found) for found in places.values())
    number = min(number, total)
    exact = {name: len(found) * number / total for name, found in places.items()}
    shares = {name: int(share) for name, share in exact.items()}
    by_rest = sorted(exact, key=lambda name: shares[name] - exact[name])
    for name in by_rest[: number - sum(shares.values())]:
        shares[name] += 1
    return shares


def _places(path: str, source: str) -> list[list[Mutant]]:
    """Return the mutants of a file, those of one kind at one place together."""
    left_out = list(_left_out(ast.parse(source), declares=path.endswith("/models.py")))
    nodes = [
        node
        for node in ast_nodes(get_ast(source))
        if node.type not in DULL and getattr(node, "value", "") not in PUNCTUATION
    ]
    found: dict[tuple[Position, str], list[Mutant]] = defaultdict(list)
    for name in operator_names():
        if get_operator(name).arguments() or ALIKE.search(name):
            continue
        operator = get_operator(name)()
        positions = (at for node in nodes for at in operator.mutation_positions(node))
        for occurrence, (start, end) in enumerate(positions):
            if any(first <= start < last for first, last in left_out):
                continue
            found[start, name.partition("_")[0]].append(
                Mutant(
                    path=path,
                    digest=digest(source),
                    operator=name,
                    occurrence=occurrence,
                    start=start,
                    end=end,
                )
            )
    return [found[place] for place in sorted(found)]


def _left_out(tree: ast.AST, *, declares: bool) -> Iterator[tuple[Position, Position]]:
    """Yield the stretches whose change no test of behaviour can or should notice.

    Args:
        tree: The module.
        declares: Whether it holds models, whose columns, indexes and constraints
            only migrations read: `make check` compares them.
    """
    for node in ast.walk(tree):
        annotations = (getattr(node, name, None) for name in ("annotation", "returns"))
        yield from (_stretch(each) for each in annotations if each is not None)
        if _is_silent(node) or (declares and _is_declaration(node)):
            yield _stretch(node)


def _is_silent(node: ast.AST) -> bool:
    match node:
        case ast.FunctionDef(name="__str__" | "__repr__"):
            return True
        case ast.If(test=ast.Name(id="TYPE_CHECKING")):
            return True
        case ast.Call(func=ast.Name(id="dataclass")):
            # Frozen, slots: what a type checker sees. `@dataclass` itself is no call.
            return True
        case ast.Call(func=ast.Attribute(value=ast.Name(id="logger"), attr=level)):
            return level in LOG_METHODS
    return False


def _is_declaration(node: ast.AST) -> bool:
    match node:
        case ast.ClassDef(name="Meta"):
            return True
        case ast.Assign(value=ast.Call(func=ast.Attribute(value=ast.Name("models")))):
            return True
    return False


def _stretch(node: Any) -> tuple[Position, Position]:
    end = (node.end_lineno or node.lineno, node.end_col_offset or 0)
    return (node.lineno, node.col_offset), end


def _is_program(source: str) -> bool:
    try:
        ast.parse(source)
    except SyntaxError:
        return False
    return True
