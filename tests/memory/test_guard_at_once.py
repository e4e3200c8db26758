import threading

import pytest

from tests.factories import ApiKeyFactory, ProjectFactory
from tests.threads import at_once
from verifyhub.memory.guard import guard
from verifyhub.memory.models import Snapshot, SnapshotName
from verifyhub.memory.services import put_snapshot

pytestmark = pytest.mark.django_db(transaction=True)

EVEN = "".join(f"even-{n}\n" for n in range(300)).encode()
ODD = "".join(f"odd-{n}\n" for n in range(300)).encode()
DRAFT = " ".join(f"It has the package `even-{n}`." for n in range(300))


def put(project, key, body):
    put_snapshot(
        project=project,
        name="requirements.txt",
        format_name="requirements.txt",
        data=body,
        actor=key,
    )


def test_a_draft_is_held_against_the_old_names_or_the_new_never_a_mixture():
    project = ProjectFactory()
    key = ApiKeyFactory(project=project)
    put(project, key, EVEN)
    over, seen = threading.Event(), set()

    def write():
        for turn in range(6):
            put(project, key, EVEN if turn % 2 else ODD)
        over.set()

    def read():
        while not over.is_set():
            seen.add(len(guard(project=project, text=DRAFT)))

    at_once(write, read)

    assert seen <= {0, 300}
    assert guard(project=project, text=DRAFT) == ()


def test_two_uploads_of_one_snapshot_leave_one_of_them_whole():
    project = ProjectFactory()
    key = ApiKeyFactory(project=project)

    at_once(*(lambda body=body: put(project, key, body) for body in (EVEN, ODD) * 3))

    snapshot = Snapshot.objects.get()
    kinds = {
        text.split("-")[0] for text in snapshot.names.values_list("text", flat=True)
    }
    assert len(kinds) == 1
    assert SnapshotName.objects.count() == snapshot.name_count == 300
