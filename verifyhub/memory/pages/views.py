"""The memory browser, the prompt preview, and the project's settings."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django import forms
from django.contrib import messages
from django.db import models
from django.http import Http404, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from verifyhub.accounts.fault_words import fault_words
from verifyhub.accounts.models import Project
from verifyhub.accounts.permissions import ProjectRequest, can, project_page
from verifyhub.common.http import page_or_fragment
from verifyhub.common.long_lists import BoundedPaginator
from verifyhub.engine.calls.tool_rules import rows_of, rules_in
from verifyhub.engine.errors import ThresholdError, ToolRulesError
from verifyhub.engine.memory.formats import ContextFormat
from verifyhub.engine.text.quoting import quoted
from verifyhub.engine.thresholds import Thresholds
from verifyhub.learning.selectors import REPLAYABLE, outlook
from verifyhub.memory import selectors, services
from verifyhub.memory.models import Constraint, MemoryEntry
from verifyhub.memory.pages.forms import (
    DEFAULT_BUDGET,
    MemoryFilterForm,
    NextPromptForm,
    RetireForm,
    SuggestionForm,
    ThresholdsForm,
    ToolRulesForm,
    WordingForm,
)
from verifyhub.memory.pages.many import back_to
from verifyhub.memory.pages.preview import preview


@dataclass(frozen=True, slots=True)
class MemoryTab:
    """One kind of memory: `kind` is empty for the shared constraints."""

    slug: str
    label: object
    kind: str
    count: int = 0

    @property
    def shown(self) -> str:
        """The number of its rows, counted up to `MOST`."""
        return f"{self.count}" if self.count <= selectors.MOST else f"{selectors.MOST}+"


TABS = (
    MemoryTab("constraints", _("Constraints"), ""),
    MemoryTab("findings", _("Findings"), MemoryEntry.Kind.FINDING),
    MemoryTab("blockers", _("Blockers"), MemoryEntry.Kind.BLOCKER),
    MemoryTab("gaps", _("Gaps"), MemoryEntry.Kind.GAP),
    MemoryTab("corrections", _("Corrections"), MemoryEntry.Kind.CORRECTION),
    MemoryTab("preferences", _("Preferences"), MemoryEntry.Kind.PREFERENCE),
)
BY_SLUG = {tab.slug: tab for tab in TABS}


def counted_tabs(project: Project) -> list[MemoryTab]:
    """Return the tabs with how much each holds in a project."""
    counts = selectors.counts_by_kind(project)
    return [
        MemoryTab(tab.slug, tab.label, tab.kind, counts.get(tab.kind, 0))
        for tab in TABS
    ]


OFFERED_SESSIONS = 50
PAGE_SIZE = 50


@project_page("memory.view", "GET")
def browser(request: ProjectRequest) -> HttpResponse:
    """Show a project's memory, one kind in each tab."""
    tab = BY_SLUG.get(request.GET.get("tab", ""), TABS[0])
    model = MemoryEntry if tab.kind else Constraint
    form = MemoryFilterForm(request.GET, states=model.State.choices)
    filters = form.filters()
    page = BoundedPaginator(_rows(request, tab, filters), PAGE_SIZE).get_page(
        request.GET.get("page")
    )
    query = QueryDict(mutable=True)
    query.update({"tab": tab.slug, **filters})
    context = {
        "tab": tab,
        "tabs": counted_tabs(request.project),
        "form": form,
        "filters": filters,
        "page": page,
        "query": query.urlencode(),
        "may_edit": can(request.membership.role, "memory.edit"),
        "rule": Thresholds.with_overrides(request.project.thresholds),
    }
    return page_or_fragment(
        request, "memory/browser.html", "memory/_list.html", context
    )


def _rows(
    request: ProjectRequest, tab: MemoryTab, filters: dict[str, str]
) -> models.QuerySet[Any]:
    if tab.kind:
        return selectors.entries(request.project, kind=tab.kind, **filters)
    filters = {name: value for name, value in filters.items() if name != "session"}
    return selectors.constraints(request.project, **filters)


