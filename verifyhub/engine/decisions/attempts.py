"""Further attempts at a subtask: recognised, and how long to wait for them."""

from verifyhub.engine.reports import Action

# Decisions after which the next answer is another attempt at the same subtask.
SENT_BACK = frozenset({Action.RETRY, Action.REFORMULATE, Action.CLARIFY})
# Longest chain of earlier attempts that is followed.
MAX_CHAIN = 10
# Seconds before the retries of a failed level: 2, 4, 8 and so on (requirement B5).
BASE_SECONDS = 2
LONGEST_SECONDS = 300
_MOST_DOUBLINGS = 30


def is_next_attempt(*, task: str, earlier_task: str, earlier_action: str) -> bool:
    """Whether an answer continues the subtask of its parent.

    It does if the task is the same text, or if the parent's verdict asked for another
    attempt: a reformulated task is the same subtask. Any other parent is the task that
    a subtask belongs to.
    """
    return task == earlier_task or earlier_action in SENT_BACK


def backoff_seconds(
    attempt: int, *, base: int = BASE_SECONDS, longest: int = LONGEST_SECONDS
) -> int:
    """Return the wait after an attempt, in seconds.

    Args:
        attempt: 1 for the first attempt; lower values count as 1.
        base: Seconds after the first attempt.
        longest: Maximum seconds.
    """
    doublings = min(max(attempt, 1) - 1, _MOST_DOUBLINGS)
    return int(min(longest, base * 2**doublings))
