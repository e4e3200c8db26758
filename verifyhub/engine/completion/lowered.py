"""Lower case that keeps every offset."""


def lowered(text: str) -> str:
    """Return `text` in lower case at its own length, so that offsets keep."""
    plain = text.lower()
    if len(plain) == len(text):
        return plain
    return "".join(char.lower() if len(char.lower()) == 1 else char for char in text)
