"""Reasons of queue items, in the reader's language."""

from collections.abc import Callable, Mapping
from typing import Any

from django.utils.functional import Promise
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, override

from verifyhub.common.code_words import CODES
from verifyhub.common.untrusted import unmarked
from verifyhub.engine.levels.run import FILESYSTEM, SCHEMA, STRUCTURE
from verifyhub.engine.reports import Action

Fact = Mapping[str, Any]

KIND_NAMES: dict[str, Promise] = {
    "level_failed": gettext_lazy("A level failed"),
    "contradicted_claim": capfirst(CODES["CONTRADICTED_CLAIM"]),
    "fact_contradicted": capfirst(CODES["CLAIM_CONTRADICTED"]),
    "fact_doubted": capfirst(CODES["CLAIM_DOUBTED"]),
    "layers_below_floor": capfirst(CODES["LAYERS_BELOW_FLOOR"]),
    "look_alike": capfirst(CODES["LOOK_ALIKE_NAME"]),
    "unverified_names": gettext_lazy("Names not found in the trace"),
    "unattempted_claim": capfirst(CODES["UNATTEMPTED_CLAIM"]),
    "unsupported_value": gettext_lazy("Unsupported values"),
    "level_open": gettext_lazy("Work report is inconclusive"),
    "judge_misled": capfirst(CODES["JUDGE_MISLED"]),
    "verifiers_disagree": capfirst(CODES["VERIFIERS_DISAGREE"]),
    "model_doubts": capfirst(CODES["VERIFIER_DOUBTS"]),
    "opinion_missing": gettext_lazy("No model opinion available"),
    "goal_unclear": gettext_lazy("The goal's judge contradicts itself"),
    "low_confidence": capfirst(CODES["LOW_CONFIDENCE"]),
    "domain_check_open": capfirst(CODES["DOMAIN_CHECK_OPEN"]),
    "incomplete": gettext_lazy("Judged incomplete"),
    "decision": gettext_lazy("Retry requested"),
    "person": gettext_lazy("Opened by a reviewer"),
}
_CONTRADICTED: dict[str, Promise] = {
    "test": gettext_lazy("says tests pass, the last run failed"),
    "tests": gettext_lazy("says tests pass, the last run failed"),
    "build": gettext_lazy("says the build works, the last build failed"),
    "lint": gettext_lazy("says lint passes, the trace shows otherwise"),
    "typecheck": gettext_lazy("says the types check, the trace shows otherwise"),
    "commit": gettext_lazy("says work was committed, the trace shows otherwise"),
}
_UNATTEMPTED: dict[str, Promise] = {
    "test": gettext_lazy("says tests pass, no tool call shows it"),
    "tests": gettext_lazy("says tests pass, no tool call shows it"),
    "build": gettext_lazy("says the build works, no tool call shows it"),
    "lint": gettext_lazy("claims that lint passes, no tool call shows it"),
    "typecheck": gettext_lazy("says the types check, no tool call shows it"),
    "commit": gettext_lazy("says work was committed, no tool call shows it"),
}
_LEVELS: dict[str, Promise] = {
    STRUCTURE: gettext_lazy("the agent's work report has an invalid structure"),
    SCHEMA: gettext_lazy("a tool's output does not fit its schema"),
    FILESYSTEM: gettext_lazy("a claim about files or commands is false"),
}
_ACTIONS: dict[str, Promise] = {
    Action.RETRY: gettext_lazy("the agent was asked to retry"),
    Action.REFORMULATE: gettext_lazy("the agent was asked to reformulate the task"),
    Action.CLARIFY: gettext_lazy("the agent was asked to clarify"),
    Action.FAIL: gettext_lazy("the agent was asked to stop"),
}
_PLAIN: dict[str, Promise] = {
    "level_open": gettext_lazy("part of the agent's work report is inconclusive"),
    "judge_misled": CODES["JUDGE_MISLED"],
    "verifiers_disagree": CODES["VERIFIERS_DISAGREE"],
    "model_doubts": gettext_lazy(
        "a stronger model doubts names that the trace contains"
    ),
    "layers_below_floor": gettext_lazy("the detection layers are below the floor"),
    "opinion_missing": gettext_lazy("no model gave its opinion in any attempt"),
    "domain_check_open": CODES["DOMAIN_CHECK_OPEN"],
    "goal_unclear": CODES["GOAL_INCONCLUSIVE"],
}


