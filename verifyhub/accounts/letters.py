"""E-mails about accounts: links for a new password and to a project.

They contain temporary secrets, so they are not stored.
"""

from datetime import timedelta
from smtplib import SMTPException

from django.conf import settings
from django.core.mail import send_mail
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from verifyhub.accounts.models import Invitation, User
from verifyhub.accounts.passwords import password_link
from verifyhub.audit.models import AuditEvent
from verifyhub.audit.services import record_event

# The minimum time between two e-mails to one address.
PAUSE = timedelta(minutes=5)
SENT = "accounts.password_letter_sent"


class LetterNotSentError(Exception):
    """There is no mail server, or it did not accept the e-mail."""


def send_invitation(*, invitation: Invitation, link: str) -> None:
    """Send an invitation, in the language of the page where it was created.

    Raises:
        LetterNotSentError: If it could not be sent; the link is valid anyway.
    """
    project = invitation.project
    subject = _("Join %(project)s on VerifyHub") % {"project": project.name}
    values = {
        "project": project.name,
        "name": invitation.created_by or "VerifyHub",
        "role": invitation.get_role_display(),
        "until": invitation.expires_at.date().isoformat(),
    }
    _send(
        invitation.email,
        subject,
        _("%(name)s invites you to the project %(project)s. Your role: %(role)s.")
        % values,
        link,
        _("The link works once, until %(until)s.") % values,
    )


def send_password_letters(*, address: str, language: str) -> int:
    """Send a link for a new password to each account with this address.

    Accounts without a password get none, nor do those that got one recently. The
    requesting page does not reveal the result.

    Args:
        address: The entered address; e-mails go to the account's own.
        language: The page's language, if the account has none.

    Returns:
        How many were sent.
    """
    accounts = User.objects.filter(email__iexact=address, is_active=True)
    recipients = [
        account
        for account in accounts
        if account.has_usable_password() and not _just_sent(account)
    ]
    for user in recipients:
        with translation.override(user.language or language):
            _send(
                user.email,
                _("Reset your VerifyHub password"),
                _(
                    "A password reset was requested for %(name)s. Choose a new "
                    "password here:"
                )
                % {"name": user},
                password_link(user),
                _(
                    "The link works once, within a day. If you did not request it, "
                    "ignore this e-mail: your password does not change."
                ),
            )
        record_event(SENT, user, None)
    return len(recipients)


def _just_sent(user: User) -> bool:
    return AuditEvent.objects.filter(
        object_type=user._meta.label_lower,
        object_id=str(user.pk),
        action=SENT,
        created_at__gt=timezone.now() - PAUSE,
    ).exists()


def _send(to: str, subject: str, *paragraphs: str) -> None:
    if not settings.EMAIL_HOST:
        raise LetterNotSentError("no mail server is configured")
    try:
        send_mail(
            subject=" ".join(subject.split()),
            message="\n\n".join([*paragraphs, ""]),
            from_email=settings.DEFAULT_FROM_EMAIL,
            recipient_list=[to],
        )
    except (SMTPException, OSError) as error:
        raise LetterNotSentError(type(error).__name__) from error
