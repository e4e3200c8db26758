"""Figures under the API's root."""

from django.urls import path

from verifyhub.metrics.api.compare import CompareView
from verifyhub.metrics.api.figures import FiguresView
from verifyhub.metrics.api.views import GoalsView, LevelsView

app_name = "metrics-api"

urlpatterns = [
    path("metrics/", FiguresView.as_view(), name="figures"),
    path("metrics/compare/", CompareView.as_view(), name="compare"),
    path("metrics/goals/", GoalsView.as_view(), name="goals"),
    path("metrics/levels/", LevelsView.as_view(), name="levels"),
]
