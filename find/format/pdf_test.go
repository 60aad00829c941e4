package format_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"locator/find/format"
	"locator/internal/leaks"
	"locator/internal/peers"
)

// TestMain is the command that prints the text of a PDF file, if the environment says so.
func TestMain(m *testing.M) {
	switch mode := os.Getenv("FORMAT_TEST_PDF"); mode {
	case "":
		os.Exit(leaks.Guard{M: m}.Run())
	case "text":
		fmt.Print("one http://host/a\n\ftwo\n<URL:http://host/b\n c>\n")
	case "fail":
		fmt.Print("http://host/a\n")
		fmt.Fprintln(os.Stderr, "\ndamaged\nand", strings.Repeat("x", 1<<20))
		os.Exit(3)
	case "start": // a program that hangs
		self, _ := os.Executable()
		c := exec.Command(self)
		c.Env, c.Stdout = append(os.Environ(), "FORMAT_TEST_PDF=hang"), os.Stdout
		fmt.Print(c.Run())
	case "apart", "apart, with messages": // a program that leaves the command's group
		self, _ := os.Executable()
		c := exec.Command(self)
		if mode != "apart" {
			c.Stderr = os.Stderr
		}
		c.Env, c.Stdout = append(os.Environ(), "FORMAT_TEST_PDF=hang"), os.Stdout
		leaveGroup(c)
		fmt.Print(c.Run())
	case "hang":
		fmt.Print("http://host/a\n")
		if conn, err := net.Dial("tcp", os.Getenv("FORMAT_TEST_SERVER")); err == nil {
			conn.Read(make([]byte, 1)) // until the test closes it
			break
		}
		time.Sleep(time.Minute)
	case "endless":
		for err := error(nil); err == nil; {
			_, err = fmt.Print("http://host/a\n")
		}
	}
	os.Exit(0)
}

// readPDF reads with the test as the command.
func readPDF(t *testing.T, ctx context.Context, mode string, stop bool) (found []string, err error) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("FORMAT_TEST_PDF", mode)
	for u, err := range format.Lookup("pdf").Read(ctx, strings.NewReader("%PDF-1.4"), format.Options{PDF: []string{self}}) {
		if err != nil {
			return found, err
		}
		found = append(found, fmt.Sprintln(u.Form, u.URL, u.Offset, u.Length, u.Line, u.Column, u.Position, u.Page))
		if stop {
			break
		}
	}
	return found, nil
}

// Covers: F5
func TestPDF(t *testing.T) {
	found, err := readPDF(t, t.Context(), "text", false)
	if got, want := strings.Join(found, ""), "bare http://host/a 4 13 1 5 extracted 1\nwrapped http://host/bc 23 22 3 1 extracted 2\n"; got != want || err != nil {
		t.Errorf("found %q, %v, want %q", got, err, want)
	}
	found, err = readPDF(t, t.Context(), "fail", false)
	if len(found) != 1 || err == nil || !strings.HasSuffix(err.Error(), ": exit status 3: damaged") {
		t.Errorf("a command that fails: %q, %v", found, err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond)
	defer cancel()
	start := time.Now()
	if found, err = readPDF(t, ctx, "hang", false); !errors.Is(err, context.DeadlineExceeded) || time.Since(start) > 20*time.Second {
		t.Errorf("a command that hangs: %q, %v", found, err)
	}
	ctx, cancel = context.WithTimeout(t.Context(), 2*time.Second)
	defer cancel()
	start = time.Now()
	if found, err = readPDF(t, ctx, "start", false); len(found) != 1 || !errors.Is(err, context.DeadlineExceeded) || time.Since(start) > 20*time.Second {
		t.Errorf("a command that starts one that hangs: %q, %v after %v", found, err, time.Since(start))
	}
	start = time.Now()
	if found, err = readPDF(t, t.Context(), "text", true); len(found) != 1 || err != nil || time.Since(start) > 20*time.Second {
		t.Errorf("a loop that ends early: %q, %v", found, err)
	}
	ctx, cancel = context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	if found, err = readPDF(t, ctx, "endless", true); len(found) != 1 || err != nil || ctx.Err() != nil {
		t.Errorf("a loop that ends before the command: %q, %v, %v", found, err, ctx.Err())
	}
	for _, err := range format.Lookup("pdf").Read(t.Context(), strings.NewReader(""), format.Options{PDF: []string{"no-such-command-1738"}}) {
		if err == nil || !strings.HasPrefix(err.Error(), "no-such-command-1738, which should read PDF files, is not installed: ") {
			t.Errorf("a command that is missing: %v", err)
		}
	}
	failure := errors.New("the disk fails")
	self, _ := os.Executable()
	for _, mode := range []string{"text", "fail"} { // a command may fail because its input is cut
		t.Setenv("FORMAT_TEST_PDF", mode)
		var last error
		for _, err := range format.Lookup("pdf").Read(t.Context(), iotest.ErrReader(failure), format.Options{PDF: []string{self}}) {
			last = err
		}
		if !errors.Is(last, failure) {
			t.Errorf("a reader that fails, %s: %v", mode, last)
		}
	}
}

// Covers: F5
func TestPdftotext(t *testing.T) {
	if _, err := exec.LookPath("pdftotext"); err != nil {
		peers.Skip(t, "pdftotext is not installed")
	}
	if found, err := findPDF(t, pdfFile); err != nil || found != "wrapped http://host/a 1, bare http://host/b 1" {
		t.Errorf("found %q, %v", found, err)
	}
	if found, err := findPDF(t, "%PDF-1.4\nno PDF"); err == nil || found != "" || !strings.Contains(err.Error(), "pdftotext: exit status 1: Syntax Error") {
		t.Errorf("a damaged file: found %q, %v", found, err)
	}
}

// Links that are not in the text are found by Poppler's other program.
//
// Covers: F5
func TestPdfinfo(t *testing.T) {
	if _, err := exec.LookPath("pdfinfo"); err != nil {
		peers.Skip(t, "pdfinfo is not installed")
	}
	if found, err := findPDF(t, pdfFile, "pdfinfo", "-url", "-"); err != nil || found != "bare http://host/link 1" {
		t.Errorf("found %q, %v", found, err)
	}
}

// pdfFile is a PDF file with two URLs in its text and one in a link.
var pdfFile = func() string {
	stream := "BT /F1 12 Tf 72 720 Td (See <URL:http://host/a> and http://host/b.) Tj ET"
	return "%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n" +
		"3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R/Annots[6 0 R]/Resources<</Font<</F1 5 0 R>>>>>>endobj\n" +
		fmt.Sprintf("4 0 obj<</Length %d>>stream\n%s\nendstream endobj\n", len(stream), stream) +
		"5 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>endobj\n" +
		"6 0 obj<</Type/Annot/Subtype/Link/Rect[72 700 200 730]/A<</S/URI/URI(http://host/link)>>>>endobj\ntrailer<</Root 1 0 R>>\n"
}()

// findPDF returns the finds in a PDF file.
func findPDF(t *testing.T, pdf string, command ...string) (string, error) {
	t.Helper()
	var found []string
	for u, err := range format.Lookup("pdf").Read(t.Context(), strings.NewReader(pdf), format.Options{PDF: command}) {
		if err != nil {
			return strings.Join(found, ", "), err
		}
		found = append(found, fmt.Sprint(u.Form, " ", u.URL, " ", u.Page))
	}
	return strings.Join(found, ", "), nil
}
