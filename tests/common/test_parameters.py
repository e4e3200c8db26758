"""Parameters of the API are known, said once and not empty; nothing is ignored."""

import pytest


@pytest.mark.parametrize(
    ("address", "field"),
    [
        ("interactions/?sesion=refactoring", "sesion"),
        ("interactions/?session=a&session=b", "session"),
        ("interactions/?cursor=", "cursor"),
        ("interactions/?cursor=made-up", "cursor"),
        ("constraints/?cursor=_", "cursor"),
        ("interactions/run-1/?format=xml", "format"),
        ("constraints/?stat=active", "stat"),
        ("documents/?page=2", "page"),
        ("learning/examples/?target=", "target"),
        ("metrics/levels/?days=12", "days"),
        ("exports/mentions/?until=", "until"),
        ("exports/mentions/?since=0333-02-26T09:36:14-17:21", None),
    ],
)
def test_a_parameter_that_would_be_ignored_is_refused_by_name(api, address, field):
    reply = api.get(f"/api/v1/{address}")

    if field is None:
        assert reply.status_code == 200
        return
    assert reply.status_code == 400
    assert [error["field"] for error in reply.json()["errors"]] == [field]


def test_nobody_without_a_key_learns_what_parameters_there_are(client, db):
    assert client.get("/api/v1/interactions/?sesion=a").status_code == 401


def test_a_parameter_that_may_stand_twice_may(api):
    address = "/api/v1/events/?type=verification.completed&type=detection.completed"

    assert api.get(address).status_code == 200
