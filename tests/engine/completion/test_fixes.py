"""A fix is an edit after which nothing fails any more over the same thing."""

import pytest

from tests.engine.completion.builders import PYTEST_PASSED, edit, shell, statuses

FAILS = "FAILED tests/test_redirect.py::test_login_redirect - assert 500 == 302"
OTHER = "FAILED tests/test_export.py::test_csv - KeyError: 'total'"


@pytest.mark.parametrize(
    ("output", "status"),
    [
        (PYTEST_PASSED, "supported"),
        (f"{FAILS}\n1 failed, 3 passed in 0.2s", "contradicted"),
        (f"{OTHER}\n1 failed, 3 passed in 0.2s", "supported"),
    ],
)
def test_what_still_fails_is_not_fixed(output, status):
    run = shell("pytest", output)
    assert statuses("Fixed the login redirect.", edit("auth/login.py"), run) == [status]


def test_a_failure_before_the_fix_says_nothing():
    run = shell("pytest", f"{FAILS}\n1 failed in 0.2s")
    assert statuses("Fixed the login redirect.", run, edit("login.py")) == ["supported"]
