"""Untrusted Markdown as pieces of text with their positions in the source."""

from verifyhub.common.markdown.blocks import pieces_of
from verifyhub.common.markdown.pieces import Piece, Tag, Text
