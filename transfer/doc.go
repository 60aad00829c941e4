// Package transfer has what downloads, uploads and other work on many URLs share: a [Queue] with
// limits for each host, when to try again after a failure ([MayRetry], [BackOff]), rate limits
// ([Limit]), a [Quota] of bytes, checksums ([NewHash], [Digest]), how much a run may remove
// ([CheckRemovals]), and the comparison of times ([CompareTimes]).
package transfer
