# Needs Python 3.11 or newer and a package index; everything is installed into .venv, from the locks.
# No target asks for root. Say PYTHON=… for another interpreter, PORT=… for another port.

PYTHON ?= python3
PORT ?= 8000
N ?= 2000
MINUTES ?= 60
RATE ?= 20
LOCK ?= runtime
PYTEST_ARGS ?= -n auto
BENCH_MODULE ?= bench

VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check
# --no-config and --custom-compile-command keep this machine out of the locks.
COMPILE = $(BIN)/uv pip compile --quiet --no-config --universal --python-version 3.11 --generate-hashes \
	--no-emit-index-url --custom-compile-command "make lock" $(UPGRADE)
CODE = $(wildcard service tests bench tools/*.py tools/openapi tools/generators)

.DEFAULT_GOAL := help
.PHONY: help serve test lint format bench siege playouts fuzz slowest golden records conformance rule-index perft soak lock openapi game remove-game release sbom clean coverage generators
.DELETE_ON_ERROR:

help: ## print this
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-11s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

serve: $(VENV)/.runtime ## answer on PORT (8000)
	PORT=$(PORT) exec $(BIN)/capomastro serve

test: $(VENV)/.development ## run the tests (PYTEST_ARGS="-k auction -x")
	$(BIN)/python -m pytest $(PYTEST_ARGS)

lint: $(VENV)/.development ## check style and types
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy --strict $(CODE)

format: $(VENV)/.development ## let ruff repair what it can
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

bench: $(VENV)/.bench ## measure, side by side with others, in one run
	$(BIN)/python -m $(BENCH_MODULE)

siege: $(VENV)/.development ## measure how long health and a small transition take while the service is besieged
	$(BIN)/python -m bench.siege

playouts: $(VENV)/.development ## play N (2000) random games per player count and variant, every ply audited
	$(BIN)/python -m bench.playouts --games $(N)

fuzz: N = 50000
fuzz: $(VENV)/.development ## ask N (50000) mutated requests and hold every answer against the specification; goes on where it was (FUZZ="--seed 2")
	$(BIN)/python -m tests.campaigns.fuzz --requests $(N) $(FUZZ)

coverage: $(VENV)/.development ## a case of schemathesis for every keyword of every schema, of every operation: minutes
	CAPOMASTRO_TEST_COVERAGE=whole $(BIN)/python -m pytest tests/api/test_schemathesis.py -k keeps_to $(PYTEST_ARGS)

slowest: $(VENV)/.development ## search for the requests that take the most CPU (SLOWEST="--seconds 60 --keep 5")
	$(BIN)/python -m tests.campaigns.slowest $(SLOWEST)

golden: $(VENV)/.development ## write the playthroughs in tests/golden anew
	$(BIN)/python tools/make_golden.py

records: $(VENV)/.development ## make the recorded games in conformance anew, after a change of rules (RECORDS="palazzo reshuffle")
	$(BIN)/python tools/make_records.py $(RECORDS)

conformance: $(VENV)/.development ## write the vectors of conformance anew, and what is missing of its set-ups of perft
	$(BIN)/python tools/make_conformance.py

soak: $(VENV)/.development ## mixed load for MINUTES (60) through nginx and two instances that are killed meanwhile (RATE=20)
	$(BIN)/python -m bench.soak --minutes $(MINUTES) --rate $(RATE)

rule-index: $(VENV)/.development ## say anew what each rule governs and what in conformance shows it
	$(BIN)/python tools/make_rule_index.py

perft: $(VENV)/.runtime ## count all set-ups of perft to their full depth
	$(BIN)/capomastro perft conformance/*/perft/*.json

openapi: $(VENV)/.development ## write openapi.yaml and openapi.json anew
	$(BIN)/python -m tools.openapi

game: $(VENV)/.development ## write the skeleton of a new game (NAME=two-towers)
	$(BIN)/python tools/new_game.py $(NAME)

remove-game: $(VENV)/.development ## remove an unfinished game again, with all that is in its folders (NAME=two-towers)
	$(BIN)/python tools/new_game.py $(NAME) --remove

release: $(VENV)/.development ## date the changelog, check, commit, tag and build VERSION into dist, with its SBOM; push nothing
	$(BIN)/python tools/release.py $(VERSION)
	$(MAKE) sbom
	mv capomastro.cdx.json dist/

generators: $(VENV)/.generators ## try out what linters and generators of clients make of openapi.json (needs Node 20)
	$(BIN)/python -m tools.generators

lock: $(VENV)/.development ## write the locks anew (UPGRADE=--upgrade for newer versions)
	$(COMPILE) pyproject.toml -o locks/runtime.txt
	$(COMPILE) pyproject.toml --constraint locks/runtime.txt --extra cluster -o locks/cluster.txt
	$(COMPILE) pyproject.toml --constraint locks/cluster.txt --extra cluster --group bench -o locks/bench.txt
	$(COMPILE) pyproject.toml --constraint locks/bench.txt --extra cluster --group development -o locks/development.txt
	$(COMPILE) --constraint locks/bench.txt --group build -o locks/build.txt
	$(COMPILE) --group sbom -o locks/sbom.txt
	$(COMPILE) --group generators -o locks/generators.txt

# Of an environment installed as the image is, so that licences and who needs whom are known.
sbom: $(VENV)/.sbom ## write what the service is made of to capomastro.cdx.json, as CycloneDX (LOCK=cluster: with Dask)
	rm -rf $(VENV)/product
	LOCK=$(LOCK) PYTHON=$(PYTHON) sh tools/install-wheel.sh $(VENV)/product
	$(VENV)/sbom/bin/cyclonedx-py environment $(VENV)/product/bin/python --pyproject pyproject.toml \
		--mc-type application --output-reproducible --of JSON -o capomastro.cdx.json

clean: ## remove what the other targets made
	rm -rf $(VENV) dist build tools/generators/node_modules capomastro.cdx.json .pytest_cache .mypy_cache .ruff_cache .hypothesis .schemathesis schemathesis-report
	find $(wildcard service tests bench tools) -name __pycache__ -type d -prune -exec rm -rf {} +

# One environment that grows with what is asked of it; a stamp per lock, so that nothing is installed twice.
$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed: make PYTHON=python3.x …")'
	$(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); exit 1; }

$(VENV)/.runtime: locks/runtime.txt locks/build.txt pyproject.toml | $(BIN)/python
	$(PIP) install --quiet --require-hashes -r locks/runtime.txt -r locks/build.txt
	$(PIP) install --quiet --no-deps --no-build-isolation --editable .
	@touch $@

$(VENV)/.development: locks/development.txt $(VENV)/.runtime
	$(PIP) install --quiet --require-hashes -r locks/development.txt
	@touch $@

$(VENV)/.sbom: locks/sbom.txt | $(BIN)/python
	$(PYTHON) -m venv $(VENV)/sbom
	$(VENV)/sbom/bin/python -m pip --disable-pip-version-check install --quiet --require-hashes -r locks/sbom.txt
	@touch $@

$(VENV)/.generators: locks/generators.txt tools/generators/package-lock.json $(VENV)/.development
	$(PYTHON) -m venv $(VENV)/generators
	$(VENV)/generators/bin/python -m pip --disable-pip-version-check install --quiet --require-hashes -r locks/generators.txt
	cd tools/generators && npm ci
	@touch $@

# --no-build-isolation: chess comes as source, and is built with the setuptools that the development lock pins.
$(VENV)/.bench: locks/bench.txt $(VENV)/.development
	$(PIP) install --quiet --require-hashes --no-build-isolation -r locks/bench.txt
	@touch $@
