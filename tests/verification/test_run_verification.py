from contextlib import suppress

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.builders import verify
from tests.factories import ProjectFactory
from tests.ingest.runs import a_call, an_interaction
from verifyhub.ingest.services import record_interaction
from verifyhub.verification.models import MentionVerdict, Verification
from verifyhub.verification.selectors import earlier_attempts
from verifyhub.verification.services import (
    VERIFICATIONS,
    run,
    run_due,
    run_verification,
)
from verifyhub.verification.services.engine_run import EngineRun
from verifyhub.verification.services.project_setup import ProjectSetup
from verifyhub.verification.steps import AFTER_VERIFICATION

pytestmark = pytest.mark.django_db
State = Verification.State


def opened(project, **fields) -> Verification:
    row, _ = record_interaction(
        project=project, api_key=None, interaction=an_interaction(**fields)
    )
    return row.verifications.get()


def test_recording_an_interaction_opens_its_verification(project):
    verification = opened(project)

    assert (verification.state, verification.number) == (State.PENDING, 1)


def test_a_run_writes_the_report_and_its_mentions(project):
    verification = opened(project, id="run-1")

    wrote = run_verification(verification_id=verification.id)

    verification.refresh_from_db()
    statuses = dict(
        MentionVerdict.objects.filter(kind="file").values_list("text", "status")
    )
    assert (wrote, verification.state) == (True, State.FINISHED)
    assert verification.report["id"] == "run-1"
    assert statuses == {"src/parser.py": "verified", "src/lexer.py": "unverified"}
    assert verification.mention_count == len(verification.report["mentions"])
    assert verification.lease_until is None


@pytest.mark.parametrize("count", [1, 32])
def test_a_batch_is_written_by_as_few_statements_as_one_verdict(
    project, count, monkeypatch
):
    # On a machine with other work, a batch would be written in parts.
    monkeypatch.setattr(run, "WRITE_AFTER_SECONDS", 60)
    run_verification(verification_id=opened(project).id)
    for number in range(count):
        opened(project, session=f"s{number}")

    with CaptureQueriesContext(connection) as captured:
        run_due(seconds=60)

    sent = [one["sql"] for one in captured if "SAVEPOINT" not in one["sql"]]
    assert len(sent) <= 33
    assert Verification.objects.filter(state=State.FINISHED).count() == count + 1
    assert MentionVerdict.objects.filter(status="unverified").exists()


def test_a_row_that_cannot_be_written_fails_alone(project, add_step):
    rows = [opened(project, id=name) for name in ("first", "bad", "last")]

    def fail(finished):
        if any(one.interaction.client_id == "bad" for one in finished):
            raise RuntimeError("broken step")

    add_step(AFTER_VERIFICATION, fail)

    run_due()

    states = {
        row.interaction.client_id: (row.state, row.attempts, bool(row.report))
        for row in Verification.objects.select_related("interaction")
    }
    assert states == {
        "first": (State.FINISHED, 1, True),
        "bad": (State.PENDING, 1, False),
        "last": (State.FINISHED, 1, True),
    }
    assert MentionVerdict.objects.filter(verification=rows[1]).count() == 0


def test_a_row_that_cannot_be_run_fails_alone(project):
    other = ProjectFactory(thresholds={"no_such_threshold": 1})
    good, bad = opened(project), opened(other)

    run_due()

    good.refresh_from_db()
    bad.refresh_from_db()
    assert (good.state, bad.state) == (State.FINISHED, State.PENDING)
    assert "no_such_threshold" in bad.error


def test_an_answer_that_ends_its_worker_takes_no_other_along(project, monkeypatch):
    for name in ("a", "deadly", "c"):
        opened(project, id=name)
    run = EngineRun.result

    def die(self, **options):
        if self.verification.interaction.client_id == "deadly":
            raise SystemExit("the worker is gone")
        return run(self, **options)

    monkeypatch.setattr(EngineRun, "result", die)
    for _ in range(8):
        with suppress(SystemExit):
            run_due()
        Verification.objects.filter(state=State.RUNNING).update(
            lease_until="2020-01-01T00:00Z"
        )
        VERIFICATIONS.reconcile()

    states = dict(Verification.objects.values_list("interaction__client_id", "state"))
    assert states == {"a": State.FINISHED, "deadly": State.FAILED, "c": State.FINISHED}


