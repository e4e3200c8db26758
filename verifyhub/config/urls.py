"""The HTML root."""

from django.urls import URLPattern, URLResolver, include, path

from verifyhub.review.views import home

urlpatterns: list[URLPattern | URLResolver] = [
    path("", home, name="home"),
    path("", include("verifyhub.accounts.urls")),
    path("p/<slug:slug>/", include("verifyhub.review.urls")),
]
