"""Delete stored data everywhere, in batches, with a report.

Counting executes the same batches in transactions that are rolled back, so that the
shown numbers are those that will be deleted; it only does not settle remaining memory.
A batch commits with its position and its counts, so it is done completely or not at
all, and a deletion stops between two batches.
"""

import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta
from uuid import UUID

from django.db import models, transaction
from django.db.models import F, Max, Min, Q, QuerySet
from django.utils import timezone

from verifyhub.accounts.models import Project
from verifyhub.audit.services import record_event
from verifyhub.common.db import update_if
from verifyhub.common.logs import get_logger
from verifyhub.common.row_queue import RowLease, RowQueue
from verifyhub.events.services import forget_events, forget_old_events
from verifyhub.exports.services import forget_files_since
from verifyhub.inference.services import forget
from verifyhub.ingest.models import Interaction, ToolCall
from verifyhub.ingest.removal import remove_outputs
from verifyhub.ingest.selectors import find_interaction
from verifyhub.ingest.services import delete_interactions, forget_replies
from verifyhub.ingest.trace_services import delete_old_traces
from verifyhub.learning.models import Arm
from verifyhub.memory.services import (
    forget_answers,
    forget_names_of,
    forget_old_memory,
    forget_session,
)
from verifyhub.privacy.holds import active_holds, are_held, read_holds
from verifyhub.privacy.models import Deletion, LegalHold, RetentionRule
from verifyhub.privacy.words import counted
from verifyhub.review.decide import acts_of, delete_empty_acts
from verifyhub.verification.models import Verification
from verifyhub.verification.services import forget_logs

logger = get_logger(__name__)

# Runs deleted, or searched for a person, in one transaction.
BATCH = 100
# Larger for old runs, whose names are settled before: nobody waits for a batch.
OLD_RUNS_BATCH = 500
# Names that lose their old runs in one transaction, for which verification waits.
NAMES_BATCH = 50
# After all constraints.
LAST = UUID(int=2**128 - 1)
# Larger for events: no other rows depend on them, and each batch searches the oldest.
EVENTS_BATCH = 5_000
# After so long other work of the worker has its turn.
TURN_SECONDS = 20.0
MIN_PERSON = 3
# How often retention is applied to a project.
RETENTION_EVERY = timedelta(days=1)
SYSTEM = "system"

# The kind of deletion for each field of a retention rule.
OLD = {
    "run_days": Deletion.Kind.OLD_RUNS,
    "output_days": Deletion.Kind.OLD_OUTPUTS,
    "trace_days": Deletion.Kind.OLD_TRACES,
    "memory_days": Deletion.Kind.OLD_MEMORY,
    "event_days": Deletion.Kind.OLD_EVENTS,
}
# Old rows other than runs. They do not show whether they belong to held data, so any
# hold keeps them all.
FORGET_OLD: Mapping[str, Callable[..., Mapping[str, int]]] = {
    Deletion.Kind.OLD_TRACES: delete_old_traces,
    Deletion.Kind.OLD_MEMORY: forget_old_memory,
    Deletion.Kind.OLD_EVENTS: forget_old_events,
}

QUEUE = RowQueue("privacy_deletion", task="privacy.delete", argument="deletion_id")


class DeletionRefusedError(Exception):
    """There is nothing to delete, a legal hold prevents it, or it has ended."""


class _StoppedError(Exception):
    """Somebody stopped the deletion, or another worker has it."""


@transaction.atomic
def open_deletion(
    *, project: Project, kind: Deletion.Kind, target: str, actor: models.Model
) -> Deletion:
    """Create a deletion that counts first; nothing is deleted before it is confirmed.

    Args:
        project: The tenant.
        kind: The kind of the target.
        target: A run's id (client id or UUID), the name of a session or an agent, or a
            text that identifies a person, such as an e-mail address.
        actor: The user or API key that requests it.

    Raises:
        DeletionRefusedError: `unknown` if the target does not exist, `too_short` for
            the name of a person, `held` if a legal hold keeps all of it.
    """
    target = target.strip()
    if kind is Deletion.Kind.RUN:
        row = find_interaction(project, target)
        target = str(row.id) if row else ""
    deletion = Deletion(project=project, kind=kind, target=target)
    if kind is Deletion.Kind.PERSON and len(target) < MIN_PERSON:
        raise DeletionRefusedError("too_short")
    if not target or not _runs(deletion).exists():
        raise DeletionRefusedError("unknown")
    on_hold = are_held(list(active_holds(project)))
    if on_hold is not None and not _runs(deletion).exclude(on_hold).exists():
        raise DeletionRefusedError("held")
    # Without the target, since audit records are never deleted.
    return _ask(deletion, actor)


