"""Parameters that figures have in common: which answers they count."""

from django.utils import timezone
from django.utils.dateparse import parse_date
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request

from verifyhub.common.api_bodies import refused
from verifyhub.metrics.windows import CHOICES, MAX_NAME, Window, window_from

DAYS = OpenApiParameter(
    "days",
    str,
    enum=[str(days) if days else "all" for days in CHOICES],
    description="Number of days to include; default 30.",
)
WINDOW_PARAMETERS = (
    DAYS,
    OpenApiParameter("since", OpenApiTypes.DATE, description="First day, UTC."),
    OpenApiParameter("until", OpenApiTypes.DATE, description="Last day, inclusive."),
    OpenApiParameter("agent", str, description="Only answers of this agent."),
    OpenApiParameter("tier", str, description="Only answers of this tier."),
    OpenApiParameter("model", str, description="Only answers of this model."),
)


def window_of(request: Request) -> Window:
    """Read the window that a request asks for.

    `KnownParameters` has already refused what is no day.

    Raises:
        ApiProblem: 400 with the invalid parameter.
    """
    query = request.query_params
    for name in ("agent", "tier", "model"):
        if len(query.get(name, "")) > MAX_NAME:
            raise refused(name, f"must have at most {MAX_NAME} characters.")
    since, until = (parse_date(query.get(name, "")) for name in ("since", "until"))
    if since and until and until < since:
        raise refused("until", "must not be before since.")
    return window_from(query.get("days", ""), timezone.now(), query)
