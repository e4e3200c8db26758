"""Types of the engine's input: interactions with tool calls, and mentions.

This is the only description of an interaction: the parser, its messages, the stored
row, the API's description, the tools of MCP and the client's types follow from it.
A new field is one line here (docs/adr/0065).
"""

from dataclasses import InitVar, dataclass, field
from decimal import Decimal
from enum import StrEnum
from itertools import pairwise
from typing import Annotated, Any, Literal, NotRequired, TypeAlias

from pydantic import (
    AfterValidator,
    BeforeValidator,
    FailFast,
    Field,
    PlainSerializer,
    WithJsonSchema,
)
from pydantic.json_schema import SkipJsonSchema
from typing_extensions import TypedDict

from verifyhub.common.contract import (
    AS_WHOLE,
    EMPTY_IS_ABSENT,
    MAX_ID,
    MAX_WHOLE,
    ContractModel,
    FreeArray,
    FreeObject,
    FreeValue,
    OptionalReference,
    Sha256,
    Strict,
    Whole,
    invalid_field,
)
from verifyhub.common.env import MAX_DOLLARS, MICRODOLLARS
from verifyhub.common.moments import from_iso

MAX_NAME = 200
MAX_LABEL = 50
MAX_TOOL_CALLS = 50_000
MAX_FILES = 10_000
MAX_PATH = 4096
MAX_ANCHORS = 1000
MAX_GOAL = 20_000
MAX_TURNS = 10_000
MAX_DURATION_MS = MAX_WHOLE

# Half-open range in Unicode code points.
Span: TypeAlias = tuple[int, int]


class CallStatus(StrEnum):
    """The status of a tool call, as reported by the agent's side."""

    OK = "ok"
    ERROR = "error"
    REFUSED = "refused"
    UNKNOWN = "unknown"


class VerificationType(StrEnum):
    """The role whose goal is checked (requirement C1)."""

    AGENT = "agent"
    ORCHESTRATOR = "orchestrator"
    MODERATOR = "moderator"


def _utc(text: str) -> str | None:
    if not text:
        return None
    if moment := from_iso(text):
        return moment
    raise ValueError("must be a date and time of ISO 8601.")


def _microdollars(value: Any) -> int | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ValueError("must be a number of US dollars.")
    if not 0 <= value <= MAX_DOLLARS:
        raise ValueError(f"must lie between 0 and {MAX_DOLLARS}.")
    # Through the shortest decimal text of the number: 0.29 dollars are 290000.
    return round(Decimal(str(value)) * MICRODOLLARS)


def _dollars(microdollars: int | None) -> float | None:
    return None if microdollars is None else microdollars / MICRODOLLARS


def _no_boolean(value: Any) -> Any:
    # Python takes True for 1.
    return None if isinstance(value, bool) else value


def _rising(calls: list[int]) -> list[int]:
    if any(left >= right for left, right in pairwise(calls)):
        raise ValueError("must rise.")
    return calls


def _lower(digest: str | None) -> str | None:
    return digest.lower() if digest else None


