package waisserver

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// errSyntax is the error for words that are not a query.
var errSyntax = errors.New("query syntax error")

// query evaluates a query in a database. Words are joined by "or" unless "and", "or" or "not" is
// between them; "not" is "and not". A word with "*" at its end stands for all words with that
// begin, and words in quotes must all be there.
//
//	query = term { [ "and" | "or" | "not" ] term }
//	term  = word | word "*" | quote | "(" query ")"
//
// A word with "=", "<" or ">" after it is the name of a field.
type query struct {
	db    *Database
	left  []string
	depth int
	free  []scores // for reuse
	// words and prefixes have been searched for.
	words, prefixes int
}

// maxQuery bounds the parts of a query, and its words; maxPrefixes those with a "*", each of which
// is compared with all words of the index; and maxNested the parentheses within each other.
const (
	maxQuery    = 200
	maxPrefixes = 10
	maxNested   = 20
)

// search returns the documents that a query finds.
func (db *Database) search(words string) (scores, error) {
	q := &query{db: db, left: split(words)}
	found, err := scores(nil), errSyntax
	if len(q.left) > 0 && len(q.left) <= maxQuery {
		if found, err = q.query(); err == nil && len(q.left) > 0 {
			err = errSyntax
		}
	}
	if err == errSyntax {
		err = fmt.Errorf("%w: %s", errSyntax, excerpt(words))
	}
	return found, err
}

// split returns the parts of a query: parentheses, signs between a field and its value, quotes with
// their first quotation mark, and words.
func split(s string) (parts []string) {
	for s = strings.TrimLeft(s, " \t\r\n"); s != ""; s = strings.TrimLeft(s, " \t\r\n") {
		n := strings.IndexAny(s, " \t\r\n()\"=<>")
		switch {
		case n < 0:
			n = len(s)
		case n == 0 && s[0] == '"':
			text, rest, _ := strings.Cut(s[1:], `"`)
			parts, s = append(parts, `"`+text), rest
			continue
		case n == 0:
			n = 1
		}
		parts, s = append(parts, s[:n]), s[n:]
	}
	return parts
}

func (q *query) next() string {
	if len(q.left) == 0 {
		return ""
	}
	return q.left[0]
}

// scores returns scores without a document.
func (q *query) scores() scores {
	n := len(q.free)
	if n == 0 {
		return make(scores, len(q.db.docs))
	}
	s := q.free[n-1]
	q.free = q.free[:n-1]
	clear(s)
	return s
}

// operators join terms.
var operators = []string{"and", "or", "not"}

func (q *query) query() (scores, error) {
	found, err := q.term()
	for err == nil && len(q.left) > 0 && q.next() != ")" {
		op := strings.ToLower(q.next())
		if slices.Contains(operators, op) {
			q.left = q.left[1:]
		}
		var more scores
		if more, err = q.term(); err != nil {
			break
		}
		found.join(op, more)
		q.free = append(q.free, more)
	}
	return found, err
}

func (q *query) term() (scores, error) {
	word := q.next()
	switch {
	case word == "", word == ")", slices.Contains(operators, strings.ToLower(word)):
		return nil, errSyntax
	case word == "(":
		if q.depth++; q.depth > maxNested {
			return nil, errSyntax
		}
		q.left = q.left[1:]
		found, err := q.query()
		if err == nil && q.next() != ")" {
			err = errSyntax
		}
		if err == nil {
			q.left, q.depth = q.left[1:], q.depth-1
		}
		return found, err
	}
	q.left = q.left[1:]
	if strings.Contains("=<>", cmp.Or(q.next(), " ")) { // no database has fields
		return nil, errors.New("field unexists: " + excerpt(word) + "\n")
	}
	if !strings.ContainsFunc(word, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || r == unicode.ReplacementChar }) {
		return nil, errSyntax
	}
	text, literal := strings.CutPrefix(word, `"`)
	text, prefix := strings.CutSuffix(text, "*")
	found, first := q.scores(), true
	for w := range tokens(text) {
		if q.words++; prefix {
			q.prefixes++
		}
		if q.words > maxQuery || q.prefixes > maxPrefixes {
			return nil, errSyntax
		}
		if first || !literal {
			found.find(q.db, w, prefix)
			first = false
			continue
		}
		more := q.scores()
		more.find(q.db, w, prefix)
		found.join("and", more)
		q.free = append(q.free, more)
	}
	return found, nil
}
