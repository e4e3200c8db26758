"""Views of decisions about an answer: decide, preview, undo."""

import json
from collections.abc import Callable
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.db import transaction
from django.db.models import Count, Q, Subquery
from django.http import Http404, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from verifyhub.accounts.models import User
from verifyhub.accounts.permissions import ProjectRequest, can, project_page
from verifyhub.accounts.services import prefer_strictness
from verifyhub.common.http import uuid_in
from verifyhub.engine.presets.strictness import Strictness
from verifyhub.ingest.models import Interaction
from verifyhub.ingest.selectors import OutputsRemovedError
from verifyhub.review import selectors
from verifyhub.review.answer_page.deciding import FLIP, FLIPS, desk_context, last_undo
from verifyhub.review.answer_page.page import answer_context, choice_in
from verifyhub.review.answer_page.panel_words import seconds_since, waiting_words
from verifyhub.review.decide import (
    DecisionResult,
    VersionForm,
    bound_form,
    drop_form,
    foresee,
    judge,
    likenesses,
    reasons_in_use,
    reopen_item,
    statement_of,
    takes_reason,
    undo_statement,
)
from verifyhub.review.errors import ItemChangedError, OverrideUndoneError, ReviewError
from verifyhub.review.models import Draft, Override, Proposal, ReviewItem
from verifyhub.review.queue import (
    item_for,
    item_judging,
    next_without_taking,
    take_next,
)
from verifyhub.review.visibility import view_item
from verifyhub.verification.models import MentionVerdict, Verification
from verifyhub.verification.pages.forms import StrictnessForm
from verifyhub.verification.selectors import latest_finished
from verifyhub.verification.services import VerificationRunningError, reverify

# Decisions on the whole answer, after which the next one may be shown.
DECIDING = ("agree", "override")
# The selection of the evidence panel after a decision.
CHOSEN = {"flip": "mention", "claim": "claim", "fact": "fact", "value": "value"}


@project_page("review.decide", "POST")
def decide(
    request: ProjectRequest, uuid: UUID, form_name: str, index: int | None = None
) -> HttpResponse:
    """Apply a decision, or preview it if `preview` is sent."""
    interaction, run = _finished(request, uuid)
    if form_name == "flip" and not run.mentions.filter(index=index or 0).exists():
        raise Http404
    looking = "preview" in request.POST
    form = _bound(request, form_name, index, looking=looking)
    chosen = f"{CHOSEN[form_name]}={index}" if form_name in CHOSEN else ""
    if looking:
        return _preview(request, interaction, run, form_name, form, chosen)
    if not form.is_valid():
        return _answer(
            request, interaction, status=422, chosen=chosen, bound={form_name: form}
        )

    results: list[tuple[ReviewItem, DecisionResult]] = []

    def act() -> None:
        item = item_for(verification=run)
        judged = judge(
            item=item,
            decision=form.decision(),
            reviewer=_user(request),
            version=form.cleaned_data["version"],
            seconds=seconds_since(request.POST.get("shown", "")),
        )
        typed = form_name if index is None else f"{form_name}-{index}"
        if not judged.settled:
            drop_form(interaction=interaction, user=_user(request), form=typed)
        results.append((item, judged))
        if not moves_on:
            messages.success(request, _words_of(judged))

    is_beside = _is_in_peek(request) and form_name in DECIDING
    moves_on = form_name in DECIDING and (is_beside or "move_on" in request.POST)
    if moves_on:
        refused = _attempt(request, interaction, act, {"bound": {form_name: form}})
        follow = _go_on_in_list if is_beside else _next_answer
        return refused or follow(request, interaction, *results[0])
    return _carry_out(
        request, interaction, act, chosen, {form_name: form}, moves_on=bool(chosen)
    )


@project_page("review.decide", "POST")
def undo(request: ProjectRequest, uuid: UUID, override_id: UUID) -> HttpResponse:
    interaction, _run = _finished(request, uuid)
    decided = statement_of(interaction, override_id, _user(request))
    if decided is None:
        raise Http404
    form = VersionForm(request.POST)
    if not form.is_valid():
        return _answer(request, interaction, status=422, error=_("Version: missing."))

    def act() -> None:
        undo_statement(
            decided=decided,
            statement=override_id,
            actor=_user(request),
            version=form.cleaned_data["version"],
        )
        messages.success(request, _("Undone, with all its effects."))

    return _carry_out(request, interaction, act, _chosen(request))


