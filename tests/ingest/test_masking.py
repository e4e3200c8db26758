"""Secrets are masked before they are stored, whichever door a run comes by."""

import json

import pytest
from django.core.serializers.json import DjangoJSONEncoder
from django.db import connection

from tests.builders import a_command, a_read, an_interaction
from tests.client.secrets import planted
from tests.ingest.otlp.test_dialects import TASK, openinference
from tests.ingest.transcripts import as_lines, claude_code_lines
from tests.stored import verify_stored
from verifyhub.accounts.models import SecretsKept
from verifyhub.engine.types import Interaction as Run
from verifyhub.ingest.formats.native import as_native
from verifyhub.ingest.formats.otlp.span import span_of
from verifyhub.ingest.masking import read_values, unseal_values
from verifyhub.ingest.models import Interaction, MaskedValues, OtlpTrace
from verifyhub.ingest.selectors import to_engine
from verifyhub.ingest.services import (
    ClientIdConflictError,
    RecordOutcome,
    record_interaction,
    record_interactions,
)
from verifyhub.ingest.trace_reading import read_trace
from verifyhub.ingest.trace_services import receive_spans
from verifyhub.verification.services import run_verification

GIVEN, WORD = planted()["environment"]
_, KEY = planted()["github"]


def a_run(**more: object) -> Run:
    return an_interaction(
        f"`DB_PASSWORD` is `{WORD}`, and `{KEY}` the token of `deploy.py`.",
        a_read("deploy.py", f"{GIVEN}\n"),
        a_command(f"deploy.py --token {KEY}", "Deployed."),
        task=f"Why does {KEY} not work?",
        metadata={"token": KEY},
        **more,
    )


def stored() -> str:
    """Everything that the database holds of runs, packed outputs included."""
    held = [as_native(to_engine(row)) for row in Interaction.objects.all()]
    tables = (
        "ingest_otlpspan",
        "ingest_toolcall",
        "ingest_interaction",
        "ingest_maskedvalues",
        "verification_verification",
        "events_event",
        "ingest_idempotentreply",
        "audit_auditevent",
    )
    with connection.cursor() as cursor:
        for table in tables:
            cursor.execute(f"SELECT to_jsonb(t)::text FROM {table} AS t")  # noqa: S608
            held += [row for (row,) in cursor.fetchall()]
    return json.dumps(held, cls=DjangoJSONEncoder, ensure_ascii=False)


def single(api, project):
    del project
    api.post(
        "/api/v1/interactions/",
        json.dumps(as_native(a_run())),
        "application/json",
        HTTP_IDEMPOTENCY_KEY="once",
    )


def bulk(api, project):
    del project
    lines = "\n".join(json.dumps(as_native(a_run(id=name))) for name in "ab")
    reply = api.post("/api/v1/bulk/", lines, "application/jsonl")
    b"".join(reply)


def otlp(api, project):
    del api
    given = f"{TASK} {GIVEN} {KEY}"
    spans = [
        span_of(json.loads(json.dumps(one.as_json()).replace(TASK, given)))
        for one in openinference()
    ]
    receive_spans(project=project, api_key=None, spans=spans)
    OtlpTrace.objects.update(next_at=None)
    read_trace(trace_id=OtlpTrace.objects.get().id)


def transcript(api, project):
    del project
    lines = as_lines(claude_code_lines())
    text = lines.replace(b"parser?", f"parser? {GIVEN} {KEY}".encode())
    api.post(
        "/api/v1/transcripts/?format=claude_code&final=true",
        text,
        "application/jsonl",
    )


@pytest.mark.parametrize("door", [single, bulk, otlp, transcript])
def test_no_door_lets_a_secret_in(api, project, door):
    door(api, project)

    for row in Interaction.objects.all():
        run_verification(verification_id=row.verifications.get().id)
    assert Interaction.objects.exists()
    assert "‹github-token:" in stored()
    assert KEY not in stored()
    assert WORD not in stored()


def test_an_answer_is_still_held_against_what_was_masked(project):
    report = verify_stored(project, a_run()).verdict_object

    statuses = {one.text: str(one.status) for one in report.mentions}
    assert statuses == {"DB_PASSWORD": "verified", "deploy.py": "verified"}


def test_the_same_content_again_is_the_same_run_whatever_was_masked_before(project):
    project.secrets_kept = SecretsKept.AS_SENT
    record_interaction(project=project, api_key=None, interaction=a_run(id="before"))
    project.secrets_kept = SecretsKept.MASKED
    record_interaction(project=project, api_key=None, interaction=a_run(id="after"))

    runs = [a_run(id="before"), a_run(id="after")]
    again = record_interactions(project=project, api_key=None, interactions=runs)

    assert {one.outcome for one in again} == {RecordOutcome.SAME}
    other = an_interaction("Other.", id="before")
    with pytest.raises(ClientIdConflictError):
        record_interaction(project=project, api_key=None, interaction=other)


def test_a_changed_secret_key_keeps_runs_the_same(project, settings):
    record_interaction(project=project, api_key=None, interaction=a_run(id="run-1"))
    settings.SECRET_KEY_FALLBACKS = [settings.SECRET_KEY]
    settings.SECRET_KEY = "x" * 50

    _, created = record_interaction(
        project=project, api_key=None, interaction=a_run(id="run-1")
    )

    assert not created


def test_two_projects_mask_one_secret_differently(project, outsider):
    other = outsider.memberships.get().project
    rows = [
        record_interaction(project=one, api_key=None, interaction=a_run())[0]
        for one in (project, other)
    ]

    assert rows[0].task != rows[1].task


def test_what_masks_stand_for_is_kept_encrypted_where_a_project_says_so(project):
    project.secrets_kept = SecretsKept.SEALED
    row, _ = record_interaction(project=project, api_key=None, interaction=a_run())

    held = MaskedValues.objects.get(interaction=row)
    values = read_values(unseal_values(held.sealed, row=row.id))
    assert set(values.values()) == {WORD, KEY}
    assert KEY not in stored()
    assert all(mask in row.answer for mask in values)


def test_a_project_may_keep_runs_as_they_are_sent(project):
    project.secrets_kept = SecretsKept.AS_SENT
    row, _ = record_interaction(project=project, api_key=None, interaction=a_run())

    assert to_engine(row) == a_run()
