# Needs Python 3.11 or newer and a package index; everything is installed into .venv, from the locks.
# No target asks for root. Say PYTHON=… for another interpreter, PORT=… for another port.

PYTHON ?= python3
PORT ?= 8000
LOCK ?= runtime
SBOM ?= capomastro.cdx.json
# Idle workers take tests from busy ones.
PYTEST_ARGS ?= -n auto --dist worksteal
BENCH_MODULE ?= bench

VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check
# Of tools, most modules are never imported: those that are get compiled then.
INSTALL_TOOLS := install --quiet --no-compile --require-hashes
# --no-config and --custom-compile-command keep this machine out of the locks.
COMPILE = $(BIN)/uv pip compile --quiet --no-config --universal --python-version 3.11 --generate-hashes \
	--no-emit-index-url --custom-compile-command "make lock" $(UPGRADE)
CODE = $(wildcard service tests bench examples/host.py examples/ismcts.py tools/*.py tools/documentation tools/openapi tools/schemas tools/generators tools/clients tools/contract tools/offline clients/tests/*.py)
CONTRACT := openapi.yaml $(wildcard schemas/*/*.json tools/openapi/*.py)
# The client in TypeScript needs Node; all else does without.
NODE := $(shell command -v node)
CLIENTS := $(VENV)/.client-python $(if $(NODE),$(VENV)/.client-typescript)
GAMES ?= 1

# What takes long, by name, and what Python runs; each has a default for how much.
CAMPAIGNS := corpus offline siege neighbours memory soak fuzz playing-on spelling sheets tables turns whole-games slowest playouts coverage setups perft instructions wheel long
campaign-corpus = -m bench.corpus $(N:%=--games %) $(MINUTES:%=--minutes %)
campaign-offline = -m tests.campaigns.offline
campaign-siege = -m bench.siege
campaign-neighbours = -m bench.neighbours
campaign-memory = -m bench.memory
campaign-soak = -m bench.soak $(MINUTES:%=--minutes %) $(RATE:%=--rate %)
campaign-fuzz = -m tests.campaigns.fuzz $(N:%=--requests %)
campaign-playing-on = -m tests.campaigns.playing_on $(N:%=--states %)
campaign-spelling = -m tests.campaigns.spelling $(N:%=--positions %)
campaign-sheets = -m tests.campaigns.sheets $(N:%=--games %)
campaign-tables = -m tests.campaigns.tables $(N:%=--games %)
campaign-turns = -m tests.campaigns.turns $(N:%=--turns %)
campaign-whole-games = -m tests.campaigns.whole_games
campaign-slowest = -m tests.campaigns.slowest
campaign-playouts = -m bench.playouts $(N:%=--games %)
campaign-coverage = -m pytest tests/api/test_schemathesis.py -k keeps_to $(PYTEST_ARGS)
campaign-setups = -m pytest tests/games/test_all_games.py $(PYTEST_ARGS)
campaign-perft = -m capomastro.cli perft $(wildcard conformance/*/perft/*.json)
campaign-instructions = -m bench.instructions
campaign-wheel = -m pytest tests/test_wheel.py tests/tools/test_release.py
campaign-long = -m pytest -m long $(PYTEST_ARGS)
ifeq ($(NAME),coverage)
export CAPOMASTRO_TEST_COVERAGE := whole
endif
ifeq ($(NAME),setups)
export CAPOMASTRO_TEST_SETUPS := every
endif
ifeq ($(NAME),wheel)
export CAPOMASTRO_TEST_WHEEL := installed
endif

# The tests start hundreds of interpreters and rewrite their assertions in each worker: without bytecode on disk, each of
# them compiles everything again. `make clean` removes it.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help serve test test-pages site test-site test-learning test-clients lint format generated campaign $(CAMPAIGNS) bench generators clients game release lock sbom clean
.DELETE_ON_ERROR:

help: ## print this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-16s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

serve: $(VENV)/.specification $(VENV)/.documentation ## run the service on PORT (8000)
	PORT=$(PORT) exec $(BIN)/capomastro serve

test: $(VENV)/.development $(VENV)/.documentation ## run the tests (PYTEST_ARGS="-k auction -x")
	$(BIN)/python -m pytest $(PYTEST_ARGS)

test-pages: $(VENV)/.pages $(VENV)/.documentation ## check the types of the pages and test them in Chromium (CHROMIUM=path; needs Node 20)
	mkdir -p build/pages
	tools/pages/node_modules/.bin/openapi-typescript build/openapi/openapi.json --output build/pages/api.d.ts
	tools/pages/node_modules/.bin/tsc --project tools/pages/tsconfig.json
	$(BIN)/python -m pytest tests/pages -m "long or not long" $(PYTEST_ARGS)

site: $(VENV)/.site $(VENV)/.documentation ## write pages and referee as files for any static host to build/site (needs Node 20)
	$(BIN)/python -m tools.offline

test-site: site ## test the rules with the Python for browsers, under Node, and the site in Chromium
	node tools/offline/python.mjs . tools/offline/testing.py
	$(BIN)/python -m pytest -q tests/pages/test_offline.py -m long

lint: $(VENV)/.development ## check style, types, layers and the subjects of commits
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/lint-imports --no-logo
	$(BIN)/python tools/commits.py
	$(BIN)/mypy --strict $(CODE)

format: $(VENV)/.development ## fix style with ruff
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

bench: $(VENV)/.bench $(VENV)/.specification ## measure speed side by side with other engines
	$(BIN)/python -m $(BENCH_MODULE)

campaign: $(VENV)/$(if $(filter instructions,$(NAME)),.bench,.development) $(VENV)/.specification ## run what takes long: NAME=siege, soak, fuzz, sheets, tables … (N=, MINUTES=, ARGS=)
	$(if $(campaign-$(NAME)),,$(error NAME is one of: $(CAMPAIGNS)))
	$(BIN)/python $(campaign-$(NAME)) $(ARGS)

# Their names alone mean the same.
$(CAMPAIGNS):
	@$(MAKE) campaign NAME=$@

generated: $(VENV)/.development ## write all that is generated in the tree (ONLY="golden terms")
	$(BIN)/python tools/generated.py $(ONLY)

game: $(VENV)/.development ## write the skeleton of a new game (NAME=two-towers), or remove it again with its folders (REMOVE=yes)
	$(BIN)/python tools/new_game.py $(NAME) $(REMOVE:%=--remove)

release: $(VENV)/.development $(if $(NODE),generators) ## date the changelog, check, commit, tag and build VERSION into dist, with its SBOM, without pushing
	$(BIN)/python tools/release.py $(VERSION)
	$(MAKE) sbom
	mv capomastro.cdx.json dist/

clients: $(CLIENTS) ## make what is generated in clients/, so that packages can be built there; without Node only that in Python
	@$(if $(NODE),,echo "Node is not here: the client in TypeScript is not made")

test-learning: $(VENV)/.learning ## test the learning environments with the suites of PettingZoo and OpenSpiel
	$(BIN)/python -m pytest tests/learning/foreign.py -W 'ignore:The old environment' $(PYTEST_ARGS)

test-clients: $(CLIENTS) $(VENV)/.development ## test the clients and the examples: GAMES (1) of each title are played through each client
	@$(if $(NODE),,echo "there is no Node, or no npm registry: the client in TypeScript is not tested")
	$(BIN)/python -m pytest clients/tests --node "$(NODE)" --games $(GAMES) $(CLIENT_PYTEST_ARGS)

generators: $(VENV)/.generators $(VENV)/.linters ## test the specification with linters and client generators (needs Node 20)
	$(BIN)/python -m tools.generators

lock: $(VENV)/.development ## rewrite the locks (UPGRADE=--upgrade for newer versions)
	$(COMPILE) pyproject.toml -o locks/runtime.txt
	$(COMPILE) pyproject.toml --constraint locks/runtime.txt --extra cluster -o locks/cluster.txt
	$(COMPILE) pyproject.toml --constraint locks/cluster.txt --extra archive -o locks/archive.txt
	$(COMPILE) pyproject.toml --constraint locks/cluster.txt --extra cluster --extra archive --group bench -o locks/bench.txt
	$(COMPILE) pyproject.toml --constraint locks/bench.txt --extra agents -o locks/agents.txt
	$(COMPILE) pyproject.toml --constraint locks/bench.txt --extra learning -o locks/learning.txt
	$(COMPILE) pyproject.toml --constraint locks/bench.txt --extra cluster --extra archive --extra agents --group development -o locks/development.txt
	$(COMPILE) --constraint locks/bench.txt --group build -o locks/build.txt
	$(COMPILE) --group sbom -o locks/sbom.txt
	$(COMPILE) --group generators -o locks/generators.txt

# Of an environment installed as the image is, so that licences and dependencies are known; PRODUCT=… is one that exists.
sbom: $(VENV)/.sbom ## write the SBOM to capomastro.cdx.json, as CycloneDX (LOCK=cluster: with Dask)
	$(if $(PRODUCT),,rm -rf $(VENV)/product; LOCK=$(LOCK) PYTHON=$(PYTHON) sh tools/install-wheel.sh $(VENV)/product)
	$(VENV)/sbom/bin/cyclonedx-py environment $(or $(PRODUCT),$(VENV)/product)/bin/python --pyproject pyproject.toml \
		--mc-type application --output-reproducible --of JSON -o $(SBOM)

clean: ## remove everything that the other targets made
	rm -rf $(VENV) dist build capomastro.cdx.json .fuzz .playing-on .sheets.ndjson
	rm -rf tools/generators/node_modules tools/pages/node_modules tools/offline/node_modules clients/typescript/node_modules
	rm -rf clients/typescript/dist clients/typescript/src/generated $(addprefix clients/python/src/capomastro_client/,models.py questions.py version.py)
	rm -rf .pytest_cache .mypy_cache .ruff_cache tools/skeleton/.ruff_cache .import_linter_cache .hypothesis .schemathesis schemathesis-report
	find $(wildcard service tests bench tools clients) -name __pycache__ -type d -prune -exec rm -rf {} +

# One environment that grows with what is asked of it; a stamp per lock, so that nothing is installed twice.
$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed: make PYTHON=python3.x …")'
	$(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); exit 1; }

$(VENV)/.runtime: locks/runtime.txt locks/build.txt pyproject.toml | $(BIN)/python
	$(PIP) install --quiet --require-hashes -r locks/runtime.txt -r locks/build.txt
	$(PIP) install --quiet --no-deps --no-build-isolation --editable .
	@touch $@

# What the service shows as /openapi.json: built once, and again when the contract has changed.
$(VENV)/.specification: $(CONTRACT) $(VENV)/.runtime
	$(BIN)/python -m tools.openapi --build-if-stale
	@touch $@

# What it shows below /docs.
$(VENV)/.documentation: $(wildcard docs docs/* tools/documentation/*) $(VENV)/.specification
	$(BIN)/python -m tools.documentation
	@touch $@

$(VENV)/.development: locks/development.txt $(VENV)/.runtime
	$(PIP) $(INSTALL_TOOLS) -r locks/development.txt
	@touch $@

$(VENV)/.learning: locks/learning.txt $(VENV)/.development
	$(PIP) install --quiet --require-hashes -r locks/learning.txt
	@touch $@

$(VENV)/.sbom: locks/sbom.txt | $(BIN)/python
	$(PYTHON) -m venv --without-pip $(VENV)/sbom
	$(PIP) --python $(VENV)/sbom install --quiet --require-hashes -r locks/sbom.txt
	@touch $@

$(VENV)/.generators: locks/generators.txt | $(BIN)/python
	$(PYTHON) -m venv --without-pip $(VENV)/generators
	$(PIP) --python $(VENV)/generators $(INSTALL_TOOLS) -r locks/generators.txt
	@touch $@

$(VENV)/.linters: tools/generators/package-lock.json $(VENV)/.development
	cd tools/generators && npm ci
	@touch $@

$(VENV)/.pages: tools/pages/package-lock.json $(VENV)/.development
	cd tools/pages && npm ci
	@touch $@

$(VENV)/.site: tools/offline/package-lock.json $(VENV)/.development
	cd tools/offline && npm ci
	@touch $@

MAKERS := $(CONTRACT) $(wildcard tools/clients/*.py)

$(VENV)/.client-python: $(MAKERS) $(VENV)/.generators | $(VENV)/.specification
	$(BIN)/python -m tools.clients python
	@touch $@

$(VENV)/.client-packages: clients/typescript/package-lock.json | $(BIN)/python
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
