"""Effects of a decision on learning, as sentences by code."""

from typing import Final

from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

EFFECT_WORDS: Final = {
    "example": _(
        "The decision on %(name)s becomes an example for verifiers of this project."
    ),
    "example_of_answer": _(
        "The decision on the answer as a whole becomes an example for verifiers of"
        " this project."
    ),
    "example_undone": _(
        "The decision on %(name)s is no longer an example for verifiers."
    ),
    "example_of_answer_undone": _(
        "The decision on the answer as a whole is no longer an example for verifiers."
    ),
    "samples": ngettext_lazy(
        "%(count)s score of the checks can be compared with your decision.",
        "%(count)s scores of the checks can be compared with your decision.",
        "count",
    ),
    "samples_undone": ngettext_lazy(
        "%(count)s score of the checks is no longer compared with your decision.",
        "%(count)s scores of the checks are no longer compared with your decision.",
        "count",
    ),
    "pair": _("Your text and the agent's answer become a pair to train on."),
    "pair_undone": _(
        "Your text and the agent's answer are no longer a pair to train on."
    ),
}
