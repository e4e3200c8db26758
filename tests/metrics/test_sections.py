"""Numbers are counted beside their names, and counts made before a new one stay."""

import pytest

from verifyhub.metrics.counting.answers_sql import OF_ANSWERS
from verifyhub.metrics.counting.decisions_sql import OF_ACTS, OF_DECIDED
from verifyhub.metrics.counting.tally import MEASURES, Tally


def test_sections_of_one_name_count_the_same_numbers():
    sections = (*OF_ANSWERS, *OF_DECIDED, *OF_ACTS)

    assert [
        one.name for one in sections if tuple(one.numbers) != MEASURES[one.name]
    ] == []


@pytest.mark.parametrize(
    "stored",
    [
        # As of a version that stored no names.
        [[["file"], [3, 1]]],
        {"numbers": ["unverified", "names"], "rows": [[["file"], [1, 3]]]},
    ],
)
def test_counts_stored_before_a_number_was_added_have_none_of_it(stored):
    before = Tally.from_json({"kinds": stored})
    now = Tally()
    now.add("kinds", ("file",), [2, 2, 1])

    before.include(now)

    counts = before.sum("kinds")
    assert [counts[name] for name in ("names", "unverified", "cleared")] == [5, 3, 1]
