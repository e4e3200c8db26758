"""Results of detection layers, for pages."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext_lazy as _

from verifyhub.common.layer_words import DETAILS, FACTORS, LAYERS, RISKS, VALUES
from verifyhub.engine.decisions.reason_words import CHECK_REASONS
from verifyhub.engine.layer_results import (
    COST_UNKNOWN,
    UNCALIBRATED,
    DetectionResult,
    LayerName,
    LayerResult,
)
from verifyhub.engine.layers.reasons import LAYER_REASONS
from verifyhub.engine.reports import Outcome

LAYER_QUESTIONS = {
    LayerName.SEMANTIC_ENTROPY: _(
        "Does the model give the same answer in other words when asked again?"
    ),
    LayerName.FACT_DECOMPOSITION: _(
        "How many of the single facts does the evidence support?"
    ),
    LayerName.MULTI_SOURCE: _("Do several sources agree with the text?"),
    LayerName.SELF_CONSISTENCY: _("Do answers to a reworded task agree?"),
    LayerName.NLI: _("Does the text follow from the context?"),
}
RISK_BY = {
    "rules": _("by rules"),
    "model": _("by a model"),
    "override": _("set by a person or the project"),
    "run": _("raised by the run itself"),
    "default": _("no rule decided otherwise"),
}
# Each reason of a layer, else of the model or the judge that it asked.
REASON_TEXTS = {
    code: _(text) for code, text in {**CHECK_REASONS, **LAYER_REASONS}.items()
}
STOPS = {
    "cost": _("Stopped early: the profile's budget was used up."),
    "latency": _("Stopped early: the profile's time was used up."),
    "calls": _("Stopped early: the run's limit of calls was reached."),
}
NOTES = {
    COST_UNKNOWN: _(
        "A model's price is not known: its calls were counted, their cost was not "
        "reserved."
    ),
}
# A page shows so much of a layer's details; the API gives all of them.
MAX_ROWS = 100
MAX_COLUMNS = 8


@dataclass(frozen=True, slots=True)
class DetailEntry:
    """One entry of a layer's details: a value, a list, or a table of rows."""

    title: str
    value: str = ""
    items: Sequence[str] = ()
    columns: Sequence[str] = ()
    rows: Sequence[Sequence[str]] = ()
    more: int = 0


@dataclass(frozen=True, slots=True)
class LayerWords:
    """One layer's outcome, in words."""

    name: str
    title: str
    asks: str
    data: LayerResult
    parts: Sequence[DetailEntry]

    @property
    def is_calibrated(self) -> bool:
        """Whether its score was turned into a probability."""
        return self.data.calibration != UNCALIBRATED

    @property
    def ran(self) -> bool:
        """Whether the layer has a score."""
        return self.data.score is not None

    @property
    def milliseconds(self) -> int:
        return _milliseconds(self.data)

    @property
    def why(self) -> str:
        """The reason why it failed, stayed open or did not run; empty without one."""
        return _word_for(REASON_TEXTS, self.data.reason) if self.data.reason else ""


@dataclass(frozen=True, slots=True)
class ResultWords:
    """A detection result, in words."""

    data: DetectionResult
    layers: Sequence[LayerWords]
    risk: str
    risk_by: str
    factors: Sequence[str]
    stopped: str
    note: str

    @property
    def has_run(self) -> bool:
        """Whether layers were asked for at all; else only the risk is known."""
        return bool(self.data.layers)

    @property
    def milliseconds(self) -> int:
        return _milliseconds(self.data)

    @property
    def is_below(self) -> bool:
        """Whether it fell below its floor, or a layer failed."""
        return self.data.outcome is Outcome.FAILED


def shown(result: DetectionResult | None) -> ResultWords | None:
    """Return a detection result in words; None where there is none."""
    if result is None:
        return None
    risk = result.risk
    return ResultWords(
        data=result,
        layers=[
            LayerWords(
                name=layer.layer,
                title=_word_for(LAYERS, layer.layer),
                asks=_word_for(LAYER_QUESTIONS, layer.layer),
                data=layer,
                parts=list(_parts(layer.details)),
            )
            for layer in result.layers
        ],
        risk=_word_for(RISKS, risk.level),
        risk_by=_word_for(RISK_BY, risk.by),
        factors=[_factor(factor) for factor in risk.factors],
        stopped=_word_for(STOPS, result.stopped_by) if result.stopped_by else "",
        note=str(NOTES.get(result.reason, "")),
    )


def _parts(details: Mapping[str, Any]) -> Iterator[DetailEntry]:
    """Arrange details by their shape: numbers first, then lists and tables."""
    for name, value in sorted(details.items(), key=lambda item: _is_list(item[1])):
        title = _word_for(DETAILS, name)
        if not _is_list(value):
            yield DetailEntry(title, value=_text(value))
        elif value and all(isinstance(row, Mapping) for row in value):
            columns = list(dict.fromkeys(key for row in value for key in row))
            columns = columns[:MAX_COLUMNS]
            yield DetailEntry(
                title,
                columns=[_word_for(DETAILS, column) for column in columns],
                rows=[[_text(row.get(c)) for c in columns] for row in value[:MAX_ROWS]],
                more=max(0, len(value) - MAX_ROWS),
            )
        elif value:
            yield DetailEntry(
                title,
                items=[_text(element) for element in value[:MAX_ROWS]],
                more=max(0, len(value) - MAX_ROWS),
            )


def _milliseconds(data: LayerResult | DetectionResult) -> int:
    return round(data.latency_seconds * 1000)


def _is_list(value: object) -> bool:
    return isinstance(value, list | tuple)


def _text(value: Any) -> str:
    """Write a JSON value as a person reads it."""
    if value is None:
        return "–"
    if isinstance(value, bool):
        return str(_("yes") if value else _("no"))
    if isinstance(value, float):
        return f"{value:.3f}".rstrip("0").rstrip(".")
    if _is_list(value):
        return "; ".join(_text(item) for item in value)
    if isinstance(value, Mapping):
        return ", ".join(f"{key}: {_text(item)}" for key, item in value.items())
    return str(VALUES.get(value) or REASON_TEXTS.get(value) or value)


def _factor(factor: str) -> str:
    """Return a factor of a risk as text: `short and plain`, `medical: dose`."""
    what, colon, detail = factor.partition(": ")
    words = {**REASON_TEXTS, **RISK_BY, **FACTORS}
    if not colon:
        return _word_for(words, what)
    details = {**REASON_TEXTS, **RISKS, **FACTORS}
    return f"{_word_for(words, what)}: {_word_for(details, detail)}"


def _word_for(table: Mapping[Any, Any], code: str) -> str:
    return str(table.get(code) or code.replace("_", " "))
