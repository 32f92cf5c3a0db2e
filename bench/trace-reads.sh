#!/usr/bin/env bash
# Compares the number of table reads that a bench run counts with the number of pread64 calls on table files that
# strace sees. They must be equal. Arguments replace those of the run.
#
#   bench/trace-reads.sh [bench flags]
set -euo pipefail
cd "$(dirname "$0")/.."

if [ "$(uname -s)" != Linux ] || ! command -v strace >/dev/null; then
	echo "trace-reads.sh: needs Linux and strace" >&2
	exit 2
fi
if [ $# -eq 0 ]; then
	set -- --n 20k --bits off,10 --lookups 5000
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
CGO_ENABLED=0 go build -o "$work/siftdb" ./cmd/siftdb

echo "tracing: siftdb bench $*" >&2
# -y prints the file behind each descriptor, -f follows the threads. A call that another thread's output interrupts is
# printed in two lines, of which the first begins like any other.
strace -f -y -qq -e trace=pread64 -o "$work/trace" "$work/siftdb" bench "$@" -o json >"$work/result.json" 2>"$work/log" || {
	cat "$work/log" >&2
	exit 1
}

counted=$(sed -n 's/^  "process_table_reads": \([0-9]*\).*/\1/p' "$work/result.json")
traced=$(grep -c 'pread64([0-9]*<[^>]*\.sst[^>]*>' "$work/trace" || true)
echo "counted by the store: $counted"
echo "seen by strace:       $traced"
if [ -z "$counted" ] || [ "$counted" -eq 0 ] || [ "$counted" -ne "$traced" ]; then
	echo "NOT EQUAL"
	exit 1
fi
echo "equal"
