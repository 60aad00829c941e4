#!/usr/bin/env bash
# ./test.sh        everything that a change must pass, in a few minutes
# ./test.sh long   the same with minutes of fuzzing for each target, and the soak tests
#
# On Debian 12 as root it needs Go and git, and installs the rest with apt: a C compiler for the race detector, shellcheck,
# and the real servers of peers/. Elsewhere it leaves out what it cannot have, and says so at its end.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

mode=${1:-short}
case $#-$mode in
0-short | 1-long) ;;
*) echo 'usage: ./test.sh [long]' >&2; exit 2 ;;
esac
if [ "$mode" = long ]; then
	script_limit=6h test_limit=2h fuzz_each=180
else
	script_limit=25m test_limit=9m fuzz_each=
fi
fuzz_budget=60 # seconds for all targets of a short run together, 1 to 10 for one

# The whole script has a limit, so that it never hangs; the servers are stopped even then.
if [ -z "${LOCATOR_LIMITED:-}" ] && command -v timeout >/dev/null; then
	LOCATOR_LIMITED=1 exec timeout -k 60 "$script_limit" "./test.sh" "$@" </dev/null
fi
unset LOCATOR_LIMITED
exec </dev/null

[ -n "${HOME:-}" ] || HOME=$(cd ~ && pwd)
export HOME
command -v go >/dev/null || PATH=$PATH:/usr/local/go/bin
command -v go >/dev/null || { echo 'test.sh: there is no go command; see https://go.dev/dl' >&2; exit 1; }

tmp=$(mktemp -d)
export LOCATOR_SKIPS=$tmp/skips # internal/peers.Skip writes what did not run, and so does skipped
: >"$LOCATOR_SKIPS"
export GOFLAGS="${GOFLAGS:-} -buildvcs=false" # a clone that somebody else owns makes git refuse
[ "$mode" != long ] || export LOCATOR_LONG=1
race=(-race)
servers=(vsftpd proftpd pureftpd pyftpdlib vsftps proftps nginx squid pygopherd gophernicus)

up() { peers/peers status | awk '/ up, pid / { print $1 }' | sort; }
up_before=$(up)

current=start
finish() {
	local status=$? stop
	trap - EXIT
	set +e
	stop=$(comm -13 <(echo "$up_before") <(up) | xargs)
	if [ -n "$stop" ]; then
		echo
		echo "stopping $stop"
		# shellcheck disable=SC2086 # a list of names
		peers/peers stop $stop
	fi
	if [ -s "$LOCATOR_SKIPS" ]; then
		printf '\nNOT RUN: %d\n' "$(wc -l <"$LOCATOR_SKIPS")"
		sort "$LOCATOR_SKIPS" | sed 's/^/    /'
	fi
	rm -rf "$tmp"
	echo
	if [ "$status" = 0 ]; then
		echo "PASSED in $SECONDS s"
	else
		echo "FAILED in step '$current' after $SECONDS s, status $status"
	fi
	exit "$status"
}
trap finish EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

step() { # TITLE COMMAND...
	local begin=$SECONDS
	current=$1
	printf '\n=== %s\n' "$1"
	shift
	"$@"
	echo "--- $((SECONDS - begin)) s"
}

skipped() { echo "SKIPPED: $*"; echo "test.sh: $*" >>"$LOCATOR_SKIPS"; }
limit() { if command -v timeout >/dev/null; then timeout -k 10 "$@"; else shift; "$@"; fi; }
can_install() { [ "$(id -u)" = 0 ] && [ -e /etc/debian_version ] && command -v apt-get >/dev/null; }
compiler() { command -v "$(go env CC | awk '{ print $1 }')" >/dev/null; }

prepare() {
	local missing=() status=0 program
	go version
	compiler || missing+=(gcc libc6-dev)
	for program in shellcheck curl lynx gopher; do # the last three read our gopher server
		command -v "$program" >/dev/null || missing+=("$program")
	done
	if [ "$mode" = long ]; then
		for program in wget lftp aria2c time; do # bench/transfer.sh runs beside them
			[ -n "$(type -P "$program")" ] || missing+=("${program%c}")
		done
	fi
	if [ ${#missing[@]} -gt 0 ] && can_install; then
		echo "installing ${missing[*]}"
		export DEBIAN_FRONTEND=noninteractive
		if ! limit 5m apt-get -qq -o DPkg::Lock::Timeout=120 update >"$tmp/apt" 2>&1 || ! limit 5m apt-get -qq -y \
			-o DPkg::Lock::Timeout=120 --no-install-recommends install "${missing[@]}" >>"$tmp/apt" 2>&1; then
			tail -n 5 "$tmp/apt"
		fi
	fi
	compiler || { race=(); skipped 'the race detector: there is no C compiler'; }
	if ! can_install; then
		skipped "real servers (${servers[*]}): they need root on Debian"
		return
	fi
	echo "installing ${servers[*]}"
	limit 9m peers/peers install "${servers[@]}" || status=$?
	case $status in
	0) export LOCATOR_PEERS=1 ;;
	75) skipped "real servers (${servers[*]}): the package registry cannot be reached" ;;
	*) return $status ;;
	esac
}

