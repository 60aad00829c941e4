#!/usr/bin/env bash
# ./test.sh        each check that a change must pass, once: 12 minutes on two cores
# ./test.sh long   about an hour: the same in every way (guided fuzzing, all tests with the race detector, all real servers and builds)
#
# On Debian 12 as root it requires Go and git, and installs other programs with apt: make, shellcheck, zsh, fish,
# a C compiler for the race detector, and the real servers of internal/peers. Elsewhere it skips what is not available, and lists it
# at its end.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

# tests_in prints the names of the tests in files, as a regular expression.
tests_in() { # shellcheck disable=SC2086 # a list of files
	sed -n 's/^func \(Test[A-Za-z0-9]*\)(.*/\1/p' $1 | grep -v '^TestMain$' | sort -u | paste -sd'|'
}

mode=${1:-short}
case $#-$mode in
0-short | 1-long) ;;
*) echo 'usage: ./test.sh [long]' >&2; exit 2 ;;
esac
if [ "$mode" = long ]; then
	script_limit=2h test_limit=30m fuzz_each=20000
else
	script_limit=40m test_limit=10m fuzz_each=100
fi

# The whole script has a time limit, so that it never hangs. It stops the servers even then.
if [ -z "${LOCATOR_LIMITED:-}" ] && command -v timeout >/dev/null; then
	LOCATOR_LIMITED=1 exec timeout -k 60 "$script_limit" "./test.sh" "$@" </dev/null
fi
unset LOCATOR_LIMITED
exec </dev/null

[ -n "${HOME:-}" ] || HOME=$(cd ~ && pwd)
export HOME
command -v go >/dev/null || PATH=$PATH:/usr/local/go/bin
command -v go >/dev/null || { echo 'test.sh: go is not installed; see https://go.dev/dl' >&2; exit 1; }

tmp=$(mktemp -d)
export LOCATOR_SKIPS=$tmp/skips # internal/peers.Skip and skipped record here what did not run
: >"$LOCATOR_SKIPS"
: >"$tmp/steps"
export GORACE=${GORACE:-atexit_sleep_ms=0} # else each program sleeps for a second before it ends
# git fails in a clone that another user owns. Without cgo and paths all steps use what one of them compiled, also in another clone.
export GOFLAGS="${GOFLAGS:-} -buildvcs=false -trimpath" CGO_ENABLED=0
[ "$mode" != long ] || export LOCATOR_LONG=1
race=(env CGO_ENABLED=1 go test -race)
# These packages have no goroutines, or only those of others: a short run tests them without the race detector, which takes five times as long.
text=(. ./docs ./explain ./repair ./internal/{bnf,conformance,keytable,readers,schemename,span,steps} ./policy ./vet ./find ./find/{format,search})
text+=(./internal/{addrspec,armor,atomicfile,capture,corpus,coverage,filetree,ignore,licenses,lint,mailfmt,mailtext,mediatype,netrc,octet})
text+=(./archive ./outbox ./tree ./upload ./internal/{manual,settings,present,robots,safename,screen,symlink,z3950} ./scheme/{ability,prospero/internal/text,telnet/internal/option})
text+=(./internal/{argv,buildinfo,dist,handler,held,home,hostname,jsontext,lineedit,tomlfile,units,urllist})
# So are these: tests with real servers, since those with our own servers make the same requests; the suite with a variant of a server. A
# test of the same name in another package is one of them. And those of the program, which starts a thousand times: what runs at once
# in it is in packages.
program=./cmd/locator
apart=$(tests_in "$(find . -name '*peers_test.go' -not -path './.*' -not -path './cmd/*')")'|TestConformance[A-Z].*'
parts='^TestConformance$/^(news|nntps|snews)$' # and these subtests
# These wait for servers. They start first, so that the others run meanwhile.
slow=(./scheme/ftp ./scheme/nntp ./scheme/gopher ./scheme/mailto ./scheme/http ./client ./download ./scheme/telnet)
servers=(vsftpd proftpd pureftpd pyftpdlib vsftps proftps nginx squid pygopherd gophernicus inn telnetd smtp smtps postgres)
long_servers=(aioftp twisted ftpsrv pureshort caddy rclone rclonedav minihttpd busybox webfs leafnode sn postfix exim mailpit) # tests use them in a long run only
[ "$mode" != long ] || servers+=("${long_servers[@]}")

up() { internal/peers/peers status | awk '/ up, pid / { print $1 }' | sort; }
up_before=$(up)

