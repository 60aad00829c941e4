package search

import "hash/maphash"

// urlKey is a URL in a chunk, which ends at end.
type urlKey struct {
	end  int
	hash [2]uint64
}

// seenURLs are the URLs that were written, for Search.Unique. It keeps 16 bytes of each: the chance
// that two of a billion URLs are taken for the same is below 1 to 10^20.
type seenURLs struct {
	seeds [2]maphash.Seed
	all   map[[2]uint64]struct{}
}

func newSeenURLs() seenURLs {
	return seenURLs{[2]maphash.Seed{maphash.MakeSeed(), maphash.MakeSeed()}, make(map[[2]uint64]struct{})}
}

// key returns the key of a URL in a chunk, which ends at end.
func (s *seenURLs) key(m *Match, end int) urlKey {
	text := m.URL
	if url, bad := m.Parse(); bad == nil {
		text = url.Canonical().WithoutFragment().Text()
	}
	return urlKey{end, [2]uint64{maphash.String(s.seeds[0], text), maphash.String(s.seeds[1], text)}}
}

// add reports whether a URL was not there before.
func (s *seenURLs) add(k urlKey) bool {
	if _, again := s.all[k.hash]; again {
		return false
	}
	s.all[k.hash] = struct{}{}
	return true
}

// print writes a chunk, with Search.Unique without the URLs that were written before.
func (r *run) print(c chunk) error {
	if !r.Unique {
		_, err := r.out.Write(c.bytes)
		return err
	}
	begin := 0
	for _, k := range c.keys {
		if r.seen.add(k) {
			if _, err := r.out.Write(c.bytes[begin:k.end]); err != nil {
				return err
			}
		}
		begin = k.end
	}
	return nil
}
