package waisserver

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"

	"locator/internal/z3950"
	"locator/scheme/wais"
)

// File is a file of a database.
type File struct {
	Name     string // path in the database, with "/"
	Size     int64
	Modified time.Time // zero means unknown
	// Open opens the content, of Size bytes.
	Open func() (Content, error)
}

// Content is the content of a file.
type Content interface {
	io.ReaderAt
	io.Closer
}

// Database is a set of documents with an index of their words. It is not changed after NewDatabase.
type Database struct {
	Name        string
	Description string
	Maintainer  string

	docs  []*document
	names map[string]*document // by the name of each of its files
	index index
	// extra are the description (.src) and the catalogue (.cat).
	extra [2]*document
}

// document is a document in one or more formats.
type document struct {
	files    []File // by format
	types    []string
	headline string
	lines    int
	words    int // indexed
}

// Bounds of indexing.
const (
	maxIndexed  = 1 << 20 // bytes of a document that are indexed
	maxHeadline = 100     // bytes
	maxIndex    = 2 << 30 // bytes of memory for the index, estimated
)

// NewDatabase returns a database of files. Files whose names differ in the suffix only are formats
// of one document, if one of them is a text. Every document is also found by the words of its name
// and by those of the name of the database.
func NewDatabase(name string, files []File) (*Database, error) {
	var failed []error
	db, err := newDatabase(name, files, func(err error) { failed = append(failed, err) })
	if err = errors.Join(append(failed, err)...); err != nil {
		return nil, err
	}
	return db, nil
}

// newDatabase is NewDatabase. It calls unread with the error for each file that cannot be read, and
// indexes its name alone.
func newDatabase(name string, files []File, unread func(error)) (*Database, error) {
	db := &Database{Name: name, Description: "The files of " + name + ".", names: make(map[string]*document), index: newIndex()}
	files = slices.Clone(files)
	slices.SortStableFunc(files, func(a, b File) int { return strings.Compare(a.Name, b.Name) })
	texts := make(map[string]*document) // by the name without suffix
	for _, f := range files {
		if typeOf(f.Name) == "TEXT" && path.Ext(f.Name) != "" {
			d := &document{}
			texts[stem(f.Name)] = d
			d.add(f)
			db.docs = append(db.docs, d)
		}
	}
	for _, f := range files {
		d := texts[stem(f.Name)]
		if d == nil {
			d = &document{}
			db.docs = append(db.docs, d)
		}
		if !slices.ContainsFunc(d.files, func(g File) bool { return g.Name == f.Name }) {
			d.add(f)
		}
	}
	for i, d := range db.docs {
		if err := db.scan(i, d); err != nil {
			if _, named := errors.AsType[*fs.PathError](err); !named {
				err = &fs.PathError{Op: "read", Path: d.files[0].Name, Err: err}
			}
			unread(err)
		}
		if db.index.size > maxIndex {
			return nil, fmt.Errorf("waisserver: the index of these files needs more than %d GiB", maxIndex>>30)
		}
		for _, f := range d.files {
			db.names[f.Name] = d
		}
	}
	return db, nil
}

func (d *document) add(f File) {
	d.files, d.types = append(d.files, f), append(d.types, typeOf(f.Name))
}

func stem(name string) string { return strings.TrimSuffix(name, path.Ext(name)) }

// suffixes is the table of formats by suffix.
var suffixes = map[string]string{
	".txt": "TEXT", ".text": "TEXT", "": "TEXT", ".md": "TEXT", ".html": "HTML", ".htm": "HTML", ".gif": "GIF", ".jpg": "JPEG", ".jpeg": "JPEG",
	".tif": "TIFF", ".tiff": "TIFF", ".ps": "PS", ".pdf": "PDF", ".dvi": "DVI", ".src": "WSRC",
}

// typeOf returns the format of a file: that of its suffix, else the suffix itself.
func typeOf(name string) string {
	suffix := strings.ToLower(path.Ext(name))
	if t := suffixes[suffix]; t != "" {
		return t
	}
	return strings.ToUpper(suffix[1:])
}

// scan reads the begin of a document and indexes it. It returns the error of reading.
func (db *Database) scan(n int, d *document) error {
	f := d.files[0]
	text, failed := f.read(0, maxIndexed)
	d.headline = path.Base(f.Name)
	words := []string{f.Name, db.Name}
	if isText := bytes.IndexByte(text, 0) < 0; isText {
		words = append(words, string(text))
		d.lines = countLines(text)
		if title := headline(d.types[0], text); title != "" {
			d.headline = title
		}
	}
	for _, s := range words {
		for w := range tokens(s) {
			db.index.add(w, n)
			d.words++
		}
	}
	return failed
}

