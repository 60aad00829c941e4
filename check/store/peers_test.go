package store_test

import (
	"crypto/rand"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"locator/check"
	"locator/check/store"
	"locator/check/store/storetest"
	"locator/internal/peers"
)

// newDatabase creates a database for a test, and returns its URL.
func newDatabase(t *testing.T, e *peers.Env) string {
	t.Helper()
	server := "postgres://" + e.User + ":" + e.Password + "@" + e.Addr(t, "postgres") + "/"
	conn, err := pgx.Connect(t.Context(), server+"postgres")
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(t.Context())
	name := "test" + strings.ToLower(rand.Text())
	if _, err := conn.Exec(t.Context(), "CREATE DATABASE "+name); err != nil {
		t.Fatal(err)
	}
	return server + name
}

func TestPostgres(t *testing.T) {
	t.Parallel()
	e := peers.Start(t, "postgres")
	storetest.Run(t, func(t *testing.T) check.Store {
		return open(t, store.Options{URL: newDatabase(t, e), Name: "suite"})
	})
}