current=start step_begin=0 step_cpu=0
finish() {
	local status=$? stop verdict=ok
	trap - EXIT
	set +e
	stop=$(comm -13 <(echo "$up_before") <(up) | xargs)
	if [ -n "$stop" ]; then
		echo
		echo "stopping $stop"
		# shellcheck disable=SC2086 # a list of names
		internal/peers/peers stop $stop
	fi
	echo
	internal/peers/skips.sh "$LOCATOR_SKIPS"
	if [ "$status" != 0 ]; then
		verdict=FAIL
		took "$current"
	fi
	printf '\n%8s %8s  step\n' seconds cpu
	cat "$tmp/steps"
	rm -rf "$tmp"
	echo
	[ "$status" = 0 ] || echo "FAILED in step '$current', status $status"
	printf '%s\t./test.sh %s\t%d.0s\n' "$verdict" "$mode" "$SECONDS" # the format of go test
	exit "$status"
}
trap finish EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# cpu sets its variable to the CPU time of all commands so far, in seconds.
cpu() {
	times >"$tmp/times"
	cpu=$(awk '{ for (i = 1; i <= 2; i++) { split($i, t, /[ms]/); sum += 60 * t[1] + t[2] } } END { printf "%d", sum }' "$tmp/times")
}

took() { # TITLE
	cpu
	printf '%8d %8d  %s\n' $((SECONDS - step_begin)) $((cpu - step_cpu)) "$1" >>"$tmp/steps"
}

step() { # TITLE COMMAND...
	current=$1
	cpu
	step_begin=$SECONDS step_cpu=$cpu
	printf '\n=== %s\n' "$1"
	shift
	"$@"
	took "$current"
	echo "--- $((SECONDS - step_begin)) s"
}

skipped() { echo "SKIPPED: $*"; echo "test.sh: $*" >>"$LOCATOR_SKIPS"; }
limit() { if command -v timeout >/dev/null; then timeout -k 10 "$@"; else shift; "$@"; fi; }
can_install() { [ "$(id -u)" = 0 ] && [ -e /etc/debian_version ] && command -v apt-get >/dev/null; }
compiler() { command -v "$(go env CC | awk '{ print $1 }')" >/dev/null; }

prepare() {
	local missing=() status=0 program
	go version
	compiler || missing+=(gcc libc6-dev)
	for program in make shellcheck zsh fish curl wget lynx w3m gopher; do # two shells for completion, clients for the gopher test server and the gateway
		command -v "$program" >/dev/null || missing+=("$program")
	done
	if [ "$mode" = long ]; then
		command -v rg >/dev/null || missing+=(ripgrep)
		for program in wget lftp aria2c time python3; do # bench/transfer.sh, bench/small.sh and bench/find.sh need them
			[ -n "$(type -P "$program")" ] || missing+=("${program%c}")
		done
	fi
	command -v pdftotext >/dev/null || missing+=(poppler-utils)
	if [ ${#missing[@]} -gt 0 ] && can_install; then
		echo "installing ${missing[*]}"
		export DEBIAN_FRONTEND=noninteractive
		if ! limit 5m apt-get -qq -o DPkg::Lock::Timeout=120 update >"$tmp/apt" 2>&1 || ! limit 5m apt-get -qq -y \
			-o DPkg::Lock::Timeout=120 --no-install-recommends install "${missing[@]}" >>"$tmp/apt" 2>&1; then
			tail -n 5 "$tmp/apt"
		fi
	fi
	compiler || { race=(go test); skipped 'the race detector: no C compiler is installed'; }
	for program in zsh fish; do command -v "$program" >/dev/null || skipped "completion in $program: it is not installed"; done
	if ! can_install; then
		skipped "real servers (${servers[*]}): they require root on Debian"
		return
	fi
	echo "installing ${servers[*]}"
	limit 9m internal/peers/peers install "${servers[@]}" || status=$?
	case $status in
	0) export LOCATOR_PEERS=1 ;;
	75) skipped "real servers (${servers[*]}): the package registry cannot be reached" ;;
	*) return $status ;;
	esac
}

formatted() {
	local bad
	bad=$(find . -name '*.go' -not -path './.*' -not -path '*/testdata/*' -exec gofmt -l {} +)
	[ -z "$bad" ] || { printf 'run gofmt -w on these files:\n%s\n' "$bad"; return 1; }
}

