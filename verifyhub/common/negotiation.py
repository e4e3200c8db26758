"""Content negotiation for API views that have a `format` parameter of their own."""

from typing import Any

from rest_framework.negotiation import BaseContentNegotiation
from rest_framework.request import Request


class ErrorsAsJSON(BaseContentNegotiation):
    """`?format=` is the view's own parameter, not the renderer's; errors are JSON."""

    def select_parser(self, _request: Request, parsers: Any) -> Any:
        return parsers[0]

    def select_renderer(
        self, _request: Request, renderers: Any, _format_suffix: str | None = None
    ) -> Any:
        return renderers[0], renderers[0].media_type
