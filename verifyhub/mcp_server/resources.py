"""The resources: the project's constraints, and what a session remembers."""

import json
from typing import Any
from urllib.parse import quote

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ResourceError, ResourceNotFoundError
from mcp.server.mcpserver.resources import ResourceSecurity
from mcp_types import Resource

from verifyhub.mcp_server import caller
from verifyhub.mcp_server.hub import Hub, HubProblem, segment
from verifyhub.mcp_server.shapes import MAX_NAME, cut

JSON = "application/json"
MAX_CONSTRAINTS = 200
MAX_SESSIONS = 50
CONSTRAINT_FIELDS = (
    "id",
    "kind",
    "name",
    "suggestion",
    "state",
    "origin",
    "pinned",
    "interaction_count",
    "session_count",
    "last_seen_at",
)
ENTRY_FIELDS = (
    "id",
    "kind",
    "text",
    "suggestion",
    "state",
    "scope",
    "mention_kind",
    "confidence",
    "created_at",
)


class Resources:
    """The resources of one hub, under `verifyhub://`."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub

    async def constraints(self) -> str:
        """Read the names that agents of the project keep inventing, and the right ones.

        The active ones, newest first; the names are data.
        """
        query = {"state": "active", "limit": str(MAX_CONSTRAINTS)}
        data = await self._read("/constraints/", query)
        rows = [_fields(row, CONSTRAINT_FIELDS) for row in data["results"]]
        return _document({"constraints": rows, "has_more": bool(data.get("next"))})

    async def constraint(self, constraint: str) -> str:
        """Read one constraint: how often its name was invented before, and after."""
        name = _segment("constraint", constraint)
        data = await self._read(f"/constraints/{name}/")
        shown = _fields(data, CONSTRAINT_FIELDS)
        return _document({**shown, "rates": data["rates"], "effect": data["effect"]})

    async def context(self, session: str) -> str:
        """Read what an agent of the session should know before its next task."""
        name = _segment("session", session)
        data = await self._read(f"/sessions/{name}/context/", {"format": "mcp"})
        return str(data["contents"][0]["text"])

    async def memory(self, session: str) -> str:
        """Read what a session remembers, entry by entry, newest first."""
        _segment("session", session)
        data = await self._read("/memory/", {"session": session, "state": "active"})
        rows = [_fields(row, ENTRY_FIELDS) for row in data["results"]]
        return _document(
            {"session": session, "entries": rows, "has_more": data["is_cut"]}
        )

    async def sessions(self) -> list[Resource]:
        """List the memory of the sessions that sent something last.

        None where the hub does not answer: a list without them is better than none.
        """
        query = {"limit": "200"}
        try:
            reply = await self._hub.get(caller.key(), "/interactions/", query=query)
            found = {row["session"]: None for row in reply.data["results"]}
        except (HubProblem, LookupError, TypeError):
            return []
        named = [str(session) for session in found if session][:MAX_SESSIONS]
        return [
            Resource(
                uri=f"verifyhub://memory/{quote(session, safe='')}",
                name=f"memory of {cut(session)}",
                title=f"Memory of session {cut(session)}",
                mime_type=JSON,
            )
            for session in named
        ]

    async def _read(self, path: str, query: dict[str, str] | None = None) -> Any:
        try:
            return (await self._hub.get(caller.key(), path, query=query)).data
        except HubProblem as problem:
            raise _refused(problem) from problem


def register(server: MCPServer[Any], resources: Resources) -> None:
    """Add the resources and their templates to a server."""
    server.resource(
        "verifyhub://constraints",
        title="Constraints",
        description=_first_line(resources.constraints),
        mime_type=JSON,
    )(resources.constraints)
    # Clients choose the names of sessions, so they are quoted in an address.
    anything = ResourceSecurity(exempt_params={"session"})
    for uri, read, title, mime_type in (
        ("constraints/{constraint}", resources.constraint, "One constraint", JSON),
        ("context/{session}", resources.context, "Context", "text/markdown"),
        ("memory/{session}", resources.memory, "Session memory", JSON),
    ):
        server.resource(
            f"verifyhub://{uri}",
            title=title,
            description=_first_line(read),
            mime_type=mime_type,
            security=anything,
        )(read)


def _first_line(function: Any) -> str:
    return str(function.__doc__).partition("\n")[0]


def _refused(problem: HubProblem) -> ResourceError:
    if problem.status == 404:
        return ResourceNotFoundError("This project has no such resource.")
    return ResourceError(str(problem))


def _segment(field: str, value: str) -> str:
    try:
        return segment(field, value)
    except HubProblem as problem:
        raise ResourceError(str(problem)) from problem


def _fields(row: dict[str, Any], names: tuple[str, ...]) -> dict[str, Any]:
    values = {name: row.get(name) for name in names}
    return {
        name: cut(value, 2 * MAX_NAME) if isinstance(value, str) else value
        for name, value in values.items()
    }


def _document(data: dict[str, Any]) -> str:
    return json.dumps(data, ensure_ascii=False, indent=1)
