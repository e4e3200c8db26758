"""The classification of a text."""

from dataclasses import dataclass

from verifyhub.engine.types import MentionKind


@dataclass(frozen=True, slots=True)
class ClassifiedText:
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
