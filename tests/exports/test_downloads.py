"""Files of exports over API and pages: whole, in stretches, each one's own."""

import csv
import io
import json

import pytest
from django.test import Client

from tests.exports.jobs import ask, made
from tests.factories import ApiKeyFactory, MembershipFactory
from verifyhub.audit.models import AuditEvent
from verifyhub.exports import services
from verifyhub.exports.models import ExportJob, Schedule
from verifyhub.exports.services import run

JOBS = "/api/v1/exports/jobs/"


@pytest.fixture
def job(project, answers, monkeypatch):
    """A finished export of CSV in three parts."""
    monkeypatch.setattr(run, "PART_ROWS", 3)
    return finished(project, "csv")


def finished(project, written_as, actor=None):
    return made(ask(project, "interactions", written_as=written_as, actor=actor))


def body(response):
    return response.getvalue()


def file_of(job, name="interactions.csv"):
    return f"{JOBS}{job.id}/files/{name}"


def test_a_program_asks_waits_and_downloads(api, answers):
    asked = {
        "datasets": ["interactions", "verdicts"],
        "format": "jsonl",
        "filters": {"verdict": "accept"},
    }
    reply = api.post(JOBS, asked, content_type="application/json")
    assert (reply.status_code, reply.json()["state"]) == (202, "pending")
    assert reply.json()["files"] == []

    services.run_export(job_id=reply.json()["id"])

    told = api.get(f"{JOBS}{reply.json()['id']}/").json()
    assert (told["state"], told["rows"]) == ("finished", 14)
    assert told["files"] == ["manifest.json", "interactions.jsonl", "verdicts.jsonl"]
    manifest = json.loads(body(api.get(f"{JOBS}{told['id']}/files/manifest.json")))
    assert manifest["rows"] == 14
    assert [one["id"] for one in api.get(JOBS).json()["results"]] == [told["id"]]
    assert api.delete(f"{JOBS}{told['id']}/").status_code == 204
    assert not ExportJob.objects.exists()


def test_parts_come_as_one_file_with_one_header(api, job, answers):
    text = body(api.get(file_of(job))).decode()

    rows = list(csv.DictReader(io.StringIO(text, newline="")))
    assert len(job.parts) == 3
    assert [row["id"] for row in rows] == [str(one.id) for one in answers]


@pytest.mark.parametrize("first", [0, 1, 700, 1200])
@pytest.mark.parametrize("length", [1, 300, 5000])
def test_a_download_goes_on_where_it_broke(api, job, first, length):
    whole = body(api.get(file_of(job)))

    reply = api.get(
        file_of(job), headers={"range": f"bytes={first}-{first + length - 1}"}
    )

    last = min(first + length, len(whole)) - 1
    assert reply.status_code == 206
    assert reply["Content-Range"] == f"bytes {first}-{last}/{len(whole)}"
    assert body(reply) == whole[first : first + length]


def test_the_end_of_a_file_can_be_asked_for(api, job):
    whole = body(api.get(file_of(job)))

    assert body(api.get(file_of(job), headers={"range": "bytes=-10"})) == whole[-10:]
    assert body(api.get(file_of(job), headers={"range": "bytes=10-"})) == whole[10:]


def test_a_range_of_another_file_gets_the_whole(api, job):
    etag = api.get(file_of(job))["ETag"]
    headers = {"range": "bytes=5-9", "if-range": etag}

    assert api.get(file_of(job), headers=headers).status_code == 206
    other = headers | {"if-range": '"another"'}
    assert api.get(file_of(job), headers=other).status_code == 200


def test_bytes_that_there_are_not_cannot_be_had(api, job):
    reply = api.get(file_of(job), headers={"range": "bytes=99999999-"})

    assert reply.status_code == 416


@pytest.mark.parametrize(
    "name",
    [
        "secrets.csv",
        "..%2fmanifest.json",
        "interactions.parquet",
        "x",
        "1-interactions",
    ],
)
def test_there_are_no_other_files(api, job, name):
    assert api.get(file_of(job, name)).status_code == 404


@pytest.mark.parametrize(
    ("sent", "field"),
    [
        ({"datasets": []}, "datasets"),
        ({"datasets": ["secrets"]}, "datasets"),
        ({"datasets": ["verdicts"], "format": "xlsx"}, "format"),
        ({"datasets": ["verdicts"], "filters": {"x": "1"}}, "filters.x"),
        ({"datasets": ["verdicts"], "filters": {"since": "soon"}}, "filters.since"),
    ],
)
def test_what_cannot_be_exported_is_named(api, sent, field):
    reply = api.post(JOBS, sent, content_type="application/json")

    assert reply.status_code == 400
    assert [error["field"] for error in reply.json()["errors"]] == [field]


def test_keys_see_no_export_of_others_nor_what_they_may_not_read(
    project, answers, lead
):
    by_lead = finished(project, "jsonl", actor=lead)
    foreign = ApiKeyFactory(secret="vh_" + "f" * 40)
    own = ApiKeyFactory(project=project, secret="vh_" + "o" * 40, scopes=["read"])
    by_key = finished(project, "jsonl", actor=own)

    def status(secret, job):
        client = Client(headers={"authorization": f"Bearer vh_{secret * 40}"})
        return client.get(f"{JOBS}{job.id}/").status_code

    assert (status("f", by_key), status("o", by_key)) == (404, 200)
    assert status("o", by_lead) == 404
    assert foreign.project != project
    asked = {"datasets": ["judgements"]}
    client = Client(headers={"authorization": f"Bearer vh_{'o' * 40}"})
    reply = client.post(JOBS, asked, content_type="application/json")
    assert reply.status_code == 403


