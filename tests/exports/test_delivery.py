"""Delivery: to a folder that nothing leads out of, and to an S3-compatible store."""

import hashlib
import json
import os
import resource
import signal
from contextlib import contextmanager

import pytest

from tests.exports.jobs import ask, made
from tests.object_store import a_bucket, s3_server
from verifyhub.exports import files, services
from verifyhub.exports.errors import DeliveryError, ExportError
from verifyhub.exports.files import ExportFile
from verifyhub.exports.models import Destination
from verifyhub.exports.stores import FolderStore

SECRET = "s3cr3t-of-the-bucket"


@pytest.fixture
def root(settings, project, tmp_path):
    made = tmp_path / "root"
    made.mkdir()
    settings.EXPORT_ROOTS = {project.slug: str(made)}
    return made


@pytest.fixture
def folder_destination(root, project, admin):
    return services.save_destination(
        project=project,
        values=Destination(name="nightly", kind="folder", path="exports/daily"),
        actor=admin,
    )


@pytest.fixture(scope="module")
def store():
    with s3_server() as address:
        yield address


@pytest.fixture
def bucket(store):
    client, _ = a_bucket(store, "exports")
    return client


@pytest.fixture
def s3_destination(store, bucket, settings, project, admin):
    settings.EXPORT_STORES = [store]
    return services.save_destination(
        project=project,
        values=s3_values(store),
        actor=admin,
        secret_access_key=SECRET,
    )


def s3_values(endpoint, **more):
    return Destination(
        **{
            "name": "bucket",
            "kind": "s3",
            "endpoint": endpoint,
            "bucket": "exports",
            "path": "hub",
            "access_key_id": "key",
        }
        | more
    )


def delivered(project, destination):
    return made(ask(project, written_as="parquet", destination=destination))


def test_a_folder_gets_every_file_and_the_manifest(
    root, project, answers, folder_destination
):
    job = delivered(project, folder_destination)

    assert (job.state, job.error) == ("finished", "")
    (made,) = (root / "exports/daily").iterdir()
    manifest = json.loads((made / "manifest.json").read_text())
    told = {
        file["name"]: file["sha256"]
        for dataset in manifest["datasets"]
        for file in dataset["files"]
    }
    assert {file.name for file in made.iterdir()} == {*told, "manifest.json"}
    for name, sha256 in told.items():
        assert hashlib.sha256((made / name).read_bytes()).hexdigest() == sha256


@pytest.mark.parametrize(
    "path",
    ["../up", "a/../../b", "a\0b", "/etc/../x", "a//b", ".hidden", "~/x", "a/./b"],
)
def test_no_path_leads_out(root, project, admin, path):
    with pytest.raises(ExportError) as raised:
        services.save_destination(
            project=project,
            values=Destination(name="n", kind="folder", path=path),
            actor=admin,
        )

    assert raised.value.field == "path"


@pytest.mark.parametrize("path", ["link", "link/inner", "../outside"])
def test_no_link_and_no_name_leads_out(root, tmp_path, path):
    outside = tmp_path / "outside"
    outside.mkdir()
    (root / "link").symlink_to(outside)

    with pytest.raises(DeliveryError):
        FolderStore(str(root), path).put("run", "file.txt", b"text")

    assert list(outside.iterdir()) == []


def test_a_link_in_the_place_of_a_file_is_replaced_and_not_followed(root, tmp_path):
    victim = tmp_path / "victim"
    victim.write_text("kept")
    (root / "run").mkdir()
    (root / "run" / "file.txt").symlink_to(victim)
    (root / "run" / f".file.txt.{os.getpid()}.unfinished").symlink_to(victim)

    FolderStore(str(root), "").put("run", "file.txt", b"new")

    assert victim.read_text() == "kept"
    assert (root / "run" / "file.txt").read_bytes() == b"new"
    assert not (root / "run" / "file.txt").is_symlink()


def test_a_project_without_a_folder_gets_none(project, admin, settings):
    settings.EXPORT_ROOTS = {}

    with pytest.raises(ExportError):
        services.save_destination(
            project=project,
            values=Destination(name="n", kind="folder"),
            actor=admin,
        )


def test_a_store_gets_every_file_and_the_manifest(
    project, answers, s3_destination, bucket
):
    job = delivered(project, s3_destination)

    assert (job.state, job.error) == ("finished", "")
    listed = bucket.list_objects_v2(Bucket="exports", Prefix="hub/")["Contents"]
    by_name = {one["Key"].rsplit("/", 1)[1]: one for one in listed}
    assert set(by_name) == {"manifest.json", *(part["name"] for part in job.parts)}
    for part in job.parts:
        found = bucket.get_object(Bucket="exports", Key=by_name[part["name"]]["Key"])
        assert hashlib.sha256(found["Body"].read()).hexdigest() == part["sha256"]


