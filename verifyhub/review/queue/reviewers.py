"""Who may judge in a project."""

from uuid import UUID

from verifyhub.accounts.models import Membership, User
from verifyhub.review.queue.assignment import JUDGING_ROLES


def reviewers_of(project_id: UUID) -> list[User]:
    """Return the people who may judge in a project, by name."""
    members = Membership.objects.filter(
        project_id=project_id, role__in=JUDGING_ROLES, user__is_active=True
    )
    return [
        member.user
        for member in members.select_related("user").order_by("user__username")
    ]


def reviewer_named(project_id: UUID, name: str) -> User | None:
    """Return one of them by user name."""
    people = reviewers_of(project_id)
    return next((user for user in people if user.username == name), None)
