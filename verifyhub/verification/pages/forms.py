"""Forms of tool schemas and tool gateways."""

import json
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from verifyhub.accounts.fault_words import row_words
from verifyhub.common.strict_json import StrictJSONError, loads
from verifyhub.engine.errors import DomainError
from verifyhub.engine.levels.schema_rules import MAX_SCHEMA_BYTES
from verifyhub.engine.presets.strictness import Strictness
from verifyhub.verification.models import GatewayKey, ToolSchema

MAX_DOMAINS_BYTES = 100_000
STRICTNESS_CHOICES = [
    (Strictness.STRICT, pgettext_lazy("preset", "Strict")),
    (Strictness.BALANCED, pgettext_lazy("preset", "Balanced")),
    (Strictness.LENIENT, pgettext_lazy("preset", "Lenient")),
    (Strictness.SOURCE, pgettext_lazy("preset", "As the sources")),
]
EXAMPLE = """{
  "type": "object",
  "required": ["documents"],
  "properties": {"documents": {"type": "array", "items": {"type": "object"}}}
}"""


def json_in(text: str, *, max_bytes: int) -> Any:
    """Parse the JSON text of a form's field.

    Raises:
        ValidationError: If it is none.
    """
    try:
        return loads(text.encode(), max_bytes=max_bytes)
    except StrictJSONError as error:
        raise forms.ValidationError(
            _("This is not JSON: %(error)s") % {"error": error}
        ) from error


class StrictnessForm(forms.Form):
    """The preset of another verification; empty for the project's own."""

    strictness = forms.ChoiceField(
        required=False,
        choices=[("", _("Project default")), *STRICTNESS_CHOICES],
    )


DOMAINS_EXAMPLE = """[
  {
    "name": "billing",
    "criteria": ["Is the tax shown for every line?"],
    "checks": ["grounding", "goal"],
    "thresholds": {"retry_above_unverified": 0},
    "words": ["invoice", "tax"], "roles": ["accountant"], "tools": []
  }
]"""


class PresetsForm(forms.Form):
    """A project's strictness and verifiers."""

    strictness = forms.ChoiceField(
        choices=STRICTNESS_CHOICES,
        label=_("Strictness"),
        help_text=_("For every verification without a preset of its own."),
    )
    domain = forms.CharField(
        required=False,
        max_length=40,
        label=_("Verifier"),
        help_text=_(
            "For runs that name none: code, analysis, general or one of your own."
            " Empty to go by the words of the task, the role and the tools."
        ),
    )
    domains = forms.CharField(
        required=False,
        max_length=MAX_DOMAINS_BYTES,
        label=_("Verifiers of your own"),
        help_text=_(
            "A JSON array of rows. The questions go to the model as data; an"
            " existing name is replaced, and cut-offs only ever get stricter."
        ),
        widget=forms.Textarea(
            attrs={"rows": 10, "spellcheck": "false", "placeholder": DOMAINS_EXAMPLE}
        ),
    )

    def clean_domains(self) -> list[Any]:
        text = self.cleaned_data["domains"].strip()
        if not text:
            return []
        rows = json_in(text, max_bytes=4 * MAX_DOMAINS_BYTES)
        if not isinstance(rows, list):
            raise forms.ValidationError(_("This is not a JSON array."))
        return rows

    def clean_strictness(self) -> Strictness:
        return Strictness(self.cleaned_data["strictness"])

    def show(self, error: DomainError) -> None:
        """Add errors to the fields, by row."""
        for row, fault in error.errors.items():
            self.add_error("domains" if row else "domain", row_words(row, fault))


class ToolSchemaForm(forms.Form):
    """A schema, the name it is referred to by, and the tool it is for."""

    reference = forms.CharField(
        max_length=ToolSchema.MAX_REFERENCE,
        label=_("Reference"),
        help_text=_("package/schema#Name. An existing one is replaced."),
    )
    tool = forms.CharField(
        required=False,
        max_length=ToolSchema.MAX_TOOL,
        label=_("Tool"),
        help_text=_("As traces name it. Empty for a schema that others only refer to."),
    )
    schema = forms.CharField(
        widget=forms.Textarea(attrs={"rows": 12, "spellcheck": "false"}),
        label=_("Schema"),
        help_text=_("JSON Schema, draft 2020-12. References stay in this registry."),
    )

    def clean_schema(self) -> Any:
        return json_in(self.cleaned_data["schema"], max_bytes=MAX_SCHEMA_BYTES)


class GatewayKeyForm(forms.Form):
    """A gateway's public key, and the name traces give it."""

    key_id = forms.RegexField(
        r"^[A-Za-z0-9._-]+$",
        max_length=GatewayKey.MAX_KEY_ID,
        label=_("Name"),
        help_text=_("As in trace_signature.key_id: letters, digits, dots, dashes."),
        error_messages={"invalid": _("Letters, digits, dots and dashes only.")},
    )
    public_key = forms.CharField(
        max_length=100,
        label=_("Public key"),
        help_text=_(
            "Ed25519, base64 of its 32 bytes. The private key stays at the gateway."
        ),
    )


def filled(row: ToolSchema) -> dict[str, str]:
    """Return the form's values for a schema that is there, to be changed."""
    schema = json.dumps(row.schema, indent=2, ensure_ascii=False)
    return {"reference": row.reference, "tool": row.tool, "schema": schema}
