"""A table is divided by month with all it has, and months come and go as time does."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from uuid import UUID, uuid4

import psycopg
import pytest
from django.db import IntegrityError, connection, transaction
from django.utils import timezone

from tests.databases import application_url
from verifyhub.common.partition_operations import divide, divide_with_id
from verifyhub.common.partitions import DIVIDED_TABLES, MONTHS_AHEAD, keep_partitions

pytestmark = pytest.mark.django_db(transaction=True)

TABLE = "a_divided_table"
MADE = f"""
CREATE TABLE {TABLE} (
    id uuid PRIMARY KEY,
    project_id uuid NOT NULL REFERENCES accounts_project DEFERRABLE INITIALLY DEFERRED,
    place integer NOT NULL CHECK (place >= 0),
    note text DEFAULT 'none',
    UNIQUE (id, place)
);
CREATE INDEX a_note ON {TABLE} (note) WHERE note <> 'none';
CREATE FUNCTION a_refusal() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'refused' USING ERRCODE = 'integrity_constraint_violation';
END $$;
CREATE TRIGGER a_refusal BEFORE UPDATE ON {TABLE}
    FOR EACH ROW EXECUTE FUNCTION a_refusal();
"""
SCHEMA = """
SELECT indexname, replace(indexdef, ' ON ONLY ', ' ON ') FROM pg_indexes
WHERE tablename = %(table)s
UNION SELECT conname, pg_get_constraintdef(oid) FROM pg_constraint
WHERE conrelid = %(table)s::regclass
UNION SELECT tgname, pg_get_triggerdef(oid) FROM pg_trigger
WHERE tgrelid = %(table)s::regclass AND NOT tgisinternal
UNION SELECT column_name, column_default || is_nullable
FROM information_schema.columns WHERE table_name = %(table)s
"""
PARTS = """
SELECT tableoid::regclass::text, array_agg(place ORDER BY place) FROM a_divided_table
GROUP BY tableoid
"""


def ask(statement: str, values: object = None) -> list[tuple[object, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        return cursor.fetchall() if cursor.description else []


def id_at(moment: datetime) -> UUID:
    ((lowest,),) = ask("SELECT partitions_lowest_id(%s)", [moment])
    return UUID(int=lowest.int + 1)


def in_thread(act: Callable[[], None]) -> None:
    try:
        act()
    finally:
        connection.close()


def add(project, id_: UUID, place: int) -> None:
    ask(
        "INSERT INTO a_divided_table (id, project_id, place) VALUES (%s, %s, %s)",
        [id_, project.id, place],
    )


def month(number: int) -> datetime:
    """Return the first moment of a month, counted from the current one."""
    now = timezone.now().astimezone(UTC)
    years, index = divmod(now.month - 1 + number, 12)
    return datetime(now.year + years, index + 1, 1, tzinfo=UTC)


def name_of(number: int) -> str:
    return f"{TABLE}_{month(number):%Y_%m}"


def parts() -> set[str]:
    rows = ask(
        "SELECT inhrelid::regclass::text FROM pg_inherits"
        " WHERE inhparent = %s::regclass",
        [TABLE],
    )
    return {str(name) for (name,) in rows}


@pytest.fixture
def table(project) -> Iterator[None]:
    ask(MADE)
    yield
    ask(f"DROP TABLE {TABLE}; DROP FUNCTION a_refusal()")


@pytest.fixture
def divided(table: None, monkeypatch) -> None:
    """Divide it, with months from three before this one on."""
    for operation in divide(TABLE, "id"):
        operation.code(None, connection.schema_editor())
    ask(f"DROP TABLE {TABLE}_first")
    ask(f"CREATE TABLE {TABLE}_first (LIKE {TABLE} INCLUDING ALL)")
    ((bound,),) = ask("SELECT partitions_lowest_id(%s)", [month(-3)])
    ask(
        f"ALTER TABLE {TABLE} ATTACH PARTITION {TABLE}_first"
        f" FOR VALUES FROM (MINVALUE) TO ('{bound}')"
    )
    monkeypatch.setattr(DIVIDED_TABLES, "_functions", (TABLE,))


def test_a_table_is_divided_with_all_it_has_and_joined_again(table, project):
    random_id = UUID(int=uuid4().int | 0xFF << 120)
    add(project, id_at(timezone.now()), 1)
    add(project, random_id, 2)
    ask(f"GRANT SELECT, INSERT ON {TABLE} TO pg_monitor")
    before = ask(SCHEMA, {"table": TABLE})
    forward = divide(TABLE, "id")

    for operation in forward:
        operation.code(None, connection.schema_editor())
    add(project, id_at(month(-20)), 3)

    assert sorted(ask(PARTS)) == [(f"{TABLE}_default", [2]), (f"{TABLE}_first", [1, 3])]
    assert set(ask(SCHEMA, {"table": TABLE})) == set(before)
    rights = "SELECT has_table_privilege('pg_monitor', %s, %s)"
    assert ask(rights, [TABLE, "INSERT"]) == [(True,)]
    with pytest.raises(IntegrityError, match="refused"), transaction.atomic():
        ask("UPDATE a_divided_table SET place = 9")

    for operation in reversed(forward):
        operation.reverse_code(None, connection.schema_editor())

    assert ask(PARTS) == [(TABLE, [1, 2, 3])]
    assert set(ask(SCHEMA, {"table": TABLE})) == set(before)
    assert ask(rights, [TABLE, "INSERT"]) == [(True,)]


def test_a_table_keyed_by_another_id_is_divided_by_its_parents_and_joined_again(
    table, project
):
    ask(f"ALTER TABLE {TABLE} ADD COLUMN parent_id uuid NOT NULL DEFAULT %s", [uuid4()])
    ask(f"CREATE UNIQUE INDEX a_place ON {TABLE} (parent_id, place)")
    ask(f"CREATE INDEX a_id ON {TABLE} (id)")
    add_of = (
        "INSERT INTO a_divided_table (id, project_id, place, parent_id)"
        " VALUES (%s, %s, %s, %s)"
    )
    ask(add_of, [uuid4(), project.id, 1, id_at(timezone.now())])
    before = ask(SCHEMA, {"table": TABLE})
    forward = divide_with_id(TABLE, "parent_id")

    for operation in forward:
        operation.code(None, connection.schema_editor())
    ask(add_of, [uuid4(), project.id, 2, id_at(month(3))])

    assert sorted(ask(PARTS)) == [(f"{TABLE}_default", [2]), (f"{TABLE}_first", [1])]
    assert (
        ask(
            "SELECT conname FROM pg_constraint"
            " WHERE contype = 'p' AND conrelid = %s::regclass",
            [f"{TABLE}_first"],
        )
        == []
    )

    for operation in reversed(forward):
        operation.reverse_code(None, connection.schema_editor())

    assert ask(PARTS) == [(TABLE, [1, 2])]
    # A key of several columns that lacks the new one is not made again.
    lost = set(before) - set(ask(SCHEMA, {"table": TABLE}))
    assert {name for name, _ in lost} == {"a_divided_table_id_place_key"}


def test_the_next_months_are_made_and_each_row_lies_in_its_own(divided, project):
    keep_partitions()
    keep_partitions()

    expected = {name_of(number) for number in range(MONTHS_AHEAD)}
    assert expected <= parts()
    add(project, id_at(month(1)), 1)
    add(project, UUID(int=id_at(month(1)).int - 2), 2)
    add(project, id_at(month(12)), 3)
    assert sorted(ask(PARTS)) == sorted(
        [
            (f"{TABLE}_default", [3]),
            (name_of(0), [2]),
            (name_of(1), [1]),
        ]
    )


def test_a_month_that_is_over_goes_once_it_is_empty(divided, project):
    ask("SELECT partitions_make(%s, 1)", [TABLE])
    add(project, id_at(month(-3)), 1)
    add(project, id_at(month(-2)), 2)
    ask("DELETE FROM a_divided_table WHERE place = 2")

    keep_partitions()

    assert name_of(-3) in parts()
    assert name_of(-2) not in parts()
    assert ask("SELECT place FROM a_divided_table") == [(1,)]


def test_a_month_in_use_is_waited_for_until_the_next_time(divided, project):
    ask("SELECT partitions_make(%s, 1)", [TABLE])
    given = connection.get_connection_params()
    kept = {key: given[key] for key in ("host", "port", "user", "password", "dbname")}
    with psycopg.connect(**kept) as reader:
        reader.execute("SELECT count(*) FROM a_divided_table")

        keep_partitions()

        assert name_of(-3) in parts()
    keep_partitions()
    assert name_of(-3) not in parts()


def test_while_a_month_is_looked_at_nobody_waits_for_the_whole(divided, project):
    ask("SELECT partitions_make(%s, 1)", [TABLE])
    given = connection.get_connection_params()
    kept = {key: given[key] for key in ("host", "port", "user", "password", "dbname")}
    with psycopg.connect(**kept) as writer, psycopg.connect(**kept) as reader:
        writer.execute(f"LOCK TABLE {name_of(-3)} IN ROW EXCLUSIVE MODE")
        with ThreadPoolExecutor() as threads:
            dropping = threads.submit(in_thread, keep_partitions)
            while not reader.execute("SELECT FROM pg_locks WHERE NOT granted").rowcount:
                assert not dropping.done()

            reader.execute("SET lock_timeout = '50ms'")
            reader.execute("SELECT count(*) FROM ONLY a_divided_table")

    assert name_of(-3) in parts()


def test_rows_that_came_before_their_month_was_made_stay_where_they_are(
    divided, project
):
    add(project, id_at(month(-2)), 1)

    keep_partitions()

    assert name_of(-2) not in parts()
    assert name_of(0) in parts()
    assert ask(PARTS) == [(f"{TABLE}_default", [1])]


def test_the_statistics_of_the_whole_are_updated_once_a_day(divided, project):
    for place in range(6):
        add(project, id_at(month(-place)), place)

    keep_partitions()

    assert ask(
        "SELECT attname FROM pg_stats WHERE tablename = %s AND attname = 'place'"
        " AND inherited",
        [TABLE],
    ) == [("place",)]
    assert ask("SELECT partitions_analyze(%s)", [TABLE]) == [(False,)]


def test_servers_use_the_whole_and_no_month(project):
    ((part,),) = ask(
        "SELECT min(inhrelid::regclass::text) FROM pg_inherits"
        " WHERE inhparent = 'events_event'::regclass"
    )
    with psycopg.connect(application_url(), autocommit=True) as server:
        for table in DIVIDED_TABLES:
            server.execute("SELECT partitions_make(%s, 3)", [table])
            server.execute("SELECT partitions_drop_empty(%s)", [table])
            server.execute("SELECT partitions_analyze(%s)", [table])
            server.execute(f"SELECT FROM {table}")
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            server.execute(f"SELECT FROM {part}")
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            server.execute("DROP TABLE events_event_default")


def test_the_tables_of_the_product_are_divided():
    tables = list(DIVIDED_TABLES)
    assert tables
    for table in tables:
        assert ask(
            "SELECT 1 FROM pg_partitioned_table WHERE partrelid = %s::regclass", [table]
        )
