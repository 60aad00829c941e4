package gateway

import (
	"locator/scheme"
)

// draftPage serves the page on which a message is written.
func (x *exchange) draftPage(res *scheme.Resource) {
	x.problem(scheme.Fail(scheme.CodeUnsupported, "the gateway has no page for a %s", res.Kind))
}

// sendDraft sends a message.
func (x *exchange) sendDraft(res *scheme.Resource) {
	x.problem(scheme.Fail(scheme.CodeUnsupported, "the gateway has no page for a %s", res.Kind))
}
