#!/usr/bin/env bash
# bench/transfer.sh [OPTION VALUE]...   compares the speed of `locator get` with curl, wget, lftp and aria2c
#
#   --rounds N      runs of each program in each case (5)
#   --megabytes N   size of the large file (1024)
#   --tree N        files of 1 KB in the tree that is mirrored, a multiple of 100 (10000)
#   --cases LIST    which of large-ftp,large-http,mirror (all)
#   --dir DIR       where to create the folder for all files (TMPDIR)
#   --slack X       factor for the bounds, for small runs, in which the start of a program matters more (1)
#   --realtime yes  run servers and programs at real-time priority, on a machine that others use (no)
#
# The servers are vsftpd and nginx on loopback. The programs take turns, A B C A B C. For each program the script prints the
# least and the median CPU time (user and system) and wall time, and the greatest memory. It exits with status 1 if a bound
# is exceeded, or if a program writes files that differ from those served. Requires Debian 12 as root, Go, GNU time and the
# programs. Files of a run are kept until the end, since ext4 creates files slowly after many deletions.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

rounds=5 megabytes=1024 tree=10000 cases=large-ftp,large-http,mirror dir=${TMPDIR:-/tmp} slack=1 realtime=no
usage() { sed -n '2,/^set/s/^# \{0,1\}//p' bench/transfer.sh >&2; exit 2; }
while [ $# -gt 0 ]; do
	case ${1#--} in
	rounds | megabytes | tree | cases | dir | slack | realtime) [ $# -gt 1 ] || usage ;;
	*) usage ;;
	esac
	printf -v "${1#--}" %s "$2"
	shift 2
done
for program in go curl wget lftp aria2c /usr/bin/time; do
	command -v "$program" >/dev/null || { echo "bench/transfer.sh: $program is not installed" >&2; exit 1; }
done

tmp=$(mktemp -d "$dir/locator-transfer.XXXXXX")
chmod 755 "$tmp" # for the servers, which drop root
export PEERS_DIR=$tmp/peers PEERS_BASE=$((22000 + $$ % 50 * 100)) # apart from servers that may be running
first=()
[ "$realtime" = no ] || first=(chrt --rr 5)
trap 'internal/peers/peers stop vsftpd nginx >&2 || true; rm -rf "$tmp"' EXIT
trap 'exit 130' INT TERM
internal/peers/peers install vsftpd nginx >&2
"${first[@]}" internal/peers/peers start vsftpd nginx >&2
eval "$(internal/peers/peers env)"
go build -o "$tmp/locator" ./cmd/locator

# The files to serve.
served=$PEER_TREE/bench
fill() { # FOLDER FILES
	mkdir -p "$1"
	(cd "$1" && head -c "$(($2 * 1024))" /dev/urandom | split -a 6 -b 1024 --numeric-suffixes --additional-suffix=.bin - f)
}
mkdir -p "$served"
[[ $cases != *large* ]] || head -c "${megabytes}M" /dev/urandom >"$served/large.bin"
[[ $cases != *mirror* ]] || for ((i = 0; i < 100; i++)); do fill "$served/tree/a$((i / 10))/b$((i % 10))" "$((tree / 100))"; done
ftp=ftp://$PEER_VSFTPD/bench http=http://$PEER_NGINX/bench

# What is asked for, in the words of each program. All write to the folder that they are started in.
locator=$tmp/locator home=$tmp/home results=$tmp/results runs=0
mkdir "$home" "$results" "$tmp/out" "$tmp/large"
[[ $cases != *large* ]] || ln "$served/large.bin" "$tmp/large/"

# run CASE PROGRAM WHAT COMMAND...: runs the command in a new folder, checks that its content is WHAT, and records "wall cpu
# memory". A program other than locator that exceeds the time limit is recorded with the limit.
run() {
	local case=$1 program=$2 what=$3 status=0 out=$tmp/out/$((++runs))
	shift 3
	mkdir "$out"
	# On a virtual machine the host may have to provide memory that was not in use. The first program would pay for that.
	if [[ $case == large* ]]; then
		cat "$served/large.bin" >"$tmp/warm"
		rm "$tmp/warm"
	fi
	TIMEFORMAT='%R %U %S'
	{ time (cd "$out" && HOME=$home "${first[@]}" /usr/bin/time -o "$tmp/memory" -f %M timeout "$limit" "$@" >/dev/null 2>"$tmp/err"); } \
		2>"$tmp/time" || status=$?
	if [ $status = 124 ] && [[ $program != locator* ]]; then
		echo "$case, $program: not finished after $limit s" >&2
	elif [ $status != 0 ]; then
		echo "$*: status $status" >&2
		tail -n 5 "$tmp/err" >&2
		return 1
	else
		diff -rq -x .locator "$out" "$what" >&2 || { echo "$case, $program: the files differ from those served" >&2; return 1; }
	fi
	echo "$(awk '{ print $1, $2 + $3 }' "$tmp/time") $(tail -n 1 "$tmp/memory")" >>"$results/$case $program"
	[[ $case != large* ]] || rm -r "$out"
}

aria=(aria2c --no-conf -q --file-allocation=none --summary-interval=0)

large() { # CASE URL
	limit=60
	run "$1" locator "$tmp/large" "$locator" get -q -O "$2"
	run "$1" curl "$tmp/large" curl -sS -O "$2"
	run "$1" wget "$tmp/large" wget -q "$2"
	run "$1" lftp "$tmp/large" lftp -c "get $2"
	run "$1" aria2c "$tmp/large" "${aria[@]}" -x 1 "$2"
}

mirror() {
	local what=$served/tree
	limit=$((10 + tree / 100))
	run mirror locator "$what" "$locator" get -q --recursive --dir . "$ftp/tree/"
	run mirror 'locator, one connection' "$what" "$locator" get -q --recursive --parallel 1 --dir . "$ftp/tree/"
	run mirror lftp "$what" lftp -c "mirror $ftp/tree/ ."
	run mirror 'lftp, two' "$what" lftp -c "mirror --parallel=2 $ftp/tree/ ."
	run mirror wget "$what" wget -q -r -l 0 -np -nH --cut-dirs=2 "$ftp/tree/"
}

echo "$megabytes MB, tree of $tree; $rounds rounds; $(nproc) processors, Linux $(uname -r), $(date -u +%FT%TZ)"
echo "$(curl --version | awk 'NR == 1 { print $1, $2 }'), $(wget --version | awk 'NR == 1 { print "wget", $3 }'), $(
	lftp --version | sed -n '1s/.*Version \([0-9.]*\).*/lftp \1/p'), $(aria2c --version | awk 'NR == 1 { print "aria2c", $3 }'), $(go env GOVERSION)"
