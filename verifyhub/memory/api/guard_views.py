"""API: the guard for drafts, and the snapshots it uses."""

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any, Literal
from uuid import UUID

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter
from pydantic import Field
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from verifyhub.accounts.authentication import key_of
from verifyhub.common.api import PAGE_PARAMETERS, ApiProblem, page_of
from verifyhub.common.api_bodies import (
    RowBody,
    body_of,
    operation,
    read_from,
    shown_page,
)
from verifyhub.common.api_schema import reply
from verifyhub.common.contract import ContractModel, Count
from verifyhub.common.http import or_404
from verifyhub.memory import services
from verifyhub.memory.guard import MAX_TEXT_LENGTH, SnapshotRefusedError, guard
from verifyhub.memory.models import Snapshot
from verifyhub.memory.selectors import snapshots


@dataclass(frozen=True, slots=True, kw_only=True)
class GuardRequest(ContractModel):
    """A draft to check; it is not stored."""

    text: Annotated[
        str, Field(description=f"The draft, up to {MAX_TEXT_LENGTH} code points.")
    ]


class FindingBody(RowBody):
    """One place of a wrong name in a draft; names are untrusted data."""

    text: str
    kind: str
    span: Annotated[list[Count], Field(min_length=2, max_length=2)]
    """Half-open, in code points of the draft."""
    reason: Literal["constraint", "not_in_snapshot"]
    suggestion: str | None
    constraint: UUID | None


class GuardBody(RowBody):
    """The findings in a draft; `ok` if there are none."""

    ok: bool
    findings: list[FindingBody]


class SnapshotBody(RowBody):
    """Names that a project has; `pools` lists the pools for which the snapshot is
    complete."""

    name: str
    format: str
    origin: Snapshot.Origin
    pools: Any
    names: Annotated[Count, read_from("name_count")]
    sha256: str
    changed_by: str
    created_at: datetime
    updated_at: datetime


NAME = OpenApiParameter(
    "name",
    {"type": "string", "maxLength": 100, "pattern": "^[A-Za-z0-9][A-Za-z0-9._-]*$"},
    OpenApiParameter.PATH,
    description="Name of the snapshot: letters, digits, dots, hyphens, underscores.",
)


class GuardView(APIView):
    """Look over a draft before it is sent."""

    @operation(
        "guard",
        "Check a draft against constraints and snapshots",
        scope="read",
        description=(
            "Uses no model and stores nothing. A finding is a name that an active "
            "constraint of the project blocks, or a package or symbol that is in none "
            "of its snapshots. Names that the draft negates, proposes or supposes are "
            "not findings."
        ),
        request=GuardRequest,
        replies={200: reply(GuardBody)},
        refusals={
            400: "`text` is missing or not a string.",
            413: "The draft is too long.",
        },
    )
    def post(self, request: Request) -> Response:
        text = body_of(request, GuardRequest).text
        if len(text) > MAX_TEXT_LENGTH:
            problem = f"A draft has at most {MAX_TEXT_LENGTH} characters."
            raise ApiProblem(413, problem, errors=(("text", problem),))
        findings = guard(project=key_of(request).project, text=text)
        return Response(GuardBody.of(None, ok=not findings, findings=findings))


class SnapshotList(APIView):
    """The project's snapshots."""

    @operation(
        "snapshots",
        "List the snapshots of a project's names",
        scope="read",
        parameters=PAGE_PARAMETERS,
        replies={200: shown_page(SnapshotBody)},
    )
    def get(self, request: Request) -> Response:
        rows = snapshots(key_of(request).project)
        return page_of(rows, request, ordering=("name", "id"), body=SnapshotBody.of)


class SnapshotDetail(APIView):
    """One snapshot.

    Writing requires the scope `memory`, so that an agent's own key cannot declare
    hallucinated names to be real.
    """

    @operation(
        "readSnapshot",
        "Read a snapshot",
        scope="read",
        parameters=[NAME],
        replies={200: reply(SnapshotBody)},
    )
    def get(self, request: Request, name: str) -> Response:
        row = or_404(snapshots(key_of(request).project).filter(name=name).first())
        return Response(SnapshotBody.of(row))

    @operation(
        "putSnapshot",
        "Create or replace a snapshot",
        scope="memory",
        description=(
            "The body is the file itself: requirements.txt, uv.lock, poetry.lock,"
            " pyproject.toml, package.json, package-lock.json, pnpm-lock.yaml,"
            " yarn.lock, Cargo.toml, Cargo.lock, go.mod, go.sum, Gemfile,"
            " Gemfile.lock, composer.json, composer.lock, pom.xml, build.gradle; or"
            " with `file=symbols` one name a line."
        ),
        parameters=[
            NAME,
            OpenApiParameter(
                "file",
                str,
                description="Name of the file, if it differs from the snapshot's name.",
            ),
        ],
        request={"application/octet-stream": OpenApiTypes.BINARY},
        replies={200: reply(SnapshotBody), 201: reply(SnapshotBody)},
        refusals={
            400: "The file is invalid.",
            413: "Too many bytes, names or snapshots.",
        },
    )
    def put(self, request: Request, name: str) -> Response:
        try:
            row, created = services.put_snapshot(
                project=key_of(request).project,
                name=name,
                format_name=request.query_params.get("file") or name,
                data=request.body,
                actor=key_of(request),
            )
        except SnapshotRefusedError as error:
            raise ApiProblem(413 if error.too_large else 400, str(error)) from error
        return Response(SnapshotBody.of(row), status=201 if created else 200)

    @operation(
        "deleteSnapshot",
        "Delete a snapshot",
        scope="memory",
        parameters=[NAME],
        replies={204: None},
    )
    def delete(self, request: Request, name: str) -> Response:
        row = or_404(snapshots(key_of(request).project).filter(name=name).first())
        services.delete_snapshot(snapshot=row, actor=key_of(request))
        return Response(status=204)
