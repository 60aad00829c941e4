package file

import (
	"runtime"
	"strings"

	"locator/internal/octet"
	"locator/scheme"
	"locator/wire"
)

// Path returns the path of the operating system for the decoded segments of a URL.
func Path(segments []string) (string, error) {
	if runtime.GOOS == "windows" {
		return windowsPath(segments)
	}
	return unixPath(segments)
}

// unixPath joins the segments unchanged: the system handles empty ones and "..".
func unixPath(segments []string) (string, error) {
	for _, s := range segments {
		if err := segment(s, "/\x00"); err != nil {
			return "", err
		}
	}
	return "/" + strings.Join(segments, "/"), nil
}

// windowsPath joins the segments. The first may be a drive letter, "C:" or "C|" as old browsers
// write it (RFC 8089 appendix E.2).
func windowsPath(segments []string) (string, error) {
	drive := ""
	if len(segments) > 0 && isDrive(segments[0]) {
		drive = strings.ToUpper(segments[0][:1]) + ":"
		segments = segments[1:]
	}
	for i, s := range segments {
		// A colon would name a stream of the file, a backslash another folder.
		if err := segment(s, "/\\:<>\"|?*\x00"); err != nil {
			return "", err
		}
		if reserved(s) {
			return "", scheme.Fail(scheme.CodeRefused, "%s is the name of a device, not of a file", wire.TextLine(s))
		}
		if s == "" && i < len(segments)-1 {
			return "", scheme.Fail(scheme.CodeRefused, "an empty segment is not a folder name")
		}
	}
	return drive + `\` + strings.Join(segments, `\`), nil
}

// segment returns an error if s cannot be a file name. never has the bytes that are not allowed.
func segment(s, never string) error {
	for i := 0; i < len(s); i++ {
		if strings.IndexByte(never, s[i]) >= 0 {
			return scheme.Fail(scheme.CodeRefused, "the segment %s of the URL contains the byte %%%02X, which a file name cannot contain", wire.TextLine(s), s[i])
		}
	}
	return nil
}

func isDrive(s string) bool {
	return len(s) == 2 && (s[1] == ':' || s[1] == '|') && octet.IsLetter(s[0])
}

// reserved reports whether name is a device on Windows, which ignores suffixes and trailing blanks
// and dots.
func reserved(name string) bool {
	base, _, _ := strings.Cut(name, ".")
	base = strings.ToUpper(strings.TrimRight(base, " "))
	switch base {
	case "CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$":
		return true
	}
	port, ok := strings.CutPrefix(base, "COM")
	if !ok {
		port, ok = strings.CutPrefix(base, "LPT")
	}
	return ok && (len(port) == 1 && '0' <= port[0] && port[0] <= '9' || port == "\u00b9" || port == "\u00b2" || port == "\u00b3")
}
