"""Disable and enable examples."""

from django.db import transaction

from verifyhub.accounts.models import User
from verifyhub.audit.services import record_event
from verifyhub.common.db import update_if
from verifyhub.learning.models import JudgedAnswer, LabelledExample
from verifyhub.learning.services.settle import settle_answer


class ExampleChangedError(Exception):
    """The example's state does not allow this action."""


@transaction.atomic
def retire_example(*, example: LabelledExample, actor: User) -> LabelledExample:
    """Stop showing an example to verifiers; its scores still count as samples.

    Raises:
        ExampleChangedError: If it is no longer shown.
    """
    return _move(example, "taught", "retired", actor)


@transaction.atomic
def restore_example(*, example: LabelledExample, actor: User) -> LabelledExample:
    """Show a retired example to verifiers again.

    Raises:
        ExampleChangedError: If it is no longer retired.
    """
    return _move(example, "retired", "taught", actor)


def _move(
    example: LabelledExample, before: str, after: str, actor: User
) -> LabelledExample:
    JudgedAnswer.objects.select_for_update().get(pk=example.interaction_id)
    if not update_if(
        example, expected={"state": before}, state=LabelledExample.State(after)
    ):
        raise ExampleChangedError(f"{example.id} is not {before}")
    settle_answer(example.interaction_id)
    example.refresh_from_db()
    record_event(
        f"learning.example_{'retired' if after == 'retired' else 'restored'}",
        example,
        actor,
        before={"state": before},
        after={"state": after},
    )
    return example
