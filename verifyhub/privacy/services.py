"""Writes: unmasking, which is audited."""

from django.db import transaction

from verifyhub.accounts.models import Membership, Role
from verifyhub.audit.services import record_event
from verifyhub.ingest.masking import read_values, unseal_values
from verifyhub.ingest.models import Interaction, MaskedValues


class NotShownError(Exception):
    """The person's role may not see the values of masks."""


def may_see_values(membership: Membership) -> bool:
    """Whether a person may see the values of masks in the project's runs."""
    order = list(Role.values)
    least = membership.project.secrets_shown_to
    return order.index(membership.role) >= order.index(least)


@transaction.atomic
def show_values(*, interaction: Interaction, membership: Membership) -> dict[str, str]:
    """Return the values of a run's masks; each access is audited.

    Args:
        interaction: The run.
        membership: The person's membership.

    Returns:
        Values by mask; empty if none are stored.

    Raises:
        NotShownError: If the project does not show them to this role.
        UnsealError: If no known secret key opens them.
    """
    if not may_see_values(membership):
        raise NotShownError(membership.role)
    row = MaskedValues.objects.filter(interaction=interaction).first()
    if row is None:
        return {}
    values = read_values(unseal_values(row.sealed, row=interaction.id))
    record_event(
        "privacy.values_shown",
        interaction,
        membership.user,
        after={"masks": sorted(values)},
    )
    return values
