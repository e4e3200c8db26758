import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from verifyhub.audit.models import AuditEvent
from verifyhub.memory.models import Snapshot, SnapshotName
from verifyhub.memory.services import put_snapshot

pytestmark = pytest.mark.django_db

PAGE = "/p/acme/memory/snapshots/"


def send(client, file_name, body, **fields):
    file = SimpleUploadedFile(file_name, body)
    return client.post(f"{PAGE}upload/", {"file": file, **fields})


def test_a_lead_uploads_a_file_and_sees_what_it_holds(browse, lead, project):
    client = browse(lead)

    assert send(client, "requirements.txt", b"requests\nflask\n").status_code == 302

    page = client.get(PAGE).content.decode()
    assert "requirements.txt" in page
    assert '<td data-label="Names" class="num">2</td>' in page
    assert '<td data-label="By">lead</td>' in page
    assert AuditEvent.objects.get(action="memory.snapshot_uploaded").actor == lead


def test_a_file_that_is_too_large_is_refused(browse, lead, project, monkeypatch):
    monkeypatch.setattr("verifyhub.memory.pages.snapshot_forms.MAX_FILE_BYTES", 3)

    assert send(browse(lead), "requirements.txt", b"requests\n").status_code == 422


def test_two_files_of_one_kind_get_names_of_their_own(browse, lead, project):
    client = browse(lead)

    send(client, "package.json", b'{"dependencies": {"react": "18"}}', name="web")
    send(client, "package.json", b'{"dependencies": {"vue": "3"}}', name="admin")
    send(client, "names.txt", b"parse\nLoader\n", name="api", content="symbols")

    rows = Snapshot.objects.order_by("name").values_list("name", "format", "pools")
    assert list(rows) == [
        ("admin", "package.json", ["npm"]),
        ("api", "symbols", ["symbols"]),
        ("web", "package.json", ["npm"]),
    ]


def test_a_file_that_cannot_be_read_is_refused_beside_the_field(browse, lead, project):
    reply = send(browse(lead), "notes.md", b"<b>hello</b>")

    assert reply.status_code == 422
    assert "not a readable lock file or manifest" in reply.content.decode()
    assert not Snapshot.objects.exists()


def test_a_reviewer_sees_the_page_and_changes_nothing(browse, reviewer, lead, project):
    put_snapshot(
        project=project,
        name="requirements.txt",
        format_name="requirements.txt",
        data=b"requests\n",
        actor=lead,
    )
    client = browse(reviewer)

    page = client.get(PAGE).content.decode()

    assert "requirements.txt" in page
    assert "Upload</button>" not in page
    assert send(client, "requirements.txt", b"flask\n").status_code == 403
    assert client.post(f"{PAGE}requirements.txt/delete/").status_code == 403
    assert client.post(f"{PAGE}learn/").status_code == 403
    assert SnapshotName.objects.get().text == "requests"


def test_people_outside_the_project_find_nothing(browse, outsider, project):
    assert browse(outsider).get(PAGE).status_code == 404


def test_a_lead_deletes_a_snapshot_and_its_names(browse, lead, project):
    client = browse(lead)
    send(client, "requirements.txt", b"requests\n")

    assert client.post(f"{PAGE}requirements.txt/delete/").status_code == 302

    assert not Snapshot.objects.exists()
    assert not SnapshotName.objects.exists()
