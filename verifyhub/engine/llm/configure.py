"""Configure the models of tiers from the environment, without a server."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from verifyhub.common import env
from verifyhub.egress.errors import EgressError
from verifyhub.egress.policy import EgressPolicy, target_of
from verifyhub.engine.cross_tier.tiers import Tier, verifier_tier
from verifyhub.engine.llm.endpoint import ChatEndpoint, Dialect, ReplyMode
from verifyhub.engine.ports import Model

# A model of the agent's own tier or below is no second opinion.
VERIFYING = (Tier.LARGE, Tier.MEDIUM)

# Of a million tokens: input and output, in millionths of a US dollar.
Price = tuple[int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelSettings:
    """Settings of the server's own endpoint; without a URL there is none.

    Attributes:
        base_url: See `ChatEndpoint`.
        api_key: Likewise.
        models: Name of the model of each tier.
        second: Model that verifies beside the tier's own (dual-model mode).
        deadline_seconds: For one question with all its repetitions.
        dialect: See `ChatEndpoint`.
        api_version: Likewise.
        reply_mode: Likewise.
        max_output_tokens: The longest reply that is asked for.
        prices: Micro-dollars per million tokens of request and reply, by the name of
            the model; a model without one can only be held to caps on tokens.
        allow_private: Hosts and ports at which private addresses may be called.
    """

    base_url: str = ""
    api_key: str = field(default="", repr=False)
    models: Mapping[Tier, str] = field(default_factory=dict)
    second: str = ""
    deadline_seconds: float = 60.0
    dialect: Dialect = Dialect.OPENAI
    api_version: str = ""
    reply_mode: ReplyMode = ReplyMode.AUTO
    max_output_tokens: int = 4096
    prices: Mapping[str, Price] = field(default_factory=dict)
    allow_private: frozenset[tuple[str, int]] = frozenset()

    def policy(self) -> EgressPolicy:
        """Return the hosts that models may be called at.

        The operator set this URL, which permits its host and port. One that is not
        valid permits nothing.
        """
        hosts = set()
        if self.base_url:
            try:
                target = target_of(self.base_url)
                hosts.add((target.host, target.port))
            except EgressError:
                hosts.clear()
        return EgressPolicy(allowed=self.allow_private | hosts)

    def endpoint(self, tier: Tier) -> ChatEndpoint | None:
        """Return the endpoint of a tier's model; None if none is configured."""
        name = self.models.get(tier)
        if not self.base_url or not name:
            return None
        price = self.prices.get(name)
        return ChatEndpoint(
            base_url=self.base_url,
            api_key=self.api_key,
            model=name,
            deadline_seconds=self.deadline_seconds,
            dialect=self.dialect,
            api_version=self.api_version,
            reply_mode=self.reply_mode,
            max_output_tokens=self.max_output_tokens,
            input_microdollars_per_mtok=price[0] if price else None,
            output_microdollars_per_mtok=price[1] if price else None,
        )


def from_environment() -> ModelSettings:
    """Read `VERIFYHUB_MODEL_*`, each of which may be given as a file.

    Raises:
        env.SettingError: If a value cannot be used.
    """
    return ModelSettings(
        base_url=env.text("VERIFYHUB_MODEL_URL", ""),
        api_key=env.text("VERIFYHUB_MODEL_KEY", ""),
        models={
            Tier.SMALL: env.text("VERIFYHUB_MODEL_SMALL", ""),
            Tier.MEDIUM: env.text("VERIFYHUB_MODEL_MEDIUM", ""),
            Tier.LARGE: env.text("VERIFYHUB_MODEL_LARGE", ""),
        },
        second=env.text("VERIFYHUB_MODEL_SECOND", ""),
        deadline_seconds=env.integer("VERIFYHUB_MODEL_DEADLINE_SECONDS", 60, minimum=1),
        dialect=env.choice("VERIFYHUB_MODEL_DIALECT", Dialect.OPENAI),
        api_version=env.text("VERIFYHUB_MODEL_API_VERSION", ""),
        reply_mode=env.choice("VERIFYHUB_MODEL_REPLY_MODE", ReplyMode.AUTO),
        max_output_tokens=env.integer(
            "VERIFYHUB_MODEL_MAX_OUTPUT_TOKENS", 4096, minimum=1
        ),
        prices=_prices(env.words("VERIFYHUB_MODEL_PRICES")),
        allow_private=env.hosts("VERIFYHUB_MODEL_ALLOW_PRIVATE"),
    )


def verifier_for(executor: str, settings: ModelSettings) -> Model | None:
    """Return the model that checks an answer of tier `executor`.

    Returns:
        The model one tier up; the largest configured one where that tier has none;
        None where no endpoint or no model is configured.
    """
    tiers = (verifier_tier(executor), *VERIFYING)
    endpoints = (settings.endpoint(tier) for tier in tiers)
    endpoint = next(
        (candidate for candidate in endpoints if candidate is not None), None
    )
    if endpoint is None:
        return None
    # The client takes half a second to import; most runs are checked without it.
    from verifyhub.engine.llm.models import model_at

    return model_at(endpoint, policy=settings.policy())


def _prices(entries: list[str]) -> dict[str, Price]:
    """Read `model=input/output`: US dollars for a million tokens."""
    name = "VERIFYHUB_MODEL_PRICES"
    prices: dict[str, Price] = {}
    for entry in entries:
        # A model's name may hold = and /, a price neither.
        model, _, pair = entry.rpartition("=")
        input_price, slash, output_price = pair.partition("/")
        if not model or not slash:
            raise env.SettingError(f"{name}: {entry!r} is not model=input/output")
        if model in prices:
            raise env.SettingError(f"{name} names {model} twice")
        prices[model] = (
            env.microdollars(name, input_price),
            env.microdollars(name, output_price),
        )
    return prices
