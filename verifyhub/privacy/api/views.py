"""API: a project's masking settings."""

from typing import Any

from drf_spectacular.utils import OpenApiExample, OpenApiResponse
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from verifyhub.accounts.authentication import key_of
from verifyhub.accounts.masking import MaskingSettings, PatternError, set_masking
from verifyhub.accounts.models import Project
from verifyhub.common.api_bodies import body_of, operation, refused
from verifyhub.common.contract import reader_of

MASKING: dict[str, Any] = {
    "secrets": "sealed",
    "personal": ["email", "iban"],
    "patterns": [{"name": "staff", "pattern": "EMP-####"}],
    "shown_to": "admin",
    "sends_unmasked": False,
}
IN_FORCE = OpenApiResponse(
    MaskingSettings,
    description="The active calibrations and blocking threshold.",
    examples=[OpenApiExample("Settings", MASKING)],
)


class Masking(APIView):
    """The settings as one document."""

    @operation(
        "readMasking",
        "Read which secrets and personal data are masked",
        scope="read",
        replies={200: IN_FORCE},
    )
    def get(self, request: Request) -> Response:
        return Response(_written(key_of(request).project))

    @operation(
        "putMasking",
        "Choose which secrets and personal data are masked",
        scope="manage",
        description="Applies to new runs; stored runs do not change.",
        request=MaskingSettings,
        example=MASKING,
        replies={200: IN_FORCE},
    )
    def put(self, request: Request) -> Response:
        values = body_of(request, MaskingSettings)
        try:
            project = set_masking(
                project=key_of(request).project, values=values, actor=key_of(request)
            )
        except PatternError as error:
            raise refused("patterns", str(error)) from error
        return Response(_written(project))


def _written(project: Project) -> dict[str, Any]:
    return reader_of(MaskingSettings).write(MaskingSettings.of(project))
