"""Views of the answer page."""

from typing import Any
from uuid import UUID

from django.http import Http404, HttpResponse
from django.shortcuts import render

from verifyhub.accounts.permissions import ProjectRequest, can, project_page
from verifyhub.common.http import page_or_fragment
from verifyhub.ingest.models import Interaction
from verifyhub.review.answer_page import evidence
from verifyhub.review.answer_page.attempts import attempts_context
from verifyhub.review.answer_page.deciding import desk_context
from verifyhub.review.answer_page.page import (
    answer_context,
    checks_context,
    choice_in,
    similar_page,
)
from verifyhub.review.answer_page.shown import tables_of
from verifyhub.review.answer_page.timeline import (
    badges_of,
    calls_at,
    spans_of,
    subtasks_of,
    timeline_context,
)
from verifyhub.review.queue import open_count
from verifyhub.review.selectors import interaction_of, report_of, runs_of
from verifyhub.review.visibility import masked_items
from verifyhub.verification.models import Verification
from verifyhub.verification.selectors import latest_finished, ledger_of


@project_page("answers.view", "GET")
def answer_detail(request: ProjectRequest, uuid: UUID) -> HttpResponse:
    """Show an answer; for htmx the evidence panel, or everything once it is ready."""
    interaction = interaction_of(request.project.id, uuid)
    runs = runs_of(interaction)
    if _is_poll_without_news(request, runs):
        return HttpResponse(status=204)
    context = answer_context(
        interaction, runs, query=request.GET, membership=request.membership
    )
    context["may_decide"] = can(request.membership.role, "review.decide")
    context |= desk_context(request.membership.user, interaction, context)
    panel = request.headers.get("HX-Target") == "evidence"
    fragment = "review/_peek.html" if "peek" in request.GET else "review/_answer.html"
    if not panel:
        # The header uses the same count.
        context["open_count"] = open_count(
            request.project.id,
            request.membership.user,
            handed=[] if context.get("none_handed") else None,
        )
    return page_or_fragment(
        request,
        "review/answer.html",
        "review/_evidence.html" if panel else fragment,
        context,
    )


@project_page("answers.view", "GET")
def answer_checks(request: ProjectRequest, uuid: UUID) -> HttpResponse:
    """Show the tool calls of an answer and the checks of its verdict."""
    interaction = interaction_of(request.project.id, uuid)
    context = checks_context(interaction, runs_of(interaction), query=request.GET)
    context["may_decide"] = can(request.membership.role, "review.decide")
    return page_or_fragment(
        request, "review/checks.html", "review/_checks.html", context
    )


@project_page("answers.view", "GET")
def tool_call(request: ProjectRequest, uuid: UUID, index: int) -> HttpResponse:
    """Show one text of a tool call in parts, with a mention's evidence marked."""
    interaction = interaction_of(request.project.id, uuid)
    call = calls_at(interaction, {index}).get(index)
    field = request.GET.get("field", "output")
    text = evidence.text_at(call, field) if call else None
    if call is None or text is None:
        raise Http404
    question = request.GET.get("find", "")
    spans = (
        spans_of(text, question)
        if question or interaction.outputs_removed_at
        else _spans(interaction, request, index, field)
    )
    start = _start(request, len(text), spans)
    end = min(len(text), start + evidence.PART_CHARACTERS)
    context = {
        "interaction": interaction,
        "call": call,
        "field": field,
        "text": evidence.part(
            text,
            start,
            spans,
            first_id="" if "HX-Request" in request.headers else "hit",
        ),
        "length": len(text),
        "start": start,
        "end": end,
        "before": max(0, start - evidence.PART_CHARACTERS) if start else None,
        "after": end if end < len(text) else None,
    }
    return page_or_fragment(
        request, "review/tool_call.html", "review/_tool_call.html", context
    )


