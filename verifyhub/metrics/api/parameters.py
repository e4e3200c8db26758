"""Parameters that figures have in common: which answers they count."""

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter

from verifyhub.metrics.windows import CHOICES

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
