"""Celery entry points: they wake, the rows decide."""

from uuid import UUID

from celery import shared_task
from django.utils import timezone

from verifyhub.common.jobs import BoundedTask
from verifyhub.review.decide.bulk import advance_act, advance_acts
from verifyhub.review.gold import marking as gold
from verifyhub.review.queue import places, rotation
from verifyhub.review.queue.selectors import projects_to_rerank

# Less than a minute, so that one long act holds up nobody's next task for long.
SECONDS = 40.0


@shared_task(name="review.advance_act", base=BoundedTask)
def advance(*, act_id: str, **_newer: object) -> None:
    advance_act(act_id=UUID(act_id), seconds=SECONDS)


@shared_task(name="review.advance_acts", base=BoundedTask)
def advance_all(**_newer: object) -> None:
    advance_acts(seconds=SECONDS)


@shared_task(name="review.spread_reach", base=BoundedTask)
def spread_reach(**_newer: object) -> None:
    places.spread_reach()


@shared_task(name="review.rerank", base=BoundedTask)
def rerank(**_newer: object) -> None:
    for project_id in projects_to_rerank():
        places.rerank(project_id=project_id)


@shared_task(name="review.deal_items", base=BoundedTask)
def deal_items(**_newer: object) -> None:
    gold.reopen_expired_gold(now=timezone.now())
    rotation.take_back_items()
    for project_id in rotation.projects_that_deal():
        rotation.deal_items(project_id=project_id)
