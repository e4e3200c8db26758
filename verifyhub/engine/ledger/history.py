"""The history of each file in a run, reconstructed from the trace."""

import hashlib
from dataclasses import dataclass, field
from enum import StrEnum

from verifyhub.engine.text.paths import Components, components


class EventKind(StrEnum):
    """The effect of a call on a file; `seen` and `named` may be no changes."""

    WRITE = "write"
    EDIT = "edit"
    DELETE = "delete"
    REWRITE = "rewrite"
    SEEN = "seen"
    NAMED = "named"


CHANGES = frozenset(
    {EventKind.WRITE, EventKind.EDIT, EventKind.DELETE, EventKind.REWRITE}
)


@dataclass(frozen=True, slots=True, kw_only=True)
class FileEvent:
    """One call's effect on one file.

    `hashes` are the possible SHA-256 of the file after the call (tools add or drop a
    final line break); empty if unknown. `removed` and `added` are the texts that an
    edit removed and added, `text` the complete content if it is known. `is_exact` is
    false if a tool showed the text, which may have other line breaks.
    """

    call: int
    kind: EventKind
    hashes: frozenset[str] = frozenset()
    removed: tuple[str, ...] = ()
    added: tuple[str, ...] = ()
    text: str | None = None
    is_exact: bool = True

    @property
    def exact_hash(self) -> str:
        """The SHA-256 of the content in the trace; empty if unknown."""
        return "" if self.text is None or not self.is_exact else sha256_of(self.text)


@dataclass
class Timeline:
    """The events of every file of a run, and its commands.

    `commands` were run, `refused` ones were not; of `broken` ones it is unknown.

    `last_opaque` is the last call that may have changed files without naming them: a
    command (a formatter, a build) or a tool of unknown purpose; -1 if there is none.
    """

    files: dict[Components, list[FileEvent]] = field(default_factory=dict)
    names: dict[str, list[Components]] = field(default_factory=dict)
    tails: dict[Components, list[Components]] = field(default_factory=dict)
    failed: dict[str, list[int]] = field(default_factory=dict)
    commands: dict[str, list[int]] = field(default_factory=dict)
    refused: dict[str, list[int]] = field(default_factory=dict)
    broken: dict[str, list[int]] = field(default_factory=dict)
    spelled: dict[Components, str] = field(default_factory=dict)
    last_opaque: int = -1
    calls: int = 0

    def key_of(self, path: str) -> Components | None:
        """Return the key of the file that a path means; None if several fit.

        A relative and an absolute path of a file mean the same file.
        """
        parts = components(path)
        if parts in self.files or not parts:
            return parts
        if parts[0] == "":
            tails = (parts[start:] for start in range(1, len(parts)))
            fits = [tail for tail in tails if tail in self.files]
        else:
            fits = self.tails.get(parts, [])
        if len(fits) > 1:
            return None
        return fits[0] if fits else parts

    def note(self, path: str, event: FileEvent) -> None:
        """Add the effect of a call on the file at a path."""
        key = self.key_of(path) or components(path)
        if not key:
            return
        if key not in self.files:
            self.files[key] = []
            self.spelled[key] = path
            self.names.setdefault(key[-1], []).append(key)
            if key[0] == "":
                for start in range(1, len(key)):
                    self.tails.setdefault(key[start:], []).append(key)
        self.files[key].append(event)

    def events(self, key: Components) -> list[FileEvent]:
        """Return the events of a file, including the deletion of a folder around it."""
        matching = list(self.files.get(key, ()))
        for length in range(1, len(key)):
            matching += [
                event
                for event in self.files.get(key[:length], ())
                if event.kind is EventKind.DELETE
            ]
        return sorted(matching, key=lambda event: event.call)


def plain_command(command: str) -> str:
    """Return a command with single spaces, for comparison."""
    return " ".join(command.split())


def hashes_of(text: str) -> frozenset[str]:
    """Return the SHA-256 of a text: as it is, with and without a final line break."""
    bare = text.removesuffix("\n")
    return frozenset(sha256_of(form) for form in (text, bare, f"{bare}\n"))


def sha256_of(text: str) -> str:
    """Return the SHA-256 of a text in UTF-8, in hexadecimal."""
    return hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()
