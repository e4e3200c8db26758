"""Commands that a file of the project defines: scripts of npm, targets of make.

A command in a file that was read is as real as one that was run.
"""

import re
from collections.abc import Iterable, Iterator, Mapping

from verifyhub.engine.calls.call import Call
from verifyhub.engine.ledger.ledger import Ledger
from verifyhub.engine.ledger.sources import LedgerTier
from verifyhub.engine.reports import Evidence
from verifyhub.engine.text.tokens import word_set
from verifyhub.engine.types import Mention

_SCRIPTS = re.compile(r"\"(?:scripts|tasks)\"\s{0,20}:\s{0,20}\{")
_SCRIPT = re.compile(
    r"[\s,]{0,200}\"((?:[^\"\\]|\\.){1,200}+)\"\s{0,20}:\s{0,20}\"(?:[^\"\\]|\\.)*+\""
)
_TARGET = re.compile(r"^([\w./-]{1,200})[ \t]{0,20}:(?!=)", re.MULTILINE)
_MOST = 1_000
# The files with the definitions of a runner, and the words before the script's name.
_OF_PACKAGE = (
    ("npm", "run"), ("npm", "run-script"), ("yarn", "run"), ("pnpm", "run"),
    ("bun", "run"), ("yarn",), ("pnpm",),
)  # fmt: skip
_PLAIN_NPM = word_set("test start stop restart")
_MANIFESTS = {
    "package.json": _OF_PACKAGE,
    "composer.json": (("composer", "run"), ("composer", "run-script"), ("composer",)),
    "deno.json": (("deno", "task"),),
    "deno.jsonc": (("deno", "task"),),
}
_MAKEFILES = {
    "makefile": (("make",), ("gmake",)),
    "gnumakefile": (("make",), ("gmake",)),
    "justfile": (("just",),),
}


def ground_defined(
    mentions: Iterable[Mention], ledger: Ledger
) -> dict[Mention, tuple[Evidence, ...]]:
    """Find commands whose script or target is defined in a file that was read."""
    by_words = {tuple(mention.key.split()): mention for mention in mentions}
    if not by_words:
        return {}
    runners = {words[0] for words in by_words if words}
    texts: Mapping[int, str] | None = None
    results: dict[Mention, tuple[Evidence, ...]] = {}
    for words, call in _defined(ledger, runners):
        mention = by_words.get(words)
        if mention is None or mention in results:
            continue
        if texts is None:
            texts = {
                source.tool_call: source.text
                for source in ledger.sources
                if source.field == "output" and source.tier is LedgerTier.OBSERVED
            }
        name = words[-1]
        start = _place(texts.get(call, ""), name)
        if start >= 0:
            span = (start, start + len(name))
            results[mention] = (Evidence(tool_call=call, field="output", span=span),)
    return results


def _place(text: str, name: str) -> int:
    """Find the definition of a name: in quotes, or before a colon."""
    quoted = text.find(f'"{name}"')
    if quoted >= 0:
        return quoted + 1
    match = re.search(rf"(?<![\w./-]){re.escape(name)}[ \t]{{0,20}}:", text)
    return match.start() if match else -1


def _defined(
    ledger: Ledger, runners: set[str]
) -> Iterator[tuple[tuple[str, ...], int]]:
    """Yield the words of each command that a file defines, and the call that showed it.

    The last word is the name as it is spelled in the file.
    """
    files = {
        name: before
        for name, before in (_MANIFESTS | _MAKEFILES).items()
        if any(words[0] in runners for words in before)
    }
    contents = (
        content
        for entry in ledger.calls
        if files and _may_show(files, entry)
        for content in entry.contents
        if not content.is_line
    )
    for content in contents:
        name = content.path.replace("\\", "/").rpartition("/")[2].lower()
        before = files.get(name, ())
        if not before:
            continue
        names = _scripts if name in _MANIFESTS else _targets
        for target in names(content.text):
            for words in before:
                yield (*words, target), content.call
            if name == "package.json" and target in _PLAIN_NPM:
                yield ("npm", target), content.call


def _may_show(files: Iterable[str], entry: Call) -> bool:
    text = " ".join((*entry.paths, entry.command or "")).lower()
    return any(name in text for name in files)


def _scripts(text: str) -> Iterator[str]:
    opened = _SCRIPTS.search(text)
    place = opened.end() if opened else len(text)
    for _ in range(_MOST):
        match = _SCRIPT.match(text, place)
        if match is None:
            return
        yield match[1]
        place = match.end()


def _targets(text: str) -> Iterator[str]:
    for match, _ in zip(_TARGET.finditer(text), range(_MOST), strict=False):
        if not match[1].startswith("."):
            yield match[1]
