package settings

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"locator/internal/symlink"
	"locator/internal/tomlfile"
	"locator/scheme"
)

// config is the configuration file.
type config struct {
	file     *tomlfile.File // nil if there is none
	shared   *pflag.FlagSet
	settings map[string]map[string]setting // by verb and flag; the verb "" means all
	logins   map[string]hostLogin          // by host or host:port
}

// setting has the values of a flag.
type setting []value

// value is a value of a flag, and where it is set.
type value struct {
	key  []string
	text string
}

// readConfig reads a configuration file and checks its keys against the flags of the program. It is
// not an error if the default file, whose name is "" here, does not exist.
func readConfig(root *cobra.Command, shared *pflag.FlagSet, file string, getenv func(string) string) (*config, error) {
	c := &config{shared: shared, settings: make(map[string]map[string]setting), logins: make(map[string]hostLogin)}
	name, open := file, os.Open
	if name == "" {
		dir := configFolder(getenv, "locator")
		if dir == "" {
			return c, nil
		}
		name, open = filepath.Join(dir, "config.toml"), openTrusted
	}
	h, err := open(name)
	if os.IsNotExist(err) && file == "" {
		return c, nil
	}
	if err != nil {
		return nil, err
	}
	defer h.Close()
	if c.file, err = tomlfile.Read(h, name); err != nil {
		return nil, err
	}
	if err := c.file.Each(func(key []string, v any) error { return c.add(root, key, v) }); err != nil {
		return nil, err
	}
	for host, l := range c.logins {
		if l.user == "" || (l.passwordFile == "") == (l.command == nil) {
			return nil, c.file.At([]string{"login", host}, fmt.Errorf("a login needs user, and password_file or password_command"))
		}
	}
	return c, nil
}

// openTrusted opens a configuration file that the user did not name. It may set commands that are
// run.
func openTrusted(file string) (*os.File, error) {
	h, err := symlink.Open(file)
	if err != nil {
		return nil, err
	}
	in, err := h.Stat()
	if err == nil && !symlink.Trusted(in) {
		err = fmt.Errorf("%s is not read, since it belongs to another user or everyone can write to it; to use it, name it with --config", file)
	}
	if err != nil {
		h.Close()
		return nil, err
	}
	return h, nil
}

// add adds a key: a shared flag, a flag of a verb, or a part of a login.
func (c *config) add(root *cobra.Command, key []string, v any) error {
	_, isTable := v.(map[string]any)
	section, name := "", key[len(key)-1]
	if len(key) > 1 {
		section = key[0]
	}
	switch {
	case key[0] == "login" && len(key) <= 2 && isTable:
		if len(key) == 2 {
			c.logins[key[1]] = hostLogin{}
		}
		return nil
	case key[0] == "login" && len(key) == 3:
		return c.addLogin(key[1], name, v)
	case key[0] == "gateway" && len(key) == 1 && isTable:
		return nil
	case key[0] == "gateway" && len(key) == 2:
		return c.addGateway(key, v)
	case isTable && len(key) == 1:
		if verbOf(root, name) == nil {
			return fmt.Errorf("unknown section [%s]; a section is the name of a verb, or login.\"HOST\"", name)
		}
		return nil
	case len(key) == 2 && isTable && hasHosts(root, section):
		return nil
	case len(key) == 3 && !isTable && hasHosts(root, section):
		c.addHost(key, v)
		return nil
	case isTable || len(key) > 2:
		return fmt.Errorf("unknown section [%s]", strings.Join(key, "."))
	}
	flag := strings.ReplaceAll(name, "_", "-")
	known := c.shared
	if verb := verbOf(root, section); section != "" {
		known = verb.Flags()
	}
	if known.Lookup(flag) == nil || flag == "config" || flag == "help" {
		if section != "" {
			return fmt.Errorf("unknown setting %q of [%s]; \"locator help %s\" lists the flags", name, section, section)
		}
		return fmt.Errorf("unknown setting %q; settings of one verb belong in a section, such as [get]", name)
	}
	var s setting
	list, ok := v.([]any)
	if !ok {
		list = []any{v}
	}
	for _, x := range list {
		switch x.(type) {
		case map[string]any, []any:
			return fmt.Errorf("%s: must be a value or a list of values", name)
		}
		s = append(s, value{key, fmt.Sprint(x)})
	}
	if _, ok := v.([]map[string]any); ok {
		return fmt.Errorf("%s: must be a value or a list of values", name)
	}
	c.section(section)[flag] = s
	return nil
}

