"""Models of a project and their budget, below `/p/<slug>/settings/`."""

from django.urls import path

from verifyhub.inference import views, wizard_views

app_name = "inference"

ENDPOINT = "settings/models/endpoints/<uuid:endpoint_id>/"
SLOT = "settings/models/tiers/<slug:tier>/<slug:slot>/"

urlpatterns = [
    path("settings/models/", views.models, name="models"),
    path("settings/models/new/", wizard_views.address, name="model-new"),
    path(
        "settings/models/new/<uuid:endpoint_id>/",
        wizard_views.model,
        name="model-new-tier",
    ),
    path("settings/models/endpoints/", views.endpoint_save, name="endpoint-add"),
    path(ENDPOINT, views.endpoint_save, name="endpoint-save"),
    path(f"{ENDPOINT}delete/", views.endpoint_delete, name="endpoint-delete"),
    path(SLOT, views.tier_save, name="tier-save"),
    path(f"{SLOT}probe/", views.tier_probe, name="tier-probe"),
    path("settings/models/embedding/", views.embedding_save, name="embedding-save"),
    path("settings/models/caps/", views.caps_save, name="caps-save"),
]
