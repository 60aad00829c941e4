package z3950

import (
	"fmt"
	"strings"
)

// The String methods return one line for a trace. Text in it is as received: the caller must escape
// it.

// String returns the request as a line.
func (m *Init) String() string { return "INIT size " + m.RecordSize.String() }

// String returns the response as a line.
func (m *InitResponse) String() string {
	result := "refused"
	if m.Accepted {
		result = "accepted"
	}
	return fmt.Sprintf("INIT-RESPONSE %s, size %v, \"%s\"", result, m.RecordSize, strings.TrimSpace(m.Implementation+" "+m.Name+" "+m.Version))
}

// String returns the request as a line.
func (m *Search) String() string {
	line := fmt.Sprintf("SEARCH \"%s\"", m.Database)
	if w := m.Words; w != nil {
		line += fmt.Sprintf(" for \"%s\"", w.Seeds)
		for _, f := range w.Like {
			line += fmt.Sprintf(" like \"%s\"", f.ID)
		}
		return line + ", at most " + w.Max.String()
	}
	r, ok := m.Retrieval()
	switch {
	case !ok:
		return line + " by an unknown query of type " + m.QueryType
	case !r.Range:
		return line + fmt.Sprintf(" %s \"%s\"", r.Type, r.ID)
	case r.Lines:
		return line + fmt.Sprintf(" %s \"%s\" lines %d-%d", r.Type, r.ID, r.Start, r.End)
	}
	return line + fmt.Sprintf(" %s \"%s\" bytes %d-%d", r.Type, r.ID, r.Start, r.End)
}

// String returns the type of the request.
func (m *Unknown) String() string { return fmt.Sprintf("APDU of type %d", m.Type) }

// String returns the begin of the response as a line.
func (m *SearchResponse) String() string {
	return fmt.Sprintf("SEARCH-RESPONSE status %d, %d records", m.Status, m.Returned)
}

// String returns the diagnostic as a line.
func (r *Diagnostic) String() string { return fmt.Sprintf("%s \"%s\"", r.Code, r.Text) }
