"""The embedding model of a project, called within its budget."""

import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from django.db import models, transaction
from django.utils.translation import gettext as _

from verifyhub.accounts.models import Project
from verifyhub.audit.services import record_event
from verifyhub.engine.llm.cost import most_tokens
from verifyhub.engine.ports import BUDGET, HELD_BACK, ModelError, ModelUsage
from verifyhub.inference.adapters import connect_embeddings
from verifyhub.inference.errors import ModelSettingError
from verifyhub.inference.models import (
    EMBEDDING,
    LOST,
    OK,
    EmbeddingChoice,
    ModelCall,
)
from verifyhub.inference.selectors import embedding_choice
from verifyhub.inference.services import budget
from verifyhub.inference.services.metered import record_unmade
from verifyhub.inference.services.tiers import (
    MAX_DEADLINE_SECONDS,
    MAX_PRICE_MICRODOLLARS,
)
from verifyhub.inference.steps import AFTER_EMBEDDING_CHANGE

PURPOSE, PROBE = "embedding", "probe"
PROBED_TEXT = "How many numbers does a vector have?"
# Texts of one request, limited by the size of the reply.
TEXTS_AT_ONCE = 8


class MeteredEmbedder:
    """An `Embedder` on a project's account."""

    def __init__(
        self,
        *,
        project: Project,
        model: EmbeddingChoice,
        purpose: str = PURPOSE,
    ) -> None:
        """Bind a model; connects at the first call."""
        self._project, self._model = project, model
        self._purpose = purpose

    @property
    def name(self) -> str:
        """See `Embedder.name`."""
        return self._model.model

    @property
    def dimension(self) -> int:
        """See `Embedder.dimension`."""
        return self._model.dimension

    def embed(self, texts: Sequence[str]) -> list[Sequence[float]]:
        """See `Embedder.embed`.

        Raises:
            ModelError: As the adapter does; with reason `budget` or `busy` if a cap
                refuses the call, and `malformed` if vectors have another dimension.
        """
        vectors: list[Sequence[float]] = []
        for first in range(0, len(texts), TEXTS_AT_ONCE):
            vectors += self._embed(texts[first : first + TEXTS_AT_ONCE])
        return vectors

    def _embed(self, texts: Sequence[str]) -> Sequence[Sequence[float]]:
        call = self._reserved(texts)
        began = time.monotonic()
        try:
            masker = self._project.outgoing_masker
            done = connect_embeddings(self._model).embed(
                [masker.text(text) for text in texts] if masker else texts
            )
        except ModelError as error:
            partial_usage = self._priced(error.usage or ModelUsage())
            seconds = partial_usage.latency_seconds or time.monotonic() - began
            usage = replace(partial_usage, latency_seconds=seconds)
            budget.settle(call=call, outcome=error.reason, usage=usage)
            raise
        except BaseException:
            budget.settle(call=call, outcome=LOST, usage=None)
            raise
        budget.settle(call=call, outcome=OK, usage=self._priced(done.usage))
        sizes = {len(vector) for vector in done.vectors}
        if len(sizes) != 1 or (self.dimension and sizes != {self.dimension}):
            raise ModelError(
                "malformed",
                f"vectors of {min(sizes)} numbers came in place of {self.dimension}",
            )
        return done.vectors

    def _reserved(self, texts: Sequence[str]) -> ModelCall:
        tokens = most_tokens(texts)
        price = self._model.cost(tokens)
        call = ModelCall(
            project=self._project,
            purpose=self._purpose,
            tier=EMBEDDING,
            endpoint_name=self._model.endpoint.name,
            model=self._model.model,
            cost_microdollars=None if price is None else 0,
        )
        worst = budget.Worst(
            microdollars=price or 0,
            tokens=tokens,
            ms=round(self._model.deadline_seconds * 1000),
        )
        seconds = self._model.deadline_seconds
        try:
            return budget.reserve(call=call, worst=worst, deadline_seconds=seconds)
        except ModelError as error:
            record_unmade(call, BUDGET if error.reason in HELD_BACK else error.reason)
            raise

    def _priced(self, usage: ModelUsage) -> ModelUsage:
        if usage.input_tokens is None:
            return usage
        cost = self._model.cost(usage.input_tokens)
        return replace(usage, cost_microdollars=cost)


def set_embedding(
    *, project: Project, choice: EmbeddingChoice | None, actor: models.Model | None
) -> EmbeddingChoice | None:
    """Choose a project's embedding model; a small call finds its dimension.

    Existing vectors are used until the new model has embedded everything.

    Args:
        project: The tenant.
        choice: The row of the model, not saved; None for the local model.
        actor: Who changes it.

    Returns:
        The row; None for the local model.

    Raises:
        ModelSettingError: If a value is invalid, or the model did not reply.
    """
    if choice is None:
        return _chosen(project, None, actor)
    _check(project, choice)
    choice.model, choice.dimension = choice.model.strip(), 0
    embedder = MeteredEmbedder(project=project, model=choice, purpose=PROBE)
    try:
        (vector,) = embedder.embed([PROBED_TEXT])
    except ModelError as error:
        raise ModelSettingError(
            "model", _("The model returned no vector: %(reason)s.") % {"reason": error}
        ) from error
    choice.dimension = len(vector)
    return _chosen(project, choice, actor)


@transaction.atomic
def _chosen(
    project: Project, choice: EmbeddingChoice | None, actor: models.Model | None
) -> EmbeddingChoice | None:
    before = embedding_choice(project)
    description = _described(before)
    if choice is None:
        EmbeddingChoice.objects.filter(project=project).delete()
        row = None
    else:
        row, _ = EmbeddingChoice.objects.update_or_create(
            project=project,
            defaults={
                "endpoint": choice.endpoint,
                "model": choice.model,
                "dimension": choice.dimension,
                "input_microdollars": choice.input_microdollars,
                "deadline_seconds": choice.deadline_seconds,
            },
        )
    record_event(
        "inference.embedding_set",
        project,
        actor,
        before=description,
        after=_described(row),
    )
    for step in AFTER_EMBEDDING_CHANGE:
        step(project)
    return row


def _check(project: Project, choice: EmbeddingChoice) -> None:
    if choice.endpoint.project_id != project.id:
        raise ModelSettingError("choice", _("This endpoint does not exist."))
    if not choice.model.strip() or not choice.model.isprintable():
        raise ModelSettingError("model", _("Give the model's name at the endpoint."))
    price = choice.input_microdollars
    if price is not None and not 0 <= price <= MAX_PRICE_MICRODOLLARS:
        raise ModelSettingError(
            "input_price", _("Enter a price between 0 and 1000 dollars.")
        )
    if not 1 <= choice.deadline_seconds <= MAX_DEADLINE_SECONDS:
        raise ModelSettingError(
            "deadline_seconds",
            _("Enter a number between 1 and %(n)s.") % {"n": MAX_DEADLINE_SECONDS},
        )


def _described(row: EmbeddingChoice | None) -> dict[str, Any]:
    if row is None:
        return {"model": "local"}
    return {
        "endpoint": row.endpoint.name,
        "model": row.model,
        "dimension": row.dimension,
        "input_microdollars": row.input_microdollars,
        "deadline_seconds": row.deadline_seconds,
    }