Name = Annotated[str, Field(max_length=MAX_NAME)]
RequiredName = Annotated[str, Field(min_length=1, max_length=MAX_NAME)]
Label = Annotated[str, Field(max_length=MAX_LABEL)]
OptionalName = Annotated[Name | None, AfterValidator(lambda text: text or None)]


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCall(ContractModel):
    """One tool call and its output."""

    id: OptionalName = None
    tool: RequiredName
    input: FreeObject = field(default_factory=dict)
    output: str = ""
    """The complete output of the tool; it is evidence."""
    status: CallStatus = CallStatus.UNKNOWN
    """How the call ended; default unknown."""
    is_error: InitVar[
        Annotated[
            bool | None,
            Field(
                strict=True,
                description="Shorthand for status error (true) or ok (false).",
            ),
        ]
    ] = None
    started_at: Annotated[
        str | None,
        Field(max_length=MAX_LABEL, json_schema_extra={"format": "date-time"}),
        AfterValidator(_utc),
    ] = None
    duration_ms: Whole | None = None
    # The position in the run, from 0; evidence points at it.
    index: SkipJsonSchema[Annotated[int, Field(init=False, exclude=True)]] = 0

    def __post_init__(self, is_error: bool | None) -> None:
        if is_error is None:
            return
        if self.status is CallStatus.UNKNOWN:
            status = CallStatus.ERROR if is_error else CallStatus.OK
            object.__setattr__(self, "status", status)
        elif is_error == (self.status is CallStatus.OK):
            raise invalid_field("is_error", f"contradicts the status {self.status}.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Agent(ContractModel):
    """The agent that answered."""

    name: Name = ""
    tier: Label = ""
    """small, medium or large; selects the model that checks the answer."""
    role: Label = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunUsage(ContractModel):
    """Resources that a run used, as reported by its own side; null if not reported."""

    input_tokens: Whole | None = None
    output_tokens: Whole | None = None
    cost_microdollars: Annotated[
        int | None,
        Field(alias="cost_usd"),
        BeforeValidator(_microdollars),
        PlainSerializer(_dollars),
        WithJsonSchema({"type": "number", "minimum": 0, "maximum": MAX_DOLLARS}),
    ] = None
    """In US dollars; kept to the millionth."""


class ListedFile(TypedDict):
    """A file as found after the run by the agent's side."""

    path: Annotated[str, Field(min_length=1, max_length=MAX_PATH)]
    sha256: Annotated[
        Sha256 | None, Field(description="Null if the file did not exist.")
    ]
    anchors: NotRequired[
        Annotated[
            list[str] | None,
            Field(
                max_length=MAX_ANCHORS,
                description="The claimed texts found in the file.",
            ),
        ]
    ]


class Turn(TypedDict):
    """One contribution to a discussion."""

    speaker: RequiredName
    text: str


class TraceSignature(TypedDict):
    """A tool gateway's signature over its calls (`ledger.seal`)."""

    version: Annotated[Literal[1], BeforeValidator(_no_boolean)]
    key_id: Annotated[str, Field(min_length=1, max_length=MAX_ID)]
    calls: Annotated[
        list[Annotated[int, Field(ge=0), AS_WHOLE]],
        Field(min_length=1, description="Positions in `tool_calls`, rising."),
        AfterValidator(_rising),
    ]
    signature: Annotated[str, Field(min_length=1, max_length=MAX_ID)]
    manifest: NotRequired[
        Annotated[
            Annotated[bool, Field(strict=True)],
            Field(description="Whether the signature also covers `manifest`."),
        ]
    ]


def _self_assessed(assessment: dict[str, Any]) -> dict[str, Any]:
    """Refuse what the verdict could not read; further fields are the agent's own."""
    for name in ("confidence", "completeness"):
        value = assessment.get(name)
        number = isinstance(value, int | float) and not isinstance(value, bool)
        if value is not None and not (number and 0 <= value <= 1):
            raise invalid_field(name, "must be a number from 0 to 1.")
    gaps = assessment.get("gaps")
    if gaps is not None and not isinstance(gaps, list):
        raise invalid_field("gaps", "must be a list.")
    for place, gap in enumerate(gaps or ()):
        if not isinstance(gap, str):
            raise invalid_field(f"gaps[{place}]", "must be a text.")
    if not isinstance(assessment.get("reasoning") or "", str):
        raise invalid_field("reasoning", "must be a text.")
    return assessment


_SHARE_SCHEMA = {"type": ["number", "null"], "minimum": 0, "maximum": 1}
# The agent's own assessment of its answer; other fields are stored as they are.
SelfAssessed: TypeAlias = Annotated[
    FreeObject,
    AfterValidator(_self_assessed),
    WithJsonSchema(
        {
            "type": "object",
            "additionalProperties": True,
            "properties": {
                "confidence": _SHARE_SCHEMA,
                "completeness": _SHARE_SCHEMA,
                "gaps": {"type": ["array", "null"], "items": {"type": "string"}},
                "reasoning": {"type": ["string", "null"]},
            },
        }
    ),
]


def _numbered(calls: tuple[ToolCall, ...]) -> tuple[ToolCall, ...]:
    # They are new, so nothing else holds them; `replace` would take half the time of
    # the parser.
    for index, call in enumerate(calls):
        object.__setattr__(call, "index", index)
    return calls


@dataclass(frozen=True, slots=True, kw_only=True)
class Interaction(ContractModel):
    """One task, the agent's answer to it and the tool calls it made, in order."""

    id: OptionalReference = None
    """Your own id. Sending the same id and content again returns the same interaction;
    different content returns 409."""
    task: str
    """The task of the agent."""
    answer: str
    """The answer of the agent."""
    session: OptionalReference = None
    """Your name of the conversation or job."""
    system_instructions: Annotated[str | None, EMPTY_IS_ABSENT] = None
    """Instructions that the agent received before the task: rules and policies. A value
    of the answer found here is marked as from the policy, never as found by a tool."""
    agent: Agent = Agent()
    parent: OptionalReference = None
    """The id of the interaction that this one follows: your id or the server's UUID.
    With the same task, this is the next attempt."""
    parent_expected: Annotated[bool | None, Field(strict=True)] = None
    """Whether the parent may arrive later, as an orchestrator's answer does after its
    subtasks; it is linked when it arrives. Otherwise a missing parent is rejected,
    except in bulk imports and OpenTelemetry traces."""
    tool_calls: Annotated[
        tuple[ToolCall, ...],
        Field(max_length=MAX_TOOL_CALLS),
        FailFast(),
        AfterValidator(_numbered),
    ] = ()
    self_assessment: SelfAssessed | None = None
    """The agent's assessment of its answer: `confidence` and `completeness` from 0 to
    1, `gaps`, `reasoning`, and any other fields."""
    claims: FreeArray | None = None
    sources: FreeArray | None = None
    metadata: FreeObject | None = None
    structured_output: FreeValue = None
    """The agent's work report: `summary`, `traceRef` (`trace:<id>`), `claims` and
    `artifacts`. Errors in it are reported in the verdict as level 1."""
    manifest: Annotated[
        list[Annotated[ListedFile, Strict()]] | None,
        Field(max_length=MAX_FILES),
        FailFast(),
    ] = None
    """Files as found after the run by your side."""
    goal: Annotated[
        Annotated[str, Field(max_length=MAX_GOAL)] | None, EMPTY_IS_ABSENT
    ] = None
    """The goal, if the task does not state it."""
    verification_type: VerificationType | None = None
    """Whose goal to check; by default derived from the agent's role."""
    discussion: Annotated[
        list[Annotated[Turn, Strict()]] | None,
        Field(max_length=MAX_TURNS),
        FailFast(),
        AfterValidator(lambda turns: turns or None),
    ] = None
    """The turns that a moderator summarizes, in order."""
    trace_signature: Annotated[TraceSignature, Strict()] | None = None
    usage: RunUsage | None = None
    """Resources used by the run. If set, the cost of verification is also shown as a
    share of them."""
    context_sha256: Annotated[Sha256 | None, AfterValidator(_lower)] = None
    """The `sha256` of the context that the agent received, to measure its effect."""


class MentionKind(StrEnum):
    """The kind of thing that a mention names."""

    FILE = "file"
    DIRECTORY = "directory"
    PACKAGE = "package"
    CLASS = "class"
    FUNCTION = "function"
    IDENTIFIER = "identifier"
    COMMAND = "command"
    URL = "url"
    ENVIRONMENT_VARIABLE = "environment_variable"
    COMMIT = "commit"
    VERSION = "version"


@dataclass(frozen=True, slots=True, kw_only=True)
class Mention:
    """A name in an answer, with all its places.

    `key` is the normalised form in which two mentions of one thing are equal; the
    original is never overwritten by it. `exempt` says why an absent name would not be
    an invention (`proposed`, `hypothetical`, `negated`, `quoted`), if it would not.
    """

    text: str
    kind: MentionKind
    spans: tuple[Span, ...]
    key: str
    exempt: str | None = None
