package hint

import (
	"errors"
	"fmt"
	"strings"

	"locator/scheme"
)

// Text returns the text of an error, and what to do in the words that advice has for its hint. They
// follow the cause that they are for, before the words of the server.
func Text(err error, advice func(hint string) string) string {
	text := err.Error()
	words := advice(Of(err))
	if words == "" {
		return text
	}
	told := text + "; " + words
	for e, ok := errors.AsType[*scheme.Error](err); ok; e, ok = errors.AsType[*scheme.Error](e.Err) { // the innermost has the cause
		advised := *e
		advised.Err = fmt.Errorf("%s; %s", causeOf(e), words)
		if old := e.Error(); e.Hint != "" && strings.Contains(text, old) {
			told = strings.Replace(text, old, advised.Error(), 1)
		}
	}
	return told
}

// causeOf returns what an error says of its cause.
func causeOf(e *scheme.Error) string {
	if e.Err == nil {
		return e.Code.String()
	}
	return e.Err.Error()
}
