"""The schedule of the beat, in seconds; each task finds its own work."""

from typing import Any

from celery.schedules import crontab

BEAT_SCHEDULE: dict[str, dict[str, Any]] = {
    "verification.reconcile": {
        "task": "verification.reconcile",
        # Also the delay until an ended lease is noticed (`row_queue.LEASE_SECONDS`).
        "schedule": 2.0,
        # Otherwise they would accumulate while no worker runs.
        "options": {"expires": 2},
    },
    "knowledge.reconcile": {
        "task": "knowledge.reconcile",
        "schedule": 5.0,
        "options": {"expires": 5},
    },
    "common.apply_retentions": {
        "task": "common.apply_retentions",
        "schedule": 600.0,
        "options": {"expires": 600},
    },
    "audit.seal": {
        "task": "audit.seal",
        "schedule": 10.0,
        "options": {"expires": 10},
    },
    "events.publish_audit_head": {
        "task": "events.publish_audit_head",
        "schedule": 3600.0,
        "options": {"expires": 3600},
    },
    "inference.settle_lost": {
        "task": "inference.settle_lost",
        "schedule": 30.0,
        "options": {"expires": 30},
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
    "learning.fit_calibrations": {
        "task": "learning.fit_calibrations",
        # At night in the server's time zone.
        "schedule": crontab(hour="3", minute="20"),
        "options": {"expires": 3600},
    },
    "ingest.reconcile_traces": {
        "task": "ingest.reconcile_traces",
        # A trace waits for this: no other wake-up is sent when it becomes due.
        "schedule": 1.0,
        "options": {"expires": 5},
    },
    "ingest.reconcile_bulks": {
        "task": "ingest.reconcile_bulks",
        "schedule": 5.0,
        "options": {"expires": 5},
    },
    "ingest.move_outputs": {
        "task": "ingest.move_outputs",
        "schedule": 60.0,
        "options": {"expires": 60},
    },
    "ingest.collect_outputs": {
        "task": "ingest.collect_outputs",
        "schedule": 86400.0,
        "options": {"expires": 86400},
    },
    "metrics.refresh": {
        "task": "metrics.refresh",
        "schedule": 10.0,
        "options": {"expires": 10},
    },
    "privacy.reconcile": {
        "task": "privacy.reconcile",
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
}
