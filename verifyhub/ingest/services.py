"""Writes: store interactions, each exactly once."""

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum
from typing import Any
from uuid import UUID

from django.db import connection, transaction
from django.utils.dateparse import parse_datetime

from verifyhub.accounts.models import ApiKey, Project, SecretsKept
from verifyhub.common.cascade import delete_with_dependents
from verifyhub.common.prepared import PreparedQuery
from verifyhub.common.retention import Retention
from verifyhub.common.row_writes import insert
from verifyhub.common.sealing import UnsealError
from verifyhub.engine import types
from verifyhub.engine.ledger.seal import CHECKED_AS_SENT
from verifyhub.ingest.formats.native import as_native
from verifyhub.ingest.masking import (
    masked,
    reseal_values,
    seal_values,
    versions,
    write_values,
)
from verifyhub.ingest.models import (
    SHAPED,
    IdempotentReply,
    Interaction,
    MaskedValues,
    OtlpTrace,
    Session,
    ToolCall,
    TracedAnswer,
    contract_columns,
)
from verifyhub.ingest.output_services import collect_on_commit
from verifyhub.ingest.output_store import ANSWERS, OUTPUTS
from verifyhub.ingest.selectors import is_known
from verifyhub.ingest.steps import AFTER_RECORDING, SIGNATURE_HOLDS
from verifyhub.ingest.trace_services import delete_traces

# Calls of one INSERT, so that statements of long runs do not become huge.
CALLS_PER_INSERT = 500
# How long a repeated request gets the first reply.
REPLY_KEPT = timedelta(hours=24)
APPEND = """
UPDATE ingest_interaction
SET verification_results = verification_results || %(result)s::jsonb
WHERE id = %(id)s
"""


class ClientIdConflictError(Exception):
    """An interaction with this client id has other content."""


class UnknownParentError(Exception):
    """The project has no interaction with the parent's id."""


class IdempotencyKeyReusedError(Exception):
    """The idempotency key was already used with a different request."""


class RecordOutcome(StrEnum):
    """The outcome of storing an interaction."""

    CREATED = "created"
    # Its client id exists, with the same content.
    SAME = "same"
    # Its client id exists, with other content; nothing was stored.
    CONFLICT = "conflict"


@dataclass(frozen=True, slots=True)
class Stored:
    """The interaction with an id; `row` is set if this call inserted it."""

    uuid: UUID
    outcome: RecordOutcome
    row: Interaction | None = None


@dataclass(frozen=True, slots=True)
class StoredReply:
    """A stored reply to a request; `replayed` if the request is a repetition."""

    status_code: int
    body: Any
    replayed: bool = False


def record_interaction(
    *, project: Project, api_key: ApiKey | None, interaction: types.Interaction
) -> tuple[Interaction, bool]:
    """Store an interaction with all its tool calls and announce it.

    A client id identifies one interaction of a project: repeating the same content
    returns the existing row. Of concurrent callers one inserts; the others wait for it.

    Args:
        project: The tenant.
        api_key: The key that sent it; None for the system, as in the demo.
        interaction: The parsed content.

    Returns:
        The row, and whether this call created it.

    Raises:
        ClientIdConflictError: If the client id exists with other content.
    """
    [stored] = record_interactions(
        project=project, api_key=api_key, interactions=[interaction]
    )
    if stored.outcome is RecordOutcome.CONFLICT:
        raise ClientIdConflictError(
            f"The id {interaction.id} is already used for an interaction with "
            "different content."
        )
    if stored.row is not None:
        return stored.row, True
    row = Interaction.objects.select_related("session").get(pk=stored.uuid)
    return row, False


def check_parent(*, project: Project, interaction: types.Interaction) -> None:
    """Refuse an interaction whose parent is missing.

    Not used for bulks and OpenTelemetry traces, where the order is not guaranteed: a
    parent is linked when it arrives.

    Raises:
        UnknownParentError: If the project has no such interaction.
    """
    parent = interaction.parent
    if parent is None or interaction.parent_expected:
        return
    if not is_known(project, parent):
        raise UnknownParentError(parent)


