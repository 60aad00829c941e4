package wais_test

import (
	"bytes"
	"io"
	"net"
	"strings"
	"testing"

	"locator/scheme"
	"locator/scheme/wais/waistest"
)

// benchSize is the size of the document, and benchPiece that of most of its pieces.
const (
	benchSize  = 50 << 20
	benchPiece = 80_000
)

// BenchmarkDocument reads a document of 50 MB, most of it in pieces of benchPiece bytes.
func BenchmarkDocument(b *testing.B) {
	content := strings.Repeat("0123456789abcdef", benchSize/16)
	s, c := start(b, []waistest.File{file("big.bin", content)}), newClient(b)
	entries, err := list(b, c, s.SearchURL("db", "big"), scheme.ListOptions{})
	if err != nil || len(entries) != 1 {
		b.Fatal(names(entries), err)
	}
	b.SetBytes(benchSize)
	for b.Loop() {
		res, err := c.Access(b.Context(), scheme.Request{URL: entries[0].URL}, nil)
		if err != nil {
			b.Fatal(err)
		}
		n, err := io.Copy(io.Discard, res.Body)
		res.Close()
		if n != benchSize || err != nil {
			b.Fatal(n, err)
		}
	}
}

// BenchmarkTCP copies a document of the same size over plain TCP, in pieces of the same size that are requested one by one.
func BenchmarkTCP(b *testing.B) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	defer l.Close()
	go func() {
		conn, err := l.Accept()
		if err != nil {
			return
		}
		defer conn.Close()
		request, content := make([]byte, 300), bytes.Repeat([]byte("x"), benchSize+benchPiece)
		for n := 0; ; n = (n + benchPiece) % benchSize {
			if _, err := io.ReadFull(conn, request); err != nil {
				return
			}
			if _, err := conn.Write(content[n : n+benchPiece]); err != nil {
				return
			}
		}
	}()
	conn, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		b.Fatal(err)
	}
	defer conn.Close()
	request, piece := bytes.Repeat([]byte("x"), 300), make([]byte, benchPiece)
	b.SetBytes(benchSize)
	for b.Loop() {
		for n := 0; n < benchSize; n += benchPiece { // a few more bytes
			if _, err := conn.Write(request); err != nil {
				b.Fatal(err)
			}
			if _, err := io.ReadFull(conn, piece); err != nil {
				b.Fatal(err)
			}
			if _, err := io.Discard.Write(piece); err != nil {
				b.Fatal(err)
			}
		}
	}
}
