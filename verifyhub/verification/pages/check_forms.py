"""Forms of check settings and of detections."""

from collections.abc import Iterable
from typing import Any

from django import forms
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from verifyhub.accounts.fault_words import fault_words, row_words
from verifyhub.engine.calls.pairs import DEEDS, deeds_in, names_in
from verifyhub.engine.errors import PairsError, ProfileError
from verifyhub.engine.layer_results import LayerName, RiskLevel
from verifyhub.engine.layers.base import EntropyBy
from verifyhub.engine.risk.profiles import own_profiles
from verifyhub.verification.check_choices import (
    ENTROPY_CHOICES,
    LAYER_CHOICES,
    RISK_CHOICES,
    Claims,
    Layers,
)
from verifyhub.verification.pages.forms import json_in
from verifyhub.verification.services import (
    LayersRequest,
    NamePair,
    NewCheckSettings,
    Subject,
    ToolDeed,
)

MAX_PROFILES_BYTES = 20_000
MAX_TEXT = 100_000
MAX_SOURCES_TEXT = 400_000
PROFILES_EXAMPLE = """{
  "high": {"floor": 0.85, "layers": ["semantic_entropy", "nli"]},
  "critical": {"latency_seconds": 60, "microdollars": 250000}
}"""
MAX_PAIRS_TEXT = 100_000
NAMES_EXAMPLE = _("T3 = gold tier")
BY_RISK = ("", _("based on its risk"))


class ChecksForm(forms.Form):
    """A project's settings for claims and layers."""

    claims = forms.ChoiceField(
        choices=Claims.choices,
        label=_("Claims of fact are checked"),
        help_text=_(
            "Sentences of an answer are checked against sources, documents"
            " and tool outputs. Without a model or a judge, only local"
            " signals can question them."
        ),
    )
    layers = forms.ChoiceField(
        choices=Layers.choices,
        label=_("Detection layers run"),
        help_text=_("They cost model calls, within the caps of each profile."),
    )
    layers_off = forms.MultipleChoiceField(
        choices=LAYER_CHOICES,
        required=False,
        label=_("Layers that never run"),
        widget=forms.CheckboxSelectMultiple,
    )
    entropy_by = forms.ChoiceField(
        choices=ENTROPY_CHOICES,
        required=False,
        label=_("Semantic entropy compares meanings"),
        help_text=_("By similarity: no model compares the sampled answers."),
    )
    risk = forms.ChoiceField(
        choices=[("", _("assessed for each answer")), *RISK_CHOICES],
        required=False,
        label=_("Risk of every answer"),
        help_text=_("A run may raise its own risk by metadata.risk, never lower it."),
    )
    profiles = forms.CharField(
        required=False,
        max_length=MAX_PROFILES_BYTES,
        label=_("Risk profiles of your own"),
        help_text=_(
            "A JSON object by level. What is not named stays as in the table below. A"
            " profile that no text could pass is refused."
        ),
        widget=forms.Textarea(
            attrs={"rows": 8, "spellcheck": "false", "placeholder": PROFILES_EXAMPLE}
        ),
    )

    names = forms.CharField(
        required=False,
        max_length=MAX_PAIRS_TEXT,
        label=_("Names of coded values"),
        help_text=_(
            "One per line: the value as tools return it, an equals sign, its name. "
            "Both are treated as equal. A * at the end of a value matches any rest."
        ),
        widget=forms.Textarea(
            attrs={"rows": 6, "spellcheck": "false", "placeholder": NAMES_EXAMPLE}
        ),
    )
    deeds = forms.CharField(
        required=False,
        max_length=MAX_PAIRS_TEXT,
        label=_("What tools do"),
        help_text=format_lazy(
            "{} {}",
            _(
                "One line per tool whose name does not show what it does: the tool, a "
                "space, what it does. Claims of such work are checked against its "
                "calls. Possible:"
            ),
            f"{', '.join(DEEDS)}.",
        ),
        widget=forms.Textarea(attrs={"rows": 4, "spellcheck": "false"}),
    )

    def clean_profiles(self) -> dict[str, Any]:
        text = self.cleaned_data["profiles"].strip()
        if not text:
            return {}
        profiles = json_in(text, max_bytes=4 * MAX_PROFILES_BYTES)
        if not isinstance(profiles, dict):
            raise forms.ValidationError(_("This is not a JSON object."))
        return profiles

    def values(self) -> NewCheckSettings:
        """Return the values of valid fields.

        Raises:
            ProfileError: If the profiles are invalid; by field.
        """
        data = self.cleaned_data
        return NewCheckSettings(
            claims=Claims(data["claims"]),
            layers=Layers(data["layers"]),
            layers_off=_layers(data["layers_off"]),
            entropy_by=EntropyBy(data["entropy_by"] or EntropyBy.ENTAILMENT),
            risk=_risk(data["risk"]),
            profiles=own_profiles(data["profiles"]),
            names=tuple(NamePair(**row) for row in names_in(data["names"])),
            deeds=tuple(ToolDeed(**row) for row in deeds_in(data["deeds"])),
        )

    def show_pairs(self, error: PairsError) -> None:
        """Add the errors of pairs to their field, by line."""
        for (field, row), fault in error.errors.items():
            self.add_error(field, row_words(row, fault))

    def show(self, error: ProfileError) -> None:
        """Add the errors of profiles to their field."""
        for field, fault in error.errors.items():
            text = fault_words(fault)
            self.add_error("profiles", f"{field}: {text}" if field else text)


