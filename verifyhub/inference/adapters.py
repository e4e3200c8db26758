"""HTTP adapters of active models, within the operator's egress policy.

The client takes half a second to import, and most processes call no model.
"""

from typing import TYPE_CHECKING

from django.conf import settings

from verifyhub.common.private_hosts import allowed_in
from verifyhub.egress.errors import EgressError
from verifyhub.egress.policy import EgressPolicy
from verifyhub.engine.ports import Model, ModelError
from verifyhub.inference.models import EmbeddingChoice, ModelEndpoint
from verifyhub.inference.sealing import UnsealError, unseal
from verifyhub.inference.selectors import ModelInForce

if TYPE_CHECKING:
    from verifyhub.engine.llm.embeddings import EmbeddingModel
    from verifyhub.engine.llm.endpoint import ChatEndpoint
    from verifyhub.engine.llm.probe import ProbeResult


def connect(model: ModelInForce, reply_mode: str) -> Model:
    """Return the adapter of a model, in its reply mode.

    Raises:
        ModelError: With reason `not_configured` if its key cannot be opened.
    """
    from verifyhub.engine.llm.models import model_at

    return model_at(_endpoint(model, reply_mode), policy=_policy(model))


def connect_embeddings(model: EmbeddingChoice) -> "EmbeddingModel":
    """Return the adapter of a project's own embedding model.

    Raises:
        ModelError: With reason `not_configured` if its key cannot be opened.
    """
    from verifyhub.engine.llm.embeddings import EmbeddingModel
    from verifyhub.engine.llm.endpoint import ChatEndpoint

    row = model.endpoint
    endpoint = ChatEndpoint(
        base_url=row.base_url,
        api_key=_opened(row),
        model=model.model,
        deadline_seconds=model.deadline_seconds,
        dialect=row.dialect,
        api_version=row.api_version,
    )
    return EmbeddingModel(endpoint, policy=_policy_of_projects())


def ask_probe(model: ModelInForce) -> "ProbeResult":
    """Find a model's reply mode by real calls.

    Raises:
        ModelError: With reason `not_configured` if its key cannot be opened.
    """
    from verifyhub.engine.llm.probe import probe

    return probe(_endpoint(model, "auto"), policy=_policy(model))


def why_blocked(base_url: str) -> str:
    """Return why a project may not use an address, as a code of `EgressError`; else "".

    Only its text is checked; the resolved address is checked at every call.
    """
    try:
        _policy_of_projects().check_url(base_url)
    except EgressError as error:
        return error.code
    return ""


def _endpoint(model: ModelInForce, reply_mode: str) -> "ChatEndpoint":
    from verifyhub.engine.llm.endpoint import ChatEndpoint

    return ChatEndpoint(
        base_url=model.base_url,
        api_key=(
            _opened(model.endpoint) if model.endpoint else str(settings.MODELS.api_key)
        ),
        model=model.model,
        deadline_seconds=model.deadline_seconds,
        dialect=model.dialect,
        api_version=model.api_version,
        reply_mode=reply_mode,
        max_output_tokens=model.max_output_tokens,
        input_microdollars_per_mtok=model.input_microdollars,
        output_microdollars_per_mtok=model.output_microdollars,
    )


def _opened(endpoint: ModelEndpoint) -> str:
    try:
        return unseal(endpoint.sealed_key, row=endpoint.id)
    except UnsealError as error:
        raise ModelError(
            "not_configured",
            "the endpoint's key was sealed under another VERIFYHUB_SECRET_KEY; enter"
            " it again",
        ) from error


def _policy(model: ModelInForce) -> EgressPolicy:
    """Return the egress policy of a model.

    The operator's setting allows the server's own endpoint; addresses of projects need
    the operator's permission.
    """
    if model.endpoint is None:
        policy: EgressPolicy = settings.MODELS.policy()
        return policy
    return _policy_of_projects()


def _policy_of_projects() -> EgressPolicy:
    allowed = allowed_in(settings.HOME, "models")
    return EgressPolicy(allowed=settings.MODELS.allow_private | allowed)
