#!/usr/bin/env bash
# bench/find.sh [OPTION VALUE]...   `locator find` beside ripgrep with an expression of the ten schemes, and beside xurls
#
#   --size N      size of a text and, three times, of the folder (100M)
#   --files N     files of the folder (20000)
#   --large N     size of the texts for memory; 0 leaves them out (1G)
#   --rounds N    runs of each program in each case (5)
#   --xurls N     runs of xurls, on the first 2 MB of the texts only, since it takes long (1)
#   --slack X     divides the targets (1)
#
# The texts are made anew: sparse has a URL per 2 KB of prose, dense one per 100 bytes, log one per 2 KB of lines with times. On these the programs have one processor and
# write to /dev/null or to a file. The folder has files of 15 KB on average, of which a tenth is ignored by .gitignore and a tenth binary; there the
# programs have all processors. The programs take turns. For each case the script prints the median of the elapsed times and of the
# processor times, and the ratio to locator. It compares how much is found. It ends with status 1 if a target or a bound is missed. It
# needs Linux, Go, and ripgrep, time and util-linux of Debian.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

size=100M files=20000 large=1G rounds=5 xurls=1 slack=1
usage() { sed -n '2,/^set/s/^# \{0,1\}//p' bench/find.sh >&2; exit 2; }
while [ $# -gt 0 ]; do
	case ${1#--} in
	size | files | large | rounds | xurls | slack) [ $# -gt 1 ] || usage ;;
	*) usage ;;
	esac
	printf -v "${1#--}" %s "$2"
	shift 2
done
for program in go rg taskset /usr/bin/time; do
	command -v "$program" >/dev/null || { echo "bench/find.sh: there is no $program" >&2; exit 1; }
done

tmp=$(mktemp -d "${TMPDIR:-/tmp}/locator-find.XXXXXX")
trap 'rm -rf "$tmp"' EXIT
go build -o "$tmp/locator" ./cmd/locator
(cd bench && go build -o "$tmp/tool" ./find)
export HOME=$tmp
expression=$("$tmp/tool" expression)
unit=${size##*[0-9]}
"$tmp/tool" text -every 2048 "$size" >"$tmp/sparse"
"$tmp/tool" text -every 100 "$size" >"$tmp/dense"
"$tmp/tool" text -every 2048 -log "$size" >"$tmp/log"
"$tmp/tool" tree -files "$files" "$tmp/folder" "$((3 * ${size%"$unit"}))$unit"
mkdir "$tmp/results"

# run CASE PROGRAM OUTPUT COMMAND...: notes the elapsed and the processor time of the command.
run() {
	local name="$1 $2" out=$3 status=0
	shift 3
	TIMEFORMAT='%R %U %S'
	{ time "$@" >"$out" 2>"$tmp/err"; } 2>"$tmp/time" || status=$?
	if [ $status != 0 ]; then
		echo "$name: $*: status $status" >&2
		tail -n 5 "$tmp/err" >&2
		return 1
	fi
	awk '{ print $1, $2 + $3 }' "$tmp/time" >>"$tmp/results/$name"
}

one=(taskset -c "$(taskset -pc $$ | sed 's/.*[ ,-]//')") # the last processor that is allowed
for ((i = 0; i < rounds; i++)); do
	for text in sparse dense log; do
		for out in /dev/null "$tmp/out"; do
			case=$text,$([ "$out" = /dev/null ] && echo null || echo file)
			run "$case" locator "$out" "${one[@]}" "$tmp/locator" find "$tmp/$text"
			run "$case" rg "$out" "${one[@]}" rg -oN "$expression" "$tmp/$text"
		done
	done
	run folder locator /dev/null "$tmp/locator" find "$tmp/folder"
	run folder rg /dev/null rg -oN "$expression" "$tmp/folder"
done
for ((i = 0; i < xurls; i++)); do
	for text in sparse dense; do
		head -c 2M "$tmp/$text" >"$tmp/part"
		run "$text,2MB" locator /dev/null "${one[@]}" "$tmp/locator" find "$tmp/part"
		run "$text,2MB" xurls /dev/null "${one[@]}" "$tmp/tool" xurls "$tmp/part"
	done
done

echo "$(rg --version | sed -n 1p), $(go version), $(nproc) processors, load $(cut -d' ' -f1-3 /proc/loadavg)"
missed=0
for what in sparse dense log folder; do
	ours=$("$tmp/locator" find "$tmp/$what" | wc -l) theirs=$(rg -oN "$expression" "$tmp/$what" | wc -l)
	echo "$what: locator finds $ours URLs, ripgrep $theirs"
	[ "$ours" = "$theirs" ] || missed=1
done
median() { # FILE COLUMN
	awk -v column="$2" '{ print $column }' "$1" | sort -n | awk '{ x[NR] = $1 } END { print NR % 2 ? x[(NR + 1) / 2] : (x[NR / 2] + x[NR / 2 + 1]) / 2 }'
}
for f in "$tmp/results"/*; do
	printf '%s %s %s\n' "$(basename "$f")" "$(median "$f" 1)" "$(median "$f" 2)"
done | awk -v slack="$slack" -v missed=$missed '
	BEGIN {
		target["sparse"] = 1.5 / slack
		target["dense"] = 2.2 / slack
		target["folder"] = 1 / slack
		printf "\n%-12s %-8s %10s %10s %8s %12s %7s\n", "case", "program", "elapsed", "processor", "ratio", "of processor", "target"
	}
	{
		time[$1, $2] = $3
		cpu[$1, $2] = $4
		order[++n] = $1 SUBSEP $2
	}
	END {
		for (i = 1; i <= n; i++) {
			split(order[i], k, SUBSEP)
			printf "%-12s %-8s %8.3f s %8.3f s", k[1], k[2], time[order[i]], cpu[order[i]]
			if (k[2] != "locator") {
				ratio = time[order[i]] / time[k[1], "locator"]
				printf " %8.2f %12.2f", ratio, cpu[order[i]] / cpu[k[1], "locator"]
				split(k[1], c, ",")
				if (k[2] == "rg" && c[1] in target) {
					printf " %7.2f  %s", target[c[1]], (ratio >= target[c[1]] ? "met" : "MISSED")
					if (ratio < target[c[1]]) missed = 1
				}
			}
			print ""
		}
		exit missed
	}' || missed=1

if [ "$large" != 0 ]; then
	echo
	for case in line sparse; do
		options=(-every 2048)
		[ $case = sparse ] || options+=(-newlines=false)
		"$tmp/tool" text "${options[@]}" "$large" >"$tmp/large"
		for from in file pipe; do
			if [ $from = file ]; then
				/usr/bin/time -f %M "$tmp/locator" find "$tmp/large" >/dev/null 2>"$tmp/time"
			else
				"$tmp/tool" text "${options[@]}" "$large" | /usr/bin/time -f %M "$tmp/locator" find - >/dev/null 2>"$tmp/time"
			fi
			peak=$(($(tail -n 1 "$tmp/time") / 1024))
			echo "peak memory, $large $([ $case = line ] && echo 'without line breaks' || echo sparse), $from: $peak MiB, at most 64"
			[ $peak -le 64 ] || missed=1
		done
	done
fi
exit $missed
