"""Rows as the JSON bodies of the API."""

from typing import Any
from uuid import UUID

from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone

from verifyhub.ingest.formats.native import as_native
from verifyhub.ingest.models import Interaction
from verifyhub.ingest.selectors import to_engine
from verifyhub.verification.api.reading_order import in_reading_order
from verifyhub.verification.models import MentionVerdict, Verification
from verifyhub.verification.steps import PEOPLE_OF_VERDICT


def public_id(interaction: Interaction) -> str:
    """The client's id where it gave one, else ours."""
    return interaction.client_id or str(interaction.id)


def links(request: HttpRequest, interaction: Interaction) -> dict[str, str]:
    """Absolute addresses; they use our id, which needs no escaping."""
    return links_of(request, interaction.project.slug, interaction.id)


def links_of(request: HttpRequest, slug: str, uuid: UUID) -> dict[str, str]:
    """The same of an interaction that is known by project and id alone."""
    paths = {
        "self": reverse("api-interaction", args=[uuid]),
        "verdict": reverse("api-interaction-verdict", args=[uuid]),
        # `review` lies above this package, so its pages are known by address alone.
        "page": f"/p/{slug}/answers/{uuid}/",
    }
    return {name: request.build_absolute_uri(path) for name, path in paths.items()}


def accepted(
    request: HttpRequest, interaction: Interaction, state: str
) -> dict[str, Any]:
    """The body of a 202; `state` is that of the newest verification."""
    return {
        "id": public_id(interaction),
        "state": state,
        "links": links(request, interaction),
    }


def run(verification: Verification) -> dict[str, Any]:
    """One verification of an interaction, without its report."""
    ended = verification.finished_at
    return {
        "number": verification.number,
        "state": verification.state,
        "verdict": verification.verdict or None,
        "strictness": verification.strictness or None,
        "created_at": verification.created_at.isoformat(),
        "finished_at": ended.isoformat() if ended else None,
    }


def summary(
    request: HttpRequest, interaction: Interaction, newest: Verification | None
) -> dict[str, Any]:
    """One interaction in a list, without its texts."""
    return {
        "id": public_id(interaction),
        "uuid": str(interaction.id),
        "state": newest.state if newest else None,
        "created_at": interaction.created_at.isoformat(),
        "session": interaction.session.key if interaction.session else None,
        "agent": _agent(interaction),
        "verdict": (newest.verdict or None) if newest else None,
        "confidence": newest.confidence if newest else None,
        "coverage": newest.coverage if newest else None,
        "links": links(request, interaction),
    }


def detail(
    request: HttpRequest,
    interaction: Interaction,
    newest: Verification | None,
    judged: Verification | None,
) -> dict[str, Any]:
    """One interaction as it was sent, with its verdict and what people said of it.

    Args:
        newest: The newest verification, whose state is shown.
        judged: The newest finished one, whose verdict is shown.
    """
    return {
        **as_native(to_engine(interaction)),
        "id": public_id(interaction),
        "uuid": str(interaction.id),
        "state": newest.state if newest else None,
        "error": newest.error if newest else "",
        "created_at": interaction.created_at.isoformat(),
        "verdict": in_reading_order(judged.verdict_object.as_dict())
        if judged
        else None,
        "review": _review(judged) if judged else None,
        "verification_results": interaction.verification_results,
        "links": links(request, interaction),
    }


def _agent(interaction: Interaction) -> dict[str, str]:
    return {
        "name": interaction.agent_name,
        "tier": interaction.agent_tier,
        "role": interaction.agent_role,
    }


def _review(verification: Verification) -> dict[str, Any] | None:
    """What people said of the answer, its names and claims; None where nobody did.

    None as well while the answer is gold: its reviewers must not be able to look it up.
    """
    withheld = verification.review_withheld_until
    if withheld is not None and withheld > timezone.now():
        return None
    said: dict[str, Any] = {
        "verdict": verification.human_verdict or None,
        "mentions": [
            _judged_mention(mention)
            for mention in verification.mentions.exclude(human_status="").order_by(
                "index"
            )
        ],
    }
    for people in PEOPLE_OF_VERDICT:
        said |= people(verification)
    return said if any(said.values()) else None


def _judged_mention(mention: MentionVerdict) -> dict[str, Any]:
    return {
        "index": mention.index,
        "text": mention.text,
        "machine_status": mention.status,
        "human_status": mention.human_status,
    }
