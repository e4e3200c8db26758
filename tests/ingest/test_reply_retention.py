from datetime import timedelta

import pytest
from django.utils import timezone

from verifyhub.ingest.models import IdempotentReply
from verifyhub.ingest.services import REPLY_RETENTION, reply_once

pytestmark = pytest.mark.django_db


def a_reply(api_key, key: str) -> None:
    reply_once(api_key=api_key, key=key, request_sha256="0" * 64, act=lambda: (200, {}))


def test_replies_are_kept_for_a_day(api_key):
    a_reply(api_key, "old")
    IdempotentReply.objects.update(created_at=timezone.now() - timedelta(hours=25))
    a_reply(api_key, "new")

    forgotten = REPLY_RETENTION.apply(now=timezone.now())

    assert forgotten == 1
    assert [reply.key for reply in IdempotentReply.objects.all()] == ["new"]
