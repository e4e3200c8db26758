"""The first page of a project without answers."""

from django.http import HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.cache import never_cache

from verifyhub.accounts.forms import end_of
from verifyhub.accounts.models import Scope
from verifyhub.accounts.permissions import ProjectRequest, can, project_page
from verifyhub.accounts.services import issue_api_key
from verifyhub.common.http import page_or_fragment
from verifyhub.ingest.models import Interaction
from verifyhub.verification.models import Verification
from verifyhub.verification.selectors import latest_verification

KEY_NAME = "First run"
KEY_DAYS = "90"


@never_cache
@project_page("answers.view", "GET", "POST")
def start(request: ProjectRequest) -> HttpResponse:
    """Show ways to send answers, and arrived ones; on POST create a key for them."""
    role = request.membership.role
    first = (
        Interaction.objects.filter(project=request.project)
        .order_by("created_at", "id")
        .first()
    )
    run = latest_verification(first) if first else None
    ended = {Verification.State.FINISHED, Verification.State.FAILED}
    context = {
        "hub_url": request.build_absolute_uri("/")[:-1],
        # A shell variable until a key is created here.
        "key": "$VERIFYHUB_API_KEY",
        "may_make_keys": can(role, "keys.manage"),
        "may_upload": can(role, "review.decide"),
        "first": first,
        "run": run,
        "is_waiting": run is None or run.state not in ended,
    }
    if request.method == "POST" and context["may_make_keys"]:
        _key, secret = issue_api_key(
            project=request.project,
            name=KEY_NAME,
            scopes=[Scope.INGEST, Scope.READ],
            created_by=request.membership.user,
            expires_at=end_of(KEY_DAYS, timezone.now()),
        )
        context |= {"key": secret, "has_key": True}
        return render(request, "review/start.html", context, status=201)
    return page_or_fragment(
        request, "review/start.html", "review/_received.html", context
    )
