package gophertest

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"slices"
	"strconv"
	"strings"

	"locator"
	"locator/schemetest/peer"
)

// Person is an entry of a phone book: its fields in order. Lines of a value are separated by LF.
type Person []PersonField

// PersonField is a field of a Person.
type PersonField struct{ Name, Value string }

// Phonebook is a CSO name server (RFC 2378). It supports query, siteinfo, fields, status, id, set and quit, and its entries
// do not change.
type Phonebook struct {
	*peer.Host
	people []Person
}

// manyPeople is how many entries a query may match.
const manyPeople = 25

// People returns a small phone book.
func People() []Person {
	return []Person{
		{{"alias", "a-turing"}, {"name", "Turing Alan"}, {"email", "alan@host.invalid"}, {"phone", "+44 1"}, {"address", "Bletchley Park\nHut 8"}},
		{{"alias", "g-hopper"}, {"name", "Hopper Grace"}, {"email", "grace@host.invalid"}, {"phone", "+1 2"}, {"department", "Computation Laboratory"}},
		{{"alias", "g-hopper2"}, {"name", "Hopper Gr\u00e9goire"}, {"email", "gregoire@host.invalid"}},
	}
}

// StartPhonebook serves entries on a free port of 127.0.0.1. The caller must Close the Phonebook.
func StartPhonebook(people []Person) (*Phonebook, error) {
	h, err := peer.Listen()
	if err != nil {
		return nil, err
	}
	b := &Phonebook{Host: h, people: people}
	b.Serve(b.converse)
	return b, nil
}

// URL returns the URL of a type 2 item; with words it is a query.
func (b *Phonebook) URL(words ...string) locator.URL {
	name, port, _ := net.SplitHostPort(b.Addr())
	v := &locator.Gopher{Hostport: locator.Hostport{Host: name, Port: port}, Type: locator.Some("2"), Selector: locator.Some("")}
	if len(words) > 0 {
		v.Search = locator.Some(strings.Join(words, " "))
	}
	u, err := locator.Build(v)
	if err != nil {
		return locator.URL{}
	}
	return u
}

func (b *Phonebook) converse(c net.Conn) {
	in := bufio.NewReader(c)
	for {
		line, err := readLine(in)
		if err != nil {
			return
		}
		b.Seen(line)
		reply, more := b.answer(strings.Fields(line))
		if _, err := io.WriteString(c, reply); err != nil || !more {
			return
		}
	}
}

// answer returns the reply to a command. more is false for the last command.
func (b *Phonebook) answer(words []string) (reply string, more bool) {
	if len(words) == 0 {
		return "599:Syntax error.\r\n", true
	}
	switch words[0] {
	case "query", "ph":
		return b.query(words[1:]), true
	case "siteinfo":
		return "-200:1:maildomain:host.invalid\r\n-200:2:mailfield:alias\r\n-200:3:administrator:keeper@host.invalid\r\n200:Ok.\r\n", true
	case "fields":
		var out strings.Builder
		for i, name := range b.fields() {
			fmt.Fprintf(&out, "-200:%d:%s:max 64 Indexed Lookup Public Default\r\n-200:%d:%s:The %s of a person.\r\n", i+1, name, i+1, name, name)
		}
		return out.String() + "200:Ok.\r\n", true
	case "status":
		return "200:Database ready.\r\n", true
	case "id", "set":
		return "200:Done.\r\n", true
	case "quit", "stop", "exit":
		return "200:Bye!\r\n", false
	}
	return "598:Command unknown.\r\n", true
}

// fields returns the names of all fields.
func (b *Phonebook) fields() []string {
	var names []string
	for _, p := range b.people {
		for _, f := range p {
			if !slices.Contains(names, f.Name) {
				names = append(names, f.Name)
			}
		}
	}
	return names
}

// query answers "[field=]value ... [return field ...]". A value matches a field if a word of the field begins with it.
func (b *Phonebook) query(words []string) string {
	wanted := []string{"all"}
	if i := slices.Index(words, "return"); i >= 0 {
		words, wanted = words[:i], words[i+1:]
	}
	if len(words) == 0 {
		return "599:Syntax error.\r\n"
	}
	for _, w := range slices.Concat(words, wanted) {
		name, _, ok := strings.Cut(w, "=")
		if (ok || slices.Contains(wanted, w)) && name != "all" && !slices.Contains(b.fields(), name) {
			return "507:Field " + strconv.Quote(name) + " does not exist.\r\n"
		}
	}
	var found []Person
	for _, p := range b.people {
		if p.fits(words) {
			found = append(found, p)
		}
	}
	switch {
	case len(found) == 0:
		return "501:No matches to your query.\r\n"
	case len(found) > manyPeople:
		return "502:Too many matches to request.\r\n"
	}
	var out strings.Builder
	fmt.Fprintf(&out, "102:There was %d match to your request.\r\n", len(found))
	for i, p := range found {
		p.write(&out, i+1, wanted)
	}
	return out.String() + "200:Ok.\r\n"
}

func (p Person) fits(words []string) bool {
	for _, w := range words {
		name, value, ok := strings.Cut(w, "=")
		if !ok {
			name, value = "name", w
		}
		if !slices.ContainsFunc(p, func(f PersonField) bool {
			return f.Name == name && slices.ContainsFunc(strings.Fields(f.Value), func(word string) bool {
				return strings.HasPrefix(strings.ToLower(word), strings.ToLower(value))
			})
		}) {
			return false
		}
	}
	return true
}

// write writes the requested fields of an entry, with aligned names as name servers send them.
func (p Person) write(out *strings.Builder, index int, wanted []string) {
	for _, name := range wanted {
		if name != "all" && !slices.ContainsFunc(p, func(f PersonField) bool { return f.Name == name }) {
			fmt.Fprintf(out, "-508:%d:%14s: Not present in entry.\r\n", index, name)
		}
	}
	for _, f := range p {
		if !slices.Contains(wanted, "all") && !slices.Contains(wanted, f.Name) {
			continue
		}
		name := f.Name
		for line := range strings.SplitSeq(f.Value, "\n") {
			fmt.Fprintf(out, "-200:%d:%14s: %s\r\n", index, name, line)
			name = ""
		}
	}
}
