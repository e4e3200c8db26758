"""What one call changed, or tried to change: files, or records elsewhere."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from verifyhub.engine.calls.patches import FilePatch
from verifyhub.engine.lazily import cached_property

_MARKS = re.compile(r"[*`\"'“”«»]+")


class ChangeKind(StrEnum):
    """What a change did.

    `write` gave a file its whole content, `edit` replaced parts of it, `rewrite`
    changed it in a way the trace does not hold. `touch` names files of which any may
    have been changed. `record` changed something that is no file: a ticket, a booking.
    """

    WRITE = "write"
    EDIT = "edit"
    DELETE = "delete"
    REWRITE = "rewrite"
    TOUCH = "touch"
    RECORD = "record"


@dataclass(frozen=True, slots=True, kw_only=True)
class Replacement:
    """Text taken out and text put in; `old` is None where nothing was named."""

    old: str | None
    new: str
    everywhere: bool = False


@dataclass(frozen=True, kw_only=True)
class CallChange:
    """One change that a call made, or tried to make.

    `paths` is empty where a command changed files that it does not name; `done` is
    false where the call failed or was refused. `texts` are the texts it put in, or all
    that it was given where that is not told apart. `cut` says that the trace does not
    hold all of them. `content` is a file's whole new text, `before` its whole old
    text, where the call itself tells it. Of the files that a `touch` names, `rewritten`
    surely are others now, and `gone` are gone.
    """

    call: int
    action: ChangeKind
    paths: tuple[str, ...]
    done: bool
    texts: tuple[str, ...] = ()
    cut: bool = False
    content: str | None = None
    before: str | None = None
    replaced: tuple[Replacement, ...] = ()
    patch: FilePatch | None = None
    rewritten: tuple[str, ...] = ()
    gone: tuple[str, ...] = ()

    @property
    def deleted(self) -> bool:
        return self.action is ChangeKind.DELETE

    @cached_property
    def phrases(self) -> tuple[str, ...]:
        """The texts it put in, as words without marks of Markdown."""
        return tuple(map(phrase, self.texts))

    def holds(self, name: str) -> bool:
        """Return whether a name stands in what was put in, or in a path."""
        for text in self.texts:
            if name in text:
                return True
        return any(name in path for path in self.paths)

    def touches(self, files: Iterable[str]) -> bool:
        """Return whether it is of one of some files, as an answer spells them."""
        return any(same_file(name, path) for name in files for path in self.paths)

    def takes_out(self, name: str) -> bool:
        """Return whether a name stands in the lines that a patch took out."""
        hunks = self.patch.hunks if self.patch else ()
        return any(name in line for hunk in hunks for line in hunk.before)


def phrase(text: str) -> str:
    """Return the words of a text without quotes and marks of Markdown."""
    return " ".join(_MARKS.sub("", text).split())


def base_name(path: str) -> str:
    """Return the last component of a path, in lower case."""
    return path.rsplit("/", 1)[-1].lower()


def same_file(name: str, path: str) -> bool:
    """Return whether `name` is `path` or its last components, as answers spell it."""
    if base_name(name) != base_name(path):
        return False
    name_parts, path_parts = (
        [part for part in text.lower().split("/") if part not in {"", ".", "~"}]
        for text in (name, path)
    )
    size = min(len(name_parts), len(path_parts))
    return size > 0 and name_parts[-size:] == path_parts[-size:]
