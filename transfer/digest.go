package transfer

import (
	"crypto/md5"  // only to compare with the server's checksum
	"crypto/sha1" // likewise
	"crypto/sha256"
	"crypto/sha512"
	"encoding/hex"
	"hash"
	"hash/crc32"
	"io"
)

// NewHash returns the hash for an algorithm of [scheme.Digester]; nil if it is unknown.
func NewHash(algorithm string) hash.Hash {
	hashes := map[string]func() hash.Hash{
		"sha-256": sha256.New, "sha-512": sha512.New, "sha-1": sha1.New, "md5": md5.New,
		"crc32": func() hash.Hash { return crc32.NewIEEE() },
	}
	if open := hashes[algorithm]; open != nil {
		return open()
	}
	return nil
}

// Digest returns the digest of the first n bytes, in lower-case hex.
func Digest(h hash.Hash, r io.ReaderAt, n int64) (string, error) {
	if _, err := io.Copy(h, io.NewSectionReader(r, 0, n)); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}