# No savepoint inside another transaction, which would cost two round trips: no caller
# continues after an error.
@transaction.atomic(savepoint=False)
def record_interactions(
    *,
    project: Project,
    api_key: ApiKey | None,
    interactions: Sequence[types.Interaction],
) -> list[Stored]:
    """Store many interactions with a few statements, each like `record_interaction`.

    Rows are inserted in the order of their ids, so that concurrent callers do not
    deadlock. Secrets are masked here, for all ways of ingest.

    Returns:
        The outcome of each, in order; of two with one client id the first counts.
    """
    sent = interactions
    made = [masked(project, one) for one in sent]
    interactions = [one for one, _ in made]
    sessions = _sessions(project, {one.session for one in interactions})
    rows = [
        _row(project, api_key, one, sessions.get(one.session or ""))
        for one in interactions
    ]
    for row, one, stored_run in zip(rows, sent, interactions, strict=True):
        if row.trace_signature and stored_run is not one:
            holds = all(step(project, one) for step in SIGNATURE_HOLDS)
            row.trace_signature |= {CHECKED_AS_SENT: True} if holds else {}
    first: dict[str, Interaction] = {}
    for row in rows:
        first.setdefault(row.client_id or str(row.id), row)
    # On a conflict PostgreSQL waits for the other transaction and then inserts
    # nothing; the other row is visible to the next statement.
    new = insert([first[name] for name in sorted(first)], ignore_conflicts=True)
    others = {row.client_id for row in rows if row.client_id and row.id not in new}
    digests = stored_digests(project, others)
    stored = [
        _stored(row, new, digests, one) for row, one in zip(rows, sent, strict=True)
    ]
    written = [one.row for one in stored if one.row is not None]
    calls = [
        _tool_call(row, call)
        for row, one in zip(rows, interactions, strict=True)
        if row.id in new
        for call in one.tool_calls
    ]
    for start in range(0, len(calls), CALLS_PER_INSERT):
        insert(calls[start : start + CALLS_PER_INSERT])
    if project.secrets_kept == SecretsKept.SEALED:
        pairs = zip(rows, (values for _, values in made), strict=True)
        insert([_sealed(row, one) for row, one in pairs if one and row.id in new])
    if written:
        for step in AFTER_RECORDING:
            step(written)
    return stored


def _row(
    project: Project,
    api_key: ApiKey | None,
    interaction: types.Interaction,
    session: Session | None,
) -> Interaction:
    document = as_native(interaction)
    return Interaction(
        project=project,
        session=session,
        api_key=api_key,
        client_id=interaction.id,
        content_sha256=_digest(document),
        agent_name=interaction.agent.name,
        agent_tier=interaction.agent.tier,
        agent_role=interaction.agent.role,
        **_usage(interaction.usage),
        tool_call_count=len(interaction.tool_calls),
        answer_text=interaction.answer,
        **_columns(document),
    )


