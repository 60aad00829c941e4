// Package transfer has what downloads and uploads share: when a failed transfer is tried again, rate limits, checksums, how much may be removed, and the
// comparison of times.
package transfer
