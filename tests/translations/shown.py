"""What a page says and which figures it holds, so that two languages compare."""

import re
from html.parser import HTMLParser

VOID = frozenset(
    "area base br col embed hr img input link meta source track wbr".split()  # noqa: SIM905
)
# Code, data in boxes of its own, and what is no text: the same in every language.
RAW_TAGS = frozenset({"code", "pre", "kbd", "bdi", "script", "style", "textarea"})
RAW_CLASSES = frozenset({"mono", "answer", "brand"})
READ = ("aria-label", "title", "placeholder", "alt", "data-label")
FIGURE = re.compile(r"-?\d+(?:\.\d+)?")
# Of a drawing every attribute with a digit is for the program that draws.
DRAWN = frozenset({"svg", "g", "path", "line", "rect", "circle", "polyline", "text"})


class Shown(HTMLParser):
    """Collect a page's words and the figures in its attributes.

    Attributes:
        words: Texts and attributes that people read, outside code and data.
        figures: Attributes that hold a number, and those of drawings with a digit.
    """

    def __init__(self, page: str) -> None:
        super().__init__()
        self.words: set[str] = set()
        self.figures: list[tuple[str, str, str]] = []
        self._open: list[tuple[str, bool]] = []
        # In a plot whose labels, as long as their words, move everything beside them.
        self._plot_within: int | None = None
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        held = {name: value or "" for name, value in attrs}
        if not self._is_raw:
            self._say(*(held[name] for name in READ if name in held))
        if "plot-svg" in held.get("class", "").split():
            self._plot_within = len(self._open)
        if self._plot_within is None:
            self.figures += [
                (tag, name, value)
                for name, value in held.items()
                if name not in READ and _is_figure(tag, value)
            ]
        if tag not in VOID:
            is_raw = (
                tag in RAW_TAGS
                # What agents are told, and models asked, is English and says so.
                or (tag != "html" and held.get("lang") == "en")
                or RAW_CLASSES & set(held.get("class", "").split())
            )
            self._open.append((tag, self._is_raw or bool(is_raw)))

    def handle_endtag(self, tag: str) -> None:
        while self._open:
            name, _ = self._open.pop()
            if name == tag:
                break
        if self._plot_within is not None and len(self._open) <= self._plot_within:
            self._plot_within = None

    def handle_data(self, data: str) -> None:
        if not self._is_raw:
            self._say(data)

    @property
    def _is_raw(self) -> bool:
        return bool(self._open) and self._open[-1][1]

    def _say(self, *texts: str) -> None:
        self.words |= {" ".join(text.split()) for text in texts if text.strip()}


def _is_figure(tag: str, value: str) -> bool:
    if tag in DRAWN:
        return any(map(str.isdigit, value))
    return FIGURE.fullmatch(value) is not None
