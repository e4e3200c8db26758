"""What operators read of learning by API key."""

import pytest

from tests.factories import ApiKeyFactory, ProjectFactory
from tests.learning.answers import accepted_and_judged, judged
from verifyhub.learning.holdouts import is_held_out
from verifyhub.learning.models import HoldOut

pytestmark = pytest.mark.django_db

SECRET = f"vh_{'k' * 40}"


@pytest.fixture
def read(client, project):
    ApiKeyFactory(project=project, secret=SECRET, scopes=["read"])

    def get(path, **query):
        return client.get(
            f"/api/v1/learning/{path}/",
            query,
            headers={"Authorization": f"Bearer {SECRET}"},
        )

    return get


def test_examples_are_listed_for_the_keys_project_alone(read, an_answer, teach):
    teach(an_answer(), reason="Ours.")
    teach(an_answer(project=ProjectFactory()), reason="Theirs.")

    results = read("examples", state="taught").json()["results"]

    assert [one["reason"] for one in results] == ["Ours."]


def test_calibration_carries_its_n(read, an_answer, teach):
    teach(an_answer())

    checks = {one["check"]: one for one in read("calibration").json()["checks"]}

    assert checks["verdict"]["n"] == 1
    assert checks["verdict"]["few"] is True
    assert checks["verdict"]["brier"] == pytest.approx(0.67**2)


def test_advice_names_threshold_counts_and_interval(read, project):
    accepted_and_judged(project, right=30, wrong=12)

    said = read("advice").json()

    assert (said["rejected"]["count"], said["rejected"]["total"]) == (12, 42)
    first = said["advice"][0]
    assert (first["name"], first["value"]) == ("uncertain_below_confidence", 0.7)
    assert (first["caught"]["count"], first["extra"]["count"]) == (12, 0)
    assert first["gain"]["interval"][0] > 0


def test_priors_show_shares_with_intervals(read, project):
    judged(project, tools=["Read", "Grep"], model="m-1")

    said = read("priors").json()

    assert said["agents"][0]["name"] == "coder"
    assert [row["name"] for row in said["tools"]] == ["Grep", "Read"]
    assert said["models"][0]["answers"]["low"] < 1


def test_effects_compare_both_arms(read, project):
    HoldOut.objects.create(project=project, kind="gaps", share=50, salt="s")
    for number in range(40):
        key = f"session-{number}"
        side = is_held_out(project=project, session_key=key, kind="gaps")
        judged(project, session_key=key, arms={"gaps": side}, unverified=int(side))

    effects = {one["kind"]: one for one in read("effects").json()["effects"]}

    gaps = effects["gaps"]
    assert sum(gaps["sessions"]) == 40
    invented = gaps["measures"][0]
    assert (invented["told"]["value"], invented["held_out"]["value"]) == (0, 1)
    assert invented["difference"]["value"] == -1
    assert effects["findings"]["measures"] == []


def test_a_key_without_the_scope_is_refused(client, project):
    ApiKeyFactory(project=project, secret=SECRET, scopes=["ingest"])

    reply = client.get(
        "/api/v1/learning/advice/", headers={"Authorization": f"Bearer {SECRET}"}
    )

    assert reply.status_code == 403
