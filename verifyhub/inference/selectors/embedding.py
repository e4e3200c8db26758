"""The embedding model of a project."""

import hashlib
from dataclasses import dataclass, field

from verifyhub.accounts.models import Project
from verifyhub.engine.llm.cost import priced
from verifyhub.inference.models import EmbeddingChoice, ModelEndpoint


@dataclass(frozen=True, slots=True, kw_only=True)
class EmbeddingInForce:
    """A model of embeddings at an endpoint of a project, with its price and deadline.

    `dimension` is 0 while it is unknown. The price is in micro-dollars per million
    tokens, None if unknown.
    """

    endpoint: ModelEndpoint
    model: str
    dimension: int
    input_microdollars: int | None = None
    deadline_seconds: float = field(default=EmbeddingChoice.DEADLINE_SECONDS)

    @property
    def fingerprint(self) -> str:
        """A digest of the model and its address, 64 hexadecimal digits."""
        at = self.endpoint
        parts = (at.dialect, at.base_url, at.api_version, self.model)
        material = "\0".join((*parts, str(self.dimension)))
        return hashlib.sha256(material.encode()).hexdigest()

    def cost(self, tokens: int) -> int | None:
        """Return micro-dollars for so many tokens, rounded up; None without a price."""
        paid = self.input_microdollars
        return priced((paid, 0 if paid is not None else None), tokens, 0)


def embedding_choice(project: Project) -> EmbeddingChoice | None:
    """Return the row of a project's model; None for the local one."""
    rows = EmbeddingChoice.objects.filter(project=project)
    return rows.select_related("endpoint").first()


def embedding_in_force(project: Project) -> EmbeddingInForce | None:
    """Return a project's model; None for the local one."""
    row = embedding_choice(project)
    if row is None:
        return None
    return EmbeddingInForce(
        endpoint=row.endpoint,
        model=row.model,
        dimension=row.dimension,
        input_microdollars=row.input_microdollars,
        deadline_seconds=row.deadline_seconds,
    )
