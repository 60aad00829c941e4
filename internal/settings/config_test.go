package settings

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"

	"locator/client"
	"locator/scheme"
)

// load returns the settings of the verb get with these arguments, this environment and this
// configuration file, and the value of its flag --words.
func load(t *testing.T, args, env, text string) (*Settings, []string, error) {
	t.Helper()
	vars := make(map[string]string)
	for _, v := range strings.Fields(env) {
		name, value, _ := strings.Cut(v, "=")
		vars[name] = value
	}
	s := &Settings{Getenv: func(name string) string { return vars[name] }, Warn: func(string) {}}
	s.Register()
	var words []string
	root := &cobra.Command{Use: "locator"}
	get := &cobra.Command{Use: "get", RunE: func(cmd *cobra.Command, _ []string) error { return s.Load(cmd) }, SilenceErrors: true, SilenceUsage: true}
	get.Flags().StringSliceVar(&words, "words", nil, "")
	get.Flags().AddFlagSet(s.All)
	get.Flags().StringArray("host", nil, "")
	root.AddCommand(get, &cobra.Command{Use: "put", Run: func(*cobra.Command, []string) {}})
	if text != "" {
		file := filepath.Join(t.TempDir(), "c.toml")
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		vars["LOCATOR_CONFIG"] = file
	}
	root.SetArgs(append([]string{"get"}, strings.Fields(args)...))
	err := root.ExecuteContext(t.Context())
	return s, words, err
}

// A flag comes before the environment, that before the section of the verb, and that before what is
// for all verbs.
func TestLoad(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		args, env, text string
		timeout         time.Duration
		user, words     string
	}{
		{timeout: 30 * time.Second},
		{text: `timeout = 9`, timeout: 9 * time.Second},
		{text: "timeout = 9\n[get]\ntimeout = 8\n[put]\n", timeout: 8 * time.Second},
		{env: "LOCATOR_TIMEOUT=7", text: "timeout = 9\n[get]\ntimeout = 8", timeout: 7 * time.Second},
		{args: "--timeout 6", env: "LOCATOR_TIMEOUT=7", text: "[get]\ntimeout = 8", timeout: 6 * time.Second},
		{text: "user = \"u\"\n[get]\nwords = [\"a\", 2, true]", timeout: 30 * time.Second, user: "u", words: "a 2 true"},
		{args: "--words x", text: "[get]\nwords = [\"a\"]", timeout: 30 * time.Second, words: "x"},
		{env: "LOCATOR_WORDS=x", text: "[get]\nwords = \"a\"", timeout: 30 * time.Second, words: "a"}, // not a shared flag
		{env: "LOCATOR_USER=v", text: "user = \"u\"", timeout: 30 * time.Second, user: "v"},
	} {
		s, words, err := load(t, test.args, test.env, test.text)
		if err != nil || s.timeout != test.timeout || s.User != test.user || strings.Join(words, " ") != test.words {
			t.Errorf("%+v: timeout %v, user %q, words %q, %v", test, s.timeout, s.User, words, err)
		}
		if want := strings.Contains(test.text, "user") && test.env == ""; s.configuredUser != want {
			t.Errorf("%+v: configuredUser %v", test, s.configuredUser)
		}
		if s.Given("timeout") != strings.Contains(test.args, "timeout") || s.IsSet("timeout") != (s.Given("timeout") || strings.Contains(test.env, "TIMEOUT")) {
			t.Errorf("%+v: Given %v, IsSet %v", test, s.Given("timeout"), s.IsSet("timeout"))
		}
	}
}

