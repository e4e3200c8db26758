"""Reads of the queue and of what people decided."""

from uuid import UUID

from verifyhub.review.models import ReviewItem


def open_count(project_id: UUID) -> int:
    """How many answers wait for a decision."""
    return ReviewItem.objects.filter(
        project_id=project_id, state=ReviewItem.State.OPEN
    ).count()
