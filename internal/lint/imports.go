package lint

import (
	"path"
	"slices"
	"strings"
)

// direction says what the non-test files of some packages must not import.
type direction struct {
	what   string
	from   func(*Tree, string) bool
	forbid []string // "net" is the package, "net/..." it and all below it
	except func(file, imported string) bool
}

func dirs(tops ...string) func(*Tree, string) bool {
	return func(_ *Tree, dir string) bool { return slices.Contains(tops, dir) }
}

// directions is the table of who must not know whom.
func directions() []direction {
	internalOrCPU := func(_, imported string) bool { // what the processor can is no matter of the system
		return below(imported, module+"/internal") || imported == "golang.org/x/sys/cpu"
	}
	return []direction{
		{
			"the root package and what it imports are text only", textOnly,
			[]string{"net/...", "os/...", "syscall/...", "golang.org/x/sys/...", module + "/..."}, internalOrCPU,
		},
		{
			"hazards are found in the text alone", dirs("vet", "internal/hostaddr"),
			[]string{"net/...", "os/...", "syscall/...", "golang.org/x/sys/...", module + "/..."},
			func(_, imported string) bool {
				return imported == "net/netip" || imported == module || below(imported, module+"/internal")
			},
		},
		{
			"the contract knows neither the client nor a scheme", dirs("scheme", "wire", "policy"),
			[]string{module + "/client/...", module + "/gateway/...", module + "/check/...", module + "/cmd/..."}, nil,
		},
		{
			"the contract knows no scheme package", dirs("scheme", "wire", "policy"),
			[]string{module + "/scheme/..."}, func(_, imported string) bool { return imported == module+"/scheme" },
		},
		{
			"the client knows schemes through the registry alone", func(_ *Tree, dir string) bool { return below(dir, "client") },
			[]string{module + "/scheme/..."}, func(_, imported string) bool { return imported == module+"/scheme" },
		},
		{
			"a scheme package sees the world only through Env",
			func(_ *Tree, dir string) bool {
				return strings.HasPrefix(dir, "scheme/") && dir != "scheme/all" && !testCode(dir)
			},
			[]string{"os/...", "syscall/...", "golang.org/x/sys/...", "net/url", "html/template", module + "/client/...", module + "/gateway/...",
				module + "/check/...", module + "/cmd/...", module + "/scheme/..."},
			allowedInScheme,
		},
		{
			"finding URLs is text only", func(_ *Tree, dir string) bool { return below(dir, "find") },
			[]string{"net/...", "os/...", module + "/client/...", module + "/scheme/..."}, nil,
		},
		{
			"packages for tests stay out of the product", func(_ *Tree, dir string) bool { return !testCode(dir) },
			[]string{module + "/internal/bnf/...", module + "/internal/peers", module + "/internal/capture", module + "/internal/faults", module + "/internal/hang", module + "/internal/leaks", module + "/internal/proxies", module + "/schemetest"}, nil,
		},
		{
			"the tour starts the test servers, and a program has no testing flags",
			func(_ *Tree, dir string) bool {
				return !slices.Contains([]string{"schemetest", "internal/hang", "internal/leaks", "internal/peers"}, dir)
			}, []string{"testing/..."}, nil,
		},
		{"memory is safe here", func(*Tree, string) bool { return true }, []string{"unsafe"}, besideAssembly},
	}
}

// besideAssembly is the one test that lays texts where memory ends, to see that assembly reads nothing behind them.
func besideAssembly(path, _ string) bool { return path == "internal/span/page_linux_test.go" }

// textOnly holds for the root package and every internal package that it reaches.
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

// allowedInScheme: the contract, shared code, the package's own folders; and what a scheme cannot do without, in the one
// file that it has for that: os for file:, and net/url for http:, since http.Request is made of it.
func allowedInScheme(file, imported string) bool {
	own, base := schemeOf(path.Dir(file)), path.Base(file)
	switch {
	case own == "file" && (base == "os.go" || strings.HasPrefix(base, "os_")) &&
		forbidden([]string{"os/...", "syscall/...", "golang.org/x/sys/..."}, imported):
		return true
	case own == "http" && base == "target.go" && imported == "net/url":
		return true
	}
	return imported == module+"/scheme" || below(imported, module+"/scheme/internal") ||
		own != "" && below(imported, module+"/scheme/"+own) && !testCode(imported)
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
				// Tests may look behind the curtain; memory stays safe in them, too.
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
