// Package tour starts the embedded servers and accesses a URL of each scheme on them. It needs no
// network.
package tour

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"locator"
	"locator/client"
	"locator/internal/units"
	"locator/scheme"
	"locator/scheme/ftp/ftptest"
	"locator/scheme/gopher/gophertest"
	"locator/scheme/http/httptest"
	"locator/scheme/nntp/nntptest"
	"locator/scheme/prospero/prosperotest"
	"locator/scheme/telnet/telnettest"
	"locator/scheme/wais/waistest"
	"locator/schemetest/peer"
)

// stop is one URL of the tour.
type stop struct {
	what string // what the access does
	u    locator.URL
	want string // the body of an object
	list string // a name in a listing
	// fields is the number of fields of a form.
	fields  int
	subject string // of a draft
	typed   string // the input of a session; want is in its output
}

// Result is what the access of a URL had.
type Result struct {
	URL   locator.URL
	Did   string // what the access did
	Got   string // what it returned
	Bytes int64
	Took  time.Duration
	Err   error
}

// Servers are the embedded servers, which run until they are closed.
type Servers struct {
	stops  []stop
	folder locator.URL
	close  []func()
}

// Start starts the servers.
func Start() (_ *Servers, err error) {
	t := &Servers{}
	defer func() {
		if err != nil {
			t.Close()
		}
	}()
	dir, err := os.MkdirTemp("", "locator-tour-")
	if err != nil {
		return nil, fmt.Errorf("%w; TMPDIR names a folder for temporary files", err)
	}
	t.close = append(t.close, func() { os.RemoveAll(dir) })
	const motd, menu = "etc/motd", "!The tour\nA menu from a gophermap.\n\n0Message of the day\tetc/motd\n1The folder of it\tetc\n7Search all names\t/search\n0A form\t/form\n"
	tree := peer.Tree()
	content, article := "", ""
	for _, f := range tree {
		if strings.Join(f.Path, "/") == motd {
			content, article = f.Content, nntptest.Text(f)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, "etc"), 0o700); err != nil {
		return nil, err
	}
	for name, text := range map[string]string{"gophermap": menu, motd: content} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			return nil, err
		}
	}
	if t.folder, err = fileURL(dir); err != nil {
		return nil, err
	}
	local, err := fileURL(dir, "etc", "motd")
	if err != nil {
		return nil, err
	}
	mail, err := locator.Build(&locator.Mailto{To: []string{"ann@example.org"}, Headers: []locator.Pair{{Name: "subject", Value: "Tour"}}})
	if err != nil {
		return nil, err
	}
	web, err := httptest.Start(tree)
	if err != nil {
		return nil, err
	}
	t.close = append(t.close, func() { web.Close() })
	files, err := ftptest.Start(tree)
	if err != nil {
		return nil, err
	}
	t.close = append(t.close, func() { files.Close() })
	news, err := nntptest.Start(tree)
	if err != nil {
		return nil, err
	}
	t.close = append(t.close, func() { news.Close() })
	v, _ := locator.As[*locator.News](news.ServerURL())
	v.Kind, v.Article = locator.NewsArticle, nntptest.ID("etc", "motd")
	byID, err := locator.Build(v)
	if err != nil {
		return nil, err
	}
	links, err := prosperotest.Start(tree)
	if err != nil {
		return nil, err
	}
	t.close = append(t.close, func() { links.Close() })
	board, err := telnettest.Start()
	if err != nil {
		return nil, err
	}
	t.close = append(t.close, func() { board.Close() })
	index, err := waistest.Start(tree)
	if err != nil {
		return nil, err
	}
	t.close = append(t.close, func() { index.Close() })
	form := gophertest.Form{Ask: []string{"Ask: Name", "Choose: Colour\tred\tgreen"}}
	menus, err := gophertest.Start(nil, gophertest.Dir(dir), gophertest.Ask("form", form))
	if err != nil {
		return nil, err
	}
	t.close = append(t.close, func() { menus.Close() })
	t.stops = []stop{
		{what: "GET /etc/motd", u: web.URL("etc", "motd"), want: content},
		{what: "CWD etc, RETR motd", u: files.URL("etc", "motd"), want: content},
		{what: "the directory, by MLSD", u: files.URL(""), list: "text.txt"},
		{what: "the menu of a gophermap", u: menus.URL(""), list: "Message of the day"},
		{what: "a text", u: menus.Item('0', "/etc/motd", ""), want: strings.ReplaceAll(content, "\n", "\r\n")}, // RFC 1436 3.2
		{what: "the same by Gopher+, with its length", u: menus.Item('0', "/etc/motd", "+"), want: content},
		{what: "a search for motd", u: menus.SearchURL("motd"), list: "motd"},
		{what: "a form", u: menus.Item('0', "/form", "?"), fields: 2},
		{what: "the articles of a newsgroup, by OVER", u: news.URL("etc", ""), list: "motd"},
		{what: "GROUP tree.etc, ARTICLE 1", u: news.URL("etc", "motd"), want: article},
		{what: "an article by its message-id", u: byID, want: article},
		{what: "the links of a directory, by ARDP over UDP", u: links.URL(""), list: "text.txt"},
		{what: "GET-OBJECT-INFO CONTENTS", u: links.URL("etc", "motd"), want: content},
		{what: "a session", u: board.URL(), typed: "hello\nexit\n", want: "you said: hello"},
		{what: "a search for names", u: index.SearchURL("names", "names"), list: "a blank"},
		{what: "a document, by its document-id", u: index.URL("etc", "motd"), want: content},
		{what: "a draft; nothing is sent", u: mail, subject: "Tour"},
		{what: "the local file", u: local, want: content},
	}
	return t, nil
}

