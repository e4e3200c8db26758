"""Celery entry points of this package; rows record the work."""

from uuid import UUID

from celery import shared_task
from django.utils import timezone

from verifyhub.common.jobs import BoundedTask
from verifyhub.review import gold, queue
from verifyhub.review.decide import advance_act, advance_acts

# Less than a minute, so that a long act does not delay other tasks for long.
SECONDS = 40.0


@shared_task(name="review.advance_act", base=BoundedTask)
def advance(*, act_id: str, **_newer: object) -> None:
    advance_act(act_id=UUID(act_id), seconds=SECONDS)


@shared_task(name="review.advance_acts", base=BoundedTask)
def advance_all(**_newer: object) -> None:
    advance_acts(seconds=SECONDS)


@shared_task(name="review.spread_reach", base=BoundedTask)
def spread_reach(**_newer: object) -> None:
    queue.spread_reach()


@shared_task(name="review.rerank", base=BoundedTask)
def rerank(**_newer: object) -> None:
    for project_id in queue.projects_to_rerank():
        queue.rerank(project_id=project_id)


@shared_task(name="review.deal_items", base=BoundedTask)
def deal_items(**_newer: object) -> None:
    gold.reopen_expired_gold(now=timezone.now())
    queue.take_back_items()
    for project_id in queue.projects_that_deal():
        queue.deal_items(project_id=project_id)
