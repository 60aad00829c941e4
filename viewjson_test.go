package locator

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"reflect"
	"strings"
	"testing"
)

// A view that is marshalled to JSON is the same afterwards, and is shown as its URL without the password.
func TestViewsJSON(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"ftp://me:s3cret@host.dom:21/a%2Fb/c;type=a", "ftp://host.dom/", "ftp://@host.dom/a", "http://host.dom/a/?", "http://host.dom/a?b", "gopher://host.dom:7070/7s%09find%09%2B",
		"ftp://h.dom/%FF%00/x%C3;type=i",
		"gopher://host.dom/0%FF%80%09s", "http://host.dom/%FF?%FE", "wais://host.dom/%FF?%E9", "file:///%FF/%25", "prospero://host.dom/%FF;k=%FE",
		"mailto:%FF@host.dom", "telnet://%FF:s3cret@host.dom/", "urn:isbn:1", "mid:a@b/c@d", "cid:a@b", "nfs://host.dom//a/%FF", "z39.50s://host.dom/%FF", "tn3270://me:s3cret@h.dom/",
		"ftps://h.dom/%FF", "gopher://host.dom", "mailto:me@host.dom", "news:comp.lang.c", "news:1738@host.dom", "news:*", "nntp://host.dom/comp.lang.c/42", "telnet://me:s3cret@host.dom:23/",
		"wais://host.dom/db", "wais://host.dom/db?words", "wais://host.dom/db/TEXT/1%3Da", "file:///etc/motd", "file://host.dom/a", "prospero://host.dom//pros/name;key=value",
	} {
		u := Current.MustParse(text)
		view := u.View()
		data, err := json.Marshal(view)
		if err != nil {
			t.Errorf("%s: %v", u, err)
			continue
		}
		again := reflect.New(reflect.TypeOf(view).Elem()).Interface()
		if err := json.Unmarshal(data, again); err != nil || !reflect.DeepEqual(again, view) {
			t.Errorf("%s: %s gives %+v, want %+v (%v)", u, data, again, view, err)
		}
		built, err := Build(view)
		if err != nil {
			t.Errorf("%s: %v", u, err)
		}
		var logged strings.Builder
		log := slog.New(slog.NewJSONHandler(&logged, nil))
		if log.Info("", "view", view, "value", reflect.ValueOf(view).Elem().Interface()); strings.Count(logged.String(), built.Redacted()) != 2 {
			t.Errorf("%s is logged as %s", u, logged.String())
		}
		for _, shown := range []string{fmt.Sprint(view), fmt.Sprintf("%+v", view), fmt.Sprintf("%v", reflect.ValueOf(view).Elem().Interface())} {
			if shown != built.Redacted() || strings.Contains(shown, "s3cret") {
				t.Errorf("%s is shown as %s", u, shown)
			}
		}
	}
	var f FTP
	if data, err := json.Marshal(f); string(data) != `""` || err != nil {
		t.Errorf("the zero view is %s, %v", data, err)
	}
	if err := json.Unmarshal([]byte(`"gopher://me:s3cret@h/"`), &f); err == nil || strings.Contains(err.Error(), "s3cret") {
		t.Errorf("a gopher URL is an FTP view: %v", err)
	}
	if data, err := json.Marshal(Some("\xff")); err == nil {
		t.Errorf("lost a byte in %s", data)
	}
	var o Optional
	if err := json.Unmarshal([]byte("1"), &o); err == nil {
		t.Error("a number is a part")
	}
}

// The error of a URL in JSON says which one is malformed, without its password and not at length.
func TestUnmarshalError(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"ftp://host.dom/a b":                      `malformed ftp URL "ftp://host.dom/a b" at byte 16`,
		"ftp://me:s3cret@host.dom/a b":            `"ftp://me:****@host.dom/a b" at byte 26`,
		"http://h/ " + strings.Repeat("x", 1<<20): `"http://h/ ` + strings.Repeat("x", 90) + `..." at byte 9`,
	} {
		var list []URL
		data, _ := json.Marshal([]string{"http://h/", text})
		err := json.Unmarshal(data, &list)
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "s3cret") || len(err.Error()) > 1000 {
			t.Errorf("%.50s: %.300v, want %s", text, err, want)
		}
		if _, err := Current.Parse(text); err == nil || strings.Contains(err.Error(), "host.dom") {
			t.Errorf("Parse: %.300v", err)
		}
	}
}