@transaction.atomic
def open_old_deletion(
    *, project: Project, kind: Deletion.Kind, days: int, actor: models.Model
) -> Deletion:
    """Create a deletion of old rows; it counts first.

    Raises:
        DeletionRefusedError: `held` if a legal hold keeps them.
    """
    if kind in FORGET_OLD and active_holds(project).exists():
        raise DeletionRefusedError("held")
    before = timezone.now() - timedelta(days=days)
    deletion = Deletion(project=project, kind=kind, before=before)
    return _ask(deletion, actor, days=days)


def _ask(deletion: Deletion, actor: models.Model, **more: object) -> Deletion:
    deletion.asked_by = str(actor)[:200]
    deletion.save(force_insert=True)
    _record(deletion, actor, "privacy.deletion_asked", **more)
    QUEUE.ring(deletion.id)
    return deletion


def _record(
    deletion: Deletion, actor: models.Model | None, action: str, **more: object
) -> None:
    record_event(action, deletion, actor, after={"kind": str(deletion.kind), **more})


@transaction.atomic
def confirm_deletion(*, deletion: Deletion, actor: models.Model) -> None:
    """Confirm a deletion, which then starts.

    Raises:
        DeletionRefusedError: If it is not waiting for confirmation.
    """
    if not update_if(
        deletion,
        expected={"state": Deletion.State.COUNTED},
        state=Deletion.State.PENDING,
        is_confirmed=True,
        cursor=None,
        looked_at=0,
        held=0,
        attempts=0,
        next_at=None,
    ):
        raise DeletionRefusedError("not_waiting")
    _record(deletion, actor, "privacy.deletion_confirmed", expected=deletion.expected)
    QUEUE.ring(deletion.id)


@transaction.atomic
def stop_deletion(*, deletion: Deletion, actor: models.Model) -> None:
    """Stop a deletion after the current batch; deleted rows stay deleted.

    Raises:
        DeletionRefusedError: If it has ended.
    """
    stopped = Deletion.objects.filter(
        pk=deletion.pk, state__in=Deletion.CAN_STOP
    ).update(
        state=Deletion.State.STOPPED,
        target="",
        cursor=None,
        token=F("token") + 1,
        lease_until=None,
        finished_at=timezone.now(),
    )
    if not stopped:
        raise DeletionRefusedError("over")
    deletion.refresh_from_db()
    forget_replies(deletion.project, [str(deletion.id)])
    _record(deletion, actor, "privacy.deletion_stopped", deleted=deletion.deleted)


@transaction.atomic
def set_retention(
    *,
    project: Project,
    days: Mapping[str, int | None],
    actor: models.Model,
) -> RetentionRule:
    """Set a project's retention periods, in days.

    Args:
        project: The tenant.
        days: Days by field of the rule; None for no limit.
        actor: The user or API key.
    """
    rule, _ = RetentionRule.objects.select_for_update().get_or_create(project=project)
    before = {name: getattr(rule, name) for name in days}
    for name, value in days.items():
        setattr(rule, name, value)
    rule.save()
    record_event(
        "privacy.retention_set", project, actor, before=before, after=dict(days)
    )
    return rule


def open_due_retentions(*, now: datetime) -> int:
    """Create the deletions of projects' retention rules, each at most once a day.

    Returns:
        How many were opened.
    """
    rules = RetentionRule.objects.select_related("project").order_by("project_id")
    opened = 0
    for rule in rules:
        for name, kind in OLD.items():
            days: int | None = getattr(rule, name)
            if days is None:
                continue
            if kind not in FORGET_OLD or not active_holds(rule.project).exists():
                opened += _open_old(rule.project, kind, now, timedelta(days=days))
    return opened


@transaction.atomic
def _open_old(
    project: Project, kind: Deletion.Kind, now: datetime, age: timedelta
) -> bool:
    # Of concurrent callers only one opens it.
    RetentionRule.objects.select_for_update().get(pk=project.pk)
    lately = Deletion.objects.filter(
        project=project,
        kind=kind,
        asked_by=SYSTEM,
        created_at__gt=now - RETENTION_EVERY,
    )
    if lately.exists():
        return False
    deletion = Deletion.objects.create(
        project=project,
        kind=kind,
        before=now - age,
        asked_by=SYSTEM,
        is_confirmed=True,
    )
    QUEUE.ring(deletion.id)
    return True


