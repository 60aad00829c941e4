// Package store keeps the runs of package check on disk: on SQLite in a folder, for one process, or
// on Postgres, for workers on many machines. The queue is River.
//
// A run has 256 buckets. A bucket has the hosts whose names have the same hash, so that a host
// belongs to one worker at a time. A bucket with open URLs has one River job. The worker that gets
// the job raises the bucket's turn, and each of its commits checks that the turn is still its own.
// At the end of its hold, one transaction completes the job and adds the next one, if URLs are
// open; so a job is never worked on twice, and a late worker can change neither results nor jobs.
//
// The tables of URLs of a run are its own, so that a run is dropped whole. A URL is written once:
// what changes while a run goes on is one row of its host and one of its bucket, which keeps
// Postgres fast while old row versions cannot be removed.
package store
