#!/bin/sh
# Writes the oracle's vectors anew. Needs Go; arguments go to the program
# (-seed N, -only NAME).
set -eu
cd "$(dirname "$0")"
program=$(mktemp -d)
trap 'rm -rf "$program"' EXIT
go build -trimpath -o "$program/oracle" .
"$program/oracle" -out vectors "$@" 2>"$program/log" || {
  grep -v 'failed to parse' "$program/log" >&2
  exit 1
}