@project_page("review.decide", "POST")
def reopen(request: ProjectRequest, uuid: UUID) -> HttpResponse:
    interaction, run = _finished(request, uuid)
    item = ReviewItem.objects.filter(verification=run).first()
    form = VersionForm(request.POST)
    if item is None or not form.is_valid():
        raise Http404

    def act() -> None:
        reopen_item(
            item=item, actor=_user(request), version=form.cleaned_data["version"]
        )
        messages.success(
            request, _("Undone. The answer is waiting for a decision again.")
        )

    return _carry_out(request, interaction, act, _chosen(request))


@project_page("review.decide", "POST")
def verify_again(request: ProjectRequest, uuid: UUID) -> HttpResponse:
    interaction = selectors.interaction_of(request.project.id, uuid)
    form = StrictnessForm(request.POST)
    if not form.is_valid():
        return _answer(
            request, interaction, status=422, error=_("This preset does not exist.")
        )
    chosen = form.cleaned_data["strictness"]
    try:
        reverify(
            interaction=interaction,
            actor=_user(request),
            strictness=Strictness(chosen) if chosen else None,
        )
    except VerificationRunningError:
        message = _("It is already being verified.")
        return _answer(request, interaction, status=409, error=message)
    except OutputsRemovedError:
        message = _("Its tool outputs were removed: it cannot be verified again.")
        return _answer(request, interaction, status=409, error=message)
    prefer_strictness(membership=request.membership, strictness=chosen)
    messages.success(request, _("Verifying again."))
    return _done(request, interaction, "")


def _preview(
    request: ProjectRequest,
    interaction: Interaction,
    run: Verification,
    name: str,
    form: VersionForm,
    chosen: str,
) -> HttpResponse:
    """Show a decision's preview: in its form, or on the page without htmx."""
    looked: dict[str, Any] = {"of": FLIP if name in FLIPS else name}
    if not form.is_valid():
        looked["error"] = " ".join(str(e[0]) for e in form.errors.values())
    else:
        try:
            looked["foreseen"] = foresee(
                run=run,
                decision=form.decision(),
                reviewer=_user(request),
                version=form.cleaned_data["version"],
            )
            looked["alike"] = _alike(request, interaction, run, name, form)
        except ItemChangedError:
            looked["error"] = _changed()
        except ReviewError as error:
            looked["error"] = error.sentence
    if getattr(request, "htmx", False):
        context = {"looked": looked, "interaction": interaction}
        return render(request, "review/_decide_preview.html", context)
    return _answer(
        request, interaction, chosen=chosen, bound={name: form}, looked=looked
    )


def _alike(
    request: ProjectRequest,
    interaction: Interaction,
    run: Verification,
    name: str,
    form: VersionForm,
) -> list[dict[str, Any]]:
    """Return the likenesses for "all like this", each with the page to confirm it.

    The page gets the entered decision, so that nothing is entered twice.
    """
    typed = {key: form[key].value() for key in form.fields if form[key].value()}
    similar = likenesses(run, form.decision())
    return [
        {
            "words": like.words,
            "count": like.count,
            "url": reverse(
                "review:many",
                args=[request.project.slug],
                query={**typed, "form": name, "like": number, "answer": interaction.id},
            ),
        }
        for number, like in enumerate(similar)
    ]


def _carry_out(
    request: ProjectRequest,
    interaction: Interaction,
    act: Callable[[], None],
    chosen: str = "",
    bound: dict[str, VersionForm] | None = None,
    *,
    moves_on: bool = False,
) -> HttpResponse:
    """Run an action and respond with the updated page, also after a conflict.

    Args:
        request: The request.
        interaction: The answer.
        act: The action.
        chosen: The selected name or claim.
        bound: The submitted form by name, to keep its data.
        moves_on: Select the next flagged name instead.
    """
    shown: dict[str, Any] = {"chosen": chosen, "bound": bound}
    refused = _attempt(request, interaction, act, shown)
    return refused or _done(request, interaction, chosen, moves_on=moves_on)


def _attempt(
    request: ProjectRequest,
    interaction: Interaction,
    act: Callable[[], None],
    shown: dict[str, Any],
) -> HttpResponse | None:
    """Run an action; if it is refused, return the page with the error."""
    try:
        # If the decision is refused, an item that was opened for it is rolled back.
        with transaction.atomic():
            act()
    except (ItemChangedError, OverrideUndoneError):
        return _answer(request, interaction, status=409, error=_changed(), **shown)
    except ReviewError as error:
        return _answer(request, interaction, status=422, error=error.sentence, **shown)
    return None


