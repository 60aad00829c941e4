package store

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"sync"

	"locator/check"
)

// bucket is a bucket in a turn.
type bucket struct {
	r       *run
	n, turn int64

	mu    sync.Mutex
	hosts map[string]*hostTasks
}

// hostTasks is what a bucket gave out of a host in this turn.
type hostTasks struct {
	sync.Mutex // held while tasks are read
	id         int64
	cursor     int64          // of fresh tasks, those up to it were given out
	out        map[int64]bool // the tasks that are neither decided nor put off since; true if they were fresh
}

func (b *bucket) Run() check.RunInfo {
	return check.RunInfo{ID: b.r.id, Number: b.r.number, Settings: b.r.settings}
}

func (b *bucket) Add(ctx context.Context, links []check.Link) (int, error) {
	return b.r.Add(ctx, links)
}

func (b *bucket) Hosts(ctx context.Context) (list []check.Host, err error) {
	found := make(map[string]*hostTasks)
	err = b.r.s.query(ctx, func() { list = nil }, func(scan func(...any) error) error {
		var name, answered []byte
		var next, asked int64
		h := &hostTasks{out: make(map[int64]bool)}
		if err := scan(&h.id, &name, &next, &asked, &h.cursor, &answered); err != nil {
			return err
		}
		found[string(name)] = h
		list = append(list, check.Host{Name: string(name), Next: moment(next), Asked: asked != 0, Answered: strings.Fields(string(answered))})
		return nil
	}, b.r.sql("SELECT id, name, next, asked, cursor, answered FROM hosts_N WHERE bucket = ?1 AND open > 0 ORDER BY id"), b.n)
	if err != nil {
		return nil, b.r.gone(ctx, err)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	for name, h := range found {
		if b.hosts[name] == nil {
			b.hosts[name] = h
		}
	}
	return list, nil
}

func (b *bucket) host(name string) *hostTasks {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.hosts[name]
}

func (b *bucket) Tasks(ctx context.Context, host string, n int) (list []check.Task, err error) {
	h := b.host(host)
	if h == nil {
		if _, err := b.Hosts(ctx); err != nil {
			return nil, err
		}
		if h = b.host(host); h == nil {
			return nil, nil
		}
	}
	h.Lock()
	defer h.Unlock()
	for _, from := range []func(context.Context, string, *hostTasks, int) ([]check.Task, error){b.postponed, b.fresh, b.failed} {
		if len(list) >= n {
			break
		}
		more, err := from(ctx, host, h, n-len(list))
		if err != nil {
			return nil, b.r.gone(ctx, err)
		}
		list = append(list, more...)
	}
	return list, nil
}

// fresh returns tasks that were not tried.
func (b *bucket) fresh(ctx context.Context, host string, h *hostTasks, n int) ([]check.Task, error) {
	list, err := b.read(ctx, host, `SELECT u.id, u.url, u.key, u.depth, 0, m.memory FROM urls_N u LEFT JOIN history m ON m.name = ?1 AND m.hash = u.hash
		WHERE u.host = ?2 AND u.id > ?3 AND NOT EXISTS (SELECT 1 FROM results_N r WHERE r.id = u.id) AND NOT EXISTS (SELECT 1 FROM waiting_N w WHERE w.id = u.id)
		ORDER BY u.id LIMIT ?4`, b.r.name, h.id, h.cursor, int64(n))
	for _, t := range list {
		h.cursor, h.out[t.ID] = t.ID, true
	}
	return list, err
}

// postponed returns due tasks that were put off, but have not failed.
func (b *bucket) postponed(ctx context.Context, host string, h *hostTasks, n int) ([]check.Task, error) {
	return b.waiting(ctx, host, h, n, "attempts = 0", "id")
}

// failed returns due tasks that failed, or were put off once without a request.
func (b *bucket) failed(ctx context.Context, host string, h *hostTasks, n int) ([]check.Task, error) {
	return b.waiting(ctx, host, h, n, "attempts <> 0", "due, w.id")
}

func (b *bucket) waiting(ctx context.Context, host string, h *hostTasks, n int, which, order string) ([]check.Task, error) {
	all, err := b.read(ctx, host, `SELECT u.id, u.url, u.key, u.depth, w.attempts, m.memory FROM waiting_N w JOIN urls_N u ON u.id = w.id
		LEFT JOIN history m ON m.name = ?1 AND m.hash = u.hash WHERE w.host = ?2 AND w.due <= ?3 AND w.`+which+" ORDER BY w."+order+" LIMIT ?4",
		b.r.name, h.id, b.r.s.now(), int64(n+len(h.out)))
	if err != nil {
		return nil, err
	}
	var list []check.Task
	for _, t := range all {
		if _, out := h.out[t.ID]; !out && len(list) < n {
			h.out[t.ID] = false
			list = append(list, t)
		}
	}
	return list, nil
}

func (b *bucket) read(ctx context.Context, host, statement string, args ...any) (list []check.Task, err error) {
	return list, b.r.s.query(ctx, func() { list = nil }, func(scan func(...any) error) error {
		t := check.Task{Host: host}
		var url, key, before []byte
		var depth, attempts int64
		if err := scan(&t.ID, &url, &key, &depth, &attempts, &before); err != nil {
			return err
		}
		t.URL, t.Key, t.Depth, t.Attempts, t.PutOff = string(url), string(url), int(depth), max(0, int(attempts)), attempts == putOffOnce
		if key != nil {
			t.Key = string(key)
		}
		if before != nil {
			t.Before = new(check.Memory)
			if err := json.Unmarshal(before, t.Before); err != nil {
				return err
			}
		}
		list = append(list, t)
		return nil
	}, b.r.sql(statement), args...)
}

func (b *bucket) Commit(ctx context.Context, done []check.Done, hosts []check.Host) error {
	var a *adding
	err := b.r.s.update(ctx, func(q querier) error {
		var found []check.Link
		for _, d := range done {
			found = append(found, d.Found...)
		}
		a = b.r.adding(found)
		locked, err := b.r.lock(ctx, q, append(a.buckets(), b.n))
		if err != nil {
			return err
		}
		if row := locked[b.n]; row == nil || row.turn != b.turn {
			return check.ErrLate
		}
		if err := b.commit(ctx, q, done, hosts); err != nil || len(found) == 0 {
			return err
		}
		return a.add(ctx, q, locked)
	})
	if err != nil {
		return b.r.gone(ctx, err)
	}
	a.remember()
	for _, d := range done {
		if h := b.host(d.Task.Host); h != nil {
			h.Lock()
			delete(h.out, d.Task.ID)
			h.Unlock()
		}
	}
	return nil
}

// commit records ends of attempts, each once.
func (b *bucket) commit(ctx context.Context, q querier, done []check.Done, hosts []check.Host) error {
	decided, waits, err := b.known(ctx, q, done)
	if err != nil {
		return err
	}
	changes := make(map[int64]*counts)
	gone := make(map[int64]bool) // from the output of hosts
	var results []result
	var memories []memory
	var leave, put []int64
	puts := make(map[int64]check.Done)
	for _, d := range done {
		h := b.host(d.Task.Host)
		if h == nil || gone[d.Task.ID] {
			continue
		}
		gone[d.Task.ID] = true
		if decided[d.Task.ID] {
			continue
		}
		c := changes[h.id]
		if c == nil {
			c = new(counts)
			changes[h.id] = c
		}
		if d.Result == nil {
			if !waits[d.Task.ID] {
				c.waiting++
			}
			put = append(put, d.Task.ID)
			puts[d.Task.ID] = d
			continue
		}
		c.open--
		c.verdicts[verdict(d.Result.Verdict)]++
		if waits[d.Task.ID] {
			c.waiting--
			leave = append(leave, d.Task.ID)
		}
		results = append(results, result{d.Task.ID, d.Result})
		if d.Result.Memory != nil {
			memories = append(memories, memory{hash(d.Task.Key), d.Result.Memory})
		}
	}
	if err := b.r.insertResults(ctx, q, results); err != nil {
		return err
	}
	if err := b.putOff(ctx, q, put, puts); err != nil {
		return err
	}
	if err := chunks(leave, func(part []int64) error {
		return q.later(ctx, b.r.sql("DELETE FROM waiting_N WHERE id IN "+in(len(part))), anys(part)...)
	}); err != nil {
		return err
	}
	if err := b.r.count(ctx, q, changes); err != nil {
		return err
	}
	if err := b.r.keep(ctx, q, memories); err != nil {
		return err
	}
	return b.states(ctx, q, done, gone, hosts)
}

// known returns which tasks are decided, and which were put off.
func (b *bucket) known(ctx context.Context, q querier, done []check.Done) (decided, waits map[int64]bool, err error) {
	ids := make([]int64, 0, len(done))
	for _, d := range done {
		ids = append(ids, d.Task.ID)
	}
	found := []map[int64]bool{make(map[int64]bool), make(map[int64]bool)}
	err = lookups(ids, func(part []int64) error {
		return q.query(ctx, func(scan func(...any) error) error {
			var id, table int64
			err := scan(&id, &table)
			found[table][id] = true
			return err
		}, b.r.sql("SELECT id, 0 FROM results_N WHERE id IN "+in(len(part))+" UNION ALL SELECT id, 1 FROM waiting_N WHERE id IN "+in(len(part))), anys(part)...)
	})
	return found[0], found[1], err
}

func (b *bucket) putOff(ctx context.Context, q querier, put []int64, puts map[int64]check.Done) error {
	return chunks(put, func(part []int64) error {
		var args []any
		for _, id := range part {
			d := puts[id]
			attempts := int64(d.Task.Attempts)
			if d.Counts {
				attempts++
			} else if attempts == 0 && d.Task.PutOff {
				attempts = putOffOnce
			}
			args = append(args, id, b.host(d.Task.Host).id, millis(d.Again), attempts)
		}
		return q.later(ctx, b.r.sql("INSERT INTO waiting_N (id, host, due, attempts) VALUES "+values(len(part), 4, false)+
			" ON CONFLICT (id) DO UPDATE SET due = excluded.due, attempts = excluded.attempts"), args...)
	})
}

// states writes the states of hosts, and up to which id all their tasks were tried.
func (b *bucket) states(ctx context.Context, q querier, done []check.Done, gone map[int64]bool, hosts []check.Host) error {
	names := make(map[string]*check.Host)
	for _, d := range done {
		names[d.Task.Host] = nil
	}
	for i := range hosts {
		names[hosts[i].Name] = &hosts[i]
	}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		h := b.host(name)
		if h == nil {
			continue
		}
		h.Lock()
		cursor := h.cursor
		for id, fresh := range h.out {
			if fresh && !gone[id] {
				cursor = min(cursor, id-1)
			}
		}
		h.Unlock()
		var err error
		if state := names[name]; state == nil {
			err = q.later(ctx, b.r.sql("UPDATE hosts_N SET cursor = ?1 WHERE id = ?2 AND cursor < ?1"), cursor, h.id)
		} else {
			err = q.later(ctx, b.r.sql("UPDATE hosts_N SET cursor = ?1, next = ?2, asked = ?3, answered = ?4 WHERE id = ?5"),
				cursor, millis(state.Next), flag(state.Asked), []byte(strings.Join(state.Answered, " ")), h.id)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// due returns when the bucket has something to do again, or 0 if no URL is open.
func (b *bucket) due(ctx context.Context, q querier) (int64, error) {
	var next, hosts int64
	err := q.query(ctx, func(scan func(...any) error) error { return scan(&hosts, &next) },
		b.r.sql(`SELECT COUNT(*), COALESCE(MIN(CASE WHEN d.due > d.next THEN d.due ELSE d.next END), 0) FROM (
			SELECT CASE WHEN h.next > ?2 THEN 0 ELSE h.next END AS next, CASE WHEN h.open > h.waiting THEN 0 ELSE (SELECT MIN(w.due) FROM waiting_N w WHERE w.host = h.id) END AS due
			FROM hosts_N h WHERE h.bucket = ?1 AND h.open > 0) AS d`), b.n, b.r.s.now()+check.MaxWait.Milliseconds())
	if err != nil || hosts == 0 {
		return 0, err
	}
	return max(next, 1), nil
}

// flag returns a truth value for a column.
func flag(is bool) int64 {
	if is {
		return 1
	}
	return 0
}
