"""E-mails: written in the caller's transaction, sent by a worker."""

from datetime import timedelta
from uuid import UUID

from django.conf import settings
from django.core.mail import EmailMultiAlternatives, get_connection
from django.db import models, transaction

from verifyhub.accounts.models import Membership, Project, User
from verifyhub.audit.services import record_event
from verifyhub.common.retention import Retention
from verifyhub.common.row_queue import RowLease, RowQueue
from verifyhub.reports.letters import Written, trial_letter
from verifyhub.reports.models import Letter

MAX_ATTEMPTS = 8
KEPT = timedelta(days=30)
BATCH = 5000
# Two days in total, for longer failures of a mail server.
BACKOFF_SECONDS = (30, 300, 1800, 7200, 21600, 43200, 86400)

NO_LONGER = "Whom it was written to is no member any more, or has no address."

_LETTERS = RowQueue(
    "reports_letter",
    task="reports.send_letter",
    argument="letter_id",
    max_attempts=MAX_ATTEMPTS,
    backoff_seconds=BACKOFF_SECONDS,
)
reconcile_letters = _LETTERS.reconcile


class NoAddressError(ValueError):
    """There is no mail server, or no address."""


def post(*, project: Project, to: User, letter: Written) -> Letter | None:
    """Create an e-mail in the caller's transaction; a worker sends it after the commit.

    Returns:
        The row; None if no mail server is configured or the person has no address.
    """
    if not settings.EMAIL_HOST or not to.email or not to.is_active:
        return None
    row = Letter.objects.create(
        project=project,
        to=to,
        subject=letter.subject[: Letter.MAX_SUBJECT],
        text=letter.text,
        html=letter.html,
    )
    _LETTERS.ring(row.id)
    return row


@transaction.atomic
def send_trial_letter(*, member: Membership, actor: models.Model) -> Letter:
    """Send a person a test e-mail.

    Raises:
        NoAddressError: If there is no mail server or no address to send it to.
    """
    letter = post(project=member.project, to=member.user, letter=trial_letter(member))
    if letter is None:
        raise NoAddressError
    record_event("reports.trial_letter_sent", letter, actor)
    return letter


def send_letter(*, letter_id: UUID) -> bool:
    """Send a letter if it is due and no other worker has it; True if it went.

    If a worker dies after sending, before the result is stored, it is sent twice with
    the same Message-ID, so that most programs show one.
    """
    return _LETTERS.run(letter_id, _sent)


def _sent(lease: RowLease) -> bool:
    row = Letter.objects.select_related("to").get(pk=lease.row_id)
    if not _may_get(row):
        Letter.end(lease, Letter.State.FAILED, error=NO_LONGER)
        return False
    _send(row)
    return Letter.end(lease)


def _may_get(row: Letter) -> bool:
    """Whether the recipient still may get it, since e-mails may wait for days."""
    is_member = Membership.objects.filter(project=row.project_id, user=row.to).exists()
    return is_member and row.to.is_active and bool(row.to.email)


def _send(row: Letter) -> None:
    message = EmailMultiAlternatives(
        subject=" ".join(row.subject.split()),
        body=row.text,
        from_email=settings.DEFAULT_FROM_EMAIL,
        to=[row.to.email],
        headers={
            "Message-ID": f"<{row.id}@{settings.MAIL_DOMAIN}>",
            "Auto-Submitted": "auto-generated",
        },
        connection=get_connection(timeout=settings.EMAIL_TIMEOUT),
    )
    if row.html:
        message.attach_alternative(row.html, "text/html")
    message.send()


LETTER_RETENTION = Retention(
    name="letters",
    old=lambda now: Letter.objects.filter(
        state__in=[Letter.State.FINISHED, Letter.State.FAILED],
        finished_at__lt=now - KEPT,
    ).order_by("finished_at"),
)
