package archive_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"net/textproto"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"locator"
	"locator/archive"
	"locator/client"
	"locator/internal/peers"
	"locator/policy"
	"locator/scheme"
	"locator/scheme/nntp"
)

// Two groups with crossposts of leafnode and sn, twice, against what another client reads. leafnode
// then lists an article that it cannot send, which the next run gets.
//
// Covers: A9
func TestCollectPeers(t *testing.T) {
	peers.LongRun(t, "a news server")
	e := peers.Start(t, "leafnode", "sn")
	for _, name := range []string{"leafnode", "sn"} {
		addr := e.Addr(t, name)
		one, two := locator.MustParse("nntp://"+addr+"/local.one"), locator.MustParse("nntp://"+addr+"/local.two")
		port, _ := one.PortNumber()
		c := client.New(client.Options{Registry: scheme.NewRegistry(nntp.New()), Limits: scheme.Limits{Idle: 20 * time.Second},
			Policy: policy.New(policy.Options{AllowPorts: []uint16{port}})})
		defer c.Close()
		for _, f := range archive.Formats() {
			t.Run(name+"/"+f.String(), func(t *testing.T) {
				box := filepath.Join(t.TempDir(), "archive")
				for _, x := range []struct {
					u    locator.URL
					want archive.Collected
				}{{one, archive.Collected{Messages: 26}}, {two, archive.Collected{Messages: 14, Known: 13}}, {one, archive.Collected{}}, {two, archive.Collected{}}} {
					got, err := collect(t, c, x.u, box, f, archive.CollectOptions{Retries: 2})
					if got.Bytes = 0; err != nil || got != x.want {
						t.Errorf("%s: %+v, %v; want %+v", x.u, got, err, x.want)
					}
				}
				want := append(otherClient(t, addr, "local.one", nil), otherClient(t, addr, "local.two", []byte("local.one"))...)
				got := texts(t, box, f)
				slices.Sort(want)
				if slices.Sort(got); !slices.Equal(got, want) {
					t.Errorf("%d messages, which are not the %d of the other client", len(got), len(want))
				}
			})
		}
		if name != "leafnode" {
			continue
		}
		box := filepath.Join(t.TempDir(), "archive")
		article := filepath.Join(filepath.Dir(e.Tree), "run", "leafnode", "spool", "local", "one", "7")
		if err := os.Rename(article, article+".away"); err != nil {
			t.Fatal(err)
		}
		defer os.Rename(article+".away", article)
		for _, want := range []archive.Collected{{Messages: 25, Missing: 1}, {Missing: 1}, {Messages: 1}} {
			if want.Missing == 0 {
				if err := os.Rename(article+".away", article); err != nil {
					t.Fatal(err)
				}
			}
			got, err := collect(t, c, one, box, archive.Mbox, archive.CollectOptions{})
			if got.Bytes = 0; err != nil || got != want {
				t.Errorf("%+v, %v; want %+v", got, err, want)
			}
		}
	}
}

// otherClient reads the articles of a group, with LF as line ends, but for those that name a group
// in without.
func otherClient(t *testing.T, addr, group string, without []byte) (texts []string) {
	t.Helper()
	c, err := textproto.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	ask := func(want int, command string) {
		t.Helper()
		if command != "" {
			c.PrintfLine("%s", command)
		}
		if _, line, err := c.ReadCodeLine(want); err != nil {
			t.Fatalf("%s: %s, %v", command, line, err)
		}
	}
	ask(20, "")
	ask(211, "GROUP "+group)
	ask(211, "LISTGROUP "+group)
	numbers, err := c.ReadDotLines()
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range numbers {
		ask(220, "ARTICLE "+n)
		b, err := c.ReadDotBytes()
		if err != nil {
			t.Fatal(err)
		}
		if header, _, _ := bytes.Cut(b, []byte("\n\n")); without == nil || !bytes.Contains(header, append([]byte("Newsgroups: "), without...)) {
			texts = append(texts, string(b))
		}
	}
	return texts
}

// texts returns the messages of an box, with LF as line ends.
func texts(t *testing.T, name string, f archive.Format) (list []string) {
	t.Helper()
	if f.IsFolder() {
		paths, _ := filepath.Glob(filepath.Join(name, "new", "*"))
		for _, path := range paths {
			b, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			list = append(list, string(b))
		}
		return list
	}
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if f == archive.JSONL {
		for in := bufio.NewScanner(bytes.NewReader(b)); in.Scan(); {
			var l struct{ Text json.RawMessage }
			if err := json.Unmarshal(in.Bytes(), &l); err != nil {
				t.Fatal(err)
			}
			list = append(list, strings.ReplaceAll(rawString(t, l.Text), "\r\n", "\n"))
		}
		return list
	}
	for part := range strings.SplitSeq(strings.TrimPrefix(string(b), "From "), "\n\nFrom ") {
		_, text, _ := strings.Cut(strings.TrimSuffix(part, "\n\n"), "\n")
		list = append(list, strings.ReplaceAll("\n"+text+"\n", "\n>From ", "\nFrom ")[1:])
	}
	return list
}
