package action_test

import (
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
)

// action is what a runner reads of action.yml.
type action struct {
	Inputs map[string]struct {
		Description string
		Default     string
	}
	Outputs map[string]struct{ Description, Value string }
	Runs    struct {
		Using string
		Steps []struct {
			ID, If, Uses, Shell, Run string
			Env, With                map[string]string
		}
	}
}

func readAction(t *testing.T) (a action) {
	t.Helper()
	text, err := os.ReadFile("action.yml")
	if err != nil {
		t.Fatal(err)
	}
	if err := yaml.Unmarshal(text, &a); err != nil {
		t.Fatal(err)
	}
	return a
}

// No expression is a part of a script, where the text of an input would be run. Each input is used,
// and the README has each.
func TestAction(t *testing.T) {
	t.Parallel()
	a := readAction(t)
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	if a.Runs.Using != "composite" || a.Outputs["status"].Value != "${{ steps.check.outputs.status }}" {
		t.Errorf("%+v", a)
	}
	used := ""
	for _, s := range a.Runs.Steps {
		if strings.Contains(s.Run, "${{") {
			t.Errorf("an expression in the script %q", s.Run)
		}
		if (s.Run == "") == (s.Uses == "") || s.Run != "" && s.Shell != "bash" {
			t.Errorf("%+v", s)
		}
		used += fmt.Sprintln(s.If, s.Env, s.With)
	}
	for name, input := range a.Inputs {
		if input.Description == "" || !strings.Contains(used, "inputs."+name) {
			t.Errorf("input %s: %+v", name, input)
		}
		if !strings.Contains(string(readme), "`"+name+"`") {
			t.Errorf("README.md lacks the input %s", name)
		}
	}
}

// fakeProgram records its arguments, and prints what a stranger would like to be a command.
const fakeProgram = `#!/usr/bin/env bash
{ printf '%s\n' "$@"; echo; } >>"$FAKE_LOG"
case $1 in
check) echo '::set-output name=x::planted'; exit "$FAKE_STATUS" ;;
report)
	for a in "$@"; do
		case $a in
		--github) echo '::error file=a.md,line=1::broken' ;;
		--markdown) echo '## Link check'; [ -z "${FAKE_LONG:-}" ] || yes 'a long line' | head -n 200000 ;;
		--sarif | --html) echo "report $a" ;;
		esac
	done ;;
esac
`

type result struct {
	status               int
	out, output, summary string
	calls                []string
	dir                  string
}

