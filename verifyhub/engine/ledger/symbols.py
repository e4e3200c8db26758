"""Symbols that content shows the definition of: types, functions and methods."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from verifyhub.engine.calls.content import Content
from verifyhub.engine.ledger.symbol_lines import extension_of, scan_lines
from verifyhub.engine.text.tokens import word_set

_CODE = word_set(
    """
    py pyi js jsx mjs cjs ts tsx mts cts vue svelte go rs java kt kts cs swift scala
    dart php rb c h cc cpp hpp m mm ex exs lua zig
    """
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Symbol:
    """One definition that a call showed.

    `kind` is class, function or method; a method's `parent` is its class, "" where the
    content does not show it. `line` is that of the file, None where nobody says.
    """

    call: int
    name: str
    kind: str
    parent: str
    path: str
    line: int | None


def read_symbols(contents: Iterable[Content]) -> Iterator[Symbol]:
    """Yield the definitions in what was read, in order."""
    for content in contents:
        extension = extension_of(content.path)
        if extension not in _CODE:
            continue
        for symbol in scan_lines(content.text, extension):
            yield Symbol(
                call=content.call,
                name=symbol.name,
                kind=symbol.kind,
                parent=symbol.parent,
                path=content.path,
                line=None if content.line is None else content.line + symbol.line,
            )
