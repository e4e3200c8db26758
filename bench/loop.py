"""The effect of feedback: a scripted agent with and without each part of it.

    DATABASE_URL=postgresql://… VERIFYHUB_SECRET_KEY=… python -m bench.loop

The agent answers 500 subtasks in 50 sessions about a scripted repository. It reads the
real files and packages with tools and, at a given rate, replaces a right name by one
from a fixed pool of invented names. The repository's real packages were uploaded as a
lock file. The invented names and their positions are the same in every row. When the
agent is told that a name is wrong (by the context, the guard's findings, or the next
prompt of a decision), it complies at a given rate, each time separately. A scripted
reviewer, who knows the right names, judges a few open items after each session. The
agent's next step depends on the decision only: it stops at `accept`.

Everything else is the server's code: the services of the API and the pages record,
verify, remember and review runs in PostgreSQL. Each row of the table has its own
transaction, which is rolled back. Prints for each row, as shares of subtasks:

- **first**: the first draft contained an invented name, before any check;
- **final**: the last answer contains one, withheld or not;
- **passed**: it contains one and was accepted, so a user would have been misled;
- **late**: as `final`, in the second half of the sessions only;
- **honest flagged**: of the last answers without an invented name, those not accepted.
"""

import argparse
import os
import random
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from bench.inventive_agent import POOL, Agent, Feature, answer_of, features
from verifyhub.engine.presets.strictness import Strictness

if TYPE_CHECKING:
    from verifyhub.accounts.models import ApiKey

SESSIONS, SUBTASKS = 50, 10
INVENTS, OBEYS = 0.25, 0.8
ATTEMPTS = 3
JUDGED_PER_SESSION = 3
# A session works on one part of the repository and uses its names repeatedly.
CORNER = 10
BUDGET = 1500


@dataclass(frozen=True, slots=True, kw_only=True)
class Mechanisms:
    """The parts of the loop that the agent has."""

    verification: bool = True
    retry: bool = True
    session_memory: bool = True
    corrections: bool = True
    constraints: bool = True
    guard: bool = True
    reviewers: bool = True


ALL = Mechanisms()
NONE = Mechanisms(**dict.fromkeys(Mechanisms.__slots__, False))
ROWS = {
    "without VerifyHub": NONE,
    "with all of it": ALL,
    **{
        f"without {name.replace('_', ' ')}": replace(ALL, **{name: False})
        for name in Mechanisms.__slots__
        if name != "verification"
    },
    "memory alone": replace(ALL, retry=False, guard=False),
    "retry alone": replace(NONE, verification=True, retry=True),
    "guard alone": replace(NONE, verification=True, guard=True, constraints=True),
}


@dataclass(slots=True, kw_only=True)
class Tally:
    """Results of the subtasks of one row: counts, and total seconds."""

    subtasks: int = 0
    first: int = 0
    final: int = 0
    passed: int = 0
    late: int = 0
    late_subtasks: int = 0
    attempts: int = 0
    honest: int = 0
    honest_flagged: int = 0
    seconds: float = 0.0

    def share(self, count: int, of: int | None = None) -> float:
        """Return a count as a share of the subtasks, or of another number."""
        total = self.subtasks if of is None else of
        return count / total if total else 0.0


