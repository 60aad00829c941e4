package gateway

import (
	"bufio"
	"bytes"
	"errors"
	"html/template"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"locator"
	"locator/internal/mailtext"
	"locator/internal/present"
	"locator/internal/safename"
	"locator/internal/units"
	"locator/scheme"
	"locator/wire"
)

// Options of the page of a message: one of its attachments, by its number from 1; or the page on which an answer is written.
const (
	optPart  = "part"
	optDraft = "draft"
)

// Bounds of what the page of a message shows.
const (
	maxMessageHeader = 256 << 10 // bytes of the whole header
	maxFieldShown    = 2 << 10   // bytes of a field
	maxLinksShown    = 150
	maxNameShown     = 150 // bytes of the name of an attachment
)

// messageData is what the page of a message shows besides its text.
type messageData struct {
	ID       string
	Fields   []messageField // of the header, the main ones
	Header   []messageField // all of them
	Cut      bool           // the header is longer
	Groups   []link
	Earlier  []link // messages of the thread, oldest first
	Parent   template.URL
	Reply    template.URL // of a mail to the author
	FollowUp template.URL
	Download template.URL
	Raw      template.URL
}

type messageField struct{ Name, Value string }

// attachment is an attachment of a message.
type attachment struct {
	Name    string
	Type    string
	Size    string
	Damaged bool
	Path    template.URL
}

// mainFields are the fields that a page shows, in order.
var mainFields = []string{"From", "To", "Cc", "Date", "Newsgroups", "Followup-To", "Reply-To", "Organization", "Keywords", "Summary"}

// isMessageType reports whether a media type is that of mail or articles.
func isMessageType(mediaType string) bool {
	t, _, _ := strings.Cut(mediaType, ";")
	switch strings.ToLower(strings.TrimSpace(t)) {
	case "message/rfc822", "message/news", "message/global":
		return true
	}
	return false
}

// hasHeader reports whether a text begins with a field of a header. One that does not is a text, whatever its type.
func hasHeader(head []byte) bool {
	for range mailtext.Fields(string(head)) {
		return true
	}
	return false
}

// message serves the page of a mail or an article, as people read it.
func (x *exchange) message(res *scheme.Resource) {
	count := &counter{r: res.Body}
	header, body, cut := splitMessage(count)
	charset := x.settings.Charset
	fields := make(map[string]string)
	for name, value := range mailtext.Fields(header) {
		if name = strings.ToLower(name); fields[name] == "" {
			fields[name] = value
		}
	}
	if charset == "" {
		charset = mailtext.GuessCharset(fields["newsgroups"])
	}
	data := &messageData{ID: shorten(res.Attr.ID, maxSubject), Cut: cut, Raw: pathOf(viewRaw, res.URL), Download: pathOf(viewFile, res.URL), FollowUp: x.writePath(res.URL)}
	data.relate(res)
	for _, name := range mainFields {
		if name == "Newsgroups" && data.Groups != nil {
			continue // they are links
		}
		if value := fields[strings.ToLower(name)]; value != "" {
			data.Fields = append(data.Fields, messageField{name, shorten(mailtext.Header(value, charset), maxFieldShown)})
		}
	}
	for name, value := range mailtext.Fields(header) {
		data.Header = append(data.Header, messageField{line(name), line(mailtext.Header(value, charset))})
	}
	title := strings.TrimSpace(shorten(mailtext.Header(fields["subject"], charset), maxSubject))
	if title == "" {
		title = titleOf(res.URL)
	}
	page := x.newPage(title, res.URL, data)
	page.Notes = append(page.Notes, res.Notes...)
	page.IsText = true
	if x.r.Method == http.MethodHead {
		ownHeader(x.w.Header())
		return
	}
	x.share(res)
	o := x.g.begin(x.w, x.r, http.StatusOK, page)
	defer o.Close()
	x.g.render(o, "message", page)
	parts, err := x.messageText(o, io.MultiReader(strings.NewReader(header), body), res.URL)
	if err != nil {
		x.spoil()
		x.g.render(o, "broken", present.Bare(err).Error())
	}
	x.g.render(o, "attachments", parts)
	x.end(o, res, count.n)
}

// relate sets the links to what a message refers to.
func (d *messageData) relate(res *scheme.Resource) {
	if res.Related == nil {
		return
	}
	n := 0
	for e := range res.Related {
		if n++; n > maxLinksShown {
			return
		}
		at := link{Text: shorten(e.Name, maxNameShown), Path: pathOf(viewPage, e.URL)}
		switch e.Kind {
		case scheme.KindListing:
			d.Groups = append(d.Groups, at)
		case scheme.KindDraft:
			d.Reply = at.Path
		case scheme.KindObject:
			d.Earlier, d.Parent = append(d.Earlier, at), at.Path
		}
	}
}

