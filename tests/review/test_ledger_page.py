"""What the tools showed, on a page of its own and folded into the answer's."""

import pytest

from tests.markup import markup
from tests.review.conftest import GREP

HOSTILE = "<script>x</script>\u202e.py"
RUN = {
    "tool": "Bash",
    "input": {"command": "cd app && pytest -q"},
    "output": "Exit code 1\n== 1 failed, 2 passed in 0.1s ==",
    "status": "error",
}
WRITE = {
    "tool": "Write",
    "input": {"file_path": HOSTILE, "content": "x"},
    "output": "Wrote it.",
    "status": "ok",
}


@pytest.fixture
def read(browse, reviewer):
    client = browse(reviewer)

    def get(interaction, **headers):
        address = f"/p/acme/answers/{interaction.id}/ledger/"
        return client.get(address, headers=headers)

    return get


def test_results_and_exits_are_shown_with_their_call(read, answered):
    interaction = answered(tool_calls=[GREP, RUN])

    page = markup(read(interaction))

    assert "pytest -q" in page
    assert "exit 1" in page
    assert "1 failed" in page
    assert f"/p/acme/answers/{interaction.id}/calls/1/" in page


def test_names_in_it_are_escaped_and_their_marks_shown(read, answered):
    page = markup(read(answered(tool_calls=[WRITE])))

    assert "<script>x" not in page
    assert "&lt;script&gt;x" in page
    assert "\u202e" not in page
    assert "RLO" in page


def test_the_answer_page_asks_for_it_when_it_is_unfolded(read, answered, browse):
    interaction = answered()

    fragment = read(interaction, **{"HX-Request": "true"})

    assert "<html" not in markup(fragment)
    assert 'id="ledger-tables"' in markup(fragment)


def test_another_projects_run_is_not_there(read, answered, project):
    interaction = answered()
    interaction.project = type(project).objects.create(name="Other", slug="other")
    interaction.save(update_fields=["project"])

    assert read(interaction).status_code == 404
