"""Texts for the reasons why a layer failed, stayed open or did not run.

`ports.ModelError` and judges of claims have further reasons.
"""

from collections.abc import Mapping
from types import MappingProxyType

LAYER_REASONS: Mapping[str, str] = MappingProxyType(
    {
        "empty_text": "the text is empty",
        "no_model": "no model is set up",
        "no_task": "no question was given",
        "no_context": "no context was given",
        "no_embedder": "no embedding model is set up",
        "no_facts": "the text states no facts",
        "insufficient": "there are not two independent sources",
        "answer_too_long": "the text is too long to be equal to another answer",
        "switched_off": "the layer is off",
        "too_few_samples": "too few answers could be sampled",
        "too_many_facts": "the text states more facts than are checked",
        "answer_contradicts_samples": "it contradicts most sampled answers",
        "answer_apart": "it differs from the sampled answers",
        "evidence_differs": "the text differs from its evidence in one detail",
        "judge_misled": "the model accepted a planted falsehood",
        "malformed": "the model's reply could not be read",
        "timeout": "the layer timed out",
        "latency": "the profile timed out",
        "cost": "the profile's budget was used up",
        "calls": "the run's limit of calls is reached",
        "failed_inside": "the layer itself failed",
    }
)
