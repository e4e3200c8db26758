import pytest
from django.test import Client

PATHS = [
    "/",
    "/healthz",
    "/accounts/login/",
    "/nowhere/",
    "/api/v1/interactions/",
    "/metrics",
    "/static/css/app.css",
]


@pytest.mark.django_db
@pytest.mark.parametrize("path", PATHS)
def test_every_answer_forbids_foreign_and_inline_code(path):
    policy = Client().get(path)["Content-Security-Policy"]

    assert "default-src 'none'" in policy
    assert "script-src 'self'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy


@pytest.mark.django_db
@pytest.mark.parametrize("path", PATHS)
def test_every_answer_guards_itself_and_names_its_request(path):
    response = Client().get(path)

    assert response["X-Content-Type-Options"] == "nosniff"
    assert response["X-Frame-Options"] == "DENY"
    assert response["Referrer-Policy"] == "same-origin"
    assert len(response["X-Request-ID"]) == 36
