"""Actions on entries: edit one; retract and restore many."""

from collections.abc import Callable
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from verifyhub.accounts.permissions import ProjectRequest, project_page
from verifyhub.memory import services
from verifyhub.memory.models import MemoryEntry
from verifyhub.memory.pages.entry_forms import EntryForm
from verifyhub.memory.pages.many import back_to, is_done, selected_ids

MANY: dict[str, Callable[..., MemoryEntry]] = {
    "retract": services.retract_entry,
    "restore": services.restore_entry,
}


@project_page("memory.edit", "POST")
def edit(request: ProjectRequest, entry_id: UUID) -> HttpResponse:
    """Edit one entry."""
    entry = get_object_or_404(MemoryEntry, project=request.project, id=entry_id)
    level, message = _edit(request, entry)
    messages.add_message(request, level, message)
    return redirect("review:memory-entry", request.project.slug, entry.id)


def _edit(request: ProjectRequest, entry: MemoryEntry) -> tuple[int, str]:
    form = EntryForm(request.POST, entry=entry)
    if not form.is_valid():
        wrong = (str(line) for lines in form.errors.values() for line in lines)
        return messages.ERROR, " ".join(wrong)
    try:
        services.edit_entry(
            entry=entry,
            values=form.cleaned_data,
            loaded_at=form.cleaned_data["seen"],
            actor=request.user,
        )
    except services.EntryValuesError as error:
        return messages.ERROR, " ".join(error.errors.values())
    except services.EntryChangedError:
        return messages.ERROR, _(
            "It was changed by someone else first; this is the current version."
        )
    return messages.SUCCESS, _("Saved. The next agent receives it.")


@project_page("memory.edit", "POST")
def act_on_many(request: ProjectRequest) -> HttpResponse:
    """Retract or restore the selected entries."""
    verb = request.POST.get("verb", "")
    if verb not in MANY:
        raise Http404
    rows = list(
        MemoryEntry.objects.filter(
            project=request.project, id__in=selected_ids(request, "entry")
        )
        .select_related("project", "session")
        .order_by("mention_kind", "mention_key", "id")
    )
    refusals = (services.EntryNotRetractableError,)
    done = sum(
        is_done(MANY[verb], refusals, entry=row, actor=request.user) for row in rows
    )
    if not rows:
        messages.error(request, _("Select at least one entry."))
    if done:
        text = ngettext("Done for %(n)s entry.", "Done for %(n)s entries.", done)
        messages.success(request, text % {"n": done})
    if refused := len(rows) - done:
        text = ngettext(
            "%(n)s entry could not be changed: not allowed in this state, or changed "
            "by someone else.",
            "%(n)s entries could not be changed: not allowed in this state, or "
            "changed by someone else.",
            refused,
        )
        messages.error(request, text % {"n": refused})
    return back_to(request, "memory:search")
