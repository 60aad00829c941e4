package present

import (
	"locator/internal/mailfmt"
	"locator/scheme"
)

// Put is the object of data or a message that was sent.
type Put struct {
	URL    Octets  `json:"url"`
	Final  *Octets `json:"final"`
	Status int     `json:"status"`
	Bytes  int64   `json:"bytes"`
	File   *Octets `json:"file"`
	Error  *Octets `json:"error"`

	Source   *Octets `json:"source,omitempty"`
	Action   *Octets `json:"action,omitempty"`
	Resumed  bool    `json:"resumed,omitempty"`
	Verified *Octets `json:"verified,omitempty"`

	ID         *Octets  `json:"id,omitempty"`
	From       *Octets  `json:"from,omitempty"`
	Subject    *Octets  `json:"subject,omitempty"`
	Newsgroups []Octets `json:"newsgroups,omitempty"`
	Recipients []Octets `json:"recipients,omitempty"`
	Reply      *Octets  `json:"reply,omitempty"`

	Refused []Refusal `json:"refused,omitempty"`
	Entry   *Octets   `json:"entry,omitempty"`
	State   *Octets   `json:"state,omitempty"`
}

// Refusal is a recipient that the server refused.
type Refusal struct {
	Recipient Octets `json:"recipient"`
	Reply     Octets `json:"reply"`
	Status    int    `json:"status"`
}

// Describe sets the fields about a message.
func (j *Put) Describe(m *mailfmt.Message) {
	j.ID, j.From, j.Subject = OrNull(m.ID), OrNull(m.From), OrNull(m.Subject)
	for _, name := range m.Newsgroups {
		j.Newsgroups = append(j.Newsgroups, Octets(name))
	}
	for _, addr := range m.Recipients {
		j.Recipients = append(j.Recipients, Octets(addr))
	}
}

// Refuse adds the recipients that the server refused.
func (j *Put) Refuse(receipt *scheme.Receipt) {
	for _, x := range receipt.Refused {
		j.Refused = append(j.Refused, Refusal{Octets(x.Recipient), Octets(x.Reply), x.Code.Exit()})
	}
}
