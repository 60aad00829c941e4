package main

import (
	"errors"
	"io"
	"net"
	"os"
	"strings"
	"testing"

	"locator/scheme"
)

// The error for an unexpected URL masks its password.
//
// Covers: P3, T72
func TestUsageShowsNoPassword(t *testing.T) {
	t.Parallel()
	const u = "ftp://user:s3cret@host.dom/"
	for _, args := range [][]string{
		{"help", u}, {"schemes", u}, {"tour", u}, {"completion", u}, {"man", u}, {"get", "--timeout", u}, {"get", "--" + u}, {"get", "-" + u},
		{"get", "--no-such=" + u}, {"parse", "--syntax", u}, {"put", u, u}, {"get", "--sha256", u}, {"get", "--include", u + "["},
	} {
		out, errs, status := runText(t, "", args...)
		if status != scheme.CodeUsage.Exit() && args[0] != "get" || status == 0 {
			t.Errorf("%q: status %d", args, status)
		}
		if strings.Contains(out+errs, "s3cret") {
			t.Errorf("%q: %s%s", args, out, errs)
		}
	}
}

// Without arguments, and without a pipe or file as standard input, the program prints its help.
func TestHelpWithoutArguments(t *testing.T) {
	t.Parallel()
	null, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	for _, in := range []io.Reader{strings.NewReader("file:///"), null} {
		var out, errs strings.Builder
		status := run(t.Context(), nil, world{In: in, Out: &out, Err: &errs, Getenv: func(string) string { return "" }})
		if status != 0 || !strings.Contains(out.String(), "\nVerbs:\n") || strings.Count(out.String(), "\n") > 50 {
			t.Errorf("status %d, %s%s", status, out.String(), errs.String())
		}
	}
}

// brokenOut is a standard output that rejects every write.
type brokenOut struct{}

func (brokenOut) Write([]byte) (int, error) { return 0, errors.New("no space left") }

// A failed write to standard output is an error.
//
// Covers: T193
func TestOutputLost(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{
		{"parse", "ftp://h/"}, {"parse", "--json", "ftp://h/"}, {"explain", "ftp://h/"}, {"schemes"}, {"version"}, {"version", "--json"},
		{"man"}, {"completion", "bash"}, {"attr", "file:///"}, {"attr", "--json", "file:///"}, {"list", "file:///"},
		{"list", "--json", "file:///"}, {"get", "file:///"}, {"tour"}, {"tour", "--json"}, {"put", "file://" + t.TempDir() + "/x"},
	} {
		var errs strings.Builder
		status := run(t.Context(), args, world{In: strings.NewReader("x"), Out: brokenOut{}, Err: &errs, Getenv: func(string) string { return "" }})
		if status != scheme.CodeLocal.Exit() || !strings.Contains(errs.String(), "no space left") {
			t.Errorf("%q: status %d, %s", args, status, errs.String())
		}
	}
}

// Without --max-time, an error that comes from the end of a time limit is printed as any other.
func TestDeadlineIsPrinted(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0") // it accepts, and says nothing
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	_, errs, status := runText(t, "", "runs", "--store", "postgres://"+l.Addr().String()+"/x?connect_timeout=1", "--run", "x")
	if status != scheme.CodeLocal.Exit() || !strings.Contains(errs, "the store of runs") {
		t.Errorf("status %d, %q", status, errs)
	}
}
