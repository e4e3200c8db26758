"""With an object store, exports lie there: no folder is shared between machines."""

import pytest

from tests.exports.test_downloads import body, file_of, finished
from tests.object_store import a_bucket, s3_server
from verifyhub.common.env import SettingError
from verifyhub.common.object_store import StoreAddress, checked_address
from verifyhub.exports import services


@pytest.fixture(scope="module")
def server():
    with s3_server() as address:
        yield address


@pytest.fixture
def bucket(server, settings):
    client, settings.STORE = a_bucket(server, "system")
    return client


def objects(bucket, job):
    listed = bucket.list_objects_v2(Bucket="system", Prefix=f"hub/exports/{job.id}")
    return [one["Key"] for one in listed.get("Contents", [])]


@pytest.fixture
def elsewhere(settings, tmp_path):
    """Go on as another machine, which has none of the first one's folders."""

    def move():
        settings.EXPORT_FOLDER = str(tmp_path / "another-machine")

    return move


def test_what_one_machine_wrote_another_one_sends(
    bucket, api, project, answers, elsewhere
):
    job = finished(project, "csv")
    elsewhere()

    whole = body(api.get(file_of(job)))
    stretch = api.get(file_of(job), headers={"range": "bytes=3-20"})

    assert whole.count(b"\n") == 8
    assert (stretch.status_code, body(stretch)) == (206, whole[3:21])


def test_no_file_stays_on_the_disk_of_who_wrote_it(bucket, project, answers, folder):
    finished(project, "csv")

    assert [one for one in folder.rglob("*") if one.is_file()] == []


def test_an_export_that_is_deleted_leaves_no_object(
    bucket, project, answers, admin, elsewhere, django_capture_on_commit_callbacks
):
    job = finished(project, "csv")
    identifier = job.id
    assert objects(bucket, job)
    elsewhere()

    with django_capture_on_commit_callbacks(execute=True):
        services.delete_export(job=job, actor=admin)

    job.id = identifier
    assert objects(bucket, job) == []


def test_a_store_that_does_not_answer_is_tried_again_and_named(
    settings, project, answers
):
    settings.STORE = StoreAddress(
        url="s3://system", endpoint="http://127.0.0.1:9", key_id="key", secret="secret"
    )

    job = finished(project, "csv")

    assert job.state == "pending"
    assert "object store" in job.error


@pytest.mark.parametrize(
    ("given", "named"),
    [
        ({"url": "https://example.org/bucket"}, "VERIFYHUB_STORE_URL"),
        ({"url": "s3://"}, "VERIFYHUB_STORE_URL"),
        ({"url": "s3://system", "key_id": "key"}, "VERIFYHUB_STORE_SECRET"),
    ],
)
def test_a_wrong_address_is_refused_by_its_name(given, named):
    with pytest.raises(SettingError, match=named):
        checked_address(StoreAddress(**given))
