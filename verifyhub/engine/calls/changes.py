"""The changes and attempted changes of one call: of files, or records elsewhere."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from verifyhub.engine.calls.patches import FilePatch
from verifyhub.engine.lazily import cached_property

_MARKS = re.compile(r"[*`\"'“”«»]+")


class ChangeKind(StrEnum):
    """The kind of a change.

    `write` set the whole content of a file, `edit` replaced parts of it, `rewrite`
    changed it in a way that is not in the trace. `touch` names files of which any may
    have been changed. `record` changed something other than a file: a ticket, a
    booking.
    """

    WRITE = "write"
    EDIT = "edit"
    DELETE = "delete"
    REWRITE = "rewrite"
    TOUCH = "touch"
    RECORD = "record"


@dataclass(frozen=True, slots=True, kw_only=True)
class Replacement:
    """A removed and an added text; `old` is None if it is not given."""

    old: str | None
    new: str
    everywhere: bool = False


@dataclass(frozen=True, kw_only=True)
class CallChange:
    """One change or attempted change of a call.

    `paths` is empty if a command changed files without naming them; `done` is false if
    the call failed or was refused. `texts` are the added texts, or all texts in the
    input if they cannot be distinguished. `cut` is true if some are missing in the
    trace. `content` is a file's whole new text, `before` its whole old text, if the
    call itself contains it. Of the files that a `touch` names, `rewritten` have
    certainly changed, and `gone` were deleted.
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
        """The added texts, as words without marks of Markdown."""
        return tuple(map(phrase, self.texts))

    def holds(self, name: str) -> bool:
        """Return whether an added text or a path contains a name."""
        for text in self.texts:
            if name in text:
                return True
        return any(name in path for path in self.paths)

    def touches(self, files: Iterable[str]) -> bool:
        """Return whether it changes one of some files, as spelled in an answer."""
        return any(same_file(name, path) for name in files for path in self.paths)

    def lies_in(self, folders: Iterable[str]) -> bool:
        """Return whether it changes files of one of some folders alone."""
        ends = [f"/{folder.removeprefix('./').strip('/')}/" for folder in folders]
        return bool(self.paths) and all(
            any(end in f"/{path}" for end in ends if end != "//") for path in self.paths
        )

    def takes_out(self, name: str) -> bool:
        """Return whether the lines that a patch removes contain a name."""
        hunks = self.patch.hunks if self.patch else ()
        return any(name in line for hunk in hunks for line in hunk.before)


def phrase(text: str) -> str:
    """Return the words of a text without quotes and marks of Markdown."""
    return " ".join(_MARKS.sub("", text).split())


def base_name(path: str) -> str:
    """Return the last component of a path, in lower case."""
    return path.rsplit("/", 1)[-1].lower()


def same_file(name: str, path: str) -> bool:
    """Return whether `name` is `path` or its last components, as in answers."""
    if base_name(name) != base_name(path):
        return False
    name_parts, path_parts = (
        [part for part in text.lower().split("/") if part not in {"", ".", "~"}]
        for text in (name, path)
    )
    size = min(len(name_parts), len(path_parts))
    return size > 0 and name_parts[-size:] == path_parts[-size:]