def _next_answer(
    request: ProjectRequest,
    interaction: Interaction,
    item: ReviewItem,
    judged: DecisionResult,
) -> HttpResponse:
    """Claim and show the next item of the queue; a toast can undo the decision.

    In one response, since reviewers wait for it after every decision.
    """
    message, slug = _words_of(judged), request.project.slug
    query = QueryDict(request.POST.get("query", ""), mutable=True)
    if not getattr(request, "htmx", False):
        messages.success(request, message)
        query["after"] = str(interaction.pk)
        return redirect(reverse("review:queue-next", args=[slug], query=query))
    decided = judged.outcome.item if judged.outcome else item
    following = take_next(request.membership, query, decided)
    if not following:
        messages.success(request, message)
        back = reverse("review:queue", args=[slug], query=query)
        return HttpResponse(status=204, headers={"HX-Redirect": back})
    # The links of the page keep the filters of its URL, as after a GET.
    request.GET = query  # type: ignore[assignment]
    fetched = request.headers.get(HEADER, "")
    unchanged = bool(fetched) and fetched == stamp_of(following, _user(request))
    # The page has prefetched the next answer, which is still the same.
    if unchanged and not is_told_of(item, following):
        response = HttpResponse(headers={HEADER: fetched})
    else:
        shown = selectors.interaction_of(request.project.id, following)
        response = _answer(request, shown)
    address = reverse("review:answer-detail", args=[slug, following], query=query)
    response["HX-Push-Url"] = address
    response["HX-Trigger"] = json.dumps(
        {"toast": {"text": message} | _undo(request, interaction, judged)}
    )
    return response


@never_cache
@project_page("review.decide", "GET")
def ahead(request: ProjectRequest) -> HttpResponse:
    """Render the answer that would follow a decision, without claiming its item.

    204 if it is unknown, or there is none.
    """
    query = request.GET.copy()
    after = uuid_in(query.pop("after", [""])[0])
    if after is None:
        raise Http404
    decided = selectors.interaction_of(request.project.id, after)
    rows = ReviewItem.objects.filter(interaction=decided).order_by("-created_at")
    item = rows.first()
    next_id = item and next_without_taking(request.membership, query, item)
    following = next_id and selectors.interaction_of(request.project.id, next_id)
    stamp = following and stamp_of(following.pk, _user(request))
    if not following or not stamp:
        return HttpResponse(status=204)
    request.GET = query  # type: ignore[assignment]
    # Messages are left for the page that is shown.
    return _answer(request, following, stamp=stamp, messages=())


@never_cache
@project_page("review.decide", "GET")
def going_on(request: ProjectRequest, uuid: UUID) -> HttpResponse:
    """Render the parts of a prefetched answer's page that were unknown."""
    interaction, run = _finished(request, uuid)
    item = view_item(run, item_judging(run), _user(request)).item
    active = Override.objects.filter(item=item, undone_at=None)
    undoes = item is None or not active.exists()
    context = {
        "item": item,
        "last_undo": last_undo(interaction, _user(request)) if undoes else None,
    }
    return render(request, "review/_going_on.html", context)


def _is_in_peek(request: ProjectRequest) -> bool:
    """Whether the answer is shown in the list's side panel."""
    return "peek" in request.POST and getattr(request, "htmx", False)


def _go_on_in_list(
    request: ProjectRequest,
    interaction: Interaction,
    item: ReviewItem,
    judged: DecisionResult,
) -> HttpResponse:
    """Respond to the list's script, which moves to the next row; a toast can undo."""
    toast = {"text": _words_of(judged)} | _undo(request, interaction, judged)
    events = {"toast": toast, "decided": {"item": str(item.pk)}}
    return HttpResponse(status=204, headers={"HX-Trigger": json.dumps(events)})


def _undo(
    request: ProjectRequest, interaction: Interaction, judged: DecisionResult
) -> dict[str, Any]:
    """Return the undo link of a toast; none for a decision that waits for others."""
    if judged.outcome is not None:
        act = judged.outcome.act
        undo = reverse("review:act-undo", args=[request.project.slug, act.pk])
        return {"undo": undo, "version": 0}
    if not judged.rehearsed:
        return {}
    last = last_undo(interaction, _user(request))
    return {"undo": last["url"], "version": last.get("version", 0)} if last else {}


def _words_of(judged: DecisionResult) -> str:
    overrides = judged.outcome.overrides if judged.outcome else judged.rehearsed
    return _decision_message(overrides[-1]) if overrides else waiting_words(judged)


