"""Read definitions in source code: types, functions and methods."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from verifyhub.engine.calls.content import Content
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

    `kind` is class, function or method; the `parent` of a method is its class, "" if
    the content does not show it. `line` is the line in the file, None if unknown.
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


# Definitions found line by line: for parts of files, search results, any language.
#
# Each line is matched once. The class of a method is the last type definition above it
# with less indentation; it is unknown if the content begins inside a class.

# Longer lines are data.
LINE_LIMIT = 300
_MODIFIERS = (
    r"(?:(?:export|default|public|private|protected|internal|static|abstract|final"
    r"|override|async|readonly|declare|sealed|partial|data|open|inline|const|unsafe"
    r"|pub(?:\([a-z: ]{1,20}\))?|virtual|suspend|extern|synchronized) ){0,6}"
)
_NAME = r"([A-Za-z_$][\w$]{0,99}+)"
_TYPE = re.compile(
    r"[ \t]*+" + _MODIFIERS + r"(class|interface|enum|struct|trait|record|object|module"
    r"|namespace|protocol|union|mod|type)\s{1,4}" + _NAME + r"(?!,)"
)
_FUNCTION = re.compile(
    r"[ \t]*+"
    + _MODIFIERS
    + r"(?:def|fn|fun|func|function\*?|sub)\s{1,4}(?:self\.)?"
    + _NAME
)
_GO_METHOD = re.compile(
    r"func \((?:\w{1,60} )?\*?(\w{1,99})(?:\[[^\]]{0,99}\])?\) (\w{1,99})\("
)
_GO_TYPE_IN_BLOCK = re.compile(r"[ \t]++(\w{1,99}) (?:struct|interface) \{")
_RUST_IMPL = re.compile(
    r"[ \t]*+(?:unsafe )?impl(?:<[^>]{0,99}>)? (?:[\w:<>, ']{1,99} for )?(\w{1,99})"
)
_JS_VALUE = re.compile(
    r"[ \t]*+(?:export )?(?:const|let|var) "
    + _NAME
    + r"(?::[^=]{1,200})? = (?:async )?(?:function\b|\w{1,60} =>|\([^)]{0,200}\)"
    r"[^=]{0,100}=>|\(\{?$)"
)
_MEMBER = re.compile(
    r"[ \t]++"
    + _MODIFIERS
    + r"(?:(?:get|set) )?(?:[\w.<>\[\],?]{1,80} )?#?"
    + _NAME
    + r"(?:<[^>()]{0,80}>)?\("
)
_KEYWORDS = frozenset(
    (
        "if", "for", "while", "switch", "catch", "return", "else", "function", "with",
        "try", "do", "match", "loop", "when", "synchronized", "using", "foreach",
        "describe", "it", "test", "func", "fn", "new", "await", "elif", "select",
        "throw", "yield", "case", "typeof", "delete", "constructor", "super",
    )
)  # fmt: skip
_JAVASCRIPT = frozenset({"js", "jsx", "mjs", "cjs", "ts", "tsx", "mts", "cts", "vue"})
_BRACES = _JAVASCRIPT | {"java", "cs", "kt", "php", "scala", "dart", "swift", "cpp"}


@dataclass(frozen=True, slots=True)
class SymbolDefinition:
    """A name that a line defines; `line` counts from 0, `parent` is its type's name."""

    name: str
    kind: str
    parent: str
    line: int


def scan_lines(text: str, extension: str) -> Iterator[SymbolDefinition]:
    """Yield the definitions in the lines of a text.

    Args:
        text: Content of a file, or a part of it.
        extension: The extension of the file, in lower case without the dot.
    """
    around: list[tuple[int, str]] = []
    for number, line in enumerate(text.splitlines()):
        line = line[:LINE_LIMIT].rstrip()
        bare = line.lstrip()
        if not bare or bare[0] in "#/*\"'":
            continue
        depth = len(line) - len(bare)
        while around and around[-1][0] >= depth and bare[0] not in "})":
            around.pop()
        parent = around[-1][1] if around else ""
        symbol = _definition(line, extension, parent, number)
        if symbol is None:
            continue
        if symbol.kind != "impl":
            yield symbol
        if symbol.kind in {"class", "impl"}:
            around.append((depth, symbol.name))


def _definition(
    line: str, extension: str, parent: str, number: int
) -> SymbolDefinition | None:
    if extension == "go" and (match := _GO_METHOD.match(line)):
        return SymbolDefinition(match[2], "method", match[1], number)
    if match := _FUNCTION.match(line):
        return SymbolDefinition(
            match[1], "method" if parent else "function", parent, number
        )
    if (match := _TYPE.match(line)) and (extension != "py" or match[1] == "class"):
        return SymbolDefinition(match[2], "class", parent, number)
    if extension == "rs" and (match := _RUST_IMPL.match(line)):
        return SymbolDefinition(match[1], "impl", parent, number)
    if extension == "go" and (match := _GO_TYPE_IN_BLOCK.match(line)):
        return SymbolDefinition(match[1], "class", parent, number)
    if extension in _JAVASCRIPT and (match := _JS_VALUE.match(line)):
        return SymbolDefinition(
            match[1], "method" if parent else "function", parent, number
        )
    if extension in _BRACES and line.endswith("{") and "=>" not in line:
        match = _MEMBER.match(line)
        first = line.split(None, 1)[0].partition("(")[0]
        if match and ")" in line and not {match[1], first} & _KEYWORDS:
            return SymbolDefinition(match[1], "method", parent, number)
    return None


def extension_of(path: str) -> str:
    """Return a path's extension in lower case, without the dot."""
    return path.rpartition("/")[2].rpartition(".")[2].lower()
