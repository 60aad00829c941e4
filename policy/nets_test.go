package policy_test

import (
	"net/netip"
	"testing"

	"locator/policy"
	"locator/scheme"
)

func nets(texts ...string) (list []netip.Prefix) {
	for _, text := range texts {
		list = append(list, netip.MustParsePrefix(text))
	}
	return list
}

// A denied network is refused in any mode and spelling, and takes precedence over an allowed one. An allowed network counts as public.
//
// Covers: P5, T168
func TestNets(t *testing.T) {
	t.Parallel()
	deny := nets("203.1.0.0/16", "10.9.0.0/16", "::ffff:11.0.0.0/104", "2606:4700::/32", "fe80::/10")
	allow := nets("10.0.0.0/8", "fd00:1::/32", "::ffff:172.16.3.4/128", "203.1.0.0/16")
	any := policy.New(policy.Options{AllowNets: allow, DenyNets: deny})
	public := policy.New(policy.Options{AllowNets: allow, DenyNets: deny, Addresses: policy.PublicOnly})
	deny[0], allow[0] = netip.MustParsePrefix("0.0.0.0/0"), netip.MustParsePrefix("0.0.0.0/0") // New has copies
	const yes, no = scheme.CodeOK, scheme.CodeRefused
	for text, want := range map[string]struct{ any, public, hop scheme.Code }{
		"8.8.8.8:80":                {yes, yes, yes},
		"10.1.2.3:80":               {yes, yes, yes}, // allowed, so a public server may lead there
		"[::ffff:10.1.2.3]:80":      {yes, yes, yes},
		"[64:ff9b::10.1.2.3]:80":    {yes, no, no}, // a translator is not in the network
		"10.9.0.0:80":               {no, no, no},
		"10.9.255.255:80":           {no, no, no},
		"[::ffff:10.9.1.1]:80":      {no, no, no},
		"[::10.9.1.1]:80":           {no, no, no},
		"[64:ff9b::10.9.1.1]:80":    {no, no, no},
		"[2002:a09:101::1]:80":      {no, no, no}, // 6to4
		"[2001:0:1:2:3:4:f5f6:0]:1": {no, no, no}, // Teredo of 10.9.255.255
		"10.10.0.1:80":              {yes, yes, yes},
		"11.1.1.1:80":               {no, no, no},
		"[64:ff9b::11.1.1.1]:80":    {no, no, no},
		"12.1.1.1:80":               {yes, yes, yes},
		"203.1.2.3:80":              {no, no, no},
		"[2606:4700::1]:80":         {no, no, no},
		"[2606:4701::1]:80":         {yes, yes, yes},
		"[fe80::1%eth0]:80":         {no, no, no},
		"[fd00:1::7]:80":            {yes, yes, yes},
		"[fd00:1::7%eth0]:80":       {yes, yes, yes},
		"[fd00:2::7]:80":            {yes, no, no},
		"172.16.3.4:80":             {yes, yes, yes},
		"172.16.3.5:80":             {yes, no, no},
		"127.0.0.1:80":              {yes, no, no},
		"10.1.2.3:25":               {no, no, no}, // the other rules hold
	} {
		d := scheme.Dial{Scheme: "http"}
		judge(t, "any "+text, any.Addr(d, addr(text)), want.any)
		judge(t, "public "+text, public.Addr(d, addr(text)), want.public)
		d.FromPublic = true
		judge(t, "hop "+text, any.Addr(d, addr(text)), want.hop)
		judge(t, "hop, public "+text, public.Addr(d, addr(text)), want.hop)
		if a := addr(text); a.Port() == 80 {
			data := scheme.Dial{Scheme: "ftp", Purpose: scheme.ForData, Peer: a}
			judge(t, "data "+text, public.Addr(data, a), want.public)
			judge(t, "proxy "+text, public.Addr(scheme.Dial{Purpose: scheme.ForProxy}, a), yes)
		}
	}
	judge(t, "denied", any.Addr(scheme.Dial{Scheme: "http"}, addr("[64:ff9b::10.9.1.1]:80")), no, "denied network 10.9.0.0/16")
	judge(t, "a name", any.Proxied(scheme.Dial{Scheme: "http", Addr: "h.example:80"}), no, "a proxy resolves it")
	judge(t, "a name, one network denied", policy.New(policy.Options{DenyNets: nets("10.0.0.0/8")}).Proxied(scheme.Dial{Scheme: "http", Addr: "h.example:80"}), no, "a proxy resolves it")
	judge(t, "a name, no network denied", policy.New(policy.Options{AllowNets: nets("10.0.0.0/8")}).Proxied(scheme.Dial{Scheme: "http", Addr: "h.example:80"}), yes)
	never := policy.New(policy.Options{AllowNets: nets("0.0.0.0/0", "::/0")})
	for _, text := range []string{"0.0.0.0:80", "224.0.0.1:80", "255.255.255.255:80", "[::]:80", "[ff02::1]:80", "[64:ff9b::224.0.0.1]:80"} {
		judge(t, text, never.Addr(scheme.Dial{Scheme: "http"}, addr(text)), no, "is refused")
	}
	defer func() {
		if recover() == nil {
			t.Error("a prefix that is not valid denies nothing, and New took it")
		}
	}()
	policy.New(policy.Options{DenyNets: make([]netip.Prefix, 1)})
}

// A public server may not lead to a name of the proxy's host or network.
//
// Covers: P5, T183
func TestProxiedNames(t *testing.T) {
	t.Parallel()
	p := policy.New(policy.Options{})
	for name, code := range map[string]scheme.Code{
		"localhost": scheme.CodeRefused, "localhost.": scheme.CodeRefused, "foo.LOCALHOST": scheme.CodeRefused, "printer.local": scheme.CodeRefused,
		"intranet": scheme.CodeRefused, "metadata.google.internal": scheme.CodeRefused, "nas.home.arpa": scheme.CodeRefused, "db.corp.": scheme.CodeRefused,
		"h.example": scheme.CodeOK, "localhost.example": scheme.CodeOK, "mylocalhost.example": scheme.CodeOK, "local.example": scheme.CodeOK, "xhome.arpa": scheme.CodeOK,
	} {
		judge(t, name, p.Proxied(scheme.Dial{Scheme: "http", Addr: name + ":80", FromPublic: true}), code)
		judge(t, name+" directly", p.Proxied(scheme.Dial{Scheme: "http", Addr: name + ":80"}), scheme.CodeOK)
	}
}

// If only public addresses are allowed, a file URL is refused unless the scheme was named.
//
// Covers: P5, T177
func TestPublicOnlyFile(t *testing.T) {
	t.Parallel()
	file := current(t, "file:///etc/passwd")
	judge(t, "any", policy.New(policy.Options{}).URL(file, direct), scheme.CodeOK)
	judge(t, "public", policy.New(policy.Options{Addresses: policy.PublicOnly}).URL(file, direct), scheme.CodeRefused, "local file")
	judge(t, "named", policy.New(policy.Options{Addresses: policy.PublicOnly, Schemes: []string{"file"}}).URL(file, direct), scheme.CodeOK)
	judge(t, "another named", policy.New(policy.Options{Addresses: policy.PublicOnly, Schemes: []string{"ftp"}}).URL(file, direct), scheme.CodeRefused)
}

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
