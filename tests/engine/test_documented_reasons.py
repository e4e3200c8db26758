"""docs/verdict.md lists every reason that the engine gives, and no other."""

import re
from pathlib import Path

import pytest

from tests.builders import a_command, an_interaction, verify
from verifyhub.engine.claims.check import CLAIM_REASONS
from verifyhub.engine.decisions.grades import GRADE_REASONS
from verifyhub.engine.decisions.policy import DecisionReason
from verifyhub.engine.grounding.ground import MENTION_REASONS
from verifyhub.engine.layers.reasons import LAYER_REASONS
from verifyhub.engine.reports import EARLIER_REASONS, NOT_COUNTED, BadStepReason
from verifyhub.engine.types import MentionKind
from verifyhub.engine.value_results import ValueNote
from verifyhub.engine.warning_codes import WarningCode

PAGE = Path(__file__).parents[2] / "docs" / "verdict.md"


def rows(heading):
    section = PAGE.read_text(encoding="utf-8").partition(f"## {heading}\n")[2]
    table = section.partition("\n## ")[0]
    return {
        row[1]: row[0].rpartition("|")[2].strip()
        for row in re.finditer(r"^\| `(\w+)` .*\|$", table, re.MULTILINE)
        for row in [(row.group().rstrip("|"), row.group(1))]
    }


@pytest.mark.parametrize(
    ("heading", "codes"),
    [
        ("Of a mention", MENTION_REASONS | GRADE_REASONS | EARLIER_REASONS),
        ("Of a claim of fact", CLAIM_REASONS),
        ("Of a value", set(ValueNote)),
        ("Of a layer", set(LAYER_REASONS)),
        ("Of a decision", set(DecisionReason)),
        ("Of the first bad step", set(BadStepReason)),
        ("Of a warning", set(WarningCode)),
    ],
)
def test_page_lists_the_reasons_of_the_code(heading, codes):
    assert set(rows(heading)) == {str(code) for code in codes}


def test_page_says_which_mentions_do_not_count():
    counted = rows("Of a mention")

    assert {code for code, word in counted.items() if word == "no"} == NOT_COUNTED


def test_answer_with_nothing_to_check_says_so_in_its_decision():
    report = verify(an_interaction("I think it is fine.", a_command("ls", "app.py")))

    assert report.decision.reason == "nothing_to_check"


def test_answer_whose_names_are_there_passed_the_checks():
    report = verify(an_interaction("See `src/app.py`.", a_command("ls", "src/app.py")))

    assert report.decision.reason == "checks_passed"


@pytest.mark.parametrize("kind", MentionKind)
def test_every_kind_of_name_has_its_warning(kind):
    assert f"UNVERIFIED_{kind.upper()}" in set(WarningCode)


def test_no_warning_is_given_under_a_code_of_its_own():
    """A code as plain text would escape the page above."""
    engine = Path(__file__).parents[2] / "verifyhub" / "engine"
    plain = re.compile(r"""code=f?["'][A-Z]""")

    found = [
        file.name for file in engine.rglob("*.py") if plain.search(file.read_text())
    ]

    assert found == []
