"""Search expressions that indexes and queries share."""

from typing import Any

from django.contrib.postgres.indexes import GinIndex, OpClass
from django.contrib.postgres.search import SearchVectorField
from django.db import models

# Of longer texts the rest is not searched: every query computes what its rows say.
MAX_SEARCHED = 2000
# What new rows add waits in a list, of 4 MB by default: with a few names for each run,
# that is more than the tree of a thousand runs.
PENDING_KB = 256


def searched_text() -> models.Func:
    """Return a row's text and suggestion in capitals: case keeps no names apart."""
    return _of_both(f"upper(left(%(expressions)s, {MAX_SEARCHED}))", models.TextField())


def words() -> models.Func:
    """Return the words of a row's text and suggestion, names taken apart.

    In no language: names have none, and agents write in many.
    """
    return _of_both(
        "to_tsvector('simple'::regconfig, translate("
        f"left(%(expressions)s, {MAX_SEARCHED}), '/._:@-', '      '))",
        SearchVectorField(),
    )


def _of_both(template: str, output: "models.Field[Any, Any]") -> models.Func:
    return models.Func(
        models.F("text"),
        models.F("suggestion"),
        # In this order: expressions with the same words in another one are not equal.
        arg_joiner=" || ' ' || ",
        output_field=output,
        template=template,
    )


def search_indexes(table: str) -> list[models.Index]:
    """Return the indexes that find rows of a project by words and by near names."""
    near = OpClass(searched_text(), name="gin_trgm_ops")
    return [
        GinIndex(
            models.F("project"),
            words(),
            name=f"{table}_words",
            gin_pending_list_limit=PENDING_KB,
        ),
        GinIndex(
            models.F("project"),
            near,
            name=f"{table}_near",
            gin_pending_list_limit=PENDING_KB,
        ),
    ]