scripts() {
	local all=(test.sh .ci/run internal/browser/run internal/peers/peers internal/peers/*.sh bench/*.sh contrib/package/{deb,rpm,oci,common.sh,testdata/units.sh}) f
	for f in "${all[@]}"; do bash -n "$f"; done
	if command -v shellcheck >/dev/null; then shellcheck "${all[@]}"; else skipped 'shellcheck is not installed'; fi
}

tests() { # COMMAND, FLAG or PACKAGE...
	"$@" -vet=off -p "${together:-3}" -parallel 8 -count=1 -timeout "$test_limit" # most tests wait, so run more at a time than there are cores
}

# plain_tests runs the tests that need no race detector: those in files that it leaves out, and in a short run text and apart. It keeps
# the programs for the fuzz tests.
plain_tests() {
	local names packages first=
	names=$(tests_in "$(grep -rl --include='*_test.go' '^//go:build !race' .)")
	if [ "$mode" = short ]; then
		names+="|$apart"
		tests go test -ldflags='-s -w' -o "$tmp/bin/program/" "$program" &
		first=$!
		together=2 tests go test -ldflags='-s -w' -o "$tmp/bin/text/" "${text[@]}"
	fi
	# shellcheck disable=SC2016 # go list expands it
	packages=$(go list -f '{{$d := .Dir}}{{range .TestGoFiles}}{{$d}}/{{.}}{{"\n"}}{{end}}{{range .XTestGoFiles}}{{$d}}/{{.}}{{"\n"}}{{end}}' ./... |
		xargs grep -lE "^func ($names)\(" | xargs -n 1 dirname | sed "s|^$PWD|.|" | sort -u)
	names="^($names)\$"
	if [ "$mode" = short ]; then
		names+="|$parts"
		packages=$(comm -23 <(echo "$packages") <(printf '%s\n' "${text[@]}" "$program" | sort))
	fi
	# shellcheck disable=SC2086 # a list of packages
	tests go test -ldflags='-s -w' -o "$tmp/bin/apart/" -run "$names" $packages
	[ -z "$first" ] || wait "$first"
}

race_tests() {
	local others
	if [ "$mode" = long ]; then
		tests "${race[@]}" ./...
		return
	fi
	others=$(comm -23 <(go list ./... | sort) <(go list "${text[@]}" "${slow[@]}" "$program" | sort))
	# shellcheck disable=SC2086 # a list of packages
	tests "${race[@]}" -ldflags='-s -w' -skip "^($apart)\$|$parts" "${slow[@]}" $others
}

# systems checks that the module compiles for other systems. A short run type-checks it, with the tests, from source, so that the
# standard library is not compiled. It misses errors of code generation only.
systems() {
	local os arch
	if [ "$mode" = long ]; then
		for os in linux darwin windows; do
			for arch in amd64 arm64; do
				echo "$os $arch"
				GOOS=$os GOARCH=$arch go build -o /dev/null ./...
			done
			[ $os = linux ] || GOOS=$os GOARCH=amd64 go vet ./...
		done
		echo 'linux 386, where an int has 32 bits'
		GOOS=linux GOARCH=386 go vet ./...
	else
		(cd internal/typecheck && go build -o "$tmp/typecheck")
		"$tmp/typecheck" linux/386 darwin/arm64 windows/amd64 # an int of 386 has 32 bits
	fi
	echo 'without assembly'
	go vet -tags noasm . ./internal/span
	go test -tags noasm -run Alloc ./internal/conformance ./find
}

bits32() { # parsing and finding with an int of 32 bits
	echo 'package main; func main() {}' >"$tmp/386.go"
	GOARCH=386 go build -o "$tmp/386" "$tmp/386.go"
	if ! "$tmp/386" >/dev/null 2>&1; then
		skipped 'root and find on 386: this system does not run its programs'
		return
	fi
	GOARCH=386 go test . ./internal/conformance ./find
}

modules() { # the separate modules: the benchmarks, the examples, and what checks other systems
	local mod
	for mod in bench/go.mod examples/*/go.mod internal/typecheck/go.mod; do
		echo "${mod%/go.mod}"
		(cd "${mod%/go.mod}" && go build -o /dev/null ./... && go vet ./... && go test -vet=off -count=1 -timeout 5m ./...)
	done
}

browser() { # the gateway's pages in Chromium, with axe-core
	local status=0
	internal/browser/run || status=$?
	[ $status != 75 ] || { skipped "the gateway's pages in Chromium: this requires root on Debian, or a registry cannot be reached"; return 0; }
	return $status
}

coverage() {
	go run ./internal/coverage >"$tmp/coverage.md"
	grep -E 'requirements have|^\| .*\| - \|$' "$tmp/coverage.md" # and those without a test
}

# transfers fetches a small number of files from real servers, also with other programs, and checks that they are complete.
# Only memory has a bound.
transfers() {
	if [ -z "${LOCATOR_PEERS:-}" ]; then
		skipped 'bench/transfer.sh: requires real servers'
		return
	fi
	bench/transfer.sh --rounds 1 --megabytes 64 --tree 400 --slack 1000
}

# memory runs the program against servers that send too much: no run may take more than 200 MiB.
memory() {
	if [ "$mode" = long ]; then
		(cd bench && go run ./memory)
	else
		(cd bench && go run ./memory -short)
	fi
}

# small measures round trips per small file on a slow link. The bounds leave room for other load on the machine.
small() {
	if [ -z "${LOCATOR_PEERS:-}" ]; then
		skipped 'bench/small.sh: requires real servers'
	elif ! bench/slowlink -- true; then
		skipped 'bench/small.sh: no slow link can be made here'
	else
		bench/small.sh --cases small --slack 1.15
	fi
}

# fuzz runs each fuzz target for fuzz_each milliseconds, two at a time with one worker each. A long run compiles each package with
# coverage to guide the fuzzing. It does not help within a second, so that a short run takes the programs of plain_tests.
fuzz() {
	local dir bin name names
	find . -name '*_test.go' -not -path './.*' -not -path '*/testdata/*' -not -path './examples/*' \
		-exec grep -q '^func Fuzz' {} \; -exec dirname {} \; | sort -u >"$tmp/fuzzed"
	mkdir -p "$tmp/bin" "$tmp/fuzz"
	export -f fuzz_bin fuzz_target fuzz_one fuzz_late limit
	export tmp mode fuzz_each program
	# shellcheck disable=SC2016 # the inner shell expands it
	xargs -P 2 -I '{}' bash -c 'fuzz_bin "$1"' - '{}' <"$tmp/fuzzed"
	while read -r dir; do
		bin=$tmp/bin/${dir//\//_}.test
		names=$(cd "$dir" && "$bin" -test.list '^Fuzz' </dev/null)
		for name in $names; do echo "$dir $bin $name"; done
	done <"$tmp/fuzzed" >"$tmp/targets"
	[ -s "$tmp/targets" ] || { echo 'no fuzz target found'; return 1; }
	# shellcheck disable=SC2016 # the inner shell expands it
	xargs -P 2 -L 1 bash -c 'fuzz_target "$@"' - <"$tmp/targets"
}

fuzz_bin() { # DIR
	local bin=$tmp/bin/${1//\//_}.test kept guided=(-fuzz=.)
	if [ "$mode" = short ]; then
		guided=()
		case $1 in
		.) kept=text/locator ;;
		"$program") kept=program/locator ;;
		*) kept="*/${1##*/}" ;;
		esac
		for kept in "$tmp"/bin/$kept.test; do
			if [ -e "$kept" ]; then
				mv "$kept" "$bin"
				return
			fi
		done
	fi
	go test -c -vet=off -ldflags='-s -w' "${guided[@]}" -o "$bin" "$1"
}

