"""The page of tool schemas."""

from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _

from verifyhub.accounts.permissions import ProjectRequest, project_page
from verifyhub.engine.errors import ToolSchemaError
from verifyhub.verification import services
from verifyhub.verification.models import ToolSchema
from verifyhub.verification.pages.forms import EXAMPLE, ToolSchemaForm, filled
from verifyhub.verification.selectors import tool_schemas


@project_page("schemas.manage", "GET", "POST")
def schema_list(request: ProjectRequest) -> HttpResponse:
    """List the schemas; register or replace one."""
    if request.method != "POST":
        reference = request.GET.get("change", "")
        row = tool_schemas(request.project).filter(reference=reference).first()
        initial = filled(row) if row else {"schema": EXAMPLE}
        return _page(request, ToolSchemaForm(initial=initial))
    form = ToolSchemaForm(request.POST)
    if not form.is_valid():
        return _page(request, form, status=422)
    try:
        row, new = services.put_tool_schema(
            project=request.project, actor=request.membership.user, **form.cleaned_data
        )
    except ToolSchemaError as error:
        field = error.path if error.path in form.fields else "schema"
        form.add_error(field, str(error))
        return _page(request, form, status=422)
    message = (
        _("%(name)s is registered: the next verification uses it.")
        if new
        else _("%(name)s is replaced: the next verification uses it.")
    )
    messages.success(request, message % {"name": row.reference})
    return redirect("verification:schema-list", slug=request.project.slug)


@project_page("schemas.manage", "POST")
def schema_delete(request: ProjectRequest, schema_id: UUID) -> HttpResponse:
    """Delete a schema."""
    row = get_object_or_404(tool_schemas(request.project), id=schema_id)
    services.delete_tool_schema(tool_schema=row, actor=request.membership.user)
    messages.success(
        request,
        _("%(name)s is deleted and no longer used.") % {"name": row.reference},
    )
    return redirect("verification:schema-list", slug=request.project.slug)


def _page(
    request: ProjectRequest, form: ToolSchemaForm, *, status: int = 200
) -> HttpResponse:
    rows: list[ToolSchema] = list(tool_schemas(request.project))
    context = {"form": form, "schemas": rows}
    return render(request, "verification/schemas.html", context, status=status)
