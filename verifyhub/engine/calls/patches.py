"""Patches in an agent's own words: their actions on files, and the new content.

Three formats: `*** Begin Patch` (Codex), unified diffs (`git apply`, `patch`) and the
`structuredPatch` in results of Claude Code. If the text before is known, the text after
is computed; a hunk that fits nowhere, or in two places, gives no text.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from verifyhub.engine.calls.inputs import string_leaves

BEGIN = "*** Begin Patch"
_CODEX_FILE = re.compile(r"\*\*\* (Add|Update|Delete) File: ([^\n]{1,1000})")
_CODEX_MOVE = "*** Move to: "
_UNIFIED_HEAD = re.compile(r"(?:diff --git |--- |Index: )")
_UNIFIED_OLD = re.compile(r"--- (?:a/)?([^\n\t]{1,1000})")
_UNIFIED_NEW = re.compile(r"\+\+\+ (?:b/)?([^\n\t]{1,1000})")
_NOWHERE = "/dev/null"
# Two headers of one hunk may differ in its beginning.
_HUNK = re.compile(r"@@ -(\d{1,9})")
_BODY_MARKS = frozenset({" ", "+", "-", "\\", ""})
# Maximum places of a file at which a hunk is tried.
_MOST_TRIES = 50


class PatchAction(StrEnum):
    """The action of a patch on a file."""

    ADD = "add"
    UPDATE = "update"
    DELETE = "delete"


@dataclass(frozen=True, slots=True)
class Hunk:
    """One change: the required lines, and their replacement.

    `start` is the first line, from 1; None if the patch does not contain it.
    """

    before: tuple[str, ...]
    after: tuple[str, ...]
    start: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class FilePatch:
    """A patch of one file; `moved_to` is its new path, if there is one."""

    path: str
    action: PatchAction
    hunks: tuple[Hunk, ...] = ()
    moved_to: str = ""

    @property
    def paths(self) -> tuple[str, ...]:
        """Its path, and its new path if there is one."""
        return (self.path, self.moved_to) if self.moved_to else (self.path,)

    @property
    def removed(self) -> tuple[str, ...]:
        return tuple("\n".join(hunk.before) for hunk in self.hunks)

    @property
    def added(self) -> tuple[str, ...]:
        return tuple("\n".join(hunk.after) for hunk in self.hunks)

    def apply(self, text: str | None) -> str | None:
        """Return the file's text afterwards; None if it is unknown.

        Args:
            text: The text before; None if it is unknown.
        """
        if self.action is PatchAction.ADD:
            lines = [line for hunk in self.hunks for line in hunk.after]
            return "".join(f"{line}\n" for line in lines)
        if self.action is PatchAction.DELETE or text is None or not self.hunks:
            return None
        return _applied(text, self.hunks)


def is_patch(text: str) -> bool:
    """Return whether a text begins with a patch."""
    head = text[:200].lstrip()
    return head.startswith((BEGIN, "--- ", "diff --git ")) or _is_bare(head)


def _is_bare(head: str) -> bool:
    """Whether a Codex patch begins without its first line, as some logs keep it."""
    return _CODEX_FILE.match(head) is not None


def read_patch(text: str) -> tuple[FilePatch, ...]:
    """Return the patches of each file; empty if the text is not a patch.

    A Codex patch may be anywhere in a command; a unified diff is read from the
    beginning of the text.
    """
    start = text.find(BEGIN)
    if start >= 0 or _is_bare(text[:200].lstrip()):
        return tuple(_codex(text[max(start, 0) :].splitlines()))
    if _UNIFIED_HEAD.match(text.lstrip()[:20]):
        return tuple(_unified(text.splitlines()))
    return ()


def patch_paths(data: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the files of a patch inside an input."""
    texts = (text for _, text in string_leaves(data) if is_patch(text))
    patches = (patch for text in texts for patch in read_patch(text))
    return tuple(path for patch in patches for path in patch.paths)


def structured_patch(data: Mapping[str, Any]) -> FilePatch | None:
    """Read the result of an edit by Claude Code; None for any other text."""
    path, hunks = data.get("filePath"), data.get("structuredPatch")
    if not isinstance(path, str) or not isinstance(hunks, list):
        return None
    read = [_structured_hunk(hunk) for hunk in hunks if isinstance(hunk, Mapping)]
    return FilePatch(path=path, action=PatchAction.UPDATE, hunks=tuple(read))


