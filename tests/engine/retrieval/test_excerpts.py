"""The lines that a judge is shown of what tools returned."""

from tests.builders import a_read, a_tool_call, an_interaction
from verifyhub.engine.ledger.build import build_ledger
from verifyhub.engine.retrieval.excerpts import (
    MAX_LINE_CHARACTERS,
    MAX_LINES,
    lines_about,
)
from verifyhub.engine.types import CallStatus


def about(answer, *calls):
    return lines_about(build_ledger(an_interaction(answer, *calls)), answer)


def test_lines_around_names_and_numbers_are_chosen_wherever_they_stand():
    filler = "nothing to see\n" * 5_000
    call = a_read("dates.py", f"{filler}    def parse_iso(text):\n{filler}LIMIT = 41\n")

    found = about("`parse_iso` stops at 41 days.", call)

    assert [line for _, line in found] == ["def parse_iso(text):", "LIMIT = 41"]
    assert {title for title, _ in found} == {"Read dates.py"}


def test_what_stands_everywhere_and_what_failed_is_left_out():
    many = a_tool_call("list", {}, "\n".join(f"v2 of part {n:03}" for n in range(200)))
    failed = a_tool_call("read", {}, "no part_901", status=CallStatus.ERROR)

    assert about("Version v2 has part_901.", many, failed) == ()


def test_lines_are_bounded_in_length_and_number():
    wide = a_tool_call("cat", {}, "x" * 90_000 + " K7 " + "y" * 90_000)
    long = a_tool_call("cat", {}, "\n".join(f"row K{n} of it" for n in range(900)))

    found = about(" ".join(f"K{n}" for n in range(300)), wide, long)

    assert len(found) <= MAX_LINES
    assert max(len(line) for _, line in found) <= MAX_LINE_CHARACTERS
