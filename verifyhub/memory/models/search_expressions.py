"""Search expressions that indexes and queries share."""

from typing import Any

from django.contrib.postgres.indexes import GinIndex, OpClass
from django.contrib.postgres.search import SearchVectorField
from django.db import models

# Only the beginning of longer texts is searched, since queries recompute it by row.
MAX_SEARCHED = 2000
# The size of an index's pending list, the least that PostgreSQL takes. The default of
# 4 MB is more than the tree of a thousand runs, and its pages stay.
PENDING_KB = 64


def searched_text() -> models.Func:
    """Return a row's text and suggestion in upper case, to ignore case."""
    return _of_both(f"upper(left(%(expressions)s, {MAX_SEARCHED}))", models.TextField())


def words() -> models.Func:
    """Return the words of a row's text and suggestion; names are split into words.

    With the `simple` configuration: names have no language, and agents write in many.
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
        # The order matters: an index serves only an identical expression.
        arg_joiner=" || ' ' || ",
        output_field=output,
        template=template,
    )


def search_indexes(table: str) -> list[models.Index]:
    """Return the indexes on a project's rows by words and by similar names."""
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
