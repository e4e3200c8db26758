"""Pages about second factors: a person's own, the sign-in code, the project's rule."""

from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import authenticate
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render, resolve_url
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from verifyhub.accounts import second_factor
from verifyhub.accounts.forms import CodeForm, FactorRuleForm, PasswordForm
from verifyhub.accounts.models import User
from verifyhub.accounts.passwords import may_make_link
from verifyhub.accounts.permissions import ProjectRequest, SignedInRequest, project_page
from verifyhub.accounts.second_step import GIVEN, sign_in_with, waiting_person
from verifyhub.accounts.selectors import members, memberships_of
from verifyhub.accounts.sign_in_limits import remember_device
from verifyhub.common.http import posted_from

OwnerForm = PasswordForm | CodeForm


@never_cache
@require_http_methods(["GET", "POST"])
@sensitive_post_parameters()
def sign_in_code(request: HttpRequest) -> HttpResponse:
    """Ask for a code after the password, then sign in."""
    waiting = waiting_person(request)
    if waiting is None:
        return redirect("accounts:login")
    user, address = waiting
    form = CodeForm(request.POST or None)
    if request.method == "GET" or not form.is_valid():
        return _code_page(request, form)
    try:
        device = second_factor.check_code(user=user, code=form.cleaned_data["code"])
    except second_factor.CodeRefusedError:
        form.add_error("code", _refused())
        return _code_page(request, form)
    sign_in_with(request, user, device)
    answer = redirect(address or resolve_url(settings.LOGIN_REDIRECT_URL))
    remember_device(request, answer, user.get_username())
    return answer


@never_cache
@require_http_methods(["GET", "POST"])
@login_required
def own(request: SignedInRequest) -> HttpResponse:
    """Show a person's second factor; POST begins one."""
    if request.method == "GET":
        return _page(request)
    try:
        second_factor.begin(request.user)
    except second_factor.FactorStateError:
        messages.info(request, _("You already have a second factor."))
    return redirect("accounts:second-factor")


@posted_from("accounts:second-factor")
@never_cache
@sensitive_post_parameters()
@login_required
def confirm(request: SignedInRequest) -> HttpResponse:
    """Activate it by a first code; the reply shows the backup codes, only this once."""
    user, form = request.user, CodeForm(request.POST)
    password = PasswordForm(request.POST)
    is_owner = not user.has_usable_password() or _is_owner(request, password)
    if not form.is_valid() or not is_owner:
        return _page(request, code_form=form, password_form=password, status=422)
    try:
        device, codes = second_factor.confirm(user=user, code=form.cleaned_data["code"])
    except second_factor.FactorStateError:
        return redirect("accounts:second-factor")
    except second_factor.CodeRefusedError:
        form.add_error("code", _refused())
        return _page(request, code_form=form, status=422)
    request.session[GIVEN] = device.pk
    return _page(request, codes=codes)


@posted_from("accounts:second-factor")
@never_cache
@sensitive_post_parameters()
@login_required
def codes(request: SignedInRequest) -> HttpResponse:
    """Reply with new backup codes, only this once; the previous ones become invalid."""
    user = request.user
    form = _owner_form(user, request.POST, auto_id="codes_%s")
    if not _is_owner(request, form):
        return _page(request, codes_form=form, status=422)
    try:
        new_codes = second_factor.renew_codes(user)
    except second_factor.FactorStateError:
        return redirect("accounts:second-factor")
    return _page(request, codes=new_codes)


@posted_from("accounts:second-factor")
@never_cache
@sensitive_post_parameters()
@login_required
def off(request: SignedInRequest) -> HttpResponse:
    """Deactivate it, if the password is correct."""
    user = request.user
    form = _owner_form(user, request.POST, auto_id="off_%s")
    if not _is_owner(request, form):
        return _page(request, off_form=form, status=422)
    try:
        second_factor.turn_off(user=user, actor=user)
    except second_factor.FactorStateError:
        return redirect("accounts:second-factor")
    messages.success(request, _("Sign-in no longer requires a second factor."))
    return redirect("accounts:profile")


@project_page("people.manage", "GET", "POST")
def reset(request: ProjectRequest, member_id: int) -> HttpResponse:
    """Ask for confirmation, then remove a member's second factor."""
    member = get_object_or_404(members(request.project.id), user_id=member_id)
    if not may_make_link(actor=request.membership.user, user=member.user):
        raise PermissionDenied
    if request.method == "GET":
        return render(request, "accounts/factor_reset.html", {"member": member})
    try:
        second_factor.turn_off(
            user=member.user, actor=request.membership.user, project=request.project
        )
    except second_factor.FactorStateError:
        messages.info(
            request, _("%(name)s has no second factor.") % {"name": member.user}
        )
    else:
        messages.success(
            request,
            _("%(name)s signs in without a second factor now.") % {"name": member.user},
        )
    return redirect("accounts:people", slug=request.project.slug)


@posted_from("accounts:people")
@project_page("people.manage")
def rule(request: ProjectRequest) -> HttpResponse:
    """Set the role from which on members need a second factor."""
    form = FactorRuleForm(request.POST)
    if form.is_valid():
        second_factor.ask_from(
            project=request.project,
            role=form.cleaned_data["role"],
            actor=request.membership.user,
        )
        messages.success(request, _("The second factor requirement is saved."))
    return redirect("accounts:people", slug=request.project.slug)


def _owner_form(user: User, *args: Any, **kwargs: Any) -> OwnerForm:
    """Ask for the password, or for a code where the person has none."""
    kind = PasswordForm if user.has_usable_password() else CodeForm
    return kind(*args, **kwargs)


def _is_owner(request: SignedInRequest, form: OwnerForm) -> bool:
    """Whether the password, or else a code, was given; wrong ones count as ever."""
    if not form.is_valid():
        return False
    user = request.user
    if isinstance(form, CodeForm):
        try:
            second_factor.check_code(user=user, code=form.cleaned_data["code"])
        except second_factor.CodeRefusedError:
            form.add_error("code", _refused())
            return False
        return True
    password = form.cleaned_data["password"]
    if authenticate(request, username=user.get_username(), password=password) != user:
        form.add_error("password", _("The password is incorrect."))
        return False
    return True


def _refused() -> str:
    return _(
        "The code is incorrect or was already used. After each incorrect code, the "
        "next one is accepted after a longer wait."
    )


def _code_page(request: HttpRequest, form: CodeForm) -> HttpResponse:
    status = 422 if form.errors else 200
    return render(request, "accounts/sign_in_code.html", {"form": form}, status=status)


def _page(request: SignedInRequest, *, status: int = 200, **more: Any) -> HttpResponse:
    user = request.user
    context = {
        "factor": second_factor.state_of(user),
        "asking": [
            membership
            for membership in memberships_of(user)
            if second_factor.is_asked_of(membership.role, membership.project)
        ],
        "has_password": user.has_usable_password(),
        "code_form": CodeForm(),
        "password_form": PasswordForm(),
        "codes_form": _owner_form(user, auto_id="codes_%s"),
        "off_form": _owner_form(user, auto_id="off_%s"),
        **more,
    }
    return render(request, "accounts/second_factor.html", context, status=status)
