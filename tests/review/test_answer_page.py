"""The answer page: marks in place, evidence one click away, in a few queries."""

import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.markup import markup
from tests.review.conftest import ANSWER, GREP, newest_run
from verifyhub.review.decide.apply import apply_decision
from verifyhub.review.decisions import ClaimFlip, Decision, MentionFlip, Missed
from verifyhub.review.models import ReviewItem
from verifyhub.verification.services import reverify


def url(interaction, query=""):
    return f"/p/acme/answers/{interaction.id}/{query}"


@pytest.fixture
def read(browse, reviewer):
    client = browse(reviewer)

    def get(interaction, query="", **headers):
        return client.get(url(interaction, query), headers=headers)

    return get


def mention(interaction, name):
    return newest_run(interaction).mentions.get(text=name)


def test_names_are_marked_in_place_with_their_status(read, answered):
    page = markup(read(answered()))

    run = r"<mark><span[^>]*>"
    assert re.search(rf"mark--verified[^>]*>{run}compute_price", page)
    assert re.search(rf"mark--unverified[^>]*>{run}shop/discounts.py", page)
    assert '<span class="sr"> (unverified)</span>' in page


def test_answer_reads_as_it_was_written(read, answered):
    page = markup(read(answered(), "?raw"))

    body = page.split('<div class="answer', 1)[1].split(">", 1)[1].split("</div>")[0]
    body = re.sub(r'<span class="sr">[^<]*</span>', "", body)
    assert re.sub(r"<[^>]+>", "", body) == ANSWER


def test_chosen_name_shows_the_exact_place(read, answered):
    interaction = answered()
    index = mention(interaction, "compute_price()").index

    page = markup(read(interaction, f"?mention={index}"))

    assert re.search(r"def <mark>compute_price[^<]*</mark>", page)
    assert "Call 0: Grep" in page
    assert "Grade C" in page


def test_page_opens_at_the_first_flagged_name(read, answered):
    response = read(answered())

    assert response.context["name"].status == "unverified"


def test_htmx_gets_the_evidence_alone(read, answered):
    fragment = read(
        answered(), "?mention=0", **{"HX-Request": "true", "HX-Target": "evidence"}
    )

    assert markup(fragment).strip().startswith('<section class="card" id="evidence"')
    assert "HX-Request" in fragment.headers["Vary"]


@pytest.mark.parametrize("query", ["?mention=999", "?claim=5", "?mention=x", "?run=77"])
def test_a_choice_that_does_not_exist_is_ignored(read, answered, query):
    assert read(answered(), query).status_code == 200


def test_contradicted_claim_is_shown_with_the_run_that_failed(read, answered):
    pytest_run = {
        "tool": "Bash",
        "input": {"command": "pytest"},
        "output": "FAILED tests/test_tax.py::test_add\n=== 1 failed, 3 passed in 0.1s",
        "status": "error",
    }
    interaction = answered(
        answer="I fixed it and ran the tests. All tests pass.", tool_calls=[pytest_run]
    )

    page = markup(read(interaction))

    assert "claim--contradicted" in page
    assert "1 failed, 3 passed" in page


def test_page_takes_few_queries_however_long_the_trace(
    read, answered, django_assert_max_num_queries
):
    interaction = answered(tool_calls=[GREP] * 60)

    with django_assert_max_num_queries(35):
        read(interaction)


