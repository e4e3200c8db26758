"""API: the registry of schemas of tools' outputs."""

from dataclasses import dataclass
from typing import Annotated, Any
from uuid import UUID

from drf_spectacular.utils import OpenApiResponse
from pydantic import Field
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView
from typing_extensions import TypedDict

from verifyhub.accounts.authentication import key_of
from verifyhub.common.api import PAGE_PARAMETERS, ApiProblem, page_of, page_shape
from verifyhub.common.api_bodies import body_of, operation, refused
from verifyhub.common.api_schema import reply
from verifyhub.common.contract import (
    CONTROLS,
    ContractModel,
    FreeObject,
    MomentText,
    UuidText,
)
from verifyhub.engine.errors import ToolSchemaError
from verifyhub.engine.levels.schema_rules import REFERENCE
from verifyhub.verification.models import ToolSchema
from verifyhub.verification.selectors import tool_schemas
from verifyhub.verification.services import delete_tool_schema, put_tool_schema


@dataclass(frozen=True, slots=True, kw_only=True)
class NewToolSchema(ContractModel):
    """A schema for the outputs of a tool."""

    reference: Annotated[
        str,
        Field(
            max_length=ToolSchema.MAX_REFERENCE,
            json_schema_extra={"pattern": f"^(?!.*://){REFERENCE.pattern}$"},
        ),
    ]
    """`package/schema#Name`; other schemas refer to it by this."""
    tool: Annotated[
        str,
        Field(
            max_length=ToolSchema.MAX_TOOL,
            json_schema_extra={"pattern": f"^[^{CONTROLS}]*$"},
        ),
    ] = ""
    """The tool whose outputs it describes; empty if only other schemas refer to it."""
    schema: FreeObject
    """JSON Schema, draft 2020-12. `$ref` may be `#`, `#/$defs/…` or a reference of this
    registry; nothing is fetched."""


class ToolSchemaBody(TypedDict):
    id: UuidText
    reference: str
    tool: str
    schema: dict[str, Any]
    changed_at: MomentText
    changed_by: str


ENTRY = reply(ToolSchemaBody)
LIST = page_shape(ENTRY)
# What the command line checks against is asked for without paging.
ALL_AT_ONCE = 200


class ToolSchemaList(APIView):
    """All schemas of a project."""

    @operation(
        "listToolSchemas",
        "List the schemas of tool outputs",
        scope="read",
        parameters=PAGE_PARAMETERS,
        replies={200: LIST},
    )
    def get(self, request: Request) -> Response:
        rows = tool_schemas(key_of(request).project)
        return page_of(
            rows, request, ordering=("reference", "id"), body=_entry, size=ALL_AT_ONCE
        )

    @operation(
        "putToolSchema",
        "Create or replace a schema by its reference",
        scope="manage",
        request=NewToolSchema,
        replies={
            200: OpenApiResponse(ENTRY, description="Replaced."),
            201: OpenApiResponse(ENTRY, description="Registered."),
        },
    )
    def put(self, request: Request) -> Response:
        new = body_of(request, NewToolSchema)
        try:
            row, is_new = put_tool_schema(
                project=key_of(request).project,
                actor=key_of(request),
                reference=new.reference,
                tool=new.tool,
                schema=new.schema,
            )
        except ToolSchemaError as error:
            field = error.path
            if field not in {"reference", "tool"}:
                field = f"schema.{field}" if field else "schema"
            raise refused(field, error.message) from error
        return Response(_entry(row), status=201 if is_new else 200)


class ToolSchemaDetail(APIView):
    """One schema."""

    @operation("readToolSchema", "Read a schema", scope="read", replies={200: ENTRY})
    def get(self, request: Request, schema_id: UUID) -> Response:
        return Response(_entry(_project_schema(request, schema_id)))

    @operation(
        "deleteToolSchema",
        "Delete a schema",
        scope="manage",
        replies={204: None},
    )
    def delete(self, request: Request, schema_id: UUID) -> Response:
        row = _project_schema(request, schema_id)
        delete_tool_schema(tool_schema=row, actor=key_of(request))
        return Response(status=204)


def _project_schema(request: Request, schema_id: UUID) -> ToolSchema:
    row = tool_schemas(key_of(request).project).filter(id=schema_id).first()
    if row is None:
        raise ApiProblem(404, "This project has no such schema.")
    return row


def _entry(row: ToolSchema) -> ToolSchemaBody:
    return {
        "id": str(row.id),
        "reference": row.reference,
        "tool": row.tool,
        "schema": row.schema,
        "changed_at": row.changed_at.isoformat(),
        "changed_by": row.changed_by,
    }
