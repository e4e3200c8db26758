"""The worker: `python -m verifyhub.config.worker`.

The same as `celery --app verifyhub.config worker --without-gossip --without-mingle`,
without the imports of Celery's command line.
"""

import sys

from verifyhub.config.celery import app


def main() -> int:
    """Run until a signal ends the worker; return its exit status."""
    # Workers need not talk to each other: they share rows in PostgreSQL.
    worker = app.Worker(without_gossip=True, without_mingle=True)
    worker.start()
    return int(worker.exitcode or 0)


if __name__ == "__main__":
    sys.exit(main())
