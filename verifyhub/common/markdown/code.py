"""Highlighting of code as CSS classes; the text itself is never changed."""

from collections.abc import Iterator
from time import perf_counter

from pygments.lexer import Lexer
from pygments.lexers import get_lexer_by_name
from pygments.token import STANDARD_TYPES, Token
from pygments.util import ClassNotFound

# Lexers are regular expressions by many authors. Only those of common languages are
# used, on blocks and lines of a size for which a single match was measured to be fast.
_SHELLS = "bash docker dockerfile make makefile powershell sh shell zsh"
_DATA = "diff graphql html ini json jsonc sql toml xml yaml yml"
_WEB = "css javascript js jsx php scss ts tsx typescript vue"
_PROGRAMS = (
    "c c++ cpp cs csharp go java kotlin lua py py3 python python3 rb ruby rs rust"
    " scala swift"
)
LANGUAGES = frozenset(f"{_SHELLS} {_DATA} {_WEB} {_PROGRAMS}".split())
MAX_CODE = 8_000
MAX_SECONDS = 0.3
MAX_LINE = 400
# Pygments' token types that have a colour.
CLASSES = (
    (Token.Comment, "hl-comment"),
    (Token.Literal.String, "hl-string"),
    (Token.Literal.Number, "hl-number"),
    (Token.Keyword, "hl-keyword"),
    (Token.Operator.Word, "hl-keyword"),
    (Token.Name.Function, "hl-name"),
    (Token.Name.Class, "hl-name"),
    (Token.Name.Decorator, "hl-name"),
    (Token.Name.Tag, "hl-keyword"),
    (Token.Name.Attribute, "hl-name"),
    (Token.Name.Builtin, "hl-builtin"),
    (Token.Generic.Inserted, "hl-inserted"),
    (Token.Generic.Deleted, "hl-deleted"),
    (Token.Generic.Subheading, "hl-comment"),
    (Token.Generic.Heading, "hl-comment"),
)
CLASS_OF = {
    kind: next((css for root, css in CLASSES if kind in root), "")
    for kind in STANDARD_TYPES
}
Part = tuple[int, int, str]


class Colours:
    """Colours the code blocks of one text, within a common time budget.

    Some lexers need quadratic time for malicious text. They return between tokens, so
    the budget is enforced; code beyond it has no colours.
    """

    def __init__(self) -> None:
        self._left = MAX_SECONDS

    def parts(self, code: str, language: str) -> Iterator[Part]:
        """Split code into parts of one colour.

        Args:
            code: Hostile text.
            language: The fence's info string, in any case; unknown languages have no
                colours.

        Yields:
            Half-open ranges with a class, in order, which together cover all of the
            code.
        """
        at, css = 0, ""
        for start, change in self._changes(code, language.lower()):
            if start > at:
                yield at, start, css
            at, css = start, change
        if at < len(code):
            yield at, len(code), css

    def _changes(self, code: str, language: str) -> Iterator[tuple[int, str]]:
        lexer = _lexer(code, language)
        if lexer is None or self._left <= 0:
            return
        began, css = perf_counter(), ""
        for start, kind, value in lexer.get_tokens_unprocessed(code):
            if perf_counter() - began > self._left:
                yield start, ""
                break
            while kind not in CLASS_OF and kind.parent is not None:
                kind = kind.parent
            style = CLASS_OF.get(kind, "")
            if style != css and value:
                yield start, style
                css = style
        self._left -= perf_counter() - began


def _lexer(code: str, language: str) -> Lexer | None:
    if language not in LANGUAGES or len(code) > MAX_CODE:
        return None
    if any(len(line) > MAX_LINE for line in code.split("\n")):
        return None
    try:
        return get_lexer_by_name(language)
    except ClassNotFound:
        return None