@project_page("answers.view", "GET")
def answer_timeline(request: ProjectRequest, uuid: UUID) -> HttpResponse:
    """Show the tool calls with the ledger's summaries, or a search in them.

    For htmx a part of the timeline, the summaries for rows that are already shown, or
    the calls of a subtask inside another timeline.
    """
    interaction = interaction_of(request.project.id, uuid)
    nested = "nested" in request.GET and "HX-Request" in request.headers
    words_alone = request.headers.get("HX-Target") == "timeline-words"
    reads_ledger = words_alone or nested or "HX-Request" not in request.headers
    is_whole = interaction.outputs_removed_at is None
    ledger = ledger_of(interaction) if reads_ledger and is_whole else None
    badges = badges_of(ledger) if ledger else ({} if reads_ledger else None)
    context: dict[str, Any] = {"interaction": interaction, "badges": badges}
    if words_alone:
        context["begun"], context["subtasks"] = subtasks_of(interaction)
    else:
        context |= timeline_context(interaction, request.GET, badges)
    fragment = "review/_timeline_words.html" if words_alone else "review/_timeline.html"
    if nested:
        # Makes element ids of subtasks unique on the page.
        context["within"] = f"{interaction.pk}-"
        fragment = "review/_timeline_steps.html"
    return page_or_fragment(request, "review/timeline.html", fragment, context)


@project_page("answers.view", "GET")
def answer_similar(request: ProjectRequest, uuid: UUID) -> HttpResponse:
    """Show similar answers and people's decisions on them."""
    interaction = interaction_of(request.project.id, uuid)
    context = {"interaction": interaction} | similar_page(interaction)
    hidden = masked_items(request.project.id, request.membership.user)
    similar = context["similar"]
    context["similar"] = [entry for entry in similar if entry.item.pk not in hidden]
    return page_or_fragment(
        request, "review/similar.html", "review/_similar.html", context
    )


@project_page("answers.view", "GET")
def answer_attempts(request: ProjectRequest, uuid: UUID) -> HttpResponse:
    """Compare an answer with an earlier attempt, word by word."""
    interaction = interaction_of(request.project.id, uuid)
    context = attempts_context(interaction, request.GET.get("with", ""))
    return render(
        request, "review/attempts.html", {"interaction": interaction} | context
    )


@project_page("answers.view", "GET")
def answer_ledger(request: ProjectRequest, uuid: UUID) -> HttpResponse:
    """Show the names in a run's tool outputs, read on request."""
    interaction = interaction_of(request.project.id, uuid)
    is_whole = interaction.outputs_removed_at is None
    tables = tables_of(ledger_of(interaction)) if is_whole else []
    context = {"interaction": interaction, "tables": tables}
    return page_or_fragment(
        request, "review/ledger.html", "review/_ledger.html", context
    )


def _is_poll_without_news(request: ProjectRequest, runs: list[Verification]) -> bool:
    if not runs:
        return False
    word = "waiting" if runs[0].state in Verification.WAITING else "done"
    return request.GET.get("known") == f"{runs[0].number}-{word}"


def _spans(
    interaction: Interaction, request: ProjectRequest, index: int, field: str
) -> list[tuple[int, int]]:
    choice = choice_in(request.GET)
    if choice is None or choice.kind != "mention":
        return []
    run = latest_finished(interaction)
    mentions = report_of(run).mentions if run else ()
    evidences = mentions[choice.index].evidence if choice.index < len(mentions) else ()
    return [
        place.span
        for place in evidences
        if place.tool_call == index and place.field == field
    ]


def _start(request: ProjectRequest, length: int, spans: list[tuple[int, int]]) -> int:
    offset = request.GET.get("from", "")
    if offset.isdecimal() and len(offset) < 12:
        return min(int(offset), length)
    if spans and spans[0][0] > evidence.PART_CHARACTERS // 2:
        return max(0, spans[0][0] - evidence.CONTEXT_CHARACTERS)
    return 0
