"""Pages of a person's own settings."""

from django.contrib import messages
from django.contrib.auth import authenticate, update_session_auth_hash
from django.contrib.auth.decorators import login_required
from django.contrib.auth.forms import PasswordChangeForm
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import translation
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from verifyhub.accounts import services
from verifyhub.accounts.forms import SettingsForm
from verifyhub.accounts.models import User
from verifyhub.accounts.permissions import SignedInRequest
from verifyhub.accounts.selectors import memberships_of
from verifyhub.common.http import posted_from


@never_cache
@sensitive_post_parameters()
@require_http_methods(["GET", "POST"])
@login_required
def profile(request: SignedInRequest) -> HttpResponse:
    """Show a person's settings, and store changes."""
    user = request.user
    if request.method == "GET":
        return _page(request, _settings_of(user), PasswordChangeForm(user))
    form = SettingsForm(request.POST)
    if not (form.is_valid() and _may_change_address(request, form)):
        return _page(request, form, PasswordChangeForm(user), status=422)
    services.save_settings(user=user, values=form.cleaned_data)
    # Said in the language that the next page is in.
    with translation.override(user.language or translation.get_language()):
        messages.success(request, _("Your settings are saved."))
    return redirect("accounts:profile")


@posted_from("accounts:profile")
@never_cache
@sensitive_post_parameters()
@login_required
def password(request: SignedInRequest) -> HttpResponse:
    """Change the password; other sessions of the person end, this one stays."""
    user = request.user
    form = PasswordChangeForm(user, request.POST)
    if not form.is_valid():
        return _page(request, _settings_of(user), form, status=422)
    services.change_password(user=user, password=form.cleaned_data["new_password1"])
    update_session_auth_hash(request, user)
    messages.success(
        request, _("Your password is changed. Your other sessions have ended.")
    )
    return redirect("accounts:profile")


def _may_change_address(request: SignedInRequest, form: SettingsForm) -> bool:
    """Whether the address stays, or the person gave the password.

    A letter that sets a new password goes to the address. A wrong password counts as
    one at the sign-in does.
    """
    user = request.user
    if form.cleaned_data["email"] == user.email or not user.has_usable_password():
        return True
    password = form.cleaned_data["password"]
    if authenticate(request, username=user.get_username(), password=password) == user:
        return True
    form.add_error("password", _("The password is incorrect."))
    return False


def _settings_of(user: User) -> SettingsForm:
    return SettingsForm(
        initial={name: getattr(user, name) for name in services.SETTINGS}
    )


def _page(
    request: SignedInRequest,
    form: SettingsForm,
    password_form: PasswordChangeForm,
    *,
    status: int = 200,
) -> HttpResponse:
    password_form.fields["old_password"].widget.attrs.pop("autofocus", None)
    context = {
        "form": form,
        "password_form": password_form,
        "memberships": memberships_of(request.user),
    }
    return render(request, "accounts/profile.html", context, status=status)
