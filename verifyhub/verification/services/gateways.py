"""The tool gateways whose signatures a project trusts."""

from django.db import transaction
from django.db.models.functions import Now
from django.utils.translation import gettext as _

from verifyhub.accounts.models import Project, User
from verifyhub.audit.services import record_event
from verifyhub.common.contract import FieldError
from verifyhub.engine import types
from verifyhub.engine.errors import SealError
from verifyhub.engine.ledger.seal import SealState, read_public_key, read_seal
from verifyhub.verification.models import GatewayKey
from verifyhub.verification.services.project_setup import gateways

# Keys of one project; each of its verifications loads them all.
MAX_GATEWAYS = 50


class GatewayKeyError(FieldError):
    """A key cannot be added; `field` is the invalid one, if any."""


@transaction.atomic
def add_gateway_key(
    *, project: Project, key_id: str, public_key: str, actor: User
) -> GatewayKey:
    """Trust a gateway's signatures from the next verification on.

    Raises:
        GatewayKeyError: If the id is taken, or the key is no Ed25519 key.
    """
    try:
        read_public_key(public_key)
    except SealError as error:
        raise GatewayKeyError("public_key", str(error)) from error
    # Concurrent calls take turns, so that the limit holds.
    Project.objects.select_for_update().get(pk=project.pk)
    others = GatewayKey.objects.filter(project=project)
    if others.filter(key_id=key_id).exists():
        raise GatewayKeyError(
            "key_id", _("is taken, even if that key is revoked: old traces name it.")
        )
    if others.filter(revoked_at=None).count() >= MAX_GATEWAYS:
        raise GatewayKeyError(
            "", _("The project already has %(n)s gateways.") % {"n": MAX_GATEWAYS}
        )
    row = GatewayKey.objects.create(
        project=project,
        key_id=key_id,
        public_key=public_key.strip(),
        created_by=str(actor)[:200],
    )
    record_event(
        "verification.gateway_key_added",
        row,
        actor,
        after={"key_id": row.key_id, "public_key": row.public_key},
    )
    return row


@transaction.atomic
def revoke_gateway_key(*, gateway_key: GatewayKey, actor: User) -> bool:
    """Stop trusting a gateway; earlier verdicts stay as they are.

    Returns:
        False if it was revoked before.
    """
    won = GatewayKey.objects.filter(pk=gateway_key.pk, revoked_at=None).update(
        revoked_at=Now()
    )
    if won:
        record_event(
            "verification.gateway_key_revoked",
            gateway_key,
            actor,
            before={"key_id": gateway_key.key_id},
        )
    return bool(won)


def signature_holds(project: Project, interaction: types.Interaction) -> bool:
    """Whether a run has a valid signature of a gateway that the project trusts."""
    return read_seal(interaction, gateways(project)).state is SealState.VALID
