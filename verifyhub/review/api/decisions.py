"""Decisions by programs: a key acts as itself, and is shown as such."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import cast
from uuid import UUID

from drf_spectacular.utils import OpenApiResponse
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from verifyhub.accounts.authentication import key_of
from verifyhub.common.api import ApiProblem
from verifyhub.common.api_bodies import body_of, operation, refused
from verifyhub.common.api_schema import reply
from verifyhub.ingest.api.idempotency import idempotent
from verifyhub.review.api.decision_schemas import (
    DECISION_PROBLEMS,
    ActBody,
    BulkActBody,
    DecisionEffectBody,
    DecisionEffectsBody,
    DecisionRequest,
    ProposalBody,
    ReviewItemBody,
    StatementBody,
    UndoRequest,
)
from verifyhub.review.decide import foresee, judge, undo_act
from verifyhub.review.effect_words import effects_with_text
from verifyhub.review.errors import DecisionInvalidError, OwnAnswerError, ReviewError
from verifyhub.review.models import Act, Override, ReviewItem
from verifyhub.review.selectors import decisions, member_counts
from verifyhub.review.visibility import mask_for_programs

ITEM = reply(ReviewItemBody)


@contextmanager
def _decision_problems() -> Iterator[None]:
    """Convert refusals of a decision into problem details with their status."""
    try:
        yield
    except OwnAnswerError as error:
        raise ApiProblem(403, f"Refused: {error}.") from error
    except DecisionInvalidError as error:
        raise refused(error.field, f"{error.message}.") from error
    except ReviewError as error:
        raise ApiProblem(409, f"Not carried out: {error}.") from error


class ReviewItemDetail(APIView):
    """One review item with its decisions."""

    @operation(
        "getReviewItem",
        "Read a review item with its decisions",
        scope="read",
        replies={200: ITEM},
    )
    def get(self, request: Request, item_id: UUID) -> Response:
        return Response(item_body(_project_item(request, item_id)))


class Decide(APIView):
    """Decide as the API key."""

    @operation(
        "decideReviewItem",
        "Decide on an answer as the API key",
        scope="review",
        request=DecisionRequest,
        replies={
            200: reply(ActBody),
            202: OpenApiResponse(
                reply(ProposalBody),
                description="A second person must confirm the decision.",
            ),
        },
        refusals=DECISION_PROBLEMS,
    )
    @idempotent
    @_decision_problems()
    def post(self, request: Request, item_id: UUID) -> Response:
        body = body_of(request, DecisionRequest)
        judged = judge(
            item=_project_item(request, item_id),
            decision=body.decision,
            reviewer=key_of(request),
            version=body.version,
        )
        if judged.outcome is None:
            waiting: ProposalBody = {"act": None, "waits_for": "another person"}
            return Response(waiting, status=202)
        applied = judged.outcome
        done: ActBody = {
            "act": str(applied.act.id),
            "version": applied.item.version,
            "state": applied.item.state,
            "decisions": [_override_body(override) for override in applied.overrides],
        }
        return Response(done)


class DecisionPreview(APIView):
    """Preview a decision; nothing is stored."""

    @operation(
        "previewReviewDecision",
        "Preview the effects of a decision",
        scope="review",
        request=DecisionRequest,
        replies={200: reply(DecisionEffectsBody)},
        refusals=DECISION_PROBLEMS,
    )
    @_decision_problems()
    def post(self, request: Request, item_id: UUID) -> Response:
        body = body_of(request, DecisionRequest)
        foreseen = foresee(
            run=_project_item(request, item_id).verification,
            decision=body.decision,
            reviewer=key_of(request),
            version=body.version,
        )
        return Response({"effects": effects_with_text(foreseen.effects)})


class Undo(APIView):
    """Undo a decision."""

    @operation(
        "undoReviewAct",
        "Undo a decision on an answer",
        scope="review",
        request=UndoRequest,
        replies={200: ITEM},
        refusals=DECISION_PROBLEMS,
    )
    @idempotent
    @_decision_problems()
    def post(self, request: Request, item_id: UUID) -> Response:
        body, item = body_of(request, UndoRequest), _project_item(request, item_id)
        act = Act.objects.filter(
            project_id=item.project_id, id=body.act, overrides__item=item
        ).first()
        if act is None:
            raise ApiProblem(404, "This act does not include the answer.")
        undone = undo_act(
            act=act, item=item, actor=key_of(request), version=body.version
        )
        return Response(item_body(undone))


class ActDetail(APIView):
    """Progress of a bulk decision."""

    @operation(
        "getReviewAct",
        "Read the progress of a bulk decision",
        scope="read",
        replies={200: reply(BulkActBody)},
    )
    def get(self, request: Request, act_id: UUID) -> Response:
        acts = Act.objects.filter(project=key_of(request).project, kind=Act.Kind.BULK)
        act = acts.filter(id=act_id).select_related("reviewer", "api_key").first()
        if act is None:
            raise ApiProblem(404, "This project has no such bulk decision.")
        return Response(BulkActBody.of(act, answers=member_counts(act)))


def item_body(item: ReviewItem) -> ReviewItemBody:
    """Return an item's body, including undone decisions; gold is shown as undecided."""
    hidden = mask_for_programs(item)
    return {
        "id": str(item.id),
        "interaction": str(item.interaction_id),
        "version": item.version,
        "state": item.state,
        "machine_verdict": item.verification.verdict,
        "human_verdict": item.human_verdict or None,
        "resolved_by": item.resolver or None,
        "decisions": [
            _override_body(override) for override in decisions(item) if not hidden
        ],
    }


def _override_body(override: Override) -> StatementBody:
    subject = {"text": override.mention.text} if override.mention else override.subject
    return {
        "id": str(override.id),
        "act": str(override.act_id) if override.act_id else None,
        "target": override.target,
        "subject": subject or None,
        "before": override.before or None,
        "after": override.after or None,
        "text": override.text or None,
        "reason": override.reason,
        "reason_codes": override.reason_codes,
        "by": override.by,
        "created_at": override.created_at.isoformat(),
        "undone_at": override.undone_at.isoformat() if override.undone_at else None,
        "effects": cast(list[DecisionEffectBody], effects_with_text(override.effects)),
    }


def _project_item(request: Request, item_id: UUID) -> ReviewItem:
    item = (
        ReviewItem.objects.filter(project=key_of(request).project, id=item_id)
        .select_related("verification", "interaction", "project", "resolved_by")
        .first()
    )
    if item is None:
        raise ApiProblem(404, "This project has no such review item.")
    return item