def run_deletion(*, deletion_id: UUID) -> bool:
    """Continue a deletion for one time slice.

    Returns:
        Whether anything was done: False if another worker has it.
    """
    lease = QUEUE.claim(deletion_id)
    if lease is None:
        return False
    deletion = Deletion.objects.select_related("project").get(pk=deletion_id)
    until = time.monotonic() + TURN_SECONDS
    try:
        with QUEUE.renewing(lease):
            while _advance(lease, deletion):
                if time.monotonic() >= until:
                    QUEUE.put_back([lease])
                    return True
    except _StoppedError:
        logger.info("privacy.deletion_stopped", id=str(deletion_id))
    except Exception as error:
        QUEUE.release(lease, type(error).__name__)
        raise
    return True


@transaction.atomic
def _advance(lease: RowLease, deletion: Deletion) -> bool:
    """Process the next batch; False after the last one."""
    if not QUEUE.renew(lease):
        raise _StoppedError
    # A request to stop it waits for the batch.
    Deletion.objects.select_for_update().get(pk=lease.row_id)
    if deletion.is_confirmed:
        counts, is_last = _delete_batch(deletion)
    else:
        with transaction.atomic():
            counts, is_last = _delete_batch(deletion)
            transaction.set_rollback(True)
    name = "deleted" if deletion.is_confirmed else "expected"
    total = Counter(getattr(deletion, name)) + Counter(counts)
    setattr(deletion, name, dict(sorted(total.items())))
    if is_last:
        _end(deletion)
    deletion.save(
        update_fields=[
            *(name, "cursor", "name_cursor", "looked_at", "held", "state", "target"),
            *("finished_at", "lease_until"),
        ]
    )
    return not is_last


def _end(deletion: Deletion) -> None:
    deletion.lease_until = None
    if not deletion.is_confirmed and deletion.expected:
        deletion.state = Deletion.State.COUNTED
        return
    deletion.state, deletion.finished_at = Deletion.State.FINISHED, timezone.now()
    deletion.target, deletion.cursor = "", None
    forget_replies(deletion.project, [str(deletion.id)])
    if deletion.deleted or deletion.before is None:
        _record(deletion, None, "privacy.deleted", deleted=deletion.deleted)


def _delete_batch(deletion: Deletion) -> tuple[Mapping[str, int], bool]:
    """Delete the next rows; return their numbers, and whether nothing is left."""
    project, before = deletion.project, deletion.before
    holds = read_holds(project)
    if holds and deletion.kind in FORGET_OLD:
        return {}, True
    if (forget_old := FORGET_OLD.get(deletion.kind)) and before is not None:
        batch = EVENTS_BATCH if deletion.kind == Deletion.Kind.OLD_EVENTS else BATCH
        counts = counted(
            forget_old(project, before, most=batch if deletion.is_confirmed else None)
        )
        return counts, not (deletion.is_confirmed and counts)
    is_old = deletion.kind == Deletion.Kind.OLD_RUNS
    if is_old and deletion.is_confirmed and deletion.name_cursor != LAST:
        return _forget_names(deletion, holds), False
    most = OLD_RUNS_BATCH if is_old else BATCH
    rows = list(
        _runs(deletion)
        .filter(id__gt=deletion.cursor or UUID(int=0))
        .order_by("id")
        .values_list("id", flat=True)[:most]
    )
    is_last = len(rows) < most
    if rows:
        deletion.cursor = rows[-1]
        deletion.looked_at += len(rows)
    chosen = rows
    if deletion.kind == Deletion.Kind.PERSON:
        chosen = _naming(deletion.target, rows)
    on_hold = _runs_on_hold(deletion, holds, chosen)
    chosen = [run for run in chosen if run not in on_hold]
    deletion.held += len(on_hold)
    removed: Counter[str] = Counter()
    if chosen and deletion.kind == Deletion.Kind.OLD_OUTPUTS and before is not None:
        days = (deletion.created_at - before).days
        removed.update(counted(remove_outputs(project, chosen, days=days)))
    elif chosen:
        # Files of exports have their own limit (`VERIFYHUB_EXPORT_DAYS`).
        removed.update(
            delete_runs(
                project,
                chosen,
                with_files=before is None,
                settles=deletion.is_confirmed,
            )
        )
    if is_last and deletion.kind == Deletion.Kind.SESSION and not deletion.held:
        removed.update(counted(forget_session(project, deletion.target)))
        Arm.objects.filter(project=project, session_key=deletion.target).delete()
    return +removed, is_last


def _forget_names(deletion: Deletion, holds: Sequence[LegalHold]) -> Mapping[str, int]:
    """Take the old runs from the next names."""
    if deletion.before is None:
        raise ValueError(deletion.kind)
    old, staying = _runs(deletion), are_held(holds)
    counts, last = forget_names_of(
        deletion.project,
        old if staying is None else old.exclude(staying),
        before=deletion.before,
        after=deletion.name_cursor,
        most=NAMES_BATCH,
    )
    deletion.name_cursor = last or LAST
    return counted(counts)


