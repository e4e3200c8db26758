"""Sign in and out; a project's API keys."""

from django.contrib.auth import views as auth_views
from django.urls import path

from verifyhub.accounts import views

app_name = "accounts"

urlpatterns = [
    path(
        "accounts/login/",
        auth_views.LoginView.as_view(
            template_name="accounts/login.html", redirect_authenticated_user=True
        ),
        name="login",
    ),
    path("accounts/logout/", auth_views.LogoutView.as_view(), name="logout"),
    path("p/<slug:slug>/keys/", views.key_list, name="key-list"),
    path(
        "p/<slug:slug>/keys/<uuid:key_id>/revoke/", views.key_revoke, name="key-revoke"
    ),
]
