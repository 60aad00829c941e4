package handler

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Desktop is the desktop of a user.
type Desktop struct {
	Data, Config string // $XDG_DATA_HOME and $XDG_CONFIG_HOME, or their defaults
}

// The names of the files.
const (
	entryName = "locator.desktop"
	unitName  = "locator-gateway.service"
	typeStart = "x-scheme-handler/" // the media type of a scheme
	// previousKey is the key of the desktop entry with the handlers that there were before.
	previousKey = "X-Locator-Previous"
)

func (d Desktop) entry() string { return filepath.Join(d.Data, "applications", entryName) }
func (d Desktop) apps() string  { return filepath.Join(d.Config, "mimeapps.list") }

// Unit returns the path of the systemd unit of the gateway.
func (d Desktop) Unit() string { return filepath.Join(d.Config, "systemd", "user", unitName) }

// wanted returns the link by which systemd starts the unit with the session of the user.
func (d Desktop) wanted() string {
	return filepath.Join(d.Config, "systemd", "user", "default.target.wants", unitName)
}

// IsBrowsers reports whether web browsers open the URLs of a scheme themselves. A handler of those
// that opens a browser would be called by it again.
func IsBrowsers(scheme string) bool {
	return slices.Contains([]string{"http", "https", "file"}, scheme)
}

// UnitName returns the name of the unit for systemctl.
func UnitName() string { return unitName }

// Program is what is installed.
//
// It must not offer to open what web browsers open: a desktop without a default browser could choose
// it, and it would call itself.
type Program struct {
	Path    string   // of the executable, absolute
	Schemes []string // that it offers to open
	Default []string // that it is to open: the user chooses the others by hand
}

// NewProgram returns a program that opens those of schemes that web browsers do not.
func NewProgram(path string, schemes []string) Program {
	foreign := slices.DeleteFunc(slices.Clone(schemes), IsBrowsers)
	return Program{Path: path, Schemes: foreign, Default: foreign}
}

// Install writes a desktop entry and a systemd unit, and makes the program the default handler. It
// may be called again.
func (d Desktop) Install(p Program) error {
	if d.Data == "" || d.Config == "" {
		return errors.New("no home directory is known; set HOME")
	}
	if strings.ContainsAny(p.Path, "\n\r\x00") || !filepath.IsAbs(p.Path) {
		return fmt.Errorf("the path of the program cannot be written into a desktop entry: %q", p.Path)
	}
	apps, err := readList(d.apps())
	if err != nil {
		return err
	}
	previous, err := d.previous()
	if err != nil {
		return err
	}
	for _, scheme := range p.Default {
		if now := apps.get(defaults, typeStart+scheme); now != "" && !mentions(now, entryName) {
			previous[scheme] = now
		}
	}
	if err := write(d.entry(), p.entry(previous)); err != nil {
		return err
	}
	if err := write(d.Unit(), p.gateway()); err != nil {
		return err
	}
	for _, scheme := range p.Default {
		apps.set(defaults, typeStart+scheme, entryName+";")
	}
	return write(d.apps(), apps.text())
}

// Uninstall takes back what Install did. It returns the files that it removed or changed.
func (d Desktop) Uninstall() (changed []string, err error) {
	previous, err := d.previous()
	if err != nil {
		return nil, err
	}
	apps, err := readList(d.apps())
	if err != nil {
		return nil, err
	}
	if apps.remove(entryName, func(mediaType string) string {
		return previous[strings.TrimPrefix(mediaType, typeStart)]
	}) {
		text := apps.text()
		if strings.TrimSpace(text) == "["+defaults+"]" { // Install made it
			err = os.Remove(d.apps())
		} else {
			err = write(d.apps(), text)
		}
		if err != nil {
			return nil, err
		}
		changed = append(changed, d.apps())
	}
	files := []string{d.entry()}
	if _, err := os.Lstat(d.Unit()); err == nil { // else the link is that of a unit that a package has installed
		files = append(files, d.wanted(), d.Unit())
	}
	for _, path := range files {
		switch err := os.Remove(path); {
		case err == nil:
			changed = append(changed, path)
		case !errors.Is(err, fs.ErrNotExist):
			return changed, err
		}
	}
	return changed, nil
}

// Status is what is installed.
type Status struct {
	Entry   string            // path of the desktop entry; "" if there is none
	Program string            // that the entry runs
	Missing bool              // the program is no longer there
	Unit    string            // path of the systemd unit; "" if there is none
	Enabled bool              // systemd starts the unit with the session of the user
	Opens   map[string]string // the default handler of each scheme that was asked about; "" if there is none
}

// IsDefault reports whether the program is the default handler of a scheme.
func (s *Status) IsDefault(scheme string) bool { return mentions(s.Opens[scheme], entryName) }

// Status returns what is installed.
func (d Desktop) Status(schemes []string) (*Status, error) {
	s := &Status{Opens: make(map[string]string)}
	text, err := read(d.entry())
	if err != nil {
		return nil, err
	}
	if text != "" {
		s.Entry = d.entry()
		s.Program = programOf(keyOf(text, "Exec"))
		_, err := os.Stat(s.Program)
		s.Missing = err != nil
	}
	if _, err := os.Lstat(d.Unit()); err == nil {
		s.Unit = d.Unit()
	}
	if target, err := os.Readlink(d.wanted()); err == nil {
		s.Unit, s.Enabled = cmp.Or(s.Unit, target), true
	}
	apps, err := readList(d.apps())
	if err != nil {
		return nil, err
	}
	for _, scheme := range schemes {
		s.Opens[scheme] = strings.TrimSuffix(apps.get(defaults, typeStart+scheme), ";")
	}
	return s, nil
}

// Lines returns the status for people: a line for each scheme, and one for each thing that is
// installed.
func (s *Status) Lines(schemes []string) (lines []string) {
	for _, name := range schemes {
		app := s.Opens[name]
		switch {
		case s.IsDefault(name):
			app = "locator"
		case app == "" && IsBrowsers(name):
			app = "(the web browser)"
		case app == "":
			app = "(no choice of yours)"
		}
		lines = append(lines, fmt.Sprintf("%-10s %s", name, app))
	}
	entry, unit := "not installed", "not installed"
	if s.Entry != "" {
		if entry = s.Entry + " runs " + s.Program; s.Missing {
			entry += ", which is no longer there: install again"
		}
	}
	if s.Unit != "" {
		if unit = s.Unit; !s.Enabled {
			unit += ", not enabled"
		}
	}
	return append(lines, "entry      "+entry, "unit       "+unit)
}

// previous returns the handlers that there were before Install, by scheme.
func (d Desktop) previous() (map[string]string, error) {
	text, err := read(d.entry())
	all := make(map[string]string)
	for item := range strings.SplitSeq(keyOf(text, previousKey), "|") {
		if scheme, app, ok := strings.Cut(item, "="); ok {
			all[scheme] = app
		}
	}
	return all, err
}

// mentions reports whether a list of applications contains one.
func mentions(list, app string) bool { return slices.Contains(strings.Split(list, ";"), app) }
