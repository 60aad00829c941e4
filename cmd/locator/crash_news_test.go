package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"locator/archive"
	"locator/scheme/nntp/nntptest"
)

// If the program is killed at any moment of get --to, the next run loses no article and doubles
// none.
//
// Covers: A9, P4, T97
func TestKilledCollect(t *testing.T) {
	t.Parallel()
	for i, f := range archive.Formats() {
		t.Run(f.String(), func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(1738, uint64(i)))
			article := func(n int) string {
				return fmt.Sprintf("From: a@b.example\r\nSubject: s\r\nDate: 1 Dec 1994 12:00:00 GMT\r\nMessage-ID: <%d@b.example>\r\n\r\nFrom me\r\n%s.\r\n",
					n, strings.Repeat(strings.Repeat(strconv.Itoa(n), 10)+"\r\n", n%40*4))
			}
			s, err := nntptest.Start(nil, nntptest.Article("g.test", article(1)))
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			count := 1
			add := func(n int) {
				for range n {
					count++
					s.Add("g.test", article(count))
				}
			}
			add(150)
			name := filepath.Join(t.TempDir(), "archive")
			args := []string{"get", "--quiet", "--to", f.String(), "-o", name, "--limit-rate", "1M", s.GroupURL("g.test", 0).Text()}
			killed, kills := 0, max(kills()/3, 5)
			for n, missed := 0, 0; n < kills || killed < kills/3 && n < 5*kills; n++ {
				// A run may end first on a busy machine. Then the next one has more to do and less
				// time.
				if runAndKill(t, time.Duration(10+r.IntN(110))*time.Millisecond/time.Duration(1+missed), args...) {
					killed++
				} else {
					missed++
					add(100)
				}
				if f.IsFolder() { // a mail program moves what it has seen
					seen, _ := filepath.Glob(filepath.Join(name, "new", "*"))
					for _, path := range seen[:len(seen)/2] {
						if err := os.Rename(path, filepath.Join(name, "cur", filepath.Base(path)+":2,S")); err != nil {
							t.Fatal(err)
						}
					}
					if n := len(seen); n > 0 { // and the newest, which may not have been recorded
						os.Rename(seen[n-1], filepath.Join(name, "cur", filepath.Base(seen[n-1])+":2,"))
					}
				}
			}
			if killed < kills/3 {
				t.Errorf("only %d of %d runs were killed", killed, kills)
			}
			if runAndKill(t, time.Minute, args...) {
				t.Fatal("the last run does not end")
			}
			got := archived(t, name, f)
			for n := 1; n <= count; n++ {
				if got[n] != 1 {
					t.Errorf("article %d is there %d times", n, got[n])
				}
			}
			if len(got) != count {
				t.Errorf("%d articles, want %d", len(got), count)
			}
		})
	}
}

// archived counts the complete articles of an archive by the numbers in their message-ids.
func archived(t *testing.T, name string, f archive.Format) map[int]int {
	t.Helper()
	var texts [][]byte
	switch f {
	case archive.Maildir:
		for _, pattern := range []string{"new/*", "cur/*"} {
			paths, _ := filepath.Glob(filepath.Join(name, pattern))
			for _, path := range paths {
				b, err := os.ReadFile(path)
				if err != nil {
					t.Fatal(err)
				}
				texts = append(texts, b)
			}
		}
	default:
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		texts = bytes.Split(bytes.TrimPrefix(b, []byte("From a@")), []byte("\n\nFrom a@"))
		if f == archive.JSONL {
			texts = nil
			for line := range bytes.Lines(b) {
				var l struct{ Text string }
				if err := json.Unmarshal(line, &l); err != nil {
					t.Fatalf("%v: %.100q", err, line)
				}
				texts = append(texts, []byte(strings.ReplaceAll(l.Text, "\r\n", "\n")))
			}
		}
	}
	id, got := regexp.MustCompile(`Message-ID: <(\d+)@`), make(map[int]int)
	for _, text := range texts {
		m := id.FindAllSubmatch(text, -1)
		if len(m) != 1 || !bytes.HasSuffix(bytes.TrimRight(text, "\n"), []byte("\n.")) && !bytes.HasSuffix(bytes.TrimRight(text, "\n"), []byte(".")) {
			t.Fatalf("not one whole article: %q", text)
		}
		n, _ := strconv.Atoi(string(m[0][1]))
		if lines := bytes.Count(text, []byte(strings.Repeat(strconv.Itoa(n), 10)+"\n")); lines != n%40*4 {
			t.Fatalf("article %d has %d lines: %q", n, lines, text)
		}
		got[n]++
	}
	return got
}
