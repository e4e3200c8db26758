"""The registry of schemas that tools' outputs must fit, for programs."""

from typing import Any, cast
from uuid import UUID

from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from verifyhub.accounts.models import ApiKey
from verifyhub.common.api import PAGE_PARAMETERS, ApiProblem, page_of, page_shape
from verifyhub.engine.errors import ToolSchemaError
from verifyhub.verification.models import ToolSchema
from verifyhub.verification.selectors import tool_schemas
from verifyhub.verification.services import delete_tool_schema, put_tool_schema

TEXT = {"type": "string"}
FIELDS: dict[str, Any] = {
    "reference": {
        **TEXT,
        "maxLength": ToolSchema.MAX_REFERENCE,
        "description": "`package/schema#Name`; other schemas refer to it by this.",
    },
    "tool": {
        **TEXT,
        "maxLength": ToolSchema.MAX_TOOL,
        "description": "The tool whose outputs it is for; empty for one that others"
        " only refer to.",
    },
    "schema": {
        "type": "object",
        "additionalProperties": True,
        "description": "JSON Schema, draft 2020-12. `$ref` may be `#`, `#/$defs/…` or"
        " a reference of this registry; nothing is fetched.",
    },
}
ENTRY: dict[str, Any] = {
    "type": "object",
    "properties": {
        "id": {**TEXT, "format": "uuid"},
        **FIELDS,
        "changed_at": {**TEXT, "format": "date-time"},
        "changed_by": TEXT,
    },
}
REQUEST = {
    "type": "object",
    "properties": {**FIELDS, "tool": {**FIELDS["tool"], "type": ["string", "null"]}},
    "required": ["reference", "schema"],
    "additionalProperties": False,
}
LIST = page_shape(ENTRY)
# What the command line checks against is asked for without paging.
ALL_AT_ONCE = 200
DESCRIBED = {"tags": ["tool schemas"]}


class ToolSchemaList(APIView):
    """All schemas of a project."""

    required_scopes = {"GET": "read", "PUT": "review"}

    @extend_schema(
        operation_id="listToolSchemas",
        summary="List the schemas of tools' outputs (scope: read)",
        parameters=PAGE_PARAMETERS,
        responses={200: LIST},
        **cast(Any, DESCRIBED),
    )
    def get(self, request: Request) -> Response:
        rows = tool_schemas(_key(request).project)
        return page_of(
            rows, request, ordering=("reference", "id"), body=_entry, size=ALL_AT_ONCE
        )

    @extend_schema(
        operation_id="putToolSchema",
        summary="Register or replace the schema of a reference (scope: review)",
        request={"application/json": REQUEST},
        responses={
            200: OpenApiResponse(ENTRY, description="Replaced."),
            201: OpenApiResponse(ENTRY, description="Registered."),
        },
        **cast(Any, DESCRIBED),
    )
    def put(self, request: Request) -> Response:
        fields = _fields(request.data)
        try:
            row, new = put_tool_schema(
                project=_key(request).project, actor=_key(request), **fields
            )
        except ToolSchemaError as error:
            field = error.path
            if field not in {"reference", "tool"}:
                field = f"schema.{field}" if field else "schema"
            raise _refused(field, error.message) from error
        return Response(_entry(row), status=201 if new else 200)


class ToolSchemaDetail(APIView):
    """One schema."""

    required_scopes = {"GET": "read", "DELETE": "review"}

    @extend_schema(
        operation_id="readToolSchema",
        summary="Read one schema (scope: read)",
        responses={200: ENTRY},
        **cast(Any, DESCRIBED),
    )
    def get(self, request: Request, schema_id: UUID) -> Response:
        return Response(_entry(_found(request, schema_id)))

    @extend_schema(
        operation_id="deleteToolSchema",
        summary="Take a schema out of the registry (scope: review)",
        responses={204: None},
        **cast(Any, DESCRIBED),
    )
    def delete(self, request: Request, schema_id: UUID) -> Response:
        row = _found(request, schema_id)
        delete_tool_schema(tool_schema=row, actor=_key(request))
        return Response(status=204)


def _key(request: Request) -> ApiKey:
    return cast(ApiKey, request.auth)


def _found(request: Request, schema_id: UUID) -> ToolSchema:
    row = tool_schemas(_key(request).project).filter(id=schema_id).first()
    if row is None:
        raise ApiProblem(404, "This project has no such schema.")
    return row


def _fields(data: Any) -> dict[str, Any]:
    if not isinstance(data, dict):
        raise _refused("", "must be an object.")
    if unknown := sorted(set(data) - set(FIELDS)):
        raise _refused(unknown[0][:200], f"is unknown; known are {', '.join(FIELDS)}.")
    tool = data.get("tool")
    fields = {**data, "tool": "" if tool is None else tool}
    for name in ("reference", "tool"):
        if not isinstance(fields.get(name), str):
            raise _refused(name, "must be a string.")
    if not isinstance(fields.get("schema"), dict):
        raise _refused("schema", "must be an object.")
    return fields


def _refused(field: str, message: str) -> ApiProblem:
    return ApiProblem(
        400, f"The schema is refused: {field} {message}", errors=((field, message),)
    )


def _entry(row: ToolSchema) -> dict[str, Any]:
    return {
        "id": str(row.id),
        "reference": row.reference,
        "tool": row.tool,
        "schema": row.schema,
        "changed_at": row.changed_at.isoformat(),
        "changed_by": row.changed_by,
    }
