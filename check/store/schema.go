package store

import (
	"context"
	"strconv"
	"strings"

	"locator/scheme"
)

// version is that of the tables below. It rises with each change of them, and of River's.
const version = 2

// shared are the tables that all runs share. Text is kept as bytes, because Postgres refuses text
// that is not valid UTF-8. Times are milliseconds since 1970; 0 means none.
const shared = `
CREATE TABLE runs (id BIGINT PRIMARY KEY, name BYTEA NOT NULL, number BIGINT NOT NULL, settings BYTEA NOT NULL, buckets BIGINT NOT NULL,
	begun BIGINT NOT NULL, ended BIGINT NOT NULL, sealed BIGINT NOT NULL, UNIQUE (name, number));
CREATE TABLE history (name BYTEA NOT NULL, hash BYTEA NOT NULL, memory BYTEA NOT NULL, PRIMARY KEY (name, hash));
CREATE TABLE numbers (name BYTEA PRIMARY KEY, last BIGINT NOT NULL)`

// putOffOnce is the number of attempts of a task without any that has Task.PutOff.
const putOffOnce = -1

// perRun are the tables of a run, whose id replaces N.
//
// buckets.job is the River job of a bucket with open URLs, wakes is when it is due, and seen is the
// time of the last hold. hosts.waiting is how many of the open URLs were put off; those up to the
// id in cursor were tried. waiting.attempts is putOffOnce for a URL that was put off once without
// a request. hosts.v0 and so on count the URLs with each verdict. hosts.answered is Host.Answered,
// separated by spaces; version 1 did not have it.
const perRun = `
CREATE TABLE buckets_N (n BIGINT PRIMARY KEY, turn BIGINT NOT NULL, job BIGINT NOT NULL, wakes BIGINT NOT NULL, seen BIGINT NOT NULL);
CREATE TABLE hosts_N (id SERIAL_KEY, bucket BIGINT NOT NULL, name BYTEA NOT NULL, next BIGINT NOT NULL, asked BIGINT NOT NULL, cursor BIGINT NOT NULL,
	open BIGINT NOT NULL, waiting BIGINT NOT NULL, v0 BIGINT NOT NULL, v1 BIGINT NOT NULL, v2 BIGINT NOT NULL, v3 BIGINT NOT NULL,
	v4 BIGINT NOT NULL, v5 BIGINT NOT NULL, v6 BIGINT NOT NULL, answered BYTEA, UNIQUE (bucket, name));
CREATE TABLE urls_N (id SERIAL_KEY, hash BYTEA NOT NULL UNIQUE, host BIGINT NOT NULL, url BYTEA NOT NULL, key BYTEA, depth BIGINT NOT NULL,
	places BIGINT NOT NULL);
CREATE INDEX urls_N_host ON urls_N (host, id);
CREATE TABLE waiting_N (id BIGINT PRIMARY KEY, host BIGINT NOT NULL, due BIGINT NOT NULL, attempts BIGINT NOT NULL);
CREATE INDEX waiting_N_host ON waiting_N (host, due);
CREATE TABLE results_N (id BIGINT PRIMARY KEY, result BYTEA NOT NULL);
CREATE TABLE files_N (id SERIAL_KEY, hash BYTEA NOT NULL UNIQUE, name BYTEA NOT NULL);
CREATE TABLE places_N (url BIGINT NOT NULL, file BIGINT NOT NULL, line BIGINT NOT NULL, col BIGINT NOT NULL, PRIMARY KEY (url, file, line, col))`

// dropOrder has the tables of a run. That of buckets is first, as in each transaction that locks
// something.
var dropOrder = [...]string{"buckets", "hosts", "urls", "waiting", "results", "files", "places"}

// create executes statements, with the dialect's word for a primary key that numbers itself.
func create(ctx context.Context, q querier, serial, statements string) error {
	for s := range strings.SplitSeq(strings.ReplaceAll(statements, "SERIAL_KEY", serial), ";") {
		if _, err := q.exec(ctx, s); err != nil {
			return err
		}
	}
	return nil
}

// storedVersion returns the version of the tables, 0 if there are none. It refuses a newer one. The
// caller has created the table schema_version.
func storedVersion(ctx context.Context, q querier) (have int64, err error) {
	err = q.query(ctx, func(scan func(...any) error) error { return scan(&have) }, "SELECT version FROM schema_version")
	if err == nil && have > version {
		err = scheme.Fail(scheme.CodeLocal, "the store was written by a newer version of this program (schema %d; this one reads up to %d); use that version, or another folder or database", have, version)
	}
	return have, err
}

// upgrade creates the shared tables if there are none, after it has called migrate for those of
// River, and changes tables of an older version.
func upgrade(ctx context.Context, q querier, serial string, migrate func() error) error {
	have, err := storedVersion(ctx, q)
	if err != nil || have == version {
		return err
	}
	if have == 1 {
		var runs []int64
		if err := q.query(ctx, func(scan func(...any) error) error {
			runs = append(runs, 0)
			return scan(&runs[len(runs)-1])
		}, "SELECT id FROM runs"); err != nil {
			return err
		}
		for _, id := range runs {
			if _, err := q.exec(ctx, "ALTER TABLE hosts_"+strconv.FormatInt(id, 10)+" ADD COLUMN answered BYTEA"); err != nil {
				return err
			}
		}
		_, err := q.exec(ctx, "UPDATE schema_version SET version = ?1", version)
		return err
	}
	if err := migrate(); err != nil {
		return err
	}
	if err := create(ctx, q, serial, shared); err != nil {
		return err
	}
	_, err = q.exec(ctx, "INSERT INTO schema_version (version) VALUES (?1)", version)
	return err
}
