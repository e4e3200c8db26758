"""Programs fit, activate and take back calibrations, and calibrate one score."""

import pytest

from tests.factories import ApiKeyFactory, CalibrationModelFactory
from tests.learning.decided import boastful, capped, decided
from verifyhub.learning.selectors import calibrators_in_force, conformal_in_force

pytestmark = pytest.mark.django_db

SECRET = f"vh_{'k' * 40}"
BOARD = "/api/v1/calibrations/"
CALIBRATE = "/api/v1/detection/calibrate/"


@pytest.fixture
def api(client, project):
    ApiKeyFactory(project=project, secret=SECRET, scopes=["read", "manage"])

    def call(method, path, data=None):
        return getattr(client, method)(
            path,
            data,
            content_type="application/json",
            headers={"Authorization": f"Bearer {SECRET}"},
        )

    return call


def fitted(api, check="verdict") -> dict:
    return api("post", f"{BOARD}fit/", {"check": check}).json()


def test_an_uncalibrated_score_stands_for_itself(api, project):
    said = api("post", CALIBRATE, {"check": "nli", "score": 0.8}).json()

    assert said == {
        "check": "nli",
        "score": 0.8,
        "calibrated": None,
        "calibration": "uncalibrated",
    }


def test_a_calibration_is_fitted_activated_used_and_returned_from(api, project):
    decided(project, boastful(300))

    draft = fitted(api)
    assert (draft["calibration"], draft["state"]) == ("platt 1", "draft")
    assert draft["after"]["brier"] < draft["before"]["brier"]
    active = api("post", f"{BOARD}{draft['id']}/activate/").json()
    assert active["state"] == "active"

    said = api("post", CALIBRATE, {"check": "verdict", "score": 0.8}).json()
    assert said["calibration"] == "platt 1"
    curve = calibrators_in_force(project)["verdict"]
    assert said["calibrated"] == pytest.approx(curve.apply(0.8))

    back = api("post", f"{BOARD}return/", {"check": "verdict"}).json()
    assert back == {"check": "verdict", "calibration": "uncalibrated"}


def test_the_board_says_what_is_missing_and_what_is_in_force(api, project):
    decided(project, boastful(300))
    decided(project, boastful(40), check="grounding")
    api("post", f"{BOARD}{fitted(api)['id']}/activate/")

    said = {one["check"]: one for one in api("get", BOARD).json()["checks"]}

    assert said["verdict"]["calibration"] == "platt 1"
    assert said["verdict"]["missing"]["in_all"] == 0
    assert said["verdict"]["versions"][0]["parameters"]["a"] < 0
    assert said["grounding"]["calibration"] == "uncalibrated"
    assert said["grounding"]["missing"]["in_all"] == 60


def test_refusals_say_why(api, project):
    decided(project, boastful(99))
    decided(project, capped(400, 0.6), check="semantic_entropy")

    few = api("post", f"{BOARD}fit/", {"check": "verdict"})
    impossible = api(
        "post", f"{BOARD}{fitted(api, 'semantic_entropy')['id']}/activate/"
    )
    nothing = api("post", f"{BOARD}return/", {"check": "verdict"})

    assert [one.status_code for one in (few, impossible, nothing)] == [409] * 3
    assert "A fit needs 100 decisions" in few.json()["detail"]
    assert "critical: No text could pass" in impossible.json()["detail"]


def test_blocking_is_switched_on_with_its_promise_and_off(api, project):
    decided(project, boastful(300))

    rule = api("post", f"{BOARD}blocking/", {"at_most": 0.1})

    assert rule.status_code == 201
    said = rule.json()
    assert said["promise"] == f"at most 10 % false blocks, n = {said['n']}"
    assert api("get", BOARD).json()["blocking"]["version"] == "conformal 1"
    assert api("delete", f"{BOARD}blocking/").status_code == 204
    assert conformal_in_force(project) is None
    assert api("delete", f"{BOARD}blocking/").status_code == 409


@pytest.mark.parametrize(
    "asked", [{"check": "mention"}, {"check": "verdict", "at_most": 0.01}]
)
def test_blocking_that_can_promise_nothing_is_refused(api, project, asked):
    decided(project, boastful(100))
    decided(project, boastful(100), check="mention")

    assert api("post", f"{BOARD}blocking/", asked).status_code == 409


@pytest.mark.parametrize(
    ("path", "asked"),
    [
        (CALIBRATE, {"check": "nli", "score": 1.1}),
        (CALIBRATE, {"check": "nli", "score": "0.5"}),
        (CALIBRATE, {"check": "nli", "score": True}),
        (CALIBRATE, {"check": "nli"}),
        (f"{BOARD}fit/", {}),
        (f"{BOARD}return/", {"check": "nli", "to": "yesterday"}),
        (f"{BOARD}blocking/", {"at_most": 0.6}),
    ],
)
def test_what_cannot_be_read_is_named(api, path, asked):
    assert api("post", path, asked).status_code == 400


def test_another_projects_version_is_not_there(api):
    model = CalibrationModelFactory()

    assert api("post", f"{BOARD}{model.id}/activate/").status_code == 404
    assert api("get", BOARD).json() == {"checks": [], "blocking": None}


def test_reading_alone_activates_nothing(client, project):
    ApiKeyFactory(project=project, secret=SECRET, scopes=["read"])

    for path in ("fit/", "return/", "blocking/"):
        reply = client.post(
            f"{BOARD}{path}",
            {},
            content_type="application/json",
            headers={"Authorization": f"Bearer {SECRET}"},
        )
        assert reply.status_code == 403
