package option

import (
	"testing"
)

// The names are those of traces.
func TestNames(t *testing.T) {
	t.Parallel()
	for got, want := range map[string]string{
		SE.String(): "SE", DONT.String(): "DONT", IAC.String(): "IAC", Command(12).String(): "12", NewEnviron.String(): "NEW-ENVIRON", Option(200).String(): "200",
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
