"""Exports over the API: scope, project, filters, formats, problems that name fields."""

import csv
import io
import json
from datetime import timedelta

import pytest
from django.test import Client

from tests.factories import (
    ApiKeyFactory,
    InteractionFactory,
    VerificationFactory,
)
from verifyhub.exports.catalogue import DATASETS

ADDRESS = "/api/v1/exports/interactions/"


def body(response):
    return response.getvalue().decode()


def test_json_lines_are_the_default(api, project):
    InteractionFactory(project=project, answer="=1+1")

    response = api.get(ADDRESS)

    assert response["Content-Type"].startswith("application/jsonl")
    assert [json.loads(line)["answer"] for line in body(response).splitlines()] == [
        "=1+1"
    ]


def test_csv_is_safe_for_spreadsheets(api, project):
    InteractionFactory(project=project, answer="=1+1")

    response = api.get(ADDRESS, {"format": "csv"})

    (row,) = csv.DictReader(io.StringIO(body(response), newline=""))
    assert response["Content-Type"].startswith("text/csv")
    assert row["answer"] == "'=1+1"


@pytest.mark.parametrize("what", DATASETS)
def test_every_export_is_served(api, what):
    assert api.get(f"/api/v1/exports/{what}/").status_code == 200


def test_the_answer_is_streamed(api):
    assert api.get(ADDRESS).streaming


def test_rows_of_another_project_are_not_exported(api):
    InteractionFactory()

    assert body(api.get(ADDRESS)) == ""


def test_rows_are_filtered_by_time_and_verdict(api, project):
    VerificationFactory(interaction__project=project, verdict="reject")
    row = VerificationFactory(interaction__project=project).interaction
    later = (row.created_at + timedelta(seconds=1)).isoformat()

    rejected = body(api.get(ADDRESS, {"verdict": "reject"}))

    assert len(rejected.splitlines()) == 1
    assert body(api.get(ADDRESS, {"since": later})) == ""
    assert len(body(api.get(ADDRESS, {"until": later})).splitlines()) == 2


@pytest.mark.parametrize(
    ("field", "value"),
    [("since", "soon"), ("until", "2026-02-30"), ("verdict", "x"), ("format", "xlsx")],
)
def test_a_wrong_parameter_is_named(api, field, value):
    response = api.get(ADDRESS, {field: value})

    assert response.status_code == 400
    assert response["Content-Type"] == "application/problem+json"
    assert [error["field"] for error in response.json()["errors"]] == [field]


def test_an_unknown_export_is_not_found(api):
    assert api.get("/api/v1/exports/secrets/").status_code == 404


def test_a_key_that_may_only_send_may_not_read(project):
    ApiKeyFactory(project=project, secret="vh_" + "s" * 40, scopes=["ingest"])
    client = Client(headers={"authorization": "Bearer vh_" + "s" * 40})

    assert client.get(ADDRESS).status_code == 403


def test_without_a_key_nothing_is_read(db):
    assert Client().get(ADDRESS).status_code == 401


def test_the_export_is_described(db):
    paths = Client().get("/api/openapi.json").json()["paths"]

    assert "/api/v1/exports/{what}/" in paths
