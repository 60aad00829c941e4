package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

const (
	sumsName  = "SHA256SUMS"
	signature = sumsName + ".sig" // as ssh-keygen names it
)

// sumOf returns the SHA-256 of a file in hexadecimal.
func sumOf(name string) (sum string, err error) {
	f, err := os.Open(name)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// writeSums writes the checksums of all files, and a signature of them if there is a key.
func (r *release) writeSums(ctx context.Context) error {
	files, err := os.ReadDir(r.files)
	if err != nil {
		return err
	}
	var text strings.Builder
	for _, f := range files {
		sum, err := sumOf(filepath.Join(r.files, f.Name()))
		if err != nil {
			return err
		}
		fmt.Fprintf(&text, "%s  %s\n", sum, f.Name())
	}
	name := filepath.Join(r.files, sumsName)
	if err := os.WriteFile(name, []byte(text.String()), 0o644); err != nil {
		return err
	}
	if r.signKey == "" {
		r.say("not signed: SIGN_KEY names no key")
		return nil
	}
	key, err := filepath.Abs(r.signKey)
	if err != nil {
		return err
	}
	// The namespace is that of files, so that a signature for something else is not taken for one.
	return r.command(ctx, nil, "ssh-keygen", "-q", "-Y", "sign", "-n", "file", "-f", key, name)
}

// checkKey signs nothing with the key, so that a key that does not sign is found before the work. A
// public key is enough if an agent has the private one.
func checkKey(ctx context.Context, name string) error {
	if name == "" {
		return nil
	}
	text, err := os.ReadFile(name)
	var failed *fs.PathError
	switch {
	case errors.As(err, &failed):
		return fmt.Errorf("the key SIGN_KEY=%s cannot be read: %w", name, failed.Err)
	case err != nil:
		return err
	case !strings.HasPrefix(string(text), "-----BEGIN ") && !strings.HasPrefix(string(text), "ssh-") && !strings.HasPrefix(string(text), "sk-"):
		return fmt.Errorf("SIGN_KEY=%s is not a key of ssh: make one with ssh-keygen -t ed25519", name)
	}
	cmd := exec.CommandContext(ctx, "ssh-keygen", "-q", "-Y", "sign", "-n", "file", "-f", name)
	out, err := cmd.CombinedOutput()
	if err != nil && !errors.Is(err, exec.ErrNotFound) { // which checkTools reports
		return fmt.Errorf("SIGN_KEY=%s does not sign: %w\n%s", name, err, bytes.TrimSpace(out))
	}
	return nil
}
