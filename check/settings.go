package check

import (
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"locator/internal/hostname"
	"locator/internal/units"
	"locator/scheme"
)

// Settings say how the URLs of a run are judged. A run keeps those with which it began, by which
// programs judge that only help. The zero value means the defaults, but for RetryAfter.
type Settings struct {
	Confirm   string        `json:"confirm,omitempty"` // see ParseConfirm
	Fragments bool          `json:"fragments,omitempty"`
	Content   bool          `json:"content,omitempty"`
	Mail      bool          `json:"mail,omitempty"`
	NoRobots  bool          `json:"no_robots,omitempty"`
	PerHost   int           `json:"per_host,omitempty"`    // as Manners.PerHost
	Interval  time.Duration `json:"interval,omitempty"`    // as Manners.Interval
	Hosts     HostRules     `json:"hosts,omitempty"`       // for some hosts
	Again     time.Duration `json:"retry_after,omitempty"` // as Checker.RetryAfter
	Schemes   []string      `json:"schemes,omitempty"`
	Exclude   []string      `json:"exclude,omitempty"` // regular expressions of URLs that are skipped
	Scope     Scope         `json:"scope,omitempty"`
	Depth     int           `json:"depth"`            // as Input.Depth, if there is a Scope
	Folders   []string      `json:"folders,omitzero"` // as Checker.Folders; an empty list is not nil
	Home      string        `json:"home,omitempty"`   // the Here of the process that began the run
}

// Here returns the name of this machine and the working directory.
func Here() string {
	name, _ := os.Hostname()
	dir, _ := os.Getwd()
	return name + ":" + dir
}

// Checker returns the checker that the settings describe, without a client.
func (s *Settings) Checker() (*Checker, error) {
	c := &Checker{
		Mail: s.Mail, Fragments: s.Fragments, Content: s.Content, Scope: s.Scope, Schemes: slices.Clone(s.Schemes),
		Folders: s.Folders, RetryAfter: s.Again, Agent: "locator",
	}
	for i, name := range c.Schemes {
		c.Schemes[i] = strings.ToLower(strings.TrimSuffix(name, ":"))
	}
	if s.NoRobots {
		c.Agent = ""
	}
	if s.PerHost < 0 {
		return nil, scheme.Fail(scheme.CodeUsage, "the number of connections to one host must be positive")
	}
	c.Manners = func(host string) Manners {
		m := Manners{PerHost: s.PerHost, Interval: s.Interval}
		r := s.rule(host)
		return Manners{PerHost: cmp.Or(r.PerHost, m.PerHost), Interval: cmp.Or(r.Interval, m.Interval)}
	}
	c.skips = func(host string) bool { return s.rule(host).Skip }
	var err error
	if c.Excluded, err = Matcher(s.Exclude); err != nil {
		return nil, scheme.Fail(scheme.CodeUsage, "URLs to skip: %w", err)
	}
	c.Confirm, err = ParseConfirm(cmp.Or(s.Confirm, "1"))
	return c, err
}

// Read reads the settings of a run.
func (s *Settings) Read(r RunInfo) error {
	if err := json.Unmarshal(r.Settings, s); err != nil {
		return scheme.Fail(scheme.CodeLocal, "settings of run %d: %w", r.Number, err)
	}
	return nil
}

// CheckerOf returns the checker that the settings of a run describe, without a client.
func CheckerOf(r RunInfo) (*Checker, error) {
	var s Settings
	if err := s.Read(r); err != nil {
		return nil, err
	}
	return s.Checker()
}

// HostRules is a flag's value of rules for hosts.
type HostRules []HostRule

// Set adds a rule.
func (x *HostRules) Set(text string) error {
	r, err := ParseHostRule(text)
	*x = append(*x, r)
	return err
}

// String returns the rules.
func (x *HostRules) String() string {
	if len(*x) == 0 {
		return ""
	}
	return fmt.Sprint(*x)
}

// Type returns the word for the value in the help.
func (*HostRules) Type() string { return "rule" }

// HostRule has the limits of one host, or of all hosts in a domain.
type HostRule struct {
	Host     string        `json:"host"`               // "www.example.org", or "*.example.org" for all below example.org
	PerHost  int           `json:"per_host,omitempty"` // 0 means that of the settings
	Interval time.Duration `json:"interval,omitempty"` // 0 means that of the settings; negative is none
	Skip     bool          `json:"skip,omitempty"`     // the host is not asked
}

// rule returns the rule for a host: the one that names it, else that of the smallest domain.
func (s *Settings) rule(host string) HostRule {
	var best HostRule
	for _, r := range s.Hosts {
		switch domain, ok := strings.CutPrefix(r.Host, "*"); {
		case strings.EqualFold(r.Host, host):
			return r
		case ok && len(r.Host) > len(best.Host) && len(host) > len(domain) && strings.EqualFold(host[len(host)-len(domain):], domain):
			best = r
		}
	}
	return best
}

// ParseHostRule parses a host and its limits: "www.example.org per-host=1 interval=5s", or
// "*.example.org skip=true". A number of the interval without a unit is in seconds, and 0 is none.
func ParseHostRule(text string) (HostRule, error) {
	fields := strings.Fields(text)
	if len(fields) < 2 || strings.ContainsAny(fields[0], "/:=@") && !strings.HasPrefix(fields[0], "[") {
		return HostRule{}, scheme.Fail(scheme.CodeUsage, "%q is not a host and its limits, such as %q", text, "www.example.org per-host=1 interval=5s")
	}
	host, below := strings.CutPrefix(fields[0], "*.")
	r := HostRule{Host: strings.ToLower(hostname.ASCII(host))}
	if below {
		r.Host = "*." + r.Host
	}
	for _, f := range fields[1:] {
		name, value, _ := strings.Cut(f, "=")
		var err error
		switch strings.ReplaceAll(name, "_", "-") {
		case "per-host":
			if r.PerHost, err = strconv.Atoi(value); err != nil || r.PerHost < 1 {
				return r, scheme.Fail(scheme.CodeUsage, "%s: per-host must be a positive number", r.Host)
			}
		case "interval":
			d, ok := units.ParseDuration(value)
			if !ok || d < 0 {
				return r, scheme.Fail(scheme.CodeUsage, "%s: interval must be a duration, such as 5s", r.Host)
			}
			r.Interval = cmp.Or(d, -1)
		case "skip":
			if r.Skip, err = strconv.ParseBool(value); err != nil {
				return r, scheme.Fail(scheme.CodeUsage, "%s: skip must be true or false", r.Host)
			}
		default:
			return r, scheme.Fail(scheme.CodeUsage, "%s: unknown limit %q; there are per-host, interval and skip", r.Host, name)
		}
	}
	return r, nil
}
