package file

import (
	"runtime"
	"strings"

	"locator/scheme"
	"locator/wire"
)

// pathOf makes a path of this system out of decoded segments.
func pathOf(segments []string) (string, error) {
	if runtime.GOOS == "windows" {
		return windowsPath(segments)
	}
	return unixPath(segments)
}

// unixPath puts the segments together as they are: empty ones and ".." are left to the system.
func unixPath(segments []string) (string, error) {
	for _, s := range segments {
		if err := segment(s, "/\x00"); err != nil {
			return "", err
		}
	}
	return "/" + strings.Join(segments, "/"), nil
}

// windowsPath takes a drive letter as the first segment, "C:" or, as browsers used to write it, "C|" (RFC 8089
// appendix E.2).
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
			return "", scheme.Fail(scheme.CodeRefused, "%s is the name of a device here, not of a file", wire.Escape(s))
		}
		if s == "" && i < len(segments)-1 {
			return "", scheme.Fail(scheme.CodeRefused, "an empty segment cannot be a folder here")
		}
	}
	return drive + `\` + strings.Join(segments, `\`), nil
}

// segment refuses what cannot be the name of a file.
func segment(s, never string) error {
	for i := 0; i < len(s); i++ {
		if strings.IndexByte(never, s[i]) >= 0 {
			return scheme.Fail(scheme.CodeRefused, "the segment %s of the URL holds the octet %%%02X, which the name of a file cannot hold", wire.Escape(s), s[i])
		}
	}
	return nil
}

func isDrive(s string) bool {
	return len(s) == 2 && (s[1] == ':' || s[1] == '|') && 'a' <= s[0]|0x20 && s[0]|0x20 <= 'z'
}

// reserved reports whether Windows takes a name for a device, with any suffix and with blanks and dots at its end.
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
