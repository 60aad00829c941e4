package main

import (
	"bytes"
	"compress/gzip"
	"encoding/hex"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// bzipped is "see <URL:ftp://host.dom/b\n  z> and\n".
const bzipped = "425a6839314159265359d067f05900000f5f80001040018015000412003743cc1020002281a01a1a34f50a00311a69a34be1e752f552ca721adee3354c8320bd1c52a03f8bb9229c28486833f82c80"

// zipped returns a file of gzip with a text.
func zipped(t *testing.T, text string) string {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := io.WriteString(w, text); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// With --decompress, the texts of compressed files are searched by their own names, in folders too, and places count in the text.
//
// Covers: F5
func TestFindDecompress(t *testing.T) {
	bz, err := hex.DecodeString(bzipped)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	page := "<p>\n<a href='http://host.dom/?a&amp;b'>x</a>"
	long := strings.Repeat("and more text\n", 1<<14) + "http://host.dom/last\n"
	whole := zipped(t, long)
	for name, text := range map[string]string{
		"a.bz2": string(bz), "b.html.GZ": zipped(t, page), "c": zipped(t, "http://host.dom/1 ") + zipped(t, "http://host.dom/2"), "d.gz": zipped(t, "\x00http://host.dom/binary"),
		"e.txt.gz": whole, "f.txt": "http://host.dom/plain",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
	want := "./a.bz2:1:5:ftp://host.dom/bz\n./b.html.GZ:2:10:http://host.dom/?a&b\n./c:1:1:http://host.dom/1\n./c:1:19:http://host.dom/2\n./e.txt.gz:16385:1:http://host.dom/last\n./f.txt:1:1:http://host.dom/plain\n"
	if out, errs, status := runText(t, "", "find", "-z", "."); out != want || errs != "" || status != 0 {
		t.Errorf("status %d, %s, prints %q, want %q", status, errs, out, want)
	}
	if out, _, _ := runText(t, "", "find", "."); out != "./f.txt:1:1:http://host.dom/plain\n" {
		t.Errorf("without the flag, prints %q", out)
	}
	if out, _, status := runText(t, whole, "find", "-z", "--with-context"); out != "http://host.dom/last\n    http://host.dom/last\n" || status != 0 {
		t.Errorf("standard input: status %d, prints %q", status, out)
	}
	if out, _, status := runText(t, "", "find", "-z", "--json", "b.html.GZ"); !strings.Contains(out, `"offset":13,"length":24,"line":2,"column":10,"form":"attr"`) || !strings.Contains(out, `"format":"html","position":"extracted"`) || status != 0 {
		t.Errorf("--json: status %d, prints %q", status, out)
	}
	if _, errs, _ := runText(t, whole, "find"); errs != "locator: standard input is compressed, and is searched as it is; to search its text, use --decompress\n" {
		t.Errorf("without the flag: %s", errs)
	}
	for name, file := range map[string]string{"short": whole[:len(whole)-20], "wrong": whole[:len(whole)-5] + "xxxxx", "more": whole + "xxxxxxxxxxxxxxxxx", "head": "\x1F\x8B\x08\xFF", "bzip2": string(bz[:40])} {
		out, errs, status := runText(t, file, "find", "-z")
		if !strings.HasPrefix(errs, "locator: standard input: cannot decompress it: ") || strings.Count(errs, "\n") != 1 || status != 11 {
			t.Errorf("%s: status %d, %s", name, status, errs)
		}
		if early := strings.Contains(errs, "it ends too early, as after a download that broke off"); early != (name == "short" || name == "head" || name == "bzip2") {
			t.Errorf("%s: %s", name, errs)
		}
		if found := out != ""; found == (name == "head" || name == "bzip2") {
			t.Errorf("%s: prints %q", name, out)
		}
	}
}
