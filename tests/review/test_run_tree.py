"""The tree stands, whatever clients name as parents, in whatever order they send."""

from datetime import UTC, datetime, timedelta
from uuid import UUID

from hypothesis import given
from hypothesis import strategies as st

from verifyhub.review.runs.tree import MAX_DEPTH, TreeRow, build_tree

START = datetime(2026, 1, 1, tzinfo=UTC)


def rows(*given: tuple[str, str, str]) -> list[TreeRow]:
    """Interactions in order of arrival: name, parent and task."""
    return [
        TreeRow(
            id=UUID(int=number),
            client_id=name or None,
            parent=parent,
            task=task,
            created_at=START + timedelta(seconds=number),
        )
        for number, (name, parent, task) in enumerate(given)
    ]


def shape(*given: tuple[str, str, str]) -> list[tuple[int, str]]:
    """Depth, and the attempts' names, of every task."""
    return [
        (node.depth, " ".join(str(row.client_id) for row in node.attempts) or node.name)
        for node in build_tree(rows(*given))
    ]


def test_attempts_at_one_task_stand_together():
    assert shape(("a", "", "t"), ("b", "a", "t"), ("c", "b", "t")) == [(0, "a b c")]


def test_a_subtask_stands_below_its_task_in_order():
    assert shape(
        ("a", "", "t"), ("s1", "a", "u"), ("s1b", "s1", "u"), ("s2", "a", "v")
    ) == [(0, "a"), (1, "s1 s1b"), (1, "s2")]


def test_a_task_may_arrive_after_its_subtasks():
    assert shape(("s1", "r", "u"), ("s2", "r", "v"), ("r", "", "t")) == [
        (0, "r"),
        (1, "s1"),
        (1, "s2"),
    ]


def test_until_then_its_place_waits():
    assert shape(("s1", "r", "u"), ("s2", "r", "v")) == [
        (0, "r"),
        (1, "s1"),
        (1, "s2"),
    ]
    assert build_tree(rows(("s1", "r", "u")))[0].is_expected


def test_what_nothing_links_is_listed_newest_first():
    assert shape(("a", "", "t"), ("b", "", "t")) == [(0, "b"), (0, "a")]


def test_circles_and_chains_without_end_are_laid_flat():
    circle = shape(("a", "b", "t"), ("b", "c", "u"), ("c", "a", "v"))
    chain = shape(*((f"n{i}", f"n{i - 1}" if i else "", f"t{i}") for i in range(3000)))

    assert sorted(names for _, names in circle) == ["a", "b", "c"]
    assert len(chain) == 3000
    assert max(depth for depth, _ in chain) == MAX_DEPTH


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["", "a", "b", "c", "d"]),
            st.sampled_from(["", "a", "b", "c", "d", "z"]),
            st.sampled_from(["t", "u"]),
        ),
        max_size=12,
    )
)
def test_every_answer_stands_in_the_tree_exactly_once(given):
    unique = {name or f"#{n}": (name, p, t) for n, (name, p, t) in enumerate(given)}
    sent = rows(*unique.values())

    found = [row.id for node in build_tree(sent) for row in node.attempts]

    assert sorted(found) == sorted(row.id for row in sent)
