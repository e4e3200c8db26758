"""The context of the decision forms: choices and drafts."""

from collections.abc import Iterable, Mapping
from typing import Any

from django import forms
from django.urls import reverse
from django.utils.translation import gettext

from verifyhub.accounts.models import User
from verifyhub.common.kind_words import kind_word
from verifyhub.common.prepared import PreparedQuery
from verifyhub.engine.thresholds import Thresholds
from verifyhub.engine.types import MentionKind
from verifyhub.ingest.models import Interaction
from verifyhub.memory.services import adds_voice
from verifyhub.review.decide import STATUS_WORDS
from verifyhub.review.decisions import CLAIM, CLAIM_WORDS
from verifyhub.review.gold import last_statement
from verifyhub.review.models import Act, Draft, Override
from verifyhub.review.selectors import latest_overrides
from verifyhub.verification.models import FactWord, MentionStatus

_DRAFT = PreparedQuery(
    lambda answer, user: Draft.objects.filter(interaction=answer, user=user)
)
_LAST_ACT = PreparedQuery(
    lambda project, user: Act.objects.filter(
        project=project, reviewer=user, undone_at=None
    ).order_by("-created_at")[:1]
)


def desk_context(
    user: User,
    interaction: Interaction,
    context: Mapping[str, Any],
    bound: Mapping[str, forms.Form] | None = None,
) -> dict[str, Any]:
    """Return the context of the decision forms.

    Args:
        user: The viewer.
        interaction: The answer.
        context: The context of the page (`answer_context`).
        bound: Refused forms by name, with the submitted data.
    """
    draft = _DRAFT.first(answer=interaction.pk, user=user.pk)
    typed: dict[str, Any] = dict(draft.content) if draft else {}
    errors: dict[str, Any] = {}
    choice = context.get("choice")
    if choice is not None:
        typed[FLIP] = typed.get(f"{flip_name(choice.kind)}-{choice.index}")
    for name, form in (bound or {}).items():
        shown = FLIP if name in FLIPS else name
        values = {field: form[field].value() for field in form.fields}
        typed[shown] = {k: "" if v is None else v for k, v in values.items()}
        errors[shown] = form.errors
    # Undo applies to this answer's decisions, or else to the viewer's last decision.
    stands = any(made.undone_at is None for made in context.get("overrides", []))
    return {
        "typed": typed,
        "errors": errors,
        "draft_version": draft.version if draft else 0,
        **_flip_context(context, user),
        "last_undo": None if stands else last_undo(interaction, user),
    }


# The forms of the evidence panel, one of which is shown.
FLIP = "flip"
FACT = "fact"
VALUE = "value"
FLIPS = (FLIP, CLAIM, FACT, VALUE)
# Statuses of right names and claims.
RIGHT = frozenset({"verified", "supported", "right"})


def flip_name(kind: str) -> str:
    """Return the name of the form that changes the status of a kind of choice."""
    return kind if kind in (CLAIM, FACT, VALUE) else FLIP


def _flip_context(context: Mapping[str, Any], user: User) -> dict[str, Any]:
    """Return the choices for the selected name or claim, most likely first."""
    choice = context.get("choice")
    if choice is None or "added" in context:
        return {}
    shown = _statuses(context, user)
    ways = {value in RIGHT for value, _word in shown["flip_statuses"]}
    return shown | {"may_be_right": True in ways, "may_be_wrong": False in ways}


def _statuses(context: Mapping[str, Any], user: User) -> dict[str, Any]:
    choice = context["choice"]
    if choice.kind == FACT:
        return _fact_flip(context)
    if choice.kind == VALUE:
        return _value_flip(context)
    if choice.kind != CLAIM:
        name = context["name"]
        open_to = [name.flipped_to]
        if name.tone == "unverified" and not name.is_flipped:
            open_to.append(MentionStatus.UNVERIFIED)
        active = [
            override.id
            for override in context["overrides"]
            if override.mention
            and override.mention.index == choice.index
            and override.undone_at is None
        ]
        if name.is_flipped and adds_voice(overrides=active, said_by=[user]):
            open_to.append(MentionStatus(name.status))
        return {
            "flip_name": FLIP,
            "flip_statuses": _worded(open_to),
            "flip_suggestion": name.data.suggestion or "",
            "flip_voices": _voices(context),
        }
    words = latest_overrides(context["overrides"], Override.Target.CLAIM)
    override = words.get(choice.index)
    status = override.after if override else str(context["claim"].status)
    return {
        "flip_name": CLAIM,
        "flip_statuses": _worded(word for word in CLAIM_WORDS if word != status),
        "claim_said": override,
        "claim_status": status,
    }


def _fact_flip(context: Mapping[str, Any]) -> dict[str, Any]:
    fact = context["fact"]
    words = _likelier_first(is_right=fact.tone == "good", current=fact.human_status)
    return {"flip_name": FACT, "flip_statuses": _worded(words)}


def _value_flip(context: Mapping[str, Any]) -> dict[str, Any]:
    value = context["value"]
    current = value.override.after if value.override else ""
    words = _likelier_first(is_right=value.tone == "verified", current=current)
    return {
        "flip_name": VALUE,
        "flip_statuses": [(str(word), VALUE_WORDS[word]) for word in words],
        "flip_voices": _voices(context),
    }


def _likelier_first(*, is_right: bool, current: str) -> list[FactWord]:
    """Return the statuses that a person may choose, most likely first."""
    words = (FactWord.WRONG, FactWord.RIGHT)
    return [word for word in (words if is_right else words[::-1]) if word != current]


def _voices(context: Mapping[str, Any]) -> int:
    """Return how many people must agree before it is shared with every session."""
    thresholds = context["interaction"].project.thresholds
    return Thresholds.with_overrides(thresholds).confirming_people


# Decisions on values use the statuses of names.
VALUE_WORDS = {
    FactWord.RIGHT: STATUS_WORDS["verified"],
    FactWord.WRONG: STATUS_WORDS["unverified"],
}


def _worded(statuses: Iterable[str]) -> list[tuple[str, Any]]:
    return [(str(status), STATUS_WORDS[str(status)]) for status in statuses]


def last_undo(interaction: Interaction, user: User) -> dict[str, Any] | None:
    """Return the link that undoes a person's newest current decision."""
    project = interaction.project
    act = _LAST_ACT.first(project=project.id, user=user.pk)
    gold = last_statement(project.id, user)
    if gold and (act is None or gold.at > act.created_at):
        named = [project.slug, gold.interaction_id, gold.id]
        url = reverse("review:answer-undo", args=named)
        return {"url": url, "version": gold.version}
    if act is None:
        return None
    return {"url": reverse("review:act-undo", args=[project.slug, act.id])}


def missed_choices() -> list[tuple[str, list[tuple[str, str]]]]:
    """Return the kinds that a person can add, grouped by status."""
    names = [
        (f"{kind}:{status}", kind_word(kind))
        for status in ("unverified", "verified")
        for kind in MentionKind
    ]
    half = len(names) // 2
    claims = [(f"{CLAIM}:{word}", str(STATUS_WORDS[str(word)])) for word in CLAIM_WORDS]
    return [
        (gettext("Invented name"), names[:half]),
        (gettext("Correct name"), names[half:]),
        (gettext("A claim of work"), claims),
    ]
