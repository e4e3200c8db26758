"""A hub in the process judges an obedient retry on what its first attempt saw."""

from tests.ingest.runs import a_call
from verifyhub.embedded import LocalHub


def test_a_retry_without_calls_rests_on_those_of_the_attempt_before():
    hub = LocalHub()
    task = "Where is the parser?"
    hub.check(
        task,
        "In `src/parser.py`, with `src/lexer.py`.",
        tool_calls=[a_call()],
        id="first",
    )

    second = hub.check(task, "In `src/parser.py`.", id="second", parent="first")

    assert second.verified == ("src/parser.py",)
    assert second.raw["mentions"][0]["earlier_evidence"][0]["interaction"] == "first"
