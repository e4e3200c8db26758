"""Parameters that figures have in common: which answers they count."""

from dataclasses import asdict, dataclass
from datetime import date
from typing import Annotated, Literal

from django.utils import timezone
from pydantic import Field
from rest_framework.request import Request

from verifyhub.common.api_bodies import query_of, refused
from verifyhub.common.contract import ContractModel
from verifyhub.metrics.windows import MAX_NAME, Window, window_from

Name = Annotated[str, Field(max_length=MAX_NAME)]


@dataclass(frozen=True, slots=True, kw_only=True)
class DaysQuery(ContractModel):
    """The days whose answers count."""

    days: Annotated[
        Literal["7", "30", "90", "all"] | None,
        Field(description="Number of days to include; default 30."),
    ] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class WindowQuery(DaysQuery):
    """Which answers count."""

    since: Annotated[date | None, Field(description="First day, UTC.")] = None
    until: Annotated[date | None, Field(description="Last day, inclusive.")] = None
    agent: Annotated[Name, Field(description="Only answers of this agent.")] = ""
    tier: Annotated[Name, Field(description="Only answers of this tier.")] = ""
    model: Annotated[Name, Field(description="Only answers of this model.")] = ""


def window_of(request: Request, kind: type[DaysQuery] = WindowQuery) -> Window:
    """Read the window that a request asks for.

    Raises:
        ApiProblem: 400 with the invalid parameter.
    """
    query = query_of(request, kind)
    asked = {name: str(value) for name, value in asdict(query).items() if value}
    if "" < asked.get("until", "") < asked.get("since", ""):
        raise refused("until", "must not be before since.")
    return window_from(query.days or "", timezone.now(), asked)