// section returns the settings of a verb by flag.
func (c *config) section(verb string) map[string]setting {
	if c.settings[verb] == nil {
		c.settings[verb] = make(map[string]setting)
	}
	return c.settings[verb]
}

// hasHosts reports whether a verb has settings for single hosts, which are values of its flag --host.
func hasHosts(root *cobra.Command, verb string) bool {
	c := verbOf(root, verb)
	return c != nil && c.Flags().Lookup("host") != nil
}

// addHost adds a key of a section [VERB."HOST"] to the setting of the flag --host.
func (c *config) addHost(key []string, v any) {
	of, text := c.section(key[0]), fmt.Sprintf(" %s=%v", key[2], v)
	for i, x := range of["host"] {
		if x.key[1] == key[1] {
			of["host"][i] = value{key, x.text + text}
			return
		}
	}
	of["host"] = append(of["host"], value{key, key[1] + text})
}

// verbOf returns the command of a verb, or nil.
func verbOf(root *cobra.Command, name string) *cobra.Command {
	for _, c := range root.Commands() {
		if c.Name() == name {
			return c
		}
	}
	return nil
}

// of returns the setting of a flag for a verb. That of the verb comes before that of all.
func (c *config) of(verb string, flag *pflag.Flag, shared bool) (setting, bool) {
	if s, ok := c.settings[verb][flag.Name]; ok {
		return s, true
	}
	s, ok := c.settings[""][flag.Name]
	return s, ok && shared
}

// Load sets the flags that are not on the command line: the shared ones from the environment
// (LOCATOR_TIMEOUT for --timeout, and so on), and all from the configuration file (timeout =
// "10s"). Then it validates the shared ones.
func (f *Settings) Load(cmd *cobra.Command) error {
	f.verb = cmd.Flags()
	f.verb.Visit(func(flag *pflag.Flag) { f.given = append(f.given, flag.Name) })
	if !f.All.Changed("config") {
		f.config = f.Getenv("LOCATOR_CONFIG")
	}
	file, err := readConfig(cmd.Root(), f.All, f.config, f.Getenv)
	if err != nil {
		return scheme.Fail(scheme.CodeLocal, "configuration: %w", err)
	}
	f.hostLogins = file.logins
	var failed error
	set := func(flag *pflag.Flag) {
		if flag.Changed || flag.Name == "config" || failed != nil {
			return
		}
		shared, flags := f.All.Lookup(flag.Name) == flag, f.verb
		if shared { // perhaps not of the verb
			flags = f.All
		}
		s, inFile := file.of(cmd.Name(), flag, shared)
		env := environmentName(flag.Name)
		fromEnv := f.Getenv(env)
		switch {
		case shared && fromEnv != "":
			if err := setFlag(flags, flag, fromEnv); err != nil {
				failed = scheme.Fail(scheme.CodeUsage, "%s: %w", env, err)
			}
			return
		case flag.Name == "user":
			f.configuredUser = inFile
		}
		for _, v := range s {
			if err := setFlag(flags, flag, v.text); err != nil {
				failed = scheme.Fail(scheme.CodeLocal, "configuration: %w", file.file.At(v.key, fmt.Errorf("%s: %w", flag.Name, err)))
				return
			}
		}
	}
	f.All.VisitAll(set)
	f.verb.VisitAll(set)
	if failed != nil {
		return failed
	}
	return f.check()
}

// environmentName returns the name of the variable for a shared flag.
func environmentName(flag string) string {
	return "LOCATOR_" + strings.ToUpper(strings.ReplaceAll(flag, "-", "_"))
}

func setFlag(flags *pflag.FlagSet, flag *pflag.Flag, value string) error {
	err := flags.Set(flag.Name, value)
	if must := MustBe(err); must != "" {
		return fmt.Errorf("%q must be %s", value, must)
	}
	return err
}
