"""Destinations of exports, within what the operator allows."""

import re

from django.conf import settings
from django.db import transaction
from django.db.models import ProtectedError
from django.utils.translation import gettext as _

from verifyhub.accounts.models import ApiKey, Project, User
from verifyhub.audit.services import record_event
from verifyhub.common.beneath import relative
from verifyhub.exports.errors import DeliveryError, ExportError
from verifyhub.exports.models import Destination
from verifyhub.exports.stores import store_of
from verifyhub.inference.sealing import seal

BUCKET = re.compile(r"[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]")
MOST_DESTINATIONS = 20
PROBE = b"VerifyHub was here to see whether it can write.\n"


SETTINGS = ("name", "kind", "path", "endpoint", "bucket", "region", "access_key_id")
AUDITED = ("name", "kind", "endpoint", "bucket", "path")


@transaction.atomic
def save_destination(
    *,
    project: Project,
    values: Destination,
    actor: User | ApiKey,
    destination: Destination | None = None,
    secret_access_key: str = "",
) -> Destination:
    """Add a destination, or change one.

    Args:
        project: The tenant.
        values: A row with the new settings, not saved.
        actor: Who changes it.
        destination: The destination to change; None for a new one.
        secret_access_key: The secret of a bucket; empty to keep the stored one.

    Raises:
        ExportError: If the operator does not allow it, or it leads out of its folder.
    """
    row = destination or Destination(project=project)
    moved = row.endpoint != values.endpoint
    values.path = values.path.strip("/")
    _check(project, values, destination)
    if values.kind == Destination.Kind.S3:
        has_secret = secret_access_key or (row.sealed_secret and not moved)
        _check_bucket(values, has_secret=bool(has_secret))
    for name in SETTINGS:
        setattr(row, name, getattr(values, name))
    if secret_access_key:
        row.sealed_secret = seal(secret_access_key, row=row.id)
    elif moved:
        # A secret is only sent to the address that it was entered for.
        row.sealed_secret = ""
    row.save()
    record_event(
        "exports.destination_saved",
        row,
        actor,
        after={name: getattr(row, name) for name in AUDITED},
    )
    return row


@transaction.atomic
def delete_destination(*, destination: Destination, actor: User | ApiKey) -> None:
    """Delete a destination with its credentials; delivered files stay there.

    Raises:
        ExportError: If a schedule delivers to it.
    """
    record_event(
        "exports.destination_deleted",
        destination,
        actor,
        before={"name": destination.name},
    )
    try:
        destination.delete()
    except ProtectedError as error:
        raise ExportError("", _("A schedule delivers to this destination.")) from error


def try_destination(*, destination: Destination) -> str:
    """Write a small file there; return the error, or an empty text."""
    try:
        store = store_of(destination, destination.project.slug)
        store.put("verifyhub-test", "test.txt", PROBE)
    except DeliveryError as error:
        return str(error)
    return ""


def _check(
    project: Project, values: Destination, destination: Destination | None
) -> None:
    others = Destination.objects.filter(project=project)
    if destination is not None:
        others = others.exclude(pk=destination.pk)
    if others.filter(name=values.name).exists():
        raise ExportError("name", _("Another destination has this name."))
    if others.count() >= MOST_DESTINATIONS:
        raise ExportError(
            "",
            _("A project has at most %(n)s destinations.") % {"n": MOST_DESTINATIONS},
        )
    path = values.path
    parts = path.split("/") if path else []
    if path and (relative(path, "") is None or {"", "."} & set(parts)):
        raise ExportError("path", _("Enter a plain folder path."))
    if any(part.startswith(".") for part in parts):
        raise ExportError("path", _("No folder may begin with a dot."))
    if values.kind == Destination.Kind.FOLDER:
        if project.slug not in settings.EXPORT_ROOTS:
            raise ExportError(
                "kind", _("The operator has assigned no folder to this project.")
            )
    elif values.kind != Destination.Kind.S3:
        raise ExportError("kind", _("It must be folder or s3."))


def _check_bucket(values: Destination, *, has_secret: bool) -> None:
    if values.endpoint not in settings.EXPORT_STORES:
        allowed = ", ".join(settings.EXPORT_STORES) or "–"
        raise ExportError(
            "endpoint", _("The operator allows: %(stores)s") % {"stores": allowed}
        )
    if not BUCKET.fullmatch(values.bucket):
        raise ExportError("bucket", _("This is not a valid bucket name."))
    if not values.access_key_id:
        raise ExportError("access_key_id", _("This field is required."))
    if not has_secret:
        raise ExportError("secret_access_key", _("This field is required."))
