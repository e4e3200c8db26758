"""HTML input of a project's models: endpoints, tiers and caps."""

from collections.abc import Collection, Iterable
from decimal import Decimal
from typing import Any, NamedTuple

from django import forms
from django.utils.text import capfirst, format_lazy
from django.utils.translation import gettext_lazy as _

from verifyhub.common.contract import FieldError
from verifyhub.common.env import MICRODOLLARS
from verifyhub.common.forms import SettingForm
from verifyhub.engine.cross_tier.tiers import Tier
from verifyhub.engine.llm.endpoint import Dialect
from verifyhub.inference.caps import CAPS, DAY, MONTH, NOW, VERDICT
from verifyhub.inference.models import (
    DIALECTS,
    Budget,
    EmbeddingChoice,
    ModelEndpoint,
    TierModel,
)

MODEL = _("Model")
SERVER, OFF = "server", "off"
SECRET_INPUT = forms.PasswordInput(
    render_value=False, attrs={"autocomplete": "off", "spellcheck": "false"}
)


def model_field(label: Any = MODEL, *, required: bool = False) -> forms.CharField:
    """Return a field for the name of a model at its endpoint."""
    return forms.CharField(
        required=required,
        max_length=TierModel.MAX_MODEL,
        label=label,
        help_text=_("Its name at that endpoint; for Azure the deployment."),
        widget=forms.TextInput(attrs={"spellcheck": "false", "autocomplete": "off"}),
    )


def dollar_field(
    label: Any, help_text: Any, initial: Decimal | None = None
) -> forms.DecimalField:
    """Return a field for an amount in US dollars, empty for none."""
    return forms.DecimalField(
        required=False,
        min_value=0,
        decimal_places=6,
        label=label,
        help_text=help_text,
        initial=initial,
    )


class EndpointForm(SettingForm):
    """A model endpoint's address and key."""

    name = forms.CharField(
        max_length=ModelEndpoint.MAX_NAME,
        label=_("Name"),
        help_text=_("Its name here, such as “our vLLM”."),
    )
    dialect = forms.ChoiceField(
        choices=DIALECTS,
        label=_("Dialect"),
        help_text=(
            _(
                "Its protocol. OpenAI-compatible applies to OpenAI, vLLM,"
                " Ollama, llama.cpp and most gateways."
            )
        ),
    )
    base_url = forms.CharField(
        max_length=ModelEndpoint.MAX_URL,
        label=_("Address"),
        help_text=(
            _(
                "Up to and without /chat/completions; for Azure the resource, without"
                " /openai; for Anthropic without /v1/messages. Private addresses work"
                " only where the operator allows that host and port."
            )
        ),
        widget=forms.TextInput(attrs={"inputmode": "url", "spellcheck": "false"}),
    )
    api_version = forms.CharField(
        required=False,
        max_length=ModelEndpoint.MAX_VERSION,
        label=_("API version"),
        help_text=_("Azure and Anthropic only; empty for a current one."),
    )
    key = forms.CharField(
        required=False,
        max_length=1000,
        label=_("Key"),
        help_text=(
            _(
                "Stored encrypted and never shown again. Empty keeps the one that is"
                " stored, unless the address or the protocol changes."
            )
        ),
        widget=SECRET_INPUT,
    )
    drop_key = forms.BooleanField(
        required=False,
        label=_("It needs no key"),
        help_text=_("Deletes the stored key."),
    )

    def endpoint(self) -> ModelEndpoint:
        """Return a row of the endpoint, not saved and without the key."""
        data = self.cleaned_data
        return ModelEndpoint(
            name=data["name"],
            dialect=data["dialect"],
            base_url=data["base_url"],
            api_version=data["api_version"],
        )


class Provider(NamedTuple):
    """A provider, with default values.

    `base_url` is empty if each customer or machine has a different one.
    """

    words: Any
    dialect: Dialect
    base_url: str
    has_key: bool = True


PROVIDERS = {
    "openai": Provider("OpenAI", Dialect.OPENAI, "https://api.openai.com/v1"),
    "anthropic": Provider("Anthropic", Dialect.ANTHROPIC, "https://api.anthropic.com"),
    "azure": Provider("Azure OpenAI", Dialect.AZURE, ""),
    "ollama": Provider(
        _("Ollama on this machine"), Dialect.OPENAI, "http://localhost:11434/v1", False
    ),
    "local": Provider(
        _("llama.cpp, vLLM or another server of your own"), Dialect.OPENAI, "", False
    ),
    "other": Provider(_("Another OpenAI-compatible service"), Dialect.OPENAI, ""),
}


