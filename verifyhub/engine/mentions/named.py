"""The classification of a text."""

from typing import NamedTuple

from verifyhub.engine.types import MentionKind


class ClassifiedText(NamedTuple):
    """A classified text: its kind, its key and the position of the name.

    `weak` names are ordinary words too, whose absence says little. `fenced` names are
    in a block of code, which is shown and states nothing by itself.
    """

    kind: MentionKind
    key: str
    start: int
    end: int
    weak: bool = False
    fenced: bool = False

    def moved(self, by: int) -> "ClassifiedText":
        """Return it at its place in a text of which it was a part."""
        kind, key, start, end, weak, fenced = self
        return ClassifiedText(kind, key, start + by, end + by, weak, fenced)
