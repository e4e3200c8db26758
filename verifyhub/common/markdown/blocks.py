"""Convert parsed Markdown to pieces: markup, and texts with their positions.

The result has no links and loads nothing: a link is shown as its text with the target
beside it, an image as its description.
"""

from collections.abc import Iterator, Sequence

from django.utils.html import escape
from django.utils.translation import gettext as _
from markdown_it.token import Token

from verifyhub.common.markdown.code import Colours
from verifyhub.common.markdown.parser import Span, parse
from verifyhub.common.markdown.pieces import Piece, SourceMap, Tag, Text, moved

# The page and the card have headings of their own; those of an answer start below.
ABOVE, LOWEST = 2, 6
PLAIN = frozenset(
    [
        "p",
        "ul",
        "li",
        "blockquote",
        "thead",
        "tbody",
        "tr",
        "th",
        "td",
        "em",
        "strong",
        "s",
        "h3",
        "h4",
        "h5",
        "h6",
    ]
)
ALIGNED = {"text-align:right": "end", "text-align:center": "center"}
BOXES = {" ": "open", "x": "done", "X": "done"}


def pieces_of(text: str, names: Sequence[Span]) -> list[Piece]:
    """Render Markdown.

    Args:
        text: The source, hostile.
        names: Ranges of names, in code points, in which nothing is emphasis.

    Returns:
        Pieces in reading order. They contain every character of the text except pure
        markup (`**`, a table's bars, a heading's `#`, a fence).
    """
    source = text.replace("\r\n", "\n")
    ends = _carriage_returns(text) if len(source) < len(text) else []
    if ends:
        names = [(_back(start, text), _back(end, text)) for start, end in names]
    pieces: Iterator[Piece] = _blocks(parse(source, names), source)
    if not ends:
        return list(pieces)
    return [
        part
        for piece in pieces
        for part in (moved(piece, ends) if isinstance(piece, Text) else (piece,))
    ]


def _carriage_returns(text: str) -> list[int]:
    places: list[int] = []
    at = text.find("\r\n")
    while at >= 0:
        places.append(at - len(places))
        at = text.find("\r\n", at + 2)
    return places


def _back(place: int, text: str) -> int:
    return place - text.count("\r\n", 0, place)


def _blocks(tokens: Sequence[Token], source: str) -> Iterator[Piece]:
    colours = Colours()
    levels = _heading_levels(tokens)
    for index, token in enumerate(tokens):
        if token.type == "inline":
            box = index > 1 and tokens[index - 2].type == "list_item_open"
            yield from _inline_block(token, is_item=box)
        elif token.type == "fence":
            yield from _fence(token, source, colours)
        elif token.type == "code_block":
            yield from _code(token, "", colours)
        elif token.type in {"heading_open", "heading_close"}:
            slash = "/" if token.nesting < 0 else ""
            yield Tag(f"<{slash}h{levels[index]}>")
        elif not token.hidden:
            yield from _markup(token)


def _heading_levels(tokens: Sequence[Token]) -> dict[int, int]:
    """Return a level for each heading, without gaps in the hierarchy."""
    above: list[str] = []
    levels: dict[int, int] = {}
    for index, token in enumerate(tokens):
        if token.type == "heading_open":
            above = [tag for tag in above if tag < token.tag] + [token.tag]
        if token.type in {"heading_open", "heading_close"}:
            levels[index] = min(ABOVE + len(above), LOWEST)
    return levels


def _markup(token: Token) -> Iterator[Tag]:
    tag = token.tag
    if token.type == "table_open":
        yield Tag('<div class="table-wrap md-table"><table class="table">')
    elif token.type == "table_close":
        yield Tag("</table></div>")
    elif token.type == "hr":
        yield Tag("<hr>")
    elif tag == "ol" and token.nesting > 0:
        first = int(token.attrs.get("start", 1))
        yield Tag(f'<ol start="{first}">')
    elif tag == "ol":
        yield Tag("</ol>")
    elif tag in PLAIN and token.nesting > 0:
        aligned = ALIGNED.get(str(token.attrs.get("style", "")), "")
        yield Tag(f'<{tag} class="md-{aligned}">' if aligned else f"<{tag}>")
    elif tag in PLAIN:
        yield Tag(f"</{tag}>")


