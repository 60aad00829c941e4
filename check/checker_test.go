package check_test

import (
	"net/http"
	"testing"

	"locator/check"
)

// A server that does not send a body may still say that the resource is there.
func TestWithoutBody(t *testing.T) {
	t.Parallel()
	_, at := serve(t, func(_ *site, w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet {
			w.WriteHeader(500)
		}
		w.Header().Set("ETag", `"1"`)
	})
	if r := checked(t, &check.Checker{Content: true}, at+"/x", nil); r.Verdict != check.OK {
		t.Errorf("%+v", r)
	}
}
