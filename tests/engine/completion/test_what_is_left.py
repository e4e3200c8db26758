"""Work that does not stand: some of it is left, failed, or was taken back."""

import pytest

from tests.engine.completion.builders import call, check, edit, shell, statuses
from verifyhub.engine.types import CallStatus, ToolCall


def replaced(path: str, old: str, new: str, failed: bool = False) -> ToolCall:
    return ToolCall(
        index=0,
        tool="Edit",
        input={"file_path": path, "old_string": old, "new_string": new},
        output="String to replace not found in file." if failed else "Updated.",
        status=CallStatus.ERROR if failed else CallStatus.OK,
    )


@pytest.mark.parametrize(
    ("found", "status"),
    [("pages.py:3: open_db()", "contradicted"), ("", "supported")],
)
def test_a_name_that_a_later_search_finds_is_not_replaced_everywhere(found, status):
    made = replaced("shop.py", "open_db()", "connect()")

    search = shell("grep -rn open_db .", found, "ok" if found else "error")

    assert statuses("I replaced all uses of `open_db`.", made, search) == [status]


def test_a_search_before_the_last_change_and_other_files_say_nothing_of_it():
    made = replaced("shop.py", "open_db()", "connect()")
    search = shell("grep -rn open_db .", "docs/old.md: open_db", "ok")

    line = "I replaced all uses of `open_db`."
    assert statuses(line, search, made) == ["supported"]
    line = "I replaced all uses of `open_db` in `shop.py`."
    assert statuses(line, made, search) == ["supported"]


def test_all_is_not_done_where_one_edit_failed_and_nobody_tried_it_again():
    line = "I replaced all uses of `open_db` in `shop.py`."
    made = replaced("shop.py", "a = open_db()", "a = connect()")
    failed = replaced("shop.py", "b = open_db()", "b = connect()", failed=True)
    again = replaced("shop.py", "    b = open_db()", "    b = connect()")

    assert statuses(line, made, failed) == ["contradicted"]
    assert statuses(line, made, failed, again) == ["supported"]
    assert statuses(line.replace("all", "two"), made, failed) == ["supported"]


def test_a_file_that_no_call_moves_has_not_been_moved():
    line = "Moved `GUIDE.md` to the `docs/` folder."

    assert statuses(line, shell("mkdir -p docs", "", "ok")) == ["unattempted"]
    assert statuses(line, shell("mkdir docs && mv *.md docs/", "", "ok")) != [
        "unattempted"
    ]


def test_what_was_moved_beside_another_stands_in_no_later_edit():
    line = "Moved `quota` and `limit` into the `Plan` class."
    failed = replaced("plan.py", "pass", "quota = 1\nlimit = 2", failed=True)
    later = replaced("plan.py", "class Plan:", "class Plan(Base):")

    assert statuses(line, failed, later) == ["contradicted"]


@pytest.mark.parametrize(
    "line",
    [
        "Sorted the imports of the plan by their name.",
        "Updated the imports to be sorted by name.",
        "The imports are now sorted in `plan.py`.",
    ],
)
def test_work_that_a_later_call_discards_is_contradicted(line):
    made = replaced("plan.py", "import b\nimport a", "import a\nimport b  # imports")

    discarded = statuses(line, made, shell("git checkout plan.py", "", "ok"))

    assert discarded == ["contradicted"]
    assert "contradicted" not in statuses(line, made)


def test_of_two_deeds_in_a_line_the_failed_one_alone_is_contradicted():
    line = "- Version raised to 0.9.0 in `app.toml`, news entry written"
    failed = replaced("app.toml", "0.8.0", "0.9.0", failed=True)

    [claim] = check(line, failed, edit("NEWS.md", "0.9.0"))

    assert claim.text == "Version raised to 0.9.0 in `app.toml`"
    assert claim.status == "contradicted"


def test_what_an_output_is_said_to_show_was_made_by_a_program():
    line = "The output shows that the importer created the three tables."
    failed = replaced("a.py", "x", "tables", failed=True)

    assert statuses(line, failed, call("run_app", "created")) == []


def test_that_things_work_may_be_told_in_words_of_ones_own():
    assert statuses("Both shortcuts work now.", edit("a.py", "weekly")) == []


def test_a_script_that_shows_a_bug_and_goes_again_is_not_what_was_mended():
    script = call(
        "Write", "Created.", file_path="show.cpp", content="int main() { g.at(9); }"
    )
    mended = replaced("src/grid.cpp", "return d[i];", "return d[clamp(i)];")
    other = replaced("src/cells.cpp", "return d[i];", "return d[clamp(i)];")
    gone = shell("rm show.cpp", "", "ok")

    line = "I fixed `Grid::at` so that indices stay in range."
    assert statuses(line, script, mended, gone) == ["supported"]
    assert statuses(line, script, other, gone) == ["unchecked"]
    assert statuses(line, script, gone) == ["contradicted"]


def test_edits_that_the_trace_cuts_may_hold_what_is_claimed():
    line = "Removed the `reset` method."
    cut = edit("plan.py", "class Plan:\n[31 lines trimmed by the export]")

    assert statuses(line, edit("plan.py", "class Plan:")) == ["unattempted"]
    assert statuses(line, cut) == ["unchecked"]
