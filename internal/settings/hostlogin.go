package settings

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"

	"locator/internal/console"
	"locator/scheme"
)

// hostLogin is the login for a host in the configuration file.
type hostLogin struct {
	user         string
	passwordFile string   // the password is its first line
	command      []string // the password is the first line that it prints
}

// addLogin adds a key of a section [login."HOST"].
func (c *config) addLogin(host, name string, v any) error {
	l := c.logins[host]
	text, isText := v.(string)
	switch name = strings.ReplaceAll(name, "-", "_"); name {
	case "user":
		l.user = text
	case "password_file":
		if l.passwordFile = text; !filepath.IsAbs(text) && !strings.HasPrefix(text, "~/") {
			l.passwordFile = filepath.Join(filepath.Dir(c.file.Name()), text)
		}
	case "password_command":
		list, _ := v.([]any)
		for _, x := range list {
			word, ok := x.(string)
			if !ok {
				return errors.New(`password_command: must be a list of words, such as ["pass", "show", "ftp"]`)
			}
			l.command = append(l.command, word)
		}
		if isText = len(list) > 0; !isText {
			return errors.New(`password_command: must be a list of words, such as ["pass", "show", "ftp"]`)
		}
	case "password":
		return errors.New("a password does not belong in the configuration; use password_file or password_command")
	default:
		return fmt.Errorf("unknown setting %q of a login; there are user, password_file and password_command", name)
	}
	if !isText || name == "user" && text == "" {
		return fmt.Errorf("%s: must be a text", name)
	}
	c.logins[host] = l
	return nil
}

// hostLogin returns the source for the logins by host. A password is read once, when the server
// first requires it.
func (f *Settings) hostLogin() scheme.LoginFunc {
	var mu sync.Mutex
	passwords := make(map[string]string) // by host
	return func(ctx context.Context, l scheme.LoginRequest) (string, string, bool, error) {
		host, h, ok := findLogin(f.hostLogins, l)
		if user, named := l.User.Get(); !ok || !l.AllowsHostLogin() || l.Account || l.Attempt > 0 || named && user != h.user {
			return "", "", false, nil
		}
		if l.NonInteractive && h.command != nil { // the command may ask a question
			return h.user, "", true, scheme.ErrNeedPassword
		}
		mu.Lock()
		defer mu.Unlock()
		password, known := passwords[host]
		if !known {
			var err error
			if password, err = f.hostPassword(ctx, h); err != nil {
				return "", "", false, scheme.Fail(scheme.CodeLocal, "configuration: login for %s: %w", host, err)
			}
			passwords[host] = password
		}
		return h.user, password, true, nil
	}
}

// findLogin returns the login for a server: that for its host and port, else that for its host.
func findLogin(logins map[string]hostLogin, l scheme.LoginRequest) (host string, h hostLogin, ok bool) {
	name := strings.Trim(l.Host, "[]")
	for _, want := range []string{fmt.Sprintf("%s:%d", l.Host, l.Port), fmt.Sprintf("[%s]:%d", name, l.Port), name, "[" + name + "]"} {
		for host, h := range logins {
			if strings.EqualFold(host, want) {
				return host, h, true
			}
		}
	}
	return "", h, false
}

// hostPassword reads the password of a login.
func (f *Settings) hostPassword(ctx context.Context, h hostLogin) (string, error) {
	if h.command == nil {
		return f.readPassword(h.passwordFile)
	}
	cmd := exec.CommandContext(ctx, h.command[0], h.command[1:]...)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		return "", err
	}
	password, readErr := console.ReadLine(out)
	out.Close() // it may print more than a line
	if err := cmd.Wait(); password == "" {
		return "", errors.Join(fmt.Errorf("%s printed no password", h.command[0]), err, readErr)
	}
	return password, nil
}

// readPassword returns the first line of a file. It warns if other users of the computer can read
// the file.
func (f *Settings) readPassword(file string) (string, error) {
	file = homePath(file)
	f.warnReadable(file)
	return firstLine(file)
}

// warnReadable warns if all users of the computer can read a file with passwords.
func (f *Settings) warnReadable(file string) {
	const others = fs.FileMode(0o007)
	if in, err := os.Stat(file); err == nil && in.Mode().IsRegular() && in.Mode().Perm()&others != 0 && runtime.GOOS != "windows" && !f.Quiet {
		f.Warn(fmt.Sprintf("warning: all users of this computer can read %s; run: chmod 600 %s", file, file))
	}
}
