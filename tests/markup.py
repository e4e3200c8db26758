"""Pages as tests compare them: how templates break their lines means nothing."""

from django.http import HttpResponse


def markup(reply: HttpResponse) -> str:
    """Return a page with one space for each run of white space."""
    return " ".join(reply.content.decode().split())
