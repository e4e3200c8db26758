"""Run the four steps in sequence; the result of each is stored and shown.

Critique and synthesis are a model's. The fact check is not: it compares the draft with
the evidence, and runs without a model too. The synthesis is an answer like any other:
it is verified itself before it is offered.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from time import monotonic
from typing import Any, TypeAlias

from verifyhub.common.visible import middle_cut
from verifyhub.engine.claim_results import ClaimResult
from verifyhub.engine.deliberation import prompts
from verifyhub.engine.deliberation.model import Step, StepName, StepState
from verifyhub.engine.judging.metered import Metered
from verifyhub.engine.mitigation.limits import Watch, WorkLimits
from verifyhub.engine.mitigation.prompt import (
    MAX_ANSWER_CHARACTERS,
    MAX_TASK_CHARACTERS,
)
from verifyhub.engine.mitigation.rewrite import (
    RewriteSubject,
    Verify,
    judged,
    passages_for,
    written,
)
from verifyhub.engine.passages import PassageSearch
from verifyhub.engine.ports import Clock, Cost, Model, ModelError

# What the claims of a text are, checked against the evidence of the run.
CheckFacts: TypeAlias = Callable[[str], Sequence[ClaimResult]]
OnStep: TypeAlias = Callable[[Sequence[Step]], None]
MOST_FACTS = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class DeliberationTools:
    """The models and checks that a deliberation uses.

    Attributes:
        model: Writes draft, critique and synthesis; None skips what it would write.
        check_facts: The fact check.
        verify: Gives the verdict object of a text, by all checks of the run.
        search: Finds evidence for the draft and the critique.
    """

    model: Model | None
    check_facts: CheckFacts
    verify: Verify
    search: PassageSearch | None = None


class _Skip(Exception):  # noqa: N818 - it ends a step, and is no error
    """A step that has nothing to work on, with the code for why."""


class _Deliberation:
    """A running deliberation; `steps` has the results so far."""

    def __init__(
        self,
        task: str,
        draft: str,
        *,
        tools: DeliberationTools,
        limits: WorkLimits,
        on_step: OnStep,
        clock: Clock,
    ) -> None:
        self._task, self._given = task, draft
        self._tools, self._on_step, self._clock = tools, on_step, clock
        self._model = Metered(tools.model) if tools.model else None
        self._watch = Watch(limits, clock)
        self._claims: Sequence[ClaimResult] = ()
        self.steps = {name: Step(name=name) for name in StepName}

    def run(self) -> tuple[Step, ...]:
        self._take(StepName.DRAFT, self._draft)
        self._take(StepName.CRITIQUE, self._critique)
        self._take(StepName.FACT_CHECK, self._fact_check)
        self._take(StepName.SYNTHESIS, self._synthesis)
        return tuple(self.steps.values())

    def _take(self, name: StepName, work: Callable[[], Step]) -> None:
        self._keep(Step(name=name, state=StepState.RUNNING))
        began = self._clock()
        known = len(self._model.usages) if self._model else 0
        try:
            step = work()
        except _Skip as skip:
            step = Step(name=name, state=StepState.SKIPPED, reason=str(skip))
        except ModelError as error:
            step = Step(name=name, state=StepState.FAILED, reason=error.reason)
        usages = self._model.usages[known:] if self._model else []
        self._keep(
            replace(
                step,
                cost=Cost.of(usages, run_microdollars=None),
                latency_seconds=self._clock() - began,
            )
        )

    def _keep(self, step: Step) -> None:
        self.steps[step.name] = step
        self._on_step(tuple(self.steps.values()))

    def _draft(self) -> Step:
        if self._given.strip():
            return _done(StepName.DRAFT, self._given, reason="given")
        document = {"task": self._short_task, "passages": self._passages(self._task)}
        text = self._write(StepName.DRAFT, prompts.DRAFT, document)
        return _done(StepName.DRAFT, text)

    def _critique(self) -> Step:
        document = {
            "task": self._short_task,
            "draft": self._drafted,
            "passages": self._passages(self._drafted),
        }
        text = self._write(StepName.CRITIQUE, prompts.CRITIQUE, document)
        return _done(StepName.CRITIQUE, text)

    def _fact_check(self) -> Step:
        if not self._drafted:
            raise _Skip("no_draft")
        self._claims = self._tools.check_facts(self._drafted)
        claims = [claim.as_dict() for claim in self._claims]
        return replace(_done(StepName.FACT_CHECK), details={"claims": claims})

    def _synthesis(self) -> Step:
        document = {
            "task": self._short_task,
            "draft": self._drafted,
            "critique": self.steps[StepName.CRITIQUE].text,
            "facts": [_fact(claim) for claim in self._claims[:MOST_FACTS]],
        }
        text = self._write(StepName.SYNTHESIS, prompts.SYNTHESIS, document)
        draft = self._whole_draft
        subject = RewriteSubject(
            task=self._task, answer=draft, report=self._tools.verify(draft)
        )
        model = self._model.name if self._model else ""
        rewrite = judged(subject, text, verify=self._tools.verify, tries=1, model=model)
        fields = rewrite.as_dict()
        details = {name: fields[name] for name in ("offered", "objections", "verdict")}
        return replace(_done(StepName.SYNTHESIS, text), details=details)

    @property
    def _short_task(self) -> str:
        return middle_cut(self._task, MAX_TASK_CHARACTERS)

    @property
    def _whole_draft(self) -> str:
        return self.steps[StepName.DRAFT].text

    @property
    def _drafted(self) -> str:
        return middle_cut(self._whole_draft, MAX_ANSWER_CHARACTERS)

    def _passages(self, question: str) -> list[str]:
        return passages_for(question, self._tools.search)

    def _write(self, name: StepName, system: str, document: Mapping[str, Any]) -> str:
        if self._model is None:
            raise _Skip("no_model")
        if name is not StepName.DRAFT and not self._drafted:
            raise _Skip("no_draft")
        if stopped := self._watch.stopped_by(self._model.usages):
            raise _Skip(stopped)
        return written(
            self._model,
            system,
            document,
            purpose=f"deliberation.{name}",
            seconds=self._watch.seconds_left,
        )


def deliberate(
    task: str,
    draft: str = "",
    *,
    tools: DeliberationTools,
    limits: WorkLimits | None = None,
    on_step: OnStep | None = None,
    clock: Clock = monotonic,
) -> tuple[Step, ...]:
    """Deliberate on a task.

    Args:
        task: What is asked.
        draft: A first answer; empty has the model write one.
        limits: Time and money; a step that must not begin says `deadline` or `cost`.
        on_step: Told of all steps whenever one begins or ends.
        clock: For the deadline and the steps' times.

    Returns:
        The four steps, in order.
    """
    deliberation = _Deliberation(
        task,
        draft,
        tools=tools,
        limits=limits or WorkLimits(),
        on_step=on_step or (lambda _: None),
        clock=clock,
    )
    return deliberation.run()


def _done(name: StepName, text: str = "", *, reason: str = "") -> Step:
    return Step(name=name, state=StepState.DONE, text=text, reason=reason)


def _fact(result: ClaimResult) -> dict[str, Any]:
    evidence = result.evidence or next(iter(result.contradicting), None)
    return {
        "text": result.text,
        "status": str(result.status),
        "evidence": evidence.text if evidence else "",
    }
