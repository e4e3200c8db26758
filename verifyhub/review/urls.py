"""Pages of the reviewer, below `/p/<slug>/`."""

from django.urls import path

from verifyhub.review import views

app_name = "review"

urlpatterns = [
    path("review/", views.queue, name="queue"),
]