def _columns(document: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values of columns, and the fields without a column."""
    values: dict[str, Any] = {}
    others: dict[str, Any] = {}
    columns = contract_columns()
    for name, value in document.items():
        if name in columns:
            values[name] = "" if value is None and not columns[name] else value
        elif name not in SHAPED and value is not None:
            others[name] = value
    return {**values, "other_fields": others or None}


def stored_digests(
    project: Project, names: Collection[str]
) -> dict[str, tuple[UUID, str]]:
    """Return id and digest of the rows with some client ids."""
    if not names:
        return {}
    rows = Interaction.objects.filter(project=project, client_id__in=names)
    return {
        str(client_id): (uuid, digest)
        for client_id, uuid, digest in rows.values_list(
            "client_id", "id", "content_sha256"
        )
    }


def _stored(
    row: Interaction,
    new: set[UUID],
    digests: dict[str, tuple[UUID, str]],
    sent: types.Interaction,
) -> Stored:
    if row.id in new:
        return Stored(uuid=row.id, outcome=RecordOutcome.CREATED, row=row)
    uuid, digest = digests[row.client_id or ""]
    same = digest == row.content_sha256 or is_content(row.project, sent, digest)
    return Stored(
        uuid=uuid, outcome=RecordOutcome.SAME if same else RecordOutcome.CONFLICT
    )


# Fields of the first version are in every digest, later ones only if they are set, so
# that stored digests stay valid.
FIRST_FIELDS = frozenset(
    {
        "task",
        "answer",
        "session",
        "agent",
        "parent",
        "tool_calls",
        "self_assessment",
        "claims",
        "sources",
        "metadata",
    }
)


def content_digest(interaction: types.Interaction) -> str:
    """Return the SHA-256 of everything but the id, independent of JSON formatting."""
    return _digest(as_native(interaction))


def is_content(project: Project, sent: types.Interaction, digest: str) -> bool:
    """Whether a stored digest is a run's, whatever was masked when it was stored."""
    return any(content_digest(version) == digest for version in versions(project, sent))


def reseal_masked() -> tuple[int, list[str]]:
    """Seal the values of masks under the current VERIFYHUB_SECRET_KEY.

    Returns:
        How many runs, and the runs whose values no known key opens, as `project/run`.
    """
    done, unreadable = 0, []
    rows = MaskedValues.objects.select_related("project").order_by("interaction_id")
    for row in rows.iterator(chunk_size=500):
        try:
            sealed = reseal_values(row.sealed, row=row.interaction_id)
        except UnsealError:
            unreadable.append(f"{row.project.slug}/{row.interaction_id}")
            continue
        MaskedValues.objects.filter(pk=row.pk).update(sealed=sealed)
        done += 1
    return done, unreadable


def _sealed(row: Interaction, values: Mapping[str, str]) -> MaskedValues:
    return MaskedValues(
        project_id=row.project_id,
        interaction=row,
        sealed=seal_values(write_values(values), row=row.id),
    )


def _digest(document: Mapping[str, Any]) -> str:
    content = {
        name: value
        for name, value in document.items()
        if name in FIRST_FIELDS or (value is not None and name != "id")
    }
    text = json.dumps(
        content, sort_keys=True, ensure_ascii=False, separators=(",", ":")
    )
    return hashlib.sha256(text.encode()).hexdigest()


def _usage(usage: types.RunUsage | None) -> dict[str, int | None]:
    if usage is None:
        return {}
    return {
        "run_input_tokens": usage.input_tokens,
        "run_output_tokens": usage.output_tokens,
        "run_cost_microdollars": usage.cost_microdollars,
    }


def append_verification_result(
    *, interaction_id: UUID, result: Mapping[str, Any]
) -> None:
    """Append the result of a goal check to an interaction's list, in one UPDATE.

    So concurrent results are both stored.
    """
    with connection.cursor() as cursor:
        cursor.execute(APPEND, {"id": interaction_id, "result": json.dumps([result])})


@transaction.atomic
def reply_once(
    *,
    api_key: ApiKey,
    key: str | None,
    request_sha256: str,
    act: Callable[[], tuple[int, Any]],
) -> StoredReply:
    """Execute a request, or repeat the first reply to its idempotency key.

    The reply is stored in the transaction of the action: if `act` raises, the key stays
    unused. A concurrent repetition waits for the first and repeats its reply.

    Args:
        api_key: The caller; idempotency keys are unique within an API key.
        key: The `Idempotency-Key`; None executes the request every time.
        request_sha256: Digest of method, path and body.
        act: Does the work and returns the status and the JSON body of the reply.

    Raises:
        IdempotencyKeyReusedError: If the key was used with another request.
    """
    if key is None:
        return StoredReply(*act())
    stub = IdempotentReply(api_key=api_key, key=key, request_sha256=request_sha256)
    IdempotentReply.objects.bulk_create([stub], ignore_conflicts=True)
    reply = IdempotentReply.objects.select_for_update().get(api_key=api_key, key=key)
    if reply.request_sha256 != request_sha256:
        raise IdempotencyKeyReusedError(key)
    if reply.status_code is not None:
        return StoredReply(reply.status_code, reply.body, replayed=True)
    reply.status_code, reply.body = act()
    reply.save(update_fields=["status_code", "body"])
    return StoredReply(reply.status_code, reply.body)


def earlier_reply(
    *, api_key: ApiKey, key: str | None, request_sha256: str
) -> StoredReply | None:
    """Return the stored reply to an idempotency key, if there is one.

    For idempotent work in several transactions: look here first, and store the reply
    with `reply_once` afterwards.

    Raises:
        IdempotencyKeyReusedError: If the key was used with another request.
    """
    row = IdempotentReply.objects.filter(api_key=api_key, key=key or "").first()
    if row is None or row.status_code is None:
        return None
    if row.request_sha256 != request_sha256:
        raise IdempotencyKeyReusedError(key)
    return StoredReply(row.status_code, row.body, replayed=True)


def replace_reply(
    *, api_key: ApiKey, key: str | None, status_code: int, body: Any
) -> None:
    """Replace the stored reply by the one with the awaited verdict."""
    if key is not None:
        IdempotentReply.objects.filter(api_key=api_key, key=key).update(
            status_code=status_code, body=body
        )


_SESSIONS = PreparedQuery(
    lambda project, keys: Session.objects.filter(project=project, key__any_of=keys)
)


def _sessions(project: Project, keys: set[str | None]) -> dict[str, Session]:
    """Return the sessions with these keys, creating missing ones."""
    named = sorted(key for key in keys if key is not None)
    if not named:
        return {}
    sessions = {
        session.key: session for session in _SESSIONS(project=project.id, keys=named)
    }
    missing = [
        Session(project=project, key=key) for key in named if key not in sessions
    ]
    new = insert(missing, ignore_conflicts=True)
    sessions |= {session.key: session for session in missing if session.pk in new}
    if len(sessions) < len(named):
        # A concurrent request created one.
        sessions |= {
            session.key: session
            for session in _SESSIONS(project=project.id, keys=named)
        }
    return sessions


def _tool_call(row: Interaction, call: types.ToolCall) -> ToolCall:
    tool_call = ToolCall(
        project_id=row.project_id,
        interaction=row,
        index=call.index,
        call_id=call.id or "",
        tool=call.tool,
        input=call.input,
        status=call.status,
        started_at=parse_datetime(call.started_at) if call.started_at else None,
        duration_ms=call.duration_ms,
    )
    tool_call.output = call.output
    return tool_call


def forget_replies(project: Project, names: Sequence[str]) -> int:
    """Delete the stored replies about rows with these ids; return their number."""
    replies = IdempotentReply.objects.filter(
        api_key__project=project, body__id__in=names
    )
    return replies.delete()[0]


def delete_interactions(
    project: Project, interactions: Sequence[UUID]
) -> dict[str, int]:
    """Delete interactions with all dependent rows, including verdicts.

    Must run inside a transaction. A trace is deleted with the last of its answers.

    Returns:
        Number of deleted rows, by model.
    """
    rows = Interaction.objects.filter(project=project, pk__in=interactions)
    pairs = list(rows.values_list("client_id", "id"))
    names = [str(name) for pair in pairs for name in pair if name]
    counts = Counter({"replies": forget_replies(project, names)})
    traces_made = OtlpTrace.objects.filter(
        pk__in=TracedAnswer.objects.filter(interaction__in=interactions).values("trace")
    )
    traces = list(traces_made.values_list("pk", flat=True))
    stored = ToolCall.objects.filter(interaction__in=interactions)
    named_by = stored.values_list("output_sha256", flat=True)
    outputs = [digest for digest in named_by.exclude(output_sha256=None) if digest]
    moved = rows.exclude(answer_sha256=None).values_list("answer_sha256", flat=True)
    answers = [digest for digest in moved if digest]
    counts += delete_with_dependents(Interaction, [key for _, key in pairs])
    collect_on_commit(OUTPUTS, project.id, outputs)
    collect_on_commit(ANSWERS, project.id, answers)
    others = TracedAnswer.objects.filter(trace__in=traces).values_list("trace_id")
    orphans = set(traces) - {key for (key,) in others}
    return dict(counts + Counter(delete_traces(list(orphans))))


REPLY_RETENTION = Retention(
    name="idempotent replies",
    old=lambda now: IdempotentReply.objects.filter(
        created_at__lt=now - REPLY_KEPT
    ).order_by("created_at"),
)
