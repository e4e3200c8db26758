import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verifyhub.engine.synthesis.cross_check import CODE, MAX_CONFLICTS, cross_check
from verifyhub.engine.synthesis.results import SubtaskResult


def conflicts(*answers: str):
    return cross_check([SubtaskResult(task="t", answer=answer) for answer in answers])


@pytest.mark.parametrize(
    ("first", "second", "kind"),
    [
        ("All tests pass.", "Two tests fail.", "tests"),
        ("The suite is green.", "The suite is red.", "tests"),
        ("12 passed in the tests, 0 failed.", "1 of 12 tests failed.", "tests"),
        ("The tests do not pass.", "No tests fail.", "tests"),
        ("`src/a.py` exists.", "`src/a.py` does not exist.", "existence"),
        ("`src/a.py` exists.", "`src/a.py` is missing.", "existence"),
        ("There is a `src/a.py`.", "There is no `src/a.py`.", "existence"),
        ("`src/a.py` was found.", "`a.py` was not found.", "existence"),
        ("`Cart` has 3 methods.", "`Cart` has 5 methods.", "number"),
        ("`Cart` has three methods.", "`Cart` has 5 methods.", "number"),
        ("`MAX_TRIES` is 3.", "`MAX_TRIES` is 5.", "number"),
        ("`load()` returns 30 seconds.", "`load()` returns 60 seconds.", "number"),
        ("The timeout is 30 seconds.", "The timeout is 90 seconds.", "number"),
        ("The timeout is 30 seconds.", "The default timeout is 1 minute.", "number"),
        ("Requests have a timeout of 5 s.", "Their timeout is 8 s.", "number"),
        ("The timeout defaults to thirty seconds.", "Timeout: 90 s", "number"),
        ("**Cache size:** 512 KB", "The cache size is 2 MB.", "number"),
        (
            "The cache expires after 10 minutes.",
            "The cache expires after 1 h.",
            "number",
        ),
        ("`retry()` waits 2 seconds.", "`retry()` waits 5 seconds.", "number"),
        ("Order 17 is 24 EUR.", "Order 17 is 42 EUR.", "number"),
        ("The total of order 17 is 24.", "The total of order 17 is 42.", "number"),
        ("The port is 8080.", "The port is set to 8000.", "number"),
        ("There are 2 modules.", "The project has five modules.", "number"),
        ("I found 4 open issues.", "There are 7 open issues.", "number"),
        ("3 tests passed.", "5 tests passed.", "number"),
        ("3 of 5 tests passed.", "All 5 tests passed.", "number"),
        ("3/5 tests passed.", "The tests: 5 passed.", "number"),
        ("The cache is 512 KB.", "The cache is 2 MB.", "number"),
        (
            "`cart.py` uses `compute_price()`.",
            "`cart.py` does not use `compute_price()`.",
            "negation",
        ),
        (
            "`parse()` is called by `main.py`.",
            "`parse()` is never called by `main.py`.",
            "negation",
        ),
    ],
)
def test_a_contradiction_is_found_from_either_side(first, second, kind):
    (found,) = conflicts(first, second)
    (turned,) = conflicts(second, first)

    assert (found.kind, turned.kind) == (kind, kind)
    assert found.sentences == (first, second)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("All tests pass.", "All tests passed."),
        ("All tests pass.", "No tests failed."),
        ("All tests pass.", "If the tests fail, run them again."),
        ("All tests pass.", "The tests should fail."),
        ("All tests pass.", "The tests failed before the fix."),
        ("Tests in `a_test.py` pass.", "Tests in `b_test.py` fail."),
        ("`src/a.py` exists.", "`src/b.py` does not exist."),
        ("`src/a.py` exists.", "`src/a.py` is missing a header."),
        ("`src/a.py` exists.", "Does `src/a.py` not exist?"),
        ("`x/a.py` and `y/a.py` exist. `x/a.py` exists.", "`y/a.py` does not exist."),
        ("`Cart` has 3 methods.", "`Cart` has 3 methods and 2 fields."),
        ("`Cart` has 3 methods.", "`Cart` has at least 5 methods."),
        ("`Cart` has 3 methods.", "`Order` has 5 methods."),
        ("See `cart.py` line 12.", "See `cart.py` line 40."),
        ("`cart.py` uses `price()`.", "`price()` does not use `cart.py`."),
        ("`Cart` has 3 methods. `Cart` has 4 methods.", "`Cart` has 5 methods."),
        ("The timeout is 60 seconds.", "The timeout is 1 minute."),
        ("The read timeout is 30 seconds.", "The write timeout is 90 seconds."),
        ("The timeout is about 30 seconds.", "The timeout is 90 seconds."),
        ("There are 2 modules.", "There are 5 modules in the core."),
        ("There are 2 modules.", "There are 5 classes."),
        ("2 unused modules were found.", "There are 5 modules."),
        ("3 tests in `a_test.py` passed.", "5 tests in `b_test.py` passed."),
        ("See step 2.", "See step 3."),
        ("It took 3 seconds.", "It took 5 seconds."),
        ("The cache expires after 60 minutes.", "The cache expires after 1 h."),
        ("The cache expires after 10 minutes.", "The token expires after 1 h."),
        ("The run ended after 10 minutes.", "The run ended after 20 minutes."),
        (
            "The change is spread across 3 files.",
            "The change is spread across 5 files.",
        ),
        ("The total of order 17 is 24.", "The total of order 18 is 42."),
        ("The default timeout is 30 seconds.", "The read timeout is 90 seconds."),
        ("Modules: 3 are used.", "Summary: 5 are used."),
        ("`Cart` is 3 years old.", "The shop is 5 years old."),
        ("The limit is 5. The hard limit is 9.", "The hard limit is 9."),
        ("", ""),
    ],
)
def test_what_can_both_be_true_is_no_contradiction(first, second):
    assert conflicts(first, second) == ()


def test_a_file_that_tools_returned_is_there_whatever_another_says():
    shown = SubtaskResult(task="t", answer="Done.", verified=("src/a.py",))
    denied = SubtaskResult(task="t", answer="`src/a.py` does not exist.")

    (found,) = cross_check([shown, denied])

    assert found.kind == "existence"


def test_a_warning_holds_the_words_of_agents_as_data_only():
    (found,) = conflicts("`src/a.py` exists.", "`src/a.py` does not exist.")

    warning = found.as_warning()

    assert warning.code == CODE
    assert "src/a.py" not in warning.message
    assert json.dumps(warning.as_dict())


def test_the_list_is_bounded():
    many = " ".join(f"`Cart{i}` has 3 methods." for i in range(100))

    assert len(conflicts(many, many.replace("3", "4"))) == MAX_CONFLICTS


ANSWERS = st.lists(
    st.sampled_from(
        [
            "All tests pass.",
            "Tests fail.",
            "`a.py` exists.",
            "`a.py` is not there.",
            "There is no `a.py`.",
            "`X` is 3.",
            "`X` is 4.",
            "`a()` calls `b()`.",
            "`a()` does not call `b()`.",
        ]
    )
    | st.text(max_size=30),
    max_size=6,
).map(" ".join)


@given(ANSWERS)
def test_an_answer_never_contradicts_itself(answer):
    assert conflicts(answer, answer) == ()


@given(st.lists(ANSWERS, max_size=4))
def test_order_does_not_matter(answers):
    def pairs(found, size):
        return {(c.kind, frozenset(c.sentences)) for c in found} if size else set()

    there = pairs(conflicts(*answers), len(answers))
    back = pairs(conflicts(*reversed(answers)), len(answers))
    assert there == back
