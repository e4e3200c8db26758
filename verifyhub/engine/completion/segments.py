"""Cut an answer into the sentences in which a claim can stand.

Code blocks, block quotes and HTML comments are left out: what stands there is shown,
not said. Inside a sentence, inline code and quoted speech are masked, so that a verb
in a file's name or in somebody else's words is no verb of the agent.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from verifyhub.engine.lazily import cached_property
from verifyhub.engine.types import Span

# A sentence longer than this is data; it is cut so that every pattern stays cheap.
SENTENCE_LIMIT = 1_200

_FENCE = re.compile(r"[ \t>]*(`{3,}|~{3,})")
_MARK = re.compile(
    r"[ \t]*(?:#{1,6}[ \t]+|(?:[-*+•]|\d{1,3}[.)])[ \t]+)?(?:\[[ xX]\][ \t]+)?"
)
# An unticked box is work still to do.
_OPEN_TASK = re.compile(
    r"[ \t]*(?:[-*+]|\d{1,3}[.)])[ \t]+\[ \][ \t]"
    r"|[ \t]*(?:(?:[-*+]|\d{1,3}[.)])[ \t]+)?[☐⬜🔲◻]"
)
_END = re.compile(r"[.!?…](?=[*_\"”»)\]]{0,4}(?:\s|$))")
_CODE = re.compile(r"`{1,2}([^`\n]{1,300})`{1,2}")
# A command without marks of code: "npm run build:web passed".
_CODED = r"(?=[^\s;,()]{0,80}(?:[-./:=_@][\w/]|\d))[^\s;,()`*]{1,120}(?<![.:!?])"
_BARE = re.compile(
    r"(?<![\w`/.-])(?:[A-Z_]{2,30}=\S{1,60} ){0,3}"
    r"(?:(?:(?:npm|pnpm|yarn|bun) run|python3? -m|npx) [\w:./-]{2,60}"
    r"|(?:npm|pnpm|yarn) (?:test|ci|install)"
    r"|git (?:push|commit|pull|rebase|merge|tag|fetch|stash)"
    r"|cargo (?:test|build|clippy|fmt|run|check)|go (?:test|build|vet|run)"
    r"|flutter (?:analyze|test|build)|dotnet (?:test|build)|uv (?:run|pip|sync)"
    r"|docker (?:build|compose|push|run)|terraform (?:plan|apply|validate|fmt)"
    rf"|(?:pytest|ruff|mypy|tsc|python3?|node|mvn|gradle)(?= {_CODED}))"
    rf"(?: (?:[a-z]{{2,20}} (?={_CODED}))?{_CODED}){{0,8}}(?![\w`/-])"
)
# Longer lines are data, and no commands are looked for in them.
_LINE = 10_000
_SPEECH = re.compile(
    r"\"[^\"\n]{3,300}\"|“[^“”\n]{2,300}”|«[^«»\n]{2,300}»|„[^„“”\n]{2,300}[“”]"
)
_QUOTE = re.compile(r"[\"“«„]")
_LINK_TARGET = re.compile(r"\]\([^()\s]{1,500}\)")
_FILE = re.compile(
    r"(?<![\w/.@~-])[\w@.~/-]{0,120}\w\.[A-Za-z][A-Za-z0-9]{0,5}(?::\d{1,6})?(?![\w(])"
)
_ABBREVIATION = re.compile(
    r"(?:\b(?:e\.g|i\.e|etc|vs|z\.B|d\.h|т\.е|т\.д|руб|ул|[Dd]ra?|Mrs?|Ms|Prof|Nr"
    r"|Sra?|Srta|[Rr][ée]f|[Tt][ée]l|Mme|Mlle|Hr|Fr|Ing|Lic|incl|excl|approx|resp|cf|inkl|bzw"
    r"|(?<!\d )[^\W\d]))\.$"
)
# "am 5. März", "v. 3. the": the point makes an ordinal, or a new item begins.
_ORDINAL = re.compile(
    r"\b\d{1,2}\.[ \u00a0](?=[a-zß-ÿа-яё]|(?:Jan|Feb|Mär|Apr|Mai|Jun|Jul|Aug|Sep|Okt"
    r"|Nov|Dez)[a-zä]{0,6}\b)"
)
# What stands for a part of the answer that the trace left out.
_LEFT_OUT = re.compile(
    r"\W{0,9}\d{1,9} (?:more )?(?:line|character|char|word|token)s?"
    r" (?:were )?(?:trimmed|truncated|omitted)\W{0,9}\Z"
)
# Characters of the line that introduces a list.
_INTRO = 200
CODE_MARK = "\ue000"
SPEECH_MARK = "\ue001"


@dataclass(frozen=True, kw_only=True)
class Sentence:
    """One sentence, list item or table row.

    `prose` and `masked` have the length of `text`; in them inline code is `CODE_MARK`
    and quoted speech is `SPEECH_MARK`, in `masked` every file name is a mark too.
    `codes` are the contents of the inline code. `heading` is the heading that it
    stands under, in lower case; `item`: it is in a list; `intro` is the line that ended
    in a colon before that list, or of a table the heading and first row; `introduced`
    is the inline code of that line. `above` is the line right above it in the outline:
    the item that it is indented under, else the line that introduces it, else its
    heading; `lead` is the line before that list, whatever it is. `ticked`: a box before
    it is.
    """

    text: str
    span: Span
    prose: str
    heading: str = ""
    item: bool = False
    intro: str = ""
    introduced: tuple[str, ...] = ()
    above: str = ""
    lead: str = ""
    ticked: bool = False

    @cached_property
    def masked(self) -> str:
        return mask_names(self.prose)

    @cached_property
    def codes(self) -> tuple[str, ...]:
        return tuple(code for _, code in self.codes_at())

    def codes_at(self) -> Iterator[tuple[int, str]]:
        """Yield each inline code with its offset in the sentence."""
        if CODE_MARK not in self.prose:
            return
        found = [(match.start(), match[1]) for match in _CODE.finditer(self.text)]
        unmarked = _CODE.sub(_mask_code, self.text)
        found += [
            (match.start(), match[0])
            for match in _BARE.finditer(unmarked)
            if self.prose.startswith(CODE_MARK, match.start())
        ]
        yield from sorted(found)


def sentences(answer: str) -> Iterator[Sentence]:
    """Yield every sentence outside code blocks and block quotes, in order."""
    heading, intro, fence, start, header = "", "", "", 0, ""
    introduced: tuple[str, ...] = ()
    outline = _Outline()
    lead = ""
    for line in answer.splitlines(keepends=True):
        begin, start = start, start + len(line)
        stripped = line.lstrip()
        if not stripped:
            continue
        opened = _FENCE.match(line)
        if opened and (not fence or opened[1].startswith(fence)):
            fence = "" if fence else opened[1][:3]
            continue
        if fence or stripped.startswith((">", "<!--")):
            continue
        if stripped.startswith("#"):
            heading, intro = line.strip("#* \t\r\n").lower(), ""
            outline.head(line.strip("# \t\r\n"))
            lead = ""
        mark = _MARK.match(line)
        offset = mark.end() if mark else 0
        item = bool(mark and mark.group().strip())
        row, above = stripped.startswith("|"), header
        header = (above or f"{heading} {stripped.lower()}") if row else ""
        if not item:
            plain_line = line.strip("#*_ \t\r\n")
            # A line in bold is a heading as well: "**Validation**".
            is_title = plain_line.endswith(":") or stripped.startswith(("**", "__"))
            intro = plain_line.lower()[-_INTRO:] if is_title else ""
            introduced = tuple(_CODE.findall(plain_line[-_INTRO:])) if is_title else ()
            outline.introduce(line.strip() if is_title else "")
            lead = line.strip()[-_INTRO:]
        if _OPEN_TASK.match(line) or _LEFT_OUT.match(line):
            continue
        line = line.rstrip()
        above_item = ""
        if item and not stripped.startswith("#"):
            above_item = outline.list(len(line) - len(stripped.rstrip()), line[offset:])
        for prose, first, last in _parts(line, offset):
            yield Sentence(
                text=line[first:last],
                span=(begin + first, begin + last),
                prose=prose,
                heading=heading,
                item=item,
                intro=intro if item else above[-_INTRO:] if row else "",
                introduced=introduced if item else (),
                above=above_item,
                lead=lead if item else "",
                ticked=bool(mark and "[x]" in mark.group().lower()),
            )


class _Outline:
    """The lines that the items of lists stand under."""

    def __init__(self) -> None:
        self._heading = self._title = ""
        self._items: list[tuple[int, str]] = []

    def head(self, line: str) -> None:
        """Begin what stands under a heading."""
        self._heading = line[:_INTRO]
        self.introduce("")

    def introduce(self, line: str) -> None:
        """Begin what stands under a line that introduces a list, or under none."""
        self._title = line[-_INTRO:] or self._heading
        self._items.clear()

    def list(self, indent: int, line: str) -> str:
        """Add an item, and return the line that it stands under."""
        while self._items and self._items[-1][0] >= indent:
            self._items.pop()
        above = self._items[-1][1] if self._items else self._title
        self._items.append((indent, line[-_INTRO:]))
        return above


def _parts(line: str, offset: int) -> Iterator[tuple[str, int, int]]:
    """Yield the sentences of a line, masked, and where each stands in it."""
    masked = mask(line)
    if masked.startswith("|", offset):
        # A row of a table is one sentence, its cells are parted like clauses.
        masked, offset = masked.replace("|", "—"), offset + 1
        yield _trimmed(line, masked, offset, len(line))
        return
    for first, last in _sentence_ends(masked, offset, len(masked)):
        if line[first:last].strip(" *_|-"):
            yield _trimmed(line, masked, first, last)


def _trimmed(line: str, masked: str, first: int, last: int) -> tuple[str, int, int]:
    last = min(last, first + SENTENCE_LIMIT)
    while first < last and line[first].isspace():
        first += 1
    while last > first and line[last - 1].isspace():
        last -= 1
    return masked[first:last], first, last


def lowered(text: str) -> str:
    """Return `text` in lower case at its own length, so that offsets keep."""
    plain = text.lower()
    if len(plain) == len(text):
        return plain
    return "".join(char.lower() if len(char.lower()) == 1 else char for char in text)


def mask(line: str) -> str:
    """Replace inline code and quoted speech by marks, keeping every offset."""
    if "`" in line:
        line = _CODE.sub(_mask_code, line)
    if len(line) <= _LINE:
        line = _BARE.sub(_mask_code, line)
    return _SPEECH.sub(_mask_speech, line) if _QUOTE.search(line) else line


def mask_names(masked: str) -> str:
    """Replace link targets and file names outside code too: `[committed.go](...)`."""
    if "](" in masked:
        masked = _LINK_TARGET.sub(lambda match: " " * len(match.group()), masked)
    # The point of a file's name is no last character.
    return _FILE.sub(_mask_file, masked) if "." in masked[:-1] else masked


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
        if _ORDINAL.search(masked, max(start, match.end() - 3), match.end() + 12):
            continue
        end = match.end()
        while end < last and masked[end] in '*_"”»)]':
            end += 1
        yield start, end
        start = end
    if start < last:
        yield start, last
