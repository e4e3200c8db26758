"""The active model of a project's tier, and its source."""

import hashlib
from dataclasses import dataclass, field
from enum import StrEnum

from django.conf import settings

from verifyhub.accounts.models import Project
from verifyhub.common.prepared import PreparedQuery
from verifyhub.engine.cross_tier.tiers import Tier, verifier_tier
from verifyhub.engine.llm.configure import VERIFYING
from verifyhub.engine.llm.cost import priced
from verifyhub.inference.models import ModelEndpoint, ModelProbe, TierModel

SERVER_ENDPOINT = "server"


class ModelSource(StrEnum):
    """Whose setting selects the model."""

    PROJECT = "project"
    SERVER = "server"


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelInForce:
    """An active model, with its endpoint, price and limits.

    `endpoint` is the project's row; None for the server's own endpoint. Prices are in
    micro-dollars per million tokens, None if unknown.
    """

    tier: Tier
    is_second: bool
    source: ModelSource
    endpoint: ModelEndpoint | None
    endpoint_name: str
    dialect: str
    base_url: str
    api_version: str = ""
    model: str = ""
    input_microdollars: int | None = None
    output_microdollars: int | None = None
    deadline_seconds: float = field(default=TierModel.DEADLINE_SECONDS)
    max_output_tokens: int = TierModel.MAX_OUTPUT_TOKENS

    @property
    def has_price(self) -> bool:
        """Whether a cap on money can apply to this model."""
        return self.input_microdollars is not None and (
            self.output_microdollars is not None
        )

    @property
    def fingerprint(self) -> str:
        """A digest of the model and its endpoint, 64 hexadecimal digits."""
        parts = (self.dialect, self.base_url, self.api_version, self.model)
        return hashlib.sha256("\0".join(parts).encode()).hexdigest()

    def cost(self, input_tokens: int, output_tokens: int) -> int | None:
        """Return micro-dollars for so many tokens, rounded up; None without a price."""
        prices = self.input_microdollars, self.output_microdollars
        return priced(prices, input_tokens, output_tokens)


def models_in_force(
    project: Project, *, second: bool = False
) -> dict[Tier, ModelInForce]:
    """Return the model of every tier that has one; a project's own take precedence.

    The server's second verifier is available for every tier but the smallest.
    """
    return _in_force(TierModels.of(project).rows, second=second)


_ROWS = PreparedQuery(
    lambda project: TierModel.objects.filter(project=project).select_related("endpoint")
)


@dataclass(frozen=True, slots=True)
class TierModels:
    """A project's models of its tiers, when they were read."""

    rows: list[TierModel]

    @classmethod
    def of(cls, project: Project) -> "TierModels":
        """Read them."""
        return cls(_ROWS(project=project.id))

    def verifiers(
        self, executor_tier: str
    ) -> tuple[ModelInForce | None, ModelInForce | None]:
        """Return the verifier of a tier's answers, and the second verifier.

        The first is the model of the next higher tier, or else the largest; the second
        is always of the next higher tier.
        """
        models = _in_force(self.rows, second=False)
        second = _in_force(self.rows, second=True)
        largest = next((models[name] for name in VERIFYING if name in models), None)
        tier = verifier_tier(executor_tier)
        return models.get(tier) or largest, second.get(tier)


def _in_force(rows: list[TierModel], *, second: bool) -> dict[Tier, ModelInForce]:
    chosen = {row.tier: row for row in rows if row.is_second == second}
    models = {}
    for tier in Tier:
        row = chosen.get(tier)
        model = in_force_of(row) if row else _of_server(tier, second=second)
        if model:
            models[tier] = model
    return models


def server_models_in_force() -> list[ModelInForce]:
    """Return the operator's models: those of every tier, and the second."""
    models = [_of_server(tier, second=False) for tier in Tier]
    models.append(_of_server(Tier.LARGE, second=True))
    return [model for model in models if model]


def in_force_of(row: TierModel) -> ModelInForce | None:
    """Return a project's model of a tier; None if it is disabled."""
    if not row.is_on or row.endpoint is None:
        return None
    return ModelInForce(
        tier=Tier(row.tier),
        is_second=row.is_second,
        source=ModelSource.PROJECT,
        endpoint=row.endpoint,
        endpoint_name=row.endpoint.name,
        dialect=row.endpoint.dialect,
        base_url=row.endpoint.base_url,
        api_version=row.endpoint.api_version,
        model=row.model,
        input_microdollars=row.input_microdollars,
        output_microdollars=row.output_microdollars,
        deadline_seconds=row.deadline_seconds,
        max_output_tokens=row.max_output_tokens,
    )


def probe_of(model: ModelInForce) -> ModelProbe | None:
    """Return the last probe of this model at this endpoint."""
    owner = model.endpoint.project if model.endpoint else None
    return ModelProbe.objects.filter(
        project=owner, fingerprint=model.fingerprint
    ).first()


def _of_server(tier: Tier, *, second: bool) -> ModelInForce | None:
    server = settings.MODELS
    if second:
        name = server.second if tier is not Tier.SMALL else ""
    else:
        name = server.models.get(tier, "")
    if not server.base_url or not name:
        return None
    paid, returned = server.prices.get(name, (None, None))
    return ModelInForce(
        tier=tier,
        is_second=second,
        source=ModelSource.SERVER,
        endpoint=None,
        endpoint_name=SERVER_ENDPOINT,
        dialect=server.dialect,
        base_url=server.base_url,
        api_version=server.api_version,
        model=name,
        input_microdollars=paid,
        output_microdollars=returned,
        deadline_seconds=server.deadline_seconds,
        max_output_tokens=server.max_output_tokens,
    )