// splitMessage reads the header of a message, up to a bound. cut reports that it is longer. body is what follows what was read.
func splitMessage(r io.Reader) (header string, body io.Reader, cut bool) {
	in := bufio.NewReaderSize(r, 16<<10)
	var b bytes.Buffer
	begins := true // a line
	for {
		piece, err := in.ReadSlice('\n')
		b.Write(piece)
		if begins && len(bytes.TrimRight(piece, "\r\n")) == 0 || err != nil && err != bufio.ErrBufferFull {
			return b.String(), in, false // an error comes again when it is read
		}
		if begins = err == nil; b.Len() > maxMessageHeader {
			return b.String(), in, true
		}
	}
}

// messageText writes the text of a message. Long quotations are folded. It returns the attachments and the error of reading.
func (x *exchange) messageText(o *output, r io.Reader, u locator.URL) (parts []attachment, err error) {
	text := mailtext.NewReader(r, mailtext.Options{Charset: x.settings.Charset, Flow: true, Part: func(name, mediaType string, body io.Reader) error {
		n, err := io.Copy(io.Discard, body)
		parts = append(parts, attachment{
			Name: shorten(name, maxNameShown), Type: shorten(mediaType, maxNameShown), Size: units.Size(n), Damaged: err != nil,
			Path: pathWith(u, url.Values{optPart: {strconv.Itoa(len(parts) + 1)}}),
		})
		return nil
	}})
	defer text.Close()
	in := bufio.NewReader(text)
	if err := skipHeader(in); err != nil {
		return parts, err
	}
	for runs := newQuotedText(wire.Text(in)); runs.next(); {
		name := "run"
		if runs.quoted {
			name = "quoted"
		}
		x.g.render(o, name, x.settings.Width)
		err = x.linked(o, runs)
		x.g.render(o, name+"-end", nil)
		if err != nil || o.failed() {
			return parts, err
		}
	}
	return parts, nil
}

// skipHeader reads the fields before the text of a message that package mailtext decodes.
func skipHeader(in *bufio.Reader) error {
	begins := true
	for {
		piece, err := in.ReadSlice('\n')
		switch {
		case begins && string(piece) == "\n", err == io.EOF:
			return nil
		case err != nil && err != bufio.ErrBufferFull:
			return err
		}
		begins = err == nil
	}
}

// errPartSent ends the reading of a message after the attachment that was asked for.
var errPartSent = errors.New("the attachment was sent")

// part sends an attachment of a message, as a file of a stranger.
func (x *exchange) part() {
	want, err := strconv.Atoi(x.place.opts.Get(optPart))
	if err != nil || want < 1 {
		x.problem(&statusError{http.StatusBadRequest, "the number of the attachment is not one"})
		return
	}
	res, err := x.access(scheme.AccessOptions{})
	if err != nil {
		x.problem(err)
		return
	}
	defer res.Close()
	if res.Kind != scheme.KindObject || !isMessageType(typeOf(res, peek(res))) {
		x.problem(&statusError{http.StatusNotFound, "only messages have attachments"})
		return
	}
	n := 0
	var broken error
	text := mailtext.NewReader(res.Body, mailtext.Options{Charset: x.settings.Charset, Flow: true, Part: func(name, mediaType string, body io.Reader) error {
		if n++; n != want {
			return nil
		}
		in := bufio.NewReader(body)
		if _, err := in.Peek(1); err != nil && err != io.EOF {
			return scheme.Fail(scheme.CodeProtocol, "the attachment is damaged: %w; the raw view has the message as it is", err)
		}
		h := x.w.Header()
		sandbox(h)
		h.Set("Content-Type", safeType(mediaType))
		h.Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": safename.Portable().Make(name)}))
		x.w.WriteHeader(http.StatusOK)
		if x.r.Method != http.MethodHead {
			_, broken = io.Copy(x.w, in)
		}
		return errPartSent
	}})
	defer text.Close()
	_, err = io.Copy(io.Discard, text)
	switch {
	case broken != nil: // the response must not look complete
		x.g.opt.Log.Info("an attachment broke off", "url", shown(x.u).Redacted(), "error", broken.Error())
		panic(http.ErrAbortHandler)
	case errors.Is(err, errPartSent):
	case err != nil && !errors.Is(err, mailtext.ErrForm):
		x.problem(err)
	default:
		x.problem(&statusError{http.StatusNotFound, "the message has no attachment with this number"})
	}
}
