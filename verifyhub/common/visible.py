"""Write out invisible characters in texts that models read."""

import re

# Control and format characters, bidi overrides, fillers that look like nothing, tags,
# variation selectors, private use and lone surrogates, as a class that takes linear
# time. Newline and tab stay; what "\r" and U+FE0F are depends on what follows or
# precedes them.
INVISIBLE_CLASS = (
    "\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5"
    "\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u2800\u3164\ufe00-\ufe0e"
    "\ufeff\uffa0\ufff9-\ufffb\ue000-\uf8ff\ud800-\udfff"
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
    "\U000f0000-\U0010ffff"
)
_FOR_MODELS = re.compile(f"[\r\ufe0f{INVISIBLE_CLASS}]")


def visible(text: str) -> str:
    """Return a text in which each invisible character is named: `[U+202E]`."""
    return _FOR_MODELS.sub(lambda mark: f"[U+{ord(mark.group()):04X}]", text)


def middle_cut(text: str, limit: int) -> str:
    """Return at most `limit` characters: beginning and end, and how many went between.

    What is claimed stands at the beginning of a text, how it went at its end.
    """
    if len(text) <= limit:
        return text
    head = limit * 2 // 3
    tail = limit - head
    left_out = len(text) - limit
    return f"{text[:head]}[… {left_out} characters left out …]{text[-tail:]}"
