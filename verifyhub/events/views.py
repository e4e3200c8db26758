"""The page of events."""

from django.http import HttpResponse
from django.urls import reverse

from verifyhub.accounts.permissions import ProjectRequest, project_page
from verifyhub.common.http import page_or_fragment
from verifyhub.common.long_lists import BoundedPaginator
from verifyhub.events.forms import EventFilterForm
from verifyhub.events.selectors import newest_events

PAGE_SIZE = 50


@project_page("answers.view", "GET")
def event_list(request: ProjectRequest) -> HttpResponse:
    """Show the events, newest first."""
    form = EventFilterForm(request.GET)
    types = form.types()
    rows = newest_events(request.project, types=types)
    context = {
        "form": form,
        "page": BoundedPaginator(rows, PAGE_SIZE).get_page(request.GET.get("page")),
        "filtered": bool(types),
        "list_url": reverse("events:list", args=[request.project.slug]),
    }
    return page_or_fragment(request, "events/list.html", "events/_table.html", context)
