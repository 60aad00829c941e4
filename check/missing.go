package check

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/hex"
	"strings"

	"locator"
	"locator/check/anchor"
	"locator/client"
	"locator/scheme"
)

// A host may answer with success for a name that does not exist: a "soft 404". To find out, a name
// beside the resource is asked for that cannot exist. Where the answer is the same as for the
// resource, the resource is missing too, with these exceptions, in which nobody can say:
//
//   - It is the front page of the host.
//   - It is what the front page or the folder of the resource shows: one page may be the answer for
//     all names, and a script in it does the rest; or it is a login or a wall. This is no exception
//     where the page repeats the name and says that it was not found.
//   - A script makes its content, or it asks for a password.
//   - It was redirected elsewhere than to the front page.
//
// The answer for a name that cannot exist is asked for once per host. For a resource that looks
// like it, a name beside the resource is asked for, too. The difference of these two answers shows
// which parts of the page change by themselves.

const missingNote = "the host answers in the same way for a name that cannot exist"

// missing judges a resource that is there, and reports whether its host answers in the same way for
// names that cannot exist.
func (c *Checker) missing(ctx context.Context, m *machine, u locator.URL, found *scheme.Resource, doc *anchor.Document, res *Result) bool {
	front, sibling, ok := around(u)
	if !ok {
		return false
	}
	answer := c.answers.get(ctx, front.String()+" *", func() (*answer, int) { return c.answer(ctx, m, sibling()).sized() })
	if !answer.there {
		return false
	}
	here := newAnswer(u, found, doc)
	switch {
	case here.redirected != answer.redirected || here.redirected && !isFront(here.final, front):
		return false
	case here.redirected:
		if !isFront(answer.final, front) {
			return false
		}
	case !here.resembles(answer):
		return false
	case here.doubtful:
		res.Note = missingNote + "; a script, or a login, may show more"
		return false
	}
	again := c.answer(ctx, m, sibling())
	if !again.there || again.redirected != here.redirected {
		return false
	}
	if here.redirected {
		if !isFront(again.final, front) {
			return false
		}
	} else if !here.same(answer, again) || !(here.says && again.says) && c.isIndex(ctx, m, u, front, here) {
		return false
	}
	res.Verdict, res.Why, res.Note, res.To = Broken, WhyNotFound, missingNote, ""
	return true
}

// around returns the front page of the host of u, and a function that returns URLs beside u that
// cannot exist. ok is false for a URL that is the front page, and for those of other kinds.
func around(u locator.URL) (front locator.URL, sibling func() locator.URL, ok bool) {
	if !u.Hierarchical() || u.Canonical().Host() == "" || isFront(u, u) { // a file of localhost has no host
		return front, nil, false
	}
	front, err := u.Resolve("/")
	if err != nil {
		return front, nil, false
	}
	path, _ := u.Path()
	dir, name := "", path
	if strings.HasSuffix(path, "/") {
		dir, name = "../", strings.TrimSuffix(path, "/")
	}
	name = name[strings.LastIndexByte(name, '/')+1:]
	end := ""
	if i := strings.LastIndexByte(name, '.'); i > 0 && len(name)-i <= 6 && !strings.ContainsAny(name[i:], ";%") {
		end = name[i:]
	}
	if dir != "" {
		end += "/"
	}
	return front, func() locator.URL {
		var b [12]byte
		rand.Read(b[:]) // never fails
		beside, err := u.Resolve(dir + "x" + hex.EncodeToString(b[:]) + end)
		if err != nil {
			return locator.URL{}
		}
		return beside
	}, true
}

// isFront reports whether u is the front page of the host of front.
func isFront(u, front locator.URL) bool {
	path, _ := u.Path()
	if _, ok := u.Search(); ok || !strings.EqualFold(withoutWWW(u.Host()), withoutWWW(front.Host())) {
		return false
	}
	name, _, _ := strings.Cut(strings.ToLower(path), ".")
	return path == "" || (name == "index" || name == "default") && !strings.Contains(path, "/")
}

func withoutWWW(host string) string { return strings.TrimPrefix(strings.ToLower(host), "www.") }

// isIndex reports whether the front page, or the folder of u, is the same as here, or whether that
// is unknown.
func (c *Checker) isIndex(ctx context.Context, m *machine, u, front locator.URL, here *answer) bool {
	folder := "./"
	if path, _ := u.Path(); strings.HasSuffix(path, "/") {
		folder = "../"
	}
	index, err := u.Resolve(folder)
	if err != nil {
		return true
	}
	for _, at := range [...]locator.URL{front, index} {
		a := c.answers.get(ctx, at.String(), func() (*answer, int) { return c.answer(ctx, m, at).sized() })
		if !a.there && !a.gone || here.resembles(a) {
			return true
		}
	}
	return false
}

// sized returns the answer and its size.
func (a *answer) sized() (*answer, int) { return a, len(a.text) }

// answer asks for a URL.
func (c *Checker) answer(ctx context.Context, m *machine, u locator.URL) *answer {
	if u.IsZero() {
		return &answer{}
	}
	m.pause(ctx, c.clock())
	found, err := c.Client.Check(ctx, c.request(u), &scheme.CheckOptions{Body: true})
	if err != nil {
		code := client.CodeOf(err)
		return &answer{gone: code == scheme.CodeNotFound || code == scheme.CodeGone}
	}
	defer found.Close()
	if found.Body == nil {
		return &answer{}
	}
	body, whole := c.body(found)
	if !whole {
		return &answer{}
	}
	return newAnswer(u, found, document(found, body))
}

// newAnswer returns what is compared of a resource that was found at u.
func newAnswer(u locator.URL, found *scheme.Resource, doc *anchor.Document) *answer {
	a := &answer{there: true, redirected: len(found.Via) > 0, final: found.URL}
	a.compare(u, doc)
	a.doubtful = a.doubtful || bytes.Contains(bytes.ToLower(doc.Body), []byte(`type="password"`))
	return a
}
