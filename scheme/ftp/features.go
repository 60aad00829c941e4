package ftp

import (
	"strings"

	"locator/scheme/internal/dialogue"
)

// features are the extensions in the reply to FEAT (RFC 2389 3): parameters by upper-case name.
type features map[string]string

// parseFeatures parses the reply. Each name is on its own line, after white space that differs
// between servers.
func parseFeatures(r reply) features {
	f := features{}
	if r.Class() != 2 || len(r.Lines) < 3 {
		return f
	}
	for _, line := range r.Lines[1 : len(r.Lines)-1] {
		name, params, _ := strings.Cut(strings.TrimSpace(line), " ")
		if name != "" {
			f[strings.ToUpper(name)] = params
		}
	}
	return f
}

func (f features) has(name string) bool {
	_, ok := f[name]
	return ok
}

// machineLists reports whether the server has MLST and MLSD: MLST is the name of the feature for
// both (RFC 3659 7.8).
func (f features) machineLists() bool { return f.has("MLST") || f.has("MLSD") }

// wantedFacts are the facts to request from a server that has them but does not send them by
// default (RFC 3659 7.9).
const wantedFacts = "type;size;modify;"

// missingFacts returns the argument of OPTS MLST, "" if none is needed. In the FEAT line, each fact
// is followed by ";", with "*" before it if it is sent by default.
func (f features) missingFacts() string {
	ask, missing := "", false
	for fact := range strings.SplitSeq(f["MLST"], ";") {
		name, sent := strings.CutSuffix(fact, "*")
		wanted := name != "" && strings.Contains(";"+wantedFacts, ";"+strings.ToLower(name)+";")
		missing = missing || wanted && !sent
		if name != "" && (wanted || sent) {
			ask += name + ";"
		}
	}
	if !missing {
		return ""
	}
	return ask
}

// features sends FEAT once per connection, and OPTS as the answer requires. It ignores a refused
// OPTS.
func (c *conn) features() (features, error) {
	if c.feat != nil {
		return c.feat, nil
	}
	r, err := c.ask("FEAT", dialogue.Bare("FEAT"))
	if err != nil {
		return nil, err
	}
	f := parseFeatures(r)
	if f.has("UTF8") { // RFC 2640 makes UTF-8 the default; some servers need the command
		if _, err := c.ask("OPTS", dialogue.Bare("OPTS UTF8 ON")); err != nil {
			return nil, err
		}
	}
	if facts := f.missingFacts(); facts != "" {
		l, err := argument("OPTS MLST", "list of facts", facts)
		if err != nil { // the name of a fact cannot be sent
			l = dialogue.Bare("OPTS MLST " + wantedFacts)
		}
		if _, err := c.ask("OPTS", l); err != nil {
			return nil, err
		}
	}
	c.feat = f
	return f, nil
}
