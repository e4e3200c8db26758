"""The pages of events and webhooks, below `/p/<slug>/`."""

from django.urls import path

from verifyhub.events import views, webhook_views

app_name = "events"

WEBHOOK = "settings/webhooks/<uuid:webhook_id>/"

urlpatterns = [
    path("events/", views.event_list, name="list"),
    path("settings/webhooks/", webhook_views.webhook_list, name="webhook-list"),
    path("settings/webhooks/add/", webhook_views.webhook_add, name="webhook-add"),
    path(WEBHOOK, webhook_views.webhook, name="webhook"),
    path(f"{WEBHOOK}change/", webhook_views.webhook_change, name="webhook-change"),
    path(f"{WEBHOOK}delete/", webhook_views.webhook_delete, name="webhook-delete"),
    path(f"{WEBHOOK}rotate/", webhook_views.webhook_rotate, name="webhook-rotate"),
    path(f"{WEBHOOK}test/", webhook_views.webhook_test, name="webhook-test"),
    path(f"{WEBHOOK}pause/", webhook_views.webhook_pause, name="webhook-pause"),
    path(f"{WEBHOOK}resume/", webhook_views.webhook_resume, name="webhook-resume"),
    path(f"{WEBHOOK}replay/", webhook_views.webhook_replay, name="webhook-replay"),
    path(
        f"{WEBHOOK}deliveries/<uuid:delivery_id>/replay/",
        webhook_views.delivery_replay,
        name="delivery-replay",
    ),
]
