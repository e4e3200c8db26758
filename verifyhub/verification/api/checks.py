"""Which claims and layers a project wants checked, for programs."""

from typing import Any, cast

from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from verifyhub.accounts.models import ApiKey, Project
from verifyhub.common.api import ApiProblem
from verifyhub.common.contract import FormatError
from verifyhub.engine.errors import ProfileError
from verifyhub.engine.layer_results import LayerName, RiskLevel
from verifyhub.engine.layers.base import EntropyBy
from verifyhub.ingest.formats.fields import Fields
from verifyhub.verification.api import detection_schemas as schemas
from verifyhub.verification.api.detection_bodies import refusal
from verifyhub.verification.check_choices import Claims, Layers
from verifyhub.verification.services import CheckValues, update_checks

FIELDS = ("claims", "layers", "layers_off", "entropy_by", "risk", "profiles")


class CheckSettings(APIView):
    """The settings as one document."""

    required_scopes = {"GET": "read", "PUT": "review"}

    @schemas.read_settings
    def get(self, request: Request) -> Response:
        return Response(_told(_key(request).project))

    @schemas.put_settings
    def put(self, request: Request) -> Response:
        try:
            values = _values(request.data)
            project = update_checks(
                project=_key(request).project, values=values, actor=_key(request)
            )
        except FormatError as error:
            raise refusal(error) from error
        except ProfileError as error:
            raise ApiProblem(
                400,
                f"The profiles are refused: {error}",
                errors=tuple(
                    (f"profiles.{field}".rstrip("."), why)
                    for field, why in error.errors.items()
                ),
            ) from error
        return Response(_told(project))


def _values(data: Any) -> CheckValues:
    fields = Fields("", data, FIELDS)
    off = fields.of_type("layers_off", list, "an array of layers") or []
    if not all(isinstance(name, str) and name in set(LayerName) for name in off):
        fields.fail("layers_off", f"may hold {', '.join(LayerName)}.")
    risk = fields.text("risk")
    if risk is not None and risk not in set(RiskLevel):
        fields.fail("risk", f"must be one of {', '.join(RiskLevel)}.")
    entropy_by = fields.text("entropy_by")
    if entropy_by is not None and entropy_by not in set(EntropyBy):
        fields.fail("entropy_by", f"must be one of {', '.join(EntropyBy)}.")
    return CheckValues(
        claims=_choice(fields, "claims", Claims.values),
        layers=_choice(fields, "layers", Layers.values),
        layers_off=tuple(dict.fromkeys(off)),
        risk=risk or "",
        entropy_by=entropy_by or EntropyBy.ENTAILMENT,
        profiles=fields.of_type("profiles", dict, "an object of levels") or {},
    )


def _choice(fields: Fields, name: str, values: list[str]) -> str:
    value = fields.required_text(name)
    if value not in values:
        fields.fail(name, f"must be one of {', '.join(values)}.")
    return value


def _told(project: Project) -> dict[str, Any]:
    held = CheckValues.of(project)
    return {
        "claims": held.claims,
        "layers": held.layers,
        "layers_off": list(held.layers_off),
        "entropy_by": held.entropy_by,
        "risk": held.risk or None,
        "profiles": dict(held.profiles),
    }


def _key(request: Request) -> ApiKey:
    return cast(ApiKey, request.auth)
