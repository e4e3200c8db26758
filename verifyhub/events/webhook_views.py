"""The pages of webhooks, for admins of a project."""

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache

from verifyhub.accounts.permissions import ProjectRequest, project_page
from verifyhub.common.http import page_or_fragment, posted_from
from verifyhub.common.long_lists import BoundedPaginator
from verifyhub.events import selectors, services
from verifyhub.events.models import WebhookDelivery, WebhookEndpoint
from verifyhub.events.webhook_forms import (
    DeliveryFilterForm,
    RotationForm,
    WebhookForm,
)

PAGE_SIZE = 25


@project_page("project.manage", "GET")
def webhook_list(request: ProjectRequest) -> HttpResponse:
    """Show the webhooks, and a form for another one."""
    return _list(request, WebhookForm())


@posted_from("events:webhook-list")
@never_cache
@project_page("project.manage")
def webhook_add(request: ProjectRequest) -> HttpResponse:
    """Add a receiver and show its secret once."""
    form = WebhookForm(request.POST)
    if form.is_valid():
        with form.errors_shown():
            row, secret = services.add_webhook(
                project=request.project,
                values=form.values(),
                actor=request.membership.user,
            )
            return _detail(request, row, secret=secret, status=201)
    return _list(request, form, status=422)


@project_page("project.manage", "GET")
def webhook(request: ProjectRequest, webhook_id: UUID) -> HttpResponse:
    """Show a receiver with its deliveries."""
    row = _endpoint(request, webhook_id)
    chosen = DeliveryFilterForm(request.GET)
    filters = chosen.filters()
    rows = selectors.deliveries(row, **filters)
    page = BoundedPaginator(rows, PAGE_SIZE).get_page(request.GET.get("page"))
    context = {
        **_context(row),
        "filter": chosen,
        "filtered": bool(filters),
        "page": page,
        "form": WebhookForm(endpoint=row),
    }
    return page_or_fragment(
        request, "webhooks/detail.html", "webhooks/_log.html", context
    )


@posted_from("events:webhook", "webhook_id")
@project_page("project.manage")
def webhook_change(request: ProjectRequest, webhook_id: UUID) -> HttpResponse:
    """Change a receiver."""
    row = _endpoint(request, webhook_id)
    form = WebhookForm(request.POST, endpoint=row)
    if form.is_valid():
        with form.errors_shown():
            services.change_webhook(
                endpoint=row, values=form.values(), actor=request.membership.user
            )
            messages.success(request, _("The webhook is saved."))
            return _to(row)
    row.refresh_from_db()
    return _detail(request, row, form=form, status=422)


@project_page("project.manage", "POST")
def webhook_delete(request: ProjectRequest, webhook_id: UUID) -> HttpResponseBase:
    """Delete a receiver with its log."""
    row = _endpoint(request, webhook_id)
    services.delete_webhook(endpoint=row, actor=request.membership.user)
    messages.success(request, _("The webhook and its log are deleted."))
    return redirect("events:webhook-list", request.project.slug)


@posted_from("events:webhook", "webhook_id")
@never_cache
@project_page("project.manage")
def webhook_rotate(request: ProjectRequest, webhook_id: UUID) -> HttpResponse:
    """Rotate a receiver's secret, and show the new one once."""
    row, form = _endpoint(request, webhook_id), RotationForm(request.POST)
    if not form.is_valid() or not row.signs:
        return _detail(request, row, status=422)
    secret = services.rotate_secret(
        endpoint=row,
        overlap_hours=form.cleaned_data["overlap_hours"],
        now=timezone.now(),
        actor=request.membership.user,
    )
    return _detail(request, row, secret=secret)


@posted_from("events:webhook", "webhook_id")
@project_page("project.manage")
def webhook_test(request: ProjectRequest, webhook_id: UUID) -> HttpResponse:
    """Send a receiver a test."""
    row = _endpoint(request, webhook_id)
    services.send_test(endpoint=row, actor=request.membership.user)
    messages.success(request, _("A test is being sent; its result appears below."))
    return _to(row)


