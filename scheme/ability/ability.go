// Package ability reports which operations a scheme has.
package ability

import (
	"strings"

	"locator/scheme"
	"locator/scheme/bulk"
)

// abilities is the table of optional operations, in the order of Names. cannot is what a scheme
// without the ability cannot do; it is "" if the client does without the ability.
var abilities = [...]struct {
	op     scheme.Op
	has    func(scheme.Scheme) bool
	cannot string
}{
	{scheme.OpAccess, implements[scheme.Scheme], ""},
	{scheme.OpList, implements[scheme.Lister], ""},
	{scheme.OpAttributes, implements[scheme.Attributer], "find attributes"},
	{scheme.OpUpdate, implements[scheme.Updater], "update"},
	{scheme.OpReplace, implements[scheme.Replacer], "replace"},
	{scheme.OpRemove, implements[scheme.Remover], "remove"},
	{scheme.OpRename, implements[scheme.Renamer], "rename"},
	{scheme.OpMakeDir, implements[scheme.Maker], "make directories"},
	{scheme.OpDraft, implements[bulk.Poster], "send messages"},
	{scheme.OpSubmit, implements[scheme.Submitter], "submit a form"},
	{scheme.OpResume, implements[scheme.Resumer], "resume an upload"},
	{scheme.OpAccessAll, implements[bulk.Accesser], "read many messages at once"},
}

// listed is the number of abilities that Names returns.
const listed = 9

func implements[T any](s scheme.Scheme) bool { _, ok := s.(T); return ok }

// Names returns the names of the operations that s supports, in the order access, list, attributes,
// update, replace, remove, rename, mkdir, draft.
func Names(s scheme.Scheme) []string {
	var names []string
	for _, a := range abilities[:listed] {
		if a.has(s) {
			names = append(names, string(a.op))
		}
	}
	return names
}

// Check returns nil if op is possible with s. Otherwise it returns an error of CodeUnsupported that
// lists the abilities of s. A client can do everything with every scheme that needs no additional
// interface, and list and digest, which then find nothing.
func Check(s scheme.Scheme, op scheme.Op) error {
	for _, a := range abilities {
		if a.op == op && a.cannot != "" && !a.has(s) {
			return scheme.Fail(scheme.CodeUnsupported, "scheme %s cannot %s; it can: %s", s.Syntax().Name, a.cannot, strings.Join(Names(s), ", "))
		}
	}
	return nil
}