class AddressStepForm(SettingForm):
    """The first step to a model: provider, address and key."""

    provider = forms.ChoiceField(
        label=_("Provider"),
        choices=[(name, one.words) for name, one in PROVIDERS.items()],
    )
    base_url = forms.CharField(
        required=False,
        max_length=ModelEndpoint.MAX_URL,
        label=_("Address"),
        help_text=_(
            "Empty for the usual one of OpenAI, Anthropic or Ollama. For others up"
            " to and without /chat/completions; for Azure the resource."
        ),
        widget=forms.TextInput(attrs={"inputmode": "url", "spellcheck": "false"}),
    )
    key = forms.CharField(
        required=False,
        max_length=1000,
        label=_("Key"),
        help_text=_("Stored encrypted and never shown again."),
        widget=SECRET_INPUT,
    )

    def clean(self) -> dict[str, Any]:
        """Fill in the default address, and require fields without default."""
        data: dict[str, Any] = super().clean() or {}
        chosen = PROVIDERS.get(data.get("provider", ""))
        if chosen is None:
            return data
        data["base_url"] = data.get("base_url") or chosen.base_url
        if not data["base_url"]:
            self.add_error("base_url", _("Enter its address."))
        if chosen.has_key and chosen.base_url and not data.get("key"):
            self.add_error("key", _("Give the key: this service needs one."))
        return data

    def endpoint(self, taken_names: Collection[str]) -> ModelEndpoint:
        """Return a row of the endpoint with an unused name, not saved."""
        data = self.cleaned_data
        chosen = PROVIDERS[data["provider"]]
        host = data["base_url"].split("://")[-1].split("/")[0]
        plain = str(chosen.words) if chosen.base_url else host
        names = (
            plain,
            *(f"{plain} {number}" for number in range(2, len(taken_names) + 3)),
        )
        unused = next(name for name in names if name not in taken_names)
        return ModelEndpoint(
            name=unused[: ModelEndpoint.MAX_NAME],
            dialect=chosen.dialect.value,
            base_url=data["base_url"],
        )


class PricedModelForm(SettingForm):
    """A model at an endpoint, and the price of its tokens."""

    model = model_field()
    input_price = dollar_field(
        _("Price of a million tokens read, in US dollars"),
        _("Without prices only tokens can be capped, not money."),
    )
    output_price = dollar_field(
        _("Price of a million tokens written, in US dollars"),
        _("From the endpoint's price list."),
    )

    def chosen_at(self, endpoint: ModelEndpoint | None) -> TierModel:
        """Return a row of the model at this endpoint, not saved."""
        data = self.cleaned_data
        return TierModel(
            endpoint=endpoint,
            model=data["model"],
            input_microdollars=microdollars(data["input_price"]),
            output_microdollars=microdollars(data["output_price"]),
        )


class ModelStepForm(PricedModelForm):
    """The second step: the model, and the tiers that it checks."""

    field_order = ("model", "tier")
    model = model_field(required=True)
    tier = forms.ChoiceField(
        label=_("Tier"),
        initial=Tier.MEDIUM,
        choices=[
            (Tier.MEDIUM, _("Medium: checks answers of small and of unknown agents")),
            (Tier.LARGE, _("Large: checks all others, and these where no other does")),
            (Tier.SMALL, _("Small: for settings that name it; checks no answers")),
        ],
    )


