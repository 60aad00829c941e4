package ftp_test

import (
	"slices"
	"strings"
	"testing"

	"locator"
	"locator/client"
	"locator/scheme"
	"locator/scheme/ftp/ftptest"
	"locator/schemetest/peer"
	"locator/tree"
)

// RemoveAll does not enter what may be a link to a directory, whatever the server shows it as.
//
// Covers: A15, P6
func TestRemoveAllLink(t *testing.T) {
	t.Parallel()
	files := []peer.File{{Path: []string{"site", "a"}}, {Path: []string{"site", "sub", "b"}}, {Path: []string{"keep", "deep", "c"}}, {Path: []string{"keep", "d"}}}
	link, keep := []string{"site", "link"}, []string{"keep"}
	site, full := []string{"site", ""}, "550 Directory not empty"
	for name, tt := range map[string]struct {
		dele, rmd, full string // replies to DELE and RMD of the link, and to RMD of a directory that is not empty
		url             []string
		left            []string // in site
		code            scheme.Code
	}{
		"DELE says so":         {"550 ENOTDIR: not a directory, rmdir '/site/link'", "550 ENOTDIR: not a directory, rmdir '/site/link'", full, site, []string{"link"}, scheme.CodeLoginNeeded},
		"RMD says so":          {"550 ['site', 'link']: is a directory", "550 Cannot rmd, ['site', 'link'] is not a directory", full, site, []string{"link"}, scheme.CodeLoginNeeded},
		"no answer":            {"550 path is not a file", "451 file system error", full, site, []string{"link"}, scheme.CodeUnavailable},
		"none to its own URL":  {"550 path is not a file", "451 file system error", full, append(slices.Clone(link), ""), []string{"a", "link", "sub"}, scheme.CodeUnavailable},
		"none without a slash": {"550 path is not a file", "451 file system error", full, link, []string{"a", "link", "sub"}, scheme.CodeUnavailable},
		"its own URL":          {"550 ENOTDIR: not a directory", "550 ENOTDIR: not a directory", full, append(slices.Clone(link), ""), []string{"a", "link", "sub"}, scheme.CodeLoginNeeded},
		"no slash":             {"550 is a directory", "550 not a directory", full, link, []string{"a", "link", "sub"}, scheme.CodeLoginNeeded},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, err := ftptest.Start(files, ftptest.LinkedDir(link, keep, tt.dele, tt.rmd), ftptest.RefuseFullDir(tt.full))
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			c := newClient(t)
			r := scheme.Request{URL: s.URL(tt.url...)}
			o := tree.RemoveAllOptions{DryRun: true}
			if err := tree.RemoveAll(t.Context(), c, r, o); slices.ContainsFunc(s.Lines(), changes) {
				t.Errorf("a dry run, %v, sent %q", err, s.Lines())
			}
			o = tree.RemoveAllOptions{Removed: func(u locator.URL, _ bool) { t.Log("removed", u) }}
			err = tree.RemoveAll(t.Context(), c, r, o)
			if client.CodeOf(err) != tt.code {
				t.Errorf("%v", err)
			}
			if got := s.Names("site"); !slices.Equal(got, tt.left) {
				t.Errorf("site has %q, want %q", got, tt.left)
			}
			if got := append(s.Names("keep"), s.Names("keep", "deep")...); !slices.Equal(got, []string{"d", "deep", "c"}) {
				t.Errorf("what the link leads to has %q", got)
			}
		})
	}
}

// changes reports whether a command removes something.
func changes(line string) bool {
	return strings.HasPrefix(line, "DELE") || strings.HasPrefix(line, "RMD")
}
