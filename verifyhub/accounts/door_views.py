"""Pages for people who are not signed in: forgotten password and invitation."""

from typing import Any, cast

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import login
from django.contrib.auth import views as auth_views
from django.contrib.auth.views import INTERNAL_RESET_SESSION_TOKEN
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse_lazy
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_safe

from verifyhub.accounts import invitations
from verifyhub.accounts.forms import AddressForm, SignUpForm
from verifyhub.accounts.models import Invitation, User
from verifyhub.accounts.second_factor import is_on
from verifyhub.accounts.second_step import OWN_BACKEND, ask_for_code
from verifyhub.accounts.services import change_password
from verifyhub.accounts.sign_in_limits import is_held_back, remember_device
from verifyhub.common.jobs import enqueue_on_commit

# The session's key for the token of an opened invitation.
IN_SESSION = "invitation"


class SignInView(auth_views.LoginView):
    """Sign in with a password, or at the configured provider."""

    template_name = "accounts/login.html"
    redirect_authenticated_user = True

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Apply the sign-in limits before a password is checked."""
        if is_held_back(request, request.POST.get("username", "")):
            return render(request, settings.AXES_LOCKOUT_TEMPLATE, status=429)
        answer: HttpResponse = super().post(request, *args, **kwargs)
        return answer

    def form_valid(self, form: Any) -> HttpResponse:
        """Sign in and remember this browser, after the second factor if enabled."""
        if is_on(form.get_user()):
            return ask_for_code(self.request, form.get_user(), self.get_success_url())
        answer = super().form_valid(form)
        remember_device(self.request, answer, form.get_user().get_username())
        return answer

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Add the provider's name, if there is one."""
        provider = settings.OIDC.name if settings.OIDC.issuer else ""
        return {**super().get_context_data(**kwargs), "provider": provider}


@never_cache
@require_http_methods(["GET", "POST"])
def password_forgotten(request: HttpRequest) -> HttpResponse:
    """Ask for an address; the reply is the same whether an account has it or not."""
    form = AddressForm(request.POST or None)
    context = {"form": form, "has_mail": bool(settings.EMAIL_HOST), "asked": False}
    if request.method == "GET" or not settings.EMAIL_HOST:
        return render(request, "accounts/password_forgotten.html", context)
    if form.is_valid():
        # A worker looks the address up, since the time would reveal known ones here.
        enqueue_on_commit(
            "accounts.send_password_letters",
            address=form.cleaned_data["email"],
            language=get_language() or settings.LANGUAGE_CODE,
        )
        context["asked"] = True
    status = 422 if form.errors else 200
    template = "accounts/password_forgotten.html"
    return render(request, template, context, status=status)


class PasswordSetView(auth_views.PasswordResetConfirmView):
    """Choose a password with a link, whose token Django moves to the session."""

    template_name = "accounts/password_set.html"
    success_url = reverse_lazy("accounts:login")

    def form_valid(self, form: Any) -> HttpResponse:
        """Store the password, and redirect to the sign-in page."""
        change_password(
            user=cast(User, self.user), password=form.cleaned_data["new_password1"]
        )
        del self.request.session[INTERNAL_RESET_SESSION_TOKEN]
        messages.success(self.request, _("Your password is set. Sign in with it."))
        return redirect(str(self.success_url))

    def form_invalid(self, form: Any) -> HttpResponse:
        """Show the errors of the form."""
        return self.render_to_response(self.get_context_data(form=form), status=422)


@never_cache
@require_safe
def join_link(request: HttpRequest, token: str) -> HttpResponse:
    """Move an invitation's token from the URL to the session, so it does not leak."""
    if invitations.find_invitation(token) is None:
        return _closed(request)
    request.session[IN_SESSION] = token
    return redirect("accounts:join")


@never_cache
@require_http_methods(["GET", "POST"])
@sensitive_post_parameters()
def join(request: HttpRequest) -> HttpResponse:
    """Accept an invitation with an existing account, or with a new one."""
    token = request.session.get(IN_SESSION, "")
    row = invitations.find_invitation(token) if token else None
    if row is None:
        return _closed(request)
    if not isinstance(request.user, User):
        return _sign_up(request, row, token)
    if request.method == "GET":
        return render(request, "accounts/join.html", {"invitation": row})
    try:
        invitations.accept_invitation(token=token, user=request.user)
    except invitations.InvitationClosedError:
        return _closed(request)
    except invitations.AlreadyMemberError:
        messages.info(request, _("You are already a member of this project."))
        return redirect("review:queue", slug=row.project.slug)
    return _welcomed(request, row)


def _sign_up(request: HttpRequest, row: Invitation, token: str) -> HttpResponse:
    form = SignUpForm(request.POST or None, initial={"email": row.email})
    if request.method == "GET" or not form.is_valid():
        status = 200 if request.method == "GET" else 422
        shown = {"invitation": row, "form": form}
        return render(request, "accounts/join.html", shown, status=status)
    user = form.save(commit=False)
    try:
        invitations.sign_up(token=token, user=user)
    except invitations.InvitationClosedError:
        return _closed(request)
    login(request, user, backend=OWN_BACKEND)
    return _welcomed(request, row)


def _welcomed(request: HttpRequest, row: Invitation) -> HttpResponse:
    request.session.pop(IN_SESSION, None)
    messages.success(
        request, _("Welcome to %(project)s.") % {"project": row.project.name}
    )
    return redirect("review:queue", slug=row.project.slug)


def _closed(request: HttpRequest) -> HttpResponse:
    request.session.pop(IN_SESSION, None)
    return render(request, "accounts/join_closed.html", status=410)
