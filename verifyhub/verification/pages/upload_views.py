"""Views that upload a transcript, preview it, and verify its answers."""

from uuid import UUID

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from verifyhub.accounts.permissions import ProjectRequest, project_page
from verifyhub.common.contract import FormatError
from verifyhub.verification import services
from verifyhub.verification.models import TranscriptUpload
from verifyhub.verification.pages.upload_forms import UploadForm
from verifyhub.verification.pages.upload_page import raw_page, shown_notes, shown_turns
from verifyhub.verification.services.transcripts import CONFLICT, CREATED, SAME

TURNS = 25
# Reading costs time and verifying may cost calls of models, and what comes in fills the
# queue of people: so who judges may upload, and who looks on may not.
MAY = "review.decide"


@project_page(MAY, "GET", "POST")
def upload(request: ProjectRequest) -> HttpResponse:
    """Upload a transcript for its preview; no answer is stored yet."""
    if request.method != "POST":
        return _page(request, UploadForm(label_suffix=""))
    form = UploadForm(request.POST, request.FILES, label_suffix="")
    if not form.is_valid():
        return _page(request, form, status=422)
    name, data = form.sent()
    try:
        row = services.keep_upload(
            project=request.project,
            user=request.membership.user,
            name=name,
            data=data,
            format_name=form.cleaned_data["format"],
        )
    except FormatError as error:
        form.show(error)
        return _page(request, form, status=422)
    return redirect("verification:upload-preview", request.project.slug, row.pk)


@project_page(MAY, "GET", "POST")
def preview(request: ProjectRequest, upload_id: UUID) -> HttpResponse:
    """Show a transcript beside the turns read from it; on POST verify its answers."""
    row = _project_upload(request, upload_id)
    if request.method == "POST":
        return _verify(request, row)
    document, transcript = services.read_upload(row)
    tried = services.record_transcript(
        project=request.project,
        api_key=None,
        transcript=transcript,
        is_final=True,
        is_trial=True,
    )
    turns = shown_turns(transcript, tried.results)
    new = tried.count(CREATED)
    last_is_new = bool(tried.results) and tried.results[-1].status == CREATED
    may_go_on = transcript.may_go_on and not tried.remaining
    context = {
        "row": row,
        "transcript": transcript,
        "page": Paginator(turns, TURNS).get_page(request.GET.get("page")),
        "notes": shown_notes(transcript),
        "raw": raw_page(services.unpacked(row), document, request.GET.get("raw", "1")),
        "new": new,
        "new_without_last": new - 1 if may_go_on and last_is_new else None,
        "same": tried.count(SAME),
        "remaining": tried.remaining,
        "conflicts": tried.count(CONFLICT),
        "minutes": int(TranscriptUpload.KEPT.total_seconds() // 60),
    }
    return render(request, "verification/upload_preview.html", context)


def _verify(request: ProjectRequest, row: TranscriptUpload) -> HttpResponse:
    recorded = services.verify_upload(
        upload=row,
        actor=request.membership.user,
        is_final=request.POST.get("final") == "1",
    )
    count = recorded.count(CREATED)
    messages.success(
        request,
        ngettext(
            "%(count)d answer is being verified.",
            "%(count)d answers are being verified.",
            count,
        )
        % {"count": count},
    )
    if recorded.remaining:
        messages.info(request, _("The file has more: verify the next ones."))
        return redirect("verification:upload-preview", request.project.slug, row.pk)
    created = [result.uuid for result in recorded.results if result.status == CREATED]
    if len(created) == 1:
        return redirect("review:answer-detail", request.project.slug, created[0])
    return redirect("review:answer-list", request.project.slug)


def _project_upload(request: ProjectRequest, upload_id: UUID) -> TranscriptUpload:
    uploads = TranscriptUpload.objects.filter(
        project=request.project, user=request.membership.user
    )
    return get_object_or_404(uploads.select_related("project"), pk=upload_id)


def _page(
    request: ProjectRequest, form: UploadForm, *, status: int = 200
) -> HttpResponse:
    context = {"form": form}
    return render(request, "verification/upload.html", context, status=status)
