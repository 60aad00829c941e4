package ftp_test

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"locator"
	"locator/client"
	"locator/internal/leaks"
	"locator/policy"
	"locator/scheme"
	"locator/scheme/ftp"
	"locator/scheme/ftp/ftptest"
	"locator/schemetest"
	"locator/wire"
)

// Covers: A1, A2, A3, P3
func TestSteps(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		url  string
		want []string
	}{
		{"ftp://myname@host.dom/%2Fetc/motd", []string{"CONNECT host.dom:21", "USER myname", "PASS ?", "CWD /etc", "TYPE I", "RETR motd"}},
		{"ftp://myname@host.dom/etc/motd", []string{"CONNECT host.dom:21", "USER myname", "PASS ?", "CWD etc", "TYPE I", "RETR motd"}},
		{"ftp://myname@host.dom//etc/motd", []string{"CONNECT host.dom:21", "USER myname", "PASS ?", "CWD ", "CWD etc", "TYPE I", "RETR motd"}},
		{"ftp://host.dom", []string{"CONNECT host.dom:21", "USER anonymous", "PASS ****", "MLSD"}},
		{"ftp://host.dom/", []string{"CONNECT host.dom:21", "USER anonymous", "PASS ****", "MLSD"}},
		{"ftp://host.dom:2121/a//b;type=d", []string{"CONNECT host.dom:2121", "USER anonymous", "PASS ****", "CWD a", "CWD ", "NLST b"}},
		{"ftp://host.dom/a/;type=d", []string{"CONNECT host.dom:21", "USER anonymous", "PASS ****", "CWD a", "NLST"}},
		{"ftp://u:secret@host.dom/x.txt", []string{"CONNECT host.dom:21", "USER u", "PASS ****", "TYPE A", "RETR x.txt"}},
		{"ftp://u:@host.dom/x.txt;type=I", []string{"CONNECT host.dom:21", "USER u", "PASS ", "TYPE I", "RETR x.txt"}},
		{"ftp://@host.dom/x%20%FF%5C;type=a", []string{"CONNECT host.dom:21", "USER ", "PASS ?", "TYPE A", `RETR x \xff\xff\\`}},
		{"ftp://host.dom/../x%2Fy", []string{"CONNECT host.dom:21", "USER anonymous", "PASS ****", "CWD ..", "TYPE I", "RETR x/y"}},
	} {
		u, err := locator.RFC1738.Parse(c.url)
		if err != nil {
			t.Fatal(err)
		}
		got, err := ftp.New().Steps(u)
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, %v; want %q", c.url, got, err, c.want)
		}
	}
}

// Covers: P2, P3
func TestStepsRefused(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"ftp://h.dom/a%0D%0Ab", "ftp://h.dom/%0A/b", "ftp://h.dom/a%00", "ftp://u%0D@h.dom/a", "ftp://u:s3cret%0A@h.dom/a", "ftp://h.dom:0/a",
		"ftp://h.dom:70000/a",
	} {
		got, err := ftp.New().Steps(locator.MustParse(text))
		if client.CodeOf(err) != scheme.CodeRefused || got != nil {
			t.Errorf("%s: %q, %v; want code refused and no steps", text, got, err)
		}
		if err != nil && strings.Contains(err.Error(), "s3cret") {
			t.Errorf("the error contains a password: %v", err)
		}
	}
	if _, err := ftp.New().Steps(locator.MustParse("http://h.dom/")); client.CodeOf(err) != scheme.CodeUnsupported {
		t.Errorf("http: %v", err)
	}
}

