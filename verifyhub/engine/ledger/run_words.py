"""The words by which a call names what it runs."""

import re
from collections.abc import Iterator

from verifyhub.engine.calls.call import Call
from verifyhub.engine.calls.deed_words import stem
from verifyhub.engine.calls.programs import ProgramRole
from verifyhub.engine.calls.tools import ToolKind
from verifyhub.engine.text.tokens import word_set

_WORD = re.compile(r"[^\W\d_]{3,40}")
_LONGEST = 300
# Words of any command line, and of any description of one.
_COMMON = word_set(
    """
    run runs test tests check checks build builds all the and for with from into then
    file files code script scripts command commands project bin src lib app apps
    package packages module modules main dev prod usr home root tmp path dir out output
    input head tail cat grep echo exec set get new old show list print see verify
    bash python node npm npx pnpm yarn bun uvx uv pip poetry docker compose make git
    true false null exit dev config data local
    """
)
_ASIDE = ProgramRole.PREPARES | ProgramRole.VERSIONS
_STEMS = frozenset(map(stem, _COMMON)) | _COMMON


def run_words(entry: Call) -> Iterator[str]:
    """Yield the stems of the words of a call that runs something."""
    ran = [part for part in entry.commands if not (part.looks or part.role & _ASIDE)]
    if not ran and (entry.commands or entry.kind is not ToolKind.OTHER):
        return
    texts = [part.text[:_LONGEST] for part in ran if not part.runs_inline]
    texts.append(str(entry.call.input.get("description", ""))[:_LONGEST])
    if not entry.commands:
        texts.append(entry.call.tool)
    for text in texts:
        for word in _WORD.findall(text.lower()):
            root = stem(word)
            if root not in _STEMS:
                yield root
