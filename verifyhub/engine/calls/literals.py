"""What Python prints of dictionaries and lists, as JSON.

Many tools return `str(result)`: `{'paid': True, 'note': None}`.
"""

import re

_BEGINS = re.compile(r"\s*[{\[][\s{\[]*'")
_TOKEN = re.compile(
    r"'(?:[^'\\]++|\\.)*+'|\"(?:[^\"\\]++|\\.)*+\"|True|False|None"
    r"|[-+]?\d[\d.eE+-]*+|[{}\[\](),:]|\s++",
    re.DOTALL,
)
_AS_JSON = {"True": "true", "False": "false", "None": "null", "(": "[", ")": "]"}
_BARE_QUOTE = re.compile(r'(?<!\\)((?:\\\\)*+)"')
_BYTE = re.compile(r"(?<!\\)((?:\\\\)*+)\\x([\da-fA-F]{2})")
_LONGEST = 1_000_000


def literal_as_json(text: str) -> str | None:
    """Return a printed dictionary or list as JSON; None if it is nothing of the kind.

    As a rule each value keeps its place in the text.
    """
    if len(text) > _LONGEST or not _BEGINS.match(text):
        return None
    pieces: list[str] = []
    end = 0
    while end < len(text):
        match = _TOKEN.match(text, end)
        if match is None:
            return None
        token, end = match.group(), match.end()
        pieces.append(_string(token) if token[0] == "'" else _AS_JSON.get(token, token))
    return "".join(pieces)


def _string(token: str) -> str:
    body = token[1:-1]
    if '"' in body:
        body = _BARE_QUOTE.sub(r"\1\\" + '"', body)
    if "\\" in body:
        body = _BYTE.sub(r"\1\\u00\2", body.replace("\\'", "'"))
    return f'"{body}"'
