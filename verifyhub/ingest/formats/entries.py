"""Typed access to the members of a transcript's entries."""

from collections.abc import Iterator, Mapping
from typing import Any

from verifyhub.common.contract import FormatError
from verifyhub.common.strict_json import loads


def word_of(item: Mapping[str, Any], name: str) -> str:
    """Return a string member; anything else counts as absent."""
    value = item.get(name)
    return value if isinstance(value, str) else ""


def first_of(item: Mapping[str, Any], *names: str) -> Any:
    """Return the first member that is present and not null."""
    return next((item[name] for name in names if item.get(name) is not None), None)


def json_in(text: str) -> Any:
    """Parse JSON that a string of a parsed document contains.

    Raises:
        StrictJSONError: If the string is not valid JSON, or is refused.
    """
    data = text.encode()
    return loads(data, max_bytes=len(data), mends_texts=True)


class TranscriptEntry:
    """One JSON object of a transcript, with its place.

    Members that are not read may have any type. A member of a wrong type is a
    `FormatError` with its place.
    """

    __slots__ = ("data", "place")

    def __init__(self, data: Any, place: str) -> None:
        if not isinstance(data, dict):
            raise FormatError(place, "must be an object.")
        self.data: dict[str, Any] = data
        self.place = place

    def at(self, name: str) -> str:
        """Return the place of a member."""
        return f"{self.place}.{name}" if self.place else name

    def get(self, name: str) -> Any:
        return self.data.get(name)

    def text(self, name: str) -> str:
        """Return a string member; empty if it is absent."""
        value = self.data.get(name)
        if value is None:
            return ""
        if not isinstance(value, str):
            raise FormatError(self.at(name), "must be a string.")
        return value

    def word(self, name: str) -> str:
        """Return a string member; anything else counts as absent."""
        return word_of(self.data, name)

    def number(self, name: str) -> float | None:
        """Return a number member; anything else counts as absent."""
        value = self.data.get(name)
        if isinstance(value, bool) or not isinstance(value, int | float):
            return None
        return value

    def entry(self, name: str) -> "TranscriptEntry":
        """Return an object member; an empty one if it is absent."""
        value = self.data.get(name)
        return TranscriptEntry({} if value is None else value, self.at(name))

    def array(self, name: str) -> list[Any]:
        """Return an array member; an empty one if it is absent."""
        value = self.data.get(name)
        if value is None:
            return []
        if not isinstance(value, list):
            raise FormatError(self.at(name), "must be an array.")
        return value

    def entries(self, name: str) -> Iterator[tuple[str, Any]]:
        """Yield the items of an array with their places."""
        place = self.at(name)
        for index, item in enumerate(self.array(name)):
            yield f"{place}[{index}]", item
