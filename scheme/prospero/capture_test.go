package prospero

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"locator/internal/capture"
	"locator/scheme/prospero/internal/ardp"
	"locator/scheme/prospero/internal/text"
	"locator/scheme/prospero/prosperotest"
	"locator/schemetest/peer"
	"locator/wire"
)

var update = flag.Bool("update", false, "update the golden files")

func captures(t *testing.T) []*capture.Exchange {
	t.Helper()
	all, err := capture.ReadDir(os.DirFS("../../internal/capture/testdata"), "prospero")
	if err != nil {
		t.Fatal(err)
	}
	if len(all) < 100 {
		t.Fatalf("only %d captures", len(all))
	}
	return all
}

// TestCaptures decodes every packet that was exchanged with real servers and clients, into the
// values in testdata/captures.txt. The packets with a header that a client sent are encoded to the
// same bytes.
//
// Covers: S16, A13, PR3, PR13
func TestCaptures(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	for _, x := range captures(t) {
		fmt.Fprintf(&out, "== %s\n", x.Name)
		var message [2][]byte // of the client, of the server
		for _, m := range x.Messages {
			side := "<"
			if m.Client {
				side = ">"
			}
			fmt.Fprintf(&out, "%s %s\n", side, ardp.Describe(m.Data))
			h, data, err := ardp.Parse(m.Data)
			if err != nil {
				continue // of clients and servers before ARDP
			}
			if got := append(h.Append(nil), data...); !bytes.Equal(got, m.Data) {
				t.Errorf("%s: line %d: encoded as %x", x.Name, m.Line, got[:len(got)-len(data)])
			}
			if h.Number > 0 && !m.Client {
				message[1] = append(message[1], data...)
			}
		}
		fmt.Fprint(&out, decoded(message[1]))
	}
	const name = "testdata/captures.txt"
	if *update {
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(out.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if out.String() != string(want) {
		t.Errorf("the values differ from %s; look at the differences after: go test -run TestCaptures ./scheme/prospero -update", name)
	}
}

// decoded returns the values in the text of a response. Of the many files with long names it has
// three.
func decoded(response []byte) string {
	var b strings.Builder
	s := text.NewScanner(bytes.NewReader(response), 64<<10)
	server := place{host: "localhost", port: "21525", name: "AFTP"}
	var last *link
	var object attributes
	flush := func() {
		list, of := object, server
		if last != nil {
			list, of = last.attrs, last.place
			e, shown := last.entry(server)
			fmt.Fprintf(&b, "  link %s %s %q %v %s\n", last.kind, e.Kind, e.Name, shown, e.URL)
		}
		last, object = nil, nil
		for _, a := range list {
			if len(a.values) > 0 && a.name == contents {
				a.values[len(a.values)-1] = fmt.Sprintf("%d bytes", len(a.values[len(a.values)-1]))
			}
			fmt.Fprintf(&b, "    attribute %s %s %s %q\n", a.appliesTo, a.space, a.name, a.values)
		}
		for _, m := range list.methods(of) {
			u, kind, ok := m.url(server)
			fmt.Fprintf(&b, "    method %s %v %v %s\n", m.name, ok, kind, u)
		}
	}
	long, skipped := 0, false
	for {
		tokens, err := s.Line()
		if err != nil {
			flush()
			if err != io.EOF {
				fmt.Fprintf(&b, "  error %v\n", err)
			}
			break
		}
		if k, ok := parseLink(tokens); ok {
			if skipped = strings.HasPrefix(k.name, "file-with-a-rather-long-name") && long == 3; skipped {
				continue
			}
			if strings.HasPrefix(k.name, "file-with-a-rather-long-name") {
				long++
			}
			flush()
			last = &k
			continue
		}
		if a, ok := parseAttribute(tokens); ok {
			switch {
			case skipped:
			case last != nil:
				last.attrs = append(last.attrs, a)
			default:
				object = append(object, a)
			}
			continue
		}
		flush()
		fmt.Fprintf(&b, "  %s\n", wire.Excerpt(strings.Join(tokens, "|"), 200))
	}
	return b.String()
}

// Files of the captured server. All have the same date.
func capturedFiles() []peer.File {
	var all strings.Builder
	for range 20 {
		for c := range 256 {
			all.WriteByte(byte(c))
		}
	}
	files := []peer.File{
		{Path: []string{"hello.txt"}, Content: "hello prospero\n"}, {Path: []string{"link-to-hello"}, Content: "hello prospero\n"}, {Path: []string{"docs", "README"}, Content: "readme\nline 2\n"},
		{Path: []string{"docs", "deep", "leaf.ps"}, Content: "d\n"}, {Path: []string{"data.bin"}, Content: "\x00\x01\x02binary"},
		{Path: []string{"it's here.txt"}, Content: "quote\n"}, {Path: []string{"with space", "a file.txt"}, Content: "s\n"}, {Path: []string{"a+b.txt"}, Content: "plus\n"},
		{Path: []string{"odd", "allbytes.bin"}, Content: all.String()}, {Path: []string{"odd", "quotes.txt"}, Content: "''it's ''' +,/ \n\n'end'"},
		{Path: []string{"odd", "lf-first.txt"}, Content: "\nabc\n"}, {Path: []string{"odd", "empty.txt"}}, {Path: []string{"odd", "new\nline.txt"}, Content: "x"},
		{Path: []string{"odd", "caf\xe9.txt"}, Content: "x"},
	}
	for i := range 150 {
		files = append(files, peer.File{Path: []string{"many", fmt.Sprintf("file-with-a-rather-long-name-%03d.dat", i+1)}})
	}
	for i := range files {
		files[i].Modified = time.Date(1994, 5, 17, 12, 0, 0, 0, time.UTC)
	}
	return files
}

// private are the links of the directory that the mk- captures made.
const private = `LINK  L FILE hello' link' INTERNET-D HOST ASCII AFTP'/hello.txt' 0
LINK  L DIRECTORY remote INTERNET-D OTHER.EXAMPLE.ORG(191) ASCII '/pub/x' 0
LINK  L EXTERNAL ext-ftp INTERNET-D ftp.example.org ASCII '/pub/file.txt' 0
ATTRIBUTE LINK FIELD ACCESS-METHOD AFTP '' '' '' '' BINARY
LINK  L EXTERNAL ext-gopher INTERNET-D gopher.example.org(70) ASCII 0'/docs/about' 0
ATTRIBUTE LINK FIELD ACCESS-METHOD GOPHER '' '' '' '' 0
ATTRIBUTE CACHED APPLICATION OWNER-NOTE SEQUENCE a' b' ''
LINK  L EXTERNAL ext-telnet INTERNET-D telnet.example.org(23) ASCII '' 0
ATTRIBUTE LINK FIELD ACCESS-METHOD TELNET '' '' '' '' Login' as guest'
LINK  L EXTERNAL ext-wais INTERNET-D localhost ASCII WAIS-GW'/wais.example.org(210)/DB/docid' 0
ATTRIBUTE LINK FIELD ACCESS-METHOD WAIS '' '' '' ''
LINK  L SYMBOLIC sym VIRTUAL-SYSTEM #'/INET/EDU/ISI/swa' ASCII '/papers' 0
LINK  L NULLTEST nolink INTERNET-D x ASCII y 0
LINK  L DIRECTORY docs INTERNET-D HOST ASCII AFTP'/docs' 0
LINK  U DIRECTORY docs-union INTERNET-D HOST ASCII AFTP'/docs' 0
LINK  U DIRECTORY remote-union INTERNET-D OTHER.EXAMPLE.ORG(191) ASCII '/u' 0`

// otherText are the captures whose response our server does not give, by the beginnings of their
// names, and why.
var otherText = map[string]string{
	"acl-": "it has no permissions", "auth-mandatory": "it ignores all authentication", "ardp-raw": "clients before ARDP", "ardp-hdr-v1": "clients before version 5",
	"ardp-v1-129": "no header that it knows", "ardp-ver2bits": "no header that it knows", "ardp-window2-acked": "the last packet asks for no acknowledgement",
	"ardp-multi-acked": "no empty packet at the end", "ardp-final-ack": "the packets have the links in another order", "ardp-loss-": "the packets have the links in another order",
	"ardp-multi-noack": "the packets have the links in another order", "ardp-prio-window": "the packets have the links in another order",
	"client-pstatus": "STATUS of this server is shorter", "status": "STATUS of this server is shorter", "client-re": "another server", "client-rwaitq": "another server", "ctl-": "another server",
	"client-vget": "ACCESS-METHOD alone is answered", "goi-am": "ACCESS-METHOD alone is answered", "client-vls": "remote-union had been deleted", "client-vls-many-attr": "the size of a directory",
	"mk-": "it is read-only", "del-union": "it is read-only", "v-setattr": "it is read-only", "dir-dotdot": "it has no names outside of the tree",
	"empty-line": "it skips empty lines", "trail-empty": "it skips empty lines", "list-crlf": "it skips empty lines", "goi-vdir": "a directory of a test has no date", "goi-select": "an earlier version of a file",
	"le-cid-bug/": "it has no such bug", "list-emptydir": "the directory has links here", "list-kinds": "another directory", "list-private-union": "another directory", "union-dirfile": "another directory",
	"list-plus": "a + in a name is itself", "select-old": "it ignores selections",
}

// exact are captures whose response it does give, though their names begin with one in otherText.
var exact = []string{"ardp-loss-resend0", "client-vls-sub", "client-vls-attr", "client-vls-many", "goi-am-4", "goi-am-size"}

// TestServer sends what real clients sent to our server. Its response has the headers and the text
// of the recorded one.
//
// Covers: A13
func TestServer(t *testing.T) {
	t.Parallel()
	day := func(text string) time.Time {
		d, err := time.Parse("20060102150405Z", text)
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	run := func(files []peer.File, opts ...prosperotest.Option) *prosperotest.Server {
		s, err := prosperotest.Start(files, opts...)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(s.Close)
		return s
	}
	named := prosperotest.Name("LOCALHOST(21525)")
	software := prosperotest.Software("P53.17May94b")
	general := run(capturedFiles(), named, software)
	linked := run(capturedFiles(), named, software, prosperotest.Link([]string{"private"}, strings.Split(private, "\n")...))
	title := prosperotest.Stored("AFTP/hello.txt", "ATTRIBUTE OBJECT APPLICATION TITLE SEQUENCE My' title'", "ATTRIBUTE OBJECT FIELD FORWARDING-POINTER LINK L FP x INTERNET-D other.example.org ASCII '/new/hello.txt' 0")
	stored := run(capturedFiles(), named, title)
	forwarding := run([]peer.File{{Path: []string{"moved.txt"}}, {Path: []string{"hello.txt"}, Content: "hello prospero\n", Modified: day("20261123211242Z")}, {Path: []string{"mdir"}}},
		prosperotest.Name("LOCALHOST(21527)"), prosperotest.Forward("AFTP/moved.txt", "INTERNET-D 127.0.0.1(21525) ASCII AFTP'/hello.txt' 0"), prosperotest.Forward("AFTP/mdir", "INTERNET-D 127.0.0.1(21525) ASCII AFTP'/docs' 0"))
	of := map[string]*prosperotest.Server{"v-getattr": stored, "v-getattr2": stored, "v-filter-id": stored, "goi-none": stored, "fwd-contents": forwarding, "fwd-goi": forwarding, "fwd-list": forwarding, "fwd-dir": forwarding,
		"goi-stored-attrs": run([]peer.File{{Path: []string{"hello.txt"}, Content: "hello prospero\n", Modified: day("20261123205335Z")}}, prosperotest.Stored("AFTP/hello.txt",
			"ATTRIBUTE OBJECT APPLICATION TITLE SEQUENCE My' title'", "ATTRIBUTE OBJECT APPLICATION ABSTRACT SEQUENCE multi' word' second' ''quoted'' value' ''"))}
	names := strings.NewReplacer("/srv/prospero/tree/private", "AFTP/private", "/srv/prospero/tree/pub", "AFTP") // with nothing outside of AFTP
	for _, x := range captures(t) {
		s := of[x.Name]
		switch {
		case s != nil:
		case bytes.Contains(x.Messages[0].Data, []byte("tree/private")):
			s = linked
		default:
			s = general
		}
		var recorded, got [][]byte
		for i, m := range x.Messages {
			if m.Client {
				request := []byte(names.Replace(string(m.Data)))
				got = append(got, s.Handle(time.Unix(int64(i), 0), netip.MustParseAddrPort("127.0.0.1:1"), request)...)
			} else {
				recorded = append(recorded, m.Data)
			}
		}
		why, other := "", false
		for prefix, reason := range otherText {
			if strings.HasPrefix(x.Name, prefix) && !slices.Contains(exact, x.Name) {
				why, other = reason, true
			}
		}
		if same := shape(recorded) == shape(got); same == other {
			t.Errorf("%s (%s): response\n%s\nrecorded\n%s", x.Name, why, shape(got), shape(recorded))
		}
	}
}

// shape returns the headers of packets and their text, but for the names of the computer. The order
// of links in a directory is that of a file system, so they are sorted.
func shape(packets [][]byte) string {
	var b strings.Builder
	var whole []byte
	for _, p := range packets {
		h, data, err := ardp.Parse(p)
		fmt.Fprintf(&b, "%d %x %d/%d %v\n", h.Length, h.ID, h.Number, h.Total, err)
		whole = append(whole, data...)
	}
	groups := strings.Split(string(whole), "LINK ")
	for i, g := range groups {
		groups[i] = strings.Join(slices.DeleteFunc(strings.SplitAfter(g, "\n"), func(line string) bool {
			return strings.Contains(line, "NATIVE-OWNER") || strings.Contains(line, "ACCESS-METHOD SEQUENCE AFTP INTERNET-D")
		}), "")
	}
	slices.Sort(groups)
	return b.String() + strings.Join(groups, "LINK ")
}
