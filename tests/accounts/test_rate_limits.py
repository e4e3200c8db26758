"""Requests of a key and of a project are counted in the broker and held back by 429."""

import json
import re
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.test import Client
from redis import Redis

from tests.factories import ApiKeyFactory
from verifyhub.accounts import rate_limits
from verifyhub.accounts.models import ApiKey
from verifyhub.accounts.rate_limits import Bucket, RateLimiter, RateLimitResult

LIST = "/api/v1/interactions/"


@pytest.fixture
def limits(settings, monkeypatch):
    """Few requests a minute, counted anew."""
    settings.KEY_REQUESTS_PER_MINUTE, settings.PROJECT_REQUESTS_PER_MINUTE = 3, 5
    monkeypatch.setattr("verifyhub.accounts.throttling.limiter", RateLimiter())
    return settings


def back_in_time(key: ApiKey, seconds: float, settings) -> None:
    """Let a bucket look as if it had been used so much earlier."""
    with Redis.from_url(settings.COUNTERS_URL) as broker:
        place = f"rate:key:{key.id}"
        broker.hset(place, "at", float(broker.hget(place, "at")) - seconds)


def test_every_reply_tells_what_is_left(api, limits):
    api.get(LIST)

    headers = api.get(f"{LIST}absent/").headers

    assert headers["RateLimit-Policy"] == '"key";q=3;w=60, "project";q=5;w=60'
    assert re.fullmatch(
        r'"key";r=1;t=(3\d|40), "project";r=3;t=(1\d|2[0-4])', headers["RateLimit"]
    )
    assert headers["RateLimit-Limit"] == "3"
    assert headers["RateLimit-Remaining"] == "1"
    assert 30 <= int(headers["RateLimit-Reset"]) <= 40


def test_a_key_that_sent_too_much_is_told_to_wait(api, limits):
    for _ in range(3):
        assert api.get(LIST).status_code == 200

    reply = api.get(LIST)

    assert reply.status_code == 429
    assert 10 <= int(reply["Retry-After"]) <= 20
    assert reply["Content-Type"] == "application/problem+json"
    assert reply.json()["violated-policies"] == ["key"]
    assert reply["RateLimit-Remaining"] == "0"


def test_a_bucket_fills_up_again(api, api_key, limits):
    for _ in range(4):
        api.get(LIST)

    back_in_time(api_key, 21, limits)

    assert [api.get(LIST).status_code for _ in range(2)] == [200, 429]


def test_keys_of_one_project_share_its_limit(api, project, limits):
    second = "vh_second_0123456789abcdef0123456789abcdef"
    ApiKeyFactory(project=project, secret=second)
    other = Client(headers={"authorization": f"Bearer {second}"})
    for _ in range(3):
        api.get(LIST)

    replies = [other.get(LIST) for _ in range(3)]

    assert [reply.status_code for reply in replies] == [200, 200, 429]
    assert replies[-1].json()["violated-policies"] == ["project"]


def test_what_was_refused_takes_nothing_from_the_project(api, project, limits):
    for _ in range(9):
        api.get(LIST)

    left = api.get(LIST).headers["RateLimit"]

    assert '"project";r=2' in left


def test_exporters_of_traces_are_told_in_their_own_words(api, limits):
    bodies = [
        api.post("/v1/traces", {}, content_type="application/json") for _ in range(4)
    ]

    assert [reply.status_code for reply in bodies] == [200, 200, 200, 429]
    assert json.loads(bodies[-1].content)["message"]
    assert 10 <= int(bodies[-1]["Retry-After"]) <= 20
    assert bodies[-1]["RateLimit-Remaining"] == "0"


def test_exports_are_counted_too(api, limits):
    replies = [api.get("/api/v1/exports/mentions/") for _ in range(4)]

    assert [reply.status_code for reply in replies] == [200, 200, 200, 429]


def test_without_limits_nothing_is_counted(api, limits):
    limits.KEY_REQUESTS_PER_MINUTE = limits.PROJECT_REQUESTS_PER_MINUTE = 0

    replies = [api.get(LIST) for _ in range(6)]

    assert {reply.status_code for reply in replies} == {200}
    assert "RateLimit" not in replies[-1].headers


def test_nobody_is_held_back_while_the_broker_is_away(api, limits, caplog):
    limits.COUNTERS_URL = "redis://127.0.0.1:2/0"

    replies = [api.get(LIST) for _ in range(6)]

    assert {reply.status_code for reply in replies} == {200}
    said = [line for line in caplog.messages if "rate_limits.not_counted" in line]
    assert len(said) == 1


def test_after_a_silence_requests_are_counted_again(api, api_key, limits, monkeypatch):
    counted = RateLimiter()
    address, limits.COUNTERS_URL = limits.COUNTERS_URL, "redis://127.0.0.1:2"
    assert counted.spend(api_key) == RateLimitResult()
    limits.COUNTERS_URL = address
    assert counted.spend(api_key) == RateLimitResult()

    monkeypatch.setattr(rate_limits.time, "monotonic", lambda: counted.silent_until)

    left = [int(bucket.tokens) for bucket in counted.spend(api_key).buckets]
    assert left == [2, 4]


def test_of_many_requests_at_once_no_more_get_through(api_key, limits):
    counted = RateLimiter()

    with ThreadPoolExecutor(8) as pool:
        allowed = list(pool.map(lambda _: counted.spend(api_key).is_allowed, range(20)))

    assert allowed.count(True) == 3


def test_the_limit_that_is_nearest_is_the_one_old_clients_read():
    spent = RateLimitResult(
        buckets=(Bucket("key", 100, 50.5), Bucket("project", 200, 7.25))
    )

    assert spent.headers()["RateLimit-Limit"] == "200"
    assert spent.headers()["RateLimit-Remaining"] == "7"
