"""The tools: verify, guard, context, explain_verdict."""

from typing import Annotated
from urllib.parse import urlsplit

from mcp.server.mcpserver.exceptions import ToolError
from mcp_types import ToolAnnotations
from pydantic import Field

from verifyhub.common.contract import reader_of
from verifyhub.engine.types import Agent, Interaction
from verifyhub.mcp_server import caller, inputs, results
from verifyhub.mcp_server.hub import (
    MAX_WAIT_SECONDS,
    Hub,
    HubProblem,
    HubReply,
    segment,
)
from verifyhub.mcp_server.shapes import (
    ContextReply,
    ExplainReply,
    GuardReply,
    VerifyReply,
)

READS = ToolAnnotations(
    read_only_hint=True, idempotent_hint=True, open_world_hint=False
)
KEEPS = ToolAnnotations(
    read_only_hint=False,
    destructive_hint=False,
    idempotent_hint=True,
    open_world_hint=False,
)
DEFAULT_WAIT_SECONDS = 20
DEFAULT_BUDGET = 1000


class McpTools:
    """The tools of one hub.

    Args:
        hub: The hub that requests are sent to.
        public_url: The address people use, for links.
    """

    def __init__(self, hub: Hub, public_url: str) -> None:
        self._hub, self._public_url = hub, public_url.rstrip("/")

    async def verify(
        self,
        task: inputs.Task,
        answer: inputs.Answer,
        tool_calls: inputs.ToolCalls,
        session: inputs.Session = "",
        id: Annotated[  # noqa: A002 - the API's own word
            str, Field(description="Your own id of this answer; must be unused.")
        ] = "",
        agent: Agent | None = None,
        parent: Annotated[
            str, Field(description="The id of the answer that this one improves.")
        ] = "",
        goal: Annotated[str, Field(description="The goal of the run.")] = "",
        sources: Annotated[
            list[str | inputs.Source] | None,
            Field(description="The source texts of the answer."),
        ] = None,
        context_sha256: Annotated[
            str, Field(description="The sha256 of the context that the agent received.")
        ] = "",
        wait_seconds: Annotated[
            int,
            Field(
                ge=0,
                le=MAX_WAIT_SECONDS,
                description=(
                    "Seconds to wait for the verdict; after that, the state is pending."
                ),
            ),
        ] = DEFAULT_WAIT_SECONDS,
    ) -> VerifyReply:
        """Verify an answer against the outputs of the run's tools.

        Call it before you give the answer: it lists files, functions, packages and
        results that no tool returned. VerifyHub stores the answer and the verdict.
        """
        run = Interaction(
            task=task,
            answer=answer,
            tool_calls=tuple(tool_calls),
            session=session or None,
            id=id or None,
            agent=agent or Agent(),
            parent=parent or None,
            goal=goal or None,
            sources=sources or None,
            context_sha256=context_sha256 or None,
        )
        with _ToolErrors():
            reply = await self._hub.verify(
                caller.key(),
                reader_of(Interaction).write(run),
                wait_seconds=float(wait_seconds),
            )
            return _judged(reply)

    async def guard(
        self, text: Annotated[str, Field(description="The draft of an answer.")]
    ) -> GuardReply:
        """Check a draft for names that are known to be wrong in this project.

        Fast: uses no model and stores nothing.
        """
        with _ToolErrors():
            reply = await self._hub.post(caller.key(), "/guard/", {"text": text})
            return results.guarded(reply.data)

    async def context(
        self,
        session: inputs.Session,
        task: Annotated[
            str, Field(description="The next task; entries relevant to it come first.")
        ] = "",
        budget: Annotated[
            int,
            Field(ge=1, le=32_000, description="Maximum number of tokens of the text."),
        ] = DEFAULT_BUDGET,
    ) -> ContextReply:
        """Read the memory of earlier turns: corrections, facts, known wrong names,
        gaps.

        Call it before a task.
        """
        with _ToolErrors():
            reply = await self._hub.get(
                caller.key(),
                f"/sessions/{segment('session', session)}/context/",
                query={"task": task, "budget": str(budget), "format": "json"},
            )
            return results.context_reply(reply.data)

    async def explain_verdict(
        self,
        id: Annotated[  # noqa: A002 - the API's own word
            str, Field(description="The id returned by `verify`, or your own id.")
        ],
    ) -> ExplainReply:
        """Explain the verdict on an answer: every name and claim, with its evidence.

        Includes reviewers' decisions, which override the verdict. Also returns a
        verdict that was pending.
        """
        with _ToolErrors():
            reply = await self._hub.get(
                caller.key(), f"/interactions/{segment('id', id)}/"
            )
            page = urlsplit(str(reply.data["links"]["page"])).path
            return results.explained(reply.data, self._public_url + page)


class _ToolErrors:
    """Converts the hub's refusals to errors of the tool."""

    def __enter__(self) -> None:
        pass

    def __exit__(self, _kind: object, error: object, _trace: object) -> None:
        if isinstance(error, HubProblem):
            raise ToolError(refusal(error)) from error
        if isinstance(error, LookupError | TypeError | ValueError):
            raise ToolError(
                "This version does not support the VerifyHub server's response."
            ) from error


def refusal(problem: HubProblem) -> str:
    """Return a problem as one text for a model: the reason, by field."""
    lines = [problem.detail]
    lines += [f"- {field or 'request'}: {text}" for field, text in problem.errors]
    return "\n".join(lines)


def _judged(reply: HubReply) -> VerifyReply:
    if reply.status == 202:
        return results.pending(str(reply.data["id"]))
    return results.verified(reply.data)