def test_only_stores_that_the_operator_allows(project, admin, settings):
    settings.EXPORT_STORES = ["https://s3.example.com"]

    with pytest.raises(ExportError) as raised:
        services.save_destination(
            project=project, values=s3_values("http://127.0.0.1:9000"), actor=admin
        )

    assert raised.value.field == "endpoint"


def test_a_store_that_is_no_longer_allowed_gets_nothing(
    project, answers, s3_destination, settings
):
    settings.EXPORT_STORES = []

    job = delivered(project, s3_destination)

    assert job.state == "pending"
    assert "does not allow" in job.error


def test_the_secret_is_sealed_and_bound_to_its_address(
    project, admin, s3_destination, settings
):
    stored = Destination.objects.get()
    assert SECRET not in stored.sealed_secret
    assert stored.sealed_secret

    settings.EXPORT_STORES = ["https://other.example.com"]
    with pytest.raises(ExportError) as raised:
        services.save_destination(
            project=project,
            values=s3_values("https://other.example.com"),
            actor=admin,
            destination=stored,
        )

    assert raised.value.field == "secret_access_key"


def test_what_could_not_be_delivered_is_tried_again_from_where_it_was(
    project, answers, folder_destination, root, monkeypatch
):
    put = FolderStore.put

    def away(self, folder, name, source):
        if name.startswith("verdicts"):
            raise DeliveryError("the disk is full")
        put(self, folder, name, source)

    monkeypatch.setattr(FolderStore, "put", away)
    job = delivered(project, folder_destination)
    assert (job.state, job.delivered, job.error) == ("pending", 1, "the disk is full")
    assert not list(root.rglob("manifest.json"))
    monkeypatch.setattr(FolderStore, "put", put)
    type(job).objects.update(next_at=None)

    services.run_export(job_id=job.id)

    job.refresh_from_db()
    assert job.state == "finished"
    assert len(list(root.rglob("manifest.json"))) == 1
    assert files.folder_of(job.id).exists()


def test_a_destination_can_be_tried(folder_destination, root, settings):
    assert services.try_destination(destination=folder_destination) == ""
    assert len(list(root.rglob("test.txt"))) == 1

    settings.EXPORT_ROOTS = {}
    assert services.try_destination(destination=folder_destination)


@pytest.fixture
def full_disk():
    """No file of this process may grow beyond a few bytes: the kernel refuses them."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    before = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)

    @contextmanager
    def full():
        resource.setrlimit(resource.RLIMIT_FSIZE, (100, hard))
        try:
            yield
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))

    yield full
    signal.signal(signal.SIGXFSZ, before)


def again(job):
    type(job).objects.update(next_at=None)
    return made(job)


def test_a_full_disk_is_told_of_and_made_up_for(project, answers, full_disk):
    with full_disk():
        job = delivered(project, None)

    assert job.state == "pending"
    assert "cannot be written" in job.error
    assert list(files.folder_of(job.id).iterdir()) == []
    assert again(job).state == "finished"


def test_a_full_destination_holds_no_half_of_a_file(root, tmp_path, full_disk):
    source = tmp_path / "large.parquet"
    source.write_bytes(b"x" * 4096)

    with full_disk(), pytest.raises(DeliveryError, match="cannot be written"):
        FolderStore(str(root), "").put("20261121", "large.parquet", ExportFile(source))

    assert [one for one in root.rglob("*") if one.is_file()] == []


def test_a_folder_that_is_gone_is_waited_for(
    project, answers, folder_destination, root
):
    moved = root.rename(root.with_name("away"))

    job = delivered(project, folder_destination)

    assert job.state == "pending"
    assert "cannot be opened" in job.error
    moved.rename(root)
    assert again(job).state == "finished"
    assert len(list(root.rglob("manifest.json"))) == 1


def test_a_bucket_that_is_gone_is_waited_for_and_gets_what_is_missing(
    project, answers, s3_destination, bucket
):
    Destination.objects.update(bucket="not-there-yet")

    job = delivered(project, s3_destination)

    assert (job.state, job.delivered) == ("pending", 0)
    assert "the store refused" in job.error
    assert SECRET not in job.error
    bucket.create_bucket(Bucket="not-there-yet")
    assert again(job).state == "finished"
    listed = bucket.list_objects_v2(Bucket="not-there-yet")["Contents"]
    assert len(listed) == len(job.parts) + 1


def test_a_store_that_does_not_know_the_key_is_told_of(
    project, answers, s3_destination
):
    from moto.core import set_initial_no_auth_action_count

    # From here on the store checks who asks; it has no key at all.
    job = set_initial_no_auth_action_count(0)(delivered)(project, s3_destination)

    assert (job.state, job.delivered) == ("pending", 0)
    assert "the store refused" in job.error
    assert SECRET not in job.error