def test_an_answer_that_continues_one_of_its_batch_counts_as_the_next_attempt(project):
    task = "Look at the lexer"
    opened(project, id="first", task=task)
    opened(project, id="second", task=task, parent="first")

    assert run_due() == 2

    last = Verification.objects.get(interaction__client_id="second")
    assert last.report["attempt"] == 2


def test_rows_that_wait_for_models_are_left_to_other_workers(project, monkeypatch):
    for _ in range(3):
        opened(project)
    monkeypatch.setattr(ProjectSetup, "asks_models", True)

    run_due(seconds=0)

    rows = Verification.objects.values_list("state", "attempts")
    assert sorted(rows) == [(State.FINISHED, 1), *[(State.PENDING, 0)] * 2]


@pytest.fixture
def asking(monkeypatch):
    """A project whose verdicts ask a model, beside one whose do not."""
    made = ProjectFactory(slug="asking")
    monkeypatch.setattr(
        ProjectSetup, "asks_models", property(lambda self: self.project == made)
    )
    return made


def states_of(project):
    return list(
        Verification.objects.filter(project=project).values_list("state", "attempts")
    )


def test_who_verifies_without_models_leaves_those_that_ask_one_to_others(
    project, asking, monkeypatch, django_capture_on_commit_callbacks
):
    rung = []
    monkeypatch.setattr(
        "verifyhub.common.jobs.current_app.send_task",
        lambda name, **_: rung.append(name),
    )
    opened(asking)
    opened(project)
    rung.clear()

    with django_capture_on_commit_callbacks(execute=True):
        run_due(with_models=False)
        run_due(with_models=False)

    assert states_of(project) == [(State.FINISHED, 1)]
    assert states_of(asking) == [(State.PENDING, 0)]
    assert "verification.verify_with_models" in rung


def test_who_verifies_with_models_takes_all(project, asking):
    opened(asking)
    opened(project)

    run_due()

    assert states_of(project) == states_of(asking) == [(State.FINISHED, 1)]


def test_a_project_that_asks_no_model_any_more_is_verified_again_without(
    project, monkeypatch
):
    opened(project)
    with monkeypatch.context() as patched:
        patched.setattr(ProjectSetup, "asks_models", True)
        run_due(with_models=False)
    monkeypatch.setattr(run, "LEFT_SECONDS", 0.0)

    run_due(with_models=False)

    assert states_of(project) == [(State.FINISHED, 1)]


def test_what_a_turn_has_no_time_for_is_put_back(project):
    for _ in range(3):
        opened(project)

    run_due(seconds=0)

    rows = Verification.objects.values_list("state", "attempts")
    assert sorted(rows) == [(State.FINISHED, 1), *[(State.PENDING, 0)] * 2]


def test_the_report_is_the_engines_own_for_the_same_run(project):
    fields = {
        "id": "run-1",
        "tool_calls": [
            a_call(input={"z": {"b": "src/lexer.py", "aa": 1.0}, "path": "src"}),
            a_call(tool="Bash", input={"command": "ls src"}, output="parser.py\n"),
        ],
    }
    verification = opened(project, **fields)

    run_verification(verification_id=verification.id)

    verification.refresh_from_db()
    told = verification.report
    assert told["detection"]["outcome"] == "skipped"
    engines_own = verify(an_interaction(**fields)).as_dict()
    assert told == engines_own | {"detection": told["detection"]}


def test_a_second_delivery_changes_nothing(project):
    verification = opened(project)
    run_verification(verification_id=verification.id)

    assert not run_verification(verification_id=verification.id)
    assert Verification.objects.get().attempts == 1


def test_steps_follow_a_verification_once_with_its_row(project, add_step):
    heard = []

    def listen(finished):
        heard.extend((one.verification_id, one.verification.state) for one in finished)

    verification = opened(project)
    add_step(AFTER_VERIFICATION, listen)

    run_verification(verification_id=verification.id)
    run_verification(verification_id=verification.id)

    assert heard == [(verification.id, State.FINISHED)]


