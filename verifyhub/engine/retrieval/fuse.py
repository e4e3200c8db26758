"""Joining rankings of different kinds (Cormack, Clarke & Büttcher 2009)."""

import math
from collections.abc import Iterable, Sequence

# The constant of the paper: it keeps one ranking's first place from outweighing all.
K = 60


def reciprocal_rank_fusion(
    rankings: Iterable[Sequence[str]],
) -> list[tuple[str, float]]:
    """Join rankings: what stands high in several of them comes first.

    Scores of one ranking need not be like those of another; only places count. The
    order of the rankings does not matter.

    Args:
        rankings: Ids, each best first; of a repeated one the first place counts.

    Returns:
        Every id once with the sum of `1 / (K + place)`, highest first; of equals the
        one with the best single place, then the smaller id.
    """
    places: dict[str, list[int]] = {}
    for ranking in rankings:
        for place, one in enumerate(dict.fromkeys(ranking), start=1):
            places.setdefault(one, []).append(place)
    scored = [
        (math.fsum(1 / (K + place) for place in ranks), min(ranks), one)
        for one, ranks in places.items()
    ]
    scored.sort(key=lambda row: (-row[0], row[1], row[2]))
    return [(one, score) for score, _, one in scored]
