# Two commands do everything: `make play` and `make test`. Each sets up what it needs.
# `make quick` is what one runs between two commits.

PYTHON ?= python3
BIN := .venv/bin
READY := .venv/.ready
BENCH := .venv-bench
DOCS := site
# The last commit before any work on compiling: the first start is measured beside it.
BEFORE ?= 6e795d9
# The engine, what holds for every game, and each game's own folder of rules.
QUICK := tests/engine tests/laws $(patsubst src/pelagos/games/%/__init__.py,tests/%,$(wildcard src/pelagos/games/*/__init__.py))

.PHONY: help setup play test quick lint types compile unit replay soak bench browser pictures docs gpu clean

help:
	@echo "make play    tables in your browser"
	@echo "make test    lint, types, all tests"
	@echo "make quick   lint, types, rules and laws, in two minutes"
	@echo "make browser of these tests, those in Chromium and Firefox"
	@echo "make soak    the long campaigns"
	@echo "make bench   speed, next to the peers"
	@echo "make gpu     on a machine with an NVIDIA GPU: its tests and its speed"
	@echo "make pictures  pictures of every table, from fixed deals"
	@echo "make docs    build the documentation into site/"

setup: $(READY)

$(READY): pyproject.toml tests/minnows/pyproject.toml
	@echo "Setting up .venv (the first time takes a minute or two) …"
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	@echo "· pip";           $(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade "pip>=25.1"
	@echo "· Pelagos and its tools (numba is the large one)"
	@$(BIN)/python -m pip install --disable-pip-version-check --editable . --group dev 2>&1 | grep -E "^(Collecting|Installing|Successfully|ERROR)" || true
	@$(BIN)/python -c "import pelagos, numba, pytest"
	@echo "· minnows, the tests' foreign game"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable tests/minnows
	@touch $@

play: $(READY)
	@$(BIN)/pelagos serve --open

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports
	$(BIN)/python tools/lint_pages.py

types: $(READY)
	$(BIN)/mypy src/pelagos

# Before several processes ask for the same rules, each for itself.
compile: $(READY)
	$(BIN)/python tests/compile_all.py

unit: $(READY)
	$(BIN)/python -m pytest -n 2 --dist worksteal

# What went wrong in a simulated schedule, step by step: `make replay SEED=1234`.
replay: $(READY)
	@PYTHONPATH=tests $(BIN)/python -m simulation $(SEED)

# By themselves: Playwright leaves a loop running, which other tests' asyncio.run can't bear.
browser: $(READY)
	$(BIN)/python -m pytest -n 2 --dist worksteal tests/chromium tests/firefox

# Both at once: where one waits, for a page or a clock, the other goes on.
test: $(READY)
	$(MAKE) --jobs 2 lint types compile
	$(MAKE) --jobs 2 unit browser

quick: $(READY)
	$(MAKE) --jobs 2 lint types
	$(BIN)/python -m pytest -n 2 --dist worksteal -m "not thorough" $(QUICK)

soak: $(READY)
	@echo "· Ray, for the cluster's test (240 MB)"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable ".[cluster]"
	PELAGOS_SOAK=1 $(BIN)/python -m pytest -n 2 --dist worksteal
	PELAGOS_SOAK=1 $(BIN)/python -m pytest -n 2 --dist worksteal tests/chromium tests/firefox
	$(BIN)/python -m pelagos.arena.campaigns bench/campaigns.toml --processes 2
	$(BIN)/python bench/coach.py campaign --out bench/coach --processes 2 --check

bench: $(READY) $(BENCH)/.ready
	$(BIN)/python bench/run.py --peers $(BENCH)/bin/python --json bench/results.json
	$(BIN)/python bench/doors.py --peers $(BENCH)/bin/python --json bench/doors.json
	$(BIN)/python bench/tables.py --json bench/tables.json
	$(BIN)/python bench/phones.py --json bench/phones.json
	$(BIN)/python bench/start.py --against $(BEFORE) --json bench/start.json
	$(BIN)/python bench/coach.py speed --json bench/coach.json
	$(BIN)/python bench/wasm.py --json bench/wasm.json
	$(BIN)/python bench/pocket.py --json bench/pocket.json

$(BENCH)/.ready: bench/peers.txt
	@echo "Setting up $(BENCH) with the peers (about 800 MB) …"
	@test -x $(BENCH)/bin/python || $(PYTHON) -m venv $(BENCH)
	@$(BENCH)/bin/python -m pip install --quiet --disable-pip-version-check -r bench/peers.txt
	@touch $@

# With Pelagos itself, to be tried at once; hosts show one page for what they haven't, and that of the
# games leads their deep links home.
docs: $(READY)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --group docs
	$(BIN)/mkdocs build --strict --site-dir $(DOCS)
	$(BIN)/pelagos site $(DOCS)/try --own
	cp $(DOCS)/try/404.html $(DOCS)/404.html

pictures: $(READY)
	$(BIN)/python tools/pictures.py

gpu: $(READY)
	@echo "· numba-cuda and torch, for the GPU (some gigabytes)"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable ".[gpu]" torch
	$(BIN)/python -m pytest tests/gpu tests/envs/test_ppo.py
	$(BIN)/python bench/gpu.py --json bench/gpu.json

clean:
	rm -rf .venv $(BENCH) site
