"""The registry of schemas for tool outputs (level 2)."""

from collections.abc import Mapping
from typing import Any

from django.db import models, transaction
from django.utils.translation import gettext as _

from verifyhub.accounts.models import Project
from verifyhub.audit.services import record_event
from verifyhub.engine.errors import ToolSchemaError
from verifyhub.engine.levels.schema_rules import REFERENCE, check_schema
from verifyhub.verification.models import ToolSchema

# Schemas of one project; each of its verifications loads them all.
MAX_SCHEMAS = 200


@transaction.atomic
def put_tool_schema(
    *,
    project: Project,
    reference: str,
    tool: str,
    schema: Mapping[str, Any],
    actor: models.Model,
) -> tuple[ToolSchema, bool]:
    """Register a schema under its reference, or replace the existing one.

    Earlier verdicts do not change.

    Args:
        project: The tenant.
        reference: Its name, `package/schema#Name`.
        tool: The tool's name in traces; empty if only other schemas refer to it.
        schema: JSON Schema, draft 2020-12, within `schema_rules`.
        actor: The user or API key that acts.

    Returns:
        The schema, and whether it is new.

    Raises:
        ToolSchemaError: With the invalid field or place in the schema.
    """
    _check_names(reference, tool)
    check_schema(schema)
    # Concurrent calls take turns, so that the limits hold.
    Project.objects.select_for_update().get(pk=project.pk)
    others = ToolSchema.objects.filter(project=project)
    existing = others.filter(reference=reference).first()
    if existing is None and others.count() >= MAX_SCHEMAS:
        raise ToolSchemaError(
            "", _("The project already has %(n)s schemas.") % {"n": MAX_SCHEMAS}
        )
    if tool and others.filter(tool=tool).exclude(reference=reference).exists():
        raise ToolSchemaError("tool", _("has a schema under another reference."))
    before = _content(existing) if existing else {}
    row = existing or ToolSchema(project=project, reference=reference)
    row.tool, row.schema, row.changed_by = tool, dict(schema), str(actor)[:200]
    row.save()
    record_event(
        "verification.tool_schema_put", row, actor, before=before, after=_content(row)
    )
    return row, existing is None


@transaction.atomic
def delete_tool_schema(*, tool_schema: ToolSchema, actor: models.Model) -> None:
    """Delete a schema.

    Outputs of tools whose schemas refer to it can no longer be checked, which their
    verdicts say.
    """
    record_event(
        "verification.tool_schema_deleted",
        tool_schema,
        actor,
        before=_content(tool_schema),
    )
    tool_schema.delete()


def _check_names(reference: str, tool: str) -> None:
    right = REFERENCE.fullmatch(reference) and "://" not in reference
    if not right or len(reference) > ToolSchema.MAX_REFERENCE:
        raise ToolSchemaError("reference", _("must have the form package/schema#Name."))
    if len(tool) > ToolSchema.MAX_TOOL or not (tool.isprintable() or not tool):
        limit = ToolSchema.MAX_TOOL
        raise ToolSchemaError(
            "tool", _("must have at most %(n)s plain characters.") % {"n": limit}
        )


def _content(row: ToolSchema) -> dict[str, Any]:
    return {"reference": row.reference, "tool": row.tool, "schema": row.schema}
