"""An answer with something wrong in it goes back, and page and API say so alike."""

import pytest
from django.urls import reverse

from tests.journeys.answers import sent, shell

pytestmark = pytest.mark.django_db

PRESETS = ("source", "lenient", "balanced", "strict")


@pytest.mark.parametrize("answer", ["All tests pass.", "I committed and pushed."])
def test_work_that_was_never_done_goes_back_unless_the_sources_rule(
    api, project, answer
):
    decisions = {}
    for preset in PRESETS:
        project.strictness = preset
        project.save()
        decisions[preset] = sent(api, answer)[1]["decision"]

    assert {preset: one["action"] for preset, one in decisions.items()} == {
        "source": "accept",
        "lenient": "retry",
        "balanced": "retry",
        "strict": "retry",
    }
    assert decisions["source"]["reason"] == "faults_tolerated"
    told = decisions["balanced"]["additional_context"]
    assert "no tool call did this" in told


def test_a_wrong_name_is_told_with_the_real_one_until_no_attempt_is_left(api, project):
    actions, texts = [], []
    for number, name in enumerate(("tides.py", "ebbs.py", "floods.py"), start=1):
        parent = {"parent": f"try-{number - 1}"} if number > 1 else {}
        _, verdict = sent(
            api,
            f"Read `{name}` and `moon.py`.",
            id=f"try-{number}",
            **parent,
        )
        actions.append(verdict["decision"]["action"])
        texts.append(verdict["decision"]["additional_context"])

    assert actions == ["retry", "retry", "fail"]
    assert '"tide.py" (not "tides.py")' in texts[0]
    assert '"floods.py"' in texts[2]


@pytest.mark.parametrize(
    ("answer", "preset"),
    [
        ("Read `tide.py`.", "balanced"),
        ("Read `tide.py` and `ghost.py`.", "balanced"),
        ("Read `tide.py` and `ghost.py`.", "source"),
        ("All tests pass.", "source"),
        ("It looks fine to me.", "balanced"),
    ],
)
def test_no_page_says_uncertain_above_and_accepted_below(
    api, project, reviewer, browse, answer, preset
):
    project.strictness = preset
    project.save()
    interaction, verdict = sent(api, answer)

    page = browse(reviewer).get(
        reverse("review:answer-checks", args=[project.slug, interaction.id])
    )

    text = " ".join(page.content.decode().split())
    told = text.partition("Feedback to agent</h2>")[2].partition("</summary>")[0]
    passed = verdict["verdict"] == "accept"
    assert ("No findings against this answer." in text) is passed
    assert ("Do not use it as it is." in text) is (verdict["verdict"] == "reject")
    assert ("Review it before use." in text) is (verdict["verdict"] == "uncertain")
    assert ("Accept" in told) is passed
    assert ("the checks passed" in text) is passed
    assert (verdict["decision"]["reason"] == "checks_passed") is passed


def test_the_part_that_is_wrong_is_told_to_the_agent_and_on_the_page(
    api, project, reviewer, browse
):
    answer = "All 3 tests pass and ruff is clean."
    calls = [shell("pytest -q", "3 passed in 0.1s")]
    interaction, verdict = sent(api, answer, tool_calls=calls)
    place = reverse("review:answer-detail", args=[project.slug, interaction.id])

    page = browse(reviewer).get(place, {"claim": 0}).content.decode()

    told = verdict["decision"]["additional_context"]
    assert '- "ruff is clean.": no tool call did this' in told
    assert 'No tool call shows "ruff is clean".' in verdict["explanation"]
    assert '<q class="break" dir="auto">ruff is clean</q>' in page
