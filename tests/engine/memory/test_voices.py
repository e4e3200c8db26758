import pytest

from verifyhub.engine.memory.voices import TRACE, Backing, VoicedStatus, agreed

ANNA, BEN, KEY = "user:1", "user:2", "user:1/key"
NOTHING, RECURRED, SHOWN = Backing(), Backing(recurred=True), Backing(shown=True)


def word(*voices, status="unverified"):
    return VoicedStatus(status=status, voices=voices)


@pytest.mark.parametrize(
    ("words", "backing", "needed", "expected"),
    [
        ([word(ANNA)], NOTHING, 2, None),
        ([word(ANNA)], NOTHING, 1, "unverified"),
        ([word(ANNA), word(BEN)], NOTHING, 2, "unverified"),
        # Two words of one person, and a key of theirs, are one voice.
        ([word(ANNA), word(ANNA), word(KEY)], NOTHING, 2, None),
        ([word(KEY), word(BEN)], NOTHING, 2, "unverified"),
        # So are keys that nobody owns, and those that were told apart once.
        ([word("key/key"), word("key:5e/key"), word("key:7a/key")], NOTHING, 2, None),
        # The evidence agrees with a person who is signed in, and with no key.
        ([word(ANNA, TRACE)], NOTHING, 2, "unverified"),
        ([word(ANNA)], RECURRED, 2, "unverified"),
        ([word(KEY, TRACE)], RECURRED, 2, None),
        ([word(KEY)], NOTHING, 1, "unverified"),
        ([word(ANNA, TRACE)], RECURRED, 3, "unverified"),
        # What tool calls have shown is called invented by two people.
        ([word(ANNA)], SHOWN, 1, None),
        ([word(ANNA, TRACE)], SHOWN, 2, None),
        ([word(ANNA), word(BEN)], SHOWN, 1, "unverified"),
        # What they have shown is right by one.
        ([word(ANNA, status="verified")], SHOWN, 2, "verified"),
        ([word(ANNA, status="verified")], RECURRED, 2, None),
        # Each one's latest word counts.
        ([word(ANNA), word(BEN), word(ANNA, status="verified")], NOTHING, 2, None),
        (
            [word(ANNA), word(BEN), word("user:3", status="verified")],
            NOTHING,
            2,
            "unverified",
        ),
        # Said of one session only, it is no voice.
        ([word()], RECURRED, 1, None),
    ],
)
def test_what_is_said_to_all_holds_once_enough_voices_agree(
    words, backing, needed, expected
):
    assert agreed(words, backing, needed=needed) == expected


@pytest.mark.parametrize(
    ("later", "expected"),
    [([], "unverified"), ([word(ANNA, status="verified")], None)],
)
def test_what_was_told_before_voices_were_kept_holds_until_it_is_denied(
    later, expected
):
    before = VoicedStatus(status="unverified", voices=None)

    assert agreed([before, *later], NOTHING, needed=2) == expected
