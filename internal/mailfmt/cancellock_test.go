package mailfmt_test

import (
	"strings"
	"testing"

	"locator/internal/mailfmt"
	"locator/scheme/message"
)

// With a secret, an article has the lock that the key of its cancel message opens. The values are
// the example of RFC 8315 for this message-id and secret.
//
// Covers: A9
func TestCancelLock(t *testing.T) {
	t.Parallel()
	const (
		secret = "ExampleSecret"
		lock   = "Cancel-Lock: sha256:s/pmK/3grrz++29ce2/mQydzJuc7iqHn1nqcJiQTPMc=\r\n"
		key    = "Cancel-Key: sha256:qv1VXHYiCGjkX/N1nhfYKcAeUn8bCVhrWhoKuBSnpMA=\r\n"
		own    = "Cancel-Lock: sha256:mine\r\n"
		id     = "Message-ID: <12345@mid.example>\n"
	)
	news := &message.Draft{News: true, Header: []message.Field{{Name: "Newsgroups", Value: "local.test"}}}
	for _, tt := range []struct {
		name, header, secret string
		draft                *message.Draft
		has                  []string
		lacks                string
	}{
		{"an article", id, secret, news, []string{lock}, "Cancel-Key"},
		{"no secret", id, "", news, nil, "Cancel-"},
		{"a mail", id, secret, &message.Draft{To: []string{"b@example.org"}}, nil, "Cancel-"},
		{"its own lock", id + "Cancel-Lock: sha256:mine\n", secret, news, []string{own}, "s/pmK"},
		{"a cancel message", "Control: cancel <12345@mid.example>\n", secret, news, []string{key, "Cancel-Lock: sha256:"}, "s/pmK"},
		{"another version", "Supersedes: <12345@mid.example>\n", secret, news, []string{key, "Cancel-Lock: sha256:"}, "s/pmK"},
		{"another control message", "Control: newgroup local.x\n", secret, news, []string{"Cancel-Lock: sha256:"}, "Cancel-Key"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			_, text := complete(t, "Subject: x\n"+tt.header+"\ntext\n", mailfmt.Options{Draft: tt.draft, Mail: "a@example.org", CancelSecret: tt.secret})
			for _, want := range tt.has {
				if !strings.Contains(text, want) {
					t.Errorf("%q lacks %q", text, want)
				}
			}
			if strings.Contains(text, tt.lacks) {
				t.Errorf("%q has %q", text, tt.lacks)
			}
		})
	}
}