@project_page("memory.view", "GET")
def next_prompt(request: ProjectRequest) -> HttpResponse:
    """Show the context that the next agent of a session would receive."""
    form = NextPromptForm(request.GET or None, label_suffix="")
    values = form.cleaned_data if form.is_valid() else {}
    prompt_preview = preview(
        project=request.project,
        session_key=values.get("session", ""),
        task=values.get("task", ""),
        budget=values.get("budget") or DEFAULT_BUDGET,
        format=ContextFormat(values.get("format") or ContextFormat.TEXT),
    )
    context = {
        "form": form,
        "preview": prompt_preview,
        "sessions": selectors.newest_sessions(request.project, most=OFFERED_SESSIONS),
        "tab": None,
    }
    return page_or_fragment(
        request, "memory/next_prompt.html", "memory/_next_prompt.html", context
    )


@dataclass(frozen=True, slots=True)
class ConstraintButton:
    """A button: the service that it calls, and the message on success."""

    call: Callable[..., Any]
    done: Promise
    # What is said in its place where others must agree first; None for nothing.
    waits: "Callable[[Any, dict[str, Any]], Promise | None] | None" = None


def _waits(row: Constraint, values: dict[str, Any]) -> Promise | None:
    if row.state == Constraint.State.ACTIVE:
        return None
    return _("Recorded. Shared with every agent once a second person confirms it.")


def _waits_with_right_name(row: Constraint, values: dict[str, Any]) -> Promise | None:
    if row.suggestion == values["suggestion"].strip():
        return None
    return _(
        "No tool call has shown this name. Agents receive it once a second person saves"
        " the same name."
    )


CONSTRAINT_ACTS = {
    "pin": ConstraintButton(
        services.pin_constraint, _("Pinned. Always shared with agents."), _waits
    ),
    "restore": ConstraintButton(
        services.restore_constraint, _("Restored. Evidence and reviewers decide again.")
    ),
    "confirm": ConstraintButton(
        services.confirm_constraint,
        _("Confirmed. Shared with every agent from now on."),
        _waits,
    ),
    "text": ConstraintButton(services.reword_constraint, _("Wording saved.")),
    "retire": ConstraintButton(
        services.retire_constraint, _("Retired. No longer shared with agents.")
    ),
    "suggestion": ConstraintButton(
        services.suggest_name, _("Suggestion saved."), _waits_with_right_name
    ),
}
ENTRY_ACTS = {
    "retract": ConstraintButton(
        services.retract_entry, _("Retracted. No longer shared with agents.")
    ),
    "restore": ConstraintButton(services.restore_entry, _("Restored.")),
}
FORMS: dict[str, type[forms.Form]] = {
    "retire": RetireForm,
    "text": WordingForm,
    "suggestion": SuggestionForm,
}
REFUSALS = (services.EntryNotRetractableError, services.SuggestionError)


@project_page("memory.edit", "POST")
def constraint_act(
    request: ProjectRequest, constraint_id: UUID, verb: str
) -> HttpResponse:
    """Pin, retire, restore or re-word one constraint."""
    rows = selectors.constraints(request.project)
    constraint = get_object_or_404(rows, id=constraint_id)
    act = _act(CONSTRAINT_ACTS, verb)
    form = FORMS.get(verb, forms.Form)(request.POST)
    if form.is_valid():
        level, message = _carry_out(
            request, act, constraint=constraint, **form.cleaned_data
        )
    else:
        level, message = "error", gettext("This text is invalid.")
    fresh = get_object_or_404(rows, id=constraint_id)
    return _row_or_back(
        request, "memory/_constraint_row.html", {"constraint": fresh}, level, message
    )


