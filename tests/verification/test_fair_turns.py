"""Projects take turns: many rows of one delay no other's single row by much."""

from collections import Counter

import psycopg
import pytest
from django.db import connection

from tests.factories import ProjectFactory
from tests.ingest.runs import an_interaction
from verifyhub.accounts.models import Project
from verifyhub.ingest.models import Interaction
from verifyhub.ingest.services import record_interactions
from verifyhub.verification.models import Verification
from verifyhub.verification.services import VERIFICATIONS, run_due

MANY = """
WITH made AS (
    INSERT INTO ingest_interaction (
        id, project_id, created_at, content_sha256, task, answer, agent_name,
        agent_tier, agent_role, parent, goal, verification_type, verification_results,
        context_sha256, tool_call_count
    )
    SELECT gen_random_uuid(), %(project)s, now(), '', 't', 'a', '', '', '', '', '', '',
        '[]', '', 0
    FROM generate_series(1, %(count)s)
    RETURNING id, project_id
)
INSERT INTO verification_verification (
    id, project_id, interaction_id, created_at, number, state, token, attempts, error,
    strictness, verdict, human_verdict, action, mention_count, unverified_count,
    engine_version
)
SELECT gen_random_uuid(), project_id, id, now(), 1, 'pending', 0, 0, '', '', '', '',
    '', 0, 0, ''
FROM made
"""


def pending(project: Project, count: int) -> None:
    with connection.cursor() as cursor:
        cursor.execute(MANY, {"project": project.id, "count": count})


def claimed(count: int) -> list[str]:
    """The slugs of the projects whose rows are claimed next."""
    rows = [one for _ in range(count) for one in VERIFICATIONS.claim_due(limit=1)]
    found = Verification.objects.select_related("project").in_bulk(
        [row.row_id for row in rows]
    )
    return [found[row.row_id].project.slug for row in rows]


def test_a_single_answer_is_next_but_one_behind_many_of_another(project):
    pending(project, 1000)
    quiet = ProjectFactory(slug="quiet")
    pending(quiet, 1)

    assert "quiet" in claimed(2)


def test_projects_take_turns_however_many_rows_each_has(db):
    for slug, count in {"a": 30, "b": 3, "c": 5}.items():
        pending(ProjectFactory(slug=slug), count)

    order = claimed(38)

    assert sorted(order[:3]) == ["a", "b", "c"]
    assert order[:3] == order[3:6] == order[6:9]
    assert sorted(order[9:13]) == ["a", "a", "c", "c"]
    assert set(order[13:]) == {"a"}
    assert len(order) == 38


def test_the_oldest_due_row_of_a_project_comes_first_and_one_that_waits_does_not(
    project,
):
    rows = record_interactions(
        project=project,
        api_key=None,
        interactions=[an_interaction(id=str(n)) for n in range(3)],
    )
    first, second, third = (
        Verification.objects.get(interaction=one.uuid) for one in rows
    )
    with connection.cursor() as cursor:
        cursor.execute(
            "UPDATE verification_verification SET created_at = now() - interval '1 h'"
            " WHERE id = %s",
            [third.id],
        )
        cursor.execute(
            "UPDATE verification_verification SET next_at = now() + interval '1 h'"
            " WHERE id = %s",
            [first.id],
        )

    taken = [
        [claim.row_id for claim in VERIFICATIONS.claim_due(limit=1)] for _ in range(3)
    ]

    assert taken == [[third.id], [second.id], []]


def test_one_wake_up_verifies_what_is_due_of_all_projects(project):
    other = ProjectFactory()
    for owner in (project, other):
        record_interactions(
            project=owner,
            api_key=None,
            interactions=[an_interaction(id=str(n)) for n in range(2)],
        )

    assert run_due(seconds=60) == 4
    assert run_due() == 0
    assert not Verification.objects.exclude(state="finished").exists()


def vacuum() -> None:
    """Take away what earlier tests have deleted, which a plan would walk over."""
    given = connection.settings_dict
    with psycopg.connect(
        host=given["HOST"],
        port=given["PORT"],
        user=given["USER"],
        password=given["PASSWORD"],
        dbname=given["NAME"],
        autocommit=True,
    ) as other:
        other.execute("VACUUM verification_verification, ingest_interaction")


@pytest.mark.parametrize("limit", [1, 32])
def test_a_claim_reads_a_few_index_entries_of_a_long_queue(project, limit):
    vacuum()
    pending(project, 20_000)
    for _ in range(3):
        pending(ProjectFactory(), 1)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE verification_verification")

    read = _buffers(limit)

    assert Interaction.objects.count() == 20_003
    # Of thousands of pages: the walk does not grow with the queue; each row that is
    # changed costs some, in the table and its indexes.
    assert read < 200 + 20 * limit


def test_a_batch_takes_an_equal_share_of_each_project(db):
    for slug, count in {"a": 30, "b": 3, "c": 5}.items():
        pending(ProjectFactory(slug=slug), count)

    batch = Counter(
        Project.objects.get(pk=one.project_id).slug
        for one in VERIFICATIONS.claim_due(limit=12)
    )

    assert batch == {"a": 4, "b": 3, "c": 4}


def test_a_batch_takes_one_row_of_a_project_whose_rows_take_long(db):
    slow, quick = ProjectFactory(), ProjectFactory()
    pending(slow, 10)
    pending(quick, 10)

    batch = Counter(
        one.project_id for one in VERIFICATIONS.claim_due(limit=8, single=[slow.id])
    )

    assert batch == {slow.id: 1, quick.id: 4}


def _buffers(limit: int) -> int:
    """Return how many pages of the database one claim touches."""
    from verifyhub.common.row_queue import CLAIM_DUE, LEASE_SECONDS

    statement = CLAIM_DUE.replace("{table}", "verification_verification")
    last = "7fffffff-ffff-4fff-bfff-ffffffffffff"
    with connection.cursor() as cursor:
        cursor.execute(
            f"EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) {statement}",
            {
                "last": last,
                "lease": LEASE_SECONDS,
                "limit": limit,
                "single": [],
                "without": [],
            },
        )
        plan = cursor.fetchone()[0][0]["Plan"]
    return plan["Shared Hit Blocks"] + plan["Shared Read Blocks"]
