package main

import (
	"crypto/sha256"
	"encoding/hex"
)

func sumOfText(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}
