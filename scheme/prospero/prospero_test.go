package prospero_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"locator"
	"locator/client"
	"locator/internal/leaks"
	"locator/policy"
	"locator/scheme"
	"locator/scheme/ftp"
	"locator/scheme/ftp/ftptest"
	"locator/scheme/prospero"
	"locator/scheme/prospero/internal/ardp"
	"locator/scheme/prospero/internal/text"
	"locator/scheme/prospero/prosperotest"
	"locator/schemetest/peer"
	"locator/tree"
)

func start(t *testing.T, opts ...prosperotest.Option) *prosperotest.Server {
	t.Helper()
	s, err := prosperotest.Start(peer.Tree(), opts...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

func newClient(t *testing.T, change ...func(*client.Options)) *client.Client {
	t.Helper()
	o := client.Options{Registry: scheme.NewRegistry(prospero.New(), ftp.New()), Limits: scheme.Limits{Idle: 5 * time.Second}}
	for _, f := range change {
		f(&o)
	}
	l := leaks.Watch(t)
	o.Dial = l.Dial(o.Dial)
	c := client.New(o)
	l.Ends(c)
	return c
}

// list returns the entries of a directory, a line each.
func list(t *testing.T, c *client.Client, u locator.URL) (lines []string, err error) {
	t.Helper()
	for e, err := range client.Entries(c.List(t.Context(), scheme.Request{URL: u}, nil)) {
		if err != nil {
			return lines, err
		}
		lines = append(lines, fmt.Sprintf("%s %s %s", e.Kind, e.Name, e.URL))
	}
	return lines, nil
}

func get(t *testing.T, c *client.Client, u locator.URL) (string, *scheme.Resource, error) {
	t.Helper()
	res, err := c.Access(t.Context(), scheme.Request{URL: u}, nil)
	if err != nil {
		return "", nil, err
	}
	defer res.Close()
	if res.Kind != scheme.KindObject {
		return "", res, nil
	}
	b, err := io.ReadAll(res.Body)
	return string(b), res, err
}

// Covers: A13, S16, PR13
func TestLinks(t *testing.T) {
	t.Parallel()
	s := start(t, prosperotest.Link([]string{"deep"},
		"LINK  L EXTERNAL ftp INTERNET-D ftp.example.org ASCII '/pub/a b.txt' 0", "ATTRIBUTE LINK FIELD ACCESS-METHOD AFTP '' '' '' '' BINARY",
		"LINK  L EXTERNAL full INTERNET-D ftp.example.org(2121) ASCII '/pub/x' 0", "ATTRIBUTE LINK FIELD ACCESS-METHOD SEQUENCE FTP '' '' '' '' TEXT",
		"LINK  L EXTERNAL menu INTERNET-D gopher.example.org(70) ASCII 1'/docs' 0", "ATTRIBUTE LINK FIELD ACCESS-METHOD GOPHER '' '' '' ''",
		"LINK  L EXTERNAL login INTERNET-D telnet.example.org(23) ASCII '' 0", "ATTRIBUTE LINK FIELD ACCESS-METHOD TELNET '' '' '' '' Login' as guest'",
		"LINK  L EXTERNAL wais INTERNET-D localhost ASCII WAIS-GW'/wais.example.org(210)/TEXT/db/a%3Bb' 0", "ATTRIBUTE LINK FIELD ACCESS-METHOD WAIS '' '' '' ''",
		"LINK  L EXTERNAL local INTERNET-D HOST ASCII '/etc/passwd' 0", "ATTRIBUTE LINK FIELD ACCESS-METHOD LOCAL '' '' '' ''",
		"LINK  L EXTERNAL unknown INTERNET-D x.example ASCII y 0", "ATTRIBUTE LINK FIELD ACCESS-METHOD RCP '' '' '' ''",
		"LINK  L SYMBOLIC sym VIRTUAL-SYSTEM #'/INET/EDU/ISI/swa' ASCII '/papers' 0",
		"LINK  L DIRECTORY remote INTERNET-D OTHER.EXAMPLE.ORG(191) ASCII '/pub/x' 3",
		"LINK  I FILE hidden INTERNET-D HOST ASCII AFTP 0", "LINK  L NULL NULL NULL NULL NULL NULL NULL",
		"LINK  U DIRECTORY union INTERNET-D HOST ASCII 'AFTP/etc' 0", "LINK  U DIRECTORY itself INTERNET-D HOST ASCII 'AFTP/deep' 0",
		"LINK too short"))
	at := strings.TrimPrefix(s.URL().Text(), "prospero://")
	got, err := list(t, newClient(t), s.URL("deep", ""))
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"listing 1 prospero://" + at + "/deep/1",
		"object ftp ftp://ftp.example.org/pub/a%20b.txt;type=i", "object full ftp://ftp.example.org:2121/%2Fpub/x;type=a",
		"listing menu gopher://gopher.example.org:70/11/docs", "session login telnet://telnet.example.org:23/",
		"object wais wais://wais.example.org:210/db/TEXT/a;b", "object local file:///etc/passwd", "note unknown (none of the access methods can be used: RCP) ", "note sym ",
		"unknown remote prospero://other.example.org:191//pub/x;OBJECT-VERSION=3", "note LINK too short ", "object motd prospero://" + at + "/etc/motd",
	}
	want[9] = strings.Replace(want[9], "unknown", "listing", 1)
	want[5] = got[5] // the view decides what is escaped
	if !slices.Equal(got, want) {
		t.Errorf("listed\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if u := locator.MustParse(strings.Fields(got[5])[2]); u.View().(*locator.WAIS).Path != "a;b" {
		t.Errorf("the document-id of %s is %q", u, u.View().(*locator.WAIS).Path)
	}
}

// Covers: A13, T99, PR22
func TestForwarded(t *testing.T) {
	t.Parallel()
	opts := []prosperotest.Option{prosperotest.Forward("loop", "INTERNET-D HOST ASCII loop 0"), prosperotest.Forward("bad", "X-500 y ASCII z")}
	for i := range 25 {
		to := "AFTP/etc"
		if i > 0 {
			to = fmt.Sprintf("hop%d", i-1)
		}
		opts = append(opts, prosperotest.Forward(fmt.Sprintf("hop%d", i), "INTERNET-D HOST ASCII '"+to+"' 0"))
	}
	s := start(t, opts...)
	c := newClient(t)
	for name, want := range map[string]scheme.Code{"hop0": scheme.CodeOK, "hop19": scheme.CodeOK, "hop20": scheme.CodeProtocol, "loop": scheme.CodeProtocol, "bad": scheme.CodeProtocol} {
		got, err := list(t, c, s.Named(name))
		if client.CodeOf(err) != want || err == nil && len(got) != 1 {
			t.Errorf("%s: %q, %v; want %v", name, got, err, want)
		}
	}
	_, res, err := get(t, c, s.Named("hop3"))
	if err != nil || res.URL != s.URL("etc", "") {
		t.Errorf("forwarded to %v, %v", res, err)
	}
	private := start(t, prosperotest.Forward("away", "INTERNET-D 10.0.0.1 ASCII x 0"))
	_, err = list(t, newClient(t, func(o *client.Options) {
		o.Policy = policy.New(policy.Options{Addresses: policy.PublicOnly, AllowAddrs: allow(t, private.URL())})
	}), private.Named("away"))
	if client.CodeOf(err) != scheme.CodeRefused {
		t.Errorf("forwarded to a private address: %v", err)
	}
}

// An object is read by the first access method that can be used.
//
// Covers: A13, T99, PR23
func TestMethods(t *testing.T) {
	t.Parallel()
	files, err := ftptest.Start(peer.Tree())
	if err != nil {
		t.Fatal(err)
	}
	defer files.Close()
	host := strings.Replace(files.Addr(), ":", "(", 1) + ")"
	line := func(words string) string {
		return "ATTRIBUTE OBJECT INTRINSIC ACCESS-METHOD SEQUENCE " + words + "\n"
	}
	aftp := line("AFTP INTERNET-D " + host + " ASCII '/etc/motd' BINARY")
	s := start(t,
		prosperotest.Object("AFTP/ftp", line("RCP '' '' '' ''")+line("AFTP short")+aftp),
		prosperotest.Object("AFTP/dead", line("AFTP INTERNET-D 127.0.0.1(1) ASCII '/x' BINARY")+aftp),
		prosperotest.Object("AFTP/none", line("RCP '' '' '' ''")+line("KNFS '' '' '' ''")),
		prosperotest.Object("AFTP/nothing", "NONE-FOUND\n"),
		prosperotest.Object("AFTP/elsewhere", line("PROSPERO-CONTENTS INTERNET-D HOST ASCII 'AFTP/text.txt'")))
	c := newClient(t)
	for _, name := range []string{"ftp", "dead"} {
		b, res, err := get(t, c, s.URL(name))
		if err != nil || b != "the file of RFC 1738 3.2.2\n" || res.URL.Scheme() != "ftp" || len(res.Via) != 1 || res.Via[0].Kind != scheme.HopReferral {
			t.Errorf("%s: %q, %+v, %v", name, b, res, err)
		}
	}
	for name, want := range map[string]scheme.Code{"none": scheme.CodeUnsupported, "nothing": scheme.CodeUnsupported, "no such": scheme.CodeNotFound} {
		if _, _, err := get(t, c, s.URL(name)); client.CodeOf(err) != want {
			t.Errorf("%s: %v, want %v", name, err, want)
		}
	}
	if _, _, err := get(t, c, s.Named("/etc/passwd")); client.CodeOf(err) != scheme.CodeLoginNeeded {
		t.Errorf("outside the tree: %v", err)
	}
	res, err := c.Attributes(t.Context(), scheme.Request{URL: s.URL("text.txt")}, nil)
	if err != nil || res.Attr.Size.Or(-1) != 29 || res.Attr.Mode != 0o644 || res.Attr.Owner != "root" || res.Attr.Modified.Year() != 1994 || len(res.Attr.More) != 8 {
		t.Errorf("attributes %+v, %v", res, err)
	}
}

// Covers: S16
func TestFields(t *testing.T) {
	t.Parallel()
	s := start(t)
	c := newClient(t)
	with := func(fields string) locator.URL { return locator.MustParse(s.URL("text.txt").Text() + fields) }
	if _, _, err := get(t, c, with(";OBJECT-VERSION=3;ID=REMOTE%2017;TARGET=FILE;x=y%20z")); err != nil {
		t.Error(err)
	}
	lines := s.Lines()
	for _, want := range []string{"GET-OBJECT-INFO ACCESS-METHOD+SIZE+UNIX-MODES+LAST-MODIFIED ASCII 'AFTP/text.txt' 3", "SELECT OBJECT FIELD ID REMOTE 17", "SELECT OBJECT FIELD x SEQUENCE 'y z'"} {
		if !slices.Contains(lines, want) {
			t.Errorf("%q was not sent: %q", want, lines)
		}
	}
	if slices.ContainsFunc(lines, func(l string) bool { return strings.HasPrefix(l, "DIRECTORY") }) {
		t.Error("a URL with TARGET=FILE was listed")
	}
	for fields, want := range map[string]scheme.Code{";OBJECT-VERSION=x": scheme.CodeMalformed, ";HOST-TYPE=X-500": scheme.CodeUnsupported, ";HSONAME-TYPE=BINARY": scheme.CodeProtocol} {
		if _, _, err := get(t, c, with(fields)); client.CodeOf(err) != want {
			t.Errorf("%s: %v, want %v", fields, err, want)
		}
	}
	u, err := locator.Build(&locator.Prospero{Hostport: s.URL().View().(*locator.Prospero).Hostport, Name: "AFTP/new\nline"})
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := get(t, c, u); client.CodeOf(err) != scheme.CodeNotFound {
		t.Errorf("a line feed in a name: %v", err)
	}
	if lines := s.Lines(); !slices.Contains(lines, "DIRECTORY ASCII 'AFTP/new") {
		t.Errorf("sent %q", lines)
	}
}

// What a network and a server do to packets.
//
// Covers: A13, P6, PR2, PR8, PR12
func TestPackets(t *testing.T) {
	t.Parallel()
	number := func(p []byte, h ardp.Header) []byte {
		old, data, _ := ardp.Parse(p)
		h.ID, h.Number = old.ID, old.Number
		return append(h.Append(nil), data...)
	}
	for name, change := range map[string]func(packets [][]byte) [][]byte{
		"as they are": func(p [][]byte) [][]byte { return p },
		"the third is lost": func(p [][]byte) [][]byte {
			if len(p) > 3 {
				return slices.Delete(p, 2, 3)
			}
			return p
		},
		"reversed": func(p [][]byte) [][]byte { slices.Reverse(p); return p },
		"twice":    func(p [][]byte) [][]byte { return append(p, p...) },
		"strangers' among them": func(p [][]byte) [][]byte {
			stranger := bytes.Clone(p[0])
			stranger[1] ^= 0x40
			return append([][]byte{stranger, {}, {0}, {31, 1}}, p...)
		},
		"split after every byte of the value, with an empty packet at the end": func(p [][]byte) [][]byte {
			before, value, ok := bytes.Cut(p[0], []byte("SEQUENCE DATA "))
			if len(p) > 1 || !ok || len(value) > 50 {
				return p
			}
			old, _, _ := ardp.Parse(p[0])
			next := func(n, total int, data []byte) []byte {
				h := ardp.Header{Length: 5, ID: old.ID, Number: uint16(n)}
				if total > 0 {
					h.Length, h.Total = 7, uint16(total)
				}
				return append(h.Append(nil), data...)
			}
			all := [][]byte{next(1, 0, append(before[old.Length:len(before):len(before)], "SEQUENCE DATA "...))}
			for i := range value {
				all = append(all, next(i+2, 0, value[i:i+1]))
			}
			return append(all, next(len(all)+1, len(all)+1, nil))
		},
		"an extra address in the header": func(p [][]byte) [][]byte {
			h, _, _ := ardp.Parse(p[0])
			h.Length, h.Flags, h.Address = 13, ardp.FlagAddress|h.Flags, []byte{1, 4, 127, 0, 0, 1}
			return append([][]byte{number(p[0], h)}, p[1:]...)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			const quotes = "it's ''a''\n'"
			s := start(t, prosperotest.Packets(change), prosperotest.Object("AFTP/quotes", "ATTRIBUTE OBJECT INTRINSIC ACCESS-METHOD SEQUENCE PROSPERO-CONTENTS INTERNET-D HOST ASCII AFTP/q\n"),
				prosperotest.Object("AFTP/q", "ATTRIBUTE OBJECT INTRINSIC CONTENTS SEQUENCE DATA "+text.Quote(quotes)+"\n"))
			c := newClient(t)
			for _, path := range []string{"text.txt", "bytes.bin", "empty", "quotes"} {
				want, ok := s.File(path)
				if !ok {
					want = []byte(quotes)
				}
				if got, _, err := get(t, c, s.URL(path)); err != nil || got != string(want) {
					t.Errorf("%s: %d bytes, want %d, %v", path, len(got), len(want), err)
				}
			}
			if got, err := list(t, c, s.URL("names", "")); err != nil || len(got) < 8 {
				t.Errorf("listed %q, %v", got, err)
			}
		})
	}
}

// A tree of links stays on the host by the name that the URL has for this computer.
//
// Covers: A13
func TestWalk(t *testing.T) {
	t.Parallel()
	s, c := start(t), newClient(t) // its links are at 127.0.0.1
	for _, host := range []string{"localhost", "127.0.0.1"} {
		n := 0
		for v := range tree.Walk(t.Context(), c, scheme.Request{URL: locator.MustParse("prospero://" + host + ":" + s.URL().Port() + "/AFTP")}, tree.WalkOptions{}) {
			if n++; v.Err != nil {
				t.Error(v.Err)
			}
		}
		if n < 10 {
			t.Errorf("%s: %d entries", host, n)
		}
	}
}

// 5,000 links come whole; cancelling ends a listing.
//
// Covers: A13, P6, PR21
func TestManyLinks(t *testing.T) {
	t.Parallel()
	var lines []string
	for i := range 5000 {
		lines = append(lines, fmt.Sprintf("LINK  L FILE f%04d INTERNET-D HOST ASCII 'AFTP/many/f%04d' 0", i, i))
	}
	s := start(t, prosperotest.Link([]string{"deep"}, lines...))
	got, err := list(t, newClient(t), s.URL("deep", ""))
	if err != nil || len(got) != 5001 {
		t.Errorf("%d links, %v", len(got), err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	n := 0
	for _, err := range client.Entries(newClient(t).List(ctx, scheme.Request{URL: s.URL("deep", "")}, nil)) {
		if n++; n == 10 {
			cancel()
		}
		if err != nil && client.CodeOf(err) != scheme.CodeInterrupted {
			t.Error(err)
		}
	}
	cancel()
	if n > 100 {
		t.Errorf("%d links after the context ended", n)
	}
}

// Many clients at once get their listings from a server that keeps few responses, as that of 1994
// did: 4 to 8 of 50 broke off.
//
// Covers: A13, PR18
func TestManyClients(t *testing.T) {
	t.Parallel()
	var lines []string
	for i := range 500 {
		lines = append(lines, fmt.Sprintf("LINK  L FILE f%04d INTERNET-D HOST ASCII 'AFTP/many/f%04d' 0", i, i))
	}
	s := start(t, prosperotest.Link([]string{"dir"}, lines...), prosperotest.Keep(8))
	c := newClient(t, func(o *client.Options) { o.Limits.Idle = time.Minute })
	var all sync.WaitGroup
	for range 50 {
		all.Go(func() {
			if got, err := list(t, c, s.URL("dir", "")); err != nil || len(got) != 500 {
				t.Errorf("%d links, %v", len(got), err)
			}
		})
	}
	all.Wait()
}

func allow(t *testing.T, u locator.URL) []netip.AddrPort {
	t.Helper()
	addr, _ := u.Addr()
	return []netip.AddrPort{netip.MustParseAddrPort(addr)}
}
