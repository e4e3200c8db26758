"""Texts for detection layers and levels of risk."""

from collections.abc import Mapping
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

LAYERS: Final[Mapping[str, Promise]] = {
    "semantic_entropy": _("Semantic entropy"),
    "fact_decomposition": _("Fact decomposition"),
    "multi_source": _("Several sources"),
    "self_consistency": _("Self-consistency"),
    "nli": _("Entailment by the context"),
}
RISKS: Final[Mapping[str, Promise]] = {
    "low": pgettext_lazy("risk", "low"),
    "medium": pgettext_lazy("risk", "medium"),
    "high": pgettext_lazy("risk", "high"),
    "critical": pgettext_lazy("risk", "critical"),
}
# Names of a layer's details, as `LayerResult.details` writes them.
DETAILS: Final[Mapping[str, Promise]] = {
    "facts": pgettext_lazy("detail of a layer", "facts"),
    "supported": pgettext_lazy("detail of a layer", "supported"),
    "undecided": pgettext_lazy("detail of a layer", "undecided"),
    "left_out": pgettext_lazy("detail of a layer", "left out"),
    "precision": pgettext_lazy("detail of a layer", "precision"),
    "length_penalty": pgettext_lazy("detail of a layer", "length penalty"),
    "split_by_model": pgettext_lazy("detail of a layer", "split by a model"),
    "results": pgettext_lazy("detail of a layer", "results"),
    "claim": pgettext_lazy("detail of a layer", "claim"),
    "span": pgettext_lazy("detail of a layer", "place"),
    "by": pgettext_lazy("detail of a layer", "by"),
    "similarity": pgettext_lazy("detail of a layer", "similarity"),
    "passage": pgettext_lazy("detail of a layer", "passage"),
    "sources": pgettext_lazy("detail of a layer", "sources"),
    "independent": pgettext_lazy("detail of a layer", "independent"),
    "required": pgettext_lazy("detail of a layer", "required"),
    "asked": pgettext_lazy("detail of a layer", "asked"),
    "opinions": pgettext_lazy("detail of a layer", "opinions"),
    "opinion": pgettext_lazy("detail of a layer", "opinion"),
    "confidence": pgettext_lazy("detail of a layer", "confidence"),
    "reason": pgettext_lazy("detail of a layer", "reason"),
    "supporting": pgettext_lazy("detail of a layer", "supporting"),
    "agreement": pgettext_lazy("detail of a layer", "agreement"),
    "mean_confidence": pgettext_lazy("detail of a layer", "mean confidence"),
    "judged_by": pgettext_lazy("detail of a layer", "judged by"),
    "passages": pgettext_lazy("detail of a layer", "passages"),
    "unjudged": pgettext_lazy("detail of a layer", "not judged"),
    "relation": pgettext_lazy("detail of a layer", "relation"),
    "contradicting": pgettext_lazy("detail of a layer", "contradicting"),
    "variants": pgettext_lazy("detail of a layer", "variants"),
    "samples": pgettext_lazy("detail of a layer", "samples"),
    "majority": pgettext_lazy("detail of a layer", "majority"),
    "votes": pgettext_lazy("detail of a layer", "votes"),
    "unplaced": pgettext_lazy("detail of a layer", "not placed"),
    "clusters": pgettext_lazy("detail of a layer", "clusters"),
    "size": pgettext_lazy("detail of a layer", "size"),
    "first": pgettext_lazy("detail of a layer", "first"),
    "entropy": pgettext_lazy("detail of a layer", "entropy"),
    "discrete_entropy": pgettext_lazy("detail of a layer", "discrete entropy"),
    "weighted_entropy": pgettext_lazy("detail of a layer", "weighted entropy"),
    "length_normalised": pgettext_lazy("detail of a layer", "per token"),
    "answer_cluster": pgettext_lazy("detail of a layer", "cluster of the answer"),
    "answer_share": pgettext_lazy("detail of a layer", "share of the answer's cluster"),
}
# Codes among their values.
VALUES: Final[Mapping[str, Promise]] = {
    "discrete": pgettext_lazy("detail of a layer", "by counts"),
    "weighted": pgettext_lazy("detail of a layer", "by probability"),
    "cosine": pgettext_lazy("detail of a layer", "by likeness"),
    "variants": pgettext_lazy("detail of a layer", "by rewordings"),
    "majority": pgettext_lazy("detail of a layer", "by majority"),
    "model": pgettext_lazy("detail of a layer", "by a model"),
    "memory": pgettext_lazy("detail of a layer", "by the available evidence"),
    "local_judge": pgettext_lazy("detail of a layer", "by the operator's judge"),
    "AGREE": pgettext_lazy("detail of a layer", "agrees"),
    "DISAGREE": pgettext_lazy("detail of a layer", "disagrees"),
    "SUPPORTS": pgettext_lazy("detail of a layer", "supports"),
    "CONTRADICTS": pgettext_lazy("detail of a layer", "contradicts"),
    "SILENT": pgettext_lazy("detail of a layer", "neutral"),
    "ENTAILMENT": pgettext_lazy("detail of a layer", "entails"),
    "entailment": pgettext_lazy("detail of a layer", "entails"),
    "NEUTRAL": pgettext_lazy("detail of a layer", "neutral"),
    "neutral": pgettext_lazy("detail of a layer", "neutral"),
    "CONTRADICTION": pgettext_lazy("detail of a layer", "contradicts"),
    "contradiction": pgettext_lazy("detail of a layer", "contradicts"),
}
# Factors of a level of risk, as the rules name them.
FACTORS: Final[Mapping[str, Promise]] = {
    "medical": pgettext_lazy("risk", "medical"),
    "legal": pgettext_lazy("risk", "legal"),
    "financial": pgettext_lazy("risk", "financial"),
    "commands": pgettext_lazy("risk", "commands"),
    "secrets": pgettext_lazy("risk", "secrets"),
    "rules say": pgettext_lazy("risk", "the rules say"),
    "undecided": pgettext_lazy("risk", "undecided"),
    "short and plain": pgettext_lazy("risk", "short and plain"),
}
