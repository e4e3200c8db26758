"""Short texts for the codes in figures, filters and exports."""

from typing import Final

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from verifyhub.common.kind_words import KINDS
from verifyhub.common.layer_words import LAYERS

CODES: Final = {
    # Warnings of verdicts (`engine.warning_codes`).
    "LOOK_ALIKE_NAME": _("name in look-alike letters"),
    "CONTRADICTED_CLAIM": _("claim of work contradicted by the trace"),
    "UNATTEMPTED_CLAIM": _("claim of work without evidence of execution"),
    "UNSUPPORTED_VALUE": _("unsupported value"),
    "CLAIM_CONTRADICTED": _("fact contradicted by the evidence"),
    "CLAIM_DOUBTED": _("doubtful fact"),
    "LAYERS_BELOW_FLOOR": _("detection layers below the floor"),
    "TRACE_SIGNATURE_INVALID": _("invalid signature of the trace"),
    "TRACE_CUT": _("trace was cut"),
    "NOT_SEARCHED": _("part of the trace was not searched"),
    "CHARACTERS_REPLACED": _("unreadable characters replaced"),
    "LOW_CONFIDENCE": _("low confidence"),
    "NOTHING_TO_CHECK": _("nothing to check"),
    "OVERCONFIDENT": _("agent is overconfident"),
    "JUDGE_ADDRESSED": _("text that addresses the judge"),
    "DOMAIN_CHECK_OPEN": _("a required check is inconclusive"),
    "CONTRADICTION": _("subtasks contradict each other"),
    "VERIFIER_REMARK": _("remark of a verifier"),
    "VERIFIER_DOUBTS": _("a model doubts supported names"),
    "VERIFIER_OVERRULED": _("a verifier was overruled"),
    "VERIFIER_UNAVAILABLE": _("a verifier was unavailable"),
    "VERIFIERS_DISAGREE": _("two verifiers disagree"),
    "JUDGE_MISLED": _("a judge failed a control question"),
    "GOAL_INCONCLUSIVE": _("whether the goal was achieved is unclear"),
    "CONFIDENCE_CLAMPED": _("confidence out of range"),
    "COMPLETENESS_CLAMPED": _("completeness out of range"),
    # Why a name was flagged.
    "not_found": _("not found"),
    "wrong_directory": _("wrong directory"),
    "wrong_extension": _("wrong extension"),
    "case_differs": _("case differs"),
    "look_alike": _("look alike"),
    "near_miss": _("near miss"),
    "grade_too_low": _("grade too low"),
    "input_only": _("only in the agent's own input"),
    "error_only": _("only in an error"),
    "self_written": _("only in the agent's own file"),
    "cross_tier": _("a model's doubt"),
    # What was wrong with an agent's own account.
    "missing_field": _("missing field"),
    "invalid_type": _("invalid type"),
    "schema_mismatch": _("schema mismatch"),
    "hash_mismatch": _("hash mismatch"),
    "anchor_mismatch": _("anchor mismatch"),
    "file_not_found": _("file not found"),
    "filesystem_mismatch": _("filesystem mismatch"),
    # What is exported.
    "interactions": _("interactions"),
    "verifications": _("verifications"),
    "mentions": _("mentions"),
    "overrides": _("overrides"),
    "constraints": _("constraints"),
    "model_calls": _("model calls"),
    "metrics": pgettext_lazy("export", "metrics"),
    "preference_pairs": _("preference pairs"),
    "labelled_completions": _("labelled completions"),
    "labelled_answers": _("labelled answers"),
    "claim_evidence": _("claims with evidence"),
    # Checks, and what people decide about.
    "verdict": pgettext_lazy("check", "verdict"),
    "verdicts": pgettext_lazy("check", "verdicts"),
    "names": pgettext_lazy("check", "names"),
    "completion": pgettext_lazy("check", "completion"),
    "values": pgettext_lazy("check", "values"),
    "local_signals": pgettext_lazy("check", "local signals"),
    "level_1_structure": pgettext_lazy("check", "level 1, structure"),
    "level_2_schema": pgettext_lazy("check", "level 2, schema"),
    "level_3_filesystem": pgettext_lazy("check", "level 3, files"),
    "unverified_names": pgettext_lazy("check", "unverified names"),
    "found": pgettext_lazy("check", "found"),
    # What models were asked for, by whom, and their tiers.
    "goal": _("the goal"),
    "probe": _("a probe"),
    "embedding": _("embedding"),
    "grounding": _("grounding"),
    "agent": _("agent"),
    "orchestrator": _("orchestrator"),
    "moderator": _("moderator"),
    "small": _("small"),
    "medium": _("medium"),
    "large": _("large"),
    # Presets, and the cut-offs that they move.
    "strict": _("strict"),
    "balanced": _("balanced"),
    "lenient": _("lenient"),
    "source": pgettext_lazy("preset", "source"),
    "sends_back": _("sends back"),
    "untrue": _("untrue"),
    "wrong": _("wrong"),
    "doubtful": _("doubtful"),
    "retry_above_unverified": _("retry above unverified"),
    "reformulate_below_confidence": _("reformulate below confidence"),
    "follow_up_below_completeness": _("follow up below completeness"),
    "uncertain_below_confidence": _("uncertain below confidence"),
    "model_above_characters": _("model above characters"),
    # Fields of answers, calls and entries.
    "input": _("input"),
    "output": _("output"),
    "reason": _("reason"),
    "status": _("status"),
    "text": _("text"),
    "kind": _("kind"),
    "decision": _("decision"),
    "note": _("note"),
    "answers": _("answers"),
    "claims": _("claims"),
    "gold": _("gold"),
    "mention": _("mention"),
    "judgements": _("judgements"),
    "key": _("key"),
    "override": _("override"),
}


def words_for(code: str) -> str:
    """Return the text for a code, in the viewer's language; an unknown one as it is."""
    text: object = CODES.get(code) or LAYERS.get(code) or KINDS.get(code)
    if text is None and code.startswith("UNVERIFIED_"):
        kind = KINDS.get(code.removeprefix("UNVERIFIED_").lower())
        text = kind and _("not found in the trace: %(kind)s") % {"kind": kind}
    if text is None and code.startswith("REPLY_"):
        text = _("a model's reply could not be read")
    return str(text or code.replace("_", " "))
