"""Rows as the JSON bodies of the API."""

from functools import cache
from typing import Annotated, Any, NotRequired
from uuid import UUID

from django.http import HttpRequest
from django.urls import get_script_prefix, reverse
from django.utils import timezone
from pydantic import Field
from typing_extensions import TypedDict

from verifyhub.common.api import FieldErrorBody
from verifyhub.common.contract import (
    Count,
    MomentText,
    Share,
    UriText,
    UuidText,
    component,
    one_of,
)
from verifyhub.engine.presets.strictness import Strictness
from verifyhub.engine.reports import Verdict
from verifyhub.ingest.formats.native import as_native
from verifyhub.ingest.models import Interaction
from verifyhub.verification.api.reading_order import in_reading_order
from verifyhub.verification.models import Verification
from verifyhub.verification.steps import PEOPLE_OF_VERDICT

NO_ID = UUID(int=0)
StateText = Annotated[str, one_of(Verification.State)]
VerdictText = Annotated[str, one_of(Verdict)]
StrictnessText = Annotated[str, one_of(Strictness)]


class LinksBody(TypedDict):
    self: UriText
    verdict: UriText
    page: UriText


class AgentNamesBody(TypedDict):
    name: str
    tier: str
    role: str


class VerificationRunBody(TypedDict):
    number: Annotated[int, Field(ge=1)]
    state: StateText
    verdict: VerdictText | None
    strictness: StrictnessText | None
    """The preset; null for the project's preset."""
    created_at: MomentText
    finished_at: MomentText | None


class AcceptedBody(TypedDict):
    id: str
    state: StateText
    links: LinksBody
    verification: NotRequired[VerificationRunBody]


class InteractionSummaryBody(TypedDict):
    id: str
    """Your id, if you set one; otherwise the UUID."""
    uuid: UuidText
    state: StateText | None
    created_at: MomentText
    session: str | None
    agent: AgentNamesBody
    verdict: VerdictText | None
    confidence: Share | None
    coverage: Share | None
    links: LinksBody


class HumanStatusBody(TypedDict):
    index: Count
    text: str
    machine_status: str
    human_status: str


class MissedSpanBody(TypedDict):
    text: str
    kind: str
    """A kind of mention, or `claim`."""
    human_status: str
    suggestion: str
    """The correct name; empty if unknown."""
    span: Annotated[list[Count], Field(min_length=2, max_length=2)]
    """Half-open range in Unicode code points."""


class AnswerReviewBody(TypedDict):
    verdict: VerdictText | None
    mentions: list[HumanStatusBody]
    """Names whose status a reviewer decided."""
    claims: list[HumanStatusBody]
    """Claims of work done whose status a reviewer decided."""
    facts: list[HumanStatusBody]
    """Claims of fact that a reviewer called correct or wrong."""
    missed: list[MissedSpanBody]
    """Names and claims that VerifyHub missed and a reviewer added."""
    correction: str | None
    """The answer as corrected by a reviewer."""


class InteractionDetailBody(TypedDict):
    # What stands in it beside what was sent: `components` joins the two.
    id: str
    """Your id, if you set one; otherwise the UUID."""
    uuid: UuidText
    state: StateText | None
    error: str
    """Why the verification failed, if it did."""
    created_at: MomentText
    outputs_removed_at: MomentText | None
    """When the project's retention deleted the tool inputs and outputs. Placeholders
    replace them, and the run cannot be verified again."""
    agent: AgentNamesBody
    verdict: Annotated[dict[str, Any], component("Verdict")] | None
    review: AnswerReviewBody | None
    """Reviewers' decisions on the answer, its names and its claims."""
    verification_results: list[dict[str, Any]]
    """Results of goal checks, oldest first."""
    links: LinksBody


class TurnResultBody(TypedDict):
    id: str
    """`SESSION:TURN`; the same each time you send the transcript."""
    uuid: UuidText | None
    status: Annotated[int, Field(json_schema_extra={"enum": [200, 201, 409, 422]})]
    """201 created, 200 already existed, 409 id used for different content, 422
    invalid."""
    links: LinksBody | None
    error: FieldErrorBody | None


class UnderstoodBody(TypedDict):
    """Number of turns, answers, tool calls, and tool calls with an output."""

    turns: Count
    answers: Count
    calls: Count
    outputs: Count


class NotMappedBody(TypedDict):
    kind: str
    count: Count
    first: str
    """Position of the first occurrence."""


