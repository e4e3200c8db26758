import pytest

from bench.walks import WALKS, Walk, walk
from verifyhub.metrics.counting.tally import Tally

# How often a reader who follows a value comes back to a package that he has left.
RETURNS = {"verify": 14, "mention": 6, "override": 14}


@pytest.mark.django_db
@pytest.mark.parametrize("name", WALKS)
def test_whoever_follows_a_value_comes_back_to_a_package_no_more_often(name):
    followed = walk(name)

    rooms = [room for room, _ in followed.visits()]
    assert followed.returns() <= RETURNS[name], rooms


def test_generators_that_others_left_are_not_followed():
    tally, walk = Tally(), Walk()
    tally.add("unlisted", (), [1, 1])
    rows = tally.rows("unlisted")
    next(rows)
    cycle = [rows]
    cycle.append(cycle)
    del rows, cycle

    with walk.followed():
        _ = [[] for _ in range(100_000)]

    assert walk.steps == []