// countLines counts the lines of a text, of which the last may have no end.
func countLines(text []byte) int {
	n := bytes.Count(text, []byte("\n"))
	if len(text) > 0 && text[len(text)-1] != '\n' {
		n++
	}
	return n
}

// headline returns the first line of a text, or of a URL, that is not empty. The name of any other
// file is its headline.
func headline(typ string, text []byte) string {
	if typ != "TEXT" && typ != "URL" {
		return ""
	}
	for line := range bytes.Lines(text[:min(len(text), 10*maxHeadline)]) {
		if s := strings.TrimSpace(string(line)); s != "" {
			return s[:min(len(s), maxHeadline)]
		}
	}
	return ""
}

// read returns the bytes from start to before end, or to the end of the file.
func (f File) read(start, end int64) ([]byte, error) {
	c, err := f.Open()
	if err != nil {
		return nil, err
	}
	defer c.Close()
	return f.appendFrom(nil, c, start, end)
}

// appendFrom appends the bytes of the opened file from start to before end. If the file has become
// shorter, they are fewer.
func (f File) appendFrom(b []byte, c Content, start, end int64) ([]byte, error) {
	n := int(min(end, f.Size) - start)
	if n <= 0 {
		return b, nil
	}
	b = slices.Grow(b, n)
	n, err := c.ReadAt(b[len(b):len(b)+n], start)
	if err == io.EOF {
		err = nil
	}
	return b[:len(b)+n], err
}

// Memory returns a file in memory.
func Memory(name, content string, modified time.Time) File {
	return File{Name: name, Size: int64(len(content)), Modified: modified, Open: func() (Content, error) { return inMemory{strings.NewReader(content)}, nil }}
}

type inMemory struct{ io.ReaderAt }

func (inMemory) Close() error { return nil }

// describe makes the description and the catalogue of the database.
func (db *Database) describe() {
	src := wais.Source{Database: db.Name, Maintainer: db.Maintainer, Description: db.Description}.String()
	var cat strings.Builder
	fmt.Fprintf(&cat, "Catalog for database: %s\nTotal number of documents: %d\n", db.Name, len(db.docs))
	for _, d := range db.docs {
		fmt.Fprintf(&cat, "\nHeadline: %s\nDocID: %s\n", d.headline, localID(d.files[0]))
	}
	for i, f := range []File{Memory(db.Name+".src", src, time.Time{}), Memory(db.Name+".cat", cat.String(), time.Time{})} {
		d := &document{files: []File{f}, types: []string{"WSRC"}, headline: "Information on database: " + db.Name}
		if i == 1 {
			d.types, d.headline = []string{"TEXT"}, "Catalog for database: "+db.Name
		}
		text, _ := f.read(0, f.Size) // in memory
		d.lines = countLines(text)
		db.extra[i] = d
	}
}

// localID is the part of a document-id that names a file: its first byte, the one after its last,
// and its name.
func localID(f File) string { return fmt.Sprintf("0 %d %s", f.Size, f.Name) }

// documentID returns the document-id of a local one, in the form of freeWAIS.
func (db *Database) documentID(server, local string) string {
	e := func(tag z3950.Tag, value string) z3950.Element { return z3950.Element{Tag: tag, Value: []byte(value)} }
	return z3950.DocumentID{e(1, server), e(2, db.Name), e(3, local), e(4, server), e(5, db.Name), e(6, local), e(7, "\x00")}.String()
}

// Document returns the document-id and the format of a file of a database. If there is no such
// file, no request for the document-id finds one.
func (h *Handler) Document(database, name string) (id, format string) {
	local, format := "0 0 "+name, "TEXT"
	db := h.databases[database]
	if db == nil {
		db = &Database{Name: database}
	}
	if d := db.names[name]; d != nil {
		i := slices.IndexFunc(d.files, func(f File) bool { return f.Name == name })
		local, format = localID(d.files[0]), d.types[i]
	}
	return db.documentID(h.name, local), format
}

// file returns the file that a document-id names, in a format if the document has it. ok is false
// if the database has no such file.
func (db *Database) file(id, typ string) (f File, ok bool) {
	fields, _ := z3950.ParseDocumentID(id)
	local, _ := fields.Get(z3950.IDLocal)
	parts := strings.SplitN(local, " ", 3)
	if len(parts) < 3 {
		return File{}, false
	}
	for _, d := range db.extra {
		if d.files[0].Name == parts[2] {
			return d.files[0], true
		}
	}
	d := db.names[parts[2]]
	if d == nil {
		return File{}, false
	}
	if i := slices.IndexFunc(d.types, func(t string) bool { return strings.EqualFold(t, typ) }); i >= 0 {
		return d.files[i], true
	}
	i := slices.IndexFunc(d.files, func(f File) bool { return f.Name == parts[2] })
	return d.files[i], true
}
