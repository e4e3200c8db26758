"""Template tags for the permissions of the reviewers' pages."""

from django import template

from verifyhub.accounts.models import Membership
from verifyhub.accounts.permissions import can

register = template.Library()


@register.simple_tag
def rights(membership: Membership) -> dict[str, bool]:
    """Return by name what a member may do beyond deciding."""
    names = ("oversee", "gold", "adjudicate")
    return {name: can(membership.role, f"review.{name}") for name in names}
