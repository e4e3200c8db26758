"""Every code that a warning of a verdict may carry (docs/verdict.md)."""

from enum import StrEnum

from verifyhub.engine.types import MentionKind


class WarningCode(StrEnum):
    """A stable word for something that a reader of the verdict should know."""

    # A name in the answer without evidence, by kind.
    _ignore_ = ["codes", "kind"]
    codes = vars()
    for kind in MentionKind:
        codes[f"UNVERIFIED_{kind.name}"] = f"UNVERIFIED_{kind.name}"

    LOOK_ALIKE_NAME = "LOOK_ALIKE_NAME"
    # Claims of work done.
    CONTRADICTED_CLAIM = "CONTRADICTED_CLAIM"
    UNATTEMPTED_CLAIM = "UNATTEMPTED_CLAIM"
    # Values: amounts, dates, ids.
    UNSUPPORTED_VALUE = "UNSUPPORTED_VALUE"
    # Claims of fact, and detection layers.
    CLAIM_CONTRADICTED = "CLAIM_CONTRADICTED"
    CLAIM_DOUBTED = "CLAIM_DOUBTED"
    LAYERS_BELOW_FLOOR = "LAYERS_BELOW_FLOOR"
    # The trace and the answer as a whole.
    TRACE_SIGNATURE_INVALID = "TRACE_SIGNATURE_INVALID"
    TRACE_CUT = "TRACE_CUT"
    NOT_SEARCHED = "NOT_SEARCHED"
    CHARACTERS_REPLACED = "CHARACTERS_REPLACED"
    LOW_CONFIDENCE = "LOW_CONFIDENCE"
    NOTHING_TO_CHECK = "NOTHING_TO_CHECK"
    OVERCONFIDENT = "OVERCONFIDENT"
    JUDGE_ADDRESSED = "JUDGE_ADDRESSED"
    DOMAIN_CHECK_OPEN = "DOMAIN_CHECK_OPEN"
    # Opinions of a stronger model.
    CONTRADICTION = "CONTRADICTION"
    VERIFIER_REMARK = "VERIFIER_REMARK"
    VERIFIER_DOUBTS = "VERIFIER_DOUBTS"
    VERIFIER_OVERRULED = "VERIFIER_OVERRULED"
    VERIFIER_UNAVAILABLE = "VERIFIER_UNAVAILABLE"
    VERIFIERS_DISAGREE = "VERIFIERS_DISAGREE"
    JUDGE_MISLED = "JUDGE_MISLED"
    GOAL_INCONCLUSIVE = "GOAL_INCONCLUSIVE"
    # Errors of a model's reply (requirement A2).
    CONFIDENCE_CLAMPED = "CONFIDENCE_CLAMPED"
    COMPLETENESS_CLAMPED = "COMPLETENESS_CLAMPED"
    REPLY_NOT_JSON = "REPLY_NOT_JSON"
    REPLY_NOT_AN_OBJECT = "REPLY_NOT_AN_OBJECT"
    REPLY_FIELD_TWICE = "REPLY_FIELD_TWICE"
    REPLY_FIELD_UNKNOWN = "REPLY_FIELD_UNKNOWN"
    REPLY_FIELD_MISSING = "REPLY_FIELD_MISSING"
    REPLY_WRONG_TYPE = "REPLY_WRONG_TYPE"
    REPLY_TEXT_FOR_NUMBER = "REPLY_TEXT_FOR_NUMBER"
    REPLY_NOT_FINITE = "REPLY_NOT_FINITE"
    REPLY_TOO_LONG = "REPLY_TOO_LONG"


# Warnings about the verification, not about the answer: not for the agent.
ABOUT_THE_CHECK = frozenset(
    {
        WarningCode.VERIFIER_UNAVAILABLE,
        WarningCode.VERIFIERS_DISAGREE,
        WarningCode.GOAL_INCONCLUSIVE,
        WarningCode.VERIFIER_OVERRULED,
        WarningCode.JUDGE_MISLED,
        WarningCode.JUDGE_ADDRESSED,
        WarningCode.DOMAIN_CHECK_OPEN,
        WarningCode.CLAIM_DOUBTED,
        WarningCode.LAYERS_BELOW_FLOOR,
        WarningCode.OVERCONFIDENT,
        WarningCode.TRACE_CUT,
        WarningCode.NOT_SEARCHED,
        WarningCode.CHARACTERS_REPLACED,
        WarningCode.CONFIDENCE_CLAMPED,
        WarningCode.COMPLETENESS_CLAMPED,
    }
    | {code for code in WarningCode if code.startswith("REPLY_")}
)
