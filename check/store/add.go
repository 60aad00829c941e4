package store

import (
	"cmp"
	"context"
	"encoding/json"
	"hash/fnv"
	"maps"
	"slices"
	"sync"
	"time"

	"locator/check"
)

// addBatch is how many links one transaction adds. Workers wait for it.
const addBatch = 2048

// ids remembers the ids of hosts and files that were used last. An id is remembered when its
// transaction has ended, since it does not exist otherwise.
type ids struct {
	mu           sync.Mutex
	hosts, files map[string]int64
}

// maxIDs bounds each of the maps.
const maxIDs = 1 << 15

func (i *ids) get(of *map[string]int64, key string) int64 {
	i.mu.Lock()
	defer i.mu.Unlock()
	return (*of)[key]
}

func (i *ids) put(of *map[string]int64, from map[string]int64) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if *of == nil || len(*of)+len(from) > maxIDs {
		*of = make(map[string]int64)
	}
	maps.Copy(*of, from)
}

// adding is a batch of links, each once.
type adding struct {
	r            *run
	links        []*newLink
	byHash       map[string]*newLink
	added        int
	hosts, files map[string]int64 // the ids that were looked up; a host has its bucket before its name
	counts       map[int64]*counts
	open         map[int64]bool // buckets with new URLs that are open
}

type newLink struct {
	check.Link
	hash   []byte
	bucket int64
	id     int64
	known  bool
	room   int64 // how many places it may get
	places []check.Place
}

// counts are changes of the numbers of a host.
type counts struct {
	open, waiting int64
	verdicts      [7]int64
}

// hostKey is the name of a host with its bucket: URLs without a host are in all buckets.
func hostKey(bucket int64, host string) string {
	return string([]byte{byte(bucket >> 8), byte(bucket)}) + host
}

// bucketOf returns the bucket of a host, and spreads URLs without one.
func (r *run) bucketOf(host string, hash []byte) int64 {
	h := fnv.New32a()
	if host != "" {
		h.Write([]byte(host))
	} else {
		h.Write(hash)
	}
	return int64(h.Sum32() % uint32(r.buckets))
}

func (r *run) Add(ctx context.Context, links []check.Link) (added int, err error) {
	for batch := range slices.Chunk(links, addBatch) {
		var a *adding
		err := r.s.update(ctx, func(q querier) error {
			a = r.adding(batch)
			locked, err := r.lock(ctx, q, a.buckets())
			if err != nil {
				return err
			}
			return a.add(ctx, q, locked)
		})
		if err != nil {
			return added, r.gone(ctx, err)
		}
		a.remember()
		added += a.added
	}
	return added, nil
}

func (r *run) adding(links []check.Link) *adding {
	a := &adding{r: r, byHash: make(map[string]*newLink), hosts: make(map[string]int64), files: make(map[string]int64), counts: make(map[int64]*counts), open: make(map[int64]bool)}
	for _, l := range links {
		h := hash(l.Key)
		n, ok := a.byHash[string(h)]
		if !ok {
			n = &newLink{Link: l, hash: h, bucket: r.bucketOf(l.Host, h), room: check.MaxPlaces}
			a.byHash[string(h)] = n
			a.links = append(a.links, n)
		}
		if l.Place != (check.Place{}) && !slices.Contains(n.places, l.Place) {
			n.places = append(n.places, l.Place)
		}
	}
	return a
}

func (a *adding) buckets() (list []int64) {
	for _, l := range a.links {
		list = append(list, l.bucket)
	}
	return list
}

// remember keeps the ids, after the transaction was committed.
func (a *adding) remember() {
	a.r.ids.put(&a.r.ids.hosts, a.hosts)
	a.r.ids.put(&a.r.ids.files, a.files)
}

// bucketRow is the row of a bucket, which is locked.
type bucketRow struct{ turn, job, wakes, seen int64 }

// lock locks buckets. The order is always the same, so that two transactions do not wait for each
// other.
func (r *run) lock(ctx context.Context, q querier, numbers []int64) (map[int64]*bucketRow, error) {
	slices.Sort(numbers)
	rows := make(map[int64]*bucketRow)
	err := lookups(slices.Compact(numbers), func(part []int64) error {
		return q.query(ctx, func(scan func(...any) error) error {
			var n int64
			row := new(bucketRow)
			err := scan(&n, &row.turn, &row.job, &row.wakes, &row.seen)
			rows[n] = row
			return err
		}, r.sql("SELECT n, turn, job, wakes, seen FROM buckets_N WHERE n IN "+in(len(part))+" ORDER BY n"+r.s.db.lock()), anys(part)...)
	})
	return rows, err
}

func anys[T any](list []T) []any {
	args := make([]any, len(list))
	for i, v := range list {
		args[i] = v
	}
	return args
}