def _runs_on_hold(
    deletion: Deletion, holds: Sequence[LegalHold], runs: Sequence[UUID]
) -> set[UUID]:
    """Return the runs that are kept unchanged."""
    rows = Interaction.objects.filter(pk__in=runs)
    staying = are_held(holds)
    if deletion.kind == Deletion.Kind.OLD_OUTPUTS:
        # Requests for a verification lock the row as well: later ones are refused, and
        # earlier ones finish first.
        list(rows.order_by("pk").select_for_update(of=("self",)).values_list("pk"))
        waits = Q(verifications__state__in=Verification.WAITING)
        staying = waits if staying is None else staying | waits
    if staying is None:
        return set()
    return set(rows.filter(staying).values_list("pk", flat=True))


def delete_runs(
    project: Project, runs: Sequence[UUID], *, with_files: bool, settles: bool = True
) -> Mapping[str, int]:
    """Delete runs with all dependent data, in the caller's transaction.

    Args:
        project: The tenant.
        runs: Their ids.
        with_files: Whether to delete files of exports that may contain them.
        settles: Whether to settle the remaining memory; False if the transaction is
            rolled back.

    Returns:
        Number of deleted rows, by kind.
    """
    acts = acts_of(project, runs)
    opinions = Verification.objects.filter(interaction__in=runs)
    counts = Counter[str]()
    counts["opinions"] = forget(
        project=project, verification_ids=opinions.values_list("pk", flat=True)
    )
    if with_files:
        oldest = Interaction.objects.filter(pk__in=runs).aggregate(at=Min("created_at"))
        if oldest["at"] is not None:
            counts["export_files"] = forget_files_since(project, oldest["at"])
    counts += Counter(forget_events(project, runs))
    counts["logs"] = forget_logs(project, runs)
    counts += Counter(delete_interactions(project, runs))
    counts["acts"] = delete_empty_acts(project, acts)
    # Last, since verification waits from here on.
    counts += Counter(forget_answers(project, runs, settles=settles))
    return counted(counts)


def _runs(deletion: Deletion) -> QuerySet[Interaction]:
    rows = Interaction.objects.filter(project_id=deletion.project_id)
    match deletion.kind:
        case Deletion.Kind.RUN:
            return rows.filter(pk=deletion.target)
        case Deletion.Kind.SESSION:
            return rows.filter(session__key=deletion.target)
        case Deletion.Kind.AGENT:
            return rows.filter(agent_name=deletion.target)
        case Deletion.Kind.OLD_RUNS:
            return rows.filter(created_at__lt=deletion.before)
        case Deletion.Kind.OLD_OUTPUTS:
            old = rows.filter(created_at__lt=deletion.before)
            old = old.filter(outputs_removed_at=None, tool_call_count__gt=0)
            since = _outputs_removed_until(deletion.project)
            return old.filter(created_at__gte=since) if since else old
        case _:
            return rows


def _outputs_removed_until(project: Project) -> datetime | None:
    """Return the time before which all runs have had their outputs removed.

    So older runs are not scanned again every day.
    """
    finished = Deletion.objects.filter(
        project=project,
        kind=Deletion.Kind.OLD_OUTPUTS,
        state=Deletion.State.FINISHED,
        is_confirmed=True,
        held=0,
    )
    until: datetime | None = finished.aggregate(until=Max("before"))["until"]
    return until


def _naming(person: str, runs: Sequence[UUID]) -> list[UUID]:
    """Return the runs whose texts name a person, wherever the texts are stored."""
    name = person.casefold()
    fields = ("task", "answer_text", "goal", "agent_name", "client_id", "session__key")
    free = ("metadata", "sources", "claims", "self_assessment", "structured_output")
    rows = Interaction.objects.filter(pk__in=runs)
    named = {
        row[0]
        for row in rows.values_list("id", *fields, *free, "discussion", "other_fields")
        if name in " ".join(map(_text, row[1:])).casefold()
    }
    stored = rows.exclude(answer_sha256=None).exclude(pk__in=named)
    named |= {
        row.id
        for row in stored.only("project_id", "answer_text", "answer_sha256").iterator()
        if name in row.answer.casefold()
    }
    calls = ToolCall.objects.filter(interaction__in=set(runs) - named)
    for call in calls.order_by("interaction", "index").iterator(chunk_size=100):
        if call.interaction_id not in named and name in (
            f"{call.tool}\n{_text(call.input)}\n{call.output}".casefold()
        ):
            named.add(call.interaction_id)
    return sorted(named)


def _text(value: object) -> str:
    if isinstance(value, dict):
        return " ".join(f"{name} {_text(item)}" for name, item in value.items())
    if isinstance(value, list):
        return " ".join(map(_text, value))
    return "" if value is None else str(value)
