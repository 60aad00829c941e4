package z3950

// DocumentID is a document-id that is made of elements, as those of all known servers. Only the
// server that issued it may depend on its parts.
type DocumentID []Element

// The elements of a document-id.
const (
	IDServer      Tag = 1 // original server; 4 is the distributor
	IDDatabase    Tag = 2 // 5
	IDLocal       Tag = 3 // 6
	IDDistributor Tag = 4
	IDCopyright   Tag = 7
)

// ParseDocumentID splits a document-id. ok is false if it is not a list of elements that encodes to
// the same bytes again.
func ParseDocumentID(s string) (id DocumentID, ok bool) {
	d := decoder{[]byte(s), "document-id"}
	err := d.each(func(tag Tag, value []byte) error {
		id = append(id, Element{tag, value})
		return nil
	})
	return id, err == nil && len(id) > 0 && id.String() == s
}

// String returns the bytes of the document-id.
func (id DocumentID) String() string {
	var b []byte
	for _, e := range id {
		b = appendElement(b, e.Tag, e.Value)
	}
	return string(b)
}

// Get returns the value of the distributor's element if there is one, else of the original one:
// IDServer, IDDatabase or IDLocal.
func (id DocumentID) Get(tag Tag) (value string, ok bool) {
	for _, e := range id {
		if e.Tag == tag+IDDistributor-IDServer || e.Tag == tag && !ok {
			value, ok = string(e.Value), true
		}
	}
	return value, ok
}
