"""Cut an answer into the sentences in which a claim can stand.

Code blocks, block quotes and HTML comments are left out: what stands there is shown,
not said. Inside a sentence, inline code and quoted speech are masked, so that a verb
in a file's name or in somebody else's words is no verb of the agent.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from verifyhub.engine.types import Span

# A sentence longer than this is data; it is cut so that every pattern stays cheap.
SENTENCE_LIMIT = 1_200

_FENCE = re.compile(r"[ \t>]*(`{3,}|~{3,})")
_MARK = re.compile(
    r"[ \t]*(?:#{1,6}[ \t]+|(?:[-*+•]|\d{1,3}[.)])[ \t]+)?(?:\[[ xX]\][ \t]+)?"
)
# An unticked box is work still to do.
_OPEN_TASK = re.compile(r"[ \t]*(?:[-*+]|\d{1,3}[.)])[ \t]+\[ \][ \t]")
_END = re.compile(r"[.!?…](?=[*_\"”»)\]]{0,4}(?:\s|$))")
_CODE = re.compile(r"`{1,2}([^`\n]{1,300})`{1,2}")
_SPEECH = re.compile(
    r"\"[^\"\n]{3,300}\"|“[^“”\n]{2,300}”|«[^«»\n]{2,300}»|„[^„“”\n]{2,300}[“”]"
)
_LINK_TARGET = re.compile(r"\]\([^()\s]{1,500}\)")
_FILE = re.compile(
    r"(?<![\w/.@~-])[\w@.~/-]{0,120}\w\.[A-Za-z][A-Za-z0-9]{0,5}(?::\d{1,6})?(?![\w(])"
)
_ABBREVIATION = re.compile(r"(?:\b(?:e\.g|i\.e|etc|vs|z\.B|d\.h|т\.е|т\.д|\w))\.$")
# Characters of the line that introduces a list.
_INTRO = 200
CODE_MARK = "\ue000"
SPEECH_MARK = "\ue001"


@dataclass(frozen=True, slots=True, kw_only=True)
class Sentence:
    """One sentence, list item or table row.

    `prose` and `masked` have the length of `text`; in them inline code is `CODE_MARK`
    and quoted speech is `SPEECH_MARK`, in `masked` every file name is a mark too.
    `codes` are the contents of the inline code. `heading` is the heading that it
    stands under, in lower case; `item`: it is in a list; `intro` is the line that ended
    in a colon before that list.
    """

    text: str
    span: Span
    masked: str
    prose: str
    codes: tuple[str, ...]
    heading: str = ""
    item: bool = False
    intro: str = ""

    def codes_at(self) -> Iterator[tuple[int, str]]:
        """Yield each inline code with its offset in the sentence."""
        for match in _CODE.finditer(self.text):
            yield match.start(), match[1]


def sentences(answer: str) -> Iterator[Sentence]:
    """Yield every sentence outside code blocks and block quotes, in order."""
    heading, intro, fence, start = "", "", "", 0
    for line in answer.splitlines(keepends=True):
        opened = _FENCE.match(line)
        begin, start = start, start + len(line)
        if opened and (not fence or opened[1].startswith(fence)):
            fence = "" if fence else opened[1][:3]
            continue
        if fence or line.lstrip().startswith((">", "<!--")):
            continue
        if line.lstrip().startswith("#"):
            heading, intro = line.strip("#* \t\r\n").lower(), ""
        mark = _MARK.match(line)
        if not (mark and mark.group().strip()) and line.strip():
            said = line.strip("#*_ \t\r\n").lower()
            intro = said[-_INTRO:] if said.endswith(":") else ""
        for sentence in _line(line.rstrip(), begin, heading):
            yield replace(sentence, intro=intro) if sentence.item else sentence


def _line(line: str, begin: int, heading: str) -> Iterator[Sentence]:
    if _OPEN_TASK.match(line):
        return
    mark = _MARK.match(line)
    offset = mark.end() if mark else 0
    item = bool(mark and mark.group().strip())
    masked = mask(line)
    if masked[offset:].startswith("|"):
        # A row of a table is one sentence, its cells are parted like clauses.
        masked, offset = masked.replace("|", "—"), offset + 1
        yield _sentence(line, masked, (offset, len(line)), begin, heading, item)
        return
    for left, right in _sentence_ends(masked, offset, len(masked)):
        if line[left:right].strip(" *_|-"):
            yield _sentence(line, masked, (left, right), begin, heading, item)


def _sentence(
    line: str, masked: str, at: Span, begin: int, heading: str, item: bool
) -> Sentence:
    left, right = at[0], min(at[1], at[0] + SENTENCE_LIMIT)
    while left < right and line[left].isspace():
        left += 1
    while right > left and line[right - 1].isspace():
        right -= 1
    return Sentence(
        text=line[left:right],
        span=(begin + left, begin + right),
        masked=mask_names(masked[left:right]),
        prose=masked[left:right],
        codes=tuple(match[1] for match in _CODE.finditer(line[left:right])),
        heading=heading,
        item=item,
    )


def mask(line: str) -> str:
    """Replace inline code and quoted speech by marks, keeping every offset."""
    return _SPEECH.sub(_mask_speech, _CODE.sub(_mask_code, line))


def mask_names(masked: str) -> str:
    """Replace link targets and file names outside code too: `[committed.go](...)`."""
    linked = _LINK_TARGET.sub(lambda match: " " * len(match.group()), masked)
    return _FILE.sub(_mask_file, linked)


def _mask_code(match: re.Match[str]) -> str:
    return CODE_MARK * len(match.group())


def _mask_file(match: re.Match[str]) -> str:
    name = match.group()
    # `e.g`, `v1.2` and the end of a sentence without a blank are no files.
    return _mask_code(match) if len(name) > 4 and not name[0].isdigit() else name


def _mask_speech(match: re.Match[str]) -> str:
    # A quoted name is a name: only several words are speech.
    inner = match.group()
    return SPEECH_MARK * len(inner) if " " in inner.strip() else inner


def _sentence_ends(masked: str, first: int, last: int) -> Iterator[Span]:
    start = first
    for match in _END.finditer(masked, first, last):
        if _ABBREVIATION.search(masked[max(start, match.end() - 6) : match.end()]):
            continue
        end = match.end()
        while end < last and masked[end] in '*_"”»)]':
            end += 1
        yield start, end
        start = end
    if start < last:
        yield start, last