// add adds the links in a transaction that has locked their buckets.
func (a *adding) add(ctx context.Context, q querier, locked map[int64]*bucketRow) error {
	for _, step := range []func(context.Context, querier) error{a.findURLs, a.findHosts, a.insertURLs, a.insertDone, a.insertPlaces} {
		if err := step(ctx, q); err != nil {
			return err
		}
	}
	if err := a.r.count(ctx, q, a.counts); err != nil {
		return err
	}
	if a.added > 0 {
		if _, err := q.exec(ctx, "UPDATE runs SET ended = 0 WHERE id = ?1 AND ended <> 0", a.r.id); err != nil {
			return err
		}
	}
	return a.wake(ctx, q, locked)
}

// findURLs finds out which URLs are known.
func (a *adding) findURLs(ctx context.Context, q querier) error {
	return lookups(a.links, func(part []*newLink) error {
		args := make([]any, len(part))
		for i, l := range part {
			args[i] = l.hash
		}
		return q.query(ctx, func(scan func(...any) error) error {
			var id, places int64
			var h []byte
			if err := scan(&id, &places, &h); err != nil {
				return err
			}
			l := a.byHash[string(h)]
			l.id, l.known, l.room = id, true, max(0, check.MaxPlaces-places)
			return nil
		}, a.r.sql("SELECT id, places, hash FROM urls_N WHERE hash IN "+in(len(part))), args...)
	})
}

// findHosts sets the ids of hosts, and adds those that are not known.
func (a *adding) findHosts(ctx context.Context, q querier) error {
	missing := make(map[string]*newLink)
	for _, l := range a.links {
		if l.known {
			continue
		}
		key := hostKey(l.bucket, l.Host)
		if a.hosts[key] = a.r.ids.get(&a.r.ids.hosts, key); a.hosts[key] == 0 {
			missing[key] = l
		}
	}
	for _, key := range slices.Sorted(maps.Keys(missing)) {
		l := missing[key]
		id := int64(0)
		row := func(scan func(...any) error) error { return scan(&id) }
		err := q.query(ctx, row, a.r.sql("SELECT id FROM hosts_N WHERE bucket = ?1 AND name = ?2"), l.bucket, []byte(l.Host))
		if err == nil && id == 0 {
			err = q.query(ctx, row, a.r.sql(`INSERT INTO hosts_N (bucket, name, next, asked, cursor, open, waiting, v0, v1, v2, v3, v4, v5, v6)
				VALUES (?1, ?2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0) RETURNING id`), l.bucket, []byte(l.Host))
		}
		if err != nil {
			return err
		}
		a.hosts[key] = id
	}
	return nil
}

func (a *adding) insertURLs(ctx context.Context, q querier) error {
	var fresh []*newLink
	for _, l := range a.links {
		if !l.known {
			fresh = append(fresh, l)
		}
	}
	a.added = len(fresh)
	return chunks(fresh, func(part []*newLink) error {
		var args []any
		for _, l := range part {
			var key []byte
			if l.Key != l.URL {
				key = []byte(l.Key)
			}
			args = append(args, l.hash, a.hosts[hostKey(l.bucket, l.Host)], []byte(l.URL), key, int64(l.Depth), min(int64(len(l.places)), l.room))
		}
		return q.query(ctx, func(scan func(...any) error) error {
			var id int64
			var h []byte
			if err := scan(&id, &h); err != nil {
				return err
			}
			a.byHash[string(h)].id = id
			return nil
		}, a.r.sql("INSERT INTO urls_N (hash, host, url, key, depth, places) VALUES "+values(len(part), 6, false)+" RETURNING id, hash"), args...)
	})
}

// insertDone counts the new URLs, and records the results of those that need no check.
func (a *adding) insertDone(ctx context.Context, q querier) error {
	var results []result
	var memories []memory
	for _, l := range a.links {
		if l.known {
			continue
		}
		host := a.hosts[hostKey(l.bucket, l.Host)]
		c := a.counts[host]
		if c == nil {
			c = new(counts)
			a.counts[host] = c
		}
		if l.Done == nil {
			c.open++
			a.open[l.bucket] = true
			continue
		}
		c.verdicts[verdict(l.Done.Verdict)]++
		results = append(results, result{l.id, l.Done})
		if l.Done.Memory != nil {
			memories = append(memories, memory{l.hash, l.Done.Memory})
		}
	}
	if err := a.r.insertResults(ctx, q, results); err != nil {
		return err
	}
	return a.r.keep(ctx, q, memories)
}

// verdict returns the number of a verdict in check.Verdicts.
func verdict(v check.Verdict) int {
	return max(0, slices.Index(check.Verdicts(), v))
}

type result struct {
	id     int64
	result *check.Result
}

func (r *run) insertResults(ctx context.Context, q querier, list []result) error {
	return chunks(list, func(part []result) error {
		var args []any
		for _, res := range part {
			plain := *res.result
			plain.Sources = nil
			text, err := json.Marshal(&plain)
			if err != nil {
				return err
			}
			args = append(args, res.id, text)
		}
		return q.later(ctx, r.sql("INSERT INTO results_N (id, result) VALUES "+values(len(part), 2, false)), args...)
	})
}

