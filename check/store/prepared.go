package store

import (
	"context"
	"database/sql"
	"sync"
)

// Statements of that length are prepared once: to parse one takes as long as to execute it.
const (
	longStatement = 400
	maxPrepared   = 64
)

// statements are the prepared statements of the connection that writes. One cannot be prepared in a
// transaction, which has the connection; so it is when the first one that used it has ended.
type statements struct {
	mu       sync.Mutex
	prepared map[string]*sql.Stmt
	wanted   []string
}

// get returns a prepared statement; nil if there is none.
func (s *statements) get(statement string) *sql.Stmt {
	if len(statement) < longStatement {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	p, ok := s.prepared[statement]
	if !ok {
		s.wanted = append(s.wanted, statement)
	}
	return p
}

// prepare prepares the statements that get was asked for. It holds no lock while it waits for the
// connection, since the transaction that has it may wait for the lock.
func (s *statements) prepare(ctx context.Context, db *sql.DB) {
	s.mu.Lock()
	wanted := s.wanted
	s.wanted = nil
	s.mu.Unlock()
	for _, statement := range wanted {
		p, err := db.PrepareContext(ctx, statement)
		if err != nil {
			continue // such as for a table that was dropped
		}
		s.put(statement, p)
	}
}

func (s *statements) put(statement string, p *sql.Stmt) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.prepared[statement] != nil {
		p.Close()
		return
	}
	if s.prepared == nil {
		s.prepared = make(map[string]*sql.Stmt)
	}
	if len(s.prepared) >= maxPrepared {
		for _, old := range s.prepared {
			old.Close() // one that is in use is closed after that
		}
		clear(s.prepared)
	}
	s.prepared[statement] = p
}

// preparedTx is a transaction that uses them.
type preparedTx struct {
	tx *sql.Tx
	*statements
}

func (t *preparedTx) ExecContext(ctx context.Context, statement string, args ...any) (sql.Result, error) {
	if p := t.get(statement); p != nil {
		return t.tx.StmtContext(ctx, p).ExecContext(ctx, args...)
	}
	return t.tx.ExecContext(ctx, statement, args...)
}

func (t *preparedTx) QueryContext(ctx context.Context, statement string, args ...any) (*sql.Rows, error) {
	if p := t.get(statement); p != nil {
		return t.tx.StmtContext(ctx, p).QueryContext(ctx, args...)
	}
	return t.tx.QueryContext(ctx, statement, args...)
}