class AskedForm(forms.Form):
    """The profile that a stored answer's layers run with."""

    risk = forms.ChoiceField(choices=[BY_RISK, *RISK_CHOICES], required=False)

    def layers_request(self) -> LayersRequest:
        """Return the requested layers, from valid fields."""
        return LayersRequest(risk=_risk(self.cleaned_data["risk"]))


class DetectionForm(forms.Form):
    """A text, its sources, and the layers to run."""

    text = forms.CharField(
        max_length=MAX_TEXT,
        label=_("Text"),
        help_text=_("What is checked: an answer, or a part of one."),
        widget=forms.Textarea(attrs={"rows": 6, "dir": "auto"}),
    )
    task = forms.CharField(
        required=False,
        max_length=MAX_TEXT,
        label=_("Task"),
        help_text=_("What the text answers. Two layers ask it again."),
        widget=forms.Textarea(attrs={"rows": 2, "dir": "auto"}),
    )
    context = forms.CharField(
        required=False,
        max_length=MAX_SOURCES_TEXT,
        label=_("Context"),
        help_text=_("What the text is based on. Without it, entailment is skipped."),
        widget=forms.Textarea(attrs={"rows": 4, "dir": "auto"}),
    )
    sources = forms.CharField(
        required=False,
        max_length=MAX_SOURCES_TEXT,
        label=_("Sources"),
        help_text=_(
            "Texts that may support or contradict it, separated by a line of"
            " three dashes. The layer of several sources needs at least two."
        ),
        widget=forms.Textarea(attrs={"rows": 6, "dir": "auto"}),
    )
    layers = forms.MultipleChoiceField(
        choices=LAYER_CHOICES,
        required=False,
        label=_("Layers"),
        help_text=_("None chosen: those of the risk profile."),
        widget=forms.CheckboxSelectMultiple,
    )
    risk = forms.ChoiceField(
        choices=[BY_RISK, *RISK_CHOICES], required=False, label=_("Profile")
    )

    def subject(self) -> Subject:
        """Return the text of valid fields."""
        data = self.cleaned_data
        return Subject(
            text=data["text"],
            task=data["task"],
            context=data["context"],
            sources=tuple(_parted(data["sources"])),
        )

    def layers_request(self) -> LayersRequest:
        """Return the requested layers, from valid fields."""
        data = self.cleaned_data
        return LayersRequest(risk=_risk(data["risk"]), layers=_layers(data["layers"]))


def _risk(level: str) -> RiskLevel | None:
    return RiskLevel(level) if level else None


def _layers(names: Iterable[str]) -> tuple[LayerName, ...]:
    return tuple(LayerName(name) for name in names)


def _parted(text: str) -> list[str]:
    """Cut at lines of three dashes."""
    parts: list[list[str]] = [[]]
    for line in text.splitlines():
        if line.strip() == "---":
            parts.append([])
        else:
            parts[-1].append(line)
    joined = ("\n".join(lines).strip() for lines in parts)
    return [part for part in joined if part]
