"""Import gold answers from a file."""

from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from verifyhub.accounts.models import Project, User
from verifyhub.ingest.models import Interaction
from verifyhub.review.errors import DecisionInvalidError
from verifyhub.review.gold import mark_gold
from verifyhub.review.queue import item_for
from verifyhub.verification.models import Verdict
from verifyhub.verification.selectors import latest_finished

MOST_ROWS = 1000


@dataclass(frozen=True, slots=True)
class Refused:
    """A refused line of an upload: its number from 1, and the reason."""

    line: int
    why: str


@transaction.atomic
def upload_gold(
    *, project: Project, rows: Iterable[Mapping[str, str]], actor: User, now: datetime
) -> tuple[int, list[Refused]]:
    """Make existing answers gold, each with its known verdict.

    Args:
        project: The tenant.
        rows: `answer` (client id or UUID), `verdict`, and optionally `note`.
        actor: Who imports them.
        now: The time (aware).

    Returns:
        How many became gold, and the refused lines.
    """
    accepted, refused = 0, []
    for line, row in enumerate(rows, start=1):
        if line > MOST_ROWS:
            words = _("at most %(n)s lines at once") % {"n": MOST_ROWS}
            refused.append(Refused(line, words))
            break
        try:
            _take_row(project, row, actor, now)
        except DecisionInvalidError as error:
            refused.append(Refused(line, error.sentence))
        else:
            accepted += 1
    return accepted, refused


def _take_row(
    project: Project, row: Mapping[str, str], actor: User, now: datetime
) -> None:
    verdict = str(row.get("verdict", "")).strip().lower()
    if verdict not in Verdict.values:
        raise DecisionInvalidError(_("accept, uncertain or reject"), field="verdict")
    named = str(row.get("answer", "")).strip()
    by_id = Q(client_id=named)
    with suppress(ValueError):
        by_id |= Q(id=UUID(named))
    answer = Interaction.objects.filter(by_id, project=project).first()
    if not named or answer is None:
        raise DecisionInvalidError(_("the project has no such answer"), field="answer")
    run = latest_finished(answer)
    if run is None:
        raise DecisionInvalidError(_("it has not been verified"), field="answer")
    mark_gold(
        item=item_for(verification=run),
        verdict=Verdict(verdict),
        note=str(row.get("note", "")).strip()[:1000],
        actor=actor,
        now=now,
    )