formatted() {
	local bad
	bad=$(find . -name '*.go' -not -path './.*' -not -path '*/testdata/*' -exec gofmt -l {} +)
	[ -z "$bad" ] || { printf 'gofmt wants these changed:\n%s\n' "$bad"; return 1; }
}

scripts() {
	local all=(test.sh .ci/run peers/peers bench/*.sh) f
	for f in "${all[@]}"; do bash -n "$f"; done
	if command -v shellcheck >/dev/null; then shellcheck "${all[@]}"; else skipped 'shellcheck is not installed'; fi
}

cross() { # vet reads the test files, too; that it compiles is enough, and without optimising it takes less
	local os arch
	local -x GOFLAGS="$GOFLAGS -gcflags=all=-N"
	for os in linux darwin windows; do
		for arch in amd64 arm64; do
			echo "$os $arch"
			GOOS=$os GOARCH=$arch CGO_ENABLED=0 go build -o /dev/null ./...
		done
		[ $os = linux ] || GOOS=$os GOARCH=amd64 CGO_ENABLED=0 go vet ./...
	done
	echo 'linux 386, where an int has 32 bits; without assembly'
	if [ "$mode" = long ]; then
		GOOS=linux GOARCH=386 CGO_ENABLED=0 go vet ./...
	else # what reads texts of any length; the rest would have the whole standard library compiled once more
		GOOS=linux GOARCH=386 CGO_ENABLED=0 go vet . ./internal/span
	fi
	go vet -tags noasm . ./internal/span
}

modules() { # of their own: the benchmarks, and examples as a stranger would write them
	local mod
	for mod in bench/go.mod examples/*/go.mod; do
		echo "${mod%/go.mod}"
		(cd "${mod%/go.mod}" && go build -o /dev/null ./... && go vet ./... && go test "${race[@]}" -count=1 -timeout 5m ./...)
	done
}

coverage() {
	go run ./internal/coverage >"$tmp/coverage.md"
	diff "$tmp/coverage.md" docs/coverage.md || { echo 'docs/coverage.md is stale: run go run ./internal/coverage -w'; return 1; }
}

# transfers brings files in small numbers from real servers, beside other programs: all must be whole. What is measured
# so has no bounds, except for memory.
transfers() {
	if [ -z "${LOCATOR_PEERS:-}" ]; then
		skipped 'bench/transfer.sh: it needs real servers'
		return
	fi
	bench/transfer.sh --rounds 1 --megabytes 64 --files 200 --tree 400 --slack 1000
}

# Each package with fuzz targets is compiled once; then each target has its seconds.
fuzz() {
	local dir bin name names targets=() seconds t
	while read -r dir; do
		bin=$tmp/$(tr / _ <<<"${dir#./}").test
		go test -c -fuzz=. -o "$bin" "$dir"
		names=$(cd "$dir" && "$bin" -test.list '^Fuzz' </dev/null)
		for name in $names; do targets+=("$dir $bin $name"); done
	done < <(find . -name '*_test.go' -not -path './.*' -not -path '*/testdata/*' -not -path './examples/*' \
		-exec grep -q '^func Fuzz' {} \; -exec dirname {} \; | sort -u)
	[ ${#targets[@]} -gt 0 ] || { echo 'no fuzz target'; return; }
	seconds=$((fuzz_budget / ${#targets[@]}))
	[ $seconds -ge 1 ] || seconds=1
	[ $seconds -le 10 ] || seconds=10
	seconds=${fuzz_each:-$seconds}
	for t in "${targets[@]}"; do
		read -r dir bin name <<<"$t"
		# QUIRK: before Go 1.27 a run that ends by its time may fail with "context deadline exceeded" and no failing
		# input (go.dev/issue/75804); it is done once more.
		fuzz_one "$dir" "$bin" "$name" "$seconds" || { fuzz_late && fuzz_one "$dir" "$bin" "$name" "$seconds"; } || {
			cat "$tmp/fuzz.out"
			echo "FAIL $dir $name; an input that fails is kept in $dir/testdata/fuzz"
			return 1
		}
		echo "ok  $dir $name, $seconds s, $(sed -n 's/.*execs: \([0-9]*\) .*/\1/p' "$tmp/fuzz.out" | tail -n 1) executions"
	done
}

fuzz_one() { # DIR BINARY NAME SECONDS
	(cd "$1" && limit $(($4 + 90)) "$2" -test.run='^$' -test.fuzz="^$3\$" -test.fuzztime="$4s" -test.fuzzminimizetime=5s \
		-test.fuzzcachedir="$tmp/fuzz/$1") >"$tmp/fuzz.out" 2>&1
}

fuzz_late() { grep -q 'context deadline exceeded' "$tmp/fuzz.out" && ! grep -q 'Failing input' "$tmp/fuzz.out"; }

step 'prepare' prepare
step 'gofmt' formatted
step 'shell scripts' scripts
step 'build' go build -o /dev/null ./...
step 'go vet' go vet ./...
step 'staticcheck' go tool staticcheck ./...
step 'docs/coverage.md is fresh' coverage
step 'go test' go test "${race[@]}" -count=1 -timeout "$test_limit" ./...
step 'bench and examples' modules
step 'cross-compile' cross
[ "$mode" != long ] || step 'transfers beside other programs' transfers
step 'fuzz' fuzz
