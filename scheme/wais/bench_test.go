package wais_test

import (
	"bytes"
	"io"
	"net"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"locator"
	"locator/scheme"
	"locator/scheme/wais/waisserver"
)

// benchSize is the size of the document, and benchPiece that of most of its pieces.
const (
	benchSize  = 50 << 20
	benchPiece = 80_000
)

// maxRatio is how much longer a document may take than plain TCP.
const maxRatio = 2

// BenchmarkDocument reads a document of 50 MB from a file on a server, most of it in pieces of
// benchPiece bytes. After each time it copies the file over plain TCP, in pieces of the same size.
// It reports how much longer the document takes, the median of all times, and fails if that is more
// than maxRatio.
func BenchmarkDocument(b *testing.B) {
	dir := b.TempDir()
	name := filepath.Join(dir, "big.bin")
	if err := os.WriteFile(name, bytes.Repeat([]byte("0123456789abcdef"), benchSize/16), 0o666); err != nil {
		b.Fatal(err)
	}
	s, err := waisserver.Start("db", dir, waisserver.Options{Addr: "127.0.0.1:0"})
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	c := newClient(b)
	entries, err := list(b, c, locator.MustParse(s.URL().Text()+"?big"), scheme.ListOptions{})
	if err != nil || len(entries) != 1 {
		b.Fatal(names(entries), err)
	}
	plain := newPlainTCP(b, name)
	var ratios []float64
	b.SetBytes(benchSize)
	for b.Loop() {
		begin := time.Now()
		res, err := c.Access(b.Context(), scheme.Request{URL: entries[0].URL}, nil)
		if err != nil {
			b.Fatal(err)
		}
		n, err := io.Copy(io.Discard, res.Body)
		res.Close()
		if n != benchSize || err != nil {
			b.Fatal(n, err)
		}
		took := time.Since(begin)

		b.StopTimer()
		begin = time.Now()
		plain.copy(b)
		ratios = append(ratios, float64(took)/float64(time.Since(begin)))
		b.StartTimer()
	}
	slices.Sort(ratios)
	median := ratios[len(ratios)/2]
	b.ReportMetric(median, "times-TCP")
	if len(ratios) >= 20 && median > maxRatio {
		b.Errorf("a document takes %.2f times as long as plain TCP, more than %d", median, maxRatio)
	}
}

// plainTCP is a connection to a server that sends the next benchPiece bytes of a file for each
// request.
type plainTCP struct {
	conn           net.Conn
	request, piece []byte
}

func newPlainTCP(b *testing.B, name string) *plainTCP {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	p := &plainTCP{request: make([]byte, 300), piece: make([]byte, benchPiece)}
	go func() {
		defer l.Close()
		conn, err := l.Accept()
		if err != nil {
			return
		}
		defer conn.Close()
		f, err := os.Open(name)
		if err != nil {
			return
		}
		defer f.Close()
		request, piece := make([]byte, len(p.request)), make([]byte, benchPiece)
		for at := int64(0); ; {
			if _, err := io.ReadFull(conn, request); err != nil {
				return
			}
			n, err := f.ReadAt(piece, at)
			if at += int64(n); at >= benchSize {
				at = 0
			} else if err != nil {
				return
			}
			if _, err := conn.Write(piece[:n]); err != nil {
				return
			}
		}
	}()
	if p.conn, err = net.Dial("tcp", l.Addr().String()); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { p.conn.Close() })
	return p
}

// copy reads the file.
func (p *plainTCP) copy(b *testing.B) {
	for at := 0; at < benchSize; at += benchPiece {
		if _, err := p.conn.Write(p.request); err != nil {
			b.Fatal(err)
		}
		if _, err := io.ReadFull(p.conn, p.piece[:min(benchPiece, benchSize-at)]); err != nil {
			b.Fatal(err)
		}
	}
}
