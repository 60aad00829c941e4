#!/usr/bin/env bash
# bench/gopher.sh [ROUNDS]   compares the CPU time of `locator get` and curl for a large binary, in turns, from real
# servers: gophernicus (plain gopher) and pygopherd (a Gopher+ item with its length). Exits with status 1 if locator takes
# more than 0.7 of the time of curl. Requires curl and what internal/peers/peers requires.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

rounds=${1:-5} most=0.7 megabytes=${LOCATOR_MEGABYTES:-256}
tmp=$(mktemp -d)
name=bench-gopher.bin
internal/peers/peers install gophernicus pygopherd >&2
internal/peers/peers start gophernicus pygopherd >&2
eval "$(internal/peers/peers env)"
trap 'rm -rf "$tmp" "$PEER_TREE/$name"' EXIT
head -c "${megabytes}M" /dev/urandom >"$PEER_TREE/$name"
chmod a+r "$PEER_TREE/$name"
go build -o "$tmp/locator" ./cmd/locator

# cpu FILE COMMAND...: runs the command, checks the file that it writes, and prints its user and system time in seconds.
cpu() {
	local file=$1
	shift
	TIMEFORMAT='%U %S'
	{ time "$@" >/dev/null 2>"$tmp/err"; } 2>"$tmp/time" || { cat "$tmp/err" >&2; return 1; }
	cmp -s "$file" "$PEER_TREE/$name" || { echo "$*: the file differs from the one served" >&2; return 1; }
	awk '{ print $1 + $2 }' "$tmp/time"
	rm -f "$file"
}

status=0
measure() { # TITLE URL-OF-LOCATOR URL-OF-CURL
	local title=$1 i
	: >"$tmp/ours"
	: >"$tmp/curls"
	for ((i = 0; i < rounds; i++)); do
		cpu "$tmp/a" "$tmp/locator" get -q -o "$tmp/a" "$2" >>"$tmp/ours"
		cpu "$tmp/b" curl -sS -o "$tmp/b" "$3" >>"$tmp/curls"
	done
	# Compare the least times, which other load on the machine disturbs least.
	paste "$tmp/ours" "$tmp/curls" | awk -v title="$title" -v most="$most" -v mb="$megabytes" '
		NR == 1 || $1 < ours { ours = $1 }
		NR == 1 || $2 < curls { curls = $2 }
		END {
			printf "%-28s %d MB: locator %.3f s, curl %.3f s, ratio %.2f, at most %.2f\n", title, mb, ours, curls, ours / curls, most
			exit ours / curls > most
		}' || status=1
}

measure 'gophernicus, until the close' "gopher://$PEER_GOPHERNICUS/9/$name" "gopher://$PEER_GOPHERNICUS/9/$name"
# curl cannot remove a Gopher+ header, so it fetches the same bytes without one.
measure 'pygopherd, with a length' "gopher://$PEER_PYGOPHERD/9/$name%09%09+" "gopher://$PEER_PYGOPHERD/9/$name"
exit $status
