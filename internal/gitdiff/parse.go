package gitdiff

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// Bounds of the output of git.
const (
	maxName   = 64 << 10  // of a line with a name or the numbers of lines
	maxFiles  = 1_000_000 // that have changed
	maxRanges = 1_000_000 // of added lines
)

// errTooLarge is the error for output beyond these bounds.
var errTooLarge = errors.New("too many changes")

// lineRange is a range of lines from 1, both included.
type lineRange struct{ first, last int }

// parseDiff reads the output of git diff and returns the lines that were added to each file. The
// names are those below the prefix "b/". Lines of files are counted, but not kept, so a line may be
// of any length.
func parseDiff(r io.Reader) (map[string][]lineRange, error) {
	b := bufio.NewReaderSize(r, maxName)
	files := make(map[string][]lineRange)
	name, known := "", false     // the file of the hunks that follow
	before, after, at := 0, 0, 0 // lines of the hunk that are to come, and the number of the next one
	ranges := 0
	for {
		line, err := b.ReadSlice('\n')
		long := errors.Is(err, bufio.ErrBufferFull)
		if long {
			line = bytes.Clone(line[:100]) // the buffer is filled anew
		}
		for errors.Is(err, bufio.ErrBufferFull) {
			_, err = b.ReadSlice('\n')
		}
		if err != nil && err != io.EOF {
			return nil, err
		}
		if len(line) == 0 {
			if before > 0 || after > 0 {
				return nil, io.ErrUnexpectedEOF
			}
			return files, nil
		}
		if before > 0 || after > 0 {
			switch line[0] {
			case '+':
				list := files[name]
				if n := len(list); n > 0 && list[n-1].last == at-1 {
					list[n-1].last = at
				} else if known {
					files[name] = append(list, lineRange{at, at})
					ranges++
				}
				after--
				at++
			case '-':
				before--
			case '\\': // No newline at end of file
			default:
				before--
				after--
				at++
			}
			if ranges > maxRanges || len(files) > maxFiles {
				return nil, errTooLarge
			}
			continue
		}
		text := string(bytes.TrimSuffix(line, []byte("\n")))
		switch {
		case strings.HasPrefix(text, "diff "):
			name, known = "", false
		case strings.HasPrefix(text, "+++ "):
			if long {
				return nil, errors.New("a name is too long")
			}
			if name, err = parseName(text[len("+++ "):]); err != nil {
				return nil, err
			}
			known = name != ""
		case strings.HasPrefix(text, "@@ "):
			if before, after, at, err = parseHunk(text); err != nil {
				return nil, err
			}
		}
	}
}

// parseName returns the name of a file in the line "+++ b/NAME"; it is empty for a file that was
// removed. A name with special characters is quoted as in C; behind one with a blank is a tab.
func parseName(text string) (string, error) {
	name := strings.TrimSuffix(text, "\t")
	if name == "/dev/null" {
		return "", nil
	}
	if strings.HasPrefix(name, `"`) {
		var err error
		if name, err = unquote(name); err != nil {
			return "", err
		}
	}
	rest, ok := strings.CutPrefix(name, "b/")
	if !ok || rest == "" {
		return "", fmt.Errorf("not a name of git: %q", text)
	}
	return rest, nil
}

// unquote reads a name as git quotes it: the escapes of C, bytes as three octal digits.
func unquote(text string) (string, error) {
	// strconv reads them all: octal digits in double quotes are bytes, as in C.
	name, err := strconv.Unquote(text)
	if err != nil {
		return "", fmt.Errorf("not a quoted name of git: %q", text)
	}
	return name, nil
}

// parseHunk reads "@@ -12,0 +13,2 @@": how many lines of the old and the new file follow, and the
// number of the first new one. A count that is left out is 1.
func parseHunk(text string) (before, after, at int, err error) {
	fields := strings.Fields(text)
	bad := fmt.Errorf("not a hunk of git: %.100q", text)
	if len(fields) < 4 || !strings.HasPrefix(fields[1], "-") || !strings.HasPrefix(fields[2], "+") || fields[3] != "@@" {
		return 0, 0, 0, bad
	}
	if _, before, err = parseRange(fields[1][1:]); err != nil {
		return 0, 0, 0, bad
	}
	if at, after, err = parseRange(fields[2][1:]); err != nil {
		return 0, 0, 0, bad
	}
	return before, after, at, nil
}

func parseRange(text string) (first, count int, err error) {
	a, b, ok := strings.Cut(text, ",")
	n, err := strconv.ParseUint(a, 10, 31)
	if err != nil {
		return 0, 0, err
	}
	if !ok {
		return int(n), 1, nil
	}
	m, err := strconv.ParseUint(b, 10, 31)
	return int(n), int(m), err
}
