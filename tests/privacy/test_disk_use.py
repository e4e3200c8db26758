"""What each project takes on disk is told by table, and adds up to the tables."""

import random

import pytest
from django.db import connection

from tests.cli.in_process import verifyhub
from tests.factories import ProjectFactory
from tests.privacy.test_deletions import a_verified_run
from verifyhub.ingest.models import Interaction, ToolCall
from verifyhub.privacy import disk_use as sampled
from verifyhub.privacy.disk_use import disk_use

PAGE = "/p/acme/settings/disk-use/"


@pytest.fixture(autouse=True)
def no_pages_left_over(db: None) -> None:
    """Empty the tables' files: rows that other tests took back leave their pages."""
    with connection.cursor() as cursor:
        cursor.execute("TRUNCATE ingest_interaction CASCADE")


def size_of(table: str) -> int:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT sum(pg_total_relation_size(oid)) FROM pg_class"
            " WHERE oid = %(table)s::regclass OR oid IN"
            " (SELECT inhrelid FROM pg_inherits WHERE inhparent = %(table)s::regclass)",
            {"table": table},
        )
        return cursor.fetchone()[0]


def test_a_table_is_shared_out_between_projects_by_what_they_have_in_it(project):
    other = ProjectFactory(slug="other", name="Other")
    a_verified_run(project)
    for number in range(3):
        a_verified_run(other, session=f"s-{number}", mark="Other" * 20)

    uses = disk_use()

    tables = {
        which.slug: {use.table: use for use in uses[which.id]}
        for which in (project, other)
    }
    mine, theirs = (tables[slug]["ingest_interaction"] for slug in ("acme", "other"))
    assert (mine.rows, theirs.rows) == (1, 3)
    assert theirs.size > mine.size > 0
    whole = size_of("ingest_interaction")
    assert mine.size + theirs.size == pytest.approx(whole, abs=2)
    assert tables["acme"]["ingest_toolcall"].rows == 1
    sizes = [use.size for use in uses[project.id]]
    assert sizes == sorted(sizes, reverse=True)


def test_a_large_table_is_estimated_from_some_of_its_pages(project, monkeypatch):
    row = a_verified_run(project)
    call = ToolCall.objects.get()
    calls = [
        ToolCall(
            project=project,
            interaction=row,
            index=number,
            tool=call.tool,
            input={"pattern": random.Random(number).randbytes(700).hex()},
            output=call.output,
        )
        for number in range(1, 601)
    ]
    ToolCall.objects.bulk_create(calls)
    monkeypatch.setattr(sampled, "PAGES", 30)

    use = next(use for use in disk_use()[project.id] if use.table == "ingest_toolcall")

    assert use.rows != 601
    assert use.rows == pytest.approx(601, rel=0.5)
    assert use.share == 1.0
    assert use.size == size_of("ingest_toolcall")


def test_leads_see_their_project_alone(browse, lead, reviewer, project):
    other = ProjectFactory(slug="other", name="Other")
    a_verified_run(other)
    a_verified_run(project)

    page = browse(lead).get(PAGE).content.decode()

    assert "ingest_interaction" in page
    assert "Other" not in page
    assert browse(reviewer).get(PAGE).status_code == 403
    assert Interaction.objects.count() == 2


def test_operators_see_all_projects(project):
    ProjectFactory(slug="empty", name="Empty")
    a_verified_run(project)
    settings = {"VERIFYHUB_SECRET_KEY": "x" * 50}

    told = verifyhub("project", "disk-use", settings=settings).stdout
    tables = verifyhub("project", "disk-use", "--table", settings=settings).stdout

    assert [line.split()[0] for line in told.splitlines()[:3]] == [
        "SLUG",
        "acme",
        "empty",
    ]
    assert "Database size with all projects:" in told
    assert "acme" in tables
    assert "ingest_interaction" in tables
