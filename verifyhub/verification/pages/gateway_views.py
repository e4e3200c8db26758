"""The page of tool gateways that sign traces, for admins of a project."""

from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _

from verifyhub.accounts.permissions import ProjectRequest, project_page
from verifyhub.verification import services
from verifyhub.verification.pages.forms import GatewayKeyForm
from verifyhub.verification.selectors import gateway_keys

SHOWN_KEYS = 200


@project_page("keys.manage", "GET", "POST")
def gateway_list(request: ProjectRequest) -> HttpResponse:
    """List the gateways; believe another one."""
    if request.method != "POST":
        return _page(request, GatewayKeyForm())
    form = GatewayKeyForm(request.POST)
    if not form.is_valid():
        return _page(request, form, status=422)
    try:
        row = services.add_gateway_key(
            project=request.project, actor=request.membership.user, **form.cleaned_data
        )
    except services.GatewayKeyError as error:
        form.add_error(error.field or None, str(error))
        return _page(request, form, status=422)
    messages.success(
        request, _("%(name)s is trusted from the next run on.") % {"name": row.key_id}
    )
    return redirect("verification:gateway-list", slug=request.project.slug)


@project_page("keys.manage", "POST")
def gateway_revoke(request: ProjectRequest, key_id: UUID) -> HttpResponse:
    """Stop trusting a gateway."""
    row = get_object_or_404(gateway_keys(request.project), id=key_id)
    if services.revoke_gateway_key(gateway_key=row, actor=request.membership.user):
        messages.success(
            request,
            _("%(name)s is revoked: new runs get grade C.") % {"name": row.key_id},
        )
    else:
        messages.info(request, _("%(key)s was already revoked.") % {"key": row.key_id})
    return redirect("verification:gateway-list", slug=request.project.slug)


def _page(
    request: ProjectRequest, form: GatewayKeyForm, *, status: int = 200
) -> HttpResponse:
    context = {"form": form, "gateways": gateway_keys(request.project)[:SHOWN_KEYS]}
    return render(request, "verification/gateways.html", context, status=status)
