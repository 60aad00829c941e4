// Command farm checks the links of internal/linkfarm, those of http, https and mail, with several
// programs, and prints what each calls broken:
//
//	(cd .. && go build -o /tmp/locator ./cmd/locator)
//	go run ./check/farm -locator /tmp/locator -npm DIR
//
// A false alarm is a link that is called broken and leads to something, or may; missed is one that
// leads to nothing and is not called broken. DIR is where "npm install linkinator@7
// markdown-link-check" was run. Programs that are not installed are left out.
package main

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"flag"
	"fmt"
	"html"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"locator/internal/linkfarm"
)

// program is a program that checks links.
type program struct {
	name   string
	run    []string // index.html, index.md, list.txt and links.conf are files; INDEX is the URL of a page
	broken func(out []byte) map[string]bool
}

func main() {
	locator := flag.String("locator", "locator", "the program locator")
	npm := flag.String("npm", ".", "the folder with node_modules")
	only := flag.String("only", "", "only this program")
	skip := flag.String("skip", "^$", "leave out the URLs that match this, such as one that makes a program crash")
	show := flag.Bool("v", false, "name the links that are judged wrongly")
	limit := flag.Duration("time", 5*time.Minute, "most time for each")
	flag.Parse()
	bin := func(name string) string { return filepath.Join(*npm, "node_modules", ".bin", name) }
	fmt.Println("| program | links | false alarms | missed | requests | most connections to a host | seconds |\n|---|---|---|---|---|---|---|")
	for _, p := range []program{
		{"locator", []string{*locator, "check", "-i", "list.txt", "--json", "--timeout", "5s", "--per-host", "2", "--interval", "20ms"}, lines},
		{"linkchecker", []string{"linkchecker", "--no-status", "--check-extern", "-r1", "--timeout", "5", "-f", "links.conf", "-v", "-o", "csv", "INDEX"}, table},
		{"w3c-linkchecker", []string{"checklink", "-b", "-t", "5", "INDEX"}, report},
		{"linkinator", []string{bin("linkinator"), "INDEX", "--format", "json", "--timeout", "5000"}, object},
		{"markdown-link-check", []string{bin("markdown-link-check"), "index.md"}, marks},
	} {
		if *only != "" && *only != p.name {
			continue
		}
		if _, err := exec.LookPath(p.run[0]); err != nil {
			fmt.Printf("| %s | not installed | | | | | |\n", p.name)
			continue
		}
		if err := p.compare(*limit, *show, regexp.MustCompile(*skip)); err != nil {
			fmt.Fprintln(os.Stderr, "farm:", p.name+":", err)
			os.Exit(1)
		}
	}
}

