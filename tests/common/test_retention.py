from datetime import timedelta

import pytest
from django.utils import timezone

from verifyhub.common import retention
from verifyhub.common.retention import RETENTIONS, Retention, apply_retentions
from verifyhub.ingest.models import IdempotentReply
from verifyhub.ingest.services import reply_once

pytestmark = pytest.mark.django_db


def replies(api_key, count: int) -> None:
    for number in range(count):
        reply_once(
            api_key=api_key,
            key=f"key-{number}",
            request_sha256="0" * 64,
            act=lambda: (200, {}),
        )


def all_replies(batch: int) -> Retention:
    return Retention(
        name="replies",
        old=lambda now: IdempotentReply.objects.filter(created_at__lt=now),
        batch=batch,
    )


def test_the_rest_of_many_rows_waits_for_the_next_call(api_key, monkeypatch):
    monkeypatch.setattr(retention, "BATCHES", 2)
    replies(api_key, 5)
    later = timezone.now() + timedelta(days=1)

    deleted = [all_replies(batch=2).apply(now=later) for _ in range(2)]

    assert deleted == [4, 1]


def test_an_error_of_one_kind_keeps_no_other_from_being_deleted(api_key, add_step):
    def fail(_now):
        raise RuntimeError("broken")

    replies(api_key, 1)
    add_step(RETENTIONS, Retention(name="broken", old=fail))
    add_step(RETENTIONS, all_replies(batch=10))

    with pytest.raises(ExceptionGroup, match="could not be deleted"):
        apply_retentions(now=timezone.now() + timedelta(days=1))

    assert not IdempotentReply.objects.exists()
