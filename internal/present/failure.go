package present

// Failure is the object of a URL that failed, where the other objects have no field for errors.
type Failure struct {
	URL    Octets `json:"url"`
	Status int    `json:"status"`
	Error  Octets `json:"error"`
	Line   int    `json:"line,omitempty"`
}

// Change is the object of rm, mv and mkdir with --json.
type Change struct {
	URL    Octets  `json:"url"`
	New    *Octets `json:"new,omitempty"`
	Status int     `json:"status"`
	Error  *Octets `json:"error"`

	Files   *int `json:"files,omitempty"`
	Folders *int `json:"folders,omitempty"`
	Line    int  `json:"line,omitempty"`
}