def judged(answered, reviewer, lead, count):
    """Send an answer with names, claims and calls, and say something of each."""
    names = [f"shop/part_{number}.py" for number in range(count)]
    claims = ["All tests pass.", "I committed the changes.", "I ran the linter."]
    output = "\n".join(f"{name}:1: def price(cart):" for name in names)
    interaction = answered(
        id=f"judged-{count}",
        answer=" ".join(
            [*claims[: count // 2], *(f"See `{name}`." for name in names)]
            + [f"No word of `missing_{name}`." for name in names]
        ),
        tool_calls=[GREP | {"output": output}] * count,
    )
    item = ReviewItem.objects.get(interaction=interaction)
    report = newest_run(interaction).report
    parts = [
        *({"mentions": (MentionFlip(index=n, status="unverified"),)} for n in range(2)),
        *({"claims": (ClaimFlip(index=n, status="supported"),)} for n in range(1)),
        *({"note": f"Seen {n}."} for n in range(count)),
        *({"missed": (missed(n),)} for n in range(count)),
    ]
    assert len(report["mentions"]) >= 2 * count
    assert len(report["completion_claims"]) >= min(2, count // 2)
    for number, part in enumerate(parts):
        item.refresh_from_db()
        apply_decision(
            item=item,
            decision=Decision(reason="Looked.", reason_codes=("exists",), **part),
            reviewer=(reviewer, lead)[number % 2],
            version=item.version,
        )
    return interaction


def missed(number):
    return Missed(text=f"See `shop/part_{number}", kind="function", status="verified")


def test_more_of_everything_takes_no_more_queries(read, answered, reviewer, lead):
    few, many = (judged(answered, reviewer, lead, count) for count in (2, 8))
    read(few)

    def queries(interaction, chosen):
        with CaptureQueriesContext(connection) as captured:
            assert str(read(interaction, f"?{chosen}").context["choice"]) == chosen
        return len(captured)

    for chosen in ("mention=0", "claim=0", "added=0"):
        assert queries(many, chosen) == queries(few, chosen)


def test_calls_and_checks_come_after_the_page_and_have_a_link(read, answered):
    interaction = answered()

    page = markup(read(interaction))
    later = markup(read(interaction, "checks/", **{"HX-Request": "true"}))

    place = url(interaction, "checks/")
    assert f'id="checks" hx-get="{place}" hx-trigger="load"' in page
    assert f'<a href="{place}">Show the tool calls and checks</a>' in page
    assert 'id="call-0"' not in page
    assert later.startswith('<div class="stack" id="checks">')
    assert 'id="call-0"' in later


def test_long_outputs_are_not_in_the_page(read, answered):
    interaction = answered(tool_calls=[GREP, GREP | {"output": "x" * 300_000}])

    page = read(interaction, "checks/")

    assert len(page.content) < 60_000
    assert "300000 characters" in markup(page)


def test_long_output_is_read_in_parts(read, answered):
    output = "a" * 100_000 + "the end"
    interaction = answered(tool_calls=[GREP, GREP | {"output": output}])

    first = markup(read(interaction, "calls/1/"))
    last = markup(read(interaction, "calls/1/?from=60000"))

    assert "the end" not in first
    assert "from=60000" in first
    assert "the end" in last


def test_whole_output_has_the_evidence_marked(read, answered):
    output = "noise\n" * 20_000 + GREP["output"]
    interaction = answered(tool_calls=[GREP | {"output": output}])
    index = mention(interaction, "shop/pricing.py").index

    page = markup(read(interaction, f"calls/0/?mention={index}"))

    assert re.search(r"<mark id=\"hit\">(shop/)?pricing\.py</mark>", page)


@pytest.mark.parametrize("query", ["calls/9/", "calls/0/?field=input.nothing"])
def test_texts_that_do_not_exist_are_not_found(read, answered, query):
    assert read(answered(), query).status_code == 404


def test_waiting_answer_asks_again_by_itself(read, answered, reviewer):
    interaction = answered()
    reverify(interaction=interaction, actor=reviewer)

    page = markup(read(interaction))
    poll = read(interaction, "?known=2-waiting", **{"HX-Request": "true"})

    assert 'hx-trigger="every 2s"' in page
    assert poll.status_code == 204


def test_asking_stops_with_the_verdict(read, answered):
    interaction = answered()

    news = read(interaction, "?known=1-waiting", **{"HX-Request": "true"})

    assert news.status_code == 200
    assert "every 2s" not in markup(news)


def test_failed_verification_is_said(read, answered):
    interaction = answered()
    interaction.verifications.update(
        state="failed", report=None, verdict="", error="out of memory"
    )

    page = markup(read(interaction))

    assert "out of memory" in page
    assert "shop/discounts.py" in page


def test_earlier_verdicts_can_be_read_but_not_decided(read, answered, reviewer):
    interaction = answered()
    run = reverify(interaction=interaction, actor=reviewer)
    first = interaction.verifications.get(number=1)
    interaction.verifications.filter(pk=run.pk).update(
        state="finished", report=first.report, verdict=first.verdict
    )

    page = markup(read(interaction, "?run=1"))

    assert "This is an earlier verdict" in page
    assert f'hx-get="{url(interaction, "checks/?run=1")}"' in page
    assert "/agree/" not in page


@pytest.mark.parametrize("path", ["", "calls/0/"])
def test_answer_of_another_project_is_not_found(browse, outsider, answered, path):
    interaction = answered()
    foreign = outsider.memberships.get().project.slug
    client = browse(outsider)

    assert client.get(url(interaction, path)).status_code == 404
    stolen = url(interaction, path).replace("acme", foreign)
    assert client.get(stolen).status_code == 404


def test_viewers_read_without_buttons(browse, viewer, answered):
    page = markup(browse(viewer).get(url(answered())))

    assert "/agree/" not in page
    assert "/flip/" not in page


def test_hostile_text_is_shown_as_text(read, answered):
    attack = '<script>alert(1)</script><img src=x onerror="alert(2)">'
    interaction = answered(
        task=attack,
        answer=f"{attack} `shop/{attack}.py` and `shop/pricing.py`\u202e",
        tool_calls=[GREP | {"tool": attack[:60], "output": GREP["output"] + attack}],
        agent={"name": attack},
    )

    page = markup(read(interaction))

    assert "<script>alert" not in page
    assert "<img" not in page
    assert "RLO" in page


def test_first_bad_step_leads_to_its_call(read, answered):
    call = {
        "tool": "bash",
        "input": {"command": "grep -rn load_ghosts ."},
        "output": "",
    }
    interaction = answered(answer="See `load_ghosts()`.", tool_calls=[call])

    page = markup(read(interaction))

    assert "First bad step" in page
    assert f"answers/{interaction.id}/calls/0/" in page
