"""A control question before a model's word lets a text pass.

A model that takes a planted falsehood for true would take any text for true, and what
a passage differs from in one number, date, name or denial no model can pass.
"""

from collections.abc import Callable

from verifyhub.engine.claims.extract import extract_claims
from verifyhub.engine.claims.local import contradicted_facts
from verifyhub.engine.judging.control_sentences import ControlSentence
from verifyhub.engine.layers.base import (
    LayerFinding,
    LayerInput,
    LayerWork,
    inconclusive,
)
from verifyhub.engine.passages import PassageOrigin
from verifyhub.engine.ports import ModelError
from verifyhub.engine.reports import Outcome
from verifyhub.engine.retrieval.run_search import RunSearch
from verifyhub.engine.retrieval.split import split

MISLED, EVIDENCE_DIFFERS = "judge_misled", "evidence_differs"


def controlled(
    finding: LayerFinding,
    work: LayerWork,
    subject: LayerInput,
    accepts: Callable[[ControlSentence], bool],
) -> LayerFinding:
    """Return a finding, or why its passing cannot be believed.

    Args:
        finding: What the layer would say. Only a text that passes costs a question.
        work: The layer's share of the run.
        subject: The text, and what it is compared with.
        accepts: Asks the model about a falsehood beside the truth; whether it takes
            it for true.
    """
    if finding.outcome is not Outcome.PASSED:
        return finding
    texts = [subject.text, subject.task, subject.context, *subject.sources]
    control = ControlSentence.among(texts, work.rng)
    (accepted,) = work.each([lambda: accepts(control)])
    if isinstance(accepted, ModelError):
        return inconclusive(accepted.reason, **finding.details)
    return inconclusive(MISLED, **finding.details) if accepted else finding


def differs(subject: LayerInput) -> bool:
    """Return whether evidence makes the text's statement with one difference."""
    passages = [
        passage
        for place, text in enumerate((*subject.sources, subject.context))
        for passage in split(text, origin=PassageOrigin.SOURCE, ref=str(place))
    ]
    claims = extract_claims(subject.text).claims
    return bool(contradicted_facts(claims, RunSearch(passages)))
