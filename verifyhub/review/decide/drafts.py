"""Drafts of decisions, stored for each reviewer."""

from typing import Any
from uuid import UUID

from django.db import IntegrityError, transaction
from django.utils import timezone

from verifyhub.accounts.models import User
from verifyhub.common.db import update_if
from verifyhub.ingest.models import Interaction
from verifyhub.review.models import Draft


class NewerDraftError(Exception):
    """Another page of the same reviewer has saved a newer draft."""


def save_draft(
    *, interaction: Interaction, user: User, content: dict[str, Any], version: int
) -> Draft:
    """Save the contents of the forms of an answer's page.

    Args:
        interaction: The answer.
        user: The draft's owner.
        content: Fields by form; forms that the page does not show are kept.
        version: The draft's version that the page loaded; 0 for none.

    Raises:
        NewerDraftError: If another version is stored.
    """
    if version == 0:
        try:
            with transaction.atomic():
                return Draft.objects.create(
                    project_id=interaction.project_id,
                    interaction=interaction,
                    user=user,
                    content=content,
                )
        except IntegrityError as error:
            raise NewerDraftError from error
    draft = Draft.objects.filter(interaction=interaction, user=user).first()
    if draft is None or not update_if(
        draft,
        expected={"version": version},
        version=version + 1,
        content={**draft.content, **content},
        updated_at=timezone.now(),
    ):
        raise NewerDraftError
    return draft


def clear_draft(*, interaction_id: UUID, user: User) -> None:
    """Delete the draft of a decided answer."""
    Draft.objects.filter(interaction_id=interaction_id, user=user).delete()


@transaction.atomic
def drop_form(*, interaction: Interaction, user: User, form: str) -> None:
    """Delete the draft of one form, after its decision."""
    drafts = Draft.objects.select_for_update()
    draft = drafts.filter(interaction=interaction, user=user).first()
    if draft is not None and form in draft.content:
        draft.content.pop(form)
        draft.version += 1
        draft.save()
