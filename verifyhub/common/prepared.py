"""Statements that are prepared once for each connection.

The ORM builds its SQL for each call, and PostgreSQL parses and plans it each time,
which takes several times as long as executing it for a single verdict. Statements that
are executed for every run are built once here and get their values as parameters.
"""

from collections.abc import Callable, Sequence
from copy import copy
from functools import cached_property
from inspect import signature
from types import SimpleNamespace
from typing import Any, Generic, TypeVar, cast

from django.conf import settings
from django.db import DEFAULT_DB_ALIAS, connections, models
from django.db.backends.utils import CursorWrapper
from django.db.models.fields.related import ForeignObject
from django.db.models.fields.related_lookups import RelatedLookupMixin
from psycopg import Cursor, sql

Row = TypeVar("Row")

# A statement that is executed once or twice does not repay the round trip.
PREPARED_AFTER = 2


class _PreparedCursor(Cursor[Any]):
    """Sends values as parameters, so that PostgreSQL can reuse the plan."""

    def execute(self, *arguments: Any, **options: Any) -> Any:
        # For this statement alone: psycopg would prepare all others too, which contain
        # their values.
        self.connection.prepare_threshold = PREPARED_AFTER
        try:
            return super().execute(*arguments, **options)
        finally:
            self.connection.prepare_threshold = None

    def _get_prepared(self, pgq: Any, prepare: bool | None = None) -> Any:
        # Read by Django's log of statements.
        self._query = pgq
        return super()._get_prepared(pgq, prepare)


def prepared_cursor() -> CursorWrapper:
    """Open a cursor for statements whose text never changes.

    Behind PgBouncer, where the next statement may run in another session, it is an
    ordinary cursor.
    """
    database: Any = connections[DEFAULT_DB_ALIAS]
    if settings.PGBOUNCER:
        return cast(CursorWrapper, database.cursor())
    # Like `database.cursor()`.
    database.close_if_health_check_failed()
    database.ensure_connection()
    with database.wrap_database_errors:
        own = _PreparedCursor(database.connection)
        return cast(CursorWrapper, database._prepare_cursor(own))


class Place(models.Expression):
    """A placeholder for a value that is known when the query is executed."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.name = name

    def as_sql(self, compiler: Any, connection: Any) -> Any:  # noqa: ARG002
        return "%s", [self]


@models.Field.register_lookup
class AnyOf(models.Lookup):
    """`field__any_of=place`: one of a list, with the same SQL for any length."""

    lookup_name = "any_of"

    def as_sql(self, compiler: Any, connection: Any) -> Any:
        column, values = self.process_lhs(compiler, connection)
        place, own = self.process_rhs(compiler, connection)
        return f"{column} = ANY({place})", [*values, *own]


@ForeignObject.register_lookup
class RelatedAnyOf(RelatedLookupMixin, AnyOf):
    """The same for a relation, by its key."""


class PreparedQuery(Generic[Row]):
    """A query of the ORM that is built at its first use.

        OF_PROJECT = PreparedQuery(lambda project: Tool.objects.filter(project=project))
        rows = OF_PROJECT(project=project.id)

    Values are those of columns (keys, not rows); a list is for `any_of`.
    """

    def __init__(self, build: Callable[..., models.QuerySet[Any, Row]]) -> None:
        """Bind the function that builds the query from named placeholders."""
        self._build = build

    def __call__(self, **values: Any) -> list[Row]:
        """Execute the query and return its rows."""
        built = self._built
        with prepared_cursor() as cursor:
            cursor.execute(built.statement, values)
            return built.read(cursor.fetchall())

    def first(self, **values: Any) -> Row | None:
        """Execute the query and return its first row, None if it has none."""
        return next(iter(self(**values)), None)

    @cached_property
    def _built(self) -> "_Built":
        names = signature(self._build).parameters
        return _Built(self._build(**{name: Place(name) for name in names}))


class _Built:
    """The statement of a query, and the conversion of its rows."""

    def __init__(self, rows: models.QuerySet[Any, Any]) -> None:
        own: Any = rows
        self._compiler = own.query.get_compiler(DEFAULT_DB_ALIAS)
        text, values = self._compiler.as_sql()
        self.statement = with_values(text, values)
        select = self._compiler.select[: self._compiler.col_count]
        converters = self._compiler.get_converters([column[0] for column in select])
        self._compiler.get_converters = lambda _: converters
        # The connection belongs to a thread, which ends.
        self._compiler.connection = None
        self._iterable = own._iterable_class

    def read(self, values: Sequence[Sequence[Any]]) -> list[Any]:
        """Convert rows of values as the ORM does."""
        compiler = copy(self._compiler)
        compiler.connection = connections[DEFAULT_DB_ALIAS]
        compiler.execute_sql = lambda *_, **__: [values]
        rows = SimpleNamespace(
            query=SimpleNamespace(get_compiler=lambda *_, **__: compiler),
            db=DEFAULT_DB_ALIAS,
            _known_related_objects={},
        )
        return list(self._iterable(rows))


def with_values(text: str, values: Sequence[Any]) -> str:
    """Insert constants into a statement, so that generic plans use partial indexes.

    Args:
        text: A statement of the ORM, with `%s` for each value.
        values: Constants, and placeholders (`Place`), which are left in.
    """
    database: Any = connections[DEFAULT_DB_ALIAS]
    pieces = text.split("%s")
    words = [
        f"%({value.name})s"
        if isinstance(value, Place)
        else sql.Literal(value).as_string(database.connection).replace("%", "%%")
        for value in values
    ]
    first, *others = pieces
    joined = zip(words, others, strict=True)
    return first + "".join(word + piece for word, piece in joined)
