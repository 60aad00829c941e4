package format

// readPlain finds in text as it is.
func readPlain(s *scanner) error {
	if s.in != s.source {
		s.copyTo(s.text(), s.in)
		return nil
	}
	for f, err := range s.find.Read(s.source.r) {
		if err == nil {
			err = s.source.ctx.Err()
		}
		if err != nil {
			return err
		}
		if !s.yield(Find{Find: f}, nil) {
			s.stopped = true
			return nil
		}
	}
	return nil
}

// readHTML finds in HTML.
func readHTML(s *scanner) error {
	h := &htmlReader{from: asIs{}, text: s.text(), emit: s.emit, note: s.note}
	h.read(s.stoppable())
	return nil
}
