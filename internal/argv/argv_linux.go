package argv

import (
	"bytes"
	"errors"
	"os"
	"strconv"
	"strings"
)

// errMoved says that the arguments are not where the kernel says.
var errMoved = errors.New("the arguments are not where /proc/self/stat says")

// Hide replaces the arguments in the list of processes by shown, which has a text of the same
// length for each of os.Args. Before that it replaces os.Args by copies: their memory is what the
// list of processes shows. It must be called before anything keeps an argument.
func Hide(shown []string) error {
	args := os.Args
	var old, masked []byte
	for i, arg := range args {
		if i >= len(shown) || len(shown[i]) != len(arg) {
			return errMoved
		}
		old = append(append(old, arg...), 0)
		masked = append(append(masked, shown[i]...), 0)
	}
	if bytes.Equal(old, masked) {
		return nil
	}
	begin, end, err := area()
	if err != nil {
		return err
	}
	if end-begin != int64(len(old)) {
		return errMoved
	}
	mem, err := os.OpenFile("/proc/self/mem", os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer mem.Close()
	now := make([]byte, len(old))
	if _, err := mem.ReadAt(now, begin); err != nil {
		return err
	}
	if !bytes.Equal(now, old) {
		return errMoved
	}
	copies := make([]string, len(args))
	for i, arg := range args {
		copies[i] = strings.Clone(arg)
	}
	os.Args = copies
	_, err = mem.WriteAt(masked, begin)
	return err
}

// area returns where the arguments begin and end in memory: arg_start and arg_end of
// proc_pid_stat(5).
func area() (begin, end int64, err error) {
	const argStart, argEnd = 48, 49 // the fields count from 1
	text, err := os.ReadFile("/proc/self/stat")
	if err != nil {
		return 0, 0, err
	}
	_, rest, _ := strings.Cut(string(text[bytes.LastIndexByte(text, ')')+1:]), " ") // the second field is a name in brackets
	fields := strings.Fields(rest)
	if len(fields) < argEnd-2 {
		return 0, 0, errMoved
	}
	if begin, err = strconv.ParseInt(fields[argStart-3], 10, 64); err != nil {
		return 0, 0, err
	}
	end, err = strconv.ParseInt(fields[argEnd-3], 10, 64)
	return begin, end, err
}