// A key or value that means nothing is an error with the line where it is.
func TestLoadFails(t *testing.T) {
	t.Parallel()
	const login = "[login.\"h\"]\n"
	for _, test := range []struct {
		env, text, want string
		code            scheme.Code
	}{
		{"", "\ncolour = 1", `c.toml:2: unknown setting "colour"; settings of one verb belong in a section, such as [get]`, scheme.CodeLocal},
		{"", "words = 1", `c.toml:1: unknown setting "words"`, scheme.CodeLocal},
		{"", "config = 1", `unknown setting "config"`, scheme.CodeLocal},
		{"", "[get]\nhelp = true", `c.toml:2: unknown setting "help" of [get]`, scheme.CodeLocal},
		{"", "[get]\nword = 1", `unknown setting "word" of [get]; "locator help get" lists the flags`, scheme.CodeLocal},
		{"", "[fetch]\ntimeout = 1", `unknown section [fetch]; a section is the name of a verb`, scheme.CodeLocal},
		{"", "[put.more]\nwords = 1", `unknown section [put.more]`, scheme.CodeLocal},
		{"", "[put]\nmore.words = 1", `unknown section [put.more`, scheme.CodeLocal},
		{"", "[get.a.b]\nwords = 1", `unknown section [get.a.b`, scheme.CodeLocal},
		{"", "[get]\nwords = [[1]]", `words: must be a value or a list of values`, scheme.CodeLocal},
		{"", "[[get.words]]\na = 1", `must be a value or a list of values`, scheme.CodeLocal},
		{"", "timeout = \"long\"", "c.toml:1: timeout: ", scheme.CodeLocal},
		{"", "timeout = \"-1s\"", "--timeout and --max-time must be positive", scheme.CodeUsage},
		{"", "keep-sent = \"x\"", `"x" must be a whole number`, scheme.CodeLocal},
		{"", "user = ", "c.toml: ", scheme.CodeLocal},
		{"", "tls = \"maybe\"", `--tls "maybe": must be off, try or require`, scheme.CodeUsage},
		{"", "allow-net = [\"x\"]", `--allow-net "x": must be a network`, scheme.CodeUsage},
		{"", "allow-port = [0]", `--allow-port 0: must be from 1 to 65535`, scheme.CodeUsage},
		{"", "allow-port = [65536]", `--allow-port 65536: must be from 1 to 65535`, scheme.CodeUsage},
		{"", "max-time = \"-1s\"", "must be positive", scheme.CodeUsage},
		{"", "timeout = 0", "must be positive", scheme.CodeUsage},
		{"", "ipv4 = true\nipv6 = true", "-4 and -6 cannot be used together", scheme.CodeUsage},
		{"", "header = [\"x\"]", `must be "Name: value" on one line`, scheme.CodeUsage},
		{"", "header-all = [\" : x\"]", `must be "Name: value" on one line`, scheme.CodeUsage},
		{"", "header = [\"a: x\\nb: y\"]", `must be "Name: value" on one line`, scheme.CodeUsage},
		{"", "[gateway]\nwais = \"x\"", "c.toml:2: --gateway wais: ", scheme.CodeLocal},
		{"", "[gateway]\n\"w s\" = \"http://h/\"", "must be SCHEME=URL", scheme.CodeLocal},
		{"", "[gateway.more]\nx = 1", "must be SCHEME=URL", scheme.CodeLocal},
		{"LOCATOR_TIMEOUT=long", "timeout = 1", "LOCATOR_TIMEOUT: ", scheme.CodeUsage},
		{"", login + "user = \"u\"", "a login needs user, and password_file or password_command", scheme.CodeLocal},
		{"", login + "password_file = \"p\"", "a login needs user", scheme.CodeLocal},
		{"", login + "user = \"u\"\npassword_file = \"p\"\npassword_command = [\"c\"]", "a login needs user, and password_file or password_command", scheme.CodeLocal},
		{"", login + "user = \"u\"\npassword = \"p\"", "c.toml:3: a password does not belong in the configuration", scheme.CodeLocal},
		{"", login + "user = 1", "user: must be a text", scheme.CodeLocal},
		{"", login + "user = \"\"", "user: must be a text", scheme.CodeLocal},
		{"", login + "name = \"u\"", `unknown setting "name" of a login`, scheme.CodeLocal},
		{"", login + "password_command = \"c\"", "password_command: must be a list of words", scheme.CodeLocal},
		{"", login + "password_command = [1]", "password_command: must be a list of words", scheme.CodeLocal},
		{"", login + "password_command = []", "password_command: must be a list of words", scheme.CodeLocal},
		{"", "[login.h.more]\nuser = 1", `unknown setting "more" of a login`, scheme.CodeLocal},
		{"", login, "a login needs user", scheme.CodeLocal},
		{"", "login = 1", `unknown setting "login"`, scheme.CodeLocal},
		{"", "user = \"" + strings.Repeat("x", 1<<20) + "\"", "larger than 1.0 MiB", scheme.CodeLocal},
		{"LOCATOR_CONFIG=/missing/c.toml", "", "/missing/c.toml", scheme.CodeLocal},
	} {
		_, _, err := load(t, "", test.env, test.text)
		if err == nil || !strings.Contains(err.Error(), test.want) || client.CodeOf(err) != test.code {
			t.Errorf("%.60q: %v (%v), want %v, %v", test.text, err, client.CodeOf(err), test.want, test.code)
		}
	}
}

