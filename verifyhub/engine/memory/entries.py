"""The frozen values of memory."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

from verifyhub.engine.types import MentionKind

# What a correction is about, where it is no name: kinds beside those of mentions.
ABOUT_CLAIM = "claim"
ABOUT_FACT = "fact"
ABOUT_ANSWER = "answer"


class EntryKind(StrEnum):
    """The kind of an entry."""

    FINDING = "finding"
    BLOCKER = "blocker"
    GAP = "gap"
    CORRECTION = "correction"
    PREFERENCE = "preference"


@dataclass(frozen=True, slots=True, kw_only=True)
class LearnedEntry:
    """An entry learned from an answer (requirement A12) or given by a person.

    Attributes:
        key: Identity inside a session: the same thing learned twice is one entry.
        kind: Finding, blocker, gap, correction or preference.
        text: The name as the answer wrote it, or a sentence; hostile.
        mention_kind: What the name is the name of; empty where there is no name.
        mention_key: The name in its normalised form; empty where there is no name.
        suggestion: The right name, where one is known; hostile too.
        confidence: 0..1; None where nothing was measured.
        status: What a correction says of the name or answer (`verified` or
            `unverified`); empty for every other kind.
        grade: Grade of the evidence that showed the name, A to C; empty for none.
        at: When it was learned (aware); None in a fresh entry.
        id: The row it comes from; empty in a fresh entry.
        check: The check that found it; empty for what a person said.
        evidence: The first place in the trace that decided; None where none did.
    """

    key: str
    kind: EntryKind
    text: str
    mention_kind: str = ""
    mention_key: str = ""
    suggestion: str = ""
    confidence: float | None = None
    status: str = ""
    grade: str = ""
    at: datetime | None = None
    id: str = ""
    check: str = ""
    evidence: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedConstraint:
    """An active constraint of the project, as the context needs it.

    `pinned` is true where a lead fixed it: then nothing a session found outranks it.
    """

    text: str
    mention_kind: str
    mention_key: str
    suggestion: str = ""
    pinned: bool = False
    at: datetime | None = None
    id: str = ""


KIND_WORDS = {str(kind): str(kind).replace("_", " ") for kind in MentionKind}


def kind_word(mention_kind: str) -> str:
    """Return a mention's kind in words; never anything an agent wrote."""
    return KIND_WORDS.get(mention_kind, "name")
