"""Stored answers that the machine accepts and people judged, for figures."""

from uuid import uuid4

from django.utils import timezone

from tests.builders import a_tool_call, an_interaction, verify
from tests.factories import InteractionFactory
from verifyhub.accounts.models import Project
from verifyhub.engine.decisions.replay import facts_of
from verifyhub.learning.models import JudgedAnswer

LISTED = a_tool_call("list", output="a.py\nb.py\nc.py\nd.py\n")
SURE = verify(an_interaction("See `a.py`, `b.py`, `c.py` and `d.py`.", LISTED))
# One name, found: confidence 0.67, which a higher limit would hold up.
UNSURE = verify(an_interaction("See `a.py`.", LISTED))


def judged(project: Project, report=SURE, **fields) -> JudgedAnswer:
    """Write the row of one answer."""
    facts = facts_of(report)
    return JudgedAnswer.objects.create(
        **{
            "interaction": InteractionFactory(project=project),
            "project": project,
            "verification_id": uuid4(),
            "answered_at": timezone.now(),
            "agent": "coder",
            "verdict": str(report.verdict),
            "counted": sum(facts["found"].values()) + facts["missing"],
            "unverified": facts["missing"],
            "facts": facts,
            **fields,
        }
    )


def accepted_and_judged(project: Project, *, right: int, wrong: int) -> None:
    """Write answers that people accepted, and unsure ones that they rejected."""
    for _ in range(right):
        judged(project, human_verdict="accept")
    for _ in range(wrong):
        judged(project, UNSURE, human_verdict="reject")
