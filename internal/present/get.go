package present

import "locator/scheme"

// Get is the object of a URL that was accessed.
type Get struct {
	URL      Octets  `json:"url"`
	Final    *Octets `json:"final"`
	Kind     *Octets `json:"kind"`
	Status   int     `json:"status"`
	Bytes    int64   `json:"bytes"`
	MS       int64   `json:"ms"`
	Type     *Octets `json:"type"`
	Modified *Octets `json:"modified"`
	File     *Octets `json:"file"`
	SHA256   *Octets `json:"sha256"`
	Resumed  bool    `json:"resumed"`
	Verified *Octets `json:"verified,omitempty"`
	Target   *Octets `json:"target,omitempty"`
	Skipped  *Octets `json:"skipped,omitempty"`
	Messages *int    `json:"messages,omitempty"`
	Error    *Octets `json:"error,omitempty"`
	Line     int     `json:"line,omitempty"`
}

// Describe sets the fields about the resource.
func (e *Get) Describe(res *scheme.Resource) {
	e.Final = OrNull(res.URL.Redacted())
	e.Kind = OrNull(res.Kind.String())
	e.Type = OrNull(res.Attr.Type)
	e.Modified = OrNull(TimeText(res.Attr.Modified))
}
