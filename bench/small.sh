#!/usr/bin/env bash
# bench/small.sh [OPTION VALUE]...   round trips per small file: `locator get -r` beside wget, lftp and curl, on a slow link
#
#   --rounds N      runs of each program in each case (3)
#   --rtt TIME      round trip of the link (40ms)
#   --servers LIST  which of vsftpd,proftpd,pureftpd (all)
#   --cases LIST    which of small,mixed (all)
#   --slack X       multiplies the bounds (1)
#
# small is one folder of 200 files of 1 KB; mixed is four folders, each with 20 files of 1 KB, 4 of 32 KB and one of 512 KB.
# The servers run in a network namespace behind a link that bench/slowlink makes. At each server the programs take turns, A B C
# A B C, with one connection and with eight; the servers are asked at the same time, since all do little but wait. Each run
# includes login and listing; curl lists nothing, it is told the names. For each it prints the median time and the round
# trips per file. It ends with status 1 if a bound is missed or a program made other files than were served. It needs Debian 12
# as root, Go, python3, wget, lftp and curl.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

rounds=3 rtt=40ms servers=vsftpd,proftpd,pureftpd cases=small,mixed slack=1
usage() { sed -n '2,/^set/s/^# \{0,1\}//p' bench/small.sh >&2; exit 2; }
while [ $# -gt 0 ]; do
	case ${1#--} in
	rounds | rtt | servers | cases | slack) [ $# -gt 1 ] || usage ;;
	*) usage ;;
	esac
	printf -v "${1#--}" %s "$2"
	shift 2
done
IFS=, read -ra server_list <<<"$servers"

if [ -z "${SMALL_TMP:-}" ]; then # outside: what needs the network and the compiler
	for program in go curl wget lftp python3; do
		command -v "$program" >/dev/null || { echo "bench/small.sh: there is no $program" >&2; exit 1; }
	done
	SMALL_TMP=$(mktemp -d "${TMPDIR:-/tmp}/locator-small.XXXXXX")
	export SMALL_TMP PEERS_DIR=$SMALL_TMP/peers PEERS_HOST=10.9.0.1 PEERS_PASV=10.9.0.2
	trap 'PEERS_DIR=$SMALL_TMP/peers internal/peers/peers stop "${server_list[@]}" >&2 || true; rm -rf "$SMALL_TMP"' EXIT
	trap 'exit 130' INT
	trap 'exit 143' TERM
	chmod 755 "$SMALL_TMP" # for the servers, which give up root
	env -u PEERS_DIR internal/peers/peers install "${server_list[@]}" >&2
	mkdir "$PEERS_DIR" # the packages that were unpacked there serve here too
	ln -s "$(dirname "$(env -u PEERS_DIR internal/peers/peers env | sed -n "s/^PEER_TREE=//p")")/deb" "$PEERS_DIR/deb"
	go build -o "$SMALL_TMP/locator" ./cmd/locator
	bench/slowlink --rtt "$rtt" -- bench/small.sh --rounds "$rounds" --rtt "$rtt" --servers "$servers" --cases "$cases" --slack "$slack"
	exit
fi

tmp=$SMALL_TMP
internal/peers/peers start "${server_list[@]}" >&2
eval "$(internal/peers/peers env)"
results=$tmp/results
mkdir "$results" "$tmp/home"

fill() { # FOLDER FILES SIZE NAME
	mkdir -p "$1"
	(cd "$1" && head -c "$(($2 * $3))" /dev/urandom | split -a 3 -b "$3" --numeric-suffixes --additional-suffix=.bin - "$4")
}
served=$PEER_TREE/bench
fill "$served/small" 200 1024 f
for folder in a b c d; do
	fill "$served/mixed/$folder" 20 1024 s
	fill "$served/mixed/$folder" 4 32768 m
	fill "$served/mixed/$folder" 1 524288 l
done
chmod -R a+rX "$served"

# run CASE CONNECTIONS PROGRAM COMMAND...: runs the command in a new folder, compares what it made, and notes the time. server
# is that of the caller.
run() {
	local name="$server $1 $2 $3" case=$1 dir=$tmp/$server status=0
	shift 3
	mkdir -p "$dir/out"
	TIMEFORMAT=%R
	{ time (cd "$dir/out" && HOME=$tmp/home timeout 300 "$@" >/dev/null 2>"$dir/err"); } 2>"$dir/time" || status=$?
	if [ $status != 0 ]; then
		echo "$name: $*: status $status" >&2
		tail -n 5 "$dir/err" >&2
		return 1
	fi
	diff -rq -x .locator "$dir/out" "$served/$case" >&2 || { echo "$name: not what was served" >&2; return 1; }
	rm -r "$dir/out"
	cat "$dir/time" >>"$results/$name"
}

measure() { # SERVER
	local server=$1 address=PEER_${1^^} base case url options f i
	base=ftp://alice:secret@10.9.0.2:${!address##*:}
	[ "$server" != vsftpd ] || base=${base/alice:secret@/}
	for ((i = 0; i < rounds; i++)); do
		for case in ${cases//,/ }; do
			url=$base/bench/$case/
			run "$case" 1 locator "$tmp/locator" get -q -r --per-host 1 --dir . "$url"
			run "$case" 1 wget wget -q -r -l 0 -np -nH --cut-dirs=2 "$url"
			run "$case" 1 lftp lftp -c "mirror $url ."
			run "$case" 8 locator "$tmp/locator" get -q -r --parallel 8 --per-host 8 --dir . "$url"
			run "$case" 8 lftp lftp -c "mirror --parallel=8 $url ."
			options=()
			while read -r f; do options+=(-o "$f" "$url$f"); done < <(cd "$served/$case" && find . -type f -printf '%P\n' | sort)
			run "$case" 8 curl curl -sS --create-dirs -Z --parallel-max 8 "${options[@]}"
		done
	done
}

echo "round trip $rtt; $rounds rounds; $(nproc) processors, Linux $(uname -r), $(date -u +%FT%TZ)"
echo "$(curl --version | awk 'NR == 1 { print $1, $2 }'), $(wget --version | awk 'NR == 1 { print "wget", $3 }'), $(
	lftp --version | sed -n '1s/.*Version \([0-9.]*\).*/lftp \1/p')"
jobs=() status=0
for server in "${server_list[@]}"; do
	measure "$server" &
	jobs+=($!)
done
for job in "${jobs[@]}"; do wait "$job" || status=1; done
[ $status = 0 ] || exit 1

for f in "$results"/*; do
	printf '%s %s\n' "$(basename "$f")" "$(sort -n "$f" | awk '{ x[NR] = $1 } END { print NR % 2 ? x[(NR + 1) / 2] : (x[NR / 2] + x[NR / 2 + 1]) / 2 }')"
done >"$tmp/summary"
awk -v rtt="$rtt" -v slack="$slack" '
	function judge(what, value, most) {
		printf "%-62s at most %.2f   %.2f   %s\n", what, most * slack, value, value <= most * slack ? "met" : "MISSED"
		if (value > most * slack) missed = 1
	}
	BEGIN {
		files["small"] = 200
		files["mixed"] = 100
		trip = rtt ~ /ms$/ ? rtt / 1000 : rtt + 0
		printf "\n%-10s %-6s %11s  %-8s %9s %21s\n", "server", "case", "connections", "program", "median", "round trips per file"
	}
	{
		time[$1, $2, $3, $4] = $5
		if (!(($1, $2) in seen)) order[++n] = $1 SUBSEP $2
		seen[$1, $2] = 1
		printf "%-10s %-6s %11s  %-8s %7.2f s %21.2f\n", $1, $2, $3, $4, $5, $5 / trip / files[$2]
	}
	END {
		print ""
		for (i = 1; i <= n; i++) {
			split(order[i], k, SUBSEP)
			if (k[2] != "small") continue
			judge(k[1] ": round trips per small file on one connection", time[k[1], k[2], 1, "locator"] / trip / files[k[2]], 3.5)
			judge(k[1] ": time with eight connections, of that of curl -Z", time[k[1], k[2], 8, "locator"] / time[k[1], k[2], 8, "curl"], 0.8)
		}
		exit missed
	}' "$tmp/summary"