fuzz_target() { # DIR BINARY NAME
	local out=$tmp/fuzz/${1//\//_}.$3.out text execs
	# QUIRK: before Go 1.27 a run that reaches its time limit may fail with "context deadline exceeded" and no failing
	# input (go.dev/issue/75804), on a busy machine several times in a row; it is repeated.
	for _ in 1 2 3 4 5; do
		if fuzz_one "$@" "$out"; then
			text=$(<"$out") execs=${text##*execs: }
			echo "ok  $1 $3, $fuzz_each ms, ${execs%% *} executions"
			return
		fi
		fuzz_late "$out" || break
	done
	printf '%s\nFAIL %s %s; the failing input is in %s/testdata/fuzz\n' "$(cat "$out")" "$1" "$3" "$1"
	return 255 # xargs starts no more
}

fuzz_one() { # DIR BINARY NAME OUTPUT
	(cd "$1" && limit $((fuzz_each / 1000 + 90)) "$2" -test.run='^$' -test.fuzz="^$3\$" -test.fuzztime="${fuzz_each}ms" \
		-test.fuzzminimizetime=5s -test.parallel=1 -test.fuzzcachedir="$tmp/fuzz/$1") >"$4" 2>&1
}

fuzz_late() { grep -q 'context deadline exceeded' "$1" && ! grep -q 'Failing input' "$1"; } # OUTPUT

step 'prepare' prepare
step 'gofmt' formatted
step 'shell scripts' scripts
step 'build' go build -o /dev/null ./...
step 'go vet' go vet ./...
step 'staticcheck' env GOGC=400 go tool -modfile=internal/tools/go.mod staticcheck ./...
step 'requirements and their tests' coverage
step 'go test without the race detector' plain_tests
step 'go test' race_tests
step 'other modules' modules
step 'pages in Chromium' browser
step 'memory against hostile servers' memory
step 'other systems' systems
step 'root and find on 386' bits32
[ "$mode" != long ] || step 'transfers compared with other programs' transfers
[ "$mode" != long ] || step 'small files on a slow link' small
step 'fuzz' fuzz
