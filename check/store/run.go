package store

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"iter"
	"slices"
	"strings"

	"locator/check"
)

// run is a run. Its id names its tables, and its number the run in the history of its name.
type run struct {
	s          *store
	id, number int64
	name       []byte
	settings   json.RawMessage
	buckets    int
	ids        ids
}

func (r *run) Info(ctx context.Context) (check.RunInfo, error) {
	info := check.RunInfo{ID: r.id, Number: r.number, Settings: r.settings}
	found := false
	err := r.s.query(ctx, func() {}, func(scan func(...any) error) error {
		var begun, ended, sealed int64
		err := scan(&begun, &ended, &sealed)
		info.Begun, info.Ended, info.Sealed, found = moment(begun), moment(ended), sealed != 0, true
		return err
	}, "SELECT begun, ended, sealed FROM runs WHERE id = ?1", r.id)
	if err != nil {
		return info, err
	}
	if !found {
		return info, fmt.Errorf("run %d was dropped: %w", r.number, fs.ErrNotExist)
	}
	var columns, sums strings.Builder
	for i := range check.Verdicts() {
		fmt.Fprintf(&columns, ", v%d", i)
		fmt.Fprintf(&sums, ", CAST(COALESCE(SUM(v%d), 0) AS BIGINT)", i)
	}
	err = r.s.query(ctx, func() {}, func(scan func(...any) error) error {
		n := make([]int64, len(check.Verdicts()))
		to := []any{&info.Open}
		for i := range n {
			to = append(to, &n[i])
		}
		if err := scan(to...); err != nil {
			return err
		}
		info.Verdicts = make(map[check.Verdict]int64)
		for i, v := range check.Verdicts() {
			if n[i] > 0 {
				info.Verdicts[v] = n[i]
			}
		}
		return nil
	}, r.sql("SELECT CAST(COALESCE(SUM(open), 0) AS BIGINT)"+sums.String()+" FROM hosts_N"))
	return info, r.gone(ctx, err)
}

func (r *run) Seal(ctx context.Context) error {
	return r.s.update(ctx, func(q querier) error {
		n, err := q.exec(ctx, "UPDATE runs SET sealed = 1 WHERE id = ?1", r.id)
		if err == nil && n == 0 {
			return fmt.Errorf("run %d was dropped: %w", r.number, fs.ErrNotExist)
		}
		return err
	})
}

// end records that the run has ended if it is sealed and no bucket has an open URL, and reports
// whether it has ended. A URL that a page adds is added before the bucket of the page ends.
func (r *run) end(ctx context.Context) (ended bool, err error) {
	at := int64(-1)
	err = r.s.query(ctx, func() {}, func(scan func(...any) error) error { return scan(&at) },
		r.sql("SELECT CASE WHEN ended = 0 AND sealed = 1 AND NOT EXISTS (SELECT 1 FROM buckets_N WHERE job <> 0) THEN -2 ELSE ended END FROM runs WHERE id = ?1"), r.id)
	if err != nil {
		return false, r.gone(ctx, err)
	}
	if at == -1 {
		return false, fmt.Errorf("run %d was dropped: %w", r.number, fs.ErrNotExist)
	}
	if at != -2 {
		return at != 0, nil
	}
	n := int64(0)
	err = r.s.update(ctx, func(q querier) (err error) {
		n, err = q.exec(ctx, r.sql("UPDATE runs SET ended = ?1 WHERE id = ?2 AND ended = 0 AND sealed = 1 AND NOT EXISTS (SELECT 1 FROM buckets_N WHERE job <> 0)"), r.s.now(), r.id)
		return err
	})
	return n > 0, r.gone(ctx, err)
}

func (r *run) Progress(ctx context.Context) (p check.Progress, err error) {
	if p.RunInfo, err = r.Info(ctx); err != nil {
		return p, err
	}
	if err := r.s.query(ctx, func() {}, func(scan func(...any) error) error { return scan(&p.Hosts) },
		r.sql("SELECT COUNT(*) FROM hosts_N WHERE open > 0")); err != nil {
		return p, r.gone(ctx, err)
	}
	var failed []string
	for i, v := range check.Verdicts() {
		if v == check.Broken || v == check.Failing || v == check.Unsure {
			failed = append(failed, fmt.Sprintf("v%d", i))
		}
	}
	err = r.s.query(ctx, func() { p.Worst = nil }, func(scan func(...any) error) error {
		var name []byte
		var c check.HostCount
		err := scan(&name, &c.Failed, &c.Open)
		c.Host = string(name)
		p.Worst = append(p.Worst, c)
		return err
	}, r.sql(fmt.Sprintf("SELECT name, CAST(SUM(%[1]s) AS BIGINT) AS failed, CAST(SUM(open) AS BIGINT) FROM hosts_N WHERE %[1]s > 0 GROUP BY name ORDER BY failed DESC, name LIMIT %[2]d",
		strings.Join(failed, " + "), check.MaxWorst)))
	return p, r.gone(ctx, err)
}

const (
	resultPage = 500    // results that are read at once
	placePage  = 20_000 // places of them
)

func (r *run) Results(ctx context.Context) iter.Seq2[*check.Result, error] {
	return func(yield func(*check.Result, error) bool) {
		for last := int64(0); ; {
			page, next, err := r.page(ctx, last)
			if err != nil {
				yield(nil, r.gone(ctx, err))
				return
			}
			if len(page) == 0 {
				return
			}
			for _, res := range page {
				if !yield(res, nil) {
					return
				}
			}
			last = next
		}
	}
}

// page returns the results that follow an id, and the id of the last of them.
func (r *run) page(ctx context.Context, after int64) (page []*check.Result, last int64, err error) {
	var at []int64
	places := int64(0)
	err = r.s.query(ctx, func() { page, at, places = nil, nil, 0 }, func(scan func(...any) error) error {
		var id, n int64
		var text []byte
		if err := scan(&id, &n, &text); err != nil {
			return err
		}
		if places += n; places > placePage && len(page) > 0 {
			return nil // the next page has it
		}
		res := new(check.Result)
		page, at = append(page, res), append(at, id)
		return json.Unmarshal(text, res)
	}, r.sql("SELECT u.id, u.places, r.result FROM results_N r JOIN urls_N u ON u.id = r.id WHERE r.id > ?1 ORDER BY r.id LIMIT ?2"), after, int64(resultPage))
	if err != nil || len(page) == 0 {
		return nil, 0, err
	}
	last = at[len(at)-1]
	err = r.s.query(ctx, func() {
		for _, res := range page {
			res.Sources = nil
		}
	}, func(scan func(...any) error) error {
		var url int64
		var line, col int64
		var file []byte
		if err := scan(&url, &file, &line, &col); err != nil {
			return err
		}
		if i, ok := slices.BinarySearch(at, url); ok {
			page[i].Sources = append(page[i].Sources, check.Place{File: string(file), Line: int(line), Column: int(col)})
		}
		return nil
	}, r.sql("SELECT p.url, f.name, p.line, p.col FROM places_N p JOIN files_N f ON f.id = p.file WHERE p.url > ?1 AND p.url <= ?2 ORDER BY p.url, p.file, p.line, p.col"), after, last)
	return page, last, err
}
