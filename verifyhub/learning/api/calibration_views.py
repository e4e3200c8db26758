"""Fit, activate and take back calibrations; calibrate one score (E7, E9)."""

from collections.abc import Iterator
from contextlib import contextmanager
from uuid import UUID

from django.shortcuts import get_object_or_404
from django.utils import timezone
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from verifyhub.accounts.authentication import key_of
from verifyhub.common.api import ApiProblem
from verifyhub.common.api_bodies import body_of, operation
from verifyhub.common.api_schema import reply
from verifyhub.engine.errors import CalibrationError
from verifyhub.engine.layer_results import UNCALIBRATED
from verifyhub.ingest.api.idempotency import idempotent
from verifyhub.learning import selectors, services
from verifyhub.learning.api import calibration_bodies as shapes
from verifyhub.learning.models import CalibrationModel

CONFLICT = "Not possible in the current state; `detail` gives the reason."


class CalibrationsView(APIView):
    """Calibrations and the active blocking threshold."""

    @operation(
        "calibrations",
        "List the calibrations and the blocking threshold",
        scope="read",
        replies={200: reply(shapes.BoardBody)},
    )
    def get(self, request: Request) -> Response:
        project = key_of(request).project
        body = shapes.BoardBody.of(
            None,
            checks=selectors.board(project, now=timezone.now()),
            blocking=selectors.conformal_in_force(project),
        )
        return Response(body)


class FitView(APIView):
    """Fit a calibration."""

    @operation(
        "calibration_fit",
        "Fit a draft calibration of a check to the newest decisions",
        scope="manage",
        request=shapes.FitRequest,
        examples=[shapes.FIT],
        replies={201: reply(shapes.VersionBody)},
        refusals={409: CONFLICT},
    )
    @idempotent
    def post(self, request: Request) -> Response:
        body, key = body_of(request, shapes.FitRequest), key_of(request)
        with _as_problems():
            model = services.fit_calibration(
                project=key.project, check=body.check, actor=key, now=timezone.now()
            )
        return Response(shapes.VersionBody.of(model), status=201)


class ActivateView(APIView):
    """Activate a calibration."""

    @operation(
        "calibration_activate",
        "Activate a version; refused if no text could pass a risk profile",
        scope="manage",
        request=None,
        replies={200: reply(shapes.VersionBody)},
        refusals={409: CONFLICT},
    )
    @idempotent
    def post(self, request: Request, model_id: UUID) -> Response:
        key = key_of(request)
        rows = CalibrationModel.objects.filter(project=key.project)
        model = get_object_or_404(rows.select_related("project"), id=model_id)
        with _as_problems():
            model = services.activate_calibration(model=model, actor=key)
        return Response(shapes.VersionBody.of(model))


class ReturnView(APIView):
    """Deactivate a calibration."""

    @operation(
        "calibration_return",
        "Revert a check to its previous version or to raw scores",
        scope="manage",
        request=shapes.ReturnRequest,
        examples=[shapes.RETURN],
        replies={200: reply(shapes.InForceBody)},
        refusals={409: CONFLICT},
    )
    @idempotent
    def post(self, request: Request) -> Response:
        body, key = body_of(request, shapes.ReturnRequest), key_of(request)
        with _as_problems():
            restored = services.return_calibration(
                project=key.project,
                check=body.check,
                actor=key,
                uncalibrated=body.to == UNCALIBRATED,
            )
        version = restored.version if restored else UNCALIBRATED
        return Response(shapes.InForceBody.of(body, calibration=version))


class BlockingView(APIView):
    """The threshold below which answers are blocked."""

    @operation(
        "blocking_on",
        "Block answers below a threshold with few false blocks",
        scope="manage",
        request=shapes.BlockRequest,
        examples=[shapes.BLOCK],
        replies={201: reply(shapes.BlockingBody)},
        refusals={409: CONFLICT},
    )
    @idempotent
    def post(self, request: Request) -> Response:
        body, key = body_of(request, shapes.BlockRequest), key_of(request)
        with _as_problems():
            rule = services.switch_blocking_on(
                project=key.project,
                check=body.check,
                at_most=body.at_most,
                actor=key,
                now=timezone.now(),
            )
        return Response(shapes.BlockingBody.of(rule), status=201)

    @operation(
        "blocking_off",
        "Stop blocking answers by score",
        scope="manage",
        replies={204: None},
        refusals={409: CONFLICT},
    )
    def delete(self, request: Request) -> Response:
        key = key_of(request)
        with _as_problems():
            services.switch_blocking_off(project=key.project, actor=key)
        return Response(status=204)


class CalibrateView(APIView):
    """One score."""

    @operation(
        "detection_calibrate",
        "Turn a check's raw score into a probability",
        scope="read",
        request=shapes.CalibrateRequest,
        examples=[shapes.CALIBRATE, shapes.CALIBRATED],
        replies={200: reply(shapes.CalibratedBody)},
    )
    def post(self, request: Request) -> Response:
        request_body = body_of(request, shapes.CalibrateRequest)
        curve = selectors.calibrators_in_force(key_of(request).project).get(
            request_body.check
        )
        body = shapes.CalibratedBody.of(
            request_body,
            calibrated=curve.apply(request_body.score) if curve else None,
            calibration=curve.version if curve else UNCALIBRATED,
        )
        return Response(body)


@contextmanager
def _as_problems() -> Iterator[None]:
    """Say as a problem why an act was refused.

    Raises:
        ApiProblem: 409, with what stands in its way.
    """
    try:
        yield
    except services.CalibrationMovedError as error:
        raise ApiProblem(409, f"Not possible in the current state: {error}.") from error
    except services.NoRuleError as error:
        raise ApiProblem(409, "No blocking threshold is active.") from error
    except services.CheckNotPerAnswerError as error:
        detail = f"{error} scores parts of an answer; a threshold cannot block by it."
        raise ApiProblem(409, detail) from error
    except (CalibrationError, services.ProfileImpossibleError) as error:
        raise ApiProblem(409, str(error)) from error