def test_a_zombie_writes_nothing(project):
    verification = opened(project)
    zombie = VERIFICATIONS.claim(verification.id)
    Verification.objects.update(state=State.PENDING)
    assert run_verification(verification_id=verification.id)
    report = Verification.objects.get().report

    assert VERIFICATIONS.release(zombie, "woke up late") is None
    assert not VERIFICATIONS.renew(zombie)

    verification.refresh_from_db()
    assert (verification.state, verification.report) == (State.FINISHED, report)


def test_a_failed_step_leaves_no_half_result(project, add_step):
    def fail(_finished):
        raise RuntimeError("broken step")

    verification = opened(project)
    add_step(AFTER_VERIFICATION, fail)

    assert not run_verification(verification_id=verification.id)

    verification.refresh_from_db()
    assert (verification.state, verification.report) == (State.PENDING, None)
    assert verification.error == "RuntimeError: broken step"
    assert not MentionVerdict.objects.exists()


def test_a_run_that_always_fails_stops_after_three_attempts(project):
    project.thresholds = {"no_such_threshold": 1}
    project.save()
    verification = opened(project)

    for _ in range(5):
        run_verification(verification_id=verification.id)
        Verification.objects.update(next_at=None)

    verification.refresh_from_db()
    assert (verification.state, verification.attempts) == (State.FAILED, 3)
    assert (verification.verdict, verification.report) == ("", None)
    assert verification.error.startswith("ThresholdError")


def test_a_failed_attempt_waits_before_the_next(project):
    project.thresholds = {"no_such_threshold": 1}
    project.save()
    verification = opened(project)
    run_verification(verification_id=verification.id)

    assert VERIFICATIONS.claim(verification.id) is None


def test_an_answer_with_the_parents_task_is_the_next_attempt(project):
    opened(project, id="first")
    opened(project, id="second", parent="first")
    third = opened(project, id="third", parent="second", tool_calls=[a_call()])
    subtask = opened(project, id="sub", parent="first", task="Only a part of it.")

    assert len(earlier_attempts(third.interaction)) == 2
    assert len(earlier_attempts(subtask.interaction)) == 0


def test_an_answer_that_follows_nothing_is_no_attempt_after_one_without_an_id(project):
    opened(project, id=None)
    alone = opened(project, id="alone")

    assert earlier_attempts(alone.interaction) == []


def test_a_reformulated_task_is_still_the_same_subtask(project):
    first = opened(project, id="first")
    Verification.objects.filter(pk=first.pk).update(
        state=State.FINISHED, action="reformulate", verdict="reject", report={}
    )
    second = opened(project, id="second", parent="first", task="In other words.")
    Verification.objects.filter(pk=second.pk).update(
        state=State.FINISHED, action="follow_up", verdict="uncertain", report={}
    )
    part = opened(project, id="part", parent="second", task="Close a gap.")

    assert len(earlier_attempts(second.interaction)) == 1
    assert len(earlier_attempts(part.interaction)) == 0


def test_a_name_invented_again_is_told_as_a_constraint(project):
    first = opened(project, id="first")
    run_verification(verification_id=first.id)
    again = opened(project, id="again", parent="first")

    run_verification(verification_id=again.id)

    again.refresh_from_db()
    decision = again.report["decision"]
    assert (decision["action"], decision["reason"]) == (
        "reformulate",
        "repeated_invention",
    )
    assert "Never write these names" in decision["additional_context"]


def test_parents_in_a_circle_end(project):
    opened(project, id="a", parent="b")
    circle = opened(project, id="b", parent="a")

    assert len(earlier_attempts(circle.interaction)) == 1


def test_rules_of_the_project_say_what_its_tools_do(project):
    project.tool_rules = [{"tool": "jot", "kind": "note"}]
    project.save()
    said = "src/ghost.py"
    verification = opened(
        project,
        answer=f"It is in `{said}`.",
        tool_calls=[a_call(tool="jot", input={"text": said}, output=f"saved: {said}")],
    )

    run_verification(verification_id=verification.id)

    assert MentionVerdict.objects.get(text=said).status == "unverified"
