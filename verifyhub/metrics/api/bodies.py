"""API bodies of figures; a figure itself is `metrics.figures.Figure`.

Comparisons, levels and goals use the field names of their sources.
"""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import AliasChoices, AliasGenerator, BeforeValidator, ConfigDict, Field
from pydantic.alias_generators import to_camel

from verifyhub.common.api_bodies import RowBody, read_from
from verifyhub.common.contract import Count, Share, one_of
from verifyhub.metrics.definitions import MetricUnit
from verifyhub.metrics.selectors.answers import ConfidenceBin
from verifyhub.metrics.selectors.compare import MEASURES
from verifyhub.metrics.selectors.questions import (
    BacklogFigures,
    By,
    Checks,
    Honesty,
    Inventions,
    OutcomeFigures,
    PeopleFigures,
    SpendingFigures,
    Trend,
)
from verifyhub.metrics.selectors.sides import DIMENSIONS
from verifyhub.metrics.significance import ALPHA

LazyText = Annotated[str, BeforeValidator(str)]


class CamelBody(RowBody):
    """A reply whose fields are written in `camelCase`."""

    model_config = ConfigDict(
        alias_generator=AliasGenerator(serialization_alias=to_camel),
        serialize_by_alias=True,
    )


class LevelCountsBody(CamelBody):
    """Answers by the outcome of one level; `total` passed or failed."""

    total: Count
    passed: Count
    failed: Count
    inconclusive: Count
    skipped: Count
    avg_duration_ms: Annotated[float | None, read_from("average_ms")]


class SpecialistCountsBody(CamelBody):
    """An agent's answers whose levels passed or failed."""

    total: Count
    passed: Count
    failed: Count


class LevelFiguresBody(CamelBody):
    """The three levels of checks."""

    total_checks: Annotated[Count, read_from("total")]
    pass_rate: Annotated[Share | None, read_from("passes.value")]
    inconclusive: Count
    by_level: dict[str, LevelCountsBody]
    by_specialist: dict[str, SpecialistCountsBody]
    errors_by_category: Annotated[dict[str, Count], read_from("errors")]


class CountedShareBody(CamelBody):
    """A number of cases, and its share of a total."""

    count: Count
    total: Count
    share: Annotated[Share | None, read_from("value")]


class FailurePatternBody(CamelBody):
    """A warning code, and the checked answers with this warning."""

    code: str
    count: Annotated[Count, read_from("answers.count")]
    total: Annotated[Count, read_from("answers.total")]
    share: Annotated[Share | None, read_from("answers.value")]


class GoalFiguresBody(CamelBody):
    """Attempts, goals and overrides."""

    first_attempts: Annotated[CountedShareBody, read_from("first")]
    """Accepted first attempts."""
    retries: Count
    mean_retries: float | None
    goals_reached: Annotated[CountedShareBody, read_from("goals")]
    """Goals that were reached, of those that were judged."""
    failure_patterns: Annotated[list[FailurePatternBody], read_from("patterns")]
    """Warning codes by number of answers, most frequent first."""
    confidence: list[ConfidenceBin]
    """Histogram in ten bins."""
    without_confidence: Count
    overrides: CountedShareBody
    """Verdicts that people changed, of those that they decided."""


class DefinitionBody(RowBody):
    """What a metric measures."""

    label: LazyText
    definition: Annotated[LazyText, read_from("text")]
    unit: MetricUnit


class FiguresBody(RowBody):
    """All metrics."""

    days: Annotated[str, read_from("window.parameter")]
    since: Annotated[datetime | None, read_from("window.since")]
    until: Annotated[datetime | None, read_from("window.until")]
    as_of: datetime | None
    """Changes after this time are not counted yet; null if all are counted."""
    outcomes: OutcomeFigures
    progress: dict[By, list[Trend]]
    """Weeks oldest first."""
    inventions: Inventions
    checks: Checks
    honesty: Honesty
    spending: SpendingFigures
    people: PeopleFigures
    backlog: BacklogFigures
    levels: LevelFiguresBody
    goals: GoalFiguresBody
    definitions: dict[str, DefinitionBody]


class SideFigureBody(CamelBody):
    """A measure over one side; the interval is given for shares."""

    value: float | None
    n: Annotated[Count, Field(validation_alias=AliasChoices("cases", "total"))]
    low: float | None = None
    high: float | None = None


class ComparedMeasureBody(CamelBody):
    """A measure of two sides."""

    name: Annotated[
        str, one_of(one.name for one in MEASURES), read_from("measure.name")
    ]
    unit: Annotated[
        Literal["share", "number", "microdollars", "milliseconds"],
        read_from("measure.unit"),
    ]
    good: Annotated[Literal["low", "high"], read_from("measure.good")]
    first: SideFigureBody
    second: SideFigureBody
    difference: Annotated[float | None, read_from("tested.value")]
    """First less second."""
    low: Annotated[float | None, read_from("tested.low")]
    """Lower end of its 95 % interval."""
    high: Annotated[float | None, read_from("tested.high")]
    """Upper end of its 95 % interval."""
    p: Annotated[float | None, read_from("tested.p")]
    corrected: float | None
    """p after Holm over all `tests`."""
    effect: Annotated[float | None, read_from("tested.effect")]
    """Cohen's h of shares, Cliff's delta of means."""
    detectable: Annotated[float | None, read_from("tested.detectable")]
    """The smallest difference that so many cases would show with 80 % power at 5 %."""
    test: Annotated[
        Literal["score", "fisher", "permutation", "welch", ""],
        read_from("tested.test"),
    ]
    says: Literal["higher", "lower", "open", "few", "none"]
    """The first beside the second; `open` and `few`: no telling."""


class SameAnswersBody(CamelBody):
    """Answers that were checked both ways, and those flagged one way alone."""

    both: Count
    only_first: Count
    only_second: Count
    p: float | None


class ComparedPairBody(CamelBody):
    """Two sides, measure by measure."""

    first: str
    second: str
    measures: list[ComparedMeasureBody]
    same_answers: SameAnswersBody | None


class ComparedSideBody(CamelBody):
    """One side, and what it counts."""

    value: str
    answers: Count
    sessions: Count


class ComparisonBody(CamelBody):
    """Sides compared with each other, pair by pair."""

    by: Annotated[str, one_of(DIMENSIONS)]
    alpha: float = ALPHA
    correction: Literal["holm"] = "holm"
    tests: Count
    sides: list[ComparedSideBody]
    pairs: list[ComparedPairBody]
