"""The queue, its items and its people, below `/p/<slug>/review/`."""

from django.urls import path

from verifyhub.review.queue import item_views, team_views
from verifyhub.review.queue import views as queue_views

ITEM = "review/items/<uuid:item_id>/"

urlpatterns = [
    path("review/", queue_views.queue, name="queue"),
    path("review/live/", queue_views.live, name="queue-live"),
    path("review/pulse/", queue_views.pulse, name="queue-pulse"),
    path("review/next/", queue_views.next_item, name="queue-next"),
    path("review/assign/", item_views.assign_many, name="queue-assign"),
    path("review/columns/", team_views.columns, name="queue-columns"),
    path("review/views/", team_views.view_save, name="view-save"),
    path("review/views/default/", team_views.view_default, name="view-default"),
    path(
        "review/views/<uuid:view_id>/delete/",
        team_views.view_delete,
        name="view-delete",
    ),
    path("review/team/", team_views.team, name="team"),
    path("review/team/settings/", team_views.settings, name="team-settings"),
    path("review/team/duty/", team_views.duty, name="team-duty"),
    path("review/team/rules/", team_views.rule_add, name="rule-add"),
    path(
        "review/team/rules/<uuid:rule_id>/delete/",
        team_views.rule_delete,
        name="rule-delete",
    ),
    path(f"{ITEM}bar/", item_views.bar, name="item-bar"),
    path(f"{ITEM}why/", item_views.why, name="item-why"),
    path(f"{ITEM}take/", item_views.take, name="item-take"),
    path(f"{ITEM}renew/", item_views.renew, name="item-renew"),
    path(f"{ITEM}leave/", item_views.leave, name="item-leave"),
    path(f"{ITEM}release/", item_views.release, name="item-release"),
    path(f"{ITEM}skip/", item_views.skip, name="item-skip"),
    path(f"{ITEM}requeue/", item_views.requeue, name="item-requeue"),
    path(f"{ITEM}assign/", item_views.assign, name="item-assign"),
    path(f"{ITEM}ask/", item_views.ask, name="item-ask"),
    path(
        f"{ITEM}questions/<uuid:question_id>/", item_views.reply, name="question-reply"
    ),
]
