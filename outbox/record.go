package outbox

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"strconv"
	"sync"
	"time"

	"locator"
	"locator/scheme"
	"locator/scheme/message"
)

// A file has a line with the magic and the version, a line with the header, the message, a line
// end, and a line for each event. Every line but the first begins with the CRC-32C of its JSON, in
// hexadecimal.

const (
	magic   = "locator-outbox "
	version = 1
	// maxLine bounds a line, and maxLog all lines behind the message.
	maxLine = 2 << 20
	maxLog  = 4 << 20
	// maxHistory is the length of Entry.History.
	maxHistory = 100
)

var (
	errDamaged = errors.New("is damaged")
	errNewer   = errors.New("was written by a newer version of the program")
)

// header is the line before the message.
type header struct {
	ID         string    `json:"id"`
	URL        string    `json:"url"`
	Server     string    `json:"server,omitempty"`
	Queued     time.Time `json:"queued"`
	MessageID  string    `json:"message_id,omitempty"`
	From       string    `json:"from,omitempty"`
	Subject    string    `json:"subject,omitempty"`
	Recipients []string  `json:"recipients,omitempty"`
	Notify     []string  `json:"notify,omitempty"`
	Return     string    `json:"return,omitempty"`
	Size       int64     `json:"size"`
	SHA256     string    `json:"sha256"`
}

// committed is the state of a record behind which the server may act. Without the lock of a sender
// it means InDoubt. The other states of records are those of entries.
const committed = "committed"

// record is a line behind the message.
type record struct {
	State      string        `json:"state"`
	At         time.Time     `json:"at"`
	Again      bool          `json:"again,omitempty"` // the user has sent it again
	Wait       time.Duration `json:"wait,omitempty"`  // before the next attempt, in nanoseconds
	Code       string        `json:"code,omitempty"`
	Error      string        `json:"error,omitempty"`
	Reply      string        `json:"reply,omitempty"`
	Recipients []result      `json:"recipients,omitempty"` // all of them, if one has changed
	Receipt    *receipt      `json:"receipt,omitempty"`
}

// result is a Recipient in a record.
type result struct {
	Address string `json:"address"`
	State   string `json:"state"`
	Reply   string `json:"reply,omitempty"`
	Code    string `json:"code,omitempty"`
}

// receipt has the fields of a scheme.Receipt that are not in the recipients.
type receipt struct {
	ID    string    `json:"id,omitempty"`
	Reply string    `json:"reply,omitempty"`
	At    time.Time `json:"at"`
}

// castagnoli returns the table of the sums. Programs that use no outbox do not wait for it.
var castagnoli = sync.OnceValue(func() *crc32.Table { return crc32.MakeTable(crc32.Castagnoli) })

// encode returns v as a line.
func encode(v any) ([]byte, error) {
	var text bytes.Buffer
	j := json.NewEncoder(&text) // ends with a line end
	j.SetEscapeHTML(false)
	if err := j.Encode(v); err != nil {
		return nil, err
	}
	if text.Len() > maxLine-16 {
		return nil, scheme.Fail(scheme.CodeUsage, "the message has too many recipients, or header fields that are too long")
	}
	sum := crc32.Checksum(text.Bytes()[:text.Len()-1], castagnoli())
	return append(fmt.Appendf(nil, "%08x ", sum), text.Bytes()...), nil
}

// decode reads a line without its end into v.
func decode(line []byte, v any) error {
	sum, text, ok := bytes.Cut(line, []byte(" "))
	want, err := strconv.ParseUint(string(sum), 16, 32)
	if !ok || len(sum) != 8 || err != nil || crc32.Checksum(text, castagnoli()) != uint32(want) || json.Unmarshal(text, v) != nil {
		return errDamaged
	}
	return nil
}

// checkVersion reads the first line.
func checkVersion(line []byte) error {
	number, ok := bytes.CutPrefix(line, []byte(magic))
	n, err := strconv.Atoi(string(number))
	switch {
	case !ok || err != nil || n < 1:
		return errors.New("is not a message of an outbox")
	case n > version:
		return errNewer
	}
	return nil
}

