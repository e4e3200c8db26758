"""Celery entry points: they wake, the rows decide."""

from uuid import UUID

from celery import shared_task
from django.utils import timezone

from verifyhub.common.jobs import BoundedTask
from verifyhub.reports.services import alerts, mail, weekly


@shared_task(name="reports.send_letter", base=BoundedTask)
def send_letter(*, letter_id: str, **_newer: object) -> None:
    mail.send_letter(letter_id=UUID(letter_id))


@shared_task(name="reports.reconcile", base=BoundedTask)
def reconcile(**_newer: object) -> None:
    mail.reconcile_letters()


@shared_task(name="reports.evaluate_rules", base=BoundedTask)
def evaluate_rules(**_newer: object) -> None:
    alerts.evaluate_rules(now=timezone.now())


@shared_task(name="reports.make_reports", base=BoundedTask)
def make_reports(**_newer: object) -> None:
    weekly.make_due_reports(now=timezone.now())
