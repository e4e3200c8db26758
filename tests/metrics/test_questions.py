"""The questions of the metrics page, against cases small enough to count by hand."""

from datetime import UTC, datetime, timedelta

import pytest
from django.test import Client
from django.utils import timezone
from jsonschema import Draft202012Validator

from tests.api.documents import document
from tests.factories import (
    ApiKeyFactory,
    ClaimVerdictFactory,
    ConstraintFactory,
    InteractionFactory,
    MentionVerdictFactory,
    ModelCallFactory,
    OverrideFactory,
    ReviewItemFactory,
    ToolCallFactory,
    UserFactory,
    VerificationFactory,
)
from verifyhub.ingest.models import Interaction
from verifyhub.metrics.definitions import DEFINITIONS
from verifyhub.metrics.selectors.questions import (
    By,
    backlog,
    checks,
    most_hallucinating,
    outcomes,
    people,
    progress,
    questions,
    spending,
)
from verifyhub.metrics.windows import Window, window_from
from verifyhub.review.models import GoldItem, ReviewItem

pytestmark = pytest.mark.django_db
EVER = Window(days=None, since=None)


def checked(project, verdict="accept", **interaction):
    row = InteractionFactory(project=project, **interaction)
    return VerificationFactory(interaction=row, verdict=verdict)


def decided(run, human_verdict="", state="confirmed", **fields):
    return ReviewItemFactory(
        verification=run,
        state=state,
        human_verdict=human_verdict,
        resolved_at=timezone.now(),
        **fields,
    )


def test_wrong_is_said_of_answers_that_people_decided(project):
    decided(checked(project, "reject"))
    decided(checked(project, "reject"), "accept", "overridden")
    decided(checked(project, "accept"), "reject", "overridden")
    ReviewItemFactory(verification=checked(project, "reject"))
    checked(project)

    found = outcomes(project, EVER)

    assert (found.known.count, found.known.n) == (3, 5)
    assert (found.wrong.count, found.wrong.n) == (2, 3)
    assert (found.false_alarms.count, found.false_alarms.n) == (1, 2)
    assert (found.missed.count, found.missed.n) == (1, 1)
    assert found.wrong.small
    assert found.wrong.low < 2 / 3 < found.wrong.high


def test_gold_says_what_is_right(project, reviewer):
    item = ReviewItemFactory(verification=checked(project, "accept"), state="gold")
    GoldItem.objects.create(
        project=project, item=item, verdict="reject", marked_by=reviewer
    )

    found = outcomes(project, EVER)

    assert (found.wrong.count, found.wrong.n) == (1, 1)
    assert found.missed.value == 1


def test_an_answer_verified_again_before_anybody_decided_is_not_decided(project):
    ReviewItemFactory(verification=checked(project, "reject"), state="superseded")

    assert outcomes(project, EVER).known.count == 0
    assert people(project, EVER).decisions.n == 0


def test_progress_is_told_per_agent_model_and_tool(project):
    run = checked(project, "reject", agent_name="scout", metadata={"model": "model-x"})
    MentionVerdictFactory(invented=True, verification=run)
    ToolCallFactory(interaction=run.interaction, tool="Read")
    ToolCallFactory(interaction=run.interaction, tool="Read", index=1)
    checked(project, agent_name="scout", agent_tier="small")

    (agent,) = progress(project, EVER, By.AGENT)
    models = progress(project, EVER, By.MODEL)
    (tool,) = progress(project, EVER, By.TOOL)

    assert agent.name == "scout"
    assert (agent.quality.hallucinated.count, agent.quality.hallucinated.n) == (1, 2)
    assert [row.name for row in models] == ["model-x", "small"]
    assert (tool.name, tool.quality.answers) == ("Read", 1)


def test_one_bad_answer_alone_does_not_outrank_many(project):
    for number in range(6):
        run = checked(project, "reject", agent_name="often")
        MentionVerdictFactory(invented=number < 5, verification=run)
    once = checked(project, "reject", agent_name="once")
    MentionVerdictFactory(invented=True, verification=once)

    worst = most_hallucinating(project, EVER, By.AGENT)

    assert worst is not None
    assert (worst.name, worst.figure.count, worst.figure.n) == ("often", 5, 6)
    assert most_hallucinating(project, EVER, By.TOOL) is None


