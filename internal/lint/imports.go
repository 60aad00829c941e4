package lint

import (
	"path"
	"slices"
	"strings"
)

// direction is a set of imports that the non-test files of some packages must not have.
type direction struct {
	what   string
	from   func(*Tree, string) bool
	forbid []string // "net" is the package, "net/..." also the packages below it
	except func(file, imported string) bool
}

func dirs(tops ...string) func(*Tree, string) bool {
	return func(_ *Tree, dir string) bool { return slices.Contains(tops, dir) }
}

// directions returns the table of forbidden imports.
func directions() []direction {
	internalOrCPU := func(_, imported string) bool { // addresses and features of the processor do not depend on the system
		return below(imported, module+"/internal") || imported == "golang.org/x/sys/cpu" || imported == "net/netip"
	}
	return []direction{
		{
			"the root package and its imports process text only", textOnly,
			[]string{"net/...", "os/...", "syscall/...", "golang.org/x/sys/...", module + "/..."}, internalOrCPU,
		},
		{
			"a repair depends on the text and its grammar only, so that every package may suggest one", dirs("repair"),
			[]string{"net/...", "os/...", "syscall/...", "golang.org/x/sys/...", module + "/..."},
			func(_, imported string) bool { return imported == module || below(imported, module+"/internal") },
		},
		{
			"hazards are found from the text only", dirs("vet", "internal/hostaddr"),
			[]string{"net/...", "os/...", "syscall/...", "golang.org/x/sys/...", module + "/..."},
			func(_, imported string) bool {
				return imported == "net/netip" || imported == module || imported == module+"/repair" || below(imported, module+"/internal")
			},
		},
		{
			"the contract does not depend on the client", dirs("scheme", "wire", "policy"),
			[]string{module + "/client/...", module + "/gateway/...", module + "/check/...", module + "/cmd/..."}, nil,
		},
		{
			"the contract does not depend on a scheme package", dirs("wire", "policy", "scheme", "scheme/ability", "scheme/bulk"),
			[]string{module + "/scheme/..."}, func(_, imported string) bool { return contract(imported) },
		},
		{
			"forms, sessions and messages are values, which know nothing of the contract", dirs("scheme/form", "scheme/message", "scheme/session"),
			[]string{module + "/..."}, nil,
		},
		{
			"the client finds schemes only through the registry", func(_ *Tree, dir string) bool { return below(dir, "client") },
			[]string{module + "/scheme/..."}, func(_, imported string) bool { return contract(imported) },
		},
		{
			"the client does one operation on one URL; trees and queues are the work of packages above it",
			func(_ *Tree, dir string) bool { return below(dir, "client") },
			[]string{module + "/tree/...", module + "/transfer/...", module + "/archive/...", module + "/download/...", module + "/upload/..."}, nil,
		},
		{
			"a tree is walked, and jobs are queued, for downloads, uploads and checks alike", dirs("tree", "transfer"),
			[]string{module + "/archive/...", module + "/download/...", module + "/upload/...", module + "/gateway/...", module + "/check/...", module + "/cmd/..."}, nil,
		},
		{
			"what uploads, downloads and archives share is in tree, transfer and internal", dirs("upload"),
			[]string{module + "/archive/...", module + "/download/..."}, nil,
		},
		{
			"what uploads, downloads and archives share is in tree, transfer and internal", dirs("download"),
			[]string{module + "/archive/...", module + "/upload/..."}, nil,
		},
		{
			"what uploads, downloads and archives share is in tree, transfer and internal", dirs("archive"),
			[]string{module + "/download/...", module + "/upload/..."}, nil,
		},
		{
			"a scheme package uses the system only through Env",
			func(_ *Tree, dir string) bool {
				return strings.HasPrefix(dir, "scheme/") && dir != "scheme/all" && !testCode(dir) && !serverCode(dir)
			},
			[]string{"os/...", "syscall/...", "golang.org/x/sys/...", "net/url", "html/template", module + "/client/...", module + "/gateway/...",
				module + "/check/...", module + "/cmd/...", module + "/scheme/..."},
			allowedInScheme,
		},
		{
			"finding URLs processes text only", func(_ *Tree, dir string) bool { return below(dir, "find") },
			[]string{"net/...", "os/...", module + "/client/...", module + "/scheme/..."},
			func(file, imported string) bool {
				return strings.HasPrefix(file, "find/format/pdf") && imported == "os/exec" ||
					strings.HasPrefix(file, "find/search/") && imported == "os" // which is for files
			},
		},
		{
			"packages for tests are not part of the product", func(_ *Tree, dir string) bool { return !testCode(dir) },
			[]string{module + "/internal/bnf/...", module + "/internal/peers", module + "/internal/capture", module + "/internal/faults", module + "/internal/hang", module + "/internal/leaks", module + "/internal/proxies", module + "/internal/termtest", module + "/schemetest", module + "/check/store/storetest"}, nil,
		},
		{
			"a server that others use has no faults for tests", func(_ *Tree, dir string) bool { return serverCode(dir) },
			[]string{module + "/schemetest/...", module + "/client/...", module + "/cmd/..."}, nil,
		},
		{
			"the tour starts the test servers, and a program must not have testing flags",
			func(_ *Tree, dir string) bool {
				return !slices.Contains([]string{"schemetest", "check/store/storetest", "internal/hang", "internal/leaks", "internal/peers", "internal/termtest"}, dir)
			}, []string{"testing/..."}, nil,
		},
		{"memory safety needs packages without unsafe", func(*Tree, string) bool { return true }, []string{"unsafe"}, besideAssembly},
	}
}

