"""API: the settings of a project's claims and layers."""

from typing import Any

from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from verifyhub.accounts.authentication import key_of
from verifyhub.accounts.models import Project
from verifyhub.common.api import ApiProblem
from verifyhub.common.api_bodies import body_of
from verifyhub.common.contract import reader_of
from verifyhub.engine.errors import PairsError, ProfileError
from verifyhub.verification.api import detection_schemas as schemas
from verifyhub.verification.services import NewCheckSettings, update_checks


class CheckSettings(APIView):
    """The settings as one document."""

    @schemas.read_settings
    def get(self, request: Request) -> Response:
        return Response(_written(key_of(request).project))

    @schemas.put_settings
    def put(self, request: Request) -> Response:
        values = body_of(request, NewCheckSettings)
        try:
            project = update_checks(
                project=key_of(request).project, values=values, actor=key_of(request)
            )
        except ProfileError as error:
            raise _invalid(
                f"The profiles are invalid: {error}",
                {f"profiles.{at}".rstrip("."): why for at, why in error.errors.items()},
            ) from error
        except PairsError as error:
            pairs = error.errors.items()
            raise _invalid(
                f"The pairs are invalid: {error}",
                {f"{at}.{row - 1}" if row else at: why for (at, row), why in pairs},
            ) from error
        return Response(_written(project))


def _invalid(message: str, errors: dict[str, str]) -> ApiProblem:
    return ApiProblem(400, message, errors=tuple(errors.items()))


def _written(project: Project) -> dict[str, Any]:
    return reader_of(NewCheckSettings).write(NewCheckSettings.of(project))
