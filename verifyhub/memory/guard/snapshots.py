"""Writes of a project's snapshots of names: uploaded, learned, deleted."""

from collections import defaultdict
from collections.abc import Iterable
from itertools import islice

from django.db import connection, models, transaction
from django.utils.translation import gettext as _

from verifyhub.accounts.models import Project
from verifyhub.audit.services import record_event
from verifyhub.engine.calls.changes import base_name
from verifyhub.engine.ledger.files import FileAction
from verifyhub.engine.ledger.ledger import Ledger
from verifyhub.engine.ledger.packages import Package, Shown
from verifyhub.engine.types import MentionKind
from verifyhub.memory.guard.files import (
    MAX_NAMES,
    NameFile,
    SnapshotRefusedError,
    check_snapshot_name,
    read_names,
)
from verifyhub.memory.guard.names import POOLS, SYMBOLS, is_storable, name_key
from verifyhub.memory.models import Snapshot, SnapshotName

LEARNED_NAME = "learned"
MAX_LEARNED_NAMES = 100_000
# Names of one statement, which must end within the statement timeout.
NAMES_AT_ONCE = 20_000
MAX_SNAPSHOTS = 200
MAX_PROJECT_NAMES = 2 * MAX_NAMES


def put_snapshot(
    *, project: Project, name: str, format_name: str, data: bytes, actor: models.Model
) -> tuple[Snapshot, bool]:
    """Create or replace a snapshot from a file, in one transaction.

    Args:
        project: The tenant.
        name: The snapshot's own name.
        format_name: The file's name, which tells its format, or `symbols`.
        data: The file's content.
        actor: Who uploads it: a person or an API key.

    Returns:
        The snapshot, and whether it is new.

    Raises:
        SnapshotRefusedError: If the file cannot be read, or the project would have too
            many snapshots or names.
    """
    check_snapshot_name(name)
    # Parsed before the transaction, so that no lock is held meanwhile.
    return _write(project, name, format_name, read_names(format_name, data), actor)


def holds_name(project: Project, kind: str, name: str) -> bool:
    """Whether a snapshot of the project holds a package or a symbol of its code."""
    if kind == MentionKind.PACKAGE:
        condition = models.Q()
        for pool in POOLS:
            condition |= models.Q(pool=pool, key=name_key(pool, name))
    else:
        condition = models.Q(pool=SYMBOLS, key=name_key(SYMBOLS, name), text=name)
    return SnapshotName.objects.filter(condition, project=project).exists()


@transaction.atomic
def _write(
    project: Project, name: str, format_name: str, file: NameFile, actor: models.Model
) -> tuple[Snapshot, bool]:
    # Uploads of a project wait for each other here, not half-way.
    Project.objects.select_for_update(no_key=True).get(pk=project.pk)
    snapshot = Snapshot.objects.filter(project=project, name=name).first()
    before = _facts(snapshot) if snapshot else {}
    created = snapshot is None
    snapshot = snapshot or Snapshot(project=project, name=name)
    if LEARNED_NAME in {name, snapshot.origin}:
        raise SnapshotRefusedError(_("This name is reserved for learned names."))
    _check_room(snapshot, len(file.names))
    snapshot.format, snapshot.pools = format_name, [file.pool]
    snapshot.sha256, snapshot.name_count = file.sha256, len(file.names)
    snapshot.changed_by = str(actor)[:200]
    snapshot.save()
    _replace_names(snapshot, file)
    record_event(
        "memory.snapshot_uploaded",
        snapshot,
        actor,
        before=before,
        after=_facts(snapshot),
    )
    return snapshot, created


@transaction.atomic
def delete_snapshot(*, snapshot: Snapshot, actor: models.Model) -> None:
    """Delete a snapshot and its names."""
    record_event("memory.snapshot_deleted", snapshot, actor, before=_facts(snapshot))
    SnapshotName.objects.filter(snapshot=snapshot).delete()
    snapshot.delete()


@transaction.atomic
def start_learning(*, project: Project, actor: models.Model) -> Snapshot:
    """Start to learn names from accepted runs; deleting the snapshot ends it."""
    Project.objects.select_for_update(no_key=True).get(pk=project.pk)
    row, created = Snapshot.objects.get_or_create(
        project=project,
        origin=Snapshot.Origin.LEARNED,
        defaults={"name": LEARNED_NAME, "format": LEARNED_NAME},
    )
    if created:
        record_event("memory.snapshot_learning_started", row, actor)
    return row


