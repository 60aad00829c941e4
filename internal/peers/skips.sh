#!/bin/sh
# skips.sh FILE
#
# Prints how many tests were skipped, and how many for each reason, from the file in which Skip recorded them.
set -eu
printf 'SKIPPED: %d\n' "$(wc -l <"$1")"
# A reason names the servers that it is about, which makes many of one.
sed 's|^[^ ]*: ||; s|^real servers ([^)]*)|real servers|' "$1" | sort | uniq -c | sort -rn
