// Package transfer has what downloads and uploads share: when a failed transfer is tried again, rate limits, checksums, and the
// comparison of times.
package transfer
