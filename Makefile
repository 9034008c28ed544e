# `make help` lists the targets. Everything is installed into .venv; outside this folder only caches change.

PYTHON  ?= python3
WORKERS ?= 2
SEEDS   ?= 2000
FROM    ?= 0
EXTRAS  := cli,codegen,spark,demo,dev
SCHEMAS := schema/messenger schema/tracker
SOURCES := runtime generated codegen spark
PINNED  := .ci/versions.txt
READY   := .venv/ready
BIN     := .venv/bin

.DEFAULT_GOAL := help
.PHONY: help setup java installed run test test-deep sim check lint types drift generate bench versions clean

help: ## list the targets
	@sed -n 's/^\([a-z-]*\):[^#]*## /\1 @ /p' $(MAKEFILE_LIST) | while IFS=@ read -r name text; do printf 'make %-11s%s\n' "$$name" "$$text"; done

setup: $(READY) installed ## make .venv and install pillarbox with what it needs into it

run: setup ## generate both packages, ingest a real archive by Spark, show it, commit into live views
	@for schema in $(SCHEMAS); do $(BIN)/pillarbox generate $$schema --out generated || exit; done
	$(BIN)/python -m examples.demo

test: setup ## run the tests (WORKERS=2 processes)
	$(BIN)/python -m pytest -n $(WORKERS)

test-deep: setup ## run the tests with 2,000 examples for each law, and simulate 40,000 seeds
	HYPOTHESIS_PROFILE=deep $(BIN)/python -m pytest -n $(WORKERS)
	$(BIN)/python -m pillarbox.testing --seeds 40000

sim: $(READY) ## simulate servers, networks and crashes by SEEDS=2000 seeds from FROM=0 on
	$(BIN)/python -m pillarbox.testing --seeds $(SEEDS) --from $(FROM)
	$(BIN)/python -m pillarbox.testing --seeds $$(($(SEEDS) / 10 + 1)) --from $(FROM) --server tests.sim.messenger_server:MessengerServer
	$(BIN)/python -m pillarbox.testing --seeds $$(($(SEEDS) / 10 + 1)) --from $(FROM) --server tests.sim.bot_server:BotServer
	$(BIN)/python -m pillarbox.testing --seeds $$(($(SEEDS) / 10 + 1)) --from $(FROM) --server tests.sim.bot_server:TellingBotServer
	$(BIN)/python -m pillarbox.testing --seeds $$(($(SEEDS) / 10 + 1)) --from $(FROM) --server tests.sim.halls_server:HallServer
	$(BIN)/python -m pillarbox.testing --seeds $$(($(SEEDS) / 10 + 1)) --from $(FROM) --server tests.sim.leaving_server:LeavingServer
	$(BIN)/python -m pillarbox.testing --seeds $$(($(SEEDS) / 10 + 1)) --from $(FROM) --server tests.sim.replying_server:ReplyingServer
	$(BIN)/python -m pillarbox.testing --seeds $$(($(SEEDS) / 10 + 1)) --from $(FROM) --server tests.sim.signing_server:SigningServer
	$(BIN)/python -m pillarbox.testing --seeds $$(($(SEEDS) / 10 + 1)) --from $(FROM) --server tests.sim.wishing_server:WishingServer

check: lint types drift test ## what a change must pass before it is committed

lint: $(READY) ## style, formatting, import directions
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports

types: $(READY) ## strict mypy over everything, generated code and tests included
	$(BIN)/mypy

drift: $(READY) ## generated/ is exactly what schema/ generates
	@for schema in $(SCHEMAS); do $(BIN)/pillarbox generate $$schema --out generated --check || exit; done

generate: $(READY) ## rewrite generated/ from schema/
	@for schema in $(SCHEMAS); do $(BIN)/pillarbox generate $$schema --out generated || exit; done

bench: setup ## run the benchmarks and print their tables
	$(BIN)/python -m benchmarks.run

versions: $(READY) ## install the newest of all that pyproject.toml allows, and pin it in .ci/versions.txt
	@$(BIN)/python -m pip install -qq --upgrade --upgrade-strategy eager --editable '.[$(EXTRAS)]'
	@{ head -n 1 $(PINNED) && $(BIN)/python -m pip freeze --exclude-editable; } > $(READY)
	@cp $(READY) $(PINNED) && touch $(READY)

clean: ## remove everything that make made, .venv included
	rm -rf .venv build dist *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -prune -exec rm -rf {} +

$(READY): pyproject.toml $(PINNED)
	@$(PYTHON) -c 'import sys, ensurepip, venv; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
	  echo "make: needs Python 3.11 or newer with venv, found: $$($(PYTHON) --version 2>&1 | head -n 1); install python3 and python3-venv, or name another with make PYTHON=..." >&2; exit 1; }
	@echo "Setting up .venv; the first time downloads about 600 MB, most of it Spark ..."
	@$(PYTHON) -m venv .venv
	@$(BIN)/python -m pip install -qq --constraint $(PINNED) --editable '.[$(EXTRAS)]' || { \
	  echo "make: not all of $(PINNED) can be had here; trying what pyproject.toml allows" >&2; \
	  $(BIN)/python -m pip install -qq --editable '.[$(EXTRAS)]'; }
	@# Type checkers and editors find packages by paths; of what pip does for --editable they know nothing.
	@$(BIN)/python -c 'import os, sys, sysconfig; \
	  lines = [os.fsencode(os.path.abspath(name)) + b"\n" for name in sys.argv[1:]]; \
	  open(os.path.join(sysconfig.get_path("purelib"), "pillarbox-sources.pth"), "wb").writelines(lines)' $(SOURCES)
	@$(BIN)/python -m pillarbox.native || echo "make: no C compiler: pillarbox runs its Python paths"
	@touch $@

java: $(READY)
	@$(BIN)/python -m pillarbox_spark.java >/dev/null 2>&1 || { \
	  echo "This machine has no Java that Spark runs on: putting one into .venv, about 35 MB ..."; \
	  $(BIN)/python -m pip install -qq --editable '.[java]' || echo "make: without Java, jobs run by --engine inline only" >&2; }

installed: $(READY) java
	@echo "Installed in .venv: $$($(BIN)/python --version),$$($(BIN)/python -m pip list --format=freeze 2>/dev/null | sed -e 's/==/ /' -e 's/$$/,/' | tr '\n' ' ' | sed -e 's/^/ /' -e 's/, $$/./')"
	@echo "Spark will run on Java $$($(BIN)/python -m pillarbox_spark.java)"
