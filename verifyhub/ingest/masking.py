"""Mask secrets of incoming data before it is stored."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from django.conf import settings

from verifyhub.accounts.maskers import masker
from verifyhub.accounts.masking import FIELDS_AS_SENT, Masker
from verifyhub.accounts.models import Project
from verifyhub.common.sealing import Seal
from verifyhub.engine.types import Interaction, ToolCall
from verifyhub.ingest.formats.otlp.span import Span, span_of

_SEAL = Seal(b"verifyhub.ingest.masked-values.1:")
seal_values, unseal_values, reseal_values = _SEAL.seal, _SEAL.unseal, _SEAL.reseal


def masked(
    project: Project, interaction: Interaction
) -> tuple[Interaction, Mapping[str, str]]:
    """Return a run with masks, and the original values of the masks."""
    own = project.storing_masker
    return _masked(own, interaction) if own else (interaction, {})


def versions(project: Project, interaction: Interaction) -> list[Interaction]:
    """Return all forms in which the content of a run may have been stored.

    These are the run as sent, and masked with each known secret key, since settings may
    have changed.
    """
    secrets = (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)
    maskers = [masker(secret, project.masks) for secret in secrets]
    return [interaction, *(_masked(own, interaction)[0] for own in maskers)]


def masked_spans(project: Project, spans: Sequence[Span]) -> Sequence[Span]:
    """Return spans with masks, for storage."""
    own = project.storing_masker
    if not own or not spans:
        return spans
    # Together, since one span may show which text of another is a secret.
    documents = [_texts_of(span) for span in spans]
    result = own.document(documents)
    if not result.values:
        return spans
    return [
        span_of({**span.as_json(), **document}) if document != before else span
        for span, before, document in zip(
            spans, documents, result.document, strict=True
        )
    ]


def write_values(values: Mapping[str, str]) -> str:
    """Encode the values of masks; `read_values` decodes them."""
    return json.dumps(dict(values), ensure_ascii=False)


def read_values(text: str) -> dict[str, str]:
    """Decode the values of masks."""
    return {str(mask): str(value) for mask, value in json.loads(text).items()}


def _texts_of(span: Span) -> dict[str, Any]:
    data = span.as_json()
    return {
        name: data[name]
        for name in ("status_message", "attributes", "events", "resource")
    }


def _masked(
    masker: Masker, interaction: Interaction
) -> tuple[Interaction, Mapping[str, str]]:
    fields = {
        name: getattr(interaction, name)
        for name in Interaction.__dataclass_fields__
        if name not in FIELDS_AS_SENT and name != "tool_calls"
    }
    calls = [[call.input, call.output] for call in interaction.tool_calls]
    result = masker.document([fields, calls])
    if not result.values:
        return interaction, {}
    fields, calls = result.document
    tool_calls = tuple(
        _with(call, *texts)
        for call, texts in zip(interaction.tool_calls, calls, strict=True)
    )
    return replace(interaction, **fields, tool_calls=tool_calls), result.values


def _with(call: ToolCall, data: dict[str, Any], output: str) -> ToolCall:
    if (data, output) == (call.input, call.output):
        return call
    changed = replace(call, input=data, output=output, is_error=None)
    # `replace` does not copy the position in the run.
    object.__setattr__(changed, "index", call.index)
    return changed
