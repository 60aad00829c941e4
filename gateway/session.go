package gateway

import (
	"locator/scheme"
)

// sessionPage serves the page of a session: a terminal.
func (x *exchange) sessionPage(res *scheme.Resource) {
	x.problem(scheme.Fail(scheme.CodeUnsupported, "the gateway has no page for a %s", res.Kind))
}
