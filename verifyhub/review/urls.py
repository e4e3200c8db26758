"""Pages of the reviewer, below `/p/<slug>/`."""

from django.urls import path

from verifyhub.review import palette
from verifyhub.review import start as start_views
from verifyhub.review.agreement import panel_views
from verifyhub.review.agreement import views as agreement_views
from verifyhub.review.answer_list import batch_views
from verifyhub.review.answer_list import views as answer_list_views
from verifyhub.review.answer_page import (
    decision_views,
    draft_views,
    mitigation_views,
    views,
)
from verifyhub.review.decide import act_views, many_views, reason_views
from verifyhub.review.queue import urls as queue_urls
from verifyhub.review.runs import knowledge_views
from verifyhub.review.runs import views as run_views

app_name = "review"

ANSWER = "answers/<uuid:uuid>/"
PROPOSAL = "proposals/<uuid:proposal_id>/"

# The target of each form of a decision.
DECIDE = {
    "agree": "agree",
    "override": "override",
    "flip": "mentions/<int:index>/flip",
    "claim": "claims/<int:index>/flip",
    "fact": "facts/<int:index>/flip",
    "value": "values/<int:index>/flip",
    "missed": "missed",
    "correct": "correct",
    "note": "note",
}

BATCH = "batches/<uuid:batch_id>/"

urlpatterns = [
    path("start/", start_views.start, name="start"),
    *queue_urls.urlpatterns,
    path("review/ahead/", decision_views.ahead, name="queue-ahead"),
    path("review/many/", many_views.many, name="many"),
    path("review/acts/<uuid:act_id>/", act_views.act_detail, name="act"),
    path("review/acts/<uuid:act_id>/undo/", act_views.act_undo, name="act-undo"),
    path("review/keys/", draft_views.key_mode, name="key-mode"),
    path("review/reasons/", reason_views.reason_list, name="reason-list"),
    path("review/reasons/<str:code>/", reason_views.change, name="reason-change"),
    path("go/", palette.go, name="go"),
    path("runs/", run_views.run_list, name="run-list"),
    path("runs/<uuid:uuid>/", run_views.run_detail, name="run-detail"),
    path("memory/sessions/", knowledge_views.sessions, name="memory-sessions"),
    path(
        "memory/sessions/<uuid:uuid>/", knowledge_views.session, name="memory-session"
    ),
    path("memory/entries/<uuid:entry_id>/", knowledge_views.entry, name="memory-entry"),
    path("answers/", answer_list_views.answer_list, name="answer-list"),
    path("answers/verify-again/", batch_views.batch_new, name="answer-batch"),
    path(BATCH, batch_views.batch_detail, name="batch"),
    path(f"{BATCH}cancel/", batch_views.batch_cancel, name="batch-cancel"),
    path(ANSWER, views.answer_detail, name="answer-detail"),
    path(f"{ANSWER}mitigate/", mitigation_views.mitigate, name="answer-mitigate"),
    path(
        f"{ANSWER}mitigations/", mitigation_views.mitigations, name="answer-mitigations"
    ),
    path(f"{ANSWER}deliberate/", mitigation_views.deliberate, name="answer-deliberate"),
    path(
        "deliberations/<uuid:deliberation_id>/",
        mitigation_views.deliberation,
        name="deliberation",
    ),
    path(f"{ANSWER}checks/", views.answer_checks, name="answer-checks"),
    path(f"{ANSWER}ledger/", views.answer_ledger, name="answer-ledger"),
    path(f"{ANSWER}similar/", views.answer_similar, name="answer-similar"),
    path(f"{ANSWER}attempts/", views.answer_attempts, name="answer-attempts"),
    path(f"{ANSWER}timeline/", views.answer_timeline, name="answer-timeline"),
    path(f"{ANSWER}calls/<int:index>/", views.tool_call, name="answer-call"),
    *(
        path(
            f"{ANSWER}{where}/",
            decision_views.decide,
            {"form_name": form},
            name=f"answer-{form}",
        )
        for form, where in DECIDE.items()
    ),
    path(f"{ANSWER}going-on/", decision_views.going_on, name="answer-going-on"),
    path(f"{ANSWER}draft/", draft_views.save, name="answer-draft"),
    path(
        f"{ANSWER}overrides/<uuid:override_id>/undo/",
        decision_views.undo,
        name="answer-undo",
    ),
    path(f"{ANSWER}reopen/", decision_views.reopen, name="answer-reopen"),
    path(f"{ANSWER}reverify/", decision_views.verify_again, name="answer-reverify"),
    path("agreement/", agreement_views.agreement, name="agreement"),
    path(
        "agreement/disagreements/", agreement_views.disagreements, name="disagreements"
    ),
    path("agreement/mine/", agreement_views.my_judgements, name="my-judgements"),
    path(
        "agreement/people/<int:user_id>/",
        agreement_views.person_judgements,
        name="person-judgements",
    ),
    path("review/second/", panel_views.second_opinions, name="second-opinions"),
    path("gold/", agreement_views.gold_list, name="gold-list"),
    path(
        "gold/<uuid:gold_id>/retire/", agreement_views.gold_retire, name="gold-retire"
    ),
    path("settings/reviewers/", agreement_views.review_rules, name="rules"),
    path(f"{ANSWER}gold/", agreement_views.gold_mark, name="gold-mark"),
    path(f"{ANSWER}rule/", panel_views.rule, name="rule"),
    path(
        "judgements/<uuid:judgement_id>/withdraw/",
        panel_views.judgement_withdraw,
        name="judgement-withdraw",
    ),
    path(f"{PROPOSAL}confirm/", panel_views.proposal_confirm, name="proposal-confirm"),
    path(f"{PROPOSAL}decline/", panel_views.proposal_decline, name="proposal-decline"),
    path(
        f"{PROPOSAL}withdraw/", panel_views.proposal_withdraw, name="proposal-withdraw"
    ),
]
