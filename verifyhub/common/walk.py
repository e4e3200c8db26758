"""Walk a large table in order, in batches."""

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, TypeVar

from django.core.exceptions import FieldDoesNotExist
from django.db.models import (
    F,
    Func,
    IntegerField,
    JSONField,
    Model,
    Q,
    QuerySet,
    TextField,
    Value,
)
from django.db.models.expressions import Combinable
from django.db.models.functions import Coalesce

M = TypeVar("M", bound=Model)
# The key of a row, its bytes of text, and the values of its order.
Found = tuple[Any, ...]
# Keys of one query: many, since a filter may cost the same for a few.
BATCH_SIZE = 10_000
# Rows and bytes that are read at once, but at least one row.
BATCH_ROWS = 1_000
BATCH_BYTES = 4 * 1024 * 1024
# A stored JSON document may be compressed, and its text is longer.
JSON_GROWS = 8


def walk(
    rows: QuerySet[M, M],
    *,
    order: Sequence[str],
    columns: Sequence[str],
    extra: Mapping[str, Any] = MappingProxyType({}),
    size: int = BATCH_SIZE,
) -> Iterator[tuple[Any, ...]]:
    """Yield the values of `columns` of every row, ordered by `order`.

    One query selects the keys of the next `size` rows with the sizes of their texts;
    others read those rows by key, some megabytes at a time. Each begins where the last
    one ended: memory stays constant whatever the number and size of rows, and no cursor
    or transaction stays open while a slow client reads. Joined columns are looked up
    for those keys alone, so that no plan scans a second table for every batch.

    Args:
        rows: The rows.
        order: Field paths that together are unique and never null.
        columns: Field paths, or names of `extra`, to yield.
        extra: Expressions that `rows` was annotated with, by name.
        size: Keys per query.
    """
    weight = _weight(rows, columns)
    # Without the conditions, since the keys are known.
    read = rows.model._base_manager.annotate(**extra)
    values = read.order_by(*order).values_list(*columns)
    ordered = rows.order_by(*order).values_list("pk", weight, *order)
    batch = list(ordered[:size])
    while batch:
        for keys in _light(batch):
            yield from values.filter(_these(order, keys))
        ordered = rows.filter(after(order, batch[-1][2:])).order_by(*order)
        batch = list(ordered.values_list("pk", weight, *order)[:size])


def after(order: Sequence[str], last: Sequence[Any]) -> Q:
    """Select the rows after `last`, compared field by field in `order`."""
    # Redundant, but lets the database begin inside its index.
    start = Q(**{f"{order[0]}__gte": last[0]})
    behind = Q()
    for place, field in enumerate(order):
        equal = dict(zip(order[:place], last[:place], strict=True))
        behind |= Q(**equal, **{f"{field}__gt": last[place]})
    return start & behind


def _light(batch: Sequence[Found]) -> Iterator[Sequence[Found]]:
    """Split a batch where its rows become too many or too large together."""
    begin = weight = 0
    for at, (_, own, *_rest) in enumerate(batch):
        is_full = weight + own > BATCH_BYTES or at - begin >= BATCH_ROWS
        if at > begin and is_full:
            yield batch[begin:at]
            begin, weight = at, 0
        weight += own
    yield batch[begin:]


def _these(order: Sequence[str], keys: Sequence[Found]) -> Q:
    """Select rows by their keys, and by their range of the order."""
    first, last = keys[0][2], keys[-1][2]
    near = Q(**{f"{order[0]}__gte": first, f"{order[0]}__lte": last})
    return near & Q(pk__in=[key for key, *_ in keys])


def _weight(rows: QuerySet[M, M], columns: Sequence[str]) -> Combinable:
    """Return an estimate of a row's bytes of text.

    PostgreSQL knows the length of a text without reading it; for JSON, the stored size.
    """
    total: Combinable = Value(0)
    for path in dict.fromkeys(columns):
        field = _field(rows, path)
        if isinstance(field, TextField):
            total += _bytes(path, "octet_length")
        elif isinstance(field, JSONField):
            total += _bytes(path, "pg_column_size") * JSON_GROWS
    return total


def _bytes(path: str, function: str) -> Coalesce:
    size = Func(F(path), function=function, output_field=IntegerField())
    return Coalesce(size, 0)


def _field(rows: QuerySet[M, M], path: str) -> Any:
    """Return the field at the end of a path or an annotation; None for a key."""
    if path in rows.query.annotations:
        return rows.query.annotations[path].output_field
    model: Any = rows.model
    field: Any = None
    for part in path.split("__"):
        try:
            field = model._meta.get_field(part)
        except FieldDoesNotExist:
            # `pk`, `other_id`, or a key within JSON.
            return field if isinstance(field, JSONField) else None
        model = field.related_model
        if model is None:
            return field
    return None
