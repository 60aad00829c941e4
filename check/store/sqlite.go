//go:build !386 && !arm && !mips && !mipsle

package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"runtime"

	"github.com/ncruces/go-sqlite3"
	"github.com/ncruces/go-sqlite3/driver"
	"github.com/riverqueue/river/riverdriver/riversqlite"
	"github.com/riverqueue/river/rivermigrate"

	"locator/internal/diskfile"
	"locator/scheme"
)

// The files of a folder. SQLite adds two beside the first.
const (
	fileName = "check.db"
	lockName = "lock"
)

// sqlite is a database in a folder. All that writes has one connection, since SQLite has one
// writer; waiting for it is cheaper than for a lock of SQLite.
type sqlite struct {
	riverQueue[*sql.Tx]
	folder         string
	writer, reader *sql.DB
	lockFile       *os.File // nil if the store is read only
	statements     statements
}

// openSQLite opens or creates the database of a folder. Unless it is only read, it locks the folder
// and makes the jobs available on which a process worked that is gone.
func openSQLite(ctx context.Context, opts Options) (_ database, err error) {
	db := &sqlite{folder: opts.Folder}
	defer func() {
		if err != nil {
			db.close()
		}
	}()
	path := filepath.Join(opts.Folder, fileName)
	if opts.ReadOnly {
		if _, err := os.Stat(path); err != nil {
			return nil, err
		}
	} else if err := db.lockFolder(opts.Folder); err != nil {
		return nil, err
	}
	if db.reader, err = openFile(path, "&_pragma=query_only(1)"); err != nil {
		return nil, err
	}
	db.reader.SetMaxOpenConns(2)
	if opts.ReadOnly {
		have, err := storedVersion(ctx, db.view()) // what is read is the same in all versions
		if err == nil && have == 0 {
			err = fmt.Errorf("%s has no run: %w", opts.Folder, fs.ErrNotExist)
		}
		return db, err
	}
	if db.writer, err = openFile(path, "&_txlock=immediate"); err != nil {
		return nil, err
	}
	db.writer.SetMaxOpenConns(1)
	river := riversqlite.New(db.writer)
	db.riverQueue = riverQueue[*sql.Tx]{driver: river, pollOnly: true, poll: pollAlone, logger: opts.Logger}
	if err := db.connect(); err != nil {
		return nil, err
	}
	migrator, err := rivermigrate.New(river, &rivermigrate.Config{Logger: opts.Logger})
	if err != nil {
		return nil, err
	}
	return db, db.update(ctx, func(q querier) error {
		if _, err := q.exec(ctx, "CREATE TABLE IF NOT EXISTS schema_version (version BIGINT)"); err != nil {
			return err
		}
		if err := upgrade(ctx, q, db.serial(), func() error {
			//lint:ignore SA1019 those that need transactions of their own are of Postgres, and a folder is made whole or not at all
			_, err := migrator.MigrateTx(ctx, q.raw().(*sql.Tx), rivermigrate.DirectionUp, nil)
			return err
		}); err != nil {
			return err
		}
		if _, err := q.exec(ctx, "UPDATE river_job SET state = 'available', attempt = 0 WHERE state IN ('running', 'retryable')"); err != nil {
			return err
		}
		_, err := q.exec(ctx, "DELETE FROM river_leader")
		return err
	})
}

// lockFolder creates the folder and its files, for the user alone, and locks it.
func (db *sqlite) lockFolder(folder string) (err error) {
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return err
	}
	if db.lockFile, err = os.OpenFile(filepath.Join(folder, lockName), os.O_RDWR|os.O_CREATE, 0o600); err != nil {
		return err
	}
	err = diskfile.Lock(db.lockFile, false)
	if errors.Is(err, diskfile.ErrLocked) {
		return scheme.Fail(scheme.CodeLocal, "another process works on the run in %s; wait until it ends, or name another folder", folder)
	}
	if err != nil {
		return err
	}
	f, err := os.OpenFile(filepath.Join(folder, fileName), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	return f.Close()
}

// openFile opens a database. The file must be named in full: SQLite reads "//" as a host.
func openFile(path, more string) (*sql.DB, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	path = filepath.ToSlash(path)
	if runtime.GOOS == "windows" {
		path = "/" + path
	}
	name := url.URL{Scheme: "file", Path: path}
	return driver.Open(name.String() + "?_pragma=busy_timeout(60000)&_pragma=journal_mode(wal)&_pragma=synchronous(normal)&_pragma=cache_size(-32768)&_pragma=temp_store(memory)" + more)
}

func (db *sqlite) update(ctx context.Context, do func(querier) error) (err error) {
	if db.writer == nil {
		return scheme.Fail(scheme.CodeLocal, "the store was opened for reading only")
	}
	defer func() {
		if errors.Is(err, sqlite3.FULL) || errors.Is(err, sqlite3.IOERR) {
			err = fmt.Errorf("the disk of %s is full, or it fails: %w", db.folder, err)
		}
	}()
	tx, err := db.writer.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if err := do(sqlQuerier{&preparedTx{tx, &db.statements}, tx}); err != nil {
		return err
	}
	if err := tx.Commit(); err != nil {
		return err
	}
	db.statements.prepare(ctx, db.writer)
	return nil
}

func (db *sqlite) view() querier { return sqlQuerier{db.reader, nil} }

func (db *sqlite) transient(err error) bool { return errors.Is(err, sqlite3.BUSY) }

func (*sqlite) serial() string { return "INTEGER PRIMARY KEY" }

func (*sqlite) lock() string { return "" }

func (db *sqlite) close() error {
	var errs []error
	for _, d := range []*sql.DB{db.reader, db.writer} {
		if d != nil {
			errs = append(errs, d.Close())
		}
	}
	if db.lockFile != nil {
		diskfile.Unlock(db.lockFile)
		errs = append(errs, db.lockFile.Close())
	}
	return errors.Join(errs...)
}

// sqlQuerier is a querier of package database/sql.
type sqlQuerier struct {
	db interface {
		ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
		QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	}
	tx *sql.Tx
}

func (q sqlQuerier) exec(ctx context.Context, statement string, args ...any) (int64, error) {
	res, err := q.db.ExecContext(ctx, statement, args...)
	if err != nil {
		return 0, err
	}
	return res.RowsAffected()
}

func (q sqlQuerier) later(ctx context.Context, statement string, args ...any) error {
	_, err := q.db.ExecContext(ctx, statement, args...)
	return err
}

func (q sqlQuerier) query(ctx context.Context, row func(func(...any) error) error, statement string, args ...any) error {
	rows, err := q.db.QueryContext(ctx, statement, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := row(rows.Scan); err != nil {
			return err
		}
	}
	return rows.Err()
}

func (q sqlQuerier) raw() any { return q.tx }
