//go:build 386 || arm || mips || mipsle

package store

import (
	"context"

	"locator/scheme"
)

// openSQLite fails: River's driver for SQLite has a number that does not fit into an int of these
// systems.
func openSQLite(context.Context, Options) (database, error) {
	return nil, scheme.Fail(scheme.CodeUnsupported, "runs are not kept in folders on systems of 32 bits; name a Postgres database")
}