// The values of a file, in their forms.
func TestReadConfig(t *testing.T) {
	t.Parallel()
	s, _, err := load(t, "", "", `
gateway = ["ftp=http://a/"]
[login."h:21"]
user = "u"
password_file = "p"
[login.g]
user = "v"
password-command = ["c", "d"]
[login.i]
user = "w"
password_file = "~/p"
[login]
`)
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Dir(s.config)
	for host, want := range map[string]hostLogin{"h:21": {"u", filepath.Join(dir, "p"), nil}, "g": {"v", "", []string{"c", "d"}}, "i": {"w", "~/p", nil}} {
		if got := s.hostLogins[host]; got.user != want.user || got.passwordFile != want.passwordFile || !slices.Equal(got.command, want.command) {
			t.Errorf("%s: %+v, want %+v", host, got, want)
		}
	}
	via, err := s.Via()
	if names := slices.Collect(maps.Keys(via)); err != nil || !slices.Equal(names, []string{"ftp"}) {
		t.Errorf("%v, %v", names, err)
	}
	if _, _, err := load(t, "", "", "#"+strings.Repeat("x", 1<<20-1)); err != nil {
		t.Error(err)
	}
	s, _, err = load(t, "", "", "[gateway]\nftp = \"http://a/\"\nWAIS = \"http://b/\"")
	if err != nil {
		t.Fatal(err)
	}
	if via, err = s.Via(); err != nil || len(via) != 2 || via["wais"].String() != "http://b/" {
		t.Errorf("%v, %v", via, err)
	}
}

// The default file may be missing. One that others can write is not read, since it may name
// commands.
//
// Covers: P6, T159
func TestDefaultConfig(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "locator"), 0o700); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "locator", "config.toml")
	env := "XDG_CONFIG_HOME=" + dir
	if _, _, err := load(t, "", "", ""); err != nil { // no home directory
		t.Error(err)
	}
	if _, _, err := load(t, "", env, ""); err != nil {
		t.Error(err)
	}
	if err := os.WriteFile(file, []byte("timeout = 9"), 0o600); err != nil {
		t.Fatal(err)
	}
	if s, _, err := load(t, "", env, ""); err != nil || s.timeout != 9*time.Second {
		t.Errorf("timeout %v, %v", s.timeout, err)
	}
	if runtime.GOOS == "windows" {
		return
	}
	if err := os.Chmod(file, 0o666); err != nil {
		t.Fatal(err)
	}
	if _, _, err := load(t, "", env, ""); err == nil || !strings.Contains(err.Error(), "to use it, name it with --config") {
		t.Errorf("a file that everyone can write: %v", err)
	}
	if s, _, err := load(t, "--config "+file, env, ""); err != nil || s.timeout != 9*time.Second {
		t.Errorf("named: timeout %v, %v", s.timeout, err)
	}
	if _, _, err := load(t, "--config "+dir+"/missing", env, ""); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a named file that is missing: %v", err)
	}
}

// A section for a host is a value of the verb's flag --host.
func TestLoadHosts(t *testing.T) {
	t.Parallel()
	s, _, err := load(t, "", "", "[get]\nwords = \"x\"\n[get.\"*.example.org\"]\nper_host = 1\nskip = true\n[get.\"a.example\"]\ninterval = \"5s\"\n[get.\"b.example\"]\n")
	if err != nil {
		t.Fatal(err)
	}
	got, err := s.verb.GetStringArray("host")
	if want := []string{"*.example.org per_host=1 skip=true", "a.example interval=5s"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("%q, error %v", got, err)
	}
	if s, _, err = load(t, "--host x", "", "[get.\"a.example\"]\nper_host = 1\n"); err != nil {
		t.Fatal(err)
	}
	if got, _ := s.verb.GetStringArray("host"); !slices.Equal(got, []string{"x"}) {
		t.Errorf("with the flag: %q", got)
	}
}
