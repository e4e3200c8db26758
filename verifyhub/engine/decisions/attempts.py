"""Recognise answers that are another attempt at an earlier answer's subtask."""

from verifyhub.engine.reports import Action

# Decisions after which the next answer is another attempt at the same subtask.
SENT_BACK = frozenset({Action.RETRY, Action.REFORMULATE, Action.CLARIFY})
# Longest chain of earlier attempts that is followed.
MAX_CHAIN = 10


def is_next_attempt(*, task: str, earlier_task: str, earlier_action: str) -> bool:
    """Whether an answer continues the subtask of its parent.

    It does if the task is the same text, or if the parent's verdict asked for another
    attempt: a reformulated task is the same subtask. Any other parent is the task that
    a subtask belongs to.
    """
    return task == earlier_task or earlier_action in SENT_BACK