def test_what_people_say_of_names_decides_what_is_invented(project):
    run = checked(project, "reject")
    MentionVerdictFactory(invented=True, verification=run, human_status="verified")
    missed = checked(project)
    MentionVerdictFactory(verification=missed, human_status="unverified")

    (every,) = progress(project, EVER, By.ALL)

    assert every.quality.hallucinated.count == 1


def test_weeks_begin_on_monday_and_halves_are_compared(project):
    now = datetime(2026, 11, 21, 12, tzinfo=UTC)
    for days, verdict in ((1, "accept"), (13, "reject")):
        run = checked(project, verdict)
        Interaction.objects.filter(pk=run.interaction_id).update(
            created_at=now - timedelta(days=days)
        )

    (every,) = progress(project, window_from("30", now), By.ALL)

    assert [str(week.monday) for week in every.weeks] == ["2026-11-02", "2026-11-16"]
    assert every.first_passed_change.value is None
    assert every.shows == ""


def test_a_check_is_judged_by_what_people_changed(project):
    run = checked(project, "reject", agent_name="scout")
    MentionVerdictFactory(invented=True, verification=run, human_status="verified")
    MentionVerdictFactory(invented=True, verification=run)
    MentionVerdictFactory(verification=run, human_status="unverified")
    ClaimVerdictFactory(verification=run, human_status="right")
    decided(run, "accept", "overridden", reason_kinds=["unverified_names", "decision"])

    found = checks(project, EVER)

    rows = {row.check: row for row in found.by_check}
    assert (rows["verdict"].overridden.count, rows["verdict"].overridden.n) == (1, 1)
    assert (rows["names"].cleared.count, rows["names"].cleared.n) == (1, 2)
    assert (rows["names"].overlooked.count, rows["names"].overlooked.n) == (1, 1)
    assert rows["facts"].cleared.value == 1
    assert {row.reason for row in found.by_reason if row.check == "verdict"} == {
        "unverified_names",
        "decision",
    }
    assert {row.agent for row in found.by_agent} == {"scout"}


def test_the_newest_standing_word_on_a_claim_of_work_counts(project):
    run = checked(project, "reject")
    run.report = {"completion_claims": [{"status": "contradicted", "text": "done"}]}
    run.save()
    item = decided(run)
    OverrideFactory(item=item, target="claim", subject={"index": 0}, after="supported")
    undone = OverrideFactory(
        item=item, target="claim", subject={"index": 0}, after="unattempted"
    )
    undone.undone_at = timezone.now()
    undone.save()

    (row,) = [r for r in checks(project, EVER).by_check if r.check == "completion"]

    assert (row.cleared.count, row.cleared.n) == (1, 1)


def test_skipped_and_open_checks_are_no_passes(project):
    for outcome in ("passed", "failed", "inconclusive", "skipped", "skipped"):
        run = checked(project)
        run.report = {"checks": [{"name": "cross_tier", "outcome": outcome}]}
        run.save()

    (row,) = checks(project, EVER).outcomes

    assert (row.passed.count, row.passed.n) == (1, 2)
    assert (row.failed, row.inconclusive, row.skipped) == (1, 1, 2)


def test_money_has_its_uncertainty(project):
    for cost in (100, 300):
        run = checked(project, run_cost_microdollars=10_000)
        ModelCallFactory(
            project=project, verification_id=run.id, cost_microdollars=cost
        )

    found = spending(project, EVER)

    assert (found.per_verdict.value, found.per_verdict.n) == (200, 2)
    assert found.per_verdict.low < 200 < found.per_verdict.high
    assert found.share_of_run.value == pytest.approx(0.02)
    assert found.tiers[0].per_call.value == 200


def test_costs_beyond_every_counter_do_not_break_the_page(project):
    huge = 2**63 - 1
    for _ in range(2):
        run = checked(project, run_cost_microdollars=huge)
        ModelCallFactory(project=project, verification_id=run.id)

    assert spending(project, EVER).share_of_run.n == 2


