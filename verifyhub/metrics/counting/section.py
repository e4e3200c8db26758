"""A section of the counts: the names of its numbers, and their SQL."""

from collections.abc import Mapping
from dataclasses import dataclass


def where(condition: str) -> str:
    """Return the SQL that counts the rows for which a condition holds."""
    return f"count(*) FILTER (WHERE {condition})"


@dataclass(frozen=True, slots=True)
class CountQuery:
    """A SELECT whose rows can be summed.

    Stored counts name their numbers: a number that was added later is 0 in older counts
    until `manage.py count_days --again`. If there are too many rows, those with the
    smallest first number are summed up.

    Attributes:
        name: The section; sections with the same name have the same numbers.
        numbers: The SQL of each number by its name.
        select: The SELECT with the placeholders `@name` and `@numbers`.
    """

    name: str
    numbers: Mapping[str, str]
    select: str

    @property
    def sql(self) -> str:
        """The SELECT as SQL."""
        counted = ",\n    ".join(self.numbers.values())
        array = f"ARRAY[\n    {counted}\n]::numeric[]"
        return self.select.replace("@name", f"'{self.name}'").replace("@numbers", array)
