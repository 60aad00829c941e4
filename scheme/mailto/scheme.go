package mailto

import (
	"context"
	"io"
	"strings"

	"locator"
	"locator/scheme"
	"locator/scheme/bulk"
	"locator/scheme/message"
)

// Settings are the settings of mailto. Sendmail hands a message to the command that the user
// configured to send mail, in place of a server; it is nil if there is none. Reports about a failed
// delivery go to the address from. Sendmail may write the message twice, and calls pass before the
// step after which the command may send it. The error has the code CodeInDoubt if the command may
// have taken the message.
type Settings struct {
	Sendmail func(ctx context.Context, from string, recipients []string, message io.WriterTo, pass func() error) error
}

// Scheme accesses mailto URLs. It holds no state.
type Scheme struct{}

// New returns the scheme mailto.
func New() Scheme { return Scheme{} }

var (
	_ scheme.Scheme     = Scheme{}
	_ bulk.Poster       = Scheme{}
	_ bulk.Linker       = Scheme{}
	_ scheme.Attributer = Scheme{}
	_ scheme.Explainer  = Scheme{}
	_ scheme.FileNamer  = Scheme{}
	_ scheme.ServerUser = Scheme{}
)

// Syntax returns the syntax of RFC 1738 3.5.
func (Scheme) Syntax() *locator.Syntax { return locator.SyntaxOf((&locator.Mailto{}).Scheme()) }

// Options implements [scheme.OptionUser].
func (Scheme) Options() []string {
	return []string{"verify", "reports", "tls"}
}

// Access returns the draft of a mail. It makes no connection.
func (s Scheme) Access(ctx context.Context, env *scheme.Env, r scheme.Request, _ scheme.AccessOptions) (*scheme.Resource, error) {
	d, err := s.Draft(ctx, env, r)
	if err != nil {
		return nil, err
	}
	return &scheme.Resource{URL: r.URL, Kind: scheme.KindDraft, Draft: d, Notes: d.Notes}, nil
}

// Draft is Access for Update. It makes no connection either.
func (Scheme) Draft(ctx context.Context, env *scheme.Env, r scheme.Request) (*message.Draft, error) {
	if err := context.Cause(ctx); err != nil {
		return nil, err
	}
	d, err := newDraft(r.URL)
	if err != nil {
		return nil, err
	}
	d.Ready = canSend(env)
	return d, nil
}

// canSend reports whether something is configured that takes mail.
func canSend(env *scheme.Env) bool {
	return env != nil && (len(env.Servers) > 0 || scheme.Setting[Settings](env).Sendmail != nil)
}

// Steps returns no commands, since an access sends nothing. It fails if there is no draft, with the
// error of Access.
func (Scheme) Steps(u locator.URL) ([]string, error) {
	_, err := newDraft(u)
	return nil, err
}

// FileName names the file of a draft after its first recipient.
func (Scheme) FileName(u locator.URL, _ bool) string {
	d, err := newDraft(u)
	if err != nil || len(d.To) == 0 {
		return "draft.eml"
	}
	return strings.ReplaceAll(d.To[0], "/", "_") + ".eml"
}
