"""A hub without a server: the engine in this process, in threads or asyncio."""

import json
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias, TypedDict, Unpack

from verifyhub.common.contract import FormatError
from verifyhub.engine.claims.check import ClaimInputs
from verifyhub.engine.claims.judges import ClaimJudge
from verifyhub.engine.decisions.attempts import MAX_CHAIN, is_next_attempt
from verifyhub.engine.earlier.turns import EarlierTurn, EarlierTurns
from verifyhub.engine.goals.check import GoalInputs
from verifyhub.engine.levels.run import LevelInputs
from verifyhub.engine.local_models.embedder import default_embedder
from verifyhub.engine.memory.context import compile_context
from verifyhub.engine.memory.distill import distill
from verifyhub.engine.memory.entries import LearnedEntry
from verifyhub.engine.pipeline import Judges, VerificationRequest, verify
from verifyhub.engine.ports import Model
from verifyhub.engine.reports import Relation
from verifyhub.engine.retrieval.run_search import RunSearch, passages_of
from verifyhub.engine.thresholds import Thresholds
from verifyhub.engine.types import Interaction
from verifyhub.engine.verdicts import VerificationReport
from verifyhub.ingest.formats.native import parse_interaction
from verifyhub_client.errors import HubRefusedError
from verifyhub_client.hubs import AsyncHub, SyncHub
from verifyhub_client.protocol import Guarded
from verifyhub_client.steps import Call, Steps
from verifyhub_client.verdict import Verdict

# The engine in this process as a hub, for a CI job or a notebook without a server.
#
# Data that a server would store stays in memory as long as the object lives: ids,
# attempts and what sessions learned.
VerifierFor: TypeAlias = Callable[[str], Model | None]


def no_model(executor_tier: str) -> Model | None:
    """Return no model for any tier, so that only the ledger decides."""
    return None


@dataclass(frozen=True, slots=True)
class _Judged:
    """A run and the engine's report on it."""

    interaction: Interaction
    report: VerificationReport

    @property
    def verdict(self) -> Verdict:
        return Verdict.from_json(json.loads(json.dumps(self.report.as_dict())))

    def inventions(self) -> Iterator[tuple[str, str]]:
        """Yield kind and key of the names that no evidence supports."""
        for mention in self.report.flagged_mentions:
            yield mention.kind, mention.key


class LocalOptions(TypedDict, total=False):
    """The keywords of `LocalHub`."""

    thresholds: Thresholds | None
    verifier_for: VerifierFor
    level_inputs: LevelInputs | None
    judge: ClaimJudge | None


