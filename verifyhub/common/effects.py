"""Effects of a decision: stored as a code with parameters, worded when shown."""

from collections.abc import Mapping
from typing import Any, TypedDict

from django.utils.functional import Promise
from django.utils.translation import gettext as _

from verifyhub.common.kind_words import kind_word

Words = Mapping[str, Promise]


class Effect(TypedDict):
    """One change.

    `type` is the kind of row that changes and `id` the row, or the answer if the effect
    covers several rows; `before` and `after` are its fields. `code` and `params` give
    the sentence for people: each package lists the sentences of its own codes.
    """

    type: str
    id: str
    before: dict[str, Any]
    after: dict[str, Any]
    code: str
    params: dict[str, Any]


def effect_text(effect: Effect | Mapping[str, Any], words: Words) -> str:
    """Return an effect as text in the active language.

    Args:
        effect: A stored effect. Effects from before codes have an English sentence in
            `text`, which is returned as it is.
        words: The sentences by code.
    """
    code = str(effect.get("code", ""))
    if code not in words:
        return str(effect.get("text", ""))
    return str(words[code] % _parts(effect["params"], words))


def _parts(params: Mapping[str, Any], words: Words) -> dict[str, Any]:
    """Return the parameters with codes as texts, and lists joined."""
    parts = dict(params)
    if "kind" in params:
        named = {"kind": kind_word(params["kind"]), "name": params["name"]}
        parts["what"] = (
            _("%(kind)s %(name)s") % named if params["kind"] else named["name"]
        )
    if "session" in params:
        session = params["session"]
        parts["where"] = (
            _("session %(session)s") % {"session": session}
            if session
            else _("this answer")
        )
    if code := params.get("why_code"):
        parts["why"] = words[code] % {"name": params["why"]}
    return parts
