"""The tabs of the metrics page, in their order."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from verifyhub.metrics.pages.asked import PageRequest, TabContent
from verifyhub.metrics.pages.checks import wrong_checks
from verifyhub.metrics.pages.costs import cost
from verifyhub.metrics.pages.honesty import honest_confidence
from verifyhub.metrics.pages.inventions import invented
from verifyhub.metrics.pages.overview import overview
from verifyhub.metrics.pages.people import reviewers
from verifyhub.metrics.pages.progress import getting_better


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricsTab:
    """One tab: its label, its question, and the function that answers it."""

    word: Promise
    question: Promise
    answer: Callable[[PageRequest], TabContent]


TABS: Final[Mapping[str, MetricsTab]] = {
    "overview": MetricsTab(
        word=_("Overview"),
        question=_("How many answers were checked, flagged, wrong?"),
        answer=overview,
    ),
    "progress": MetricsTab(
        word=_("Trends"),
        question=_("Does the hallucination rate fall, and do first attempts succeed?"),
        answer=getting_better,
    ),
    "inventions": MetricsTab(
        word=_("Hallucinations"),
        question=_("Which names and values are hallucinated, and do constraints help?"),
        answer=invented,
    ),
    "checks": MetricsTab(
        word=_("Check quality"),
        question=_("Where do reviewers override the checks?"),
        answer=wrong_checks,
    ),
    "confidence": MetricsTab(
        word=_("Confidence"),
        question=_("Is confidence calibrated?"),
        answer=honest_confidence,
    ),
    "cost": MetricsTab(
        word=_("Cost"), question=_("What does checking cost?"), answer=cost
    ),
    "people": MetricsTab(
        word=_("Reviewers"),
        question=_("Who reviews how much, do they agree, and what waits?"),
        answer=reviewers,
    ),
}
# The tab of each plot, which is computed for the plot's file.
PLOTS: Final[Mapping[str, str]] = {
    "verdicts-by-day": "overview",
    "weeks": "progress",
    "hallucinated-by-agent": "progress",
    "hallucinated-by-model": "progress",
    "hallucinated-by-tool": "progress",
    "most-invented": "inventions",
    "values-by-kind": "inventions",
    "constraints": "inventions",
    "overridden-by-check": "checks",
    "overridden-by-reason": "checks",
    "overridden-by-agent": "checks",
    "confidence": "confidence",
    "reliability": "confidence",
    "cost-by-tier": "cost",
    "cost-by-purpose": "cost",
    "reviewers": "people",
    "backlog": "people",
}
