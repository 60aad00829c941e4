package ftp

import (
	"context"
	"slices"
	"strings"

	"locator/scheme"
	"locator/scheme/internal/dialogue"
)

// A digest is an algorithm for digests of files that servers compute: by HASH
// (draft-bryan-ftpext-hash-02), or by an older command of its own, which no RFC defines.
type digest struct {
	name    string // in attributes
	hash    string // in HASH and its FEAT line
	command string // the command
	digits  int    // of the digest, in hexadecimal
}

// digests are the algorithms that are used, best first: cryptographic ones before those that detect
// only accidents.
var digests = []digest{
	{"sha-256", "SHA-256", "XSHA256", 64}, {"sha-512", "SHA-512", "XSHA512", 128}, {"sha-1", "SHA-1", "XSHA1", 40},
	{"md5", "MD5", "XMD5", 32}, {"crc32", "CRC32", "XCRC", 8},
}

// Digest asks for the digest of a file by HASH, or by XSHA256 and the like, if the reply to FEAT
// offers it (RFC 2389). The server reads the whole file for it.
func (Scheme) Digest(ctx context.Context, env *scheme.Env, r scheme.Request) (algorithm, value string, err error) {
	p, err := newPlace(r, options{})
	if err != nil || p.op != retrieve {
		return "", "", err
	}
	d, err := withSession(ctx, env, p, false, released(func(s *session) ([2]string, error) { return s.digest(p.name) }))
	return d[0], d[1], err
}

// digest returns the algorithm and the value, "" if the server offers none.
func (s *session) digest(name string) (found [2]string, err error) {
	f, err := s.features()
	if err != nil {
		return found, err
	}
	for _, d := range digests {
		verb, offered := "HASH", f.hashes(d.hash)
		if !offered {
			verb, offered = d.command, f.has(d.command)
		}
		if !offered {
			continue
		}
		value, err := s.askDigest(f, verb, d, name)
		if err == nil && value != "" {
			found = [2]string{d.name, value}
		}
		return found, err
	}
	return found, nil
}

// hashes reports whether HASH offers an algorithm: "HASH SHA-256;MD5*", with a star after the
// selected one.
func (f features) hashes(algorithm string) bool {
	return slices.Contains(strings.Split(strings.ReplaceAll(f["HASH"], "*", ""), ";"), algorithm)
}

// askDigest sends HASH or the algorithm's own command in TYPE I, in which the digest is that of the
// bytes as stored.
//
// QUIRK: to its own commands, proftpd 1.3.8 accepts a name with a space only in quotes. How a quote
// in a name is written then is not defined: no command is sent for such a name.
func (s *session) askDigest(f features, verb string, d digest, name string) (string, error) {
	own := verb != "HASH"
	if own && strings.Contains(name, `"`) {
		return "", nil
	}
	if err := s.setType(image); err != nil {
		return "", err
	}
	switch {
	case own && strings.Contains(name, " "):
		name = `"` + name + `"`
	case !own && !slices.Contains(strings.Split(f["HASH"], ";"), d.hash+"*"):
		r, err := s.ask("OPTS", dialogue.Bare("OPTS HASH "+d.hash))
		if err != nil || r.Class() != 2 {
			return "", err
		}
		f["HASH"] = d.hash + "*" // this connection uses no other
	}
	r, err := s.askAbout(verb, name)
	switch {
	case err != nil:
		return "", err
	case own && r.Class() == 2:
		return d.parseOwn(r), nil
	case !own && r.Code == 213:
		return d.parseHASH(r), nil
	}
	return "", nil
}

// parseHASH parses "213 SHA-256 0-49 <digest> name".
func (d digest) parseHASH(r reply) string {
	words := r.lastWords()
	if len(words) < 3 || !strings.EqualFold(words[0], d.hash) || !strings.HasPrefix(words[1], "0-") {
		return ""
	}
	return d.parse(words[2])
}

// parseOwn parses "250 <digest>" or "250 name <digest>".
func (d digest) parseOwn(r reply) string {
	words := append([]string{""}, r.lastWords()...)
	return d.parse(words[len(words)-1])
}

// parse returns a digest in lower case, "" if the word is not one. A CRC may lack leading zeros.
func (d digest) parse(word string) string {
	word = strings.ToLower(word)
	if d.name == "crc32" && len(word) < d.digits {
		word = strings.Repeat("0", d.digits-len(word)) + word
	}
	if len(word) != d.digits || strings.Trim(word, "0123456789abcdef") != "" {
		return ""
	}
	return word
}

// lastWords are the words of the last line of a reply without its code: proftpd 1.3.8 sends lines
// about its progress before it.
func (r reply) lastWords() []string {
	if len(r.Lines) == 0 {
		return nil
	}
	last := r.Lines[len(r.Lines)-1]
	return strings.Fields(last[min(3, len(last)):])
}