def words_of(facts: list[dict[str, Any]], english: list[str]) -> list[str]:
    """Return an item's reasons in the active language.

    Args:
        facts: The item's stored codes and parameters.
        english: Its stored sentences, for items without codes.
    """
    return [word(fact) for fact in facts] if facts else english


def english_words(facts: list[dict[str, Any]], stored: list[str]) -> list[str]:
    """Return an item's reasons in English, for programs; see `words_of`."""
    with override("en"):
        return words_of(facts, stored)


def word(fact: Fact) -> str:
    """Return one reason as text; an unknown kind as its code."""
    kind = str(fact["kind"])
    if kind in _PLAIN:
        return str(_PLAIN[kind])
    maker = _MAKERS.get(kind)
    return maker(fact) if maker else kind.replace("_", " ")


def _contradicted(fact: Fact) -> str:
    text = _CONTRADICTED.get(fact["claim"])
    if text:
        return str(text)
    return _("says “%(text)s”, the trace shows otherwise") % {
        "text": unmarked(fact["text"])
    }


def _unattempted(fact: Fact) -> str:
    text = _UNATTEMPTED.get(fact["claim"])
    if text:
        return str(text)
    return _("says “%(text)s”, no tool call shows it") % {
        "text": unmarked(fact["text"])
    }


def _unverified(fact: Fact) -> str:
    if "text" in fact:
        return _("“%(text)s” not found in the trace") % {"text": fact["text"]}
    count = fact["count"]
    return ngettext(
        "%(count)s name not found in the trace",
        "%(count)s names not found in the trace",
        count,
    ) % {"count": count}


def _value(fact: Fact) -> str:
    if fact["count"] == 1 and "text" in fact:
        return _("no tool returned “%(text)s”, as the answer claims") % {
            "text": fact["text"]
        }
    count = fact["count"]
    return ngettext(
        "%(count)s value is not one that the tools returned",
        "%(count)s values are not those that the tools returned",
        count,
    ) % {"count": count}


def _incomplete(fact: Fact) -> str:
    if "percent" not in fact:
        return _("a gap is known")
    return _("%(percent)s %% complete") % {"percent": fact["percent"]}


def _person(fact: Fact) -> str:
    if "agreed" not in fact:
        return _("opened by a reviewer, not by a rule")
    return _("a reviewer agreed with “%(verdict)s”, which is no longer the verdict") % {
        "verdict": fact["agreed"]
    }


_MAKERS: dict[str, Callable[[Fact], str]] = {
    "contradicted_claim": _contradicted,
    "unattempted_claim": _unattempted,
    "fact_contradicted": lambda fact: (
        _("says “%(text)s”, the evidence says otherwise")
        % {"text": unmarked(fact["text"])}
    ),
    "fact_doubted": lambda fact: (
        _("the evidence for “%(text)s” is doubtful") % {"text": unmarked(fact["text"])}
    ),
    "look_alike": lambda fact: _("“%(text)s” uses look-alike letters") % fact,
    "unverified_names": _unverified,
    "unsupported_value": _value,
    "low_confidence": lambda fact: _("confidence %(percent)s %%") % fact,
    "incomplete": _incomplete,
    "person": _person,
    "level_failed": lambda fact: str(_LEVELS[fact["level"]]),
    "decision": lambda fact: str(_ACTIONS[fact["action"]]),
}
