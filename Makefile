# The commands of this repository. `make` lists them.
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help setup demo test examples bench clean

PYTHON ?=
PYTEST_ARGS ?=
READY := .venv/.ready

help:  ## Show this list
	@sed -nE 's/^([a-z]+):.*## (.*)/  make \1@\2/p' Makefile | awk -F@ '{ printf "%-18s %s\n", $$1, $$2 }'

setup: $(READY)  ## Make .venv with all that is needed (PYTHON=... chooses its Python, 3.10 to 3.12)

# Prefers 3.11, which is tested most. What is named python3.12 may be a stub that does not run.
# A .venv that an interrupted setup left is made anew; one that was set up is brought up to date.
$(READY): pyproject.toml constraints.txt
	@set -eu; \
	fits='import sys; sys.exit(not (3, 10) <= sys.version_info[:2] <= (3, 12))'; \
	found=; \
	for python in $(if $(PYTHON),'$(PYTHON)',python3.11 python3.12 python3.10 python3); do \
	    if "$$python" -c "$$fits" >/dev/null 2>&1; then found=$$python; break; fi; \
	done; \
	if [ -z "$$found" ]; then \
	    echo "mindstep needs Python 3.10, 3.11 or 3.12, and $(if $(PYTHON),$(PYTHON) is none of them,none was found): name one with make setup PYTHON=/path/to/python3.11" >&2; \
	    exit 2; \
	fi; \
	if [ -e .venv/.unfinished ] || ! .venv/bin/python -c "$$fits" >/dev/null 2>&1; then \
	    rm -rf .venv; \
	fi; \
	mkdir -p .venv; \
	touch .venv/.unfinished; \
	if [ ! -e .venv/bin/python ]; then \
	    "$$found" -m venv .venv; \
	fi; \
	echo "Installing MindSpore and the rest into .venv with $$(.venv/bin/python --version): about 1 GB, a few minutes."; \
	.venv/bin/python -m pip install --disable-pip-version-check -c constraints.txt -e '.[test]'; \
	rm .venv/.unfinished; \
	touch $(READY)

demo: $(READY)  ## Render a project into ./demo and train it: a network that reads digits
	@.venv/bin/mindstep demo

test: $(READY)  ## Run all tests, a worker for each core (PYTEST_ARGS="-k name" selects)
	@.venv/bin/python -m pytest -n auto --dist worksteal $(PYTEST_ARGS)

examples: $(READY)  ## Render examples_generated/ again
	@.venv/bin/mindstep examples

bench: $(READY)  ## Measure renders and training steps
	@.venv/bin/python -m tests.bench

clean:  ## Remove .venv, caches and what the demo made
	rm -rf .venv demo build dist *.egg-info .pytest_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
