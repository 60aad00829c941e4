package format

// readPlain finds in text as it is.
func readPlain(s *scanner) error {
	if s.in != s.source {
		s.copyTo(s.text(), s.in)
		return nil
	}
	in := readFunc(func(p []byte) (int, error) { // the Finder keeps what it needs; no other place is requested
		if err := s.source.ctx.Err(); err != nil {
			return 0, err
		}
		return s.source.r.Read(p)
	})
	for f, err := range s.find.Read(in) {
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
