"""The worker: `python -m verifyhub.config.worker`.

The same as `celery --app verifyhub.config worker --without-gossip --without-mingle`,
without what Celery's command line loads: a prompt, its colours and its completion.
"""

import sys

from verifyhub.config.celery import app


def main() -> int:
    """Run until a signal ends the worker; return its exit status."""
    # Neither talking to other workers nor asking them at the start serves anybody here:
    # what they share is rows in PostgreSQL.
    worker = app.Worker(without_gossip=True, without_mingle=True)
    worker.start()
    return int(worker.exitcode or 0)


if __name__ == "__main__":
    sys.exit(main())
