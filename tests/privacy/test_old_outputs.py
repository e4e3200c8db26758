"""What tools were passed and returned goes after some days; the verdict stays."""

import json
from datetime import timedelta

import pytest
import time_machine
from django.utils import timezone

from tests.exports.test_rows import EVERYTHING, lines
from tests.privacy.test_deletions import a_verified_run, left_of
from tests.privacy.test_holds import held
from verifyhub.exports.catalogue import DATASETS
from verifyhub.exports.writing import FileFormat
from verifyhub.ingest.models import Interaction, MaskedValues
from verifyhub.ingest.selectors import OutputsRemovedError, to_engine
from verifyhub.privacy.deletions import (
    open_due_retentions,
    open_old_deletion,
    run_deletion,
    set_retention,
)
from verifyhub.privacy.holds import release_hold
from verifyhub.privacy.models import Deletion, LegalHold
from verifyhub.verification.models import Verification
from verifyhub.verification.services import BatchError, open_batch, reverify

PASSED = "Qwertzuiop"
MARK = "‹removed after 30 days›"


def an_old_run(project, **fields):
    row = a_verified_run(project, **fields)
    call = row.tool_calls.get()
    call.input["query"] = PASSED
    call.output += PASSED
    call.save()
    Interaction.objects.filter(pk=row.pk).update(
        created_at=timezone.now() - timedelta(days=40)
    )
    MaskedValues.objects.create(interaction=row, project=project, sealed=PASSED)
    return row


def removed(project, lead, *, days_later=0) -> Deletion:
    """Apply a retention of 30 days, as the reconciler does once a day."""
    set_retention(project=project, days={"output_days": 30}, actor=lead)
    now = timezone.now() + timedelta(days=days_later)
    with time_machine.travel(now, tick=False):
        assert open_due_retentions(now=now) == 1
        row = Deletion.objects.latest("created_at")
        assert run_deletion(deletion_id=row.id)
    row.refresh_from_db()
    assert row.state == Deletion.State.FINISHED
    return row


def test_the_texts_go_and_the_verdict_stays(project, lead):
    row = an_old_run(project)
    before = Verification.objects.get(interaction=row).report
    young = a_verified_run(project, session="s-2", mark="Other")
    assert left_of(PASSED)

    done = removed(project, lead)

    assert done.deleted == {"removed_calls": 1, "masked_values": 1}
    assert left_of(PASSED) == {}
    assert row.tool_calls.get().output == MARK
    assert Verification.objects.get(interaction=row).report == before
    assert "pricing.py" in young.tool_calls.get().output


def test_counting_removes_nothing_and_tells_what_goes(project, lead):
    an_old_run(project)

    asked = open_old_deletion(
        project=project, kind=Deletion.Kind.OLD_OUTPUTS, days=30, actor=lead
    )
    run_deletion(deletion_id=asked.id)

    asked.refresh_from_db()
    assert asked.state == Deletion.State.COUNTED
    assert asked.expected == {"removed_calls": 1, "masked_values": 1}
    assert left_of(PASSED)


def test_what_was_removed_is_not_judged_anew(project, lead, api):
    row = an_old_run(project)
    removed(project, lead)
    row.refresh_from_db()
    address = f"/api/v1/interactions/{row.id}/"

    with pytest.raises(OutputsRemovedError):
        to_engine(row)
    with pytest.raises(OutputsRemovedError):
        reverify(interaction=row, actor=lead)
    with pytest.raises(BatchError):
        open_batch(
            project=project,
            interactions=Interaction.objects.all(),
            filters={},
            strictness=None,
            actor=lead,
        )
    shown = api.get(address).json()
    refused = {
        name: api.post(f"{address}{name}/", {}, content_type="application/json")
        for name in ("reverify", "verifications", "layers", "deliberate")
    }

    assert shown["outputs_removed_at"]
    assert shown["tool_calls"][0]["output"] == MARK
    assert shown["verdict"]["mentions"]
    assert {one.status_code for one in refused.values()} == {409}
    assert api.get(f"{address}ledger/").status_code == 409


def test_pages_say_what_is_gone(project, lead, browse):
    row = an_old_run(project)
    removed(project, lead)
    page = f"/p/acme/answers/{row.id}/"
    client = browse(lead)

    parts = [client.get(page), client.get(f"{page}checks/")]
    shown = "".join(part.content.decode() for part in parts)
    again = client.post(f"{page}reverify/", {"strictness": ""})

    assert "removed at" in shown
    assert MARK in shown
    assert f"{page}reverify/" not in shown
    assert again.status_code == 409
    assert MARK in client.get(f"{page}calls/0/").content.decode()
    assert "were removed" in client.get(f"{page}ledger/").content.decode()


def test_exports_say_of_which_runs_they_are_gone(project, lead):
    an_old_run(project)
    a_verified_run(project, session="s-2", mark="Other")
    removed(project, lead)

    rows = [
        json.loads(line)
        for line in lines(
            DATASETS["interactions"],
            FileFormat.JSONL,
            project=project,
            filters=EVERYTHING,
        )
    ]

    assert [bool(row["outputs_removed_at"]) for row in rows] == [True, False]


def test_a_later_answer_does_not_rest_on_removed_calls(project, lead):
    an_old_run(project)
    removed(project, lead)

    later = a_verified_run(project, mark="Other")

    report = Verification.objects.get(interaction=later).verdict_object
    assert not [one for one in report.mentions if one.earlier_evidence]


def test_held_and_waiting_runs_stay_whole_until_they_may_go(project, lead):
    kept, waiting = an_old_run(project), an_old_run(project, session="s-2")
    hold = held(project, LegalHold.Kind.RUN, str(kept.id), lead)
    Verification.objects.filter(interaction=waiting).update(state="pending")

    first = removed(project, lead)
    assert (first.held, first.deleted) == (2, {})

    release_hold(hold=hold, actor=lead)
    Verification.objects.filter(interaction=waiting).update(state="finished")
    assert removed(project, lead, days_later=2).deleted["removed_calls"] == 2
    assert removed(project, lead, days_later=4).looked_at == 0
