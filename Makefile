# Needs Python 3.11 or newer and a package index; everything is installed into .venv, from the locks.
# No target asks for root. Say PYTHON=… for another interpreter, PORT=… for another port.

PYTHON ?= python3
PORT ?= 8000
N ?= 2000
MINUTES ?= 60
RATE ?= 20
LOCK ?= runtime
SBOM ?= capomastro.cdx.json
# Idle workers take tests from busy ones.
PYTEST_ARGS ?= -n auto --dist worksteal
BENCH_MODULE ?= bench

VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check
# --no-config and --custom-compile-command keep this machine out of the locks.
COMPILE = $(BIN)/uv pip compile --quiet --no-config --universal --python-version 3.11 --generate-hashes \
	--no-emit-index-url --custom-compile-command "make lock" $(UPGRADE)
CODE = $(wildcard service tests bench tools/*.py tools/openapi tools/schemas tools/generators tools/clients tools/contract clients/tests/*.py)
CONTRACT := openapi.yaml $(wildcard schemas/*/*.json tools/openapi/*.py)
# The client in TypeScript needs Node; all else does without.
NODE := $(shell command -v node)
CLIENTS := $(VENV)/.client-python $(if $(NODE),$(VENV)/.client-typescript)
GAMES ?= 1

# The tests start hundreds of interpreters and rewrite their assertions in each worker: without bytecode on disk, each of
# them compiles everything again. `make clean` removes it.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: playing-on tables sheets checks readme-picture help serve test lint format bench instructions siege playouts fuzz slowest golden records renew-records conformance rule-index perft soak lock openapi schemas game remove-game release sbom clean coverage generators test-pages clients test-clients
.DELETE_ON_ERROR:

help: ## print this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-16s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

serve: $(VENV)/.specification ## run the service on PORT (8000)
	PORT=$(PORT) exec $(BIN)/capomastro serve

test: $(VENV)/.development ## run the tests (PYTEST_ARGS="-k auction -x")
	$(BIN)/python -m pytest $(PYTEST_ARGS)

test-pages: $(VENV)/.pages ## check the types of the pages and test them in Chromium (CHROMIUM=path; needs Node 20)
	mkdir -p build/pages
	tools/pages/node_modules/.bin/openapi-typescript build/openapi/openapi.json --output build/pages/api.d.ts
	tools/pages/node_modules/.bin/tsc --project tools/pages/tsconfig.json
	$(BIN)/python -m pytest tests/pages $(PYTEST_ARGS)

lint: $(VENV)/.development ## check style, types, layers and the subjects of commits
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/lint-imports --no-logo
	$(BIN)/python tools/commits.py
	$(BIN)/mypy --strict $(CODE)

format: $(VENV)/.development ## fix style with ruff
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

bench: $(VENV)/.bench ## measure speed side by side with other engines
	$(BIN)/python -m $(BENCH_MODULE)

instructions: $(VENV)/.bench ## count the instructions of a move, a request and a decision of each game (needs valgrind)
	$(BIN)/python -m bench.instructions

siege: $(VENV)/.development ## measure response times while the service is under attack
	$(BIN)/python -m bench.siege

playouts: $(VENV)/.development ## play N (2000) random games per number of players and variant, auditing every ply
	$(BIN)/python -m bench.playouts --games $(N)

fuzz: N = 50000
fuzz: $(VENV)/.development ## send N (50000) mutated requests and check every answer against the specification; resumes (FUZZ="--seed 2")
	$(BIN)/python -m tests.campaigns.fuzz --requests $(N) $(FUZZ)

playing-on: N = 2000
playing-on: $(VENV)/.development ## change N (2000) states of each game and play on from those that audits accept; resumes (PLAYING_ON="--game palazzo")
	$(BIN)/python -m tests.campaigns.playing_on --states $(N) $(PLAYING_ON)

coverage: $(VENV)/.development ## run a schemathesis case for every keyword of every schema and operation (takes minutes)
	CAPOMASTRO_TEST_COVERAGE=whole $(BIN)/python -m pytest tests/api/test_schemathesis.py -k keeps_to $(PYTEST_ARGS)

tables: N = 500
tables: $(VENV)/.development ## play N (500) games of each at sealed tables, search all that players held, guess hands, forge a million tables
	$(BIN)/python -m tests.campaigns.tables --games $(N) $(TABLES)

sheets: $(VENV)/.development ## fill in the scoresheets of N (2000) random games each, and change numbers on them; resumes (SHEETS="--changes 0")
	$(BIN)/python -m tests.campaigns.sheets --games $(N) $(SHEETS)

slowest: $(VENV)/.development ## search for the requests with the most CPU time (SLOWEST="--seconds 60 --keep 5")
	$(BIN)/python -m tests.campaigns.slowest $(SLOWEST)

golden: $(VENV)/.development ## rewrite the playthroughs, pictures and sentences in tests/golden
	$(BIN)/python tools/make_golden.py

readme-picture: $(VENV)/.development ## take the picture of a score pad in the README again (needs Chromium)
	CAPOMASTRO_README_PICTURE=docs/score-pad.png $(BIN)/python -m pytest tests/pages/test_readme.py

terms: $(VENV)/.development ## rewrite the table of terms in docs, from the catalogues
	$(BIN)/python tools/make_terms.py

checks: $(VENV)/.development ## rewrite the list of what scoresheets are checked for, in docs/scoring.md
	$(BIN)/python tools/make_checks.py

records: $(VENV)/.development ## rewrite the recorded games in conformance after a change of rules (RECORDS="palazzo reshuffle")
	$(BIN)/python tools/make_records.py $(RECORDS)

renew-records: $(VENV)/.development ## give the recorded games of GAME the current rules version where they are judged as before
	$(BIN)/python tools/renew_records.py $(GAME)

conformance: $(VENV)/.development ## rewrite the vectors in conformance, and add missing perft set-ups
	$(BIN)/python tools/make_conformance.py

soak: $(VENV)/.development ## run a mixed load for MINUTES (60) through nginx and two instances while processes are killed (RATE=20)
	$(BIN)/python -m bench.soak --minutes $(MINUTES) --rate $(RATE)

rule-index: $(VENV)/.development ## rewrite the rule index: what each rule governs, and examples of it
	$(BIN)/python tools/make_rule_index.py

perft: $(VENV)/.runtime ## count all perft set-ups to their full depth
	$(BIN)/capomastro perft conformance/*/perft/*.json

schemas: $(VENV)/.development ## rewrite the schemas of documents, from their types
	$(BIN)/python -m tools.schemas

openapi: $(VENV)/.development ## rewrite openapi.yaml, and build what follows from it
	$(BIN)/python -m tools.openapi

game: $(VENV)/.development ## write the skeleton of a new game (NAME=two-towers)
	$(BIN)/python tools/new_game.py $(NAME)

remove-game: $(VENV)/.development ## remove an unfinished game and everything in its folders (NAME=two-towers)
	$(BIN)/python tools/new_game.py $(NAME) --remove

release: $(VENV)/.development $(if $(NODE),generators) ## date the changelog, check, commit, tag and build VERSION into dist, with its SBOM, without pushing
	$(BIN)/python tools/release.py $(VERSION)
	$(MAKE) sbom
	mv capomastro.cdx.json dist/

clients: $(CLIENTS) ## make what is generated in clients/, so that packages can be built there; without Node only that in Python
	@$(if $(NODE),,echo "Node is not here: the client in TypeScript is not made")

test-clients: $(CLIENTS) $(VENV)/.development ## test the clients and the examples: GAMES (1) of each title are played through each client
	@$(if $(NODE),,echo "there is no Node, or no npm registry: the client in TypeScript is not tested")
	$(BIN)/python -m pytest clients/tests --node "$(NODE)" --games $(GAMES) $(CLIENT_PYTEST_ARGS)

generators: $(VENV)/.generators $(VENV)/.linters ## test the specification with linters and client generators (needs Node 20)
	$(BIN)/python -m tools.generators

lock: $(VENV)/.development ## rewrite the locks (UPGRADE=--upgrade for newer versions)
	$(COMPILE) pyproject.toml -o locks/runtime.txt
	$(COMPILE) pyproject.toml --constraint locks/runtime.txt --extra cluster -o locks/cluster.txt
	$(COMPILE) pyproject.toml --constraint locks/cluster.txt --extra cluster --group bench -o locks/bench.txt
	$(COMPILE) pyproject.toml --constraint locks/bench.txt --extra cluster --group development -o locks/development.txt
	$(COMPILE) --constraint locks/bench.txt --group build -o locks/build.txt
	$(COMPILE) --group sbom -o locks/sbom.txt
	$(COMPILE) --group generators -o locks/generators.txt

# Of an environment installed as the image is, so that licences and dependencies are known; PRODUCT=… is one that exists.
sbom: $(VENV)/.sbom ## write the SBOM to capomastro.cdx.json, as CycloneDX (LOCK=cluster: with Dask)
	$(if $(PRODUCT),,rm -rf $(VENV)/product; LOCK=$(LOCK) PYTHON=$(PYTHON) sh tools/install-wheel.sh $(VENV)/product)
	$(VENV)/sbom/bin/cyclonedx-py environment $(or $(PRODUCT),$(VENV)/product)/bin/python --pyproject pyproject.toml \
		--mc-type application --output-reproducible --of JSON -o $(SBOM)

clean: ## remove everything that the other targets made
	rm -rf $(VENV) dist build tools/generators/node_modules tools/pages/node_modules clients/typescript/node_modules clients/typescript/dist capomastro.cdx.json .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis .schemathesis schemathesis-report
	find $(wildcard service tests bench tools clients) -name __pycache__ -type d -prune -exec rm -rf {} +

# One environment that grows with what is asked of it; a stamp per lock, so that nothing is installed twice.
$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed: make PYTHON=python3.x …")'
	$(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); exit 1; }

$(VENV)/.runtime: locks/runtime.txt locks/build.txt pyproject.toml | $(BIN)/python
	$(PIP) install --quiet --require-hashes -r locks/runtime.txt -r locks/build.txt
	$(PIP) install --quiet --no-deps --no-build-isolation --editable .
	@touch $@

# What the service shows as /openapi.json: built when the package is installed, and when the contract changed.
$(VENV)/.specification: $(CONTRACT) $(VENV)/.runtime
	$(BIN)/python -m tools.openapi --build-if-stale
	@touch $@

$(VENV)/.development: locks/development.txt $(VENV)/.runtime | $(VENV)/.specification
	$(PIP) install --quiet --require-hashes -r locks/development.txt
	@touch $@

$(VENV)/.sbom: locks/sbom.txt | $(BIN)/python
	$(PYTHON) -m venv --without-pip $(VENV)/sbom
	$(PIP) --python $(VENV)/sbom install --quiet --require-hashes -r locks/sbom.txt
	@touch $@

$(VENV)/.generators: locks/generators.txt | $(BIN)/python
	$(PYTHON) -m venv $(VENV)/generators
	$(VENV)/generators/bin/python -m pip --disable-pip-version-check install --quiet --require-hashes -r locks/generators.txt
	@touch $@

$(VENV)/.linters: tools/generators/package-lock.json $(VENV)/.development
	cd tools/generators && npm ci
	@touch $@

$(VENV)/.pages: tools/pages/package-lock.json $(VENV)/.development
	cd tools/pages && npm ci
	@touch $@

MAKERS := $(CONTRACT) $(wildcard tools/clients/*.py)

$(VENV)/.client-python: $(MAKERS) $(VENV)/.generators | $(VENV)/.specification
	$(BIN)/python -m tools.clients python
	@touch $@

$(VENV)/.client-packages: clients/typescript/package-lock.json
	cd clients/typescript && npm ci
	@touch $@

$(VENV)/.client-typescript: $(MAKERS) $(wildcard clients/typescript/src/*.ts) $(VENV)/.client-packages | $(VENV)/.specification
	$(BIN)/python -m tools.clients typescript
	cd clients/typescript && npm run build
	@touch $@

# --no-build-isolation: chess comes as source, and is built with the setuptools that the development lock pins.
$(VENV)/.bench: locks/bench.txt $(VENV)/.development
	$(PIP) install --quiet --require-hashes --no-build-isolation -r locks/bench.txt
	@touch $@