def _fence(token: Token, source: str, colours: Colours) -> Iterator[Piece]:
    start, end = token.meta["info"]
    language = source[start:end].partition(" ")[0]
    if end > start:
        yield Tag('<div class="md-code"><p class="md-info">')
        yield Text(source[start:end], start, end)
        yield Tag("</p>")
    else:
        yield Tag('<div class="md-code">')
    yield from _code(token, language, colours)
    yield Tag("</div>")


def _code(token: Token, language: str, colours: Colours) -> Iterator[Piece]:
    origin: SourceMap = token.meta["origin"]
    content = token.content.removesuffix("\n")
    yield Tag('<pre class="code"><code>')
    for start, end, css in colours.parts(content, language):
        yield from origin.texts(content, start, end, css)
    yield Tag("</code></pre>")


def _inline_block(token: Token, *, is_item: bool) -> Iterator[Piece]:
    content = token.content
    box = BOXES.get(content[1:2]) if is_item and len(content) > 3 else None
    pieces = _inlines(token.children or [], token)
    if not box or content[0] != "[" or content[2:4] != "] ":
        yield from pieces
        return
    word = escape(_("done") if box == "done" else _("not done"))
    yield Tag(f'<span class="md-box md-box--{box}"><span class="sr">{word}:</span>')
    yield Tag("</span>")
    left = 3
    for piece in pieces:
        if isinstance(piece, Tag) or not left:
            yield piece
            continue
        length = min(left, len(piece.text))
        left -= length
        if length < len(piece.text):
            yield Text(piece.text[length:], piece.start + length, piece.end, piece.css)


def _inlines(tokens: Sequence[Token], block: Token) -> Iterator[Piece]:
    origin: SourceMap = block.meta["origin"]
    for token in tokens:
        if token.type in {"text", "text_special"}:
            yield from _text(token, origin, block.content)
        elif token.type in {"code_inline", "image"}:
            yield from _verbatim(token, origin, block.content)
        elif token.type == "softbreak":
            place = origin.position(token.meta["at"])
            yield Text("\n", place, place + 1)
        elif token.type == "hardbreak":
            yield Tag("<br>")
        elif token.type == "link_open":
            yield Tag('<span class="md-link">')
        elif token.type == "link_close":
            yield Tag("</span>")
            if token.info != "auto":
                yield Tag('<span class="md-target">')
                yield from origin.texts(
                    block.content, token.meta["label_end"] + 1, token.meta["end"]
                )
                yield Tag("</span>")
        else:
            yield from _markup(token)


def _text(token: Token, origin: SourceMap, content: str) -> Iterator[Piece]:
    if "read" in token.meta:
        read: SourceMap = token.meta["read"]
        for part in read.texts(token.content, 0, len(token.content)):
            yield from origin.texts(content, part.start, part.end)
        return
    at, end = token.meta["at"], token.meta["end"]
    if token.info == "escape":
        yield from origin.texts(content, end - len(token.content), end)
    elif token.info == "entity":
        start = origin.position(at)
        yield Text(token.content, start, start + end - at)
    elif content.startswith(token.content, at):
        yield from origin.texts(content, at, at + len(token.content))
    elif token.content:
        # The parser decodes an address in `<…>`; it is shown as typed.
        yield from origin.texts(content, at, end - 1)


def _verbatim(token: Token, origin: SourceMap, content: str) -> Iterator[Piece]:
    at, end = token.meta["at"], token.meta["end"]
    if token.type == "image":
        yield Tag('<span class="md-image">')
        yield from origin.texts(content, at, end)
        yield Tag("</span>")
        return
    fence = len(token.markup)
    blank = int(len(token.content) < end - at - 2 * fence)
    start = at + fence + blank
    yield Tag("<code>")
    yield from origin.texts(content, start, start + len(token.content))
    yield Tag("</code>")
