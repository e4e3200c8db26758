"""Exponential backoff: twice as long before each retry, up to a limit."""

# Seconds before the retries of a failed level: 2, 4, 8 and so on (requirement B5).
BASE_SECONDS = 2
LONGEST_SECONDS = 300
_MOST_DOUBLINGS = 30


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
