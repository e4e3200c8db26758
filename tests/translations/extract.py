"""What of the program's text is there to be translated: templates and Python alike.

Django's own templates are parsed by Django, Python by its own parser; GNU gettext is
not needed. Every text is found with the place it stands at.
"""

import ast
import functools
import re
from collections.abc import Iterator
from dataclasses import dataclass
from html.parser import HTMLParser
from pathlib import Path

from django.template import engines
from django.template.base import Lexer, TokenType
from django.templatetags.i18n import BlockTranslateNode, TranslateNode

from tests.architecture.tree import CHECKOUT
from verifyhub.engine.decisions import reason_words
from verifyhub.engine.faults import FAULTS
from verifyhub.engine.layers.reasons import LAYER_REASONS
from verifyhub.engine.memory.lifecycle import RETIRED_REASONS
from verifyhub.engine.mitigation.compare import OBJECTION_WORDS
from verifyhub.engine.mitigation_results import REASON_WORDS

PACKAGE = CHECKOUT / "verifyhub"
TEMPLATES = PACKAGE / "templates"
# The engine knows no framework; the server translates its tables by their English.
ENGINE_TABLES = {
    "decisions/reason_words": reason_words.CHECK_REASONS,
    "faults": FAULTS,
    "layers/reasons": LAYER_REASONS,
    "memory/lifecycle": RETIRED_REASONS,
    "mitigation/compare": OBJECTION_WORDS,
    "mitigation_results": REASON_WORDS,
}
# Name of the function -> where its singular, plural and context stand.
FUNCTIONS = {
    "gettext": (0, None, None),
    "gettext_lazy": (0, None, None),
    "gettext_noop": (0, None, None),
    "ngettext": (0, 1, None),
    "ngettext_lazy": (0, 1, None),
    "pgettext": (1, None, 0),
    "pgettext_lazy": (1, None, 0),
    "npgettext": (1, 2, 0),
    "npgettext_lazy": (1, 2, 0),
}
MODULE = "django.utils.translation"
# What the engine says through an object that the app gives it (engine.explain).
SPEAKER = "words"
# Constants that tags and filters are given: {% badge state _("Revoked") %}.
MARKED = re.compile(r"""_\(\s*(?:"([^"]*)"|'([^']*)')\s*\)""")


@dataclass(frozen=True, slots=True, order=True)
class Message:
    """A text to translate; `plural` and `context` are empty where there is none."""

    singular: str
    plural: str = ""
    context: str = ""


@functools.cache
def messages() -> dict[Message, list[str]]:
    """Return every text with the places it stands at, in order."""
    found: dict[Message, list[str]] = {}
    for message, place in _all():
        places = found.setdefault(message, [])
        if place not in places:
            places.append(place)
    return dict(sorted(found.items()))


def template_files() -> list[Path]:
    return sorted(
        file for kind in ("html", "txt") for file in TEMPLATES.rglob(f"*.{kind}")
    )


def _all() -> Iterator[tuple[Message, str]]:
    for file in template_files():
        place = str(file.relative_to(CHECKOUT))
        for message in in_template(file.read_text(encoding="utf-8")):
            yield message, place
    for file in sorted(PACKAGE.rglob("*.py")):
        place = str(file.relative_to(CHECKOUT))
        for message in in_python(file.read_text(encoding="utf-8")):
            yield message, place
    for place, table in ENGINE_TABLES.items():
        for text in table.values():
            yield Message(text), f"verifyhub/engine/{place}.py"


def in_template(source: str) -> Iterator[Message]:
    """Yield what a template marks: tags, blocks and constants of tags."""
    template = engines["django"].from_string(source).template
    for node in template.nodelist.get_nodes_by_type(
        (TranslateNode, BlockTranslateNode)
    ):
        if isinstance(node, BlockTranslateNode):
            yield _of_block(node)
        else:
            context = node.message_context
            text = node.filter_expression.var
            # Django looks a constant up with its percent signs doubled.
            yield Message(
                str(text.literal).replace("%", "%%"),
                context=str(context.var) if context else "",
            )
    for token in Lexer(source).tokenize():
        if token.token_type != TokenType.TEXT:
            for match in MARKED.finditer(token.contents):
                yield Message((match.group(1) or match.group(2)).replace("%", "%%"))


def _of_block(node: BlockTranslateNode) -> Message:
    singular = node.render_token_list(node.singular)[0]
    plural = node.render_token_list(node.plural)[0] if node.plural else ""
    context = str(node.message_context.var) if node.message_context else ""
    return Message(singular, plural, context)


def in_python(source: str) -> Iterator[Message]:
    """Yield the constant texts that a module hands to functions of gettext."""
    tree = ast.parse(source)
    names = {
        alias.asname or alias.name: alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module == MODULE
        for alias in node.names
        if alias.name in FUNCTIONS
    }
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        function = _function(node.func, names)
        if function not in FUNCTIONS:
            continue
        places = FUNCTIONS[function]
        texts = [_constant(node, at) for at in places]
        if texts[0]:
            yield Message(texts[0], texts[1], texts[2])


def _function(called: ast.expr, names: dict[str, str]) -> str:
    """Return the name of the function of gettext that is called, if it is one."""
    if isinstance(called, ast.Name):
        return names.get(called.id, "")
    if isinstance(called, ast.Attribute) and isinstance(called.value, ast.Name):
        return called.attr if called.value.id == SPEAKER else ""
    return ""


def _constant(call: ast.Call, at: int | None) -> str:
    if at is None or at >= len(call.args):
        return ""
    value = call.args[at]
    is_text = isinstance(value, ast.Constant) and isinstance(value.value, str)
    return value.value if is_text else ""


class _Words(HTMLParser):
    """Collect the text between tags and in the attributes that people read."""

    READ = ("aria-label", "title", "placeholder", "alt", "data-label")
    # Shown as they are: code, and what is no text at all.
    RAW = ("code", "pre", "kbd", "script", "style")

    def __init__(self) -> None:
        super().__init__()
        self.words: list[str] = []
        self._raw = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._raw += tag in self.RAW
        self.words += [value for name, value in attrs if name in self.READ and value]

    def handle_endtag(self, tag: str) -> None:
        self._raw -= tag in self.RAW

    def handle_data(self, data: str) -> None:
        if not self._raw:
            self.words.append(data)


def unmarked(source: str) -> list[str]:
    """Return the words of a template that no mark makes translatable."""
    text = []
    is_marked = is_comment = False
    for token in Lexer(source).tokenize():
        word = token.contents.split(None, 1)[0] if token.contents.strip() else ""
        if token.token_type == TokenType.BLOCK:
            is_marked = word == "blocktranslate" or (
                is_marked and word != "endblocktranslate"
            )
            is_comment = word == "comment" or (is_comment and word != "endcomment")
        if token.token_type == TokenType.TEXT and not (is_marked or is_comment):
            text.append(token.contents)
        elif not (is_marked or is_comment):
            # Whatever it shows, it is one word that needs no translation.
            text.append("\N{REPLACEMENT CHARACTER}")
    parser = _Words()
    parser.feed("".join(text))
    found = [re.sub(r"[^A-Za-z ]+", " ", words).split() for words in parser.words]
    return [" ".join(words) for words in found if any(len(one) > 1 for one in words)]
