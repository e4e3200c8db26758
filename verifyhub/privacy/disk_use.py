"""Disk use of projects by table, estimated from samples of pages.

Rows contain their project, but PostgreSQL has no statistics by project. So some hundred
random pages of each table are read, and the table's size, including indexes and TOAST,
is divided by the bytes of each project in the sample. Small tables are read completely.
"""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from uuid import UUID

from django.apps import apps
from django.db import connection, models
from psycopg import sql

# The sample of each table, in pages of 8 kB.
PAGES = 300
SIZES = """
SELECT whole.relname, sum(pg_relation_size(part.oid))::bigint / 8192,
    sum(pg_total_relation_size(part.oid))::bigint
FROM pg_class AS whole CROSS JOIN LATERAL (
    SELECT whole.oid
    UNION ALL SELECT inhrelid FROM pg_inherits WHERE inhparent = whole.oid
) AS part
WHERE whole.oid = ANY(%s::regclass[]) GROUP BY whole.relname
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableUse:
    """The disk use of one project in one table.

    Attributes:
        table: Its name in the database.
        rows: Number of rows, estimated for large tables.
        size: Estimated bytes, including the project's share of indexes.
        share: The project's share of the table, 0..1.
    """

    table: str
    rows: int
    size: int
    share: float


def disk_use() -> Mapping[UUID, list[TableUse]]:
    """Return the disk use of each project, its largest table first."""
    tables = [
        model
        for model in apps.get_models()
        if any(field.column == "project_id" for field in model._meta.concrete_fields)
    ]
    with connection.cursor() as cursor:
        cursor.execute(SIZES, [[model._meta.db_table for model in tables]])
        sizes = {name: (pages, size) for name, pages, size in cursor.fetchall()}
        samples = [
            _sample(model, _percent(sizes[model._meta.db_table][0]))
            for model in tables
            if sizes[model._meta.db_table][0]
        ]
        if not samples:
            return {}
        cursor.execute(sql.SQL(" UNION ALL ").join(samples))
        sampled = cursor.fetchall()
    totals: dict[str, int] = defaultdict(int)
    for table, _project, _rows, size in sampled:
        totals[table] += int(size)
    projects: dict[UUID, list[TableUse]] = defaultdict(list)
    for table, project, rows, size in sampled:
        if project is None:
            continue
        pages, total = sizes[table]
        share = int(size) / max(1, totals[table])
        projects[project].append(
            TableUse(
                table=table,
                rows=round(rows * 100 / _percent(pages)),
                size=round(share * total),
                share=share,
            )
        )
    return {
        project: sorted(uses, key=lambda use: (-use.size, use.table))
        for project, uses in projects.items()
    }


def database_size() -> int:
    """Return the size of the whole database, in bytes."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_database_size(current_database())")
        (size,) = cursor.fetchone()
    return int(size)


def _percent(pages: int) -> float:
    return min(100.0, 100.0 * PAGES / max(1, pages))


def _sample(model: type[models.Model], percent: float) -> sql.Composed:
    columns = [
        sql.Identifier(str(field.column)) for field in model._meta.concrete_fields
    ]
    size = sql.SQL(" + ").join(
        sql.SQL("coalesce(pg_column_size({}), 0)").format(column) for column in columns
    )
    return sql.SQL(
        "SELECT {name}, project_id, count(*), sum({size}) FROM {table}"
        " TABLESAMPLE SYSTEM ({percent}) REPEATABLE (0) GROUP BY project_id"
    ).format(
        name=sql.Literal(model._meta.db_table),
        size=size,
        table=sql.Identifier(model._meta.db_table),
        percent=sql.Literal(percent),
    )
