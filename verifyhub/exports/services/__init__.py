"""Writes of exports, each in one transaction except for files."""

from verifyhub.exports.services.destinations import (
    delete_destination,
    save_destination,
    try_destination,
)
from verifyhub.exports.services.jobs import (
    EXPORT_RETENTION,
    QUEUE,
    delete_export,
    forget_files_since,
    open_export,
)
from verifyhub.exports.services.run import run_export
from verifyhub.exports.services.schedules import (
    delete_schedule,
    next_run,
    run_now,
    save_schedule,
    start_due,
)
