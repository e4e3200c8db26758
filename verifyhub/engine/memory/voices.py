"""Decide when corrections apply to every session (requirements A13, A14).

A voice is one witness of a correction: a person (`user:3`), a key for the person who
owns it (`user:3/key`), or the run's own tool calls (`trace`). Keys that no person owns
are one voice (`key/key`): whoever made them at the command line may hold them all.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from verifyhub.engine.reports import Status

TRACE: Final = "trace"
BY_KEY: Final = "/key"
UNOWNED: Final = "key"


@dataclass(frozen=True, slots=True, kw_only=True)
class VoicedStatus:
    """One correction of a name.

    Attributes:
        status: `verified` or `unverified`.
        voices: Who gave it for every session; empty if it is for its own session
            only, None if it is older than voices.
        suggestion: The name to use instead; empty for none.
    """

    status: str
    voices: tuple[str, ...] | None
    suggestion: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Backing:
    """Evidence about a name besides people's corrections.

    Attributes:
        recurred: Whether answers of two sessions or more named it without evidence.
        shown: Whether a tool call of an earlier answer showed it.
    """

    recurred: bool = False
    shown: bool = False


def people(voices: Iterable[str]) -> set[str]:
    """Return the people behind some voices: a key is its owner's."""
    return {
        # Each unowned key was a voice of its own once: `key:5e…/key`.
        UNOWNED if voice.startswith("key:") else voice.removesuffix(BY_KEY)
        for voice in voices
        if voice != TRACE
    }


def agreed(
    words: Sequence[VoicedStatus], backing: Backing, *, needed: int
) -> str | None:
    """Return the status of a name that applies to every session; None if undecided.

    So many voices must agree. One of them may be the evidence: where a person who is
    signed in says that a name is invented, a tool call that answered so, and answers
    of other sessions that stated it without evidence, are a voice each. For a key they
    are none: whoever holds one stolen key could send such answers as well. That a name
    is invented which tool calls have shown takes two people, whatever the project asks.

    Args:
        words: Valid corrections, oldest first; each person's latest one counts.
        backing: What else is known.
        needed: How many voices the project asks for; 1 or more.
    """
    latest = {
        person: word.status for word in words for person in people(word.voices or ())
    }
    for status in dict.fromkeys(word.status for word in reversed(words)):
        doubtful = status == Status.UNVERIFIED and backing.shown
        least = max(2, needed) if doubtful else needed
        if _voices(status, words, latest, backing) >= least:
            return status
        if _was_shared(status, words):
            return status
    return None


def agreed_suggestion(
    words: Sequence[VoicedStatus], suggestion: str, *, needed: int
) -> bool:
    """Whether enough people give the same name to use instead."""
    agreeing = [word for word in words if word.suggestion == suggestion]
    if any(word.voices is None for word in agreeing):
        return True
    return (
        len(people(voice for word in agreeing for voice in word.voices or ())) >= needed
    )


def _voices(
    status: str, words: Sequence[VoicedStatus], latest: dict[str, str], backing: Backing
) -> int:
    speakers = {
        person for person, latest_status in latest.items() if latest_status == status
    }
    if not speakers:
        return 0
    voices = {
        voice
        for word in words
        if word.status == status and people(word.voices or ()) & speakers
        for voice in word.voices or ()
    }
    if status == Status.VERIFIED:
        return len(speakers) + (backing.shown or TRACE in voices)
    is_signed_in = any(
        voice != TRACE and not voice.endswith(BY_KEY) for voice in voices
    )
    if backing.shown or not is_signed_in:
        return len(speakers)
    return len(speakers) + (TRACE in voices) + backing.recurred


def _was_shared(status: str, words: Sequence[VoicedStatus]) -> bool:
    """Whether it held before voices were kept, and no voice contradicted it since."""
    before = [place for place, word in enumerate(words) if word.voices is None]
    return bool(before) and all(
        word.status == status or word.voices == () for word in words[before[-1] :]
    )
