"""Delete many rows with all that refers to them."""

from collections import Counter
from collections.abc import Collection
from typing import Any

from django.db import connection, models
from psycopg import sql


def delete_with_dependents(
    model: type[models.Model], keys: Collection[Any]
) -> Counter[str]:
    """Delete rows, and as `on_delete` of the models says, what refers to them.

    `QuerySet.delete` writes every key as a literal into some thirty statements, which
    takes longer than deleting the rows. Here a statement has one array of keys. Must
    run inside a transaction, at whose end constraints are checked; sends no signals.

    Returns:
        Number of deleted rows, by the label of their model.

    Raises:
        NotImplementedError: If a model refuses the deletion or changes rows instead.
    """
    if not keys:
        return Counter()
    counts: Counter[str] = Counter()
    for field in _references(model):
        if any(_references(field.model)):
            found = _keys(field.model, field, keys)
            counts += delete_with_dependents(field.model, found)
        else:
            counts += _delete(field.model, field, keys)
    return counts + _delete(model, model._meta.pk, keys)


def _references(model: type[models.Model]) -> list[Any]:
    """Return the fields of other models by which their rows go with this one's."""
    about: Any = model._meta
    relations = [
        relation
        for relation in about.get_fields(include_hidden=True)
        if relation.auto_created
        and not relation.concrete
        and relation.on_delete is not models.DO_NOTHING
    ]
    for relation in relations:
        if relation.on_delete is not models.CASCADE:
            raise NotImplementedError(relation)
    return [relation.field for relation in relations]


STATEMENTS = {
    "SELECT": "SELECT {key} FROM {table} WHERE {column} = ANY(%s)",
    "DELETE": "DELETE FROM {table} WHERE {column} = ANY(%s)",
}


def _keys(model: type[models.Model], field: Any, keys: Collection[Any]) -> list[Any]:
    with connection.cursor() as cursor:
        cursor.execute(_statement("SELECT", model, field), [list(keys)])
        return [key for (key,) in cursor.fetchall()]


def _delete(
    model: type[models.Model], field: Any, keys: Collection[Any]
) -> Counter[str]:
    with connection.cursor() as cursor:
        cursor.execute(_statement("DELETE", model, field), [list(keys)])
        return +Counter({model._meta.label: cursor.rowcount})


def _statement(verb: str, model: type[models.Model], field: Any) -> sql.Composed:
    about: Any = model._meta
    return sql.SQL(STATEMENTS[verb]).format(
        key=sql.Identifier(about.pk.column or ""),
        table=sql.Identifier(about.db_table),
        column=sql.Identifier(field.column),
    )
