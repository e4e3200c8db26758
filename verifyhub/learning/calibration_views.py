"""Pages of calibration and of blocking thresholds."""

from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _

from verifyhub.accounts.permissions import ProjectRequest, can, project_page
from verifyhub.common.drawing import theme_from
from verifyhub.common.http import or_404
from verifyhub.engine.calibration.conformal import TooFewRightError
from verifyhub.engine.calibration.fit import TooFewSamplesError
from verifyhub.learning import selectors, services, wordings
from verifyhub.learning.forms import BlockingForm, FitForm
from verifyhub.learning.models import CalibrationModel
from verifyhub.learning.plots import reliability_diagram


@project_page("memory.view", "GET")
def page(request: ProjectRequest) -> HttpResponse:
    """Show every check's calibration, and the blocking threshold."""
    project, now = request.project, timezone.now()
    boards = selectors.board(project, now=now)
    calibrators = selectors.calibrators_in_force(project)
    context = {
        "may_edit": can(request.membership.role, "checks.manage"),
        "boards": boards,
        "needed": wordings.NEEDED,
        "blocking": selectors.blocking(project, calibrators, now=now),
        "form": BlockingForm(checks=_blockable(boards)),
    }
    return render(request, "learning/calibration.html", context)


@project_page("memory.view", "GET")
def plot(request: ProjectRequest, model_id: UUID, which: str) -> HttpResponse:
    """Draw held-out decisions by raw (`before`) or calibrated (`after`) score."""
    model = get_object_or_404(selectors.versions(request.project), id=model_id)
    drawn = or_404(
        {"before": model.measured_before, "after": model.measured_after}.get(which)
    )
    theme = theme_from(request.GET.get("theme"))
    response = HttpResponse(
        reliability_diagram(drawn, theme), content_type="image/svg+xml"
    )
    # A version's figures never change; its words follow the reader's language.
    response["Cache-Control"] = "private, max-age=30"
    return response


@project_page("checks.manage", "POST")
def fit(request: ProjectRequest) -> HttpResponse:
    """Fit one check to the newest decisions."""
    check = _check_name(request)
    try:
        model = services.fit_calibration(
            project=request.project,
            check=check,
            actor=request.user,
            now=timezone.now(),
        )
    except TooFewSamplesError as error:
        return _back(request, "error", wordings.too_few(error))
    if model.refusal:
        return _back(request, "error", wordings.refused(model))
    message = _("Fitted. It changes no verdict until you activate it.")
    return _back(request, "success", message)


@project_page("checks.manage", "POST")
def activate(request: ProjectRequest, model_id: UUID) -> HttpResponse:
    """Activate a version."""
    rows = CalibrationModel.objects.filter(project=request.project)
    model = get_object_or_404(rows.select_related("project"), id=model_id)
    try:
        services.activate_calibration(model=model, actor=request.user)
    except services.CalibrationMovedError:
        return _back(request, "error", wordings.moved())
    except services.ProfileImpossibleError as error:
        return _back(request, "error", wordings.impossible(error.reaches))
    return _back(request, "success", _("Active from the next verification on."))


@project_page("checks.manage", "POST")
def put_back(request: ProjectRequest, to: str) -> HttpResponse:
    """Return to the version before (`previous`), or to raw scores (`uncalibrated`)."""
    if to not in {"previous", "uncalibrated"}:
        raise Http404
    try:
        restored = services.return_calibration(
            project=request.project,
            check=_check_name(request),
            actor=request.user,
            uncalibrated=to == "uncalibrated",
        )
    except services.CalibrationMovedError:
        return _back(request, "error", wordings.moved())
    except services.ProfileImpossibleError as error:
        return _back(request, "error", wordings.impossible(error.reaches))
    if restored is None:
        return _back(request, "success", _("Raw scores are used again."))
    return _back(request, "success", _("The previous version is active again."))


@project_page("checks.manage", "POST")
def block(request: ProjectRequest) -> HttpResponse:
    """Switch the blocking threshold on, calculated from the current decisions."""
    boards = selectors.board(request.project, now=timezone.now())
    form = BlockingForm(request.POST, checks=_blockable(boards))
    if not form.is_valid():
        message = _("Choose a score, and a share above 0 and up to 50 percent.")
        return _back(request, "error", message)
    try:
        services.switch_blocking_on(
            project=request.project,
            check=form.cleaned_data["check"],
            at_most=form.cleaned_data["percent"] / 100,
            actor=request.user,
            now=timezone.now(),
        )
    except TooFewRightError as error:
        return _back(request, "error", wordings.too_few_right(error))
    return _back(request, "success", _("Active from the next verification on."))


@project_page("checks.manage", "POST")
def unblock(request: ProjectRequest) -> HttpResponse:
    """Switch the blocking threshold off."""
    try:
        services.switch_blocking_off(project=request.project, actor=request.user)
    except services.NoRuleError:
        return _back(request, "error", wordings.moved())
    return _back(request, "success", _("No answer is blocked by its score any more."))


def _blockable(boards: list[selectors.CheckBoard]) -> list[tuple[str, str]]:
    return [
        (board.check, wordings.check_words(board.check))
        for board in boards
        if selectors.is_per_answer(board.check)
    ]


def _check_name(request: ProjectRequest) -> str:
    form = FitForm(request.POST)
    if not form.is_valid():
        raise Http404
    return str(form.cleaned_data["check"])


def _back(request: ProjectRequest, level: str, message: str) -> HttpResponse:
    kind = messages.ERROR if level == "error" else messages.SUCCESS
    messages.add_message(request, kind, message)
    return redirect("learning:calibration", request.project.slug)
