"""Reading the members of JSON objects strictly, with the place of what is wrong."""

from collections.abc import Callable
from typing import Any, NoReturn

from verifyhub.common.contract import MAX_ID, FormatError, sorted_keys


class Fields:
    """The members of one JSON object, read by name; null counts as absent."""

    def __init__(self, path: str, data: Any, known: tuple[str, ...]) -> None:
        if not isinstance(data, dict):
            raise FormatError(path, "must be an object.")
        self.path, self.data = path, data
        for key in data:
            if key not in known:
                self.fail(key[:MAX_ID], f"is unknown; known are {', '.join(known)}.")

    def fail(self, name: str, message: str) -> NoReturn:
        raise FormatError(f"{self.path}.{name}" if self.path else name, message)

    def get(self, name: str) -> Any:
        return self.data.get(name)

    def of_type(
        self, name: str, kind: type, words: str, *, sort: bool = True
    ) -> Any | None:
        value = self.get(name)
        if value is not None and not isinstance(value, kind):
            self.fail(name, f"must be {words}.")
        arrange: Callable[[Any], Any] = sorted_keys if sort else lambda same: same
        return arrange(value)

    def text(self, name: str) -> str | None:
        value = self.of_type(name, str, "a string")
        return value if isinstance(value, str) else None

    def required_text(self, name: str) -> str:
        value = self.text(name)
        if value is None:
            self.fail(name, "is required: a string.")
        return value

    def name(self, name: str, limit: int) -> str | None:
        """Read a short text; an empty one counts as absent."""
        value = self.text(name)
        if value and len(value) > limit:
            self.fail(name, f"must have at most {limit} characters.")
        return value or None
