"""Schemas of tools' outputs, below `/p/<slug>/`."""

from django.urls import path

from verifyhub.verification import views

app_name = "verification"

urlpatterns = [
    path("schemas/", views.schema_list, name="schema-list"),
    path("schemas/<uuid:schema_id>/delete/", views.schema_delete, name="schema-delete"),
]
