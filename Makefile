# The commands people and continuous integration share.
PYTHON ?= $(shell for name in python3 python3.14 python3.13 python3.12 python3.11; do \
	$$name -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null \
	&& { echo $$name; break; }; done)
BIN := .venv/bin
# Where it is set, each process would compile the whole program anew.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help python install setup up dev check format test test-deep test-model mutants chaos cluster liar schemathesis fuzz soak upgrade secrets decisions messages screenshots wheel sbom audit

help:
	@echo "make up      start everything on this machine (PORT=8000)"
	@echo "make test    check and test everything"
	@echo "make test-deep  run the tests that take long, too (CONTRIBUTING.md)"
	@echo "make test-model  test with a real small model (compiles it at first)"
	@echo "make upgrade  upgrade former versions to this one and back while runs come in"
	@echo "make mutants  change the program in small ways, see what the tests notice (ARGS=--help)"
	@echo "make chaos   break a running system while runs come in, look whether any is lost (ARGS=--help)"
	@echo "make cluster  the same on machines of their own that are cut off and lost (ARGS=--help)"
	@echo "make liar    let a lying model answer a million times (ARGS=--help)"
	@echo "make schemathesis  requests made from the OpenAPI document (CASES=50000)"
	@echo "make fuzz    make inputs for every reader by the code they reach (MINUTES=120)"
	@echo "make soak    use a system for long, look whether anything grows (MINUTES=90)"
	@echo "make setup   install what development needs"
	@echo "make dev     as up, with debugging pages"
	@echo "make check   style, types, import contracts, migrations"
	@echo "make decisions  write the decision table into docs/verdict.md"
	@echo "make messages  bring the translations up to date and compile them"
	@echo "make screenshots  take the pictures of docs/images from the demo"
	@echo "make format  bring the code into shape"
	@echo "make wheel   build what \`pip install dist/*.whl\` installs elsewhere"
	@echo "make sbom    list what VerifyHub is made of (CycloneDX), with licences"
	@echo "make audit   hold its packages against known advisories, where they can be asked for"
	@echo "make secrets write what docker-compose.yml reads below ./secrets"

python:
	@test -n "$(PYTHON)" || { echo "VerifyHub needs Python 3.11 or newer."; exit 1; }

install: python
	@$(PYTHON) -m verifyhub.cli.install

setup: python
	@$(PYTHON) -m verifyhub.cli.install --dev

up: install
	@exec $(BIN)/verifyhub up

dev: setup
	@VERIFYHUB_DEBUG=1 VERIFYHUB_LOG_LEVEL=$${VERIFYHUB_LOG_LEVEL:-DEBUG} exec $(BIN)/verifyhub up

check: setup
	@$(BIN)/python -m tests.suite --check

# Setuptools would put what an earlier build left into the wheel.
wheel: install
	@rm -rf dist build client/build
	@$(BIN)/python -m pip wheel --quiet --no-deps --no-build-isolation --no-index --wheel-dir dist ./client .
	@rm -rf build client/build
	@ls dist/*.whl

sbom: setup
	@$(BIN)/python -m tests.sbom

audit: setup
	@$(BIN)/python -m tests.advisories

secrets: python
	@$(PYTHON) -m verifyhub.cli.compose_secrets

format: setup
	@$(BIN)/ruff check --fix --quiet . || true
	@$(BIN)/ruff format .

test: setup
	@$(BIN)/python -m tests.suite

# Helm's own engine and Kubernetes' schemas, beside the environment: 80 MB.
DEPLOY := .verifyhub-deploy/packages
test-deep: setup
	@test -d $(DEPLOY)/helm_python || $(BIN)/python -m pip install --quiet --no-deps --require-hashes --target $(DEPLOY) -r requirements/deploy.lock
	@$(BIN)/python -m tests.suite deep

test-model: setup
	@$(BIN)/python -m tests.realmodel

mutants: setup
	@$(BIN)/python -m tests.mutants $(ARGS)

chaos: setup
	@$(BIN)/python -m tests.chaos $(ARGS)

cluster: setup
	@$(BIN)/python -m tests.cluster $(ARGS)

liar: setup
	@$(BIN)/python -m tests.liar $(ARGS)

CASES ?= 50000
schemathesis: setup
	@SCHEMATHESIS_CASES=$(CASES) $(BIN)/python -m tests.suite deep tests/api/test_schemathesis.py -n0 --timeout=0

# Beside the environment: nothing else needs it, and not every machine has it built.
MINUTES ?=
FUZZ := .verifyhub-fuzz/packages
fuzz: setup
	@test -d $(FUZZ)/atheris || $(BIN)/python -m pip install --quiet --no-deps --require-hashes --target $(FUZZ) -r requirements/fuzz.lock
	@$(BIN)/python -m tests.fuzz --minutes $(or $(MINUTES),120) $(ARGS)

soak: setup
	@$(BIN)/python -m tests.soak --minutes $(or $(MINUTES),90) $(ARGS)

upgrade: setup
	@$(BIN)/python -m tests.upgrade $(ARGS)

decisions: setup
	$(BIN)/python -m tests.decision_table

messages: setup
	@VERIFYHUB_SECRET_KEY=messages DATABASE_URL=postgresql://127.0.0.1:1/none $(BIN)/python -m tests.translations

screenshots: setup
	@$(BIN)/python -m tests.screenshots
