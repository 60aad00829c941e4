package policy_test

import (
	"net/netip"
	"testing"

	"locator/policy"
	"locator/scheme"
)

// Check is the judgement before anything is looked up or connected to.
//
// Covers: P5
func TestCheck(t *testing.T) {
	t.Parallel()
	standard, strangers := policy.New(policy.Options{}), policy.Strangers()
	own := policy.Strangers().Options()
	own.AllowNets = nets("10.20.0.0/16")
	const yes, no = scheme.CodeOK, scheme.CodeRefused
	for text, want := range map[string]struct{ standard, strangers, own scheme.Code }{
		"http://h.example/":               {yes, yes, yes},
		"http://8.8.8.8/":                 {yes, yes, yes},
		"http://10.20.1.1/":               {yes, no, yes},
		"http://10.21.1.1/":               {yes, no, no},
		"http://localhost./":              {yes, no, no},
		"http://[::1]/":                   {yes, no, no},
		"http://0.0.0.0/":                 {no, no, no},
		"http://8.8.8.8:25/":              {no, no, no},
		"gopher://8.8.8.8:25/0x":          {no, no, no},
		"http://2130706433/":              {no, no, no},
		"http://168.63.129.16/":           {yes, no, no},
		"gopher://8.8.8.8:6379/1FLUSHALL": {yes, no, no},
		"gopher://8.8.8.8:7070/1":         {yes, no, no},
		"gopher://8.8.8.8:70/1":           {yes, yes, yes},
		"ftp://8.8.8.8:11211/x":           {yes, no, no},
		"nntp://8.8.8.8:1024/comp.x":      {yes, no, no},
		"wais://8.8.8.8:2100/x":           {yes, no, no},
		"prospero://8.8.8.8:1900/x":       {yes, no, no},
		"prospero://8.8.8.8:191/x":        {yes, yes, yes},
		"http://8.8.8.8:8080/":            {yes, yes, yes},
		"file:///etc/passwd":              {yes, no, no},
		"file:/etc/passwd":                {yes, no, no},
		"mailto:a@h.example":              {yes, no, no},
		"telnet://8.8.8.8/":               {yes, no, no},
		"news:comp.x":                     {yes, no, no},
		"javascript:alert(1)":             {yes, no, no},
		"gopher://8.8.8.8/0f%09%09+%091%0D%0A+-1%0D%0Ax%0D%0A.%0D%0A": {yes, no, no},
		"nntp://8.8.8.8/comp.x":  {yes, yes, yes},
		"ftp://8.8.8.8/a%0D%0Ab": {no, no, no},
	} {
		u := current(t, text)
		judge(t, "standard "+text, standard.Check(u), want.standard)
		judge(t, "strangers "+text, strangers.Check(u), want.strangers)
		judge(t, "own "+text, policy.New(own).Check(u), want.own)
	}
}

// Strangers sets every limit, and its options are a copy.
//
// Covers: P6
func TestStrangers(t *testing.T) {
	t.Parallel()
	p := policy.Strangers()
	if l := p.Limits(); l.Idle <= 0 || l.Line <= 0 || l.Header <= 0 || l.Entries <= 0 || l.Listing <= 0 || l.Body <= 0 || l.Hops <= 0 || l.Time <= 0 {
		t.Errorf("a limit is not set: %+v", l)
	}
	o := p.Options()
	o.Schemes[0] = "file"
	o.DenyNets = append(o.DenyNets, netip.MustParsePrefix("8.0.0.0/8"))
	judge(t, "file", p.URL(current(t, "file:///x"), direct), scheme.CodeRefused)
	judge(t, "8.8.8.8", p.Addr(scheme.Dial{Scheme: "http"}, addr("8.8.8.8:80")), scheme.CodeOK)
	if p.UsesLogins() || !policy.New(policy.Options{}).UsesLogins() {
		t.Error("UsesLogins")
	}
}
