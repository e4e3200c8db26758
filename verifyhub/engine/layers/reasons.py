"""Why a layer failed, stayed open or did not run: one table for every reader.

Reasons of `ports.ModelError` and of judges of claims stand beside these.
"""

from collections.abc import Mapping
from types import MappingProxyType

LAYER_REASONS: Mapping[str, str] = MappingProxyType(
    {
        "empty_text": "the text is empty",
        "no_model": "no model is set up",
        "no_task": "nobody said what the text answers",
        "no_context": "nobody said what the text was written from",
        "no_embedder": "no embedding model is set up",
        "no_facts": "the text states no facts",
        "insufficient": "there are not two independent sources",
        "answer_too_long": "the text is too long to be equal to another answer",
        "switched_off": "the layer is switched off",
        "too_few_samples": "too few answers could be drawn",
        "too_many_facts": "the text states more facts than are checked",
        "answer_contradicts_samples": "it contradicts what most drawn answers say",
        "answer_apart": "it says something else than the drawn answers",
        "evidence_differs": "the text differs from its evidence in one thing",
        "judge_misled": "the model took a planted falsehood for true",
        "malformed": "the model's reply could not be read",
        "timeout": "the layer's own time was over",
        "latency": "the profile's time was over",
        "cost": "the profile's money was used up",
        "calls": "as many calls were made as a run may make",
        "failed_inside": "the layer itself failed",
    }
)
