"""Strict reading of a judge's structured reply.

Source: A2. Numbers beyond 0..1 are clamped with a warning; anything else that
does not fit (missing keys, NaN, text for numbers, text for lists) is no reply.
"""

import math
from collections.abc import Mapping, Sequence
from typing import Any

from verifyhub.common import strict_json
from verifyhub.engine.errors import EngineError
from verifyhub.engine.reports import ReportWarning
from verifyhub.engine.warning_codes import WarningCode

MAX_BYTES = 1024 * 1024
MAX_ENTRIES = 500
MAX_CHARACTERS = 2000


# Fields of a reply, as JSON Schema.
STRINGS: Mapping[str, Any] = {"type": "array", "items": {"type": "string"}}
SHARE: Mapping[str, Any] = {"type": "number", "minimum": 0, "maximum": 1}


def reply_tool(
    name: str, description: str, properties: Mapping[str, Mapping[str, Any]]
) -> dict[str, Any]:
    """Return the call by which a model replies: an object of exactly these fields."""
    return {
        "name": name,
        "description": description,
        "parameters": {
            "type": "object",
            "additionalProperties": False,
            "required": list(properties),
            "properties": properties,
        },
    }


class SubmissionError(EngineError):
    """A reply is not of the asked shape; the message names the fields.

    Attributes:
        warnings: Each thing that was wrong, under its own code.
    """

    def __init__(
        self,
        message: str,
        *,
        code: WarningCode = WarningCode.REPLY_WRONG_TYPE,
        warnings: Sequence[ReportWarning] = (),
    ) -> None:
        super().__init__(message)
        self.warnings = tuple(warnings) or (
            ReportWarning(code=code, message=f"The model's reply: {message}."),
        )

    @classmethod
    def of(cls, errors: Sequence["SubmissionError"]) -> "SubmissionError":
        """Join all errors of a reply into one."""
        return cls(
            "; ".join(str(error) for error in errors),
            warnings=[warning for error in errors for warning in error.warnings],
        )


def read_object(arguments: str, fields: Sequence[str]) -> dict[str, Any]:
    """Read the arguments of a call as one JSON object of known fields.

    Raises:
        SubmissionError: If they are no JSON object, or hold another field.
    """
    try:
        data = strict_json.loads(
            arguments.encode("utf-8", "surrogatepass"), max_bytes=MAX_BYTES
        )
    except strict_json.StrictJSONError as error:
        # Without the path, which is made of the judge's own words.
        raise SubmissionError(
            f"no usable JSON: {error.message}", code=_code_of(error)
        ) from error
    if not isinstance(data, dict):
        raise SubmissionError(
            "the arguments are no JSON object", code=WarningCode.REPLY_NOT_AN_OBJECT
        )
    # Its name is the judge's own text, and this message goes into an instruction.
    if set(data) - set(fields):
        raise SubmissionError(
            "a field stands there that was not asked for",
            code=WarningCode.REPLY_FIELD_UNKNOWN,
        )
    return data


def read_strings(data: Mapping[str, Any], name: str) -> tuple[str, ...]:
    """Read a list of at most 500 strings, each cut at 2000 characters."""
    value = _given(data, name)
    if not isinstance(value, list) or not all(
        isinstance(entry, str) for entry in value
    ):
        raise SubmissionError(f"{name}: a list of strings is required")
    if len(value) > MAX_ENTRIES:
        raise SubmissionError(
            f"{name}: more than {MAX_ENTRIES} entries", code=WarningCode.REPLY_TOO_LONG
        )
    return tuple(entry[:MAX_CHARACTERS] for entry in value)


def read_share(
    data: Mapping[str, Any], name: str
) -> tuple[float, tuple[ReportWarning, ...]]:
    """Read a number, clamped to 0..1, and the warning if it lay outside."""
    number = _number(data, name)
    share = min(1.0, max(0.0, number))
    if share == number:
        return share, ()
    warning = ReportWarning(
        code=WarningCode(f"{name.upper()}_CLAMPED"),
        message=f"The verifier's {name} lay outside 0..1.",
        details={"given": number},
    )
    return share, (warning,)


def read_text(data: Mapping[str, Any], name: str) -> str:
    """Read a string, cut at 2000 characters."""
    value = _given(data, name)
    if not isinstance(value, str):
        raise SubmissionError(f"{name}: a string is required")
    return value[:MAX_CHARACTERS]


def read_truth(data: Mapping[str, Any], name: str) -> bool:
    """Read true or false; 1 and "true" are neither."""
    value = _given(data, name)
    if not isinstance(value, bool):
        raise SubmissionError(f"{name}: true or false is required")
    return value


def _given(data: Mapping[str, Any], name: str) -> Any:
    if name not in data:
        raise SubmissionError(
            f"{name}: it is missing", code=WarningCode.REPLY_FIELD_MISSING
        )
    return data[name]


def _code_of(error: strict_json.StrictJSONError) -> WarningCode:
    """Name what the parser refused."""
    if error.too_large:
        return WarningCode.REPLY_TOO_LONG
    if error.message == strict_json.KEY_TWICE:
        return WarningCode.REPLY_FIELD_TWICE
    endless = error.message == strict_json.OUT_OF_RANGE
    if endless or error.message.endswith(strict_json.NO_NUMBER):
        return WarningCode.REPLY_NOT_FINITE
    return WarningCode.REPLY_NOT_JSON


def _number(data: Mapping[str, Any], name: str) -> float:
    value = _given(data, name)
    if isinstance(value, str):
        raise SubmissionError(
            f"{name}: a number is required, not a text",
            code=WarningCode.REPLY_TEXT_FOR_NUMBER,
        )
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise SubmissionError(f"{name}: a number is required")
    # An integer may be too large for a float, and 1e999 arrives as infinity.
    if not -1e300 < value < 1e300 or not math.isfinite(value):
        raise SubmissionError(
            f"{name}: a finite number is required", code=WarningCode.REPLY_NOT_FINITE
        )
    return float(value)
