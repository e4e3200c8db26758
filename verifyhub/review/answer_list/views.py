"""The list of a project's answers."""

from typing import Any

from django.db.models import QuerySet
from django.http import HttpResponse
from django.urls import reverse

from verifyhub.accounts.permissions import ProjectRequest, can, project_page
from verifyhub.common.http import page_or_fragment
from verifyhub.common.long_lists import LongPaginator
from verifyhub.common.replica import from_replica
from verifyhub.ingest.selectors import agent_names, characters_searched
from verifyhub.review.answer_list.forms import AnswerFilterForm
from verifyhub.review.answer_list.report_filters import READ, READING
from verifyhub.review.answer_list.selectors import answers, decider
from verifyhub.review.support import support_of_runs
from verifyhub.review.visibility import mask_list

PAGE_SIZE = 25


@project_page("answers.view", "GET")
@from_replica
def answer_list(request: ProjectRequest) -> HttpResponse:
    form = AnswerFilterForm(request.GET)
    filters = form.sent_values()
    rows = answers(request.project.id, filters, request.membership.user, read=READ)
    context = _listed(request, form, rows)
    context["by_figure"] = form.by_figure(
        decider=decider(request.project.id, filters.get("decider", ""))
    )
    context["read"] = READ if any(filters.get(name) for name in READING) else None
    context["ingest_url"] = request.build_absolute_uri("/api/v1/interactions/")
    return page_or_fragment(
        request, "review/answer_list.html", "review/_answer_table.html", context
    )


def _listed(
    request: ProjectRequest, form: AnswerFilterForm, rows: QuerySet[Any]
) -> dict[str, Any]:
    page = LongPaginator(rows, PAGE_SIZE).get_page(request.GET.get("page"))
    page.object_list = list(page.object_list)
    mask_list(page.object_list, request.project.id, request.membership.user)
    # How many names of each answer are supported.
    masked = {
        row.run_id for row in page.object_list if getattr(row, "is_masked", False)
    }
    runs = [row.run_id for row in page.object_list if row.run_id]
    supports = support_of_runs(runs, masked=masked)
    for row in page.object_list:
        row.support = supports.get(row.run_id)
    return {
        "form": form,
        "agents": agent_names(request.project.id),
        "page": page,
        "characters_searched": characters_searched(request.project.id),
        "filtered": bool(form.sent_values()),
        "list_url": reverse("review:answer-list", args=[request.project.slug]),
        "may_decide": can(request.membership.role, "review.decide"),
    }
