"""Bounded excerpts of a run, for examples and for similarity."""

from verifyhub.common.visible import middle_cut, visible
from verifyhub.learning.models import MAX_ANSWER_EXCERPT, MAX_TASK_EXCERPT

# Room that `middle_cut` needs to say how much went.
_NOTE = 40


def task_excerpt(task: str) -> str:
    """Return beginning and end of a task, at most 300 code points."""
    return _cut(task, MAX_TASK_EXCERPT)


def answer_excerpt(answer: str, subject: str = "") -> str:
    """Return at most 500 code points of an answer, around the subject if it has one.

    Args:
        answer: The whole answer.
        subject: A name or claim in it; its first place is what is shown.
    """
    at = answer.find(subject) if subject else -1
    if at < 0 or len(answer) <= MAX_ANSWER_EXCERPT:
        return _cut(answer, MAX_ANSWER_EXCERPT)
    start = max(0, at - MAX_ANSWER_EXCERPT // 3)
    return visible(answer[start : start + MAX_ANSWER_EXCERPT])[:MAX_ANSWER_EXCERPT]


def likeness_of(task: str, answer: str) -> str:
    """Return the text for trigram similarity."""
    return f"{task}\n{answer}"


def _cut(text: str, limit: int) -> str:
    # Written out, what is invisible deceives no reader; nor can NUL reach PostgreSQL.
    return middle_cut(visible(text), limit - _NOTE)[:limit]
