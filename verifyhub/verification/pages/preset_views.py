"""The page of a project's strictness and domain verifiers."""

import json

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext_lazy as _

from verifyhub.accounts.permissions import ProjectRequest, project_page
from verifyhub.engine.errors import DomainError
from verifyhub.engine.presets.domains import BUILT_IN, read_domains
from verifyhub.engine.presets.strictness import PRESETS, Strictness, apply_strictness
from verifyhub.engine.thresholds import Thresholds
from verifyhub.verification import services
from verifyhub.verification.pages.forms import PresetsForm


@project_page("project.manage", "GET", "POST")
def presets(request: ProjectRequest) -> HttpResponse:
    """Show and change how strictly, and by which verifiers, answers are checked."""
    project = request.project
    if request.method != "POST":
        domains = json.dumps(project.domains, indent=2, ensure_ascii=False)
        form = PresetsForm(
            initial={
                "strictness": project.strictness,
                "domain": project.domain,
                "domains": domains if project.domains else "",
            }
        )
        return _page(request, form)
    form = PresetsForm(request.POST)
    if form.is_valid():
        try:
            services.update_presets(
                project=project, actor=request.membership.user, **form.cleaned_data
            )
        except DomainError as error:
            form.show(error)
        else:
            messages.success(request, _("Saved. The next verification uses it."))
            return redirect("verification:presets", slug=project.slug)
    return _page(request, form, status=422)


def _page(
    request: ProjectRequest, form: PresetsForm, *, status: int = 200
) -> HttpResponse:
    own = Thresholds.with_overrides(request.project.thresholds)
    moved = {preset: apply_strictness(own, preset) for preset in Strictness}
    context = {
        "form": form,
        "presets": list(Strictness),
        "rows": [
            {
                "name": name,
                "values": [getattr(moved[preset], name) for preset in Strictness],
            }
            for name in ("sends_back", *PRESETS[Strictness.STRICT])
        ],
        "verifiers": [*BUILT_IN, *read_domains(request.project.domains)],
    }
    return render(request, "verification/presets.html", context, status=status)
