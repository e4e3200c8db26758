"""Follow the advice in a verdict: ask again, block, or show with a disclaimer."""

from dataclasses import asdict, dataclass, replace

from verifyhub_client.options import RunOptions
from verifyhub_client.runs import AttemptRecord, RunOutcome, RunResult
from verifyhub_client.steps import Call, Steps
from verifyhub_client.verdict import Advice
from verifyhub_client.words import MitigationAction

# After these the agent is asked again, up to `max_attempts`.
ASKS_AGAIN = frozenset(
    {
        MitigationAction.BLOCK,
        MitigationAction.REGENERATE,
        MitigationAction.DECOMPOSE_AND_RETRY,
        MitigationAction.REQUEST_SOURCES,
    }
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Taken(Advice):
    """A mitigation that is applied."""

    action: MitigationAction

    @property
    def asks_again(self) -> bool:
        """Whether the agent is asked again."""
        return self.action in ASKS_AGAIN

    def applied_to(self, result: RunResult) -> RunResult:
        """Return the result of a run with the mitigation; it never improves.

        A blocked answer stays blocked. Any other is at best uncertain, with the
        disclaimer.
        """
        if self.action is MitigationAction.BLOCK:
            return replace(result, outcome=RunOutcome.BLOCKED, reason=self.reason)
        if result.outcome is RunOutcome.ACCEPTED:
            result = replace(result, outcome=RunOutcome.UNCERTAIN, reason=self.reason)
        return replace(result, disclaimer=self.disclaimer)


def mitigation_steps(options: RunOptions, record: AttemptRecord) -> Steps[Taken | None]:
    """Return the mitigation to apply to a checked attempt; None for none.

    Raises:
        ValueError: If the program returns an unknown action.
    """
    verdict = record.verdict
    advice = verdict.mitigation if verdict else None
    if advice is None or not options.mitigate:
        return None
    chosen: str | None = advice.action
    if callable(options.mitigate):
        chosen = yield Call(options.mitigate, (record,))
    if chosen is None:
        return None
    if chosen == advice.action and chosen not in set(MitigationAction):
        # An unknown action of a newer server; the answer is not accepted.
        chosen = MitigationAction.DISCLAIM
    return Taken(**{**asdict(advice), "action": MitigationAction(chosen)})