@project_page("memory.edit", "POST")
def entry_act(request: ProjectRequest, entry_id: UUID, verb: str) -> HttpResponse:
    """Retract or restore one entry."""
    rows = MemoryEntry.objects.filter(project=request.project).select_related(
        "session", "project"
    )
    entry = get_object_or_404(rows, id=entry_id)
    level, message = _carry_out(request, _act(ENTRY_ACTS, verb), entry=entry)
    fresh = get_object_or_404(rows, id=entry_id)
    return _row_or_back(
        request, "memory/_entry_row.html", {"entry": fresh}, level, message
    )


def _act(acts: dict[str, ConstraintButton], verb: str) -> ConstraintButton:
    if verb not in acts:
        raise Http404
    return acts[verb]


def _carry_out(
    request: ProjectRequest, act: ConstraintButton, **arguments: Any
) -> tuple[str, str]:
    """Call a service; return the tone and the words of what to say of it."""
    try:
        row = act.call(actor=request.user, **arguments)
    except services.ConstraintChangedError:
        return "error", gettext(
            "It was changed by someone else first; this is the current version."
        )
    except REFUSALS as error:
        return "error", str(error)
    waiting = act.waits(row, arguments) if act.waits else None
    return "success", str(waiting or act.done)


def _row_or_back(
    request: ProjectRequest,
    template: str,
    context: dict[str, Any],
    level: str,
    message: str,
) -> HttpResponse:
    if getattr(request, "htmx", False):
        return render(
            request,
            template,
            {
                **context,
                "query": request.POST.get("back", ""),
                "may_edit": True,
                "message": message,
                "level": level,
            },
        )
    row = next(iter(context.values()))
    messages.add_message(
        request,
        messages.ERROR if level == "error" else messages.SUCCESS,
        f"{quoted(row.text)}: {message}",
    )
    if request.POST.get("at") == "entry":
        return redirect("review:memory-entry", request.project.slug, row.pk)
    if request.POST.get("at") == "constraint":
        return redirect("memory:constraint", request.project.slug, row.pk)
    return back_to(request, "memory:browser")


@project_page("project.manage", "GET", "POST")
def settings(request: ProjectRequest) -> HttpResponse:
    """Show and change a project's thresholds."""
    project = request.project
    form = ThresholdsForm(request.POST or None, values=project.thresholds)
    if request.method == "POST" and form.is_valid():
        actor = request.user
        try:
            services.update_thresholds(
                project=project, values=form.values(), actor=actor
            )
        except services.ThresholdValuesError as error:
            for name, wrong in error.errors.items():
                form.add_error(name, _unusable(wrong))
        else:
            messages.success(request, _("Saved. The next verification uses it."))
            return redirect("memory:settings", project.slug)
    return _settings_page(request, form=form)


@project_page("project.manage", "POST")
def tool_rules(request: ProjectRequest) -> HttpResponse:
    """Replace a project's rules about its tools."""
    project = request.project
    form = ToolRulesForm(request.POST)
    if form.is_valid():
        try:
            services.update_tool_rules(
                project=project,
                rules=rules_in(form.cleaned_data["rules"]),
                actor=request.user,
            )
        except ToolRulesError as error:
            form.show(error)
        else:
            messages.success(request, _("Saved. The next verification uses it."))
            return redirect("memory:settings", project.slug)
    return _settings_page(request, rules_form=form)


def _unusable(error: ThresholdError) -> str:
    return gettext("%(value)s cannot be used: it %(why)s.") % {
        "value": repr(error.value),
        "why": fault_words(error.fault),
    }


def _settings_page(
    request: ProjectRequest,
    *,
    form: ThresholdsForm | None = None,
    rules_form: ToolRulesForm | None = None,
) -> HttpResponse:
    project = request.project
    form = form or ThresholdsForm(values=project.thresholds)
    rules_form = rules_form or ToolRulesForm(
        initial={"rules": rows_of(project.tool_rules)}
    )
    return render(
        request,
        "memory/settings.html",
        {
            "form": form,
            "rules_form": rules_form,
            "replayable": REPLAYABLE,
            "outlook": outlook(project, {}, now=timezone.now()),
        },
        status=422 if form.errors or rules_form.errors else 200,
    )
