// Package all is the page on which every scheme is listed: one line a scheme.
package all

import (
	"locator/scheme"
	"locator/scheme/file"
	"locator/scheme/ftp"
	"locator/scheme/gopher"
	"locator/scheme/http"
	"locator/scheme/mailto"
	"locator/scheme/nntp"
	"locator/scheme/prospero"
	"locator/scheme/telnet"
	"locator/scheme/wais"
)

// Registry returns every scheme that can be accessed.
func Registry() *scheme.Registry {
	return scheme.NewRegistry(Schemes()...)
}

// Schemes lists them, for programs that add their own.
func Schemes() []scheme.Scheme {
	return []scheme.Scheme{
		file.New(),
		ftp.New(),
		ftp.NewTLS(), // ftps: an extra, no RFC has it
		gopher.New(),
		gopher.NewTLS(), // gophers: an extra, no RFC has it
		http.New("http"),
		http.New("https"),
		mailto.New(),
		nntp.New(),
		nntp.NewNews(),
		nntp.NewTLS(),     // nntps: an extra, no RFC has it
		nntp.NewNewsTLS(), // snews: an extra, no RFC has it
		prospero.New(),
		telnet.New(),
		telnet.NewTLS(), // telnets: an extra, no RFC has it
		wais.New(),
	}
}
