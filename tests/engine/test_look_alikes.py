"""Names that only look alike are never equal (RELIABILITY T9), over all of Unicode."""

import sys
import unicodedata

import pytest

from tests.builders import a_command, an_interaction, verify
from verifyhub.engine.reports import Status
from verifyhub.engine.text.lookalike import skeleton

REAL = "mind-engine/parser_v2.py"
INVISIBLE = [
    char
    for char in map(chr, range(sys.maxunicode + 1))
    if unicodedata.category(char) in {"Cf", "Mn", "Me"}
]


def imitations():
    """Every character that folds to, or is drawn like, one of the name's own."""
    for char in map(chr, range(128, sys.maxunicode + 1)):
        plain = skeleton(char)
        if len(plain) == 1 and plain in REAL:
            yield REAL.replace(plain, char, 1)
    for char in INVISIBLE:
        yield f"mind-{char}engine/parser_v2.py"


# The others in the deep layer.
@pytest.mark.parametrize("each", [4, pytest.param(1, marks=pytest.mark.deep)])
def test_no_imitation_of_a_real_name_is_verified(each):
    names = sorted(set(imitations()))[::each]
    answer = "\n".join(f"- `{name}`" for name in names)

    report = verify(an_interaction(answer, a_command("ls", REAL)))

    verified = [m.text for m in report.mentions if m.status is Status.VERIFIED]
    assert len(names) > 2000 / each
    assert verified == []


def test_the_name_itself_is_verified():
    report = verify(an_interaction(f"See `{REAL}`.", a_command("ls", REAL)))

    assert [mention.status for mention in report.mentions] == [Status.VERIFIED]
