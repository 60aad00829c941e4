package store

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver"
	"github.com/riverqueue/river/rivertype"

	"locator/scheme"
)

const (
	jobTimeout = 45 * time.Second // a worker returns a bucket after 30 seconds
	jobRescue  = 60 * time.Second // after which a job without an end is given to another worker
	jobKeep    = time.Minute      // how long a completed job is kept
	pollAlone  = 100 * time.Millisecond
	pollMany   = 500 * time.Millisecond
)

// holding is the job of a bucket.
type holding struct {
	Run    int64 `json:"run" river:"unique"`
	Bucket int64 `json:"bucket" river:"unique"`
}

// Kind is a method of river.JobArgs.
func (holding) Kind() string { return "check_bucket" }

// queueName returns the name of the queue of a run.
func queueName(run int64) string { return fmt.Sprintf("run_%d", run) }

// A queue is River on one of the databases.
type queue interface {
	// insert adds the job of a bucket, or returns the one that it has. A zero time means now.
	insert(ctx context.Context, q querier, args holding, at time.Time) (job int64, err error)
	// wake makes a job due now.
	wake(ctx context.Context, q querier, job int64) error
	// complete ends a job. It does nothing if the job has ended. It does not check whether another
	// worker has the job: the caller checks the turn of the bucket.
	complete(ctx context.Context, q querier, job *river.Job[holding]) error
	// worker returns a client that calls work for the jobs of queues that are added to it.
	worker(id string, work river.Worker[holding]) (worker, error)
}

// A worker is a river.Client.
type worker interface {
	Start(ctx context.Context) error
	StopAndCancel(ctx context.Context) error
	Queues() *river.QueueBundle
}

type riverQueue[T any] struct {
	driver   riverdriver.Driver[T]
	client   *river.Client[T] // inserts only
	pollOnly bool
	poll     time.Duration
	logger   *slog.Logger
}

func (r *riverQueue[T]) connect() (err error) {
	r.client, err = river.NewClient(r.driver, &river.Config{Logger: r.logger})
	return err
}

func (r *riverQueue[T]) insert(ctx context.Context, q querier, args holding, at time.Time) (int64, error) {
	opts := &river.InsertOpts{
		MaxAttempts: 32767, Queue: queueName(args.Run), ScheduledAt: at,
		UniqueOpts: river.UniqueOpts{ByArgs: true, ByState: []rivertype.JobState{
			rivertype.JobStateAvailable, rivertype.JobStatePending, rivertype.JobStateRetryable, rivertype.JobStateRunning, rivertype.JobStateScheduled,
		}},
	}
	res, err := r.client.InsertTx(ctx, q.raw().(T), args, opts)
	if err != nil {
		return 0, err
	}
	if !res.UniqueSkippedAsDuplicate && res.Job.State == rivertype.JobStateScheduled {
		// River looks for scheduled jobs every five seconds only, and for those that are available
		// each time; it waits for their time as well.
		_, err = q.exec(ctx, "UPDATE river_job SET state = 'available' WHERE id = ?1", res.Job.ID)
	}
	return res.Job.ID, err
}

func (r *riverQueue[T]) wake(ctx context.Context, q querier, job int64) error {
	_, err := r.client.JobRetryTx(ctx, q.raw().(T), job)
	if errors.Is(err, rivertype.ErrNotFound) {
		return nil
	}
	return err
}

func (r *riverQueue[T]) complete(ctx context.Context, q querier, job *river.Job[holding]) error {
	_, err := river.JobCompleteTx[riverdriver.Driver[T]](ctx, q.raw().(T), job)
	if errors.Is(err, rivertype.ErrNotFound) {
		return nil
	}
	return err
}

func (r *riverQueue[T]) worker(id string, work river.Worker[holding]) (worker, error) {
	if r.client == nil {
		return nil, scheme.Fail(scheme.CodeLocal, "the store was opened for reading only")
	}
	workers := river.NewWorkers()
	if err := river.AddWorkerSafely(workers, work); err != nil {
		return nil, err
	}
	return river.NewClient(r.driver, &river.Config{
		ID: id, Workers: workers, Logger: r.logger, PollOnly: r.pollOnly,
		// River takes a client without a queue for one that only inserts.
		Queues:     map[string]river.QueueConfig{river.QueueDefault: {MaxWorkers: 1, FetchPollInterval: time.Hour}},
		JobTimeout: jobTimeout, RescueStuckJobsAfter: jobRescue, RetryPolicy: retryNow{},
		FetchPollInterval: r.poll, FetchCooldown: min(r.poll, 100*time.Millisecond), CompletedJobRetentionPeriod: jobKeep,
	})
}

// retryNow is a retry policy without a pause.
type retryNow struct{}

// NextRetry is a method of river.ClientRetryPolicy.
func (retryNow) NextRetry(*rivertype.JobRow) time.Time { return time.Now() }