class Loop:
    """One row of the table: a new project, in which sessions run one after another."""

    def __init__(
        self, mechanisms: Mechanisms, arguments: argparse.Namespace, name: str
    ) -> None:
        from verifyhub.accounts.models import Project, Role, Scope, User
        from verifyhub.accounts.services import issue_api_key, set_role

        self.mechanisms = mechanisms
        # Constraints hold immediately, since no observation period can pass here.
        self.project: Project = Project.objects.create(
            slug=f"bench-loop-{name}",
            name="Bench",
            thresholds={"shadow_hours": 0, "confirming_people": 1},
            strictness=arguments.preset,
        )
        self.keys: list[ApiKey] = [
            issue_api_key(project=self.project, name=f"k{n}", scopes=[Scope.INGEST])[0]
            for n in range(2)
        ]
        self.reviewer: User = User.objects.create_user(f"bench-{name}")
        set_role(
            project=self.project, user=self.reviewer, role=Role.REVIEWER, actor=None
        )
        self.tasks = random.Random(arguments.seed)
        self.agent = Agent(arguments.seed, arguments.invents, arguments.obeys)
        self.sessions, self.subtasks = arguments.sessions, arguments.subtasks
        self.features = features()
        self.tally = Tally()
        if mechanisms.guard:
            self._upload()

    def _upload(self) -> None:
        from verifyhub.memory.services import put_snapshot

        lock = "".join(f"{one.real}==1.0\n" for one in self.features if one.is_package)
        put_snapshot(
            project=self.project,
            name="requirements.txt",
            format_name="requirements.txt",
            data=lock.encode(),
            actor=self.keys[0],
        )

    def run(self) -> Tally:
        """Run all sessions."""
        started = time.perf_counter()
        for number in range(self.sessions):
            corner = self.tasks.sample(self.features, CORNER)
            for step in range(self.subtasks):
                self._subtask(number, step, self.tasks.sample(corner, 2))
            if self.mechanisms.reviewers:
                self._review()
            # Autovacuum does not see uncommitted rows, so plans would remain those of
            # empty tables.
            _maintain("ANALYZE")
        self.tally.seconds = time.perf_counter() - started
        return self.tally

    def _subtask(self, session: int, step: int, asked: Sequence[Feature]) -> None:
        task = f"Where are {asked[0].words} and {asked[1].words}?"
        subtask = f"{session}-{step}"
        names = self.agent.draft(subtask, asked)
        context = self._context(session, task)
        names = self.agent.revised(f"{subtask} context", asked, names, context)
        self.tally.first += self._is_wrong(asked, names)
        if self.mechanisms.guard:
            told = self._guarded(asked, names)
            names = self.agent.revised(f"{subtask} guard", asked, names, told)
        accepted, tries = True, 1
        while self.mechanisms.verification:
            report = self._verified(session, f"{subtask}-{tries}", task, asked, names)
            action = report["decision"]["action"]
            accepted = action == "accept"
            ends = accepted or action == "fail"
            if ends or not self.mechanisms.retry or tries == ATTEMPTS:
                break
            told = report["decision"]["additional_context"] or ""
            names = self.agent.revised(f"{subtask} {tries}", asked, names, told)
            tries += 1
        self._count(session, self._is_wrong(asked, names), accepted, tries)

    def _count(self, session: int, wrong: bool, accepted: bool, tries: int) -> None:
        tally = self.tally
        tally.subtasks += 1
        tally.attempts += tries
        tally.final += wrong
        tally.passed += wrong and accepted
        if session >= self.sessions / 2:
            tally.late += wrong
            tally.late_subtasks += 1
        if not wrong:
            tally.honest += 1
            tally.honest_flagged += not accepted

    @staticmethod
    def _is_wrong(asked: Sequence[Feature], names: Sequence[str]) -> bool:
        return any(
            name == feature.invented for feature, name in zip(asked, names, strict=True)
        )

    def _context(self, session: int, task: str) -> str:
        from verifyhub.memory.selectors import session_context

        if self.mechanisms == NONE:
            return ""
        found = session_context(
            project=self.project,
            session_key=f"session-{session}",
            task=task,
            budget=BUDGET,
        )
        told = set(self._told_sections())
        lines = [line for line in found.context.lines if line.section in told]
        return "\n".join(line.line for line in lines)

    def _told_sections(self) -> Iterator[str]:
        from verifyhub.engine.memory.sections import ContextSection

        if self.mechanisms.session_memory:
            yield from (
                ContextSection.FACTS,
                ContextSection.HALLUCINATIONS,
                ContextSection.GAPS,
            )
        if self.mechanisms.corrections:
            yield ContextSection.CORRECTIONS
        if self.mechanisms.constraints:
            yield ContextSection.CONSTRAINTS

    def _guarded(self, asked: Sequence[Feature], names: Sequence[str]) -> str:
        from verifyhub.memory.guard import guard

        found = guard(project=self.project, text=answer_of(asked, names))
        return "\n".join(finding.text for finding in found)

    def _verified(
        self,
        session: int,
        run: str,
        task: str,
        asked: Sequence[Feature],
        names: Sequence[str],
    ) -> dict[str, Any]:
        from verifyhub.ingest.formats.native import parse_interaction
        from verifyhub.ingest.services import record_interaction
        from verifyhub.verification.models import Verification
        from verifyhub.verification.services import run_verification

        files = [one.real for one in self.features if not one.is_package]
        packages = [f"{one.real}==1.0" for one in self.features if one.is_package]
        body = {
            "id": run,
            "task": task,
            "answer": answer_of(asked, names),
            "session": f"session-{session}",
            "agent": {"name": f"agent-{session % 2}"},
            "tool_calls": [
                {
                    "tool": "list_files",
                    "input": {"path": "shop"},
                    "output": "\n".join(files),
                },
                {
                    "tool": "bash",
                    "input": {"command": "pip freeze"},
                    "output": "\n".join(packages),
                },
            ],
        }
        interaction, _ = record_interaction(
            project=self.project,
            api_key=self.keys[session % 2],
            interaction=parse_interaction(body),
        )
        row: Verification = Verification.objects.get(interaction=interaction, number=1)
        if not run_verification(verification_id=row.id):
            raise RuntimeError("another worker took a verification of the benchmark")
        row.refresh_from_db()
        return row.report

    def _review(self) -> None:
        from verifyhub.review.decide import confirm_verdict, override_mention
        from verifyhub.review.models import ReviewItem
        from verifyhub.verification.models import MentionStatus

        right = {feature.invented: feature.real for feature in self.features}
        items = ReviewItem.objects.filter(
            project=self.project, state=ReviewItem.State.OPEN
        ).select_related("verification", "interaction", "project")
        for item in items.order_by("-risk", "created_at")[:JUDGED_PER_SESSION]:
            for mention in item.verification.mentions.filter(text__in=right):
                override_mention(
                    item=item,
                    mention=mention,
                    status=MentionStatus.UNVERIFIED,
                    reason="There is no such file.",
                    reviewer=self.reviewer,
                    version=item.version,
                    suggestion=right[mention.text],
                )
            confirm_verdict(item=item, reviewer=self.reviewer, version=item.version)


