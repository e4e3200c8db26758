import gzip

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
    assert "camera=()" in response["Permissions-Policy"]
    assert len(response["X-Request-ID"]) == 36


@pytest.mark.django_db
def test_a_page_is_packed_and_kept_by_no_cache_on_the_way():
    packed = Client().get("/accounts/login/", headers={"accept-encoding": "gzip"})
    plain = Client().get("/accounts/login/")

    assert packed["Content-Encoding"] == "gzip"
    assert len(packed.content) < len(plain.content) / 2
    assert b"</html>" in gzip.decompress(packed.content)
    assert "private" in plain["Cache-Control"]
    assert "Content-Encoding" not in plain


@pytest.mark.django_db
def test_replies_of_the_api_are_not_packed():
    reply = Client().get("/api/v1/schema/", headers={"accept-encoding": "gzip"})

    assert "Content-Encoding" not in reply