type memory struct {
	hash   []byte
	memory *check.Memory
}

// keep records what the history keeps of URLs. Runs of the same name lock its rows in one order.
func (r *run) keep(ctx context.Context, q querier, list []memory) error {
	slices.SortFunc(list, func(a, b memory) int { return slices.Compare(a.hash, b.hash) })
	list = slices.CompactFunc(list, func(a, b memory) bool { return slices.Equal(a.hash, b.hash) })
	return chunks(list, func(part []memory) error {
		var args []any
		for _, m := range part {
			text, err := json.Marshal(m.memory)
			if err != nil {
				return err
			}
			args = append(args, r.name, m.hash, text)
		}
		return q.later(ctx, "INSERT INTO history (name, hash, memory) VALUES "+values(len(part), 3, false)+" ON CONFLICT (name, hash) DO UPDATE SET memory = excluded.memory", args...)
	})
}

type place struct {
	url  int64
	file int64
	check.Place
}

// insertPlaces adds the places, at most check.MaxPlaces of a URL.
func (a *adding) insertPlaces(ctx context.Context, q querier) error {
	var list []place
	known := make(map[int64]*newLink)
	for _, l := range a.links {
		for i, p := range l.places {
			if int64(i) >= l.room {
				break
			}
			file, err := a.file(ctx, q, p.File)
			if err != nil {
				return err
			}
			list = append(list, place{l.id, file, p})
			if l.known {
				known[l.id] = l
			}
		}
	}
	more := make(map[int64]int64)
	err := chunks(list, func(part []place) error {
		var args []any
		for _, p := range part {
			args = append(args, p.url, p.file, int64(p.Line), int64(p.Column))
		}
		return q.query(ctx, func(scan func(...any) error) error {
			var url int64
			err := scan(&url)
			if known[url] != nil {
				more[url]++
			}
			return err
		}, a.r.sql("INSERT INTO places_N (url, file, line, col) VALUES "+values(len(part), 4, false)+" ON CONFLICT DO NOTHING RETURNING url"), args...)
	})
	if err != nil {
		return err
	}
	return chunks(slices.Sorted(maps.Keys(more)), func(part []int64) error {
		var args []any
		for _, url := range part {
			args = append(args, url, more[url])
		}
		return q.later(ctx, a.r.sql("UPDATE urls_N SET places = places + d.column2 FROM (VALUES "+values(len(part), 2, true)+") AS d WHERE urls_N.id = d.column1"), args...)
	})
}

// file returns the id of a file.
func (a *adding) file(ctx context.Context, q querier, name string) (int64, error) {
	id := cmp.Or(a.files[name], a.r.ids.get(&a.r.ids.files, name))
	if id == 0 {
		row := func(scan func(...any) error) error { return scan(&id) }
		// An update that changes nothing returns the row, also one that another transaction has
		// just added.
		if err := q.query(ctx, row, a.r.sql("INSERT INTO files_N (hash, name) VALUES (?1, ?2) ON CONFLICT (hash) DO UPDATE SET name = excluded.name RETURNING id"), hash(name), []byte(name)); err != nil {
			return 0, err
		}
	}
	a.files[name] = id
	return id, nil
}

// count changes the numbers of hosts.
func (r *run) count(ctx context.Context, q querier, changes map[int64]*counts) error {
	const columns = 10
	return chunks(slices.Sorted(maps.Keys(changes)), func(part []int64) error {
		var args []any
		for _, host := range part {
			c := changes[host]
			args = append(args, host, c.open, c.waiting)
			for _, v := range c.verdicts {
				args = append(args, v)
			}
		}
		return q.later(ctx, r.sql(`UPDATE hosts_N SET open = open + d.column2, waiting = waiting + d.column3, v0 = v0 + d.column4, v1 = v1 + d.column5,
			v2 = v2 + d.column6, v3 = v3 + d.column7, v4 = v4 + d.column8, v5 = v5 + d.column9, v6 = v6 + d.column10
			FROM (VALUES `+values(len(part), columns, true)+`) AS d WHERE hosts_N.id = d.column1`), args...)
	})
}

// wake makes the jobs of buckets with new URLs due, and inserts those that are missing.
func (a *adding) wake(ctx context.Context, q querier, locked map[int64]*bucketRow) error {
	now := a.r.s.now()
	for _, n := range slices.Sorted(maps.Keys(a.open)) {
		row, err := locked[n], error(nil)
		switch {
		case row == nil || row.job != 0 && row.wakes <= now:
			continue
		case row.job == 0:
			row.job, err = a.r.s.db.insert(ctx, q, holding{a.r.id, n}, time.Time{})
		default:
			err = a.r.s.db.wake(ctx, q, row.job)
		}
		if err == nil {
			row.wakes = 0
			_, err = q.exec(ctx, a.r.sql("UPDATE buckets_N SET job = ?1, wakes = 0 WHERE n = ?2"), row.job, n)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