def main(argv: Sequence[str] | None = None) -> int:
    """Print the table; returns 0."""
    arguments = _arguments(argv)
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "verifyhub.config.settings")
    import logging

    import django

    django.setup()
    logging.disable(logging.WARNING)
    print(
        f"{arguments.sessions} sessions of {arguments.subtasks} subtasks; invents"
        f" {arguments.invents:.0%}, obeys {arguments.obeys:.0%}, at most {ATTEMPTS}"
        f" attempts, pool of {POOL} names, seed {arguments.seed}, {arguments.preset}"
    )
    print(f"{'':<26}{'first':>7}{'final':>7}{'passed':>8}{'late':>7}", end="")
    print(f"{'tries':>7}{'honest flagged':>16}{'s':>7}")
    for name, mechanisms in ROWS.items():
        print(_row(name, measure(mechanisms, arguments)), flush=True)
        _maintain("VACUUM")
    return 0


def measure(mechanisms: Mechanisms, arguments: argparse.Namespace) -> Tally:
    """Run one row in a transaction that is rolled back."""
    from django.db import transaction

    with transaction.atomic():
        tally = Loop(mechanisms, arguments, "row").run()
        transaction.set_rollback(True)
    return tally


def _maintain(command: str) -> None:
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute(command)


def _row(name: str, tally: Tally) -> str:
    late = tally.share(tally.late, tally.late_subtasks)
    flagged = tally.share(tally.honest_flagged, tally.honest)
    return (
        f"{name:<26}{tally.share(tally.first):>7.1%}{tally.share(tally.final):>7.1%}"
        f"{tally.share(tally.passed):>8.1%}{late:>7.1%}"
        f"{tally.share(tally.attempts):>7.2f}{flagged:>16.1%}{tally.seconds:>7.1f}"
    )


def _arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench.loop")
    parser.add_argument("--sessions", type=int, default=SESSIONS)
    parser.add_argument("--subtasks", type=int, default=SUBTASKS)
    parser.add_argument("--invents", type=float, default=INVENTS)
    parser.add_argument("--obeys", type=float, default=OBEYS)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--preset", type=Strictness, default=Strictness.BALANCED)
    return parser.parse_args(argv)


if __name__ == "__main__":
    sys.exit(main())
