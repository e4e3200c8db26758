import pytest

from bench.walks import WALKS, walk

pytestmark = pytest.mark.django_db
# How often a reader who follows a value comes back to a package that he has left.
RETURNS = {"verify": 14, "mention": 6, "override": 14}


@pytest.mark.parametrize("name", WALKS)
def test_whoever_follows_a_value_comes_back_to_a_package_no_more_often(name):
    followed = walk(name)

    rooms = [room for room, _ in followed.visits()]
    assert followed.returns() <= RETURNS[name], rooms
