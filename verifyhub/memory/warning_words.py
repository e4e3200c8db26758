"""Warnings of a verdict, as sentences by code.

The English text is the engine's own. What a model says itself, and what was wrong with
its reply, has no words here: it is shown as it is stored.
"""

from collections.abc import Mapping
from typing import Any, Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import override

from verifyhub.common.kind_words import KINDS
from verifyhub.engine.reports import ReportWarning
from verifyhub.engine.warning_codes import WarningCode
from verifyhub.memory.models import MemoryEntry

_UNVERIFIED: Final = "UNVERIFIED_"
WARNING_WORDS: Final[Mapping[str, Promise]] = {
    **{
        code: _("The %(kind)s was not found in the tool outputs.")
        for code in WarningCode
        if code.startswith(_UNVERIFIED)
    },
    WarningCode.LOOK_ALIKE_NAME: _(
        "The %(kind)s is spelt with characters that look like others."
    ),
    WarningCode.CONTRADICTED_CLAIM: _(
        "The tool calls contradict a claim of work done."
    ),
    WarningCode.UNATTEMPTED_CLAIM: _(
        "The tool calls do not show a claim of work done."
    ),
    WarningCode.UNSUPPORTED_VALUE: _(
        "Some values are in no tool output, message or policy."
    ),
    WarningCode.CLAIM_CONTRADICTED: _("There is evidence against a claim of fact."),
    WarningCode.CLAIM_DOUBTED: _(
        "A claim of fact differs from its evidence, or sources disagree about it."
    ),
    WarningCode.LAYERS_BELOW_FLOOR: _(
        "The detection layers do not support the answer."
    ),
    WarningCode.TRACE_SIGNATURE_INVALID: _(
        "The trace has a signature that does not match it."
    ),
    WarningCode.TRACE_CUT: _(
        "Parts of the trace were cut; names in them could not be looked up."
    ),
    WarningCode.NOT_SEARCHED: _(
        "The run is too large to be searched completely; the rest was not checked."
    ),
    WarningCode.CHARACTERS_REPLACED: _(
        "The run contains replacement characters (U+FFFD) for characters"
        " that cannot be stored."
    ),
    WarningCode.LOW_CONFIDENCE: _("Confidence is %(share)s."),
    WarningCode.NOTHING_TO_CHECK: _(
        "The answer contains no name or claim of work that tool calls could confirm."
    ),
    WarningCode.OVERCONFIDENT: _("The agent is far more confident than the evidence."),
    WarningCode.JUDGE_ADDRESSED: _(
        "A text of the run uses words of VerifyHub's own questions to judges; it may "
        "be addressed to them."
    ),
    WarningCode.DOMAIN_CHECK_OPEN: _("A required check is inconclusive."),
    WarningCode.VERIFIER_DOUBTS: _(
        "The verifier rejects names that the trace contains."
    ),
    WarningCode.VERIFIER_OVERRULED: _(
        "The verifier accepted names that the trace does not show; they stay"
        " unverified."
    ),
    WarningCode.VERIFIER_UNAVAILABLE: _("The stronger model gave no usable reply."),
    WarningCode.VERIFIERS_DISAGREE: _("Two verifiers disagree about this answer."),
    WarningCode.GOAL_INCONCLUSIVE: _(
        "Whether the goal was achieved could not be judged."
    ),
    WarningCode.CONFIDENCE_CLAMPED: _("The verifier's confidence was outside 0..1."),
    WarningCode.COMPLETENESS_CLAMPED: _(
        "The verifier's completeness was outside 0..1."
    ),
}
# Which judge was misled, by what the details of the warning name.
_MISLED: Final = {
    "claims": _(
        "The judge of the claims failed a control question; a reviewer should check "
        "the answer."
    ),
    "reason": _(
        "The judge of the goal misjudged a control name; a reviewer should check the "
        "answer."
    ),
    "model": _(
        "The verifier misjudged a control name; only the trace itself counts, and a "
        "reviewer should check the answer."
    ),
}


def warning_words(warning: ReportWarning) -> str:
    """Return a warning as text in the reader's language.

    Args:
        warning: As it is stored; its own English text where the code has no words, or
            the details lack what they name.
    """
    code, details = warning.code, warning.details
    text = WARNING_WORDS.get(code)
    if code == WarningCode.JUDGE_MISLED:
        text = next((_MISLED[name] for name in _MISLED if name in details), None)
    try:
        return warning.message if text is None else str(text % _parts(code, details))
    except (KeyError, TypeError):
        return warning.message


def _parts(code: str, details: Mapping[str, Any]) -> dict[str, str]:
    if code == WarningCode.LOW_CONFIDENCE:
        return {"share": f"{details['confidence']:.2f}"}
    if code == WarningCode.LOOK_ALIKE_NAME:
        return {"kind": str(KINDS[details["kind"]])}
    if code.startswith(_UNVERIFIED):
        return {"kind": str(KINDS[code.removeprefix(_UNVERIFIED).lower()])}
    return {}


def entry_words(entry: MemoryEntry) -> str:
    """Return an unedited entry that holds a warning in the reader's language.

    The check of such an entry is the warning's code, and its text begins with it.
    """
    code, message = entry.check_name, entry.text.removeprefix(f"{entry.check_name}: ")
    if code not in WARNING_WORDS or message == entry.text:
        return entry.text
    details = {"confidence": entry.confidence}
    warning = ReportWarning(code=code, message=message, details=details)
    with override("en"):
        is_edited = warning_words(warning) != message
    return entry.text if is_edited else f"{code}: {warning_words(warning)}"
