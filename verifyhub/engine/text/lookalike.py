"""Replace look-alike characters: Cyrillic а for a, dashes for hyphens.

Names are compared by their own characters. The skeleton below never makes two names
equal; it only explains why a name that looks right was not found.
"""

import unicodedata

# Letters of other scripts, by the ASCII letter they are drawn like (a sample of
# Unicode UTS 39 confusables: Cyrillic, Greek, Armenian, Cherokee, letter-like signs).
_DRAWN_LIKE = {
    "a": "аɑα⍺", "b": "ЬƄ", "c": "сϲⅽ", "d": "ԁⅾ", "e": "еҽ℮", "f": "ẝ",
    "g": "ɡց", "h": "һհ", "i": "іıɩι", "j": "јϳ", "k": "κк", "l": "ӏⅼǀ",
    "m": "ⅿм", "n": "ոռ", "o": "оοօסه", "p": "рρ⍴", "q": "ԛզ", "r": "гꭇ",
    "s": "ѕꜱ", "t": "τт", "u": "υսʋ", "v": "νѵⅴ", "w": "ԝѡա", "x": "хⅹ×",
    "y": "уγү", "z": "ᴢ",
    "A": "АΑᎪ", "B": "ВΒᏴ", "C": "СϹᏟ", "D": "ᎠⅮ", "E": "ЕΕᎬ", "F": "Ϝ",
    "G": "ԌᏀ", "H": "НΗᎻ", "I": "ІΙӀ", "J": "ЈᎫ", "K": "КΚᏦ", "L": "Ꮮ",
    "M": "МΜᎷ", "N": "Ν", "O": "ОΟՕ", "P": "РΡᏢ", "Q": "ԚⵕႭ", "R": "ᎡᏒ",
    "S": "ЅՏᏚ", "T": "ТΤᎢ", "U": "ՍႮ", "V": "ѴᏙ", "W": "ᎳԜ", "X": "ХΧ",
    "Y": "УΥҮ", "Z": "ΖᏃ",
    "-": "‐‑‒–—−﹣－", ".": "․。．", "/": "⁄∕╱", "_": "＿", ":": "：ː",
    "0": "０", "1": "１",
}  # fmt: skip
_TO_ASCII = {
    ord(other): plain
    for plain, lookalikes in _DRAWN_LIKE.items()
    for other in lookalikes
}
_INVISIBLE = {"Cf", "Cc", "Mn", "Me"}


def skeleton(name: str) -> str:
    """Return the ASCII name that this one looks like."""
    if name.isascii():
        return name
    plain = unicodedata.normalize("NFKD", name.translate(_TO_ASCII))
    visible = [char for char in plain if unicodedata.category(char) not in _INVISIBLE]
    return "".join(visible).translate(_TO_ASCII)


def is_disguised(name: str) -> bool:
    """Return whether a name reads as plain ASCII but is spelt with other characters."""
    return not name.isascii() and skeleton(name).isascii()