@transaction.atomic
def learn_names(*, project: Project, ledger: Ledger) -> int:
    """Add names from an accepted run's tool outputs, if the project learns.

    If the run read a whole lock file or manifest, its ecosystem counts as whole; other
    packages and definitions are only added.

    Returns:
        How many names were new.
    """
    snapshot = (
        Snapshot.objects.select_for_update()
        .filter(project=project, origin=Snapshot.Origin.LEARNED)
        .first()
    )
    if snapshot is None:
        return 0
    room = MAX_LEARNED_NAMES - snapshot.name_count
    names = learned_names(ledger)
    added = sum(
        add_names(snapshot, pool, pairs[: max(0, room)])
        for pool, pairs in sorted(names.items())
    )
    pools = sorted({*snapshot.pools, *whole_pools(ledger)})
    if added or pools != snapshot.pools:
        snapshot.pools, snapshot.name_count = pools, snapshot.name_count + added
        snapshot.save(update_fields=["pools", "name_count", "updated_at"])
    return added


def _facts(snapshot: Snapshot) -> dict[str, object]:
    return {
        "name": snapshot.name,
        "format": snapshot.format,
        "names": snapshot.name_count,
        "sha256": snapshot.sha256,
    }


def _check_room(snapshot: Snapshot, names: int) -> None:
    others = Snapshot.objects.filter(project=snapshot.project).exclude(pk=snapshot.pk)
    totals = others.aggregate(
        snapshots=models.Count("id"), names=models.Sum("name_count", default=0)
    )
    if totals["snapshots"] >= MAX_SNAPSHOTS:
        raise SnapshotRefusedError(
            _("A project has at most %(n)s snapshots.") % {"n": MAX_SNAPSHOTS},
            too_large=True,
        )
    if totals["names"] + names > MAX_PROJECT_NAMES:
        raise SnapshotRefusedError(
            _("A project's snapshots have at most %(n)s names together.")
            % {"n": MAX_PROJECT_NAMES},
            too_large=True,
        )


def _replace_names(snapshot: Snapshot, file: NameFile) -> None:
    """Insert new names and delete missing ones: lock files change by a few lines."""
    texts = [text for _, text in file.names]
    with connection.cursor() as cursor:
        cursor.execute(
            "DELETE FROM memory_snapshotname AS held WHERE snapshot_id = %s"
            " AND NOT (pool = %s AND EXISTS"
            " (SELECT FROM unnest(%s::text[]) AS new(text)"
            " WHERE new.text = held.text))",
            [snapshot.pk, file.pool, texts],
        )
    add_names(snapshot, file.pool, file.names)


def add_names(snapshot: Snapshot, pool: str, names: Iterable[tuple[str, str]]) -> int:
    """Add names, as pairs of key and text, to a snapshot; return how many were new."""
    left, added = iter(names), 0
    while pairs := list(islice(left, NAMES_AT_ONCE)):
        keys, texts = [key for key, _ in pairs], [text for _, text in pairs]
        with connection.cursor() as cursor:
            cursor.execute(
                "INSERT INTO memory_snapshotname"
                " (project_id, snapshot_id, pool, key, text)"
                " SELECT %s, %s, %s, new.key, new.text"
                " FROM unnest(%s::text[], %s::text[]) AS new(key, text)"
                " ON CONFLICT (snapshot_id, pool, text) DO NOTHING",
                [snapshot.project_id, snapshot.pk, pool, keys, texts],
            )
            added += cursor.rowcount
    return added


_DECLARED = frozenset({Shown.LOCK, Shown.MANIFEST})


def learned_names(ledger: Ledger) -> dict[str, list[tuple[str, str]]]:
    """Return the packages and definitions that tools showed: key and text, by pool.

    Files that the run changed are left out: otherwise an agent could make a package
    real by writing its name into one.
    """
    by_pool: dict[str, dict[str, tuple[str, str]]] = defaultdict(dict)
    for package in _packages_of(ledger):
        if is_storable(package.name):
            key = name_key(package.ecosystem, package.name)
            by_pool[str(package.ecosystem)].setdefault(key, (key, package.name))
    for symbol in ledger.symbols:
        if is_storable(symbol.name):
            key = name_key(SYMBOLS, symbol.name)
            by_pool[SYMBOLS][symbol.name] = (key, symbol.name)
    return {pool: list(names.values()) for pool, names in by_pool.items()}


def whole_pools(ledger: Ledger) -> set[str]:
    """Return the ecosystems whose lock file or manifest the run read whole."""
    complete = {
        (entry.call, entry.path)
        for entry in ledger.files
        if entry.action is FileAction.SEEN and entry.sha256 is not None
    }
    return {
        str(package.ecosystem)
        for package in _packages_of(ledger)
        if package.shown in _DECLARED and (package.call, package.path) in complete
    }


def _packages_of(ledger: Ledger) -> list[Package]:
    changed = ledger.changes_by_name
    return [
        package
        for package in ledger.packages
        if not package.path or base_name(package.path) not in changed
    ]
