package handler

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func testDesktop(t *testing.T) Desktop {
	dir := t.TempDir()
	return Desktop{Data: filepath.Join(dir, "share"), Config: filepath.Join(dir, "config")}
}

func content(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

const before = "# mine\n[Added Associations]\ntext/plain=vim.desktop;locator.desktop;\n\n[Default Applications]\n" +
	"text/html=firefox.desktop\nx-scheme-handler/mailto=mutt.desktop;thunderbird.desktop;\nx-scheme-handler/ftp=filezilla.desktop\n\n[Removed Associations]\nx-scheme-handler/gopher=lynx.desktop;\n"

// Covers: GW67
func TestInstall(t *testing.T) {
	t.Parallel()
	d := testDesktop(t)
	program := filepath.Join(t.TempDir(), `a "b" $c 100% \d`)
	if err := os.WriteFile(program, nil, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := write(d.apps(), before); err != nil {
		t.Fatal(err)
	}
	p := Program{Path: program, Schemes: []string{"ftp", "http", "gopher", "mailto"}, Default: []string{"ftp", "gopher", "mailto"}}
	for range 2 { // it may be called again
		if err := d.Install(p); err != nil {
			t.Fatal(err)
		}
	}
	entry := content(t, d.entry())
	for _, want := range []string{
		"MimeType=x-scheme-handler/ftp;x-scheme-handler/http;x-scheme-handler/gopher;x-scheme-handler/mailto;\n", `a \\"b\\" \\$c 100%% \\\\d" open %u` + "\n",
		"X-Locator-Previous=ftp=filezilla.desktop|mailto=mutt.desktop;thunderbird.desktop;\n",
	} {
		if !strings.Contains(entry, want) {
			t.Errorf("no %q in\n%s", want, entry)
		}
	}
	if got, want := content(t, d.Unit()), `a \"b\" $$c 100%% \\d" serve`+"\n"; !strings.Contains(got, want) {
		t.Errorf("no %q in\n%s", want, got)
	}
	want := "[Default Applications]\ntext/html=firefox.desktop\nx-scheme-handler/mailto=locator.desktop;\nx-scheme-handler/ftp=locator.desktop;\nx-scheme-handler/gopher=locator.desktop;\n\n[Removed"
	if got := content(t, d.apps()); !strings.Contains(got, want) || !strings.HasPrefix(got, "# mine\n") {
		t.Errorf("the list is\n%s", got)
	}
	s, err := d.Status([]string{"ftp", "http"})
	if err != nil || s.Program != program || s.Missing || !s.IsDefault("ftp") || s.IsDefault("http") || s.Unit == "" || s.Enabled {
		t.Errorf("%+v, %v", s, err)
	}
	changed, err := d.Uninstall()
	if err != nil || len(changed) != 3 {
		t.Errorf("changed %q, %v", changed, err)
	}
	after := strings.ReplaceAll(strings.Replace(before, "locator.desktop;", "", 1), "ftp=filezilla.desktop\n", "ftp=filezilla.desktop;\n")
	if got := content(t, d.apps()); got != after {
		t.Errorf("after the removal:\n%s\nwant\n%s", got, after)
	}
	if changed, err := d.Uninstall(); err != nil || changed != nil {
		t.Errorf("a second removal changed %q, %v", changed, err)
	}
}

// What the user has chosen after the installation stays, and files that were not there go.
func TestUninstall(t *testing.T) {
	t.Parallel()
	d := testDesktop(t)
	p := Program{Path: "/opt/locator", Schemes: []string{"ftp", "news"}, Default: []string{"ftp", "news"}}
	if err := d.Install(p); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Dir(d.wanted()), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(d.Unit(), d.wanted()); err != nil {
		t.Fatal(err)
	}
	if s, err := d.Status(nil); err != nil || !s.Enabled || !s.Missing {
		t.Errorf("%+v, %v", s, err)
	}
	list, err := readList(d.apps())
	if err != nil {
		t.Fatal(err)
	}
	list.set(defaults, typeStart+"news", "tin.desktop")
	if err := write(d.apps(), list.text()); err != nil {
		t.Fatal(err)
	}
	if changed, err := d.Uninstall(); err != nil || len(changed) != 4 {
		t.Errorf("changed %q, %v", changed, err)
	}
	if got, want := content(t, d.apps()), "[Default Applications]\nx-scheme-handler/news=tin.desktop\n"; got != want {
		t.Errorf("the list is %q, want %q", got, want)
	}

	d = testDesktop(t)
	if err := d.Install(p); err != nil {
		t.Fatal(err)
	}
	if _, err := d.Uninstall(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(d.apps()); err == nil {
		t.Errorf("%s is still there: %q", d.apps(), content(t, d.apps()))
	}
}

// A unit that a package has installed is shown, and stays enabled.
func TestUnitOfPackage(t *testing.T) {
	t.Parallel()
	d := testDesktop(t)
	unit := filepath.Join(t.TempDir(), unitName)
	if err := os.MkdirAll(filepath.Dir(d.wanted()), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(unit, d.wanted()); err != nil {
		t.Fatal(err)
	}
	if changed, err := d.Uninstall(); err != nil || changed != nil {
		t.Errorf("changed %q, %v", changed, err)
	}
	if s, err := d.Status(nil); err != nil || s.Unit != unit || !s.Enabled {
		t.Errorf("%+v, %v", s, err)
	}
}

// The files of a package are those that Install writes, and the units of the outbox.
func TestWriteFiles(t *testing.T) {
	t.Parallel()
	d, dir := testDesktop(t), filepath.Join(t.TempDir(), "new")
	p := NewProgram("/opt/my programs/locator", []string{"ftp", "http", "wais"})
	if err := d.Install(p); err != nil {
		t.Fatal(err)
	}
	if err := p.WriteFiles(dir); err != nil {
		t.Fatal(err)
	}
	for path, own := range map[string]string{entryName: d.entry(), unitName: d.Unit()} {
		if got, want := content(t, filepath.Join(dir, path)), content(t, own); got != want {
			t.Errorf("%s is\n%s\nwant\n%s", path, got, want)
		}
	}
	if got, want := content(t, d.entry()), "MimeType=x-scheme-handler/ftp;x-scheme-handler/wais;\n"; !strings.Contains(got, want) {
		t.Errorf("no %q in\n%s", want, got)
	}
	if got, want := content(t, filepath.Join(dir, outboxName)), `ExecStart="/opt/my programs/locator" outbox send`; !strings.Contains(got, want) {
		t.Errorf("no %q in\n%s", want, got)
	}
	if got, want := content(t, filepath.Join(dir, timerName)), "WantedBy=timers.target"; !strings.Contains(got, want) {
		t.Errorf("no %q in\n%s", want, got)
	}
	if err := p.WriteFiles(filepath.Join(dir, entryName)); err == nil {
		t.Error("a file in place of the folder: no error")
	}
}

// Covers: GW67
func TestInstallFails(t *testing.T) {
	t.Parallel()
	for name, p := range map[string]Program{"a relative path": {Path: "locator"}, "a line end": {Path: "/opt/a\nExec=evil"}} {
		if err := testDesktop(t).Install(p); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if err := (Desktop{}).Install(Program{Path: "/opt/locator"}); err == nil {
		t.Error("without a home directory: no error")
	}
	d := testDesktop(t)
	if err := os.MkdirAll(d.apps(), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := d.Install(Program{Path: "/opt/locator"}); err == nil {
		t.Error("a folder in place of the list: no error")
	}
	if _, err := os.Stat(d.entry()); err == nil {
		t.Error("an installation that failed left its entry")
	}
}

// A link stays one.
func TestWriteLink(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	target, link := filepath.Join(dir, "target"), filepath.Join(dir, "link")
	if err := os.WriteFile(target, []byte("a"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(target, link); err != nil {
		t.Fatal(err)
	}
	if err := write(link, "b"); err != nil {
		t.Fatal(err)
	}
	if got := content(t, target); got != "b" {
		t.Errorf("the target has %q", got)
	}
}
