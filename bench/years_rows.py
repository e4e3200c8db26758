"""Further rows of `bench.years`, besides those of `bench.metrics`, created by SQL.

For every answer: what memory learned from it, and a sighting of the name that was not
found. For the last 90 days, their retention: events, and the contexts that sessions
received.
"""

BESIDE = (
    """learned AS (
    INSERT INTO memory_memoryentry (created_at, updated_at, id, project_id, session_id,
        key, kind, state, mention_kind, mention_key, text, suggestion, mention_status,
        confidence, grade, interaction_id, source, verification_id)
    SELECT at, at, @id, %(project)s, session, lesson.key, lesson.kind, 'active', 'file',
        name, name, '', '', 0.5, lesson.grade, id, 'verification', run
    FROM numbered, LATERAL (
        VALUES ('verified-file-price.py', 'finding', 'price.py', 'C', n %% 20 = 19),
            ('unverified-file-' || ghost, 'blocker', ghost, '', n %% 4 < 2)
    ) AS lesson (key, kind, name, grade, is_new)
    WHERE is_new ON CONFLICT DO NOTHING
)""",
    """blamed AS (
    INSERT INTO memory_sighting (created_at, project_id, constraint_id, session_id,
        api_key_id, interaction_id, seen_at, counts)
    SELECT at, %(project)s, md5(%(project)s::text || ghost)::uuid, session,
        (%(keys)s::uuid[])[1 + n %% 3], id, at, true
    FROM numbered WHERE n %% 4 < 2
)""",
    """told AS (
    INSERT INTO events_event (created_at, id, project_id, position, type, subject, data)
    SELECT at, @id, %(project)s, nextval('events_event_position'),
        'verification.completed', jsonb_build_object('interaction', id,
            'verification', run, 'session', session),
        jsonb_build_object('verification', jsonb_build_object('verdict', verdict))
    FROM numbered WHERE at > %(until)s::timestamptz - interval '90 days'
)""",
    """delivered AS (
    INSERT INTO memory_contextdelivery (created_at, id, project_id, session_id,
        session_key, sha256, format, budget, tokens, counts, entry_ids, constraint_ids,
        held_out)
    SELECT at, gen_random_uuid(), %(project)s, session, session::text,
        md5(n::text) || md5(n::text), 'text', 1000, 900, '{}', '{}', '{}', '{}'
    FROM numbered
    WHERE n %% 20 = 19 AND at > %(until)s::timestamptz - interval '90 days'
)""",
)
# Once per project, before its answers: names that were not found, an eighth of them
# shown to every session.
CONSTRAINTS = """
INSERT INTO memory_constraint (created_at, updated_at, id, project_id, mention_kind,
    mention_key, text, suggestion, state, origin, pinned, interaction_count,
    session_count, key_count, retired_reason, first_seen_at, last_seen_at, active_at)
SELECT at, at, md5(%(project)s::text || ghost)::uuid, %(project)s, 'file', ghost, ghost,
    '',
    CASE WHEN is_told THEN 'active' ELSE 'retired' END, 'recurrence', false,
    %(times)s, %(times)s, 3, '', at, %(until)s, CASE WHEN is_told THEN at END
FROM (
    SELECT DISTINCT ON (ghost) ghost, n %% 8 = 0 AS is_told,
        %(until)s::timestamptz - interval '600 days' AS at
    FROM generate_series(0, 5002) AS n, LATERAL (
        SELECT 'ghost' || (n::bigint * n) %% 5003 || '.py' AS ghost
    ) AS name ORDER BY ghost, n
) AS made ON CONFLICT DO NOTHING
"""
# Once per project, after the answers: the few rows that people wrote.
SAID = """
INSERT INTO memory_memoryentry (created_at, updated_at, id, project_id, session_id,
    scope, key, kind, state, mention_kind, mention_key, text, suggestion,
    mention_status, source, override_id)
SELECT made.resolved_at, made.resolved_at, gen_random_uuid(), made.project_id,
    answer.session_id, 'session', 'correction-' || made.id, 'correction', 'active',
    'file', 'part-' || made.id, 'part-' || made.id, '', 'verified', 'reviewer', made.id
FROM review_reviewitem AS made
JOIN ingest_interaction AS answer ON answer.id = made.interaction_id
WHERE made.project_id = %(project)s AND made.resolved_at IS NOT NULL
ORDER BY made.resolved_at DESC LIMIT 200
"""
TABLES = (
    "events_event",
    "memory_memoryentry",
    "memory_contextdelivery",
)
