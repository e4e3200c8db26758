"""A figure: a number with its definition, its n and its uncertainty."""

from dataclasses import dataclass
from math import inf, isnan, sqrt
from typing import Annotated, Literal

from pydantic import ConfigDict, Field, computed_field

from verifyhub.common.shares import SMALL_SAMPLE, Share, ShareDifference
from verifyhub.metrics.definitions import DEFINITIONS, MetricUnit


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """One number, with its n and its uncertainty."""

    __pydantic_config__ = ConfigDict(
        use_attribute_docstrings=True,
        json_schema_serialization_defaults_required=True,
        json_schema_extra={
            "example": {
                "name": "flagged",
                "value": 0.25,
                "n": 40,
                "low": 0.1419,
                "high": 0.4019,
                "method": "wilson",
                "count": 10,
                "small": False,
            }
        },
    )
    name: str
    """A key of `definitions`."""
    value: float | None
    """In the unit of its definition; null if there is nothing to measure."""
    n: Annotated[int, Field(ge=0)]
    """Cases it was computed from; whatever is counted itself has as many."""
    low: float | None = None
    """Lower end of the 95 % interval."""
    high: float | None = None
    """Upper end of the 95 % interval."""
    method: Literal[
        "counted", "wilson", "newcombe", "student", "poisson", "ratio", "bootstrap"
    ] = "counted"
    """How the interval was made; `counted`: nothing was sampled, and there is none."""
    count: Annotated[int | None, Field(exclude_if=lambda count: count is None)] = None
    """Of a share: how many of `n`."""

    @property
    def label(self) -> str:
        """The name of the figure, in the viewer's language."""
        return str(DEFINITIONS[self.name].label)

    @property
    def definition(self) -> str:
        """The definition of the figure, in the viewer's language."""
        return str(DEFINITIONS[self.name].text)

    @property
    def unit(self) -> MetricUnit:
        return DEFINITIONS[self.name].unit

    @computed_field  # type: ignore[prop-decorator]
    @property
    def small(self) -> bool:
        """Whether there are too few cases to act on."""
        return self.method != "counted" and 0 < self.n < SMALL_SAMPLE


def counted(name: str, number: int) -> Figure:
    """Return a count."""
    return Figure(name=name, value=float(number), n=number)


def share(name: str, count: int, total: int) -> Figure:
    """Return a share with its Wilson score interval."""
    of = Share(count=count, total=total)
    return Figure(
        name=name,
        value=of.value,
        n=total,
        low=of.low,
        high=of.high,
        method="wilson",
        count=count,
    )


def difference(name: str, result: ShareDifference) -> Figure:
    """Return a difference of shares, with Newcombe's interval; n is the smaller one."""
    return Figure(
        name=name,
        value=result.value,
        n=min(result.first.total, result.second.total),
        low=result.low,
        high=result.high,
        method="newcombe",
    )


def mean(
    name: str, n: int, total: float, squares: float | None = None, *, most: float = inf
) -> Figure:
    """Return a mean with Student's interval, if the sum of squares is known.

    Values are between 0 and `most`, and so is the interval.

    Source:
        Student 1908, "The probable error of a mean".
    """
    value = total / n if n else None
    half = None
    if value is not None and squares is not None and n > 1:
        # Sums of whole numbers are exact, but rounding must not give a negative value.
        variance = max(0.0, squares - total * value) / (n - 1)
        half = _student(n - 1) * sqrt(variance / n)
    return Figure(
        name=name,
        value=value,
        n=n,
        low=None if value is None or half is None else max(0.0, value - half),
        high=None if value is None or half is None else min(most, value + half),
        method="student",
    )


def rate(name: str, events: int, cases: int) -> Figure:
    """Return events per case, with Garwood's exact interval of a Poisson count.

    Source:
        Garwood 1936, "Fiducial limits for the Poisson distribution", Biometrika 28.
    """
    if not cases:
        return Figure(name=name, value=None, n=0, method="poisson")
    from scipy.special import gammaincinv

    low = float(gammaincinv(events, 0.025)) if events else 0.0
    return Figure(
        name=name,
        value=events / cases,
        n=cases,
        low=low / cases,
        high=float(gammaincinv(events + 1, 0.975)) / cases,
        method="poisson",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Moments:
    """Sums over `n` pairs of a quantity x and the quantity y it is compared with."""

    n: int
    x: float
    y: float
    xx: float
    yy: float
    xy: float


def ratio(name: str, sums: Moments) -> Figure:
    """Return the sum of x per sum of y, with its linearised interval.

    Source:
        Cochran 1977, "Sampling Techniques", 3rd edition, section 6.4.
    """
    if not sums.y:
        return Figure(name=name, value=None, n=sums.n, method="ratio")
    value = sums.x / sums.y
    half = None
    if sums.n > 1:
        spread = sums.xx - 2 * value * sums.xy + value * value * sums.yy
        error = sqrt(max(0.0, spread) * sums.n / (sums.n - 1)) / sums.y
        half = _student(sums.n - 1) * error
    return Figure(
        name=name,
        value=value,
        n=sums.n,
        low=None if half is None else max(0.0, value - half),
        high=None if half is None else value + half,
        method="ratio",
    )


def _student(degrees: int) -> float:
    from scipy.special import stdtrit

    quantile = float(stdtrit(degrees, 0.975))
    if isnan(quantile):
        raise ValueError(f"{degrees} degrees of freedom")
    return quantile
