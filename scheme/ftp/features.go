package ftp

import (
	"strings"
)

// features are the extensions that a server named in its reply to FEAT (RFC 2389 3): upper-case name, parameters.
type features map[string]string

// parseFeatures reads the reply. Names stand on lines of their own after a blank; servers differ in the blanks.
func parseFeatures(r reply) features {
	f := features{}
	if r.class() != 2 || len(r.lines) < 3 {
		return f
	}
	for _, line := range r.lines[1 : len(r.lines)-1] {
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

// machineLists reports whether the server has MLST and MLSD: the feature's name is MLST for both (RFC 3659 7.8).
func (f features) machineLists() bool { return f.has("MLST") || f.has("MLSD") }

// wantedFacts are asked for where the server has them but does not send them by itself (RFC 3659 7.9).
const wantedFacts = "type;size;modify;"

// missingFacts gives the argument of OPTS MLST, "" where nothing needs to be asked: in the FEAT line each fact is
// followed by ";", and by "*" before it where it is sent by default.
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

// features asks once a connection, and sets the options that its answer calls for. Both options are harmless where
// they are refused.
func (c *control) features() (features, error) {
	if c.feat != nil {
		return c.feat, nil
	}
	r, err := c.ask("FEAT", bare("FEAT"))
	if err != nil {
		return nil, err
	}
	f := parseFeatures(r)
	if f.has("UTF8") { // RFC 2640 makes UTF-8 the default; some servers want to be told
		if _, err := c.ask("OPTS", bare("OPTS UTF8 ON")); err != nil {
			return nil, err
		}
	}
	if facts := f.missingFacts(); facts != "" {
		l, err := argument("OPTS MLST", "list of facts", facts)
		if err != nil { // the server named a fact that cannot be sent back
			l = bare("OPTS MLST " + wantedFacts)
		}
		if _, err := c.ask("OPTS", l); err != nil {
			return nil, err
		}
	}
	c.feat = f
	return f, nil
}
