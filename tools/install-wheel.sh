#!/bin/sh
# Build the wheel and install it, with the locked runtime, into a new virtual environment: install-wheel.sh DIRECTORY
# LOCK=cluster installs what a Dask cluster needs as well, LOCK=archive also what Parquet needs,
# LOCK=agents what `capomastro mcp` needs.
# The Dockerfile runs this and so does a test, so that what cannot be tried without Docker is tried all the same.
set -eu
[ $# -eq 1 ] || { echo "usage: $0 DIRECTORY (of the virtual environment to create)" >&2; exit 2; }
# pip keeps what is there if the version is the same; and a running service must not change.
[ -z "$(ls -A "$1" 2> /dev/null)" ] || { echo "$1 is not empty: remove it, or choose another directory" >&2; exit 2; }
umask 022 # the service is another user

checkout=$(cd "$(dirname "$0")/.." && pwd)
scratch=$(mktemp -d)
unfinished=$1
trap 'rm -rf "$scratch" "$unfinished"' EXIT
trap 'exit 1' HUP INT TERM
PIP_DISABLE_PIP_VERSION_CHECK=1
export PIP_DISABLE_PIP_VERSION_CHECK

pip() {
    "$scratch/build/bin/python" -m pip "$@"
}

"${PYTHON:-python3}" -m venv "$scratch/build"
# The specification in the wheel has answers of the running code.
pip install --quiet --require-hashes -r "$checkout/locks/build.txt" -r "$checkout/locks/runtime.txt"
pip wheel --quiet --no-deps --no-build-isolation --wheel-dir "$scratch/dist" "$checkout"

# The product has no pip of its own: it needs none, and an intruder finds none.
"${PYTHON:-python3}" -m venv --without-pip "$1"
pip --python "$1" install --quiet --require-hashes -r "$checkout/locks/${LOCK:-runtime}.txt"
pip --python "$1" install --quiet --no-deps --no-index "$scratch"/dist/capomastro-*.whl
unfinished=
