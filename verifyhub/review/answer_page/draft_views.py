"""Views that store a reviewer's drafts and key bindings."""

from dataclasses import dataclass
from typing import Annotated, Any
from uuid import UUID

from django.http import HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.utils.http import url_has_allowed_host_and_scheme
from pydantic import Field

from verifyhub.accounts.models import KeyMode
from verifyhub.accounts.permissions import ProjectRequest, project_page
from verifyhub.accounts.services import save_settings
from verifyhub.common.contract import ContractModel, FormatError, reader_of
from verifyhub.common.strict_json import StrictJSONError, loads
from verifyhub.review import selectors
from verifyhub.review.decide import MAX_CORRECTION_LENGTH, NewerDraftError, save_draft

# A corrected answer of maximum length in bytes of JSON, and the other fields.
MAX_DRAFT_BYTES = 6 * MAX_CORRECTION_LENGTH + 100_000
MAX_FORMS = 100
MAX_VERSION = 2**31 - 2


@dataclass(frozen=True, slots=True)
class SentDraft(ContractModel):
    """The fields of an answer's forms, and the version that the page has."""

    version: Annotated[int, Field(strict=True, ge=0, le=MAX_VERSION)]
    content: Annotated[dict[str, dict[str, Any]], Field(max_length=MAX_FORMS)]


@project_page("review.decide", "POST")
def save(request: ProjectRequest, uuid: UUID) -> HttpResponse:
    """Save the contents of an answer's forms, unless there is a newer draft."""
    interaction = selectors.interaction_of(request.project.id, uuid)
    try:
        sent = reader_of(SentDraft).read(loads(request.body, max_bytes=MAX_DRAFT_BYTES))
    except (StrictJSONError, FormatError):
        return JsonResponse({"error": "no draft"}, status=400)
    try:
        draft = save_draft(
            interaction=interaction,
            user=request.membership.user,
            content=sent.content,
            version=sent.version,
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