@project_page("project.manage", "POST")
def webhook_pause(request: ProjectRequest, webhook_id: UUID) -> HttpResponse:
    """Pause a receiver; events wait until it is resumed."""
    row = _endpoint(request, webhook_id)
    services.pause_webhook(endpoint=row, actor=request.membership.user)
    return _to(row)


@project_page("project.manage", "POST")
def webhook_resume(request: ProjectRequest, webhook_id: UUID) -> HttpResponse:
    """Resume a receiver; waiting events are sent first."""
    row = _endpoint(request, webhook_id)
    services.resume_webhook(endpoint=row, actor=request.membership.user)
    return _to(row)


@project_page("project.manage", "POST")
def webhook_replay(request: ProjectRequest, webhook_id: UUID) -> HttpResponse:
    """Resend all failed deliveries."""
    row = _endpoint(request, webhook_id)
    count = services.replay_dead(endpoint=row, actor=request.membership.user)
    words = ngettext(
        "%(count)d delivery is being sent again.",
        "%(count)d deliveries are being sent again.",
        count,
    )
    messages.success(request, words % {"count": count})
    return _to(row)


@project_page("project.manage", "POST")
def delivery_replay(
    request: ProjectRequest, webhook_id: UUID, delivery_id: UUID
) -> HttpResponse:
    """Send one delivery again."""
    row = _endpoint(request, webhook_id)
    delivery = get_object_or_404(selectors.deliveries(row), pk=delivery_id)
    if services.replay_delivery(delivery=delivery, actor=request.membership.user):
        messages.success(request, _("It is being sent again."))
    else:
        messages.info(request, _("It is already being sent."))
    return _to(row)


def _list(
    request: ProjectRequest, form: WebhookForm, *, status: int = 200
) -> HttpResponse:
    rows = list(selectors.webhooks(request.project))
    context = {
        "webhooks": rows,
        "stopped": [row for row in rows if row.state == WebhookEndpoint.State.DISABLED],
        "form": form,
    }
    return render(request, "webhooks/list.html", context, status=status)


def _detail(
    request: ProjectRequest,
    row: WebhookEndpoint,
    *,
    form: WebhookForm | None = None,
    secret: str = "",
    status: int = 200,
) -> HttpResponse:
    rows = selectors.deliveries(row)
    context = {
        **_context(row),
        "filter": DeliveryFilterForm(),
        "page": BoundedPaginator(rows, PAGE_SIZE).get_page(1),
        "form": form or WebhookForm(endpoint=row),
        "form_has_errors": form is not None,
        "secret": secret,
    }
    return render(request, "webhooks/detail.html", context, status=status)


def _context(row: WebhookEndpoint) -> dict[str, Any]:
    now = timezone.now()
    counts = selectors.count_deliveries(row)
    return {
        "webhook": row,
        "page_url": reverse("events:webhook", args=[row.project.slug, row.id]),
        "delivered": counts[WebhookDelivery.State.FINISHED],
        "dead": counts[WebhookDelivery.State.FAILED],
        "waiting": counts[WebhookDelivery.State.PENDING]
        + counts[WebhookDelivery.State.RUNNING]
        + counts[WebhookDelivery.State.HELD],
        "behind": selectors.events_behind(row),
        "most": selectors.MOST,
        "rests": row.quiet_until is not None and row.quiet_until > now,
        "has_old_secret": row.has_old_secret(now),
        "rotation": RotationForm(),
    }


def _endpoint(request: ProjectRequest, webhook_id: UUID) -> WebhookEndpoint:
    return get_object_or_404(selectors.webhooks(request.project), pk=webhook_id)


def _to(row: WebhookEndpoint) -> HttpResponse:
    return redirect("events:webhook", row.project.slug, row.id)
