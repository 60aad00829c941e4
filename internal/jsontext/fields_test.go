package jsontext_test

import (
	"testing"

	"locator"
	"locator/internal/jsontext"
)

func TestAppendFields(t *testing.T) {
	t.Parallel()
	b := []byte{'{'}
	b = jsontext.AppendText(b, "text", "a\"b")
	b = jsontext.AppendOptional(b, "absent", locator.Optional{})
	b = jsontext.AppendOptional(b, "empty", locator.Some(""))
	b = jsontext.AppendFilled(b, "none", "")
	b = jsontext.AppendFilled(b, "hint", "%7E")
	b = jsontext.AppendList(b, "nil", nil)
	b = jsontext.AppendList(b, "list", []string{"", "%2Fetc"})
	b = jsontext.AppendBool(b, "ok", true)
	b = jsontext.AppendBool(b, "not", false)
	b = append(b, '}')
	want := `{"text":"a\"b","absent":null,"empty":"","none":null,"hint":"%7E","nil":[],"list":["","%2Fetc"],"ok":true,"not":false}`
	if string(b) != want {
		t.Errorf("got  %s\nwant %s", b, want)
	}
}
