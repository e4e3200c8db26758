"""Short words for the codes that stand in figures, in filters and in exports."""

from typing import Final

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from verifyhub.common.layer_words import LAYERS
from verifyhub.common.wording import worded

CODES: Final = {
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
    "local_signals": pgettext_lazy("check", "local signals"),
    "level_1_structure": pgettext_lazy("check", "level 1, structure"),
    "level_2_schema": pgettext_lazy("check", "level 2, schema"),
    "level_3_filesystem": pgettext_lazy("check", "level 3, files"),
    "unverified_names": pgettext_lazy("check", "unverified names"),
    "found": pgettext_lazy("check", "found"),
    # What models were asked for.
    "goal": _("the goal"),
    "probe": _("a probe"),
}


def words_for(code: str) -> str:
    """Say what a code means, in the viewer's language; an unknown one as it is."""
    known = CODES.get(code) or LAYERS.get(code)
    return str(known or worded(code.replace("_", " ")))
