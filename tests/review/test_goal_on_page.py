"""The goal on the answer page: result, feedback and attempts."""

import pytest

from tests.review.conftest import send


def page_of(browse, user, interaction):
    """Return the page of an answer with the part that follows it."""
    url = f"/p/{interaction.project.slug}/answers/{interaction.id}/"
    client = browse(user)
    pages = [client.get(url), client.get(f"{url}checks/")]
    return "".join(page.content.decode() for page in pages)


MISSED = {
    "task": "Make the tests pass.",
    "goal": "All tests of the parser pass.",
    "answer": "I ran the tests and all pass.",
    "tool_calls": [],
}


def test_what_was_missed_is_shown_with_the_goal(project, reviewer, browse):
    page = page_of(browse, reviewer, send(project, **MISSED))

    assert "All tests of the parser pass." in page
    assert "No tool call did this: I ran the tests and all pass." in page
    assert "Attempt 1" in page


@pytest.mark.parametrize(
    ("language", "missing", "advice"),
    [
        ("fr", "Aucun appel d’outil n’a fait cela : I ran", "Faites ce travail"),
        ("ru", "Ни один вызов инструмента этого не сделал: I ran", "Выполните эту"),
    ],
)
def test_what_the_ledger_found_missing_is_said_in_the_readers_language(
    project, reviewer, browse, language, missing, advice
):
    interaction = send(project, **MISSED)
    url = f"/p/{project.slug}/answers/{interaction.id}/checks/"

    page = browse(reviewer).get(url, headers={"accept-language": language})

    read = page.content.decode()
    assert (read.count(missing), advice in read) == (2, True)
    assert "No tool call did this" not in read


def test_a_claim_is_listed_without_marks_of_bold_and_code(project, reviewer, browse):
    missed = {**MISSED, "answer": "I ran **all** tests of `parser.py` and they pass."}

    page = page_of(browse, reviewer, send(project, **missed))

    bare = "I ran all tests of parser.py and they pass."
    assert f"No tool call did this: {bare}" in page
    assert f">{bare}</a>" in page
    assert f'<q dir="auto">{bare}</q>' in page
    assert "**all**" not in page.split('id="names-title"')[1].split("</section>")[0]


def test_earlier_attempts_stand_in_the_timeline(project, reviewer, browse):
    first = send(project, id="a", **MISSED)
    second = send(project, id="b", parent="a", **MISSED)

    page = page_of(browse, reviewer, second)

    assert "(2 created)" in page
    assert f"/answers/{first.id}/" in page


def test_hostile_issues_and_goals_are_escaped(project, reviewer, browse):
    hostile = "<script>alert(1)</script>\u202e"
    page = page_of(
        browse, reviewer, send(project, **{**MISSED, "goal": f"Pass. {hostile}"})
    )

    assert "<script>alert" not in page
    assert "\u202e" not in page


def test_a_discussion_can_be_read(project, reviewer, browse):
    page = page_of(
        browse,
        reviewer,
        send(
            project,
            verification_type="moderator",
            discussion=[{"speaker": "ann", "text": "Take <b>PostgreSQL</b>."}],
        ),
    )

    assert "The discussion (1 turn)" in page
    assert "Take &lt;b&gt;PostgreSQL&lt;/b&gt;." in page


def test_the_verdict_is_explained_and_says_how_strict_it_was(
    project, reviewer, browse, answered
):
    page = page_of(browse, reviewer, answered())

    assert "were compared with what the agent&#x27;s tools returned." in page
    assert "balanced" in page


def test_a_reviewer_chooses_how_strictly_to_verify_again(
    project, reviewer, browse, answered
):
    interaction = answered()
    url = f"/p/acme/answers/{interaction.id}/reverify/"

    reply = browse(reviewer).post(url, {"strictness": "strict"})
    refused = browse(reviewer).post(url, {"strictness": "harsh"})

    assert reply.status_code == 302
    assert interaction.verifications.get(number=2).strictness == "strict"
    assert refused.status_code == 422
