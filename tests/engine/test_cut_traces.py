"""A trace that was cut cannot deny the names that stood in what was left out."""

import pytest

from tests.builders import a_command, a_tool_call, an_interaction, verify

SHOWN = "class PlanetStore:\n" + "    value = 1\n" * 40
ANSWER = "It is kept by `orbit_ledger()`."


def _mention(answer, output, command="cat store.py"):
    report = verify(an_interaction(answer, a_command(command, output)))
    (mention,) = report.mentions
    return mention, [warning.code for warning in report.warnings]


@pytest.mark.parametrize(
    "mark",
    [
        "… [1200 characters trimmed] …",
        "[... 90 lines truncated ...]",
        "<300 tokens omitted>",
        "[truncated]",
    ],
)
def test_name_is_unsettled_where_much_of_the_trace_was_cut_out(mark):
    mention, warnings = _mention(ANSWER, f"{SHOWN}{mark}\n{SHOWN}")

    assert (mention.status, mention.reason) == ("unverified", "trace_cut")
    assert not mention.is_flagged
    assert "TRACE_CUT" in warnings


def test_answer_with_an_unsettled_name_is_neither_sent_back_nor_accepted():
    output = f"{SHOWN}… [1200 characters trimmed] …\n{SHOWN}"
    answer = f"`PlanetStore` is the class. {ANSWER}"

    report = verify(an_interaction(answer, a_command("cat store.py", output)))

    assert (report.verdict, report.decision.action) == ("uncertain", "accept")


@pytest.mark.parametrize(
    "mark",
    [
        "… [90 characters trimmed] …",
        "see: … [1200 characters trimmed] …",
        "    12→… [1200 characters trimmed] …",
        "trimmed 1200 boards",
        "truncated",
    ],
    ids=["little", "beside words", "line of a file", "other thing", "no mark"],
)
def test_name_counts_where_hardly_anything_was_cut_out(mark):
    mention, warnings = _mention(ANSWER, f"{SHOWN}{mark}\n{SHOWN}")

    assert mention.reason == "not_found"
    assert "TRACE_CUT" not in warnings


@pytest.mark.parametrize(
    ("left_out", "reason"), [(600, "not_found"), (4000, "trace_cut")]
)
def test_near_miss_counts_until_twice_as_much_is_missing(left_out, reason):
    output = f"{SHOWN}… [{left_out} characters trimmed] …\n{SHOWN}"

    mention, _ = _mention("It is `PlanetStores`.", output)

    assert (mention.reason, mention.suggestion) == (reason, "PlanetStore")


def test_name_of_a_call_is_unsettled_where_outputs_were_not_recorded():
    calls = [a_command(f"cat src/part{n}.py", "") for n in range(3)]

    report = verify(an_interaction("`src/part1.py` and `src/part9.py`.", *calls))

    assert [m.reason for m in report.mentions] == ["trace_cut", "not_found"]


def an_edit(old):
    return a_tool_call(
        "Edit",
        {"file_path": "src/store.py", "old_string": old, "new_string": "pass"},
        "The file src/store.py has been updated.",
    )


OLD = "    orbits = [read_orbit(line) for line in lines]"


@pytest.mark.parametrize(
    ("before", "reason"),
    [
        (a_command("ls", "a.py"), "trace_cut"),
        (a_command("cat src/store.py", f"def load():\n{OLD}\n"), "not_found"),
        (a_command("cat x.py", f"def load():\n{OLD}\n"), "not_found"),
        (a_command("git status", "M src/store.py"), "not_found"),
    ],
    ids=["nothing seen", "file read", "text seen", "file named"],
)
def test_edit_of_what_nothing_had_shown_tells_of_reads_that_are_missing(before, reason):
    report = verify(an_interaction(ANSWER, before, an_edit(OLD)))

    assert [m.reason for m in report.mentions] == [reason]


def test_near_miss_counts_though_reads_are_missing():
    seen = a_command("cat b.py", "class PlanetStore: ...")

    report = verify(an_interaction("It is `PlanetStores`.", seen, an_edit(OLD)))

    assert [m.reason for m in report.mentions] == ["not_found"]


def test_mark_that_the_agent_printed_itself_excuses_nothing():
    mark = "… [90000 characters trimmed] …"

    mention, _ = _mention(ANSWER, f"{mark}\n", f"echo '{mark}'")

    assert mention.reason == "not_found"


def test_name_that_a_tool_denied_stays_denied():
    denial = "NameError: name 'orbit_ledger' is not defined"
    output = f"{SHOWN}… [9000 characters trimmed] …\n{denial}"

    mention, _ = _mention(ANSWER, output)

    assert mention.reason == "error_only"


def test_what_a_linter_printed_excuses_no_name():
    mark = "… [90000 characters trimmed] …"

    mention, _ = _mention(ANSWER, f"{SHOWN}{mark}\n", "ruff check . 2>&1 | tail -40")

    assert mention.reason == "not_found"


def test_style_sheet_that_the_agent_knew_excuses_no_name_of_code():
    edit = a_tool_call(
        "Edit",
        {"file_path": "app.css", "old_string": ".tab-count-active { color: red; }",
         "new_string": ".tab-count-active { color: blue; }"},
        "The file app.css has been updated.",
    )  # fmt: skip

    report = verify(an_interaction(ANSWER, a_command("ls", "a.py"), edit))

    assert [m.reason for m in report.mentions] == ["not_found"]
