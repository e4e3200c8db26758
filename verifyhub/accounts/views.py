"""Pages about API keys, for admins of a project."""

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from verifyhub.accounts import services
from verifyhub.accounts.forms import KeyForm, RotateForm
from verifyhub.accounts.key_rotation import KeyNotRotatableError, rotate_api_key
from verifyhub.accounts.models import ApiKey, Scope
from verifyhub.accounts.permissions import ProjectRequest, project_page
from verifyhub.accounts.selectors import api_keys

SHOWN_KEYS = 200


@never_cache
@project_page("keys.manage", "GET", "POST")
def key_list(request: ProjectRequest) -> HttpResponse:
    """List the keys; the response to creating one shows its secret once."""
    if request.method == "GET":
        return _keys(request)
    form = KeyForm(request.POST)
    if not form.is_valid():
        return _keys(request, form, status=422)
    key, secret = services.issue_api_key(
        project=request.project,
        name=form.cleaned_data["name"],
        scopes=form.cleaned_data["scopes"],
        created_by=request.membership.user,
        expires_at=form.expires_at(),
    )
    return _keys(request, status=201, new_key=key, secret=secret)


@never_cache
@project_page("keys.manage", "GET", "POST")
def key_rotate(request: ProjectRequest, key_id: UUID) -> HttpResponse:
    """Ask how long both secrets are valid, then show the new one once."""
    key = _project_key(request, key_id)
    if request.method == "GET":
        form = RotateForm(initial={"overlap": "24", "days": "90"})
        return render(request, "accounts/key_rotate.html", {"key": key, "form": form})
    form, now = RotateForm(request.POST), timezone.now()
    if not form.is_valid():
        shown = {"key": key, "form": form}
        return render(request, "accounts/key_rotate.html", shown, status=422)
    try:
        key, secret = rotate_api_key(
            key=key,
            actor=request.membership.user,
            now=now,
            overlap=form.overlap_time(),
            expires_at=form.expires_at(now),
        )
    except KeyNotRotatableError:
        messages.error(
            request, _("%(key)s no longer works; create a new key.") % {"key": key.name}
        )
        return redirect("accounts:key-list", slug=request.project.slug)
    return _keys(request, status=201, new_key=key, secret=secret)


@never_cache
@project_page("keys.manage", "GET", "POST")
def key_revoke(request: ProjectRequest, key_id: UUID) -> HttpResponse:
    """Ask before a key is revoked, then revoke it."""
    key = _project_key(request, key_id)
    if request.method == "GET":
        return render(request, "accounts/key_revoke.html", {"key": key})
    try:
        services.revoke_api_key(key=key, actor=request.membership.user)
    except services.KeyAlreadyRevokedError:
        messages.info(request, _("%(key)s was already revoked.") % {"key": key.name})
    else:
        messages.success(
            request, _("%(key)s is revoked and no longer works.") % {"key": key.name}
        )
    return redirect("accounts:key-list", slug=request.project.slug)


def _project_key(request: ProjectRequest, key_id: UUID) -> ApiKey:
    return get_object_or_404(api_keys(request.project.id), id=key_id)


def _keys(
    request: ProjectRequest,
    form: KeyForm | None = None,
    *,
    status: int = 200,
    **more: Any,
) -> HttpResponse:
    form = form or KeyForm(initial={"scopes": [Scope.INGEST, Scope.READ], "days": "90"})
    keys, now = list(api_keys(request.project.id)[:SHOWN_KEYS]), timezone.now()
    context = {
        "form": form,
        "keys": [
            {
                "row": key,
                "expires_soon": key.expires_soon(now),
                "former_works": key.former_works(now),
            }
            for key in keys
        ],
        "expiring": [key for key in keys if key.expires_soon(now)],
        "scopes": Scope.choices,
        "chosen_scopes": form["scopes"].value() or [],
        "now": now,
        **more,
    }
    return render(request, "accounts/key_list.html", context, status=status)
