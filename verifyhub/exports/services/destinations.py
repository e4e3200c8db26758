"""Destinations of exports, within what the operator allows."""

import re
from dataclasses import dataclass

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


@dataclass(frozen=True, slots=True, kw_only=True)
class DestinationValues:
    """The settings of a destination; an empty secret keeps the stored one."""

    name: str
    kind: str
    path: str = ""
    endpoint: str = ""
    bucket: str = ""
    region: str = ""
    access_key_id: str = ""
    secret_access_key: str = ""


@transaction.atomic
def save_destination(
    *,
    project: Project,
    values: DestinationValues,
    actor: User | ApiKey,
    destination: Destination | None = None,
) -> Destination:
    """Add a destination, or change one.

    Raises:
        ExportError: If the operator does not allow it, or it leads out of its folder.
    """
    _check(project, values, destination)
    row = destination or Destination(project=project)
    moved = row.endpoint != values.endpoint
    row.name, row.kind, row.path = values.name, values.kind, values.path.strip("/")
    row.endpoint, row.bucket, row.region = values.endpoint, values.bucket, values.region
    row.access_key_id = values.access_key_id
    if values.secret_access_key:
        row.sealed_secret = seal(values.secret_access_key, row=row.id)
    elif moved:
        # A secret is only sent to the address that it was entered for.
        row.sealed_secret = ""
    row.save()
    record_event(
        "exports.destination_saved",
        row,
        actor,
        after={
            "name": row.name,
            "kind": row.kind,
            "endpoint": row.endpoint,
            "bucket": row.bucket,
            "path": row.path,
        },
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
    project: Project, values: DestinationValues, destination: Destination | None
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
    path = values.path.strip("/")
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
    elif values.kind == Destination.Kind.S3:
        _check_bucket(values, destination)
    else:
        raise ExportError("kind", _("It must be folder or s3."))


def _check_bucket(values: DestinationValues, destination: Destination | None) -> None:
    if values.endpoint not in settings.EXPORT_STORES:
        allowed = ", ".join(settings.EXPORT_STORES) or "–"
        raise ExportError(
            "endpoint", _("The operator allows: %(stores)s") % {"stores": allowed}
        )
    if not BUCKET.fullmatch(values.bucket):
        raise ExportError("bucket", _("This is not a valid bucket name."))
    if not values.access_key_id:
        raise ExportError("access_key_id", _("This field is required."))
    is_same_store = destination and destination.endpoint == values.endpoint
    if not values.secret_access_key and not (
        is_same_store and destination and destination.sealed_secret
    ):
        raise ExportError("secret_access_key", _("This field is required."))
