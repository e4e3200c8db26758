"""The timeline: what each call did in one line, its errors, and a search in place."""

from urllib.parse import quote

import pytest

from tests.markup import markup
from tests.review.conftest import GREP

PYTEST = {
    "tool": "Bash",
    "input": {"command": "pytest -q"},
    "output": "FAILED tests/test_tax.py::test_add\n=== 1 failed, 3 passed in 0.1s",
    "status": "error",
}
WRITE = {
    "tool": "Write",
    "input": {"file_path": "shop/levy.py", "content": "x = 1\n"},
    "output": "File created successfully at: shop/levy.py",
    "duration_ms": 1500,
}


@pytest.fixture
def read(browse, reviewer):
    client = browse(reviewer)

    def get(interaction, path="", **headers):
        url = f"/p/acme/answers/{interaction.id}/{path}"
        return markup(client.get(url, headers=headers))

    return get


def test_a_call_says_in_one_line_what_it_did(read, answered):
    page = read(answered(tool_calls=[GREP, WRITE]), "checks/")

    assert '<span class="soft">searched</span>' in page
    assert '<span class="soft">wrote</span> <code class="break">shop/levy.py' in page
    assert "1.5 s" in page


def test_an_error_is_seen_without_unfolding(read, answered):
    page = read(answered(tool_calls=[PYTEST]), "checks/")

    assert "step--bad" in page
    error = page.split('class="step-error', 1)[1].split("</span>")[0]
    assert "FAILED tests/test_tax.py::test_add" in error


def test_the_ledger_says_what_came_of_a_call(read, answered):
    page = read(answered(tool_calls=[PYTEST, WRITE]), "timeline/")

    assert "3 passed, 1 failed" in page
    assert "changed levy.py" in page


def test_a_record_that_a_call_changed_is_not_called_after_the_tool(read, answered):
    booking = {
        "tool": "update_booking",
        "input": {"id": "B7"},
        "output": '{"id": "B7"}',
    }
    refused = booking | {"status": "error", "output": "no such booking"}

    page = read(answered(tool_calls=[booking, refused]), "timeline/")

    assert "changed a record" in page
    assert "changed no record" in page
    assert "changed update_booking" not in page


@pytest.mark.parametrize("status", ["ok", "unknown"])
def test_a_call_without_a_recorded_output_says_so_and_nothing_else(
    read, answered, status
):
    silent = {"output": "", "status": status}

    page = read(
        answered(tool_calls=[PYTEST | silent, GREP | silent, WRITE | silent]),
        "timeline/",
    )

    assert page.count('<span class="badge badge--quiet">No output recorded') == 3
    assert "no findings" not in page
    assert "passed" not in page
    assert "changed levy.py" not in page


def test_the_ledgers_words_come_after_the_page(read, answered):
    interaction = answered(tool_calls=[PYTEST])

    page = read(interaction, "checks/")
    words = read(
        interaction,
        "timeline/",
        **{"HX-Request": "true", "HX-Target": "timeline-words"},
    )

    assert 'hx-trigger="load"' in page
    assert '<span class="row" id="words-0"></span>' in page
    assert 'id="words-0" hx-swap-oob="true"' in words
    assert "3 passed, 1 failed" in words


def test_a_search_shows_places_and_counts(read, answered):
    interaction = answered(tool_calls=[GREP, WRITE, GREP | {"output": "PRICE price"}])

    page = read(interaction, "timeline/?find=Price")

    assert "5 places" in page
    assert "in 2 calls." in page
    assert "<mark>PRICE</mark> price" in page
    assert "<mark>price</mark>" in page
    assert 'id="call-1"' not in page


def test_a_long_output_is_told_and_searched_however_it_is_kept(read, answered):
    said = "".join(f"{n}: préférence {n}\n" for n in range(4000))
    interaction = answered(tool_calls=[GREP | {"output": said}])

    page = read(interaction, "checks/")
    found = read(interaction, "timeline/?find=3999: PRÉFÉRENCE")

    assert f"Show all {len(said)} characters" in page
    assert "0: préférence 0 1: préférence 1 " in page
    assert "<mark>3999: préférence</mark> 3999" in found


@pytest.mark.parametrize("question", [".*", "%", "\\", "'; drop table x", "(a+)+$"])
def test_a_search_takes_every_character_as_it_is(read, answered, question):
    interaction = answered(tool_calls=[GREP, GREP | {"output": f"a {question} b"}])

    page = read(interaction, f"timeline/?find={quote(question)}")

    assert 'id="call-1"' in page
    assert 'id="call-0"' not in page


def test_a_hit_is_marked_in_the_whole_text(read, answered):
    interaction = answered(tool_calls=[GREP | {"output": "x" * 90_000 + " needle"}])

    page = read(interaction, "calls/0/?field=output&find=needle")

    assert '<mark id="hit">needle</mark>' in page


def test_a_long_trace_comes_in_parts(read, answered):
    interaction = answered(tool_calls=[GREP] * 230)

    first = read(interaction, "checks/")
    rest = read(interaction, "timeline/?step=200")

    assert 'id="call-199"' in first
    assert 'id="call-200"' not in first
    assert "?step=200" in first
    assert 'id="call-229"' in rest


def test_the_whole_input_can_be_read(read, answered):
    call = GREP | {"input": {"pattern": "p" * 900, "nested": {"a": [1]}}}

    page = read(answered(tool_calls=[call]), "calls/0/?field=input")

    assert "p" * 900 in page
    assert "nested" in page


DELEGATE = {
    "tool": "Task",
    "id": "c-7",
    "input": {"prompt": 'Find "tax" rules'},
    "output": "Found.",
}


@pytest.mark.parametrize(
    "subtask", [{"id": "c-7", "task": "Anything"}, {"task": 'Find "tax" rules'}]
)
def test_a_subtasks_calls_stand_inside_the_call_that_began_it(read, answered, subtask):
    above = answered(id="run-1", tool_calls=[DELEGATE, GREP])
    below = answered(parent="run-1", agent={"name": "<b>finder"}, **subtask)

    page = read(above, "timeline/")
    words = read(
        above, "timeline/", **{"HX-Request": "true", "HX-Target": "timeline-words"}
    )
    nested = read(below, "timeline/?nested=1", **{"HX-Request": "true"})

    call, after = page.split('id="call-1"')
    assert f"/answers/{below.id}/timeline/?nested=1" in call
    assert "&lt;b&gt;finder" in call
    assert 'id="subtasks-0" hx-swap-oob="true"' in " ".join(words.split())
    assert f"/answers/{below.id}/timeline/?nested=1" in words
    assert str(below.id) not in after.split("</ol>")[0]
    assert f'id="{below.id}-call-0"' in nested
    assert 'id="timeline"' not in nested


def test_a_subtask_that_no_call_began_stands_below_them(read, answered):
    above = answered(id="run-1", tool_calls=[GREP])
    below = answered(parent="run-1", task="Something else")

    calls = read(above, "timeline/").split('id="call-0"')[1]

    assert f"/answers/{below.id}/timeline/" in calls
    assert str(below.id) not in read(above, "timeline/?find=apply")
