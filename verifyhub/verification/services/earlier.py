"""Load calls of earlier answers, for many answers together.

Four queries whatever their number (ADR 0042): the earlier answers, the sizes of their
calls, the calls that fit, and the entries that memory delivered.
"""

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import reduce
from operator import or_
from typing import Any
from uuid import UUID

from django.db.models import Q

from verifyhub.common.prepared import prepared_cursor
from verifyhub.engine.earlier.turns import EarlierTurn, EarlierTurns
from verifyhub.engine.ledger.seal import read_seal
from verifyhub.engine.reports import EarlierEvidence, Grade, Relation
from verifyhub.engine.types import Interaction as Run
from verifyhub.ingest.models import Interaction, ToolCall
from verifyhub.memory.models import MemoryEntry
from verifyhub.verification.services.project_setup import ProjectSetup

# Earlier calls, and bytes of their outputs and inputs, that one answer may use; the
# newest count. They cost as much time as the answer's own calls of that size.
MAX_CALLS = 200
MAX_BYTES = 200_000
# Subtasks of one answer, and how deep they lie.
MAX_SUBTASKS = 100
MAX_DEPTH = 4

TURNS = """
WITH RECURSIVE own AS (
    SELECT answer.id, answer.project_id, answer.session_id, answer.created_at,
        wanted.turns, wanted.hours
    FROM unnest(%(answers)s::uuid[], %(turns)s::int[], %(hours)s::int[])
        AS wanted (id, turns, hours)
    JOIN ingest_interaction AS answer ON answer.id = wanted.id
), upper AS (
    SELECT * FROM unnest(%(lower)s::uuid[], %(upper)s::uuid[], %(attempt)s::bool[])
        AS line (answer, id, is_attempt)
), part AS (
    SELECT own.id AS answer, own.id, 0 AS depth FROM own
    UNION ALL
    SELECT upper.answer, upper.id, 0 FROM upper WHERE upper.is_attempt
    UNION ALL
    SELECT part.answer, child.id, part.depth + 1
    FROM part JOIN ingest_interaction AS above ON above.id = part.id
    JOIN own ON own.id = part.answer
    CROSS JOIN LATERAL (
        SELECT below.id FROM ingest_interaction AS below
        WHERE below.project_id = above.project_id AND below.parent <> ''
          AND below.parent IN (above.client_id, above.id::text)
          AND (below.created_at, below.id) < (own.created_at, own.id)
        ORDER BY below.created_at DESC LIMIT %(subtasks)s
    ) AS child
    WHERE part.depth < %(depth)s
), found AS (
    SELECT answer, id, CASE WHEN is_attempt THEN 1 ELSE 2 END AS rank FROM upper
    UNION ALL
    (SELECT answer, id, 3 FROM part WHERE depth > 0 LIMIT %(most)s)
    UNION ALL
    SELECT own.id, before.id, 4 FROM own CROSS JOIN LATERAL (
        SELECT row.id FROM ingest_interaction AS row
        WHERE row.session_id = own.session_id
          AND (row.created_at, row.id) < (own.created_at, own.id)
          AND row.created_at > own.created_at - own.hours * interval '1 hour'
        ORDER BY row.created_at DESC, row.id DESC LIMIT own.turns
    ) AS before
)
SELECT DISTINCT ON (found.answer, found.id)
    found.answer, found.id, found.rank, turn.created_at, turn.tool_call_count,
    CASE WHEN jsonb_typeof(turn.metadata -> 'earlier_calls') = 'number'
        THEN greatest(0, least((turn.metadata ->> 'earlier_calls')::numeric, 1e9))::int
        ELSE 0 END,
    turn.trace_signature::text, turn.client_id
FROM found JOIN ingest_interaction AS turn ON turn.id = found.id
JOIN own ON own.id = found.answer
WHERE found.id <> found.answer AND turn.tool_call_count > 0
  AND turn.outputs_removed_at IS NULL
  -- What an answer says it follows came before it, in whatever order they were sent.
  AND (found.rank <= 2 OR turn.created_at <= own.created_at)
ORDER BY found.answer, found.id, found.rank
"""
SIZES = """
SELECT turn.id, call.index, call.size
FROM unnest(%(turns)s::uuid[], %(own)s::int[]) AS turn (id, own)
CROSS JOIN LATERAL (
    SELECT index, coalesce(output_length, octet_length(output))
        + pg_column_size(input) AS size
    FROM ingest_toolcall
    WHERE interaction_id = turn.id AND index >= turn.own
    ORDER BY index DESC LIMIT %(most)s
) AS call
"""
_RELATIONS = {
    1: Relation.ATTEMPT,
    2: Relation.PARENT,
    3: Relation.SUBTASK,
    4: Relation.SESSION,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Turn:
    """An earlier answer; its calls before `own_from` are of still earlier turns."""

    id: UUID
    relation: Relation
    created_at: datetime
    call_count: int
    own_from: int
    signature: Any
    name: str


def load_earlier(
    answers: Sequence[Interaction],
    *,
    upper: Mapping[UUID, Sequence[UUID]],
    attempts: Mapping[UUID, Sequence[Interaction]],
    delivered: Mapping[UUID, Sequence[MemoryEntry]],
    windows: Mapping[UUID, tuple[int, int]],
    setups: Mapping[UUID, ProjectSetup],
) -> dict[UUID, EarlierTurns]:
    """Return the earlier evidence of each answer.

    Args:
        answers: Rows with their sessions.
        upper: The ancestors of each, nearest first.
        attempts: The ancestors that were attempts at the same task.
        delivered: The names that memory delivered (`names_delivered_as_verified`).
        windows: Number and maximum age of earlier answers of a session, by project.
        setups: The settings of their projects.
    """
    turns = _turns(answers, upper, attempts, windows)
    chosen = _chosen(turns)
    calls = _calls(chosen)
    earlier: dict[UUID, EarlierTurns] = {}
    for answer in answers:
        calls_of_turn, setup = chosen[answer.id], setups[answer.project_id]
        earlier[answer.id] = EarlierTurns(
            turns=tuple(
                _turn(
                    answer,
                    turn,
                    [calls[turn.id, index] for index in calls_of_turn[turn.id]],
                    setup,
                )
                for turn in turns[answer.id]
                if turn.id in calls_of_turn
            ),
            from_memory={
                (name.mention_kind, name.mention_key): _memory_evidence(answer, name)
                for name in delivered.get(answer.id, ())
            },
        )
    return earlier


def _turns(
    answers: Sequence[Interaction],
    upper: Mapping[UUID, Sequence[UUID]],
    attempts: Mapping[UUID, Sequence[Interaction]],
    windows_of: Mapping[UUID, tuple[int, int]],
) -> dict[UUID, list[_Turn]]:
    """Return the earlier answers of each, the oldest first."""
    tried = {(key, attempt.id) for key, line in attempts.items() for attempt in line}
    lines = [(key, id_) for key, line in upper.items() for id_ in line]
    windows = [windows_of[answer.project_id] for answer in answers]
    values: dict[str, Any] = {
        "answers": [answer.id for answer in answers],
        # A client that sends earlier calls itself has selected them.
        "turns": [
            0 if _brought(answer.metadata) else turns
            for answer, (turns, _) in zip(answers, windows, strict=True)
        ],
        "hours": [hours for _, hours in windows],
        "lower": [key for key, _ in lines],
        "upper": [id_ for _, id_ in lines],
        "attempt": [line in tried for line in lines],
        "subtasks": MAX_SUBTASKS,
        "most": MAX_SUBTASKS * len(answers),
        "depth": MAX_DEPTH,
    }
    turns_of: dict[UUID, list[_Turn]] = {answer.id: [] for answer in answers}
    with prepared_cursor() as cursor:
        cursor.execute(TURNS, values)
        for answer_id, id_, rank, at, count, own_from, signature, name in cursor:
            turns_of[answer_id].append(
                _Turn(
                    id=id_,
                    relation=_RELATIONS[rank],
                    created_at=at,
                    call_count=count,
                    own_from=own_from,
                    signature=json.loads(signature) if signature else None,
                    name=name or str(id_),
                )
            )
    return {
        key: sorted(line, key=lambda turn: (turn.created_at, turn.id))
        for key, line in turns_of.items()
    }


def _brought(metadata: object) -> bool:
    """Whether an answer's own trace begins with calls of earlier turns."""
    count = metadata.get("earlier_calls") if isinstance(metadata, dict) else 0
    return isinstance(count, int) and count > 0


def _chosen(
    turns: Mapping[UUID, Sequence[_Turn]],
) -> dict[UUID, dict[UUID, list[int]]]:
    """Return the indexes of the calls that fit, by answer and turn, newest first."""
    sizes = _sizes({turn.id: turn for line in turns.values() for turn in line})
    chosen: dict[UUID, dict[UUID, list[int]]] = {}
    for answer, line in turns.items():
        calls, left = MAX_CALLS, MAX_BYTES
        chosen_calls = chosen[answer] = {}
        for turn in reversed(line):
            for index, size in sizes.get(turn.id, ()):
                if calls and size <= left:
                    chosen_calls.setdefault(turn.id, []).append(index)
                    calls, left = calls - 1, left - size
    return chosen


def _sizes(turns: Mapping[UUID, _Turn]) -> dict[UUID, list[tuple[int, int]]]:
    """Return index and size of each turn's calls, not read yet, newest first."""
    if not turns:
        return {}
    values: dict[str, Any] = {
        "turns": list(turns),
        "own": [turn.own_from for turn in turns.values()],
        "most": MAX_CALLS,
    }
    sizes: dict[UUID, list[tuple[int, int]]] = defaultdict(list)
    with prepared_cursor() as cursor:
        cursor.execute(SIZES, values)
        for turn, index, size in cursor:
            sizes[turn].append((index, size))
    for line in sizes.values():
        line.sort(reverse=True)
    return sizes


def _calls(
    chosen: Mapping[UUID, Mapping[UUID, Sequence[int]]],
) -> dict[tuple[UUID, int], ToolCall]:
    places: dict[UUID, set[int]] = defaultdict(set)
    for line in chosen.values():
        for turn, indexes in line.items():
            places[turn].update(indexes)
    if not places:
        return {}
    wanted = [
        Q(interaction=turn, index__in=indexes) for turn, indexes in places.items()
    ]
    rows = ToolCall.objects.filter(reduce(or_, wanted))
    return {(call.interaction_id, call.index): call for call in rows}


def _turn(
    answer: Interaction, turn: _Turn, calls: Iterable[ToolCall], setup: ProjectSetup
) -> EarlierTurn:
    read = sorted((call.in_engine for call in calls), key=lambda call: call.index)
    signed: frozenset[int] = frozenset()
    # A signature covers all calls of a turn by index, so all must be present.
    if turn.signature and len(read) == turn.call_count:
        run = Run(
            id=turn.name,
            task="",
            answer="",
            tool_calls=tuple(read),
            trace_signature=turn.signature,
        )
        signed = read_seal(run, setup.gateways).calls
    return EarlierTurn(
        interaction=str(turn.id),
        relation=turn.relation,
        age_seconds=_age(answer, turn.created_at),
        calls=tuple(read),
        signed_calls=signed,
    )


def _memory_evidence(answer: Interaction, name: MemoryEntry) -> EarlierEvidence:
    place = name.evidence or {}
    call, span = place.get("tool_call"), place.get("span")
    return EarlierEvidence(
        interaction=str(name.interaction_id or ""),
        relation=Relation.MEMORY,
        age_seconds=_age(answer, name.created_at),
        grade=Grade(name.grade or Grade.C),
        tool_call=call if call is not None and call >= 0 else None,
        field=place.get("field", ""),
        span=(span[0], span[1]) if span else None,
    )


def _age(answer: Interaction, before: datetime) -> int:
    return max(0, round((answer.created_at - before).total_seconds()))
