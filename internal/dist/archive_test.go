package main

import (
	"archive/zip"
	"bytes"
	"io"
	"testing"
	"time"
)

func TestZip(t *testing.T) {
	t.Parallel()
	date := time.Unix(1798855200, 0).UTC()
	var one bytes.Buffer
	for i := range 2 {
		var b bytes.Buffer
		a, err := newArchive(&b, "x.zip", date)
		if err != nil {
			t.Fatal(err)
		}
		if err := a.add("x/locator.exe", 0o755, []byte("program")); err != nil {
			t.Fatal(err)
		}
		if err := a.Close(); err != nil {
			t.Fatal(err)
		}
		if i == 0 {
			one = b
		} else if !bytes.Equal(one.Bytes(), b.Bytes()) {
			t.Error("the second archive has other bytes")
		}
	}
	r, err := zip.NewReader(bytes.NewReader(one.Bytes()), int64(one.Len()))
	if err != nil {
		t.Fatal(err)
	}
	f := r.File[0]
	c, err := f.Open()
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(c)
	if err != nil || string(data) != "program" || f.Name != "x/locator.exe" || f.Mode() != 0o755 || !f.Modified.Equal(date) {
		t.Errorf("%q, %v: %s, %v, %v", data, err, f.Name, f.Mode(), f.Modified)
	}
}