class LocalChecker:
    """Verifies runs with the engine, and remembers them; for options see `LocalHub`."""

    def __init__(
        self,
        *,
        thresholds: Thresholds | None = None,
        verifier_for: VerifierFor = no_model,
        level_inputs: LevelInputs | None = None,
        judge: ClaimJudge | None = None,
    ) -> None:
        self._judge = judge
        self._thresholds = thresholds or Thresholds()
        self._verifier_for = verifier_for
        self._level_inputs = level_inputs or LevelInputs()
        self._judged_runs: dict[str, _Judged] = {}
        self._entries: dict[str, dict[str, LearnedEntry]] = {}
        self._lock = threading.Lock()

    def check_steps(self, body: Mapping[str, Any]) -> Steps[Verdict]:
        """Verify one run in this process; see `loop.Checker`."""
        verdict: Verdict = yield Call(self._check, (body,))
        return verdict

    def context_steps(self, session: str, task: str, budget: int) -> Steps[str]:
        """Return what the session's earlier runs taught; see `loop.Checker`."""
        text: str = yield Call(self._context, (session, task, budget))
        return text

    def guard_steps(self, text: str) -> Steps[Guarded]:  # noqa: ARG002
        """Refuse, since there are no constraints or snapshots; see `loop.Checker`."""
        yield from ()
        raise HubRefusedError(501, "An embedded VerifyHub has no projects.")

    def _check(self, body: Mapping[str, Any]) -> Verdict:
        try:
            # A round trip through JSON refuses the same values as a server does.
            data = json.loads(json.dumps(body, allow_nan=False))
            interaction = parse_interaction(data)
        except FormatError as error:
            raise HubRefusedError(
                400, "The run is invalid.", ((error.field, error.message),)
            ) from error
        with self._lock:
            judged_before = self._judged_runs.get(interaction.id or "")
            attempts = self._earlier_attempts(interaction)
        if judged_before is not None:
            if judged_before.interaction != interaction:
                raise HubRefusedError(
                    409, "The id is already used for a run with different content."
                )
            return judged_before.verdict
        # The lock is not held, since a model may be slow.
        judged = self._judged(interaction, attempts)
        with self._lock:
            return self._remember(judged)

    def _judged(
        self, interaction: Interaction, attempts: Sequence["_Judged"]
    ) -> "_Judged":
        model = self._verifier_for(interaction.agent.tier)
        request = VerificationRequest(
            interaction,
            thresholds=self._thresholds,
            attempt=len(attempts) + 1,
            judges=Judges(model=model),
            goal_inputs=GoalInputs(model=model),
            earlier_inventions=frozenset(
                name for attempt in attempts for name in attempt.inventions()
            ),
            level_inputs=self._level_inputs,
            # The agent waits for the verdict, so the outputs it has read are current.
            earlier=EarlierTurns(
                turns=tuple(
                    EarlierTurn(
                        interaction=attempt.interaction.id or "",
                        relation=Relation.ATTEMPT,
                        age_seconds=0,
                        calls=attempt.interaction.tool_calls,
                    )
                    for attempt in reversed(attempts)
                )
            ),
            claim_inputs=self._claim_inputs(interaction),
        )
        return _Judged(interaction, verify(request))

    def _claim_inputs(self, interaction: Interaction) -> ClaimInputs | None:
        """Return the inputs for checking claims of fact against the run's sources."""
        if not interaction.sources:
            return None
        passages = passages_of(interaction)
        # Local signs compare words; only a judge recognises paraphrases.
        embedder = None if self._judge is None else default_embedder()
        search = RunSearch(passages, embedder=embedder)
        return ClaimInputs(search=search, judge=self._judge)

    def _remember(self, judged: "_Judged") -> Verdict:
        """Store a verdict; if two runs have the same id, the first one is kept."""
        interaction = judged.interaction
        judged = self._judged_runs.setdefault(interaction.id or "", judged)
        if interaction.session:
            learned = self._entries.setdefault(interaction.session, {})
            learned |= {
                entry.key: entry
                for entry in distill(
                    judged.report,
                    subject=interaction.id or "",
                    thresholds=self._thresholds,
                )
            }
        return judged.verdict

    def _earlier_attempts(self, interaction: Interaction) -> list["_Judged"]:
        """Return the earlier attempts at the same subtask, newest first."""
        attempts: list[_Judged] = []
        current = interaction
        while len(attempts) < MAX_CHAIN and current.parent in self._judged_runs:
            earlier = self._judged_runs[current.parent]
            if not is_next_attempt(
                task=current.task,
                earlier_task=earlier.interaction.task,
                earlier_action=str(earlier.verdict.action),
            ):
                break
            attempts.append(earlier)
            current = earlier.interaction
        return attempts

    def _context(self, session: str, task: str, budget: int) -> str:
        with self._lock:
            entries = list(self._entries.get(session, {}).values())
        # Entries have no date here; the last one stored is the newest.
        return compile_context(
            task=task,
            entries=reversed(entries),
            constraints=(),
            budget=budget,
            thresholds=self._thresholds,
        ).text


class LocalHub(SyncHub):
    """The engine in this process, without a server; memory lasts as long as the object.

    Args:
        thresholds: The cut-offs; by default those of requirement A8.
        verifier_for: Returns the model that checks an executor's tier; no model by
            default.
        level_inputs: Schemas of tools, and files that may be read.
        judge: Checks claims of fact of runs with sources; by default local signs only.
    """

    def __init__(self, **options: Unpack[LocalOptions]) -> None:
        super().__init__(LocalChecker(**options))


class AsyncLocalHub(AsyncHub):
    """The engine in this process, for asyncio; see `LocalHub`."""

    def __init__(self, **options: Unpack[LocalOptions]) -> None:
        super().__init__(LocalChecker(**options))