// start starts a server that the end of the test closes.
func start(t testing.TB, opts ...ftptest.Option) *ftptest.Server {
	t.Helper()
	s, err := ftptest.Start(schemetest.Tree(), opts...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

// newClient returns a client that the end of the test closes. It must leave nothing open.
func newClient(t testing.TB, change ...func(*client.Options)) *client.Client {
	t.Helper()
	o := client.Options{Registry: scheme.NewRegistry(ftp.New()), Policy: policy.New(policy.Options{})}
	for _, f := range change {
		f(&o)
	}
	l := leaks.Watch(t)
	o.Dial = l.Dial(o.Dial)
	c := client.New(o)
	l.Ends(c)
	return c
}

// asked returns a LoginFunc that always returns that password.
func asked(password string) scheme.LoginFunc {
	return func(_ context.Context, l scheme.LoginRequest) (string, string, bool, error) {
		user, named := l.User.Get()
		return user, password, named, nil
	}
}

// plain returns the lines that are steps, without those that depend on the server.
func plain(lines []string) []string {
	var steps []string
	for _, l := range lines {
		verb, arg, has := strings.Cut(l, " ")
		switch verb {
		case "EPSV", "PASV", "FEAT", "OPTS", "AUTH", "PBSZ", "PROT", "QUIT":
			continue
		case "PASS":
			if has && arg != "" {
				l = "PASS ****"
			}
		}
		steps = append(steps, wire.Escape(l))
	}
	return steps
}

// TestStepsAreTheDialogue compares Steps with what a server receives and with the trace.
//
// Covers: A1, A2, A3, P3
func TestStepsAreTheDialogue(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		user string // with "@" or ""
		path string
	}{
		{"", ""}, {"", "/"}, {"", "/;type=d"}, {"", "/text.txt"}, {"", "/text.txt;type=i"}, {"", "/text.txt;type=a"}, {"", "/bytes.bin"},
		{"", "/etc/motd"}, {"", "/%2Fetc/motd"}, {"", "//etc/motd"}, {"", "/etc//motd"}, {"", "/etc%2Fmotd"}, {"", "/names;type=d"},
		{"", "/names/"}, {"", "/names/50%25.txt"}, {"", "/names/%252F.txt"}, {"", "/names/caf%C3%A9.txt"}, {"", "/names/caf%E9.txt"},
		{"", "/deep/../etc/motd"}, {"alice@", "/text.txt"}, {"alice:s3cret-pw@", "/etc/motd"}, {"bob:@", "/etc/;type=d"}, {"ftp:%FF@", "/empty"},
	} {
		t.Run(c.user+c.path, func(t *testing.T) {
			t.Parallel()
			s := start(t, ftptest.User("bob", ""), ftptest.User("ftp", "\xff"), ftptest.RefuseEmptyCWD(550))
			u := locator.MustParse("ftp://" + c.user + s.Addr() + c.path)
			want, err := ftp.New().Steps(u)
			if err != nil {
				t.Fatal(err)
			}
			var traced []string
			cl := newClient(t, func(o *client.Options) {
				o.Logins = []scheme.LoginFunc{asked(ftptest.Password)}
				o.Trace = &scheme.Trace{Sent: func(line string) { traced = append(traced, line) }}
			})
			res, err := cl.Access(t.Context(), scheme.Request{URL: u}, nil)
			if err != nil {
				t.Fatal(err)
			}
			drain(t, res)
			for i := range want {
				want[i] = strings.Replace(want[i], "PASS ?", "PASS ****", 1)
			}
			if got := plain(s.Lines()); !slices.Equal(got, want[1:]) {
				t.Errorf("received %q, steps %q", got, want)
			}
			if got := plainTrace(traced); !slices.Equal(got, want[1:]) {
				t.Errorf("traced %q, steps %q", got, want)
			}
		})
	}
}

// plainTrace is plain for lines that are already escaped and redacted.
func plainTrace(lines []string) []string {
	var steps []string
	for _, l := range plain(lines) {
		steps = append(steps, strings.ReplaceAll(l, `\\`, `\`))
	}
	return steps
}

// drain reads a resource to its end.
func drain(t testing.TB, res *scheme.Resource) string {
	t.Helper()
	defer res.Close()
	var b strings.Builder
	if res.Kind == scheme.KindObject {
		if _, err := copyTo(&b, res.Body); err != nil {
			t.Error(err)
		}
	}
	if res.Entries != nil {
		for e, err := range res.Entries {
			if err != nil {
				t.Error(err)
				break
			}
			b.WriteString(e.Name + "\n")
		}
	}
	return b.String()
}

// TestEveryStep breaks three dialogues at each reply in five ways. The result is always an error of
// the right kind, and never a body that seems complete.
//
// Covers: A4, P6, T7
func TestEveryStep(t *testing.T) {
	t.Parallel()
	const login = "< 220 ready\n> USER anonymous\n< 331 ?\n> PASS locator@\n< 230 ok\n"
	const passive = "> EPSV\n< 229 ok (|||PORT|)\n"
	ways := map[string]struct {
		step  string
		codes []scheme.Code
	}{
		"421":         {"< 421 shutting down", []scheme.Code{scheme.CodeUnavailable, scheme.CodeBroken}},
		"closed":      {"close", []scheme.Code{scheme.CodeBroken}},
		"nonsense":    {"< +OK", []scheme.Code{scheme.CodeProtocol, scheme.CodeBroken}},
		"a long line": {"< 2" + strings.Repeat("x", 9<<10), []scheme.Code{scheme.CodeBroken}},
		"no end":      {`< 220-no end\x0d\x0aof this`, []scheme.Code{scheme.CodeBroken}},
	}
	for verb, dialogue := range map[string]string{
		"access ftp://HOST/d/x": login + "> CWD d\n< 250 ok\n> TYPE I\n< 200 ok\n" + passive + "> RETR x\n< 150 ok\ndata send abc\ndata close\n< 226 ok\n",
		"access ftp://HOST/": login + "> FEAT\n< 211-Features\n<  MLST type*;size*;modify*;\n<  UTF8\n< 211 End\n> OPTS UTF8 ON\n< 200 ok\n" + passive +
			"> MLSD\n< 150 ok\ndata send type=file; abc\ndata close\n< 226 ok\n",
		"replace ftp://HOST/x body=abc": login + "> TYPE I\n< 200 ok\n> RNFR x.TEMP.part\n< 550 no such file\n" + passive +
			"> STOR x.TEMP.part\n< 150 ok\ndata expect abc\n< 226 ok\n> RNFR x.TEMP.part\n< 350 ok\n> RNTO x\n< 250 ok\n",
	} {
		lines := strings.Split(strings.TrimSuffix(dialogue, "\n"), "\n")
		for i, line := range lines {
			if !strings.HasPrefix(line, "< ") || i > 0 && strings.HasPrefix(lines[i-1], "< ") { // inside a reply of several lines
				continue
			}
			for way, w := range ways {
				t.Run(fmt.Sprintf("%s/%s/%s", strings.Fields(verb)[0]+strings.TrimPrefix(strings.Fields(verb)[1], "ftp://HOST"), line, way), func(t *testing.T) {
					t.Parallel()
					s := newScripted(t, strings.Join(append(slices.Clone(lines[:i]), w.step, "close"), "\n"))
					c := newClient(t)
					u := locator.MustParse("ftp://" + s.addr + strings.TrimPrefix(strings.Fields(verb)[1], "ftp://HOST"))
					var err error
					var res *scheme.Resource
					if strings.HasPrefix(verb, "replace") {
						res, err = c.Replace(t.Context(), scheme.Request{URL: u}, scheme.Body{Reader: strings.NewReader("abc"), Size: scheme.Known(3)}, nil)
					} else {
						res, err = c.Access(t.Context(), scheme.Request{URL: u}, nil)
					}
					if err == nil {
						defer res.Close()
						if res.Body != nil {
							_, err = io.Copy(io.Discard, res.Body)
						}
						if res.Entries != nil {
							for _, e := range res.Entries {
								err = e
							}
						}
					}
					codes := w.codes
					if strings.HasPrefix(verb, "replace") && line == "< 226 ok" { // the body was sent
						codes = append(slices.Clone(codes), scheme.CodeInDoubt)
					}
					if code := client.CodeOf(err); !slices.Contains(codes, code) {
						t.Errorf("code %v: %v", code, err)
					}
					if err := s.end(); err != nil {
						t.Errorf("the dialogue: %v", err)
					}
				})
			}
		}
	}
}
