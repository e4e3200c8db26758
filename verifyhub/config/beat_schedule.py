"""What the beat wakes and how often, seconds; each task finds its own work."""

from typing import Any

from celery.schedules import crontab

BEAT_SCHEDULE: dict[str, dict[str, Any]] = {
    "verification.reconcile": {
        "task": "verification.reconcile",
        "schedule": 5.0,
        # While no worker runs, these would pile up; each next one does the same.
        "options": {"expires": 5},
    },
    "knowledge.reconcile": {
        "task": "knowledge.reconcile",
        "schedule": 5.0,
        "options": {"expires": 5},
    },
    "inference.settle_lost": {
        "task": "inference.settle_lost",
        "schedule": 30.0,
        "options": {"expires": 30},
    },
    "inference.purge_opinions": {
        "task": "inference.purge_opinions",
        "schedule": 600.0,
        "options": {"expires": 600},
    },
    "memory.end_shadows": {
        "task": "memory.end_shadows",
        "schedule": 60.0,
        "options": {"expires": 60},
    },
    "memory.expire_entries": {
        "task": "memory.expire_entries",
        "schedule": 600.0,
        "options": {"expires": 600},
    },
    "memory.forget_deliveries": {
        "task": "memory.forget_deliveries",
        "schedule": 3600.0,
        "options": {"expires": 3600},
    },
    "memory.forget_keys": {
        "task": "memory.forget_keys",
        "schedule": 30.0,
        "options": {"expires": 30},
    },
    "review.advance_acts": {
        "task": "review.advance_acts",
        "schedule": 10.0,
        "options": {"expires": 10},
    },
    "review.spread_reach": {
        "task": "review.spread_reach",
        "schedule": 10.0,
        "options": {"expires": 10},
    },
    "review.rerank": {
        "task": "review.rerank",
        "schedule": 10.0,
        "options": {"expires": 10},
    },
    "review.deal_items": {
        "task": "review.deal_items",
        "schedule": 10.0,
        "options": {"expires": 10},
    },
    "events.reconcile": {
        "task": "events.reconcile",
        "schedule": 5.0,
        "options": {"expires": 5},
    },
    "events.forget": {
        "task": "events.forget",
        "schedule": 3600.0,
        "options": {"expires": 3600},
    },
    "exports.reconcile": {
        "task": "exports.reconcile",
        "schedule": 5.0,
        "options": {"expires": 5},
    },
    "exports.push_metrics": {
        "task": "exports.push_metrics",
        "schedule": 60.0,
        "options": {"expires": 60},
    },
    "exports.forget": {
        "task": "exports.forget",
        "schedule": 3600.0,
        "options": {"expires": 3600},
    },
    "learning.fit_calibrations": {
        "task": "learning.fit_calibrations",
        # At night in the server's zone; an hour late it still is night.
        "schedule": crontab(hour="3", minute="20"),
        "options": {"expires": 3600},
    },
    "ingest.reconcile_traces": {
        "task": "ingest.reconcile_traces",
        "schedule": 5.0,
        "options": {"expires": 5},
    },
    "ingest.reconcile_bulks": {
        "task": "ingest.reconcile_bulks",
        "schedule": 5.0,
        "options": {"expires": 5},
    },
    "ingest.forget_bulks": {
        "task": "ingest.forget_bulks",
        "schedule": 3600.0,
        "options": {"expires": 3600},
    },
    "ingest.forget_traces": {
        "task": "ingest.forget_traces",
        "schedule": 3600.0,
        "options": {"expires": 3600},
    },
    "verification.forget_uploads": {
        "task": "verification.forget_uploads",
        "schedule": 600.0,
        "options": {"expires": 600},
    },
    "metrics.refresh": {
        "task": "metrics.refresh",
        "schedule": 10.0,
        "options": {"expires": 10},
    },
    "reports.evaluate_rules": {
        "task": "reports.evaluate_rules",
        "schedule": 60.0,
        "options": {"expires": 60},
    },
    "reports.make_reports": {
        "task": "reports.make_reports",
        "schedule": 300.0,
        "options": {"expires": 300},
    },
    "reports.reconcile": {
        "task": "reports.reconcile",
        "schedule": 10.0,
        "options": {"expires": 10},
    },
    "reports.forget_letters": {
        "task": "reports.forget_letters",
        "schedule": 3600.0,
        "options": {"expires": 3600},
    },
    "ingest.purge_replies": {
        "task": "ingest.purge_replies",
        "schedule": 600.0,
        "options": {"expires": 600},
    },
}