// Close ends the servers.
func (t *Servers) Close() {
	for _, f := range slices.Backward(t.close) {
		f()
	}
}

// URLs returns the URLs of the tour, with what an access to each does.
func (t *Servers) URLs() (list []Result) {
	for _, s := range t.stops {
		list = append(list, Result{URL: s.u, Did: s.what})
	}
	return list
}

// Folder returns the URL of the local folder of the tour.
func (t *Servers) Folder() locator.URL { return t.folder }

// Run starts the servers, accesses the URLs and calls each with the results. The error is that of
// starting the servers.
func Run(ctx context.Context, c *client.Client, each func(Result)) error {
	t, err := Start()
	if err != nil {
		return err
	}
	defer t.Close()
	for _, s := range t.stops {
		start := time.Now()
		got, n, err := s.run(ctx, c)
		each(Result{URL: s.u, Did: s.what, Got: got, Bytes: n, Took: time.Since(start), Err: err})
	}
	return nil
}

// run accesses the URL and checks the result.
func (s stop) run(ctx context.Context, c *client.Client) (what string, n int64, err error) {
	res, err := c.Access(ctx, scheme.Request{URL: s.u}, nil)
	if err != nil {
		return "", 0, err
	}
	defer res.Close()
	wrong := func(format string, args ...any) error {
		return &scheme.Error{Op: "tour", URL: s.u.Redacted(), Code: scheme.CodeProtocol, Err: fmt.Errorf(format, args...)}
	}
	switch {
	case s.subject != "" && res.Kind == scheme.KindDraft:
		if h := res.Draft.Header; len(h) != 1 || h[0].Value != s.subject {
			return "", 0, wrong("the draft has the fields %q", h)
		}
		return fmt.Sprintf("draft to %s", strings.Join(res.Draft.To, ", ")), int64(len(res.Draft.Body)), nil
	case s.list != "" && res.Kind == scheme.KindListing:
		entries, found := 0, false
		for e, err := range res.Entries {
			if err != nil {
				return "", 0, err
			}
			entries++
			n += int64(len(e.Name))
			found = found || strings.HasPrefix(e.Name, s.list)
		}
		if !found {
			return "", n, wrong("the listing does not contain %q", s.list)
		}
		if entries == 1 {
			return "listing of 1 entry", n, nil
		}
		return fmt.Sprintf("listing of %d entries", entries), n, nil
	case s.list == "" && res.Kind == scheme.KindObject:
		body, err := io.ReadAll(io.LimitReader(res.Body, 1<<20))
		if err == nil && string(body) != s.want {
			err = wrong("the body differs: %d bytes, want %d", len(body), len(s.want))
		}
		return "object", int64(len(body)), err
	}
	if res.Kind == scheme.KindSession {
		if _, err := io.WriteString(res.Session, s.typed); err != nil {
			return "", 0, err
		}
		output, err := io.ReadAll(io.LimitReader(res.Session, 1<<20))
		if err == nil && !strings.Contains(string(output), s.want) {
			err = wrong("the output does not contain %q", s.want)
		}
		return "session", int64(len(output)), err
	}
	if n := s.fields; n > 0 && res.Kind == scheme.KindForm && len(res.Form.Fields) == n {
		return "form of " + units.Count(n, "field"), 0, nil
	}
	return "", 0, wrong("it is a %s", res.Kind)
}

// fileURL returns the URL of a file in a local folder (RFC 1738 3.10).
func fileURL(dir string, path ...string) (locator.URL, error) {
	dir = strings.ReplaceAll(dir, string(os.PathSeparator), "/")
	return locator.Build(&locator.File{Segments: append(strings.Split(strings.TrimPrefix(dir, "/"), "/"), path...)})
}
