# Two commands on a fresh machine: `make demo` and `make test`. Needs Python 3.11 or later and a package index.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --disable-pip-version-check --quiet --constraint constraints.txt

# Markers left out of `make test`: each needs a tool or more time.
EXTRA_MARKERS := model or browser or postgres or ocr or spark or statistical or slow

# Extras whose tests `make test-all` skips where they are not installed (2½ GB; see CONTRIBUTING.md).
EXTRAS := transformers,flair,formats,ocr,mail,frames,omop,utility,bridges,spark,annotate,serve,browser,docs

.PHONY: demo test test-all test-ci extras docs lint types gazetteers inputs weights nightly reproduce sbom clean

demo: $(VENV)/.installed
	$(BIN)/python -m dpdeid demo

test: $(VENV)/.test
	$(BIN)/python -m pytest -q -n 2 -m "not ($(EXTRA_MARKERS))"

test-all: $(VENV)/.test
	HYPOTHESIS_PROFILE=ci $(BIN)/python -m pytest -n 2 -rs

extras: $(VENV)/.extras ## what nearly all skipped tests need; then `make test-all` runs them too

test-ci: $(VENV)/.extras ## all tests; one that is skipped fails
	HYPOTHESIS_PROFILE=ci $(BIN)/python -m pytest -n 2 -p tests.no_skips

nightly: $(VENV)/.extras ## ten times the fuzz of test-all, other cases each day; 500 kills
	FUZZ_CASES=$${FUZZ_CASES:-1000000} FUZZ_SEED=$${FUZZ_SEED:-$$(date +%Y%m%d)} \
	  DPDEID_KILL_POINTS=500 $(BIN)/python -m pytest -n 2 -m slow --log-level=INFO -rP tests/fuzz \
	  tests/cli/releasing

sbom: $(VENV)/.installed .venv-sbom/.installed ## what is installed, with versions and licences
	.venv-sbom/bin/cyclonedx-py environment $(BIN)/python --pyproject pyproject.toml \
	  --mc-type library --output-reproducible -o sbom.json

.venv-sbom/.installed: pyproject.toml constraints.txt ## apart: what lists packages is none of them
	$(PYTHON) -m venv .venv-sbom
	.venv-sbom/bin/python -m pip install --disable-pip-version-check --quiet \
	  --constraint constraints.txt cyclonedx-bom
	@touch $@

docs: $(VENV)/.docs ## the pages of docs as a site, in site/; asks no network once its tools are there
	$(BIN)/python -m mkdocs build --strict

lint: $(VENV)/.lint
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/.lint
	$(BIN)/mypy dpdeid benchmarks

gazetteers: $(VENV)/.installed ## rebuild the shipped lists from their packages
	$(BIN)/python gazetteers/build.py

inputs: $(VENV)/.installed ## record what feeds the shipped taggers, once they were scored with it
	$(BIN)/python -c 'from dpdeid.detect.taggers.inputs import record_shipped; record_shipped()'

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "dpdeid needs Python 3.11 or later: make PYTHON=python3.11 …"; exit 2; }
	$(PYTHON) -m venv $(VENV)

$(VENV)/.installed: pyproject.toml constraints.txt | $(VENV)/bin/python
	$(PIP) --editable .
	@touch $@

$(VENV)/.test: pyproject.toml constraints.txt | $(VENV)/bin/python
	$(PIP) --editable '.[test]'
	@touch $@

$(VENV)/.lint: pyproject.toml constraints.txt | $(VENV)/bin/python
	$(PIP) --editable '.[test,lint]'
	@touch $@

$(VENV)/.docs: pyproject.toml constraints.txt | $(VENV)/bin/python
	$(PIP) --editable '.[docs]'
	@touch $@

$(VENV)/.extras: pyproject.toml constraints.txt | $(VENV)/bin/python
	$(PIP) --editable '.[test,$(EXTRAS)]'
	@touch $@

weights: $(VENV)/.test ## rebuild the weights of places (minutes); a test re-checks the shipped ones
	$(BIN)/python gazetteers/weigh.py

reproduce: $(VENV)/.test ## the figures of README and docs again; DATA: a folder with what is not shipped
	$(BIN)/python benchmarks/reproduce.py $(if $(DATA),--data $(DATA))

clean:
	rm -rf $(VENV) .venv-sbom sbom.json site build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
