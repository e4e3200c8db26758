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