// entry returns the Entry of a header.
func (h *header) entry() (*Entry, error) {
	u, err := locator.Current.Parse(h.URL)
	if err != nil || h.Size < 0 || !validID(h.ID) {
		return nil, errDamaged
	}
	var server locator.URL
	if h.Server != "" {
		if server, err = locator.Current.Parse(h.Server); err != nil {
			return nil, errDamaged
		}
	}
	e := &Entry{ID: h.ID, State: Queued, URL: u, Server: server, MessageID: h.MessageID, From: h.From, Subject: h.Subject, Size: h.Size, Queued: h.Queued, Changed: h.Queued,
		reports: message.Reports{Notify: h.Notify, Return: h.Return}}
	for _, address := range h.Recipients {
		e.Recipients = append(e.Recipients, Recipient{Address: address, State: Queued})
	}
	e.add(Event{At: h.Queued, State: Queued})
	return e, nil
}

// last is what the end of a log says beyond the Entry.
type last struct {
	inFlight, committed bool  // an attempt has no result
	end                 int64 // length of the complete lines
	torn                bool  // an incomplete line follows
}

// replay applies the lines of a log to the entry. A log that ends in an incomplete line was cut by
// a crash; anything else that is wrong is damage.
func (e *Entry) replay(log []byte) (last, error) {
	var l last
	for len(log) > 0 {
		line, rest, ok := bytes.Cut(log, []byte("\n"))
		if !ok || len(bytes.Trim(log, "\x00")) == 0 { // a file system may have made room for a line without writing it
			l.torn = true
			break
		}
		var r record
		if err := decode(line, &r); err != nil {
			return l, err
		}
		if err := e.apply(&r); err != nil {
			return l, err
		}
		l.inFlight, l.committed = r.State == Sending.String() || r.State == committed, r.State == committed
		l.end += int64(len(line) + 1)
		log = rest
	}
	return l, nil
}

// apply applies a record.
func (e *Entry) apply(r *record) error {
	state, ok := stateOf(r.State)
	if !ok {
		return errDamaged
	}
	if r.State == committed { // a step of an attempt, not an event
		e.Changed = r.At
		return nil
	}
	text := r.Error
	if r.Reply != "" && text == "" {
		text = r.Reply
	}
	e.State, e.Changed, e.wait = state, r.At, r.Wait
	e.Code, e.Error, e.Reply = codeOf(r.Code), r.Error, r.Reply
	switch {
	case state == Sending:
		e.Attempts++
		if e.since.IsZero() || r.Again {
			e.since = r.At
		}
	case state == Queued && r.Wait > 0:
		e.Next = r.At.Add(r.Wait)
	}
	if state != Queued || r.Wait == 0 {
		e.Next = time.Time{}
	}
	if r.Recipients != nil {
		e.Recipients = nil
		for _, x := range r.Recipients {
			s, ok := stateOf(x.State)
			if !ok {
				return errDamaged
			}
			e.Recipients = append(e.Recipients, Recipient{x.Address, s, x.Reply, codeOf(x.Code)})
		}
	}
	if r.Receipt != nil {
		e.Receipt = &scheme.Receipt{ID: r.Receipt.ID, Reply: r.Receipt.Reply, At: r.Receipt.At}
	}
	e.add(Event{At: r.At, State: state, Text: text})
	return nil
}

// add adds an event to the history.
func (e *Entry) add(v Event) {
	if len(e.History) == maxHistory {
		e.History = append(e.History[:0:0], e.History[1:]...)
	}
	e.History = append(e.History, v)
}

func stateOf(word string) (State, bool) {
	if word == committed {
		return Sending, true
	}
	for i, name := range stateNames {
		if name == word && i > 0 {
			return State(i), true
		}
	}
	return 0, false
}

// codeOf returns the code of a name; an unknown one is that of a later version.
func codeOf(name string) scheme.Code {
	if name == "" {
		return scheme.CodeOK
	}
	for c := scheme.CodeOK; c <= scheme.CodeInterrupted; c++ {
		if c.String() == name {
			return c
		}
	}
	return scheme.CodeProtocol
}
