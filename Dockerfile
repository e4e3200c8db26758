# One image for web, worker, beat and the preparation before them.
ARG BASE=python:3.11.11-slim-bookworm@sha256:081075da77b2b55c23c088251026fb69a7b2bf92471e491ff5fd75c192fd38e5
FROM ${BASE}

ENV PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1 \
    PIP_NO_CACHE_DIR=1 \
    PIP_DISABLE_PIP_VERSION_CHECK=1 \
    MALLOC_ARENA_MAX=2 \
    VERIFYHUB_HOME=/var/lib/verifyhub

WORKDIR /app

COPY requirements/run.lock requirements/run.lock
RUN pip install --require-hashes --requirement requirements/run.lock

COPY pyproject.toml README.md LICENSE manage.py ./
COPY client client
COPY verifyhub verifyhub
# Compiled once here: no process writes it, and each would do it anew.
RUN pip install --no-deps --no-build-isolation --no-index --editable client --editable . \
    && python -m compileall -q verifyhub client \
    && useradd --uid 10001 --create-home --shell /usr/sbin/nologin verifyhub \
    && install --directory --owner verifyhub --mode 0700 \
        "$VERIFYHUB_HOME" /var/lib/verifyhub-proxy

USER verifyhub
VOLUME ["/var/lib/verifyhub"]
EXPOSE 8000
CMD ["gunicorn", "--config", "python:verifyhub.config.gunicorn"]