def test_reviewers_are_told_by_the_day_of_their_decisions(project):
    person = UserFactory(username="ada")
    old = checked(project, "reject")
    Interaction.objects.filter(pk=old.interaction_id).update(
        created_at=timezone.now() - timedelta(days=60)
    )
    decided(old, resolved_by=person, taken_at=timezone.now() - timedelta(seconds=30))

    found = people(project, window_from("7", timezone.now()))

    (row,) = found.reviewers
    assert (row.name, row.decisions.n, row.share_of_decisions.value) == ("ada", 1, 1)
    assert row.seconds.value == pytest.approx(30, abs=1)


def test_the_backlog_has_size_age_and_flow(project):
    now = timezone.now()
    item = ReviewItemFactory(verification=checked(project, "reject"))
    ReviewItem.objects.filter(pk=item.pk).update(created_at=now - timedelta(days=3))
    decided(checked(project, "reject"))

    found = backlog(project, window_from("7", now), now)

    assert found.waiting.n == 1
    assert found.oldest.value == pytest.approx(3 * 86_400, abs=60)
    assert found.half_age.value == 3 * 86_400
    assert sum(day.opened for day in found.days) == 2
    assert sum(day.decided for day in found.days) == 1


def test_every_question_is_answered_of_nothing_and_of_one_project_alone(project):
    other = ConstraintFactory(active_at=timezone.now()).project
    decided(checked(other, "reject"))

    found = questions(project, EVER, timezone.now())

    assert found.outcomes.received.n == 0
    assert found.inventions.constraints == []
    assert found.people.reviewers == []
    assert found.backlog.waiting.n == 0


def test_every_definition_is_written(project):
    assert all(str(one.label) and str(one.text) for one in DEFINITIONS.values())


def test_a_window_of_some_agents_holds_no_others(project):
    run = checked(project, "reject", agent_name="scout", metadata={"model": "m"})
    decided(run)
    decided(checked(project, "reject", agent_name="other"))

    for some in ({"agent": "scout"}, {"model": "m"}):
        found = questions(
            project, Window(days=None, since=None, **some), timezone.now()
        )
        assert found.outcomes.received.n == 1
        assert found.people.decisions.n == 1
        assert [row.name for row in found.progress[By.AGENT]] == ["scout"]


def test_the_api_gives_every_figure_with_its_definition(project, api):
    run = checked(project, "reject")
    decided(run, resolved_by=UserFactory(username="ada"))

    body = api.get("/api/v1/metrics/?days=7").json()

    assert body["outcomes"]["flagged"]["count"] == 1
    assert body["definitions"]["flagged"]["unit"] == "share"
    assert body["levels"]["totalChecks"] == 0
    assert body["goals"]["firstAttempts"]["total"] == 1
    assert body["people"]["reviewers"][0]["name"] == "ada"
    assert set(body["progress"]) == {"all", "agent", "model", "tool"}


@pytest.mark.parametrize("of", ["", "compare/", "goals/", "levels/"])
def test_replies_are_as_the_document_describes_them(project, api, of):
    for agent in ("scout", "coder"):
        decided(checked(project, "reject", agent_name=agent))
    path = f"/api/v1/metrics/{of}"
    shown = document()["paths"][path]["get"]["responses"]["200"]["content"]

    schema = {**shown["application/json"]["schema"], **document()}

    Draft202012Validator(schema).validate(api.get(path).json())


def test_who_decided_is_for_keys_that_may_review(project):
    decided(checked(project, "reject"), resolved_by=UserFactory(username="ada"))
    secret = "vh_tests_reads_0123456789abcdef0123456789ab"
    ApiKeyFactory(project=project, secret=secret, scopes=["read"])

    found = Client(headers={"authorization": f"Bearer {secret}"}).get(
        "/api/v1/metrics/"
    )

    assert found.json()["people"]["reviewers"] is None
    assert found.json()["people"]["decisions"]["n"] == 1
