package main

import (
	"bufio"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// words are common English words; the first are the most frequent.
var words = strings.Fields(`the of and to a in is that it was for on are as with his they at be this from have or by one had not but
what all were when we there can an your which their said if do will each about how up out them then she many some so these would
other into has more her two like him see time could no make than first been its who now people my made over did down only way find
use may water long little very after words called just where most know get through back much before go good new write our used me
man too any day same right look think also around another came come work three word must because does part even place well such
here take why things help put years different away again off went old number great tell men say small every found still between
name should home big give air line set own under read last never us left end along while might next sound below saw something
thought both few those always looked show large often together asked house don't world going want school important until form food
keep children feet land side without boy once animals life enough took sometimes four head above kind began almost live page got
earth need far hand high year mother light parts country father let night following picture being study second eyes soon times
story boys since white days ever paper hard near sentence better best across during today others however sure means knew it's try
told young miles sun ways thing whole hear example heard several change answer room sea against top turned learn point city play
toward five using himself usually library catalogue protocol server message archive document network system machine access
directory telephone university laboratory information description development international`)

// writer writes prose with URLs. The same size and density give the same text.
type writer struct {
	w      *bufio.Writer
	random *rand.Rand
	column int
	width  int    // 0: no line breaks
	begin  string // of every line
}

func newWriter(w io.Writer, seed uint64, width int) *writer {
	return &writer{w: bufio.NewWriterSize(w, 256<<10), random: rand.New(rand.NewPCG(seed, 1738)), width: width}
}

// word returns a word; frequent words are likelier.
func (w *writer) word() string {
	f := w.random.Float64()
	return words[int(f*f*float64(len(words)))]
}

// url returns a URL. Web URLs are the most frequent, as in texts of today.
func (w *writer) url() string {
	host := w.word() + ".example.org"
	path := w.word() + "/" + w.word()
	n := strconv.Itoa(w.random.IntN(10_000))
	switch w.random.IntN(20) {
	case 0:
		return "ftp://ftp." + host + "/pub/" + path + ".txt"
	case 1:
		return "gopher://" + host + "/11/" + path
	case 2:
		return "mailto:" + w.word() + "@" + host
	case 3:
		return "news:comp." + w.word() + "." + w.word()
	case 4:
		return "nntp://news." + host + "/comp.lang.c/" + n
	case 5:
		return "telnet://" + host + ":" + n + "/"
	case 6:
		return "wais://" + host + "/" + w.word() + "?" + w.word()
	case 7:
		return "file:///usr/share/" + path
	case 8:
		return "prospero://" + host + "/" + path
	case 9, 10, 11, 12, 13:
		return "http://www." + host + "/" + path + ".html"
	}
	return "https://" + host + "/" + path + "?id=" + n + "&page=" + w.word()
}

// item writes a word or another item, with the blank or line break before it.
func (w *writer) item(s string) int {
	n := len(s) + 1
	switch {
	case w.column == 0 && w.width > 0:
		n--
		w.w.WriteString(w.begin)
		n += len(w.begin)
	case w.width > 0 && w.column+n > w.width:
		w.w.WriteByte('\n')
		w.w.WriteString(w.begin)
		w.column = 0
		n += len(w.begin)
	default:
		w.w.WriteByte(' ')
	}
	w.w.WriteString(s)
	w.column += n
	return n
}

// prose writes size bytes, at least, with a URL per every bytes. Without them, there is a colon per
// 400 bytes and a "<" per 3 KB, as in technical prose.
func (w *writer) prose(size, every int64) {
	next := every / 2
	for n := int64(0); n < size; {
		if n >= next {
			next += every
			switch u := w.url(); w.random.IntN(10) {
			case 0:
				n += int64(w.item("<URL:" + u + ">"))
			case 1:
				n += int64(w.item("<" + u + ">,"))
			case 2:
				n += int64(w.item("(" + u + ")"))
			case 3:
				n += int64(w.item(`"` + u + `"`))
			default:
				n += int64(w.item(u))
			}
			continue
		}
		s := w.word()
		switch n := w.random.IntN(600); {
		case n < 45:
			s += ","
		case n < 70:
			s += "."
		case n < 75:
			s += ":"
		case n == 75:
			s = "12:" + strconv.Itoa(w.random.IntN(50)+10)
		case n == 76:
			s = "std::" + s
		case n == 77:
			s = "<" + s + ">"
		case n < 82:
			s = "(" + s + ")"
		}
		n += int64(w.item(s))
	}
	if w.width > 0 {
		w.w.WriteByte('\n')
	}
}

// text writes prose of a size such as 100M or 1G.
func text(out io.Writer, size string, every int, newlines, log bool) error {
	n, err := bytesOf(size)
	if err != nil {
		return err
	}
	width := 76
	if !newlines {
		width = 0
	}
	w := newWriter(out, 1, width)
	if log {
		w.begin = "2026-01-02T15:04:05Z INFO main.go:42: "
	}
	w.prose(n, int64(max(every, 1)))
	return w.w.Flush()
}

// bytesOf reads a size.
func bytesOf(size string) (int64, error) {
	shift := 0
	digits := strings.TrimRight(size, "KMG")
	switch size[len(digits):] {
	case "":
	case "K":
		shift = 10
	case "M":
		shift = 20
	case "G":
		shift = 30
	default:
		return 0, fmt.Errorf("%q is no size", size)
	}
	n, err := strconv.ParseInt(digits, 10, 32)
	if err != nil || n < 0 {
		return 0, fmt.Errorf("%q is no size", size)
	}
	return n << shift, nil
}

// tree writes a folder of files: of ten files, seven are texts with a URL per 2 KB, one a text with
// a URL per 200 bytes, one binary, and one is excluded by .gitignore. A folder .git makes it a work
// tree.
func tree(folder, size string, files int) error {
	total, err := bytesOf(size)
	if err != nil {
		return err
	}
	if files < 1 {
		return fmt.Errorf("%d files", files)
	}
	if err := os.MkdirAll(filepath.Join(folder, ".git"), 0o755); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(folder, ".gitignore"), []byte("# made by bench/find\n*.log\n/skipped/\n!keep.log\n"), 0o644); err != nil {
		return err
	}
	each := total / int64(files)
	random := rand.New(rand.NewPCG(2, 1738))
	for i := range files {
		dir := filepath.Join(folder, fmt.Sprintf("d%02d", i%40), fmt.Sprintf("e%d", i/40%10))
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return err
		}
		name, every := fmt.Sprintf("f%05d.txt", i), int64(2048)
		switch i % 10 {
		case 7:
			every = 200
		case 8:
			name = fmt.Sprintf("f%05d.bin", i)
		case 9:
			name = fmt.Sprintf("f%05d.log", i)
		}
		f, err := os.Create(filepath.Join(dir, name))
		if err != nil {
			return err
		}
		w := newWriter(f, uint64(i), 76)
		n := each/2 + random.Int64N(each+1)
		if i%10 == 8 {
			w.w.Write(make([]byte, 16))
		}
		w.prose(n, every)
		if err := w.w.Flush(); err != nil {
			return err
		}
		if err := f.Close(); err != nil {
			return err
		}
	}
	return nil
}
