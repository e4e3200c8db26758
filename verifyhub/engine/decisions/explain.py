"""The explanation of a verdict: two to five plain sentences.

It is built from the verdict object alone, without a model, so that it says no more than
the verdict. Names are JSON strings with invisible characters escaped.

`words` translates each sentence: English for programs, and on pages the application's
catalogues, in which the English is the message id.
"""

from collections.abc import Iterable, Iterator, Sequence
from gettext import NullTranslations
from typing import Protocol

from verifyhub.engine.claims.check import NAME as CLAIMS
from verifyhub.engine.cross_tier.consult import SECOND_NAME
from verifyhub.engine.cross_tier.verifier import INCONCLUSIVE_GAP, NAME
from verifyhub.engine.decisions.findings import COMPLETION, GROUNDING, LEVELS
from verifyhub.engine.decisions.missing import given_up, missing_opinions
from verifyhub.engine.decisions.policy import DecisionReason
from verifyhub.engine.decisions.reason_words import CHECK_REASONS
from verifyhub.engine.goals.check import NAME as GOAL
from verifyhub.engine.layer_results import LayerName
from verifyhub.engine.reports import (
    Action,
    ClaimStatus,
    GoalState,
    Outcome,
    Status,
    Verdict,
)
from verifyhub.engine.text.quoting import quoted
from verifyhub.engine.value_results import VALUES
from verifyhub.engine.verdicts import VerificationReport
from verifyhub.engine.warning_codes import WarningCode

MOST_NAMED = 3
# Checks with sentences of their own.
_NAMED_ELSEWHERE = frozenset(
    {GROUNDING, COMPLETION, VALUES, CLAIMS, GOAL, NAME, SECOND_NAME, *LEVELS}
)
_DECIDED = frozenset({Outcome.PASSED, Outcome.FAILED})
_OPEN = frozenset({Outcome.SKIPPED, Outcome.INCONCLUSIVE})


class Translator(Protocol):
    """Translates an English sentence; `gettext` translations are one."""

    def gettext(self, message: str, /) -> str:
        """Return the sentence."""

    def ngettext(self, singular: str, plural: str, number: int, /) -> str:
        """Return the form of the sentence for a number."""


ENGLISH: Translator = NullTranslations()


def explain(report: VerificationReport, words: Translator = ENGLISH) -> str:
    """Explain what was checked, what failed, what is open, and what happens next.

    Args:
        words: Translates the sentences.
    """
    sentences = [
        _checked(report, words),
        _checked_facts(report, words),
        _failed(report, words),
        _unchecked(report, words),
        _next(report, words),
    ]
    return " ".join(sentence for sentence in sentences if sentence)


def _levels(words: Translator) -> dict[str, str]:
    return {
        "level_1_structure": words.gettext("the structure of the agent's work report"),
        "level_2_schema": words.gettext("tool outputs against their schemas"),
        "level_3_filesystem": words.gettext("its claims about files and commands"),
    }


def _checked(report: VerificationReport, words: Translator) -> str:
    names, claims = len(report.counted_mentions), len(report.completion_claims)
    values = len(report.compared_values)
    parts = []
    if names:
        parts.append(words.ngettext("%(n)s name", "%(n)s names", names) % {"n": names})
    if claims:
        template = words.ngettext(
            "%(n)s claim of work done", "%(n)s claims of work done", claims
        )
        parts.append(template % {"n": claims})
    if values:
        template = words.ngettext("%(n)s value", "%(n)s values", values)
        parts.append(template % {"n": values})
    levels = _levels(words)
    parts += [
        levels[check.name]
        for check in report.checks
        if check.name in levels and check.outcome in _DECIDED
    ]
    if not parts:
        return words.gettext(
            "The answer contains no name, claim or value that tool calls can settle."
        )
    template = words.ngettext(
        "%(what)s was compared with what the agent's tools returned.",
        "%(what)s were compared with what the agent's tools returned.",
        1 if len(parts) == 1 and 1 in {names, claims, values} else 2,
    )
    return template % {"what": _list(parts, words)}


def _checked_facts(report: VerificationReport, words: Translator) -> str:
    count = len(report.judged_claims)
    if not count:
        return ""
    template = words.ngettext(
        "%(n)s claim of fact was compared with the evidence.",
        "%(n)s claims of fact were compared with the evidence.",
        count,
    )
    return template % {"n": count}


def _failed(report: VerificationReport, words: Translator) -> str:
    faults = list(_faults(report, words))
    if faults:
        text = "; ".join(faults)
        # A quoted sentence has its own full stop.
        end = "" if text.endswith('."') else "."
        return f"{text[0].upper()}{text[1:]}{end}"
    checked = (
        report.counted_mentions
        or report.completion_claims
        or report.compared_values
        or report.judged_claims
    )
    return words.gettext("No check failed.") if checked else ""


