"""A section of the counts: the names of its numbers, and their SQL."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class CountQuery:
    """A SELECT whose rows add up.

    Stored counts name their numbers: in those made before a number was added it is 0
    until `manage.py count_days --again`. Of too many rows those with the least of the
    first number are summed up.

    Attributes:
        name: Several sections of one name have the same numbers, and are one.
        numbers: The name of each number to the SQL that counts it.
        select: The SELECT, with `@name` and `@numbers` in their places.
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
