"""Learning of a project, below `/p/<slug>/`."""

from django.urls import path

from verifyhub.learning import calibration_views, views

app_name = "learning"

MODEL = "learning/calibration/<uuid:model_id>/"

urlpatterns = [
    path("learning/", views.page, name="page"),
    path("learning/examples/", views.example_list, name="example-list"),
    path(
        "learning/examples/<uuid:example_id>/<slug:verb>/",
        views.example_act,
        name="example-act",
    ),
    path("learning/advice/", views.advice_apply, name="advice-apply"),
    path(
        "learning/advice/<uuid:applied_id>/undo/",
        views.advice_undo,
        name="advice-undo",
    ),
    path("learning/hold-outs/<slug:kind>/", views.hold_out, name="hold-out"),
    path("learning/calibration/", calibration_views.page, name="calibration"),
    path("learning/calibration/fit/", calibration_views.fit, name="calibration-fit"),
    path(f"{MODEL}activate/", calibration_views.activate, name="calibration-activate"),
    path(f"{MODEL}<slug:which>.svg", calibration_views.plot, name="calibration-plot"),
    path(
        "learning/calibration/return/<slug:to>/",
        calibration_views.put_back,
        name="calibration-return",
    ),
    path("learning/blocking/", calibration_views.block, name="blocking-on"),
    path("learning/blocking/end/", calibration_views.unblock, name="blocking-off"),
    path("learning/outlook/", views.outlook, name="outlook"),
]
