"""Pages of a project's knowledge: documents and search."""

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _

from verifyhub.accounts.permissions import ProjectRequest, can, project_page
from verifyhub.common.http import page_or_fragment
from verifyhub.common.long_lists import BoundedPaginator
from verifyhub.knowledge import selectors, services
from verifyhub.knowledge.forms import DocumentForm, QuestionForm
from verifyhub.knowledge.models import Document, Passage

PAGE_SIZE = 50
FOUND = 10


@project_page("memory.view", "GET")
def page(request: ProjectRequest) -> HttpResponse:
    """List the documents, with the progress of embedding."""
    return _page(request, DocumentForm(label_suffix=""))


@project_page("memory.edit", "POST")
def upload(request: ProjectRequest) -> HttpResponse:
    """Add a document."""
    form = DocumentForm(request.POST, request.FILES, label_suffix="")
    if form.is_valid():
        with form.errors_shown():
            row = services.save_document(
                project=request.project,
                values=form.values(),
                actor=request.membership.user,
            )
            message = _("%(title)s is added and can be searched from now on.")
            messages.success(request, message % {"title": row.title})
            return redirect("knowledge:page", request.project.slug)
    return _page(request, form, status=422)


@project_page("memory.view", "GET")
def search(request: ProjectRequest) -> HttpResponse:
    """Show the passages most similar to a question, with the reasons."""
    form = QuestionForm(request.GET or None, label_suffix="", auto_id="ask-%s")
    text = form.cleaned_data["text"] if form.is_valid() else ""
    candidates = (
        services.search_knowledge(project=request.project, text=text, limit=FOUND)
        if text
        else []
    )
    context = {
        "form": form,
        "text": text,
        "found": candidates,
        "progress": selectors.progress_of(request.project),
    }
    return page_or_fragment(
        request, "knowledge/search.html", "knowledge/_found.html", context
    )


@project_page("memory.view", "GET")
def document(request: ProjectRequest, document_id: UUID) -> HttpResponse:
    """Show one document as the passages that are searched."""
    row = _document(request, document_id)
    passages = Passage.objects.filter(document=row).defer("search").order_by("start")
    context = {
        "document": row,
        "page": BoundedPaginator(passages, PAGE_SIZE).get_page(request.GET.get("page")),
        "may_edit": can(request.membership.role, "memory.edit"),
    }
    return render(request, "knowledge/document.html", context)


@project_page("memory.edit", "POST")
def delete(request: ProjectRequest, document_id: UUID) -> HttpResponse:
    """Delete a document with its passages."""
    row = _document(request, document_id)
    services.delete_document(document=row, actor=request.membership.user)
    messages.success(request, _("%(name)s is deleted.") % {"name": row.title})
    return redirect("knowledge:page", request.project.slug)


def _document(request: ProjectRequest, document_id: UUID) -> Document:
    rows = Document.objects.filter(project=request.project)
    return get_object_or_404(rows, pk=document_id)


def _page(
    request: ProjectRequest, form: DocumentForm, status: int = 200
) -> HttpResponse:
    rows = selectors.documents(request.project)
    context: dict[str, Any] = {
        "page": BoundedPaginator(rows, PAGE_SIZE).get_page(request.GET.get("page")),
        "progress": selectors.progress_of(request.project),
        "question": QuestionForm(label_suffix="", auto_id="ask-%s"),
        "form": form,
        "may_edit": can(request.membership.role, "memory.edit"),
        "may_choose": can(request.membership.role, "project.manage"),
    }
    return page_or_fragment(
        request,
        "knowledge/page.html",
        "knowledge/_documents.html",
        context,
        status=status,
    )
