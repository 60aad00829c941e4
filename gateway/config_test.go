package gateway

import (
	"net/netip"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"locator/policy"
	"locator/scheme/all"
)

// bcryptHash and argonHash are those of the password "word".
const (
	bcryptHash = "$2a$04$CBpddl8yGZSExFnjHOU5ge55u6oSwcseWKHSwxShTcjRfhKiEB8Q."
	argonHash  = "$argon2id$v=19$m=64,t=1,p=1$c2FsdHNhbHQ$ew2iteR+VWrgE4qJ3UPk/fsbi11EokYzKeSRRYaBcqc"
)

func readPolicy(t *testing.T, text string) (Options, error) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "gateway.toml")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	opt := Options{}
	opt.Client.Registry = all.Registry()
	err := ReadPolicy(file, &opt)
	return opt, err
}

func TestReadPolicy(t *testing.T) {
	dir := t.TempDir()
	opt, err := readPolicy(t, `
hosts = ["gw.example.org", "192.0.2.1"]
addresses = "any"
allow_ports = [7070, 8080]
allow_nets = ["10.20.0.0/16", "2001:db8::1"]
deny_nets = ["198.51.100.0/24"]
schemes = ["ftp", "gopher"]
folders = ["`+filepath.ToSlash(dir)+`"]
block_list = "blocked.txt"
key_file = "gateway.key"
trusted_proxies = ["127.0.0.1"]
metrics = "127.0.0.1:9738"
content_origin = "https://content.example.org"

[limits]
listing = "8M"
body = 1000000
time = "2h"
idle = 20
read = "5s"
write = 0.5
clients = 100

[upstream]
at_once = 3
per_second = 0.5
burst = 10
wait = "2s"

[client]
at_once = 5
connections = 7

[changes]
per_second = 2
burst = 3

[cache]
folder = "kept"
size = "2M"
object = 1000
age = "30s"

[user.ann]
password = "`+bcryptHash+`"
may = ["send", "post"]

[user.bob]
password = "`+argonHash+`"
`)
	if err != nil {
		t.Fatal(err)
	}
	p, s := opt.Policy.Options(), opt.Service
	if len(opt.Hosts) != 2 || p.Addresses != policy.Any || !reflect.DeepEqual(p.AllowPorts, []uint16{7070, 8080}) || !reflect.DeepEqual(p.Schemes, []string{"ftp", "gopher"}) ||
		!reflect.DeepEqual(p.AllowNets, []netip.Prefix{netip.MustParsePrefix("10.20.0.0/16"), netip.MustParsePrefix("2001:db8::1/128")}) || len(p.DenyNets) != 1 {
		t.Errorf("%+v", p)
	}
	if l := p.Limits; l.Listing != 8<<20 || l.Body != 1000000 || l.Time != 2*time.Hour || l.Idle != 20*time.Second {
		t.Errorf("%+v", l)
	}
	if s.Upstream != (Share{3, 0.5, 10, 2 * time.Second}) || s.Clients != (Share{5, publicClients.PerSecond, publicClients.Burst, 0}) || s.Changes.Burst != 3 {
		t.Errorf("%+v", s)
	}
	if s.ReadTime != 5*time.Second || s.WriteTime != time.Second/2 || s.MaxConns != 100 || s.ClientConns != 7 || s.Metrics != "127.0.0.1:9738" || s.ContentOrigin != "https://content.example.org" || len(s.Proxies) != 1 || !filepath.IsAbs(s.KeyFile) || filepath.Base(s.KeyFile) != "gateway.key" || !filepath.IsAbs(s.BlockList) || filepath.Base(s.BlockList) != "blocked.txt" {
		t.Errorf("%+v", s)
	}
	if c := s.Cache; !filepath.IsAbs(c.Folder) || filepath.Base(c.Folder) != "kept" || c.Size != 2<<20 && c.Size != 2_000_000 || c.Object != 1000 || c.Age != 30*time.Second {
		t.Errorf("%+v", c)
	}
	if len(s.Users) != 2 || s.Users[0].Name != "ann" || len(s.Users[0].May) != 2 || s.Users[1].May != nil {
		t.Errorf("%+v", s.Users)
	}
	if len(opt.Folders) != 1 || !strings.HasSuffix(opt.Folders[0].Text(), filepath.Base(dir)) {
		t.Errorf("%v", opt.Folders)
	}
}

