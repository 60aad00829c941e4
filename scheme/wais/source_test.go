package wais

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"locator"
)

// Covers: T110
func TestParseSource(t *testing.T) {
	t.Parallel()
	const text = `
(:source
   :version  3
   :ip-address "134.2.62.1"
   :IP-name "ftp.example.org"
   :tcp-port 8001
   :database-name "/srv/wais/a b.src"
   :cost 0.00
   :cost-unit :free
   :maintainer "jane@example.org"
   :keyword-list (birds ("of" prey) #(1 2))
   :stuff #( :x "a)b" )
   :description "Server created with WAIS
A \"quoted\" word and a \\.
"
)
trailing`
	s, err := ParseSource(text)
	if err != nil || s.Host != "ftp.example.org" || s.Port != 8001 || s.Database != "/srv/wais/a b.src" || s.Maintainer != "jane@example.org" ||
		s.Description != "Server created with WAIS\nA \"quoted\" word and a \\." || len(s.Fields) != 11 {
		t.Fatalf("%+v, %v", s, err)
	}
	if f := s.Fields[8]; f != (SourceField{Name: "keyword-list", Value: `(birds ("of" prey) #(1 2))`}) {
		t.Errorf("%+v", f)
	}
	if u, err := s.URL(locator.Hostport{Host: "other"}); err != nil || u.Text() != "wais://ftp.example.org:8001/%2Fsrv%2Fwais%2Fa%20b" {
		t.Errorf("%s, %v", u, err)
	}
	if u, err := (Source{Database: "db"}).URL(locator.Hostport{Host: "other", Port: "1"}); err != nil || u.Text() != "wais://other:1/db" {
		t.Errorf("%s, %v", u, err)
	}
	if u, err := (Source{Host: "::1", Database: "db", Port: 210}).URL(locator.Hostport{}); err != nil || u.Text() != "wais://[::1]/db" {
		t.Errorf("%s, %v", u, err)
	}
	again, err := ParseSource(s.String())
	s.Fields, again.Fields = nil, nil
	if err != nil || !reflect.DeepEqual(again, s) {
		t.Errorf("%+v, %v\nwant %+v", again, err, s)
	}
	if s, err := ParseSource(`(:source :ip-name "a" :ip-address "1.2.3.4")`); err != nil || s.Host != "a" {
		t.Errorf("%+v, %v", s, err)
	}
	deep := "(:source :x " + strings.Repeat("(", maxDepth+1)
	many := "(:source " + strings.Repeat(":x 1 ", maxFields+1) + ")"
	for _, bad := range []string{"", "x", "(", "(:sauce)", "(:source", "(:source :a", "(:source :a)", "(:source a 1)", `(:source :a "x`, `(:source :a "x\`, "(:source :a (b", `(:source :a (")`,
		"(:source :tcp-port x)", "(:source :tcp-port 70000)", "(:source : 1)", deep, many} {
		s, err := ParseSource(bad)
		if _, ok := errors.AsType[*SourceError](err); !ok {
			t.Errorf("%.40q: %+v, %v", bad, s, err)
		}
	}
}

// FuzzSource checks that what is parsed can be written and parsed again.
//
// Covers: P6, T110
func FuzzSource(f *testing.F) {
	f.Add(`(:source :version 3 :ip-name "h" :tcp-port 210 :database-name "d" :keyword-list (a "b)" #(1)) :description "x\"\\y")`)
	f.Add("(:source :a #(")
	f.Fuzz(func(t *testing.T, text string) {
		s, err := ParseSource(text)
		if err != nil {
			if _, ok := errors.AsType[*SourceError](err); !ok {
				t.Fatalf("the error is a %T", err)
			}
			return
		}
		again, err := ParseSource(s.String())
		s.Fields, again.Fields = nil, nil
		if err != nil || !reflect.DeepEqual(again, s) {
			t.Fatalf("%+v, %v\nwant %+v", again, err, s)
		}
	})
}

// FuzzDocumentURL checks that a document-id survives both forms of URL.
//
// Covers: S14
func FuzzDocumentURL(f *testing.F) {
	f.Add("db", "TEXT", "\x01\x01h\x03\x050 4 a\x07\x01\x00", int64(4))
	f.Add("a/b;c", "PS", "opaque /;=?\x00\xff", int64(0))
	f.Fuzz(func(t *testing.T, database, typ, id string, size int64) {
		p := &place{host: locator.Hostport{Host: "h"}, database: database}
		if id == "" || typ == "" || strings.Contains(typ, ",") || strings.ToUpper(typ) != typ {
			return
		}
		u, err := p.documentURL(typ, id)
		if err != nil {
			t.Fatal(err)
		}
		for _, u := range []locator.URL{u, p.plainURL(typ, id, size)} {
			if u.IsZero() {
				continue
			}
			again, err := locator.Current.Parse(u.Text())
			if err != nil {
				t.Fatalf("%s: %v", u, err)
			}
			q, err := newPlace(again)
			if err != nil || q.id != id || q.database != database || q.typ != typ {
				t.Fatalf("%s: %+v, %v", u, q, err)
			}
		}
	})
}
