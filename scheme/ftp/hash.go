package ftp

import (
	"context"
	"slices"
	"strings"

	"locator/scheme"
)

// A digest is an algorithm that servers compute digests of files with: by HASH (draft-bryan-ftpext-hash-02), or by a
// command of its own, older than that and in no RFC.
type digest struct {
	name   string // as attributes have it
	hash   string // as HASH and its FEAT line have it
	own    string // the command
	digits int    // hexadecimal ones
}

// digests are those that are asked for, best first: what a file that was joined can be checked by, then what only tells
// accidents.
var digests = []digest{
	{"sha-256", "SHA-256", "XSHA256", 64}, {"sha-512", "SHA-512", "XSHA512", 128}, {"sha-1", "SHA-1", "XSHA1", 40},
	{"md5", "MD5", "XMD5", 32}, {"crc32", "CRC32", "XCRC", 8},
}

// Digest asks for the digest of a file by HASH, or by XSHA256 and its like, where the server offers that (RFC 2389: only
// what FEAT names is asked for). The server reads all of the file for it.
func (Scheme) Digest(ctx context.Context, env *scheme.Env, r scheme.Request) (algorithm, value string, err error) {
	p, err := newPlan(r, wishes{})
	if err != nil || p.do != retrieve {
		return "", "", err
	}
	d, err := attend(ctx, env, p, false, func(v *visit) ([2]string, error) {
		d, err := v.digest(p.name)
		if err == nil {
			v.leave()
		}
		return d, err
	})
	return d[0], d[1], err
}

// digest gives the algorithm and the value, "" where the server tells none.
func (v *visit) digest(name string) (found [2]string, err error) {
	f, err := v.features()
	if err != nil {
		return found, err
	}
	for _, d := range digests {
		var value string
		switch {
		case f.hashes(d.hash):
			value, err = v.hash(f, d, name)
		case f.has(d.own):
			value, err = v.ownDigest(d, name)
		default:
			continue
		}
		if err == nil && value != "" {
			found = [2]string{d.name, value}
		}
		break
	}
	return found, err
}

// hashes reports whether HASH can be told to use an algorithm: "HASH SHA-256;MD5*", the one that it uses with a star.
func (f features) hashes(algorithm string) bool {
	return slices.Contains(strings.Split(strings.ReplaceAll(f["HASH"], "*", ""), ";"), algorithm)
}

// hash asks HASH, of TYPE I, which counts the octets as they are stored.
func (v *visit) hash(f features, d digest, name string) (string, error) {
	if err := v.setType(image); err != nil {
		return "", err
	}
	if !slices.Contains(strings.Split(f["HASH"], ";"), d.hash+"*") {
		r, err := v.ask("OPTS", bare("OPTS HASH "+d.hash))
		if err != nil || r.class() != 2 {
			return "", err
		}
		f["HASH"] = d.hash + "*" // on this connection no other is asked for
	}
	r, err := v.askAbout("HASH", name)
	if err != nil || r.code != 213 {
		return "", err
	}
	return d.ofHASH(r), nil
}

// ofHASH reads "213 SHA-256 0-49 <digest> name". It is the last line: some announce before it that they are at it (proftpd
// 1.3.8).
func (d digest) ofHASH(r reply) string {
	words := strings.Fields(r.end())
	if len(words) < 3 || !strings.EqualFold(words[0], d.hash) || !strings.HasPrefix(words[1], "0-") {
		return ""
	}
	return d.read(words[2])
}

// ownDigest asks by the algorithm's own command.
//
// QUIRK: proftpd 1.3.8 takes a name with a blank only in quotes, which it does not take from others. What a quotation mark
// in a name stands for then, nobody says: such a name is not asked about.
func (v *visit) ownDigest(d digest, name string) (string, error) {
	if strings.Contains(name, `"`) {
		return "", nil
	}
	if err := v.setType(image); err != nil {
		return "", err
	}
	if strings.Contains(name, " ") {
		name = `"` + name + `"`
	}
	r, err := v.askAbout(d.own, name)
	if err != nil || r.class() != 2 {
		return "", err
	}
	return d.ofOwn(r), nil
}

// ofOwn reads "250 <digest>", or "250 name <digest>".
func (d digest) ofOwn(r reply) string {
	words := strings.Fields(r.end())
	if len(words) == 0 {
		return ""
	}
	return d.read(words[len(words)-1])
}

// read is the digest in lower case, "" where the word is none. A CRC may lack zeros at its begin.
func (d digest) read(word string) string {
	word = strings.ToLower(word)
	if d.name == "crc32" && len(word) < d.digits {
		word = strings.Repeat("0", d.digits-len(word)) + word
	}
	if len(word) != d.digits || strings.Trim(word, "0123456789abcdef") != "" {
		return ""
	}
	return word
}

// end is the last line of a reply without its code.
func (r reply) end() string {
	if len(r.lines) == 0 {
		return ""
	}
	last := r.lines[len(r.lines)-1]
	return strings.TrimPrefix(last[min(3, len(last)):], " ")
}
