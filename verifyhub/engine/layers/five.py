"""The five layers, in the order of requirement E."""

from verifyhub.engine.layers.base import Layer
from verifyhub.engine.layers.fact_decomposition import FactDecomposition
from verifyhub.engine.layers.multi_source import MultiSource
from verifyhub.engine.layers.nli import NLI
from verifyhub.engine.layers.self_consistency import SelfConsistency
from verifyhub.engine.layers.semantic_entropy import SemanticEntropy

LAYERS: tuple[Layer, ...] = (
    SemanticEntropy(),
    FactDecomposition(),
    MultiSource(),
    SelfConsistency(),
    NLI(),
)
