"""Decisions of the demo's reviewers, made as soon as a run has been verified.

The rest of the queue is left to the person who tries the demo.
"""

from dataclasses import dataclass

from verifyhub.accounts.models import Project, Role, User
from verifyhub.review.decide import confirm_verdict, override_mention, override_verdict
from verifyhub.review.models import ReviewItem
from verifyhub.verification.models import MentionStatus, MentionVerdict, Verdict

LEAD = "demo-lead"
ANA = "demo-ana"
BEN = "demo-ben"
PEOPLE = {LEAD: Role.LEAD, ANA: Role.REVIEWER, BEN: Role.REVIEWER}


@dataclass(frozen=True, slots=True, kw_only=True)
class DemoDecision:
    """A decision about one run's answer.

    Attributes:
        by: The reviewer.
        verdict: The verdict that replaces the machine's; None confirms it.
        reason: The reason, if the verdict is replaced.
        right: Names that the reviewer looked up and found to be right.
    """

    by: str
    verdict: Verdict | None = None
    reason: str = ""
    right: tuple[str, ...] = ()


DECISIONS = {
    "demo-04": DemoDecision(by=ANA),
    "demo-07": DemoDecision(
        by=BEN,
        verdict=Verdict.UNCERTAIN,
        reason="The agent did not run them. I did, and they pass.",
    ),
    "demo-10": DemoDecision(by=BEN),
    "demo-12": DemoDecision(by=ANA),
    "demo-14": DemoDecision(by=LEAD),
    "demo-17": DemoDecision(
        by=BEN,
        verdict=Verdict.ACCEPT,
        reason="I opened the file: the path is right.",
        right=("stations.csv",),
    ),
    "demo-20": DemoDecision(by=LEAD),
}


def decide(project: Project, run_id: str) -> bool:
    """Make the decision about a run, if there is one and its answer is flagged.

    Returns:
        True if something was decided.
    """
    decision = DECISIONS.get(run_id)
    item = _open_item(project, run_id)
    if decision is None or item is None:
        return False
    reviewer = User.objects.get(username=decision.by)
    for mention in item.verification.mentions.order_by("index"):
        if _is_cleared(mention, decision):
            override_mention(
                item=item,
                mention=mention,
                status=MentionStatus.VERIFIED,
                reason=decision.reason,
                reviewer=reviewer,
                version=item.version,
            )
            item.refresh_from_db(fields=["version"])
    if decision.verdict in (None, item.verification.verdict):
        confirm_verdict(item=item, reviewer=reviewer, version=item.version)
    else:
        override_verdict(
            item=item,
            verdict=decision.verdict,
            reason=decision.reason,
            reviewer=reviewer,
            version=item.version,
        )
    return True


def _is_cleared(mention: MentionVerdict, decision: DemoDecision) -> bool:
    unverified = mention.status == MentionStatus.UNVERIFIED
    return unverified and any(mention.text.endswith(name) for name in decision.right)


def _open_item(project: Project, run_id: str) -> ReviewItem | None:
    return (
        ReviewItem.objects.select_related("verification", "interaction", "project")
        .filter(
            project=project,
            interaction__client_id=run_id,
            state=ReviewItem.State.OPEN,
        )
        .first()
    )