def _faults(report: VerificationReport, words: Translator) -> Iterator[str]:
    levels = _levels(words)
    for check in report.checks:
        if check.name in levels and check.outcome == Outcome.FAILED:
            yield words.gettext("%(level)s failed") % {"level": levels[check.name]}
    missing = [m.text for m in report.counted_mentions if m.status != Status.VERIFIED]
    if missing:
        template = words.ngettext(
            "%(names)s was not found in any of it",
            "%(names)s were not found in any of it",
            len(missing),
        )
        yield template % {"names": _named(missing, words)}
    yield from _false_claims(report, words)
    if report.flagged_values:
        values = _named((value.text for value in report.flagged_values), words)
        template = words.gettext(
            "the tools did not return %(values)s as the answer says"
        )
        yield template % {"values": values}
    yield from _fact_faults(report, words)
    yield from _objections(report, words)
    yield from _other_failures(report, words)
    opposed = [w for w in report.warnings if w.code == WarningCode.CONTRADICTION]
    if opposed:
        contradictions = _named((warning.message for warning in opposed), words)
        yield (
            words.gettext("a stronger model named a contradiction: %(what)s")
            % {"what": contradictions}
        )
    goal = report.goal
    if goal and goal.state is GoalState.NOT_ACHIEVED and goal.source == "model":
        yield _missed_goal(goal.issues, words)
    elif goal and goal.state is GoalState.INCONCLUSIVE and goal.issues:
        template = words.gettext(
            "the goal was judged as achieved, but this as missing: %(issues)s"
        )
        yield template % {"issues": _named(goal.issues, words)}


def _fact_faults(report: VerificationReport, words: Translator) -> Iterator[str]:
    for rows, template in (
        (report.denied_claims, words.gettext("the evidence contradicts %(claims)s")),
        (
            report.doubted_claims,
            words.gettext("the evidence for %(claims)s is doubtful"),
        ),
    ):
        if rows:
            yield template % {"claims": _named((row.text for row in rows), words)}
    detection = report.detection
    if detection and WarningCode.LAYERS_BELOW_FLOOR in report.warning_codes:
        template = words.gettext(
            "the detection layers give %(share)s; the floor is %(floor)s"
        )
        confidence = detection.confidence or 0.0
        yield template % {
            "share": f"{confidence:.0%}",
            "floor": f"{detection.floor:.0%}",
        }


def _other_failures(report: VerificationReport, words: Translator) -> Iterator[str]:
    """Name the failed checks that no other sentence mentions."""
    named_elsewhere = {
        *_NAMED_ELSEWHERE,
        # Below the floor they are told together.
        *(LayerName if WarningCode.LAYERS_BELOW_FLOOR in report.warning_codes else ()),
    }
    for check in report.checks:
        if check.outcome is Outcome.FAILED and check.name not in named_elsewhere:
            template = words.gettext("the check %(check)s failed (%(why)s)")
            why = _why(check.reason, words)
            yield template % {"check": quoted(check.name), "why": why}
    if report.decision.reason == DecisionReason.SCORE_BELOW_LINE:
        yield words.gettext("a score is below the project's blocking threshold")


def _false_claims(report: VerificationReport, words: Translator) -> Iterator[str]:
    for status, template in (
        (
            ClaimStatus.CONTRADICTED,
            words.gettext("the tool calls contradict %(claims)s"),
        ),
        (ClaimStatus.UNATTEMPTED, words.gettext("no tool call shows %(claims)s")),
    ):
        claims = [
            part
            for claim in report.completion_claims
            if claim.status == status
            for part in claim.words
        ]
        if claims:
            yield template % {"claims": _named(claims, words)}


def _missed_goal(issues: Sequence[str], words: Translator) -> str:
    if not issues:
        return words.gettext("the goal was judged as not achieved")
    template = words.gettext("the goal was judged as not achieved: %(issues)s")
    return template % {"issues": _named(issues, words)}


def _objections(report: VerificationReport, words: Translator) -> Iterator[str]:
    """Say how models lowered the verdict, each in its own words."""
    codes = report.warning_codes
    confidence = report.confidence
    models = {
        NAME: words.gettext("a stronger model"),
        SECOND_NAME: words.gettext("a second model"),
    }
    for check in report.checks:
        model, details = models.get(check.name), check.details
        if model is None or check.outcome not in _DECIDED:
            continue
        if details.get("doubted"):
            names = _named(details["doubted"], words)
            template = words.gettext("%(model)s does not accept %(names)s")
            yield template % {"model": model, "names": names}
        if (
            WarningCode.LOW_CONFIDENCE in codes
            and details.get("confidence") == confidence
        ):
            template = words.gettext("%(model)s is only %(share)s sure of the answer")
            yield template % {"model": model, "share": f"{confidence or 0.0:.0%}"}
    if WarningCode.VERIFIERS_DISAGREE in codes:
        yield words.gettext("two models disagree about the answer")
    if report.decision.reason == DecisionReason.INCOMPLETE:
        yield _incomplete(report, words)


