"""What browsers report of the content policy: logged, bounded, and nothing more."""

import json

import pytest
from structlog.testing import capture_logs

from verifyhub.config import csp_reports

REPORT = {
    "document-uri": "http://testserver/p/acme/review/",
    "effective-directive": "script-src-elem",
    "blocked-uri": "inline",
    "original-policy": "default-src 'none'",
}


@pytest.fixture(autouse=True)
def fresh_minute(monkeypatch):
    monkeypatch.setattr(csp_reports, "_logged", csp_reports._logged.copy())
    csp_reports._logged.clear()


def send(client, body):
    return client.post(
        "/csp-reports/", body, content_type="application/csp-report"
    ).status_code


def told(client, *bodies):
    with capture_logs() as logged:
        statuses = [send(client, body) for body in bodies]
    assert set(statuses) == {204}
    return [one for one in logged if one["event"] == "csp.violation"]


def test_pages_name_where_violations_are_reported(client):
    policy = client.get("/accounts/login/").headers["Content-Security-Policy"]

    assert "report-uri /csp-reports/" in policy


def test_a_report_is_logged_with_what_is_known_of_it(client):
    (line,) = told(client, json.dumps({"csp-report": REPORT}))

    assert line["blocked_uri"] == "inline"
    assert line["log_level"] == "warning"
    assert "original_policy" not in line


def test_a_long_field_is_cut(client):
    long = {**REPORT, "script-sample": "x" * 5000}

    (line,) = told(client, json.dumps({"csp-report": long}))

    assert len(line["script_sample"]) == 200


@pytest.mark.parametrize(
    "body",
    [
        "",
        "no JSON",
        "[]",
        '{"csp-report": []}',
        "[" * 5000,
        json.dumps({"csp-report": {**REPORT, "referrer": "x" * 9000}}),
    ],
)
def test_what_is_no_report_or_too_long_is_not_logged(client, body):
    assert told(client, body) == []


def test_a_flood_is_logged_thirty_times_a_minute(client):
    assert len(told(client, *[json.dumps({"csp-report": REPORT})] * 40)) == 30


def test_only_posts_are_read(client):
    assert client.get("/csp-reports/").status_code == 405