// runStep runs the script of the step "check" as a runner does, in a new folder.
func runStep(t *testing.T, status int, inputs map[string]string, env ...string) result {
	t.Helper()
	a := readAction(t)
	dir := t.TempDir()
	program := filepath.Join(dir, "fake locator")
	if err := os.WriteFile(program, []byte(fakeProgram), 0o755); err != nil {
		t.Fatal(err)
	}
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	values := map[string]string{"locator": program}
	maps.Copy(values, inputs)
	step := a.Runs.Steps[len(a.Runs.Steps)-1]
	cmd := exec.CommandContext(t.Context(), "bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step.Run)
	cmd.Dir = dir
	cmd.Env = append([]string{
		"PATH=" + os.Getenv("PATH"), "GITHUB_ACTION_PATH=" + here, "RUNNER_TEMP=" + dir, "GITHUB_OUTPUT=" + filepath.Join(dir, "output"),
		"GITHUB_STEP_SUMMARY=" + filepath.Join(dir, "summary"), "FAKE_LOG=" + filepath.Join(dir, "log"), fmt.Sprintf("FAKE_STATUS=%d", status),
	}, env...)
	expression := regexp.MustCompile(`^\$\{\{ inputs\.([a-z-]+) \}\}$`)
	for name, value := range step.Env {
		m := expression.FindStringSubmatch(value)
		if m == nil {
			t.Fatalf("%s: %q", name, value)
		}
		text, ok := values[m[1]]
		if !ok {
			text = a.Inputs[m[1]].Default
		}
		cmd.Env = append(cmd.Env, name+"="+text)
	}
	out, err := cmd.CombinedOutput()
	if _, ok := err.(*exec.ExitError); err != nil && !ok {
		t.Fatal(err)
	}
	read := func(name string) string {
		text, _ := os.ReadFile(filepath.Join(dir, name))
		return string(text)
	}
	calls := strings.Split(strings.TrimSuffix(read("log"), "\n\n"), "\n\n")
	for i, call := range calls {
		calls[i] = strings.ReplaceAll(strings.ReplaceAll(call, "\n", "|"), dir, "DIR")
	}
	return result{cmd.ProcessState.ExitCode(), string(out), read("output"), read("summary"), calls, dir}
}

func TestCheck(t *testing.T) {
	t.Parallel()
	r := runStep(t, 1, nil)
	want := []string{
		"check|--addresses|public|--run|DIR/locator-run|--confirm|1|--fail-on|broken|--|.",
		"report|--fail-on|broken|--github|DIR/locator-run",
		"report|--fail-on|broken|--markdown|DIR/locator-run",
	}
	if !slices.Equal(r.calls, want) || r.status != 1 || r.output != "status=1\n" || r.summary != "## Link check\n" {
		t.Errorf("%q, status %d, %q, %q\n%s", r.calls, r.status, r.output, r.summary, r.out)
	}
}

// Inputs are arguments as they are, whatever is in them.
func TestCheckInputs(t *testing.T) {
	t.Parallel()
	r := runStep(t, 0, map[string]string{
		"paths": "a b\n--output=x\n$(touch planted)\n\n;touch planted\n", "fail-on": "broken,`touch planted`", "baseline": "known links.jsonl", "since": "abc0",
		"confirm": "3/72h", "allow-empty": "true", "run": ".links", "sarif": "l.sarif", "html": "l.html", "args": "--fragments\n--interval\n1s\n",
	})
	want := []string{
		"check|--addresses|public|--run|.links|--confirm|3/72h|--fail-on|broken,`touch planted`|--baseline|known links.jsonl|--since|abc0|--allow-empty|" +
			"--fragments|--interval|1s|--|a b|--output=x|$(touch planted)|;touch planted",
	}
	for _, format := range []string{"github", "markdown", "sarif", "html"} {
		want = append(want, "report|--fail-on|broken,`touch planted`|--baseline|known links.jsonl|--"+format+"|.links")
	}
	if !slices.Equal(r.calls, want) || r.status != 0 {
		t.Errorf("status %d\n%s\nwant\n%s\n%s", r.status, strings.Join(r.calls, "\n"), strings.Join(want, "\n"), r.out)
	}
	if _, err := os.Stat(filepath.Join(r.dir, "planted")); err == nil {
		t.Error("an input was run")
	}
	for name, text := range map[string]string{"l.sarif": "report --sarif\n", "l.html": "report --html\n"} {
		if got, err := os.ReadFile(filepath.Join(r.dir, name)); err != nil || string(got) != text {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
}

// The commit before the first push of a branch is 0000..., which is none.
func TestCheckSinceZero(t *testing.T) {
	t.Parallel()
	if r := runStep(t, 0, map[string]string{"since": strings.Repeat("0", 40)}); strings.Contains(r.calls[0], "--since") {
		t.Error(r.calls[0])
	}
}

// The step has the status of the check. There is no report without results.
func TestCheckStatus(t *testing.T) {
	t.Parallel()
	for _, status := range []int{2, 11, 14, 130} {
		r := runStep(t, status, nil)
		if r.status != status || len(r.calls) != 1 || r.output != fmt.Sprintf("status=%d\n", status) {
			t.Errorf("%d: status %d, %q, %q", status, r.status, r.calls, r.output)
		}
	}
}

// The runner obeys no line of the output of the check, and all of the report.
func TestCheckCommands(t *testing.T) {
	t.Parallel()
	tokens := make(map[string]bool)
	for range 2 {
		lines := strings.Split(runStep(t, 1, nil).out, "\n")
		token, ok := strings.CutPrefix(lines[0], "::stop-commands::")
		if !ok || len(token) != 32 || tokens[token] {
			t.Fatalf("%q", lines)
		}
		tokens[token] = true
		if want := []string{"::set-output name=x::planted", "::" + token + "::", "::error file=a.md,line=1::broken", ""}; !slices.Equal(lines[1:], want) {
			t.Errorf("%q", lines[1:])
		}
	}
}

// GitHub refuses a summary of more than 1 MiB.
func TestCheckLongSummary(t *testing.T) {
	t.Parallel()
	r := runStep(t, 1, nil, "FAKE_LONG=1")
	if len(r.summary) > 1<<20 || !strings.HasSuffix(r.summary, "a long line\n\nThe rest does not fit in here.\n") {
		t.Errorf("%d bytes, ending in %q", len(r.summary), r.summary[max(0, len(r.summary)-80):])
	}
}

// The program is built from the source beside the action, to where check.sh looks for it.
func TestBuild(t *testing.T) {
	t.Parallel()
	a := readAction(t)
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "go"), []byte("#!/bin/sh\npwd\necho \"$@\"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, s := range a.Runs.Steps[:2] {
		if s.If != "inputs.locator == ''" {
			t.Errorf("%+v", s)
		}
	}
	cmd := exec.CommandContext(t.Context(), "bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", a.Runs.Steps[1].Run)
	cmd.Env = []string{"PATH=" + dir + ":" + os.Getenv("PATH"), "GITHUB_ACTION_PATH=" + here, "RUNNER_TEMP=" + dir}
	out, err := cmd.CombinedOutput()
	want := filepath.Dir(filepath.Dir(here)) + "\nbuild -trimpath -buildvcs=false -o " + dir + "/locator-bin/ ./cmd/locator\n"
	if err != nil || string(out) != want {
		t.Errorf("%q, want %q, error %v", out, want, err)
	}
}

func TestPreCommitHook(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../.pre-commit-hooks.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var hooks []struct {
		ID, Name, Description, Entry, Language string
		Types                                  []string
		RequireSerial                          bool `yaml:"require_serial"`
	}
	if err := yaml.Unmarshal(text, &hooks); err != nil {
		t.Fatal(err)
	}
	if len(hooks) != 1 {
		t.Fatalf("%+v", hooks)
	}
	h := hooks[0]
	if h.ID != "locator-check" || h.Name == "" || h.Description == "" || h.Language != "golang" || !h.RequireSerial || !slices.Equal(h.Types, []string{"text"}) {
		t.Errorf("%+v", h)
	}
	if words := strings.Fields(h.Entry); words[0] != "locator" || words[1] != "check" || words[len(words)-1] != "--" {
		t.Errorf("entry %q", h.Entry)
	}
}
