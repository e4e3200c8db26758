"""Quote hostile names as data: one line, visible, unable to end their string."""

import json
import unicodedata

from verifyhub.engine.text.lookalike import is_disguised

MAX_QUOTED_LENGTH = 200

# Anything invisible, reordering, line-breaking, unassigned or private; and the two
# characters of which tags and chat-template markers are made.
HIDDEN_CATEGORIES = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
MARKUP = frozenset("<>")


def quoted(text: str) -> str:
    """Return text as a JSON string whose every character can be seen.

    Decoding the result as JSON gives the text back. A name spelt with look-alikes of
    ASCII letters shows them by number: beside the name it imitates, it would read the
    same. Longer texts are cut at 200
    characters and end in an ellipsis; a name that long should be left out instead
    (`is_name`), since a cut name is another name.
    """
    if len(text) > MAX_QUOTED_LENGTH:
        text = text[: MAX_QUOTED_LENGTH - 1] + "…"
    plain = json.dumps(text, ensure_ascii=is_disguised(text))
    return "".join(map(_visible, plain))


def plain(text: str) -> str:
    """Return a trusted person's own sentence on one line, every character visible.

    It stays prose, so it is for the words of people who may give orders, never for
    anything that an agent wrote. It can neither end its line nor make a tag.
    """
    return "".join(map(_visible, text))


def is_name(text: str) -> bool:
    """Whether a text may be used as a name: not empty, and not truncated."""
    return 0 < len(text) <= MAX_QUOTED_LENGTH


def _visible(character: str) -> str:
    hidden = unicodedata.category(character) in HIDDEN_CATEGORIES or (
        character.isspace() and character != " "
    )
    if not hidden and character not in MARKUP:
        return character
    units = character.encode("utf-16-be", "surrogatepass")
    pairs = (units[start : start + 2] for start in range(0, len(units), 2))
    return "".join(f"\\u{pair.hex()}" for pair in pairs)