class TierForm(PricedModelForm):
    """The model of one tier."""

    field_order = ("choice",)
    choice = forms.ChoiceField(label=_("Source"))
    deadline_seconds = forms.IntegerField(
        initial=TierModel.DEADLINE_SECONDS,
        label=_("Deadline, in seconds"),
        help_text=_("For one call, from connecting to the last byte."),
    )
    max_output_tokens = forms.IntegerField(
        initial=TierModel.MAX_OUTPUT_TOKENS,
        label=_("Longest reply, in tokens"),
        help_text=_("Reserved before a call; too few tokens cut replies off."),
    )

    def __init__(
        self, *args: Any, endpoints: Iterable[ModelEndpoint], **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self.endpoints = {str(endpoint.id): endpoint for endpoint in endpoints}
        self.fields["choice"] = forms.ChoiceField(
            label=_("Source"),
            choices=[
                (SERVER, _("Server default")),
                (OFF, _("Off: this tier has no model")),
                *((key, row.name) for key, row in self.endpoints.items()),
            ],
            help_text=(
                _(
                    "One of the endpoints below, the operator's own model, or none."
                    " The other fields apply only to an endpoint of this project."
                )
            ),
        )

    def chosen(self) -> TierModel | None:
        """Return a row of the chosen model, not saved; None for the server's own."""
        data = self.cleaned_data
        if data["choice"] == SERVER:
            return None
        choice = self.chosen_at(self.endpoints.get(data["choice"]))
        choice.deadline_seconds = data["deadline_seconds"]
        choice.max_output_tokens = data["max_output_tokens"]
        return choice


class EmbeddingForm(SettingForm):
    """The choice of the model that embeds a project's knowledge."""

    LOCAL = "local"

    embedding_choice = forms.ChoiceField(label=_("Embedded by"))
    embedding_model = model_field(_("Embedding model"))
    embedding_price = dollar_field(
        _("Price of a million tokens embedded, in US dollars"),
        _("Without it only tokens can be capped, not money."),
    )
    embedding_deadline = forms.IntegerField(
        initial=EmbeddingChoice.DEADLINE_SECONDS,
        label=_("Deadline of a call, in seconds"),
        help_text=_("For one call, from connecting to the last byte."),
    )

    # The names of this form for fields of errors.
    OWN = {
        "choice": "embedding_choice",
        "model": "embedding_model",
        "input_price": "embedding_price",
        "deadline_seconds": "embedding_deadline",
    }

    def __init__(
        self, *args: Any, endpoints: Iterable[ModelEndpoint], **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self.endpoints = {str(row.id): row for row in endpoints}
        self.fields["embedding_choice"] = forms.ChoiceField(
            label=_("Embedded by"),
            choices=[
                (
                    self.LOCAL,
                    _("VerifyHub's built-in model: no data leaves the server"),
                ),
                *((key, row.name) for key, row in self.endpoints.items()),
            ],
            help_text=_(
                "A different model embeds all passages again; until that is"
                " done, the previous one is used for search."
            ),
        )

    def chosen(self) -> EmbeddingChoice | None:
        """Return a row of the chosen model; None for the local one."""
        data = self.cleaned_data
        endpoint = self.endpoints.get(data["embedding_choice"])
        if endpoint is None:
            return None
        return EmbeddingChoice(
            endpoint=endpoint,
            model=data["embedding_model"],
            input_microdollars=microdollars(data["embedding_price"]),
            deadline_seconds=data["embedding_deadline"],
        )

    def show(self, error: FieldError) -> None:
        """Add an error to the field that it names."""
        own = self.OWN.get(error.field, error.field)
        super().show(FieldError(own, str(error)))


def embedding_initial(row: EmbeddingChoice | None) -> dict[str, Any]:
    """Return the form's values for the current embedding model."""
    if row is None:
        return {"embedding_choice": EmbeddingForm.LOCAL}
    return {
        "embedding_choice": str(row.endpoint_id),
        "embedding_model": row.model,
        "embedding_price": dollars(row.input_microdollars),
        "embedding_deadline": row.deadline_seconds,
    }


CAP_UNITS = {
    "microdollars": _("In US dollars."),
    "tokens": _("Input and output together."),
    "ms": _("In seconds."),
}
CAP_PERIODS = {
    DAY: _("Counted from midnight UTC."),
    MONTH: _("Counted from the first of the month, UTC."),
    VERDICT: _(
        "All calls for one answer, with repairs and second verifiers. The worst case"
        " of each call must fit."
    ),
    NOW: _("Further calls wait until one of them finishes."),
}


class CapsForm(SettingForm):
    """A project's caps on spending; an empty field is no cap."""

    def __init__(self, *args: Any, budget: Budget, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for cap in CAPS:
            label = capfirst(str(cap.words))
            words = format_lazy(
                "{} {}", CAP_UNITS.get(cap.counter, ""), CAP_PERIODS[cap.period]
            )
            value = getattr(budget, cap.name)
            if cap.counter == "microdollars":
                self.fields[cap.name] = dollar_field(label, words, dollars(value))
            else:
                self.fields[cap.name] = forms.IntegerField(
                    required=False,
                    min_value=0,
                    label=label,
                    help_text=words,
                    initial=value,
                )

    def values(self) -> dict[str, int | None]:
        """Return the caps by name, money in micro-dollars."""
        return {
            cap.name: (
                microdollars(self.cleaned_data[cap.name])
                if cap.counter == "microdollars"
                else self.cleaned_data[cap.name]
            )
            for cap in CAPS
        }


def endpoint_initial(row: ModelEndpoint) -> dict[str, str]:
    """Return the form's values for an existing endpoint, without its key."""
    return {
        "name": row.name,
        "dialect": row.dialect,
        "base_url": row.base_url,
        "api_version": row.api_version,
    }


def tier_initial(row: TierModel | None) -> dict[str, Any]:
    """Return the form's values for a project's tier."""
    if row is None:
        return {"choice": SERVER}
    return {
        "choice": str(row.endpoint_id) if row.endpoint_id else OFF,
        "model": row.model,
        "input_price": dollars(row.input_microdollars),
        "output_price": dollars(row.output_microdollars),
        "deadline_seconds": row.deadline_seconds,
        "max_output_tokens": row.max_output_tokens,
    }


def microdollars(amount: Decimal | None) -> int | None:
    """Return millionths of a dollar."""
    return None if amount is None else int(amount * MICRODOLLARS)


def dollars(amount: int | None) -> Decimal | None:
    """Return dollars without trailing zeros."""
    if amount is None:
        return None
    return (Decimal(amount) / MICRODOLLARS).quantize(
        Decimal("0.000001")
    ).normalize() + 0
