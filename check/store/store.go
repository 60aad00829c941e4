package store

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io/fs"
	"log/slog"
	"strconv"
	"strings"

	"locator/check"
	"locator/internal/clock"
	"locator/scheme"
)

// Options say where a store is. Either Folder or URL is needed.
type Options struct {
	Folder string // of the SQLite database, which is created; one process at a time may write to it
	// URL is that of a Postgres database, postgres://USER:PASSWORD@HOST/DATABASE. The tables are in
	// a schema of their own, locator_check. Parameters of it may be pool_max_conns, of which at
	// least 2 are used, and settings of the connections, such as lock_timeout.
	URL string
	// Name keeps the runs of a Postgres database and their histories apart. Work works on the runs
	// of all names if it is empty.
	Name     string
	ReadOnly bool         // a folder is opened beside the process that works on it, if any
	Buckets  int          // of a new run; 0 means 256
	Clock    scheme.Clock // nil means that of the system
	Logger   *slog.Logger // of what River reports; nil discards it
}

type store struct {
	db      database
	name    []byte
	buckets int
	clock   scheme.Clock
}

// Open opens a store. The caller must Close it. The error has the code CodeLocal if another process
// works in the folder, or if a newer version of the program wrote the store; it matches
// fs.ErrNotExist if there is none to be read.
func Open(ctx context.Context, opts Options) (check.Store, error) {
	if opts.Logger == nil {
		opts.Logger = slog.New(slog.DiscardHandler)
	}
	if opts.Buckets <= 0 {
		opts.Buckets = 256
	}
	if opts.Clock == nil {
		opts.Clock = clock.System{}
	}
	open := openSQLite
	if opts.URL != "" {
		open = openPostgres
	}
	db, err := open(ctx, opts)
	if err != nil {
		return nil, wrap(ctx, err)
	}
	return &store{db: db, name: []byte(opts.Name), buckets: opts.Buckets, clock: opts.Clock}, nil
}

func (s *store) Close() error { return s.db.close() }

func (s *store) now() int64 { return s.clock.Now().UnixMilli() }

func (s *store) Begin(ctx context.Context, settings json.RawMessage) (check.Run, error) {
	if settings == nil {
		settings = json.RawMessage("null")
	}
	r := &run{s: s, name: s.name, settings: settings, buckets: s.buckets}
	// The numbers are taken first, so that a run is not begun twice if the end of a transaction is
	// lost and it is tried again.
	if err := s.update(ctx, func(q querier) error {
		_, err := q.exec(ctx, "INSERT INTO numbers (name, last) VALUES (?1, 0) ON CONFLICT (name) DO NOTHING", s.name)
		if err != nil {
			return err
		}
		if err := q.query(ctx, func(scan func(...any) error) error { return scan(&r.number) },
			"UPDATE numbers SET last = last + 1 WHERE name = ?1 RETURNING last", s.name); err != nil {
			return err
		}
		return q.query(ctx, func(scan func(...any) error) error { return scan(&r.id) },
			"INSERT INTO numbers (name, last) VALUES (?1, 1) ON CONFLICT (name) DO UPDATE SET last = numbers.last + 1 RETURNING last", []byte("\x00ids"))
	}); err != nil {
		return nil, err
	}
	return r, s.update(ctx, func(q querier) error {
		n, err := q.exec(ctx, "INSERT INTO runs (id, name, number, settings, buckets, begun, ended, sealed) VALUES (?1, ?2, ?3, ?4, ?5, ?6, 0, 0) ON CONFLICT (id) DO NOTHING",
			r.id, s.name, r.number, []byte(settings), int64(s.buckets), s.now())
		if err != nil || n == 0 {
			return err
		}
		if err := create(ctx, q, s.db.serial(), r.sql(perRun)); err != nil {
			return err
		}
		for n := range s.buckets {
			if _, err := q.exec(ctx, r.sql("INSERT INTO buckets_N (n, turn, job, wakes, seen) VALUES (?1, 0, 0, 0, 0)"), int64(n)); err != nil {
				return err
			}
		}
		return nil
	})
}

func (s *store) Open(ctx context.Context, number int64) (check.Run, error) {
	where, args := "name = ?1 ORDER BY number DESC LIMIT 1", []any{s.name}
	if number != 0 {
		where, args = "name = ?1 AND number = ?2", append(args, number)
	}
	runs, err := s.list(ctx, where, args...)
	if err != nil {
		return nil, err
	}
	if len(runs) == 0 {
		if number == 0 {
			return nil, fmt.Errorf("no run in the store: %w", fs.ErrNotExist)
		}
		return nil, fmt.Errorf("run %d: %w", number, fs.ErrNotExist)
	}
	return runs[0], nil
}

// list returns the runs for which a condition holds.
func (s *store) list(ctx context.Context, where string, args ...any) (runs []*run, err error) {
	return runs, s.query(ctx, func() { runs = nil }, func(scan func(...any) error) error {
		r := &run{s: s}
		runs = append(runs, r)
		return scan(&r.id, &r.name, &r.number, (*[]byte)(&r.settings), &r.buckets)
	}, "SELECT id, name, number, settings, buckets FROM runs WHERE "+where, args...)
}

func (s *store) Runs(ctx context.Context) ([]check.RunInfo, error) {
	runs, err := s.list(ctx, "name = ?1 ORDER BY number", s.name)
	if err != nil {
		return nil, err
	}
	list := make([]check.RunInfo, 0, len(runs))
	for _, r := range runs {
		info, err := r.Info(ctx)
		if err != nil {
			return nil, err
		}
		list = append(list, info)
	}
	return list, nil
}

func (s *store) Drop(ctx context.Context, number int64) error {
	return s.update(ctx, func(q querier) error {
		id := int64(0)
		if err := q.query(ctx, func(scan func(...any) error) error { return scan(&id) },
			"DELETE FROM runs WHERE name = ?1 AND number = ?2 RETURNING id", s.name, number); err != nil {
			return err
		}
		if id == 0 {
			return fmt.Errorf("run %d: %w", number, fs.ErrNotExist)
		}
		for _, table := range dropOrder {
			if _, err := q.exec(ctx, "DROP TABLE "+table+"_"+strconv.FormatInt(id, 10)); err != nil {
				return err
			}
		}
		_, err := q.exec(ctx, "DELETE FROM river_job WHERE queue = ?1", queueName(id))
		return err
	})
}

// hash identifies a text, 16 bytes long.
func hash(text string) []byte {
	sum := sha256.Sum256([]byte(text))
	return sum[:16]
}

// sql returns a statement with the tables of the run.
func (r *run) sql(statement string) string {
	return strings.ReplaceAll(statement, "_N", "_"+strconv.FormatInt(r.id, 10))
}

// gone returns fs.ErrNotExist for an error that comes from a run that was dropped.
func (r *run) gone(ctx context.Context, err error) error {
	if err == nil || ctx.Err() != nil {
		return err
	}
	if runs, e := r.s.list(ctx, "id = ?1", r.id); e == nil && len(runs) == 0 {
		return fmt.Errorf("run %d was dropped: %w", r.number, fs.ErrNotExist)
	}
	return err
}