def _structured_hunk(hunk: Mapping[str, Any]) -> Hunk:
    lines = hunk.get("lines")
    texts = lines if isinstance(lines, list) else []
    start = hunk.get("oldStart")
    return _hunk(
        [line for line in texts if isinstance(line, str)],
        start if isinstance(start, int) else None,
    )


def _codex(lines: Sequence[str]) -> Iterator[FilePatch]:
    path, action, moved = "", PatchAction.UPDATE, ""
    body: list[str] = []
    for line in [*lines, "*** End Patch"]:
        opened = _CODEX_FILE.match(line)
        if opened or line.startswith("*** End Patch"):
            if path:
                yield _codex_file(path, action, moved, body)
            if not opened:
                return
            path, moved, body = opened[2].strip(), "", []
            action = PatchAction(opened[1].lower())
        elif line.startswith(_CODEX_MOVE):
            moved = line.removeprefix(_CODEX_MOVE).strip()
        elif path:
            body.append(line)


def _codex_file(
    path: str, action: PatchAction, moved: str, body: Sequence[str]
) -> FilePatch:
    hunks: list[Hunk] = []
    lines: list[str] = []
    for line in body:
        if line.startswith(("@@", "*** End of File")):
            hunks += [_hunk(lines, None)] if lines else []
            lines = []
        else:
            lines.append(line)
    hunks += [_hunk(lines, None)] if lines else []
    return FilePatch(path=path, action=action, hunks=tuple(hunks), moved_to=moved)


def _unified(lines: Sequence[str]) -> Iterator[FilePatch]:
    position = 0
    while position + 1 < len(lines):
        old = _UNIFIED_OLD.match(lines[position])
        new = _UNIFIED_NEW.match(lines[position + 1]) if old else None
        if old is None or new is None:
            position += 1
            continue
        hunks: list[Hunk] = []
        position = _unified_hunks(lines, position + 2, hunks)
        yield _unified_file(old[1].strip(), new[1].strip(), tuple(hunks))


def _unified_hunks(lines: Sequence[str], position: int, hunks: list[Hunk]) -> int:
    while position < len(lines) and lines[position].startswith("@@"):
        begins = _HUNK.match(lines[position])
        position += 1
        body: list[str] = []
        while position < len(lines) and lines[position][:1] in _BODY_MARKS:
            line, following = lines[position], lines[position + 1 : position + 2]
            if line.startswith("--- ") and following and following[0][:4] == "+++ ":
                break  # The next file begins.
            body.append(line)
            position += 1
        hunks.append(_hunk(body, int(begins[1]) if begins else None))
    return position


def _unified_file(old: str, new: str, hunks: tuple[Hunk, ...]) -> FilePatch:
    if old == _NOWHERE:
        return FilePatch(path=new, action=PatchAction.ADD, hunks=hunks)
    if new == _NOWHERE:
        return FilePatch(path=old, action=PatchAction.DELETE, hunks=hunks)
    return FilePatch(
        path=old,
        action=PatchAction.UPDATE,
        hunks=hunks,
        moved_to=new if new != old else "",
    )


def _hunk(lines: Sequence[str], start: int | None) -> Hunk:
    body = [line for line in lines if not line.startswith("\\")]
    return Hunk(
        tuple(line[1:] for line in body if line[:1] != "+"),
        tuple(line[1:] for line in body if line[:1] != "-"),
        start,
    )


def _applied(text: str, hunks: Sequence[Hunk]) -> str | None:
    lines = text.split("\n")
    places: dict[str, list[int]] = {}
    for number, line in enumerate(lines):
        places.setdefault(line, []).append(number)
    result: list[str] = []
    position = 0
    for hunk in hunks:
        place = _place(lines, places, hunk, position)
        if place is None:
            return None
        result += lines[position:place]
        result += hunk.after
        position = place + len(hunk.before)
    return "\n".join(result + lines[position:])


def _place(
    lines: Sequence[str], places: Mapping[str, list[int]], hunk: Hunk, position: int
) -> int | None:
    """Return the place of a hunk: the stated one, or else the only one that fits."""
    before = list(hunk.before)
    if not before:
        return None

    def fits(place: int) -> bool:
        return place >= position and lines[place : place + len(before)] == before

    if hunk.start is not None and fits(hunk.start - 1):
        return hunk.start - 1
    offset = max(range(len(before)), key=lambda number: len(before[number]))
    known = places.get(before[offset], [])
    first = bisect_left(known, position + offset)
    tried = known[first : first + _MOST_TRIES + 1]
    fitting = [line - offset for line in tried if fits(line - offset)]
    return fitting[0] if len(fitting) == 1 and len(tried) <= _MOST_TRIES else None
