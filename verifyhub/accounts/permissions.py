"""Permissions by role: one table for pages and API."""

from collections.abc import Callable
from functools import wraps
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec
from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponseBase
from django.views.decorators.http import require_http_methods
from rest_framework.permissions import BasePermission
from rest_framework.request import Request

from verifyhub.accounts.models import ApiKey, Membership, Project, Role, User
from verifyhub.accounts.second_step import is_missing, make_up_for
from verifyhub.common.http import or_404
from verifyhub.common.prepared import PreparedQuery

if TYPE_CHECKING:
    # Importing it for real reads the settings that name this module.
    from rest_framework.views import APIView

P = ParamSpec("P")

VIEWER = frozenset({"answers.view", "memory.view", "metrics.view"})
REVIEWER = VIEWER | {"review.decide", "metrics.export"}
LEAD = REVIEWER | {
    "alerts.manage",
    "checks.manage",
    "data.delete",
    "memory.edit",
    "review.adjudicate",
    "review.gold",
    "review.manage",
    "review.oversee",
    "schemas.manage",
}
ADMIN = LEAD | {"keys.manage", "people.manage", "project.manage"}

CAPABILITIES: dict[str, frozenset[str]] = {
    Role.VIEWER: VIEWER,
    Role.REVIEWER: REVIEWER,
    Role.LEAD: LEAD,
    Role.ADMIN: ADMIN,
}


class SignedInRequest(HttpRequest):
    """A request to a page behind `login_required`."""

    user: User


class ProjectRequest(SignedInRequest):
    """A request to a page of one project, by a member of it."""

    project: Project
    membership: Membership


def can(role: str, capability: str) -> bool:
    """Whether a role holds a capability; unknown ones are held by nobody."""
    return capability in CAPABILITIES.get(role, frozenset())


def holds(project_id: UUID, user: User, capability: str) -> bool:
    """Whether a person holds a capability in a project, as its member."""
    rows = Membership.objects.filter(project_id=project_id, user=user)
    role = rows.values_list("role", flat=True).first()
    return role is not None and can(role, capability)


_MEMBERSHIP = PreparedQuery(
    lambda slug, user: Membership.objects.select_related("project").filter(
        project__slug=slug, user=user
    )
)


def project_page(
    capability: str, *methods: str
) -> Callable[
    [Callable[Concatenate[ProjectRequest, P], HttpResponseBase]],
    Callable[..., HttpResponseBase],
]:
    """Guard a page whose URL begins with the project's slug.

    The view loses the `slug` argument and finds `request.project` and
    `request.membership` instead. Anonymous visitors are sent to sign in; to people
    outside the project it does not exist (404); members without the capability are
    refused (403), and those without a second factor that the project asks them for
    are led to it.

    Args:
        capability: What the viewer's role must allow.
        methods: The HTTP methods that it answers, of which `GET` includes `HEAD`; all
            by default.
    """
    answered = [*methods, *(["HEAD"] if "GET" in methods else [])]

    def decorate(
        view: Callable[Concatenate[ProjectRequest, P], HttpResponseBase],
    ) -> Callable[..., HttpResponseBase]:
        @wraps(view)
        def guarded(
            request: Any, slug: str, *args: Any, **kwargs: Any
        ) -> HttpResponseBase:
            membership = or_404(_MEMBERSHIP.first(slug=slug, user=request.user.pk))
            membership.user = request.user
            request.project, request.membership = membership.project, membership
            if is_missing(request, membership):
                return make_up_for(request, membership.user)
            if not can(membership.role, capability):
                raise PermissionDenied
            return view(request, *args, **kwargs)

        page = login_required(guarded)
        return require_http_methods(answered)(page) if methods else page

    return decorate


def may_start_projects(user: User) -> bool:
    """Whether a person may create projects: admins of at least one may."""
    return Membership.objects.filter(user=user, role=Role.ADMIN).exists()


class HasScope(BasePermission):
    """Grants access by the scopes of an API key.

    No scope reaches further than pages let a role reach: `review` not further than the
    reviewer, `memory` and `manage` than the lead, `webhooks` than the admin, `ingest`
    than who uploads. `read` opens what a viewer sees, exports, and the settings that
    verdicts follow from (`tests/accounts/test_scopes.py`).

    A view's methods name what they ask for as `scope` (`common.api_bodies.operation`);
    one that names nothing is refused.
    """

    message = "This API key lacks the scope for this request."

    def has_permission(self, request: Request, view: "APIView") -> bool:
        handler = getattr(view, (request.method or "").lower(), None)
        if handler is None:
            return True  # No such method: the view answers 405 by itself.
        key = request.auth
        needed = getattr(handler, "scope", None)
        return isinstance(key, ApiKey) and needed in key.scopes