for ((round = 0; round < rounds; round++)); do
	[[ $cases != *large-ftp* ]] || large large-ftp "$ftp/large.bin"
	[[ $cases != *large-http* ]] || large large-http "$http/large.bin"
	[[ $cases != *mirror* ]] || mirror
done

# One line per program: least and median CPU and wall time, greatest memory.
for f in "$results"/*; do
	printf '%s\t' "$(basename "$f")"
	paste <(sort -n -k 2,2 "$f" | cut -d ' ' -f 2) <(sort -n -k 1,1 "$f" | cut -d ' ' -f 1) <(sort -n -k 3,3 "$f" | cut -d ' ' -f 3) |
		awk 'function median(x) { return NR % 2 ? x[(NR + 1) / 2] : (x[NR / 2] + x[NR / 2 + 1]) / 2 }
			{ cpu[NR] = $1; wall[NR] = $2; memory = $3 / 1024 }
			END { printf "%.3f\t%.3f\t%.3f\t%.3f\t%.1f\n", cpu[1], median(cpu), wall[1], median(wall), memory }'
done >"$tmp/summary"

awk -F '\t' -v slack="$slack" '
	function bound(what, mine, theirs, medianMine, medianTheirs, most,   ratio, verdict) {
		if (mine == "" || theirs == "") return
		ratio = mine / theirs
		verdict = ratio <= most * slack ? "met" : "MISSED"
		if (verdict != "met") missed = 1
		printf "%-66s at most %.2f   least %.2f   median %.2f   %s\n", what, most * slack, mine / theirs, medianMine / medianTheirs, verdict
	}
	function bounds(   k, c, m, t, most, verdict) {
		for (k = 1; k <= 2; k++) {
			c = k == 1 ? "large-ftp" : "large-http"
			m = c " locator"; t = c " curl"
			if (!(m in wall)) continue
			bound(c ": CPU time relative to curl", cpu[m], cpu[t], cpuMedian[m], cpuMedian[t], k == 1 ? 0.7 : 1)
			bound(c ": wall time relative to curl", wall[m], wall[t], wallMedian[m], wallMedian[t], 1)
		}
		if ("mirror lftp" in wall)
			bound("mirror: wall time relative to lftp", wall["mirror locator"], wall["mirror lftp"], wallMedian["mirror locator"], wallMedian["mirror lftp"], 0.8)
		for (k in memory) if (k ~ /locator/ && memory[k] > most) most = memory[k]
		verdict = most > 30 ? "MISSED" : "met"
		if (verdict != "met") missed = 1
		printf "%-66s at most 30   MiB %.1f                %s\n", "memory of locator, in all cases", most, verdict
	}
	BEGIN { printf "\n%-36s %10s %10s %10s %10s %10s\n", "", "CPU", "median", "wall", "median", "memory" }
	{
		cpu[$1] = $2; cpuMedian[$1] = $3; wall[$1] = $4; wallMedian[$1] = $5; memory[$1] = $6
		printf "%-36s %8.3f s %8.3f s %8.3f s %8.3f s %6.1f MiB\n", $1, $2, $3, $4, $5, $6
	}
	END { print ""; bounds(); exit missed }' "$tmp/summary"