// besideAssembly reports whether a file is the test that places texts at the end of memory to check
// that assembly does not read beyond it.
func besideAssembly(path, _ string) bool { return path == "internal/span/span_linux_test.go" }

// textOnly reports whether a folder is the root package or an internal package that it imports,
// directly or not.
func textOnly(t *Tree, dir string) bool {
	reached := map[string]bool{".": true}
	for queue := []string{"."}; len(queue) > 0; queue = queue[1:] {
		p := t.pkg(queue[0])
		if p == nil {
			continue
		}
		for _, f := range p.Files {
			for _, s := range f.AST.Imports {
				if d, ok := moduleDir(importPath(s)); ok && below(d, "internal") && !f.Test && !reached[d] {
					reached[d] = true
					queue = append(queue, d)
				}
			}
		}
	}
	return reached[dir]
}

// allowedInScheme allows the contract, shared code, the folders of the package, and the exceptions,
// each in one file: os for file, and net/url for http, since http.Request requires it.
func allowedInScheme(file, imported string) bool {
	own, base := schemeOf(path.Dir(file)), path.Base(file)
	switch {
	case own == "file" && (base == "os.go" || strings.HasPrefix(base, "os_")) &&
		forbidden([]string{"os/...", "syscall/...", "golang.org/x/sys/..."}, imported):
		return true
	case own == "http" && base == "place.go" && imported == "net/url":
		return true
	}
	return contract(imported) || below(imported, module+"/scheme/internal") ||
		own != "" && below(imported, module+"/scheme/"+own) && !testCode(imported) && !serverCode(imported)
}

// contract reports whether a package is part of the contract between schemes and their users.
func contract(imported string) bool {
	dir, ok := moduleDir(imported)
	return ok && (dir == "scheme" || slices.Contains(contractParts(), dir))
}

func forbidden(list []string, imported string) bool {
	for _, f := range list {
		if top, all := strings.CutSuffix(f, "/..."); f == imported || all && below(imported, top) {
			return true
		}
	}
	return false
}

func checkImports(t *Tree, report report) {
	for _, d := range directions() {
		for _, p := range t.Packages {
			if !d.from(t, p.Dir) {
				continue
			}
			for _, f := range p.Files {
				// Tests may import anything except unsafe.
				if f.Test && !slices.Contains(d.forbid, "unsafe") {
					continue
				}
				for _, s := range f.AST.Imports {
					imported := importPath(s)
					if forbidden(d.forbid, imported) && (d.except == nil || !d.except(f.Path, imported)) {
						report(f.Path, t.line(s.Pos()), "must not import %s: %s", imported, d.what)
					}
				}
			}
		}
	}
}