def _incomplete(report: VerificationReport, words: Translator) -> str:
    gaps = [gap for gap in report.gaps if gap != INCONCLUSIVE_GAP]
    share = f"{report.completeness or 0.0:.0%}"
    if not gaps:
        template = words.gettext("a model rates the answer %(share)s complete")
        return template % {"share": share}
    template = words.gettext(
        "a model rates the answer %(share)s complete: %(gaps)s is missing"
    )
    return template % {"share": share, "gaps": _named(gaps, words)}


def _unchecked(report: VerificationReport, words: Translator) -> str:
    """Name the most important open checks and why, in one sentence."""
    parts = [
        *_open_claims(report, words),
        *_open_facts(report, words),
        *_open_checks(report, words),
    ]
    goal = report.goal
    if goal and goal.state in {GoalState.INCONCLUSIVE, GoalState.NOT_CHECKED}:
        template = words.gettext("whether the goal was achieved is not known (%(why)s)")
        parts.append(template % {"why": _why(goal.reason, words)})
    if not parts:
        return ""
    return words.gettext("Not checked: %(what)s.") % {"what": "; ".join(parts)}


def _open_claims(report: VerificationReport, words: Translator) -> Iterator[str]:
    claims = report.completion_claims
    count = sum(claim.status == ClaimStatus.UNCHECKED for claim in claims)
    if count:
        template = words.ngettext(
            "%(n)s claim was left open, because the tool calls cannot settle it",
            "%(n)s claims were left open, because the tool calls cannot settle them",
            count,
        )
        yield template % {"n": count}


def _open_facts(report: VerificationReport, words: Translator) -> Iterator[str]:
    count = sum(claim.is_open for claim in report.claims)
    if count:
        template = words.ngettext(
            "%(n)s claim of fact is inconclusive: the evidence does not decide it",
            "%(n)s claims of fact are inconclusive: the evidence does not decide them",
            count,
        )
        yield template % {"n": count}


def _open_checks(report: VerificationReport, words: Translator) -> Iterator[str]:
    levels = _levels(words)
    models = {
        NAME: words.gettext("no stronger model checked the meaning (%(why)s)"),
        SECOND_NAME: words.gettext("no second model checked the meaning (%(why)s)"),
    }
    for check in report.checks:
        name = check.name
        if name in levels and check.outcome == Outcome.INCONCLUSIVE:
            template = words.gettext("%(level)s could not be checked completely")
            yield template % {"level": levels[name]}
        if name in models and check.outcome in _OPEN:
            yield models[name] % {"why": _why(check.reason, words)}


def _next(report: VerificationReport, words: Translator) -> str:
    action = report.decision.action
    if action is Action.ACCEPT and any(
        not given_up(check) for check in missing_opinions(report.checks)
    ):
        return words.gettext(
            "No retry is requested; the missing opinion is requested "
            "again, and the answer is not accepted before it arrives."
        )
    if action is Action.ACCEPT and report.verdict != Verdict.ACCEPT:
        return words.gettext(
            "No retry is requested, but a person should review the answer before use."
        )
    return {
        Action.ACCEPT: words.gettext("No retry is requested."),
        Action.RETRY: words.gettext(
            "The agent is asked to retry and receives what was wrong."
        ),
        Action.REFORMULATE: words.gettext(
            "The task should be reformulated before the next attempt."
        ),
        Action.FOLLOW_UP: words.gettext("What is missing becomes follow-up work."),
        Action.CLARIFY: words.gettext("The agent is asked to clear this up."),
        Action.FAIL: words.gettext(
            "No retry is requested, because the limit is reached."
        ),
    }[action]


def _named(texts: Iterable[object], words: Translator) -> str:
    known = [" ".join(str(text).split()) for text in texts]
    names = [quoted(text) for text in known[:MOST_NAMED]]
    if len(known) > MOST_NAMED:
        names.append(words.gettext("%(n)s more") % {"n": len(known) - MOST_NAMED})
    return _list(names, words)


def _list(parts: Sequence[str], words: Translator) -> str:
    if len(parts) == 1:
        return parts[0]
    several = {"first": ", ".join(parts[:-1]), "last": parts[-1]}
    return words.gettext("%(first)s and %(last)s") % several


def _why(code: str, words: Translator) -> str:
    if code in CHECK_REASONS:
        return words.gettext(CHECK_REASONS[code])
    return code.replace("_", " ") or words.gettext("no reason is known")