// compare runs the program on a new farm.
func (p program) compare(limit time.Duration, show bool, skip *regexp.Regexp) error {
	f, err := linkfarm.Start()
	if err != nil {
		return err
	}
	defer f.Close()
	dir, err := os.MkdirTemp("", "farm-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	var list, page, marked strings.Builder
	var links []linkfarm.Link
	for _, l := range f.Links() {
		if !l.Web() || l.Why == "malformed" || l.Why == "robots" || skip.MatchString(l.URL) {
			continue
		}
		links = append(links, l)
		fmt.Fprintln(&list, l.URL)
		fmt.Fprintf(&page, "<p><a href=\"%s\">a</a>\n", html.EscapeString(l.URL))
		fmt.Fprintf(&marked, "[a](<%s>)\n\n", l.URL)
	}
	index := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		io.WriteString(w, "<!doctype html><html><head><title>Links</title></head><body>"+page.String()+"</body></html>")
	}))
	defer index.Close()
	roots := filepath.Join(dir, "roots.pem")
	for name, text := range map[string]string{
		"list.txt": list.String(), "index.md": marked.String(), "roots.pem": string(f.PEM()), "checklink.conf": "Allow_Private_IPs = 1\n", "links.conf": "[checking]\nsslverify=" + roots + "\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			return err
		}
	}
	if err := os.Chmod(dir, 0o755); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	args := append([]string(nil), p.run[1:]...)
	for i, a := range args {
		if a == "INDEX" {
			args[i] = index.URL + "/"
		}
	}
	cmd := exec.CommandContext(ctx, p.run[0], args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "SSL_CERT_FILE="+roots, "NODE_EXTRA_CA_CERTS="+roots, "PERL_LWP_SSL_CA_FILE="+roots, "W3C_CHECKLINK_CFG="+filepath.Join(dir, "checklink.conf"))
	var out bytes.Buffer
	cmd.Stdout = &out
	if show {
		cmd.Stderr = os.Stderr
	}
	begin := time.Now()
	err = cmd.Run() // the status says that there are broken links
	took := time.Since(begin)
	if ctx.Err() != nil {
		fmt.Fprintf(os.Stderr, "farm: %s was stopped after %v\n", p.name, limit)
	} else if out.Len() == 0 {
		return fmt.Errorf("no output: %w", err)
	}
	broken := p.broken(out.Bytes())
	alarms, missed := 0, 0
	for _, l := range links {
		switch called := broken[l.URL]; {
		case called && !l.Dead():
			alarms++
		case !called && l.Dead():
			missed++
		default:
			continue
		}
		if show {
			fmt.Fprintf(os.Stderr, "%s: %s (%s): called broken: %v, right: %s %s\n", p.name, l.URL, l.Does, broken[l.URL], l.Verdict, l.Why)
		}
	}
	c := f.Count()
	fmt.Printf("| %s | %d | %d | %d | %d | %d | %.0f |\n", p.name, len(links), alarms, missed, c.Requests, c.Most, took.Seconds())
	return nil
}

// lines reads the output of locator.
func lines(out []byte) map[string]bool {
	broken := make(map[string]bool)
	for line := range bytes.Lines(out) {
		var r struct{ URL, Verdict string }
		if json.Unmarshal(line, &r) == nil && r.Verdict == "broken" {
			broken[r.URL] = true
		}
	}
	return broken
}

// table reads the output of linkchecker.
func table(out []byte) map[string]bool {
	broken := make(map[string]bool)
	r := csv.NewReader(bytes.NewReader(out))
	r.Comma, r.Comment, r.FieldsPerRecord, r.LazyQuotes = ';', '#', -1, true
	for {
		row, err := r.Read()
		if err != nil {
			return broken
		}
		if len(row) > 7 && row[6] == "False" {
			broken[row[0]] = true
		}
	}
}

// blocks finds the URLs in the output of checklink, each before its status.
var blocks = regexp.MustCompile(`(?m)^(\S+:\S+)\n(?:.*\n)*?Response status code: (\S+)`)

// report reads the output of checklink.
func report(out []byte) map[string]bool {
	broken := make(map[string]bool)
	for _, m := range blocks.FindAllSubmatch(out, -1) {
		if status := string(m[2]); status != "(N/A)" {
			broken[string(m[1])] = true
		}
	}
	return broken
}

// object reads the output of linkinator.
func object(out []byte) map[string]bool {
	broken := make(map[string]bool)
	var r struct{ Links []struct{ URL, State string } }
	if i := bytes.IndexByte(out, '{'); i >= 0 {
		json.NewDecoder(bytes.NewReader(out[i:])).Decode(&r)
	}
	for _, l := range r.Links {
		if l.State == "BROKEN" {
			broken[l.URL] = true
		}
	}
	return broken
}

// marked finds the broken links in the output of markdown-link-check.
var marked = regexp.MustCompile(`(?m)^\s*\[✖\] (\S+)`)

// marks reads the output of markdown-link-check.
func marks(out []byte) map[string]bool {
	broken := make(map[string]bool)
	for _, m := range marked.FindAllSubmatch(out, -1) {
		broken[string(m[1])] = true
	}
	return broken
}