class TranscriptReplyBody(TypedDict):
    format: str
    """The detected format."""
    understood: UnderstoodBody
    not_mapped: list[NotMappedBody]
    """Entries that are not part of a run."""
    unfinished: str | None
    """The id of the last turn, omitted because it may not be complete; send
    `final=true` to include it."""
    remaining: Count
    """Turns that did not fit in this request; send the same transcript again to store
    them."""
    results: list[TurnResultBody]


def public_id(interaction: Interaction) -> str:
    """Return the client's id if it gave one, else ours."""
    return interaction.client_id or str(interaction.id)


def links(request: HttpRequest, interaction: Interaction) -> LinksBody:
    """Return absolute URLs, with our id, which needs no escaping."""
    return links_of(request, interaction.project.slug, interaction.id)


def links_of(request: HttpRequest, slug: str, uuid: UUID) -> LinksBody:
    """Return the same URLs by project and id alone."""
    origin = request.build_absolute_uri("/").rstrip("/")
    own, verdict = _paths(get_script_prefix())
    return {
        "self": origin + own.replace(str(NO_ID), str(uuid)),
        "verdict": origin + verdict.replace(str(NO_ID), str(uuid)),
        # `review` lies above this package, so its pages are known by address alone.
        "page": f"{origin}/p/{slug}/answers/{uuid}/",
    }


@cache
def _paths(_prefix: str) -> tuple[str, str]:
    """Return the paths of an interaction and of its verdict, for `NO_ID`.

    Django takes a tenth of a millisecond to build those of one interaction.
    """
    names = ("api-interaction", "api-interaction-verdict")
    own, verdict = (reverse(name, args=[NO_ID]) for name in names)
    return own, verdict


def accepted(
    request: HttpRequest, interaction: Interaction, state: str
) -> AcceptedBody:
    """Return the body of a 202; `state` is that of the newest verification."""
    own = links(request, interaction)
    return {"id": public_id(interaction), "state": state, "links": own}


def run(verification: Verification) -> VerificationRunBody:
    """Return one verification of an interaction, without its report."""
    ended = verification.finished_at
    return {
        "number": verification.number,
        "state": verification.state,
        "verdict": verification.verdict or None,
        "strictness": verification.strictness or None,
        "created_at": verification.created_at.isoformat(),
        "finished_at": ended.isoformat() if ended else None,
    }


def summary(
    request: HttpRequest, interaction: Interaction, newest: Verification | None
) -> InteractionSummaryBody:
    """Return one interaction of a list, without its texts."""
    return {
        "id": public_id(interaction),
        "uuid": str(interaction.id),
        "state": newest.state if newest else None,
        "created_at": interaction.created_at.isoformat(),
        "session": interaction.session.key if interaction.session else None,
        "agent": {
            "name": interaction.agent_name,
            "tier": interaction.agent_tier,
            "role": interaction.agent_role,
        },
        "verdict": (newest.verdict or None) if newest else None,
        "confidence": newest.confidence if newest else None,
        "coverage": newest.coverage if newest else None,
        "links": links(request, interaction),
    }


def detail(
    request: HttpRequest,
    interaction: Interaction,
    newest: Verification | None,
    judged: Verification | None,
) -> dict[str, Any]:
    """Return one interaction as sent, with its verdict and people's decisions.

    Args:
        newest: The newest verification, whose state is shown.
        judged: The newest finished one, whose verdict is shown.
    """
    removed = interaction.outputs_removed_at
    return {
        **as_native(interaction.in_engine),
        "id": public_id(interaction),
        "uuid": str(interaction.id),
        "state": newest.state if newest else None,
        "error": newest.error if newest else "",
        "created_at": interaction.created_at.isoformat(),
        "outputs_removed_at": removed.isoformat() if removed else None,
        "verdict": judged and in_reading_order(judged.verdict_object.as_dict()),
        "review": _review(judged) if judged else None,
        "verification_results": interaction.verification_results,
        "links": links(request, interaction),
    }


def _review(verification: Verification) -> dict[str, Any] | None:
    """Return people's verdicts on the answer, its names and claims; None without any.

    None as well while the answer is gold: its reviewers must not be able to look it up.
    """
    withheld = verification.review_withheld_until
    if withheld is not None and withheld > timezone.now():
        return None
    names = verification.mentions.exclude(human_status="").order_by("index")
    review: dict[str, Any] = {
        "verdict": verification.human_verdict or None,
        "mentions": [
            {
                "index": mention.index,
                "text": mention.text,
                "machine_status": mention.status,
                "human_status": mention.human_status,
            }
            for mention in names
        ],
    }
    for people in PEOPLE_OF_VERDICT:
        review |= people(verification)
    return review if any(review.values()) else None
