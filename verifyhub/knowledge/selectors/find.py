"""Search passages by vectors (HNSW) and by words (full text).

An index over all projects meets other projects' vectors on its way. Up to
`EXACT_BELOW` vectors are therefore compared one by one, which is as fast; above, the
index is scanned on until enough of the project's own were found
(`hnsw.iterative_scan`), and should it give up before, they are compared after all.
"""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from django.db import connection, transaction

from verifyhub.accounts.models import Project
from verifyhub.knowledge.models import SEARCH_CONFIG, EmbeddingSpace

EXACT_BELOW = 2_000
# Neighbours that are kept in sight; more find better and take longer.
EF_SEARCH = 120
# Vectors that a scan may meet, other projects' among them.
MAX_SCANNED = 100_000
# The most passages with a common word that are ranked.
MAX_MATCHED = 5_000
# Words in more passages than these tell little, where others are left.
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
# Any word may match: a claim has many, and no passage has them all. What PostgreSQL
# counted as common when it last looked (ANALYZE) is left out.
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
        space: In which to search; it belongs to one project.
        vector: Of length 1, of the space's own model.
        limit: At most so many.
        session: Findings told to this session alone are found as well.

    Returns:
        Cosines by the ids of passages.
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
            # For this transaction alone; the numbers are this module's own.
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
    """Return the cosines of some passages, of those that are in the space."""
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
        text: Any; it is no query language.
        limit: At most so many.
        session: Findings told to this session alone are found as well.
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
    """Write a vector as PostgreSQL reads it."""
    return f"[{','.join(map(repr, vector))}]"


def _quoted(lexeme: str) -> str:
    """Write a lexeme so that nothing in it is an operator."""
    doubled = lexeme.replace("\\", "\\\\").replace("'", "''")
    return f"'{doubled}'"


def _sized(statement: str, space: EmbeddingSpace) -> str:
    """Name the dimension: the index is found only by a number in the statement."""
    return statement.replace("{dimension}", str(int(space.dimension)))


def _rows(statement: str, values: dict[str, Any]) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        return list(cursor.fetchall())
