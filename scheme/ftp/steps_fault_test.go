package ftp_test

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"locator"
	"locator/client"
	"locator/scheme"
)

// TestEveryStep breaks three dialogues at each reply in five ways. The result is always an error of the right kind, and
// never a body that seems complete.
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