// An empty file gives the limits of a public gateway, on which nobody may change anything.
func TestReadPolicyDefaults(t *testing.T) {
	opt, err := readPolicy(t, "")
	if s := opt.Service; err != nil || s.Upstream != publicUpstream || s.Clients != publicClients || s.ClientConns != 64 || s.Users == nil || len(s.Users) != 0 || s.Cache == nil || *s.Cache != (Cache{}) {
		t.Errorf("%v %+v", err, s)
	}
	if p := opt.Policy.Options(); p.Addresses != policy.PublicOnly || p.Schemes != nil || opt.Folders != nil {
		t.Errorf("%+v", p)
	}
}

// An error names the file, the line and the key.
//
// Covers: GWS4
func TestReadPolicyErrors(t *testing.T) {
	for text, want := range map[string]string{
		"\nhost = []\n":                   `gateway.toml:2: unknown key "host"`,
		"[limits]\nlines = 3\n":           `gateway.toml:2: unknown key "limits.lines"`,
		"[other]\n":                       `gateway.toml:1: unknown key "other"`,
		"hosts = \"a\"":                   "gateway.toml:1: hosts: must be a list",
		"hosts = [\"a/b\"]":               "hosts: ",
		"addresses = \"private\"":         "addresses: must be",
		"allow_ports = [0]":               "allow_ports: must be",
		"allow_ports = [80, 65536]":       "allow_ports: must be",
		"allow_nets = [\"10.0.0.0/99\"]":  "allow_nets: must be",
		"deny_nets = [10]":                "deny_nets: must be",
		"schemes = [\"ftp\", \"xyz\"]":    "schemes: there is no scheme",
		"schemes = [\"FTP\"]":             "schemes: ",
		"folders = [\"/does/not/exist\"]": "folders: /does/not/exist is not a folder",
		"metrics = \"9738\"":              "metrics: ",
		"content_origin = \"https://a/\"": "content_origin: ",
		"content_origin = \"a.b\"":        "content_origin: ",
		"[limits]\nbody = -1":             "gateway.toml:2: limits.body: must be",
		"[limits]\nbody = \"1X\"":         "limits.body: must be",
		"[limits]\ntime = \"soon\"":       "limits.time: must be",
		"[limits]\nidle = 0":              "limits.idle: must be",
		"[upstream]\nat_once = 0":         "upstream.at_once: must be",
		"[upstream]\nper_second = \"1\"":  "upstream.per_second: must be",
		"[upstream]\nper_second = nan":    "upstream.per_second: must be",
		"[client]\nwait = 3":              `unknown key "client.wait"`,
		"upstream = 3":                    `unknown key "upstream"`,
		"\n[user.ann]\nmay = [\"put\"]":   "gateway.toml:2: user.ann: needs a password",
		"[user.ann]\npassword = \"word\"": "user.ann.password: ",
		"[user.ann]\nname = \"word\"":     "user.ann.name: unknown key",
		"[user]\nann = 3":                 "user.ann: must be a table",
		"user = 3":                        "user: must be a table",
		"[user.ann]\nmay = [\"all\"]":     "user.ann.may: must be",
		"[user.ann.x]\ny = 1":             "user.ann.x: ",
		"a = ":                            "gateway.toml: toml: line 1",
		"hosts = []\nhosts = []":          "toml: line 2",
	} {
		if _, err := readPolicy(t, text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
	if err := ReadPolicy(filepath.Join(t.TempDir(), "none"), &Options{}); err == nil {
		t.Error("no error without a file")
	}
}
