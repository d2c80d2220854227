# Everything from a bare machine: Python 3.11 or newer, git and make. `make help` lists what there is.

PIP := -m pip --disable-pip-version-check --no-input install --quiet
PY := .venv/bin/python
DATA ?= benchmarks/data/paraphrase
BENCH ?= retrieval latency packs
RESULTS ?= benchmarks/results
CODE := src tests scripts $(wildcard benchmarks examples)
WORKERS ?= auto

# What the wheel is made of; a missing file is the build's to complain about.
PACKED := pyproject.toml $(wildcard README.md LICENSE NOTICE) $(shell find src -type f ! -name '*.pyc' | sort)

.DEFAULT_GOAL := help
.PHONY: help demo test lint bench clients docs inspector clean
.DELETE_ON_ERROR:

help: ## list the targets
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/make \1	\2/p' Makefile

demo: .venv/.ready ## fill a throw-away store from this repository and ask it
	@$(PY) scripts/demo.py

test: .venv/.ready .venv-wheel/.ready ## run every test; surfaces run the built wheel
	CLEW_WHEEL_BIN=$(CURDIR)/.venv-wheel/bin $(PY) -m pytest -n $(WORKERS) $(ARGS)

lint: .venv/.ready ## style, format and types
	$(PY) -m ruff check $(CODE)
	$(PY) -m ruff format --check $(CODE)
	$(PY) -m mypy

bench: .venv/.ready ## measure: make bench [BENCH=retrieval] [DATA=folder] [RESULTS=folder]
	@mkdir -p $(RESULTS)
	@set -e; for bench in $(BENCH); do \
		case $$bench in retrieval) args="$(DATA)" ;; *) args= ;; esac; \
		echo "== $$bench $$args"; \
		$(PY) -m benchmarks.$$bench $$args --json $(RESULTS)/$$bench.json; \
	done

clients: .venv/.ready .venv-wheel/.ready ## drive the real Claude Code, Codex and Cline against a scripted model (needs npm and Linux)
	$(PY) -m scripts.clients.run claude codex cline --clew .venv-wheel/bin/clew --results docs/clients-results.md

docs: .venv/.ready ## regenerate docs/cli.md from the commands themselves
	$(PY) scripts/docs.py docs/cli.md

inspector: .venv-wheel/.ready ## list and call every MCP tool with the protocol's own Inspector (npm, once)
	scripts/inspector.sh .inspector $(CURDIR)/.venv-wheel/bin/clew

clean: ## remove everything that make made
	rm -rf .venv .venv-wheel dist build .demo .inspector .clients .hypothesis .mypy_cache .ruff_cache .pytest_cache
	find src tests scripts benchmarks -name __pycache__ -type d -prune -exec rm -rf {} + 2>/dev/null || true

.venv/.ready: pyproject.toml scripts/venv.sh
	@test -x $(PY) || sh scripts/venv.sh .venv
	@echo ".venv: installing clew and its tools"
	@$(PY) $(PIP) -e '.[dev]'
	@touch $@

# The wheel and what it asks for at run time, nothing of ours besides: a file left out of the wheel fails here, not at a user's.
.venv-wheel/.ready: $(PACKED) .venv/.ready
	@rm -rf dist
	@$(PY) -m build --wheel --no-isolation --outdir dist >/dev/null
	@test -x .venv-wheel/bin/python || PYTHON=$(PY) sh scripts/venv.sh .venv-wheel
	@.venv-wheel/bin/python $(PIP) dist/*.whl
	@.venv-wheel/bin/python $(PIP) --force-reinstall --no-deps dist/*.whl
	@touch $@
