"""Search passages by vectors (HNSW) and by words (full text).

An index over all projects also returns other projects' vectors. So up to `EXACT_BELOW`
vectors are compared one by one, which is as fast; with more, the index is scanned until
it has returned enough of the project's own (`hnsw.iterative_scan`), and if it stops
before, they are compared one by one.
"""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from django.db import connection, transaction

from verifyhub.accounts.models import Project
from verifyhub.knowledge.models import SEARCH_CONFIG, EmbeddingSpace

EXACT_BELOW = 2_000
# The size of HNSW's candidate list: more gives better results and takes longer.
EF_SEARCH = 120
# Maximum vectors of a scan, including other projects'.
MAX_SCANNED = 100_000
# Maximum passages with a common word that are ranked.
MAX_MATCHED = 5_000
# Words in a larger share of passages are ignored if there are others.
COMMON = 0.08
MAX_WORDS = 24

COUNT = """
SELECT count(*) FROM (
    SELECT 1 FROM knowledge_passagevector WHERE space_id = %(space)s LIMIT %(most)s
) AS counted
"""
EXACT = """
WITH own AS MATERIALIZED (
    SELECT passage_id, embedding::halfvec({dimension}) AS embedding
    FROM knowledge_passagevector
    WHERE space_id = %(space)s
      AND (session_id IS NULL OR session_id = %(session)s)
)
SELECT passage_id, 1 - (embedding <=> %(vector)s::halfvec({dimension})) AS similarity
FROM own ORDER BY similarity DESC, passage_id LIMIT %(limit)s
"""
NEAR = """
SELECT passage_id,
       1 - (embedding::halfvec({dimension}) <=> %(vector)s::halfvec({dimension}))
FROM knowledge_passagevector
WHERE dimension = {dimension} AND space_id = %(space)s
  AND (session_id IS NULL OR session_id = %(session)s)
ORDER BY embedding::halfvec({dimension}) <=> %(vector)s::halfvec({dimension})
LIMIT %(limit)s
"""
SIMILARITY = """
SELECT passage_id,
       1 - (embedding::halfvec({dimension}) <=> %(vector)s::halfvec({dimension}))
FROM knowledge_passagevector
WHERE space_id = %(space)s AND passage_id = ANY(%(ids)s)
"""
# Any word may match, since no passage has all words of a claim. Words that are common
# by PostgreSQL's statistics (ANALYZE) are left out.
LEXEMES = """
SELECT w.lexeme
FROM unnest(to_tsvector(%(config)s::regconfig, %(text)s)) AS w
LEFT JOIN (
    SELECT elem, freq
    FROM pg_stats, unnest(
        most_common_elems::text::text[], most_common_elem_freqs
    ) AS common(elem, freq)
    WHERE schemaname = current_schema() AND tablename = 'knowledge_passage'
      AND attname = 'search'
) AS known ON known.elem = w.lexeme
ORDER BY coalesce(known.freq, 0) > %(common)s, coalesce(known.freq, 0), w.lexeme
LIMIT %(most)s
"""
WORDS = """
WITH matched AS MATERIALIZED (
    SELECT id, search FROM knowledge_passage
    WHERE project_id = %(project)s AND search @@ %(query)s::tsquery
      AND (session_id IS NULL OR session_id = %(session)s)
    LIMIT %(matched)s
)
SELECT id FROM matched
ORDER BY ts_rank(search, %(query)s::tsquery, 1) DESC, id LIMIT %(limit)s
"""


def by_meaning(
    space: EmbeddingSpace,
    vector: Sequence[float],
    *,
    limit: int,
    session: UUID | None = None,
) -> dict[int, float]:
    """Return the passages of a space that are nearest to a vector, nearest first.

    Args:
        space: The space, which belongs to one project.
        vector: A vector of length 1 from the space's model.
        limit: Maximum number of passages.
        session: The session whose own findings are included.

    Returns:
        Cosine similarities by passage id.
    """
    values = {
        "space": space.pk,
        "session": session,
        "vector": as_vector(vector),
        "limit": limit,
    }
    most = EXACT_BELOW + 1
    ((count,),) = _rows(COUNT, {"space": space.pk, "most": most})
    if count > EXACT_BELOW:
        with transaction.atomic(), connection.cursor() as cursor:
            # For this transaction only; the numbers are constants.
            cursor.execute("SET LOCAL hnsw.iterative_scan = strict_order")
            cursor.execute(f"SET LOCAL hnsw.ef_search = {max(EF_SEARCH, limit)}")
            cursor.execute(f"SET LOCAL hnsw.max_scan_tuples = {MAX_SCANNED}")
            nearest = dict(_rows(_sized(NEAR, space), values))
        if len(nearest) >= limit:
            return nearest
    return dict(_rows(_sized(EXACT, space), values))


def similarities(
    space: EmbeddingSpace, vector: Sequence[float], ids: Sequence[int]
) -> dict[int, float]:
    """Return the cosine similarities of some passages that are in the space."""
    if not ids:
        return {}
    values = {"space": space.pk, "vector": as_vector(vector), "ids": list(ids)}
    return dict(_rows(_sized(SIMILARITY, space), values))


def by_words(
    project: Project, text: str, *, limit: int, session: UUID | None = None
) -> list[int]:
    """Return the ids of a project's passages that share most words with a text.

    Args:
        project: The tenant.
        text: Any text, without query operators.
        limit: Maximum number of passages.
        session: The session whose own findings are included.
    """
    words = {"config": SEARCH_CONFIG, "text": text, "common": COMMON, "most": MAX_WORDS}
    lexemes = [row[0] for row in _rows(LEXEMES, words)]
    if not lexemes:
        return []
    values = {
        "project": project.pk,
        "session": session,
        "query": " | ".join(map(_quoted, lexemes)),
        "matched": MAX_MATCHED,
        "limit": limit,
    }
    return [row[0] for row in _rows(WORDS, values)]


def as_vector(vector: Sequence[float]) -> str:
    """Return a vector in PostgreSQL's text format."""
    return f"[{','.join(map(repr, vector))}]"


def _quoted(lexeme: str) -> str:
    """Return a lexeme quoted for a text search query."""
    doubled = lexeme.replace("\\", "\\\\").replace("'", "''")
    return f"'{doubled}'"


def _sized(statement: str, space: EmbeddingSpace) -> str:
    """Return a condition on the dimension, as a constant for the partial index."""
    return statement.replace("{dimension}", str(int(space.dimension)))


def _rows(statement: str, values: dict[str, Any]) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        return list(cursor.fetchall())
