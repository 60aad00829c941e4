package check

import (
	"context"
	"encoding/json"
	"errors"
	"iter"
	"time"
)

// ErrLate is the error of a Commit to a bucket that another worker has taken meanwhile. Nothing was
// changed.
var ErrLate = errors.New("another worker has taken over this part of the run")

// A Store keeps runs, and what they found out. It is safe for concurrent use.
type Store interface {
	// Begin begins a run. settings are those of the program that begins it, for others that work on
	// it.
	Begin(ctx context.Context, settings json.RawMessage) (Run, error)
	// Open returns the run of that number, or the last one if it is 0. The error matches
	// fs.ErrNotExist if there is none.
	Open(ctx context.Context, number int64) (Run, error)
	// Runs returns all runs, oldest first.
	Runs(ctx context.Context) ([]RunInfo, error)
	// Drop removes a run and its results. The history remains.
	Drop(ctx context.Context, number int64) error
	// Work calls do for each bucket of open runs that has something to do, for several at once, up
	// to that many. It returns nil when ctx ends. It calls do again for a bucket whose URLs are not
	// all decided, at the earliest when its next URL and its host are due. An error of do other
	// than ErrLate ends Work.
	Work(ctx context.Context, buckets int, do func(ctx context.Context, b Bucket) error) error
	// Close ends the use of the store.
	Close() error
}

// A Run is one check of a set of URLs.
type Run interface {
	// Info describes the run.
	Info(ctx context.Context) (RunInfo, error)
	// Add adds URLs, and places to those that are known. It returns how many were not known. It may
	// be called while the run is worked on.
	Add(ctx context.Context, links []Link) (added int, err error)
	// Seal records that the input was read to its end.
	Seal(ctx context.Context) error
	// Work is Store.Work for this run alone. It returns nil when all URLs are decided and the run
	// is sealed; this ends the run.
	Work(ctx context.Context, buckets int, do func(ctx context.Context, b Bucket) error) error
	// Results yields what was decided, in the order in which the URLs were added, with their
	// places.
	Results(ctx context.Context) iter.Seq2[*Result, error]
	// Progress returns how far the run is.
	Progress(ctx context.Context) (Progress, error)
}

// RunInfo describes a run.
type RunInfo struct {
	ID       int64             `json:"-"`      // no other run in the store has it, also of another name
	Number   int64             `json:"number"` // from 1
	Begun    time.Time         `json:"begun"`
	Ended    time.Time         `json:"ended,omitzero"` // zero if it has not ended
	Sealed   bool              `json:"sealed"`         // the input was read to its end
	Open     int64             `json:"open"`           // URLs that are not decided
	Verdicts map[Verdict]int64 `json:"verdicts"`       // how many URLs have each
	Settings json.RawMessage   `json:"-"`
}

// Decided returns how many URLs have a verdict.
func (i RunInfo) Decided() (n int64) {
	for _, v := range i.Verdicts {
		n += v
	}
	return n
}

// MaxWorst is how many hosts Progress names.
const MaxWorst = 10

// Progress is the state of a run that goes on.
type Progress struct {
	RunInfo
	Hosts int64       `json:"hosts"` // with open URLs
	Worst []HostCount `json:"worst"` // the hosts with the most broken, failing and unsure URLs
}

// HostCount is how many URLs of a host failed.
type HostCount struct {
	Host   string `json:"host"`
	Failed int64  `json:"failed"`
	Open   int64  `json:"open"`
}

// A Link is a URL to check.
type Link struct {
	Key   string  // what makes it the same URL: its canonical form with a masked password, without a fragment that is not checked
	URL   string  // as it is accessed, with its password if it has one
	Host  string  // the host that answers for it, for the limits; empty if none does
	Depth int     // how many more listings or pages may be followed from it
	Place Place   // where it stands; zero if it stands nowhere
	Done  *Result // if not nil, it is not checked: this is its result
}

// A Task is a URL that is not decided.
type Task struct {
	ID       int64
	Key      string
	URL      string
	Host     string
	Depth    int
	Attempts int     // that failed in this run
	PutOff   bool    // Attempts is 0, but it was put off once without a request for it
	Before   *Memory // from the history; nil if it is unknown there
}

// Done is the end of an attempt at a task.
type Done struct {
	Task   Task
	Result *Result   // the task is decided; nil if it is to be tried again
	Again  time.Time // when, if Result is nil
	// Counts says that the attempt counts in Attempts. One that the server put off does not. PutOff
	// of the Task is kept.
	Counts bool
	Found  []Link // URLs to add to the run
}

// MaxWait is the longest time that a run waits for a host. One whose Next is later is due at once:
// what the server asked to wait for is decided without a request.
const MaxWait = 5 * time.Minute

// Host is the state of a host in a run.
type Host struct {
	Name  string
	Next  time.Time // no request before
	Asked bool      // the server asked for that; else it is the interval between requests
	// Answered are places of the host that have answered in the run, such as http://a.example:8080.
	Answered []string
}

// A Bucket is a part of the hosts of a run, which one worker holds at a time. A worker must return
// from the function that it was given for it within 30 seconds. It is safe for concurrent use.
type Bucket interface {
	Run() RunInfo // only ID, Number and Settings
	// Hosts returns the hosts with open URLs, those without a name as one with an empty name.
	// A host that cannot be asked within the next seconds may be left out.
	Hosts(ctx context.Context) ([]Host, error)
	// Tasks returns the next open tasks of a host that are due, at most n: first those without a
	// failed attempt, in the order in which they were added, then by the time when they are to be
	// tried again. It does not return a task twice while the bucket is held, except those that a
	// Commit put off.
	Tasks(ctx context.Context, host string, n int) ([]Task, error)
	// Add is Run.Add, for a task of the bucket that leads to many URLs: before it is committed.
	Add(ctx context.Context, links []Link) (added int, err error)
	// Commit records ends of attempts and states of hosts, all or nothing. It returns ErrLate if
	// the bucket is no longer held. A task that is decided already is not changed.
	Commit(ctx context.Context, done []Done, hosts []Host) error
}
