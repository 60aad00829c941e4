package buildinfo

import (
	"runtime"
	"runtime/debug"

	"locator/internal/jsontext"
)

// Modules returns the modules that are linked into the program, without its own. The go command
// records no sums if it builds from a vendor folder: then they are those of the licences, which
// come from go.sum. A module that is replaced has none; what replaces it may have one.
func Modules(info *debug.BuildInfo, licenses []License) []debug.Module {
	sums := make(map[string]string)
	for _, l := range licenses {
		sums[l.Module+" "+l.Version] = l.Sum
	}
	all := make([]debug.Module, 0, len(info.Deps))
	for _, m := range info.Deps {
		module := *m
		if module.Sum == "" && module.Replace == nil {
			module.Sum = sums[m.Path+" "+m.Version]
		}
		all = append(all, module)
	}
	return all
}

// AppendJSON appends a JSON object with all that is known, and with the modules that are linked.
func (b Info) AppendJSON(line []byte, licenses string) []byte {
	line = jsontext.AppendText(append(line, '{'), "version", b.Version)
	line = jsontext.AppendFilled(line, "revision", b.Revision)
	line = jsontext.AppendFilled(line, "time", b.Time)
	line = jsontext.AppendBool(line, "modified", b.Modified)
	line = jsontext.AppendText(line, "go", runtime.Version())
	line = jsontext.AppendText(line, "os", runtime.GOOS)
	line = jsontext.AppendText(line, "arch", runtime.GOARCH)
	line = append(jsontext.AppendKey(line, "modules"), '[')
	for _, m := range Modules(b.build, ParseLicenses(licenses)) {
		line = appendModule(jsontext.AppendComma(line), m)
		line = jsontext.AppendKey(line, "replace")
		if m.Replace == nil {
			line = append(line, "null}"...)
		} else {
			line = append(appendModule(line, *m.Replace), '}', '}')
		}
	}
	return append(line, ']', '}')
}

// appendModule appends an object without its end.
func appendModule(b []byte, m debug.Module) []byte {
	b = jsontext.AppendText(append(b, '{'), "path", m.Path)
	b = jsontext.AppendFilled(b, "version", m.Version)
	return jsontext.AppendFilled(b, "sum", m.Sum)
}