def _done(
    request: ProjectRequest,
    interaction: Interaction,
    chosen: str,
    *,
    moves_on: bool = False,
) -> HttpResponse:
    if getattr(request, "htmx", False):
        return _answer(request, interaction, chosen=chosen, moves_on=moves_on)
    url = reverse(
        "review:answer-detail",
        args=[request.project.slug, interaction.id],
        query=QueryDict(chosen),
        fragment="evidence" if chosen else None,
    )
    return redirect(url)


def _answer(
    request: ProjectRequest,
    interaction: Interaction,
    *,
    status: int = 200,
    chosen: str = "",
    error: str = "",
    bound: dict[str, VersionForm] | None = None,
    moves_on: bool = False,
    **more: Any,
) -> HttpResponse:
    if error:
        messages.error(request, error)
    query = QueryDict(chosen)
    context = answer_context(
        interaction,
        selectors.runs_of(interaction),
        query=query,
        membership=request.membership,
        judged=choice_in(query) if moves_on else None,
    )
    context |= {"may_decide": can(request.membership.role, "review.decide"), **more}
    context |= desk_context(_user(request), interaction, context, bound)
    page = "_answer" if getattr(request, "htmx", False) else "answer"
    page = "_peek" if _is_in_peek(request) else page
    return render(request, f"review/{page}.html", context, status=status)


def _bound(
    request: ProjectRequest, name: str, index: int | None, *, looking: bool
) -> VersionForm:
    data = request.POST.copy()
    if index is not None:
        data["index"] = str(index)
    codes = reasons_in_use(request.project.id) if takes_reason(name) else ()
    return bound_form(name, data, codes, looking=looking)


def _decision_message(override: Override) -> str:
    words = {
        "agreement": _("You agree: %(after)s."),
        "verdict": _("Verdict overridden: %(before)s is now %(after)s."),
        "mention": _("Name marked as %(after)s."),
        "claim": _("Claim marked as %(after)s."),
        "fact": _("Claim marked as %(after)s."),
        "value": _("Value marked as %(after)s."),
        "missed": _("Added: %(text)s."),
        "answer": _("Saved as the correct answer."),
        "note": _("Noted."),
    }
    return words[override.target] % {
        "before": override.before,
        "after": override.after,
        "text": override.subject.get("text", "")[:80],
    }


def _changed() -> str:
    return _(
        "Someone else changed this answer while you had it open. "
        "Nothing was saved; the current version follows."
    )


def _finished(request: ProjectRequest, uuid: UUID) -> tuple[Interaction, Verification]:
    interaction = selectors.interaction_of(request.project.id, uuid)
    run = latest_finished(interaction)
    if run is None:
        raise Http404
    run.interaction, run.project = interaction, interaction.project
    return interaction, run


def _chosen(request: ProjectRequest) -> str:
    value = request.POST.get("mention", "")
    return f"mention={value}" if value.isdecimal() and len(value) < 8 else ""


def _user(request: ProjectRequest) -> User:
    return request.membership.user


# The next answer is prefetched while its reviewer looks at the current one.
#
# Its item is not claimed: a decision claims the next item as usual. Only if that is the
# prefetched one in the same state, it is not rendered again.

# The header in which a page names the prefetched answer, and the server confirms it.
HEADER = "X-Ahead"
STATE = (
    *("pk", "version", "round", "assignee_id", "verification_id"),
    *("proposed", "judged", "draft"),
)


def stamp_of(interaction_id: UUID, user: User) -> str:
    """Return the state of an open item's page for a viewer.

    Empty if the item is not open: it is never prefetched.
    """
    newest = Verification.objects.filter(interaction=interaction_id).order_by("-number")
    draft = Draft.objects.filter(interaction=interaction_id, user=user)
    waiting = Q(proposals__state=Proposal.State.PENDING)
    row = (
        ReviewItem.objects.filter(
            verification=Subquery(newest.values("pk")[:1]),
            verification__state=Verification.State.FINISHED,
            state=ReviewItem.State.OPEN,
        )
        .annotate(
            proposed=Count("proposals", filter=waiting, distinct=True),
            judged=Count("judgements", distinct=True),
            draft=Subquery(draft.values("version")[:1]),
        )
        .values_list(*STATE)
        .first()
    )
    return ":".join(str(part) for part in row) if row else ""


def is_told_of(decided: ReviewItem, following: UUID) -> bool:
    """Whether an answer's page shows the decision just made on another answer.

    It does if both contain the same name, beside which decisions are shown.
    """
    keys = MentionVerdict.objects.filter(verification=decided.verification_id)
    return MentionVerdict.objects.filter(
        verification__interaction=following, key__in=keys.values("key")
    ).exists()
