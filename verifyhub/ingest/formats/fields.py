"""Reading the members of JSON objects strictly, with the place of what is wrong."""

import re
from collections.abc import Callable, Mapping
from typing import Any, NoReturn

MAX_ID = 200
# What no address carries whole: control characters and separators of lines. As a
# regular expression of JSON Schema too.
CONTROLS = r"\u0000-\u001f\u007f-\u009f\u2028\u2029"
NO_ADDRESS = "must not hold control characters, such as the end of a line."
_CONTROL = re.compile(f"[{CONTROLS}]")
REPLACEMENT = "\ufffd"


class FormatError(ValueError):
    """A field of the input cannot be used.

    Attributes:
        field: The JSON path of the field, as `tool_calls[3].input`; empty for the
            document itself.
        message: What is wrong with it, without its content.
    """

    def __init__(self, field: str, message: str) -> None:
        self.field, self.message = field, message
        super().__init__(f"{field}: {message}" if field else message)


def sorted_keys(value: Any) -> Any:
    """Copy a JSON value with the keys of every object in code point order."""
    if isinstance(value, Mapping):
        return {key: sorted_keys(value[key]) for key in sorted(value)}
    if isinstance(value, list):
        return [sorted_keys(item) for item in value]
    return value


def is_addressable(name: str) -> bool:
    """Whether things can be asked for by this name, as a part of an address."""
    return not _CONTROL.search(name)


def addressable(name: str) -> str:
    """Return a name from a trace or transcript, each bad character replaced by one."""
    return _CONTROL.sub(REPLACEMENT, name)


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

    def reference(self, name: str) -> str | None:
        """Read a name that things are asked for by; an empty one counts as absent."""
        value = self.name(name, MAX_ID)
        if value and not is_addressable(value):
            self.fail(name, NO_ADDRESS)
        return value
