#!/usr/bin/env bash
# check.sh is the last step of action.yml. It checks links, annotates the lines of those that fail, and adds a summary to the page of the
# job. Its inputs are variables of the environment. It runs with bash 3.2, which macOS has.
set -euo pipefail

locator=${INPUT_LOCATOR:-$RUNNER_TEMP/locator-bin/locator}
run=${INPUT_RUN:-$RUNNER_TEMP/locator-run}

# Strangers write pull requests: no link makes this machine connect to a private address.
check=(check --addresses public --run "$run" --confirm "$INPUT_CONFIRM" --fail-on "$INPUT_FAIL_ON")
report=(report --fail-on "$INPUT_FAIL_ON")
if [ -n "$INPUT_BASELINE" ]; then
	check+=(--baseline "$INPUT_BASELINE")
	report+=(--baseline "$INPUT_BASELINE")
fi
# The commit before the first push of a branch is 0000...
if [ -n "${INPUT_SINCE//0/}" ]; then check+=(--since "$INPUT_SINCE"); fi
if [ "$INPUT_ALLOW_EMPTY" = true ]; then check+=(--allow-empty); fi
while IFS= read -r line; do
	if [ -n "$line" ]; then check+=("$line"); fi
done <<<"$INPUT_ARGS"
check+=(--)
while IFS= read -r line; do
	if [ -n "$line" ]; then check+=("$line"); fi
done <<<"$INPUT_PATHS"

# Until the token, the runner takes no line of the output for a command.
token=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
status=0
echo "::stop-commands::$token"
"$locator" "${check[@]}" || status=$?
echo "::$token::"
echo "status=$status" >>"$GITHUB_OUTPUT"

# A check that found broken links, or none, has results. Others failed before.
case $status in
0 | 1)
	"$locator" "${report[@]}" --github "$run"
	# A summary may have 1 MiB.
	if [ -n "${GITHUB_STEP_SUMMARY:-}" ]; then
		summary=$RUNNER_TEMP/locator-summary.md
		"$locator" "${report[@]}" --markdown "$run" >"$summary"
		if [ "$(wc -c <"$summary")" -gt 1000000 ]; then
			head -c 1000000 "$summary" | sed '$d' >>"$GITHUB_STEP_SUMMARY"
			printf '\nThe rest does not fit in here.\n' >>"$GITHUB_STEP_SUMMARY"
		else
			cat "$summary" >>"$GITHUB_STEP_SUMMARY"
		fi
	fi
	if [ -n "$INPUT_SARIF" ]; then "$locator" "${report[@]}" --sarif "$run" >"$INPUT_SARIF"; fi
	if [ -n "$INPUT_HTML" ]; then "$locator" "${report[@]}" --html "$run" >"$INPUT_HTML"; fi
	;;
esac
exit "$status"