def test_rows_go_on_behind_the_last_one_that_came(api, answers):
    address = "/api/v1/exports/interactions/"
    whole = body(api.get(address)).splitlines()
    last = json.loads(whole[2])["id"]

    rest = body(api.get(address, {"after": last})).splitlines()
    cells = body(api.get(address, {"after": last, "format": "csv"})).decode()

    assert rest == whole[3:]
    assert len(cells.splitlines()) == 4


@pytest.mark.parametrize(
    "query",
    [
        {"after": "soon"},
        {"after": "0d9c3c5e-8f3c-4ad5-8f0e-6a2c8c5b1c77"},
        {"colour": "red"},
    ],
)
def test_a_place_or_parameter_that_there_is_not_is_named(api, answers, query):
    reply = api.get("/api/v1/exports/interactions/", query)

    assert reply.status_code == 400
    assert [error["field"] for error in reply.json()["errors"]] == list(query)


def test_what_can_be_exported_is_told_with_its_columns(api, answers):
    told = {one["name"]: one for one in api.get("/api/v1/exports/").json()["datasets"]}

    line = body(api.get("/api/v1/exports/interactions/")).splitlines()[0]
    columns = [one["name"] for one in told["interactions"]["columns"]]
    assert list(json.loads(line)) == columns
    assert told["interactions"]["line"]["required"] == columns


def test_people_ask_and_download_on_a_page(browse, reviewer, project, answers):
    client = browse(reviewer)
    sent = {"datasets": ["interactions"], "written_as": "csv", "agent": "nobody"}
    reply = client.post("/p/acme/exports/new/", sent)
    job = ExportJob.objects.get()
    assert reply["Location"] == f"/p/acme/exports/{job.id}/"
    assert job.filters == {"agent": "nobody"}

    services.run_export(job_id=job.id)

    page = client.get(reply["Location"]).content.decode()
    assert f"/p/acme/exports/{job.id}/interactions.csv" in page
    file = client.get(f"/p/acme/exports/{job.id}/interactions.csv")
    assert body(file).count(b"\n") == 1


def test_people_see_their_own_and_those_of_programs(
    browse, project, answers, lead, reviewer, viewer
):
    by_lead = finished(project, "jsonl", actor=lead)
    by_key = finished(project, "jsonl", actor=ApiKeyFactory(project=project))
    stranger = MembershipFactory().user

    def status(person, job):
        return browse(person).get(f"/p/acme/exports/{job.id}/").status_code

    assert [status(lead, by_lead), status(reviewer, by_lead)] == [200, 404]
    assert [status(reviewer, by_key), status(viewer, by_key)] == [200, 403]
    assert status(stranger, by_key) == 404


@pytest.mark.parametrize(
    "path", ["schedules/", "destinations/"], ids=["schedule", "destination"]
)
def test_only_admins_say_where_exports_go(browse, lead, admin, path):
    assert browse(admin).get(f"/p/acme/exports/{path}").status_code == 200
    assert browse(lead).get(f"/p/acme/exports/{path}").status_code == 403


SCHEDULE = {
    "schedule-name": "nightly",
    "schedule-datasets": ["verdicts", "metrics"],
    "schedule-written_as": "parquet",
    "schedule-every": "week",
    "schedule-weekday": "2",
    "schedule-hour": "4",
    "schedule-time_zone": "Europe/Paris",
    "schedule-is_incremental": "on",
    "schedule-is_on": "on",
    "verdict": "reject",
    "name": "",
}


def test_an_admin_adds_a_schedule(browse, admin, project):
    page = "/p/acme/exports/schedules/"

    assert browse(admin).post(page, SCHEDULE).status_code == 302
    assert "nightly" in browse(admin).get("/p/acme/exports/").content.decode()

    nowhere = SCHEDULE | {
        "schedule-name": "on Mars",
        "schedule-time_zone": "Mars/Olympus",
    }
    assert browse(admin).post(page, nowhere).status_code == 422
    assert [row.name for row in Schedule.objects.all()] == ["nightly"]


def test_an_admin_changes_a_schedule(browse, admin, project):
    add = "/p/acme/exports/schedules/"
    browse(admin).post(add, SCHEDULE)
    browse(admin).post(add, SCHEDULE | {"schedule-name": "taken"})
    row = Schedule.objects.get(name="nightly")
    page = f"{add}{row.pk}/"

    refused = browse(admin).post(
        page, SCHEDULE | {"schedule-name": "taken", "schedule-hour": "5"}
    )
    assert refused.status_code == 422
    assert refused.context["schedule"].name == "nightly"
    daily = SCHEDULE | {
        "schedule-every": "day",
        "schedule-weekday": "",
        "schedule-hour": "6",
        "schedule-is_on": "",
    }
    assert browse(admin).post(page, daily).status_code == 302

    row.refresh_from_db()
    assert (row.every, row.weekday, row.hour, row.is_on) == ("day", 0, 6, False)
    assert row.filters == {"verdict": "reject"}
    event = AuditEvent.objects.filter(action="exports.schedule_saved").latest("id")
    assert (event.before["hour"], event.after["hour"]) == (4, 6)


def test_rows_are_filtered_as_the_queue_is(api, project, lead):
    from tests.review.conftest import send

    flagged, fine = send(project), send(project, answer="It is in `shop/tax.py`.")

    def ids(**query):
        lines = body(api.get("/api/v1/exports/interactions/", query)).splitlines()
        return {json.loads(line)["id"] for line in lines}

    assert ids() == {str(flagged.id), str(fine.id)}
    assert ids(review="open") == {str(flagged.id)}
    assert ids(review="resolved") == set()
    assert ids(kind="file", age="-24") == {str(flagged.id)}
    assert ids(text="discounts") == {str(flagged.id)}
    assert ids(agent="nobody") == set()
