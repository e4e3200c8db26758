"""One form for each kind of decision; each gives a `Decision`."""

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from verifyhub.engine.types import MentionKind
from verifyhub.review.decisions import (
    CLAIM,
    CLAIM_WORDS,
    MAX_CORRECTION_LENGTH,
    MAX_MISSED_LENGTH,
    MAX_NOTE_LENGTH,
    MAX_REASON_LENGTH,
    ClaimFlip,
    Decision,
    FactFlip,
    MentionFlip,
    Missed,
    ValueFlip,
)
from verifyhub.verification.models import FactWord, MentionStatus, Verdict

# The reason in a preview.
LOOKED_AT = "-"
STATUS_WORDS = {
    "verified": _("it is correct"),
    "unverified": _("it is wrong, or invented"),
    "supported": _("the work was done"),
    "contradicted": _("the trace shows otherwise"),
    "unattempted": _("it was never attempted"),
    "right": _("it is true"),
    "wrong": _("it is not true"),
}


# The sessions that a decision on a name applies to.
REACHES = (("project", "project"), ("session", "session"))


class VersionForm(forms.Form):
    """A decision about the item's version that the reviewer saw."""

    version = forms.IntegerField(min_value=0, widget=forms.HiddenInput)

    def parts(self) -> Mapping[str, Any]:
        """Return the parts of the decision, without its reason."""
        return {}

    def decision(self) -> Decision:
        """Return the decision of a valid form."""
        data = self.cleaned_data
        why = {
            "reason": data.get("reason", ""),
            "reason_codes": tuple(data.get("reason_codes", ())),
        }
        return Decision(**{**why, **self.parts()})


class AgreeForm(VersionForm):
    """Agree with the verification's verdict."""

    def parts(self) -> Mapping[str, Any]:
        return {"agree": True}


class ReasonForm(VersionForm):
    """A decision against the verification, which needs a reason: a code or a text."""

    reason_codes = forms.MultipleChoiceField(
        required=False, error_messages={"invalid_choice": _("Reason: not in the list.")}
    )
    reason = forms.CharField(
        required=False,
        max_length=MAX_REASON_LENGTH,
        error_messages={"max_length": _("Reason: at most %(limit_value)d characters.")},
    )

    def __init__(
        self, data: Any, *, codes: Sequence[tuple[str, str]] = (), looking: bool = False
    ) -> None:
        """Bind the form.

        Args:
            data: The submitted data.
            codes: The project's reason codes and their labels.
            looking: Whether it is a preview, which needs no reason.
        """
        super().__init__(data)
        self._looking = looking
        self.fields["reason_codes"].choices = list(codes)  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        why = data.get("reason") or data.get("reason_codes")
        if not why and self._looking:
            data["reason"] = LOOKED_AT
        elif not why and "reason" not in self.errors:
            self.add_error("reason", _("Reason: required."))
        return data


class OverrideForm(ReasonForm):
    """Another verdict than the verification's."""

    verdict = forms.ChoiceField(
        choices=Verdict.choices,
        error_messages={"required": _("Verdict: choose the correct one.")},
    )

    def parts(self) -> Mapping[str, Any]:
        return {"verdict": self.cleaned_data["verdict"]}


class StatusForm(ReasonForm):
    """Another status for one name, claim or value."""

    index = forms.IntegerField(min_value=0)
    # The part of the decision, and the type of its elements.
    part: tuple[str, type]

    def parts(self) -> Mapping[str, Any]:
        name, flip = self.part
        fields = ("index", "status", "suggestion", "reach")
        data = {key: self.cleaned_data[key] for key in fields if key in self.fields}
        if "reach" in data:
            data["reach"] = data["reach"] or "project"
        return {name: (flip(**data),)}


class FlipForm(StatusForm):
    """Another status for one name."""

    part = ("mentions", MentionFlip)
    status = forms.ChoiceField(choices=MentionStatus.choices)
    suggestion = forms.CharField(max_length=500, required=False)
    reach = forms.ChoiceField(choices=REACHES, required=False)


class ClaimForm(StatusForm):
    """Another status for one claim of work."""

    part = ("claims", ClaimFlip)
    status = forms.ChoiceField(choices=[(word, word) for word in CLAIM_WORDS])


class FactForm(StatusForm):
    """A decision on one claim of fact."""

    part = ("facts", FactFlip)
    status = forms.ChoiceField(choices=FactWord.choices)


class ValueForm(StatusForm):
    """A decision on one value."""

    part = ("values", ValueFlip)
    status = forms.ChoiceField(choices=FactWord.choices)
    reach = forms.ChoiceField(choices=REACHES, required=False)


class MissedForm(ReasonForm):
    """A name or claim that VerifyHub missed."""

    text = forms.CharField(
        max_length=MAX_MISSED_LENGTH,
        error_messages={"required": _("Text: select or type what was missed.")},
    )
    start = forms.IntegerField(min_value=0, required=False)
    # Kind and status in one choice: each kind has its own statuses.
    what = forms.ChoiceField(
        choices=[
            *((f"{kind}:unverified", kind) for kind in MentionKind),
            *((f"{kind}:verified", kind) for kind in MentionKind),
            *((f"{CLAIM}:{word}", word) for word in CLAIM_WORDS),
        ]
    )
    suggestion = forms.CharField(max_length=500, required=False)

    def parts(self) -> Mapping[str, Any]:
        data = self.cleaned_data
        kind, _colon, status = data["what"].partition(":")
        missed = Missed(
            text=data["text"],
            kind=kind,
            status=status,
            start=data["start"],
            suggestion=data["suggestion"],
        )
        return {"missed": (missed,)}


class CorrectForm(ReasonForm):
    """The answer as it should have been."""

    correction = forms.CharField(
        strip=False,
        max_length=MAX_CORRECTION_LENGTH,
        error_messages={
            "required": _("Answer: enter the corrected answer."),
            "max_length": _("Answer: at most %(limit_value)d characters."),
        },
    )

    def parts(self) -> Mapping[str, Any]:
        return {"correction": self.cleaned_data["correction"]}


class NoteForm(VersionForm):
    """A note for colleagues, which changes nothing."""

    note = forms.CharField(
        max_length=MAX_NOTE_LENGTH,
        error_messages={"required": _("Note: enter a text.")},
    )

    def parts(self) -> Mapping[str, Any]:
        return {"note": self.cleaned_data["note"]}


FORMS: dict[str, type[VersionForm]] = {
    "agree": AgreeForm,
    "override": OverrideForm,
    "flip": FlipForm,
    "claim": ClaimForm,
    "fact": FactForm,
    "value": ValueForm,
    "missed": MissedForm,
    "correct": CorrectForm,
    "note": NoteForm,
}


def takes_reason(name: str) -> bool:
    """Whether the form of a kind of decision has a reason."""
    return issubclass(FORMS[name], ReasonForm)


def bound_form(
    name: str, data: Any, codes: Sequence[tuple[str, str]], *, looking: bool
) -> VersionForm:
    """Return the form of a kind of decision with the submitted data."""
    kind = FORMS[name]
    if issubclass(kind, ReasonForm):
        return kind(data, codes=codes, looking=looking)
    return kind(data)
