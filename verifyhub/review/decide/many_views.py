"""Views of one decision on many answers: choose, preview, confirm."""

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.core import signing
from django.db import transaction
from django.db.models import Q
from django.http import Http404, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from verifyhub.accounts.permissions import ProjectRequest, project_page
from verifyhub.common.http import uuid_in
from verifyhub.common.jobs import enqueue_on_commit
from verifyhub.review.decide.act_views import SECONDS
from verifyhub.review.decide.bulk import advance_act, open_bulk
from verifyhub.review.decide.foresight import ForeseenOfMany, foresee_many
from verifyhub.review.decide.forms import FORMS, VersionForm, bound_form
from verifyhub.review.decide.likeness import alike, likenesses
from verifyhub.review.decide.reasons import reasons_in_use
from verifyhub.review.decisions import Decision
from verifyhub.review.errors import ReviewError
from verifyhub.review.models import ReviewItem
from verifyhub.review.queue import QueueFilterForm, queued_items
from verifyhub.review.selectors import interaction_of
from verifyhub.review.visibility import waiting_items
from verifyhub.verification.models import Verdict
from verifyhub.verification.selectors import latest_finished

# Answers that are listed and can be deselected; more are selected all together.
LISTED = 200
# Answers whose effects are previewed.
LOOKED_AT = 25
BULK_FORMS = ("agree", "override", "flip", "claim")
SALT = "review.many"


@dataclass(frozen=True, slots=True)
class Chosen:
    """The answers of an unconfirmed act, and how they were selected."""

    by: dict[str, Any]
    items: Any

    def versions(self) -> list[tuple[UUID, int]]:
        """Return every item with its current version."""
        return list(self.items.values_list("id", "version"))


@project_page("review.decide", "GET", "POST")
def many(request: ProjectRequest) -> HttpResponse:
    """Preview a decision on many answers, or apply it."""
    sent = request.POST if request.method == "POST" else request.GET
    name = sent.get("form", "")
    if name not in BULK_FORMS:
        name = "agree"
    chosen = _chosen(request, sent, name)
    if "confirm" in request.POST:
        return _confirm(request, name, chosen)
    return _page(request, name, chosen, sent)


def _chosen(request: ProjectRequest, sent: QueryDict, name: str) -> Chosen:
    """Find the answers: selected ones, a likeness, or all of a filter."""
    # Gold looks open to the reviewers whom it measures, and may be selected.
    waiting = waiting_items(request.project.id, request.membership.user)
    open_items = ReviewItem.objects.filter(
        Q(state=ReviewItem.State.OPEN) | Q(pk__in=waiting), project=request.project
    )
    by = _signed(sent.get("chosen", "")) or _likeness(request, sent, name)
    if by is None and "all" in sent:
        form = QueueFilterForm(QueryDict(sent.get("filter", "")))
        by = {"filter": form.filters()}
    if by is None:
        return Chosen({}, open_items.filter(id__in=_ticked(sent)))
    if "filter" in by:
        queued = queued_items(request.project.id, by["filter"], request.membership.user)
        items = open_items.filter(id__in=queued.values("id"))
    else:
        items = alike(request.project.id, by)
    ticked = _ticked(sent)
    return Chosen(by, items.filter(id__in=ticked) if ticked else items)


def _signed(text: str) -> dict[str, Any] | None:
    try:
        return dict(signing.loads(text, salt=SALT)) if text else None
    except signing.BadSignature:
        raise Http404 from None


def _likeness(
    request: ProjectRequest, sent: QueryDict, name: str
) -> dict[str, Any] | None:
    """Return the likeness to the answer that the reviewer came from."""
    number, answer = sent.get("like", ""), uuid_in(sent.get("answer", ""))
    if not number.isdecimal():
        return None
    if answer is None:
        raise Http404
    run = latest_finished(interaction_of(request.project.id, answer))
    form = _form(request, name, sent, looking=True)
    if run is None or not form.is_valid():
        raise Http404
    similar = likenesses(run, form.decision())
    if int(number) >= len(similar):
        raise Http404
    return dict(similar[int(number)].by)


def _ticked(sent: QueryDict) -> list[UUID]:
    values = sent.getlist("item")[: LISTED * 5]
    return [pk for value in values if (pk := uuid_in(value.partition(":")[0]))]


def _confirm(request: ProjectRequest, name: str, chosen: Chosen) -> HttpResponse:
    form = _form(request, name, request.POST, looking=False)
    items = _shown_versions(request.POST, chosen)
    if not form.is_valid() or not items:
        none = _("No answer is selected, or all have been decided in the meantime.")
        error = "" if items else none
        return _page(request, name, chosen, request.POST, form=form, error=error)
    try:
        with transaction.atomic():
            act = open_bulk(
                project=request.project,
                decision=form.decision(),
                items=items,
                chosen_by=chosen.by,
                reviewer=request.membership.user,
            )
            enqueue_on_commit("review.advance_act", act_id=str(act.id))
    except ReviewError as error:
        return _page(
            request, name, chosen, request.POST, form=form, error=error.sentence
        )
    advance_act(act_id=act.id, seconds=SECONDS)
    return redirect("review:act", request.project.slug, act.id)


def _shown_versions(sent: QueryDict, chosen: Chosen) -> list[tuple[UUID, int]]:
    """Return the items with the versions that the page showed, or current ones."""
    shown = {}
    for value in sent.getlist("item"):
        item_id, _colon, version = value.partition(":")
        if version.isdecimal() and len(version) < 10:
            shown[item_id] = int(version)
    return [(pk, shown.get(str(pk), now)) for pk, now in chosen.versions()]


def _form(
    request: ProjectRequest, name: str, sent: QueryDict, *, looking: bool
) -> VersionForm:
    data = sent.copy()
    data["version"] = "0"  # Each answer has its own.
    codes = reasons_in_use(request.project.id)
    return bound_form(name, data, codes, looking=looking)


def _page(
    request: ProjectRequest,
    name: str,
    chosen: Chosen,
    sent: QueryDict,
    *,
    form: VersionForm | None = None,
    error: str = "",
) -> HttpResponse:
    looked = _form(request, name, sent, looking=True)
    items = chosen.items.select_related("interaction", "verification", "project")
    total = chosen.items.count()
    decision = looked.decision() if looked.is_valid() else None
    context = {
        "form_name": name,
        "typed": {
            **{key: sent.get(key, "") for key in FORMS[name].base_fields},
            "reason_codes": sent.getlist("reason_codes"),
        },
        "errors": form.errors if form else {},
        "error": error,
        "items": items.defer("interaction__answer_text", "verification__report")[
            :LISTED
        ],
        "total": total,
        "unlisted": max(0, total - LISTED),
        "chosen": signing.dumps(chosen.by, salt=SALT) if chosen.by else "",
        "foreseen": _looked_at(request, decision, chosen) if decision else None,
        "looked_at": min(total, LOOKED_AT),
        "reason_choices": reasons_in_use(request.project.id),
        "verdicts": Verdict.choices,
        "is_free": name in ("agree", "override") and chosen.by.get("like") is None,
    }
    status = 422 if form is not None or error else 200
    return render(request, "review/many.html", context, status=status)


def _looked_at(
    request: ProjectRequest, decision: Decision, chosen: Chosen
) -> ForeseenOfMany:
    items = chosen.items.select_related("interaction", "verification", "project")
    return foresee_many(
        decision=decision,
        items=[(item, item.version) for item in items[:LOOKED_AT]],
        chosen_by=chosen.by,
        reviewer=request.membership.user,
    )
