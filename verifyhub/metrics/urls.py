"""Metrics of a project, and the scrape above all projects."""

from django.urls import path

from verifyhub.metrics import views

app_name = "metrics"

urlpatterns = [
    path("p/<slug:slug>/metrics/", views.dashboard, name="dashboard"),
    path("p/<slug:slug>/metrics/plots/<slug:name>.svg", views.plot, name="plot"),
    path("metrics", views.scrape, name="scrape"),
]
