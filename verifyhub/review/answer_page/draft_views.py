"""Views that store a reviewer's drafts and key bindings."""

from typing import Any
from uuid import UUID

from django.http import HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.utils.http import url_has_allowed_host_and_scheme

from verifyhub.accounts.models import KeyMode
from verifyhub.accounts.permissions import ProjectRequest, project_page
from verifyhub.accounts.services import save_settings
from verifyhub.common.strict_json import StrictJSONError, loads
from verifyhub.review import selectors
from verifyhub.review.decide import MAX_CORRECTION_LENGTH, NewerDraftError, save_draft

# A corrected answer of maximum length in bytes of JSON, and the other fields.
MAX_DRAFT_BYTES = 6 * MAX_CORRECTION_LENGTH + 100_000
MAX_FORMS = 100


@project_page("review.decide", "POST")
def save(request: ProjectRequest, uuid: UUID) -> HttpResponse:
    """Save the contents of an answer's forms, unless there is a newer draft."""
    interaction = selectors.interaction_of(request.project.id, uuid)
    try:
        version, content = _draft_in(loads(request.body, max_bytes=MAX_DRAFT_BYTES))
    except (StrictJSONError, TypeError):
        return JsonResponse({"error": "no draft"}, status=400)
    try:
        draft = save_draft(
            interaction=interaction,
            user=request.membership.user,
            content=content,
            version=version,
        )
    except NewerDraftError:
        return JsonResponse({"error": "there is a newer draft"}, status=409)
    return JsonResponse({"version": draft.version})


@project_page("review.decide", "POST")
def key_mode(request: ProjectRequest) -> HttpResponse:
    """Save the reviewer's key bindings."""
    mode = request.POST.get("mode", "")
    if mode in KeyMode.values:
        save_settings(user=request.membership.user, values={"key_mode": mode})
    back = request.POST.get("next", "")
    if not url_has_allowed_host_and_scheme(back, allowed_hosts=None):
        back = "/"
    return redirect(back)


def _draft_in(body: object) -> tuple[int, dict[str, Any]]:
    """Read version and fields by form; raises TypeError for another structure."""
    if not isinstance(body, dict):
        raise TypeError
    version, content = body.get("version"), body.get("content")
    if type(version) is not int or not 0 <= version < 2**31 - 1:
        raise TypeError
    if not isinstance(content, dict) or len(content) > MAX_FORMS:
        raise TypeError
    if not all(isinstance(fields, dict) for fields in content.values()):
        raise TypeError
    return version, content
