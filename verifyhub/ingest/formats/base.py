"""The interface of a transcript format, and the result of reading one."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from verifyhub.common.contract import FormatError
from verifyhub.engine.types import Interaction
from verifyhub.ingest.formats.entries import TranscriptEntry

# Entries at the beginning of a document by which its format is detected.
_SAMPLE = 200


def objects_of(value: Any) -> list[dict[str, Any]]:
    """Return the objects among the first entries of an array, to detect a format."""
    entries = value[:_SAMPLE] if isinstance(value, list) else []
    return [entry for entry in entries if isinstance(entry, dict)]


def share_of(value: Any, is_one: Callable[[dict[str, Any]], bool]) -> float:
    """Return the share of the objects among the first entries that are of a format."""
    objects = objects_of(value)
    return sum(map(is_one, objects)) / len(objects) if objects else 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """A part of a transcript that is in no interaction.

    `kind` describes it in a few words; `count` is its number, and `first` its first
    place, as `line 12` or `messages[3].content[0]`.
    """

    kind: str
    count: int
    first: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Transcript:
    """The interactions of a transcript, and its unmapped content.

    `turns` is the number of requests; those with an answer are `interactions`. `calls`
    is the number of tool calls and `outputs` that of calls with a result; each counts
    once, even if several interactions contain it. `may_go_on` is true if the last
    interaction may be incomplete: the file ends within its turn, and its format is
    written line by line.
    """

    format: str
    interactions: tuple[Interaction, ...]
    notes: tuple[Note, ...] = ()
    turns: int = 0
    calls: int = 0
    outputs: int = 0
    may_go_on: bool = False

    def as_dict(self) -> dict[str, Any]:
        """Return a summary of the parsed content as JSON, without texts."""
        return {
            "format": self.format,
            "turns": self.turns,
            "answers": len(self.interactions),
            "calls": self.calls,
            "outputs": self.outputs,
            "not_mapped": [
                {"kind": note.kind, "count": note.count, "first": note.first}
                for note in self.notes
            ],
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class TranscriptDocument:
    """A parsed file: one JSON value, or the values of JSON Lines.

    `places` has the name of each line (`line 3`), and is empty for one value; `broken`
    has invalid lines, as place and reason.
    """

    value: Any
    places: tuple[str, ...] = ()
    broken: Sequence[tuple[str, str]] = field(default=())

    @property
    def is_lines(self) -> bool:
        """Whether the document is JSON Lines."""
        return bool(self.places)

    def lines(self) -> list[tuple[str, Any]]:
        """Return the values with their places; FormatError if it is one object."""
        if not isinstance(self.value, list):
            raise FormatError("", "must be JSON Lines, or an array of such lines.")
        return self.items()

    def root(self) -> TranscriptEntry:
        """Return the single value as an entry; FormatError if it is not an object."""
        return TranscriptEntry(self.value, "")

    def items(self) -> list[tuple[str, Any]]:
        """Return the values of lines or of an array, with their places."""
        if not isinstance(self.value, list):
            return []
        if self.places:
            return list(zip(self.places, self.value, strict=True))
        return [(f"[{index}]", value) for index, value in enumerate(self.value)]

    def member(self, *path: str) -> Any:
        """Return the value at a path of keys; None if there is none."""
        value = self.value
        for key in path:
            value = value.get(key) if isinstance(value, dict) else None
        return value


class TranscriptFormat(Protocol):
    """A transcript format."""

    @property
    def name(self) -> str:
        """The name for `--format`."""

    @property
    def about(self) -> str:
        """The program that writes the format, in a few words."""

    def recognises(self, document: TranscriptDocument) -> float:
        """Return the confidence that a document is of this format, 0..1."""

    def read(self, document: TranscriptDocument) -> Transcript:
        """Read a document of this format.

        Raises:
            FormatError: If nothing of it can be read; partial errors are noted.
        """
