package check

import (
	"cmp"
	"context"
	"encoding/json"
	"io/fs"
	"iter"
	"maps"
	"reflect"
	"slices"
	"sync"
	"time"

	"locator/internal/clock"
	"locator/scheme"
)

// MaxPlaces is how many places of a URL a store keeps.
const MaxPlaces = 10_000

// NewMemory returns a store that keeps runs in memory, each in one bucket. A nil time is that of
// the system.
func NewMemory(time scheme.Clock) Store {
	if time == nil {
		time = clock.System{}
	}
	return &memory{clock: time, history: make(map[string]*Memory)}
}

type memory struct {
	clock   scheme.Clock
	mu      sync.Mutex
	runs    []*memoryRun // nil where a run was dropped
	history map[string]*Memory
}

func (m *memory) Begin(_ context.Context, settings json.RawMessage) (Run, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	r := &memoryRun{
		m: m, info: RunInfo{ID: int64(len(m.runs) + 1), Number: int64(len(m.runs) + 1), Begun: m.clock.Now(), Verdicts: make(map[Verdict]int64), Settings: settings},
		byKey: make(map[string]*memoryURL), shared: make(map[[4]string]*Result), hosts: make(map[string]*memoryHost), changed: make(chan struct{}),
	}
	m.runs = append(m.runs, r)
	return r, nil
}

func (m *memory) Open(_ context.Context, number int64) (Run, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, r := range slices.Backward(m.runs) {
		if r != nil && (number == 0 || r.info.Number == number) {
			return r, nil
		}
	}
	return nil, fs.ErrNotExist
}

func (m *memory) Runs(context.Context) (list []RunInfo, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, r := range m.runs {
		if r != nil {
			list = append(list, r.copy())
		}
	}
	return list, nil
}

func (m *memory) Drop(_ context.Context, number int64) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	for i, r := range m.runs {
		if r != nil && r.info.Number == number {
			m.runs[i] = nil
			return nil
		}
	}
	return fs.ErrNotExist
}

func (m *memory) Close() error { return nil }

// Work works on the runs that are open when it is called, one after the other.
func (m *memory) Work(ctx context.Context, buckets int, do func(ctx context.Context, b Bucket) error) error {
	m.mu.Lock()
	runs := slices.Clone(m.runs)
	m.mu.Unlock()
	for _, r := range runs {
		if r != nil {
			if err := r.Work(ctx, buckets, do); err != nil {
				return err
			}
		}
	}
	<-ctx.Done()
	return nil
}

type memoryRun struct {
	m       *memory
	info    RunInfo
	urls    []*memoryURL // in the order in which they were added
	byKey   map[string]*memoryURL
	shared  map[[4]string]*Result
	file    *string // of the last first place
	hosts   map[string]*memoryHost
	changed chan struct{} // closed when something was added, or the run was sealed
	turn    int64         // of the bucket
}

// memoryURL is a URL of a run. There may be millions.
type memoryURL struct {
	url    string
	task   *memoryTask // nil if it is decided
	result *Result     // of a URL that was decided when it was added: shared, and without the URL
	file   *string     // of the first place; nil if there is none
	line   uint32
	column uint32
	more   *[]Place // the other places; nil if there is none
}

type memoryTask struct {
	Task
	again   time.Time // zero until it was put off
	taken   bool      // Tasks returned it, and it was not put off since
	decided bool
}

// places returns where the URL stands.
func (u *memoryURL) places() (list []Place) {
	if u.file != nil {
		list = append(list, Place{*u.file, int(u.line), int(u.column)})
	}
	if u.more != nil {
		list = append(list, *u.more...)
	}
	return list
}

// stands adds a place to a URL, unless it is known.
func (r *memoryRun) stands(u *memoryURL, at Place) {
	switch {
	case at == Place{}:
	case u.file == nil:
		if r.file == nil || *r.file != at.File { // mostly, many URLs of one file follow each other
			name := at.File
			r.file = &name
		}
		u.file, u.line, u.column = r.file, uint32(at.Line), uint32(at.Column)
	case u.more == nil:
		if at != (Place{*u.file, int(u.line), int(u.column)}) {
			u.more = &[]Place{at}
		}
	case len(*u.more)+1 < MaxPlaces && at != (Place{*u.file, int(u.line), int(u.column)}) && !slices.Contains(*u.more, at):
		*u.more = append(*u.more, at)
	}
}

// maxShared is how many results several URLs have.
const maxShared = 1 << 10

// share returns the result of a URL that is decided when it is added. URLs with the same reason have
// one result.
func (r *memoryRun) share(res Result, url string) *Result {
	if res.URL != url { // it has a password
		return &res
	}
	res.URL = ""
	key := [...]string{string(res.Verdict), string(res.Why), res.Scheme, res.Note}
	x, ok := r.shared[key]
	if ok && reflect.DeepEqual(*x, res) {
		return x
	}
	if !ok && len(r.shared) < maxShared {
		r.shared[key] = &res
	}
	return &res
}

type memoryHost struct {
	Host
	tasks  []*memoryTask // that wait, in the order in which they were added
	again  []*memoryTask // that were put off, by time
	taken  []*memoryTask // that Tasks returned in a turn, those that were decided or put off among them
	turn   int64
	open   int64
	failed int64
}

func (r *memoryRun) copy() RunInfo {
	info := r.info
	info.Verdicts = maps.Clone(info.Verdicts)
	return info
}

func (r *memoryRun) Info(context.Context) (RunInfo, error) {
	r.m.mu.Lock()
	defer r.m.mu.Unlock()
	return r.copy(), nil
}

func (r *memoryRun) Add(_ context.Context, links []Link) (added int, err error) {
	r.m.mu.Lock()
	defer r.m.mu.Unlock()
	return r.add(links), nil
}

func (r *memoryRun) add(links []Link) (added int) {
	for _, l := range links {
		u, ok := r.byKey[l.Key]
		if !ok {
			u = &memoryURL{url: l.URL}
			r.byKey[l.Key], r.urls = u, append(r.urls, u)
			h, ok := r.hosts[l.Host]
			if !ok {
				h = &memoryHost{Host: Host{Name: l.Host}}
				r.hosts[l.Host] = h
			}
			h.open++
			r.info.Open++
			added++
			if l.Done != nil {
				r.decide(u, h, l.Key, r.share(*l.Done, l.URL))
			} else {
				u.task = &memoryTask{Task: Task{ID: int64(len(r.urls)), Key: l.Key, URL: l.URL, Host: l.Host, Depth: l.Depth, Before: r.m.history[l.Key]}}
				h.tasks = append(h.tasks, u.task)
			}
		}
		r.stands(u, l.Place)
	}
	if added > 0 {
		r.info.Ended = time.Time{}
		r.signal()
	}
	return added
}

func (r *memoryRun) signal() {
	close(r.changed)
	r.changed = make(chan struct{})
}

func (r *memoryRun) decide(u *memoryURL, h *memoryHost, key string, res *Result) {
	u.result = res
	h.open--
	r.info.Open--
	r.info.Verdicts[res.Verdict]++
	if res.Verdict == Broken || res.Verdict == Failing || res.Verdict == Unsure {
		h.failed++
	}
	if res.Memory != nil {
		r.m.history[key] = res.Memory
	}
	if u.task != nil {
		u.task.decided, u.task = true, nil
	}
}

func (r *memoryRun) Seal(context.Context) error {
	r.m.mu.Lock()
	defer r.m.mu.Unlock()
	r.info.Sealed = true
	r.signal()
	return nil
}

// Work calls do with the only bucket of the run.
func (r *memoryRun) Work(ctx context.Context, _ int, do func(ctx context.Context, b Bucket) error) error {
	for ctx.Err() == nil {
		r.m.mu.Lock()
		now := r.m.clock.Now()
		due, changed := r.due(), r.changed
		switch {
		case r.info.Open == 0 && r.info.Sealed:
			if r.info.Ended.IsZero() {
				r.info.Ended = now
			}
			r.m.mu.Unlock()
			return nil
		case r.info.Open == 0 || due.After(now):
			r.m.mu.Unlock()
			r.wait(ctx, due.Sub(now), changed)
			continue
		}
		r.turn++
		b := &memoryBucket{r, r.turn}
		r.m.mu.Unlock()
		if err := do(ctx, b); err != nil && err != ErrLate && ctx.Err() == nil {
			return err
		}
	}
	return nil
}

// wait waits until something was added, or for d, which counts only if it is positive.
func (r *memoryRun) wait(ctx context.Context, d time.Duration, changed <-chan struct{}) {
	var timer <-chan time.Time
	if d > 0 {
		c, stop := r.m.clock.NewTimer(d)
		defer stop()
		timer = c
	}
	select {
	case <-ctx.Done():
	case <-changed:
	case <-timer:
	}
}

// due returns when the first open task and its host are due.
func (r *memoryRun) due() (first time.Time) {
	for _, h := range r.hosts {
		if h.open == 0 {
			continue
		}
		at := h.Next
		if at.Sub(r.m.clock.Now()) > MaxWait {
			at = time.Time{}
		}
		if len(h.tasks) == 0 && len(h.taken) == 0 && len(h.again) > 0 && h.again[0].again.After(at) {
			at = h.again[0].again
		}
		if at.IsZero() {
			return at
		}
		if first.IsZero() || at.Before(first) {
			first = at
		}
	}
	return first
}

func (r *memoryRun) Results(ctx context.Context) iter.Seq2[*Result, error] {
	return func(yield func(*Result, error) bool) {
		for i := 0; ; i++ {
			r.m.mu.Lock()
			if i >= len(r.urls) {
				r.m.mu.Unlock()
				return
			}
			var res Result
			u := r.urls[i]
			decided := u.result != nil
			if decided {
				res = *u.result
				res.URL, res.Sources = cmp.Or(res.URL, u.url), u.places()
			}
			r.m.mu.Unlock()
			if ctx.Err() != nil {
				yield(nil, ctx.Err())
				return
			}
			if decided && !yield(&res, nil) {
				return
			}
		}
	}
}

func (r *memoryRun) Progress(context.Context) (Progress, error) {
	r.m.mu.Lock()
	defer r.m.mu.Unlock()
	p := Progress{RunInfo: r.copy()}
	for _, h := range r.hosts {
		if h.open > 0 {
			p.Hosts++
		}
		if h.failed > 0 {
			p.Worst = append(p.Worst, HostCount{h.Name, h.failed, h.open})
		}
	}
	slices.SortFunc(p.Worst, func(a, b HostCount) int { return cmp.Or(cmp.Compare(b.Failed, a.Failed), cmp.Compare(a.Host, b.Host)) })
	p.Worst = p.Worst[:min(len(p.Worst), MaxWorst)]
	return p, nil
}

// memoryBucket is the bucket of a run, in one turn.
type memoryBucket struct {
	r    *memoryRun
	turn int64
}

func (b *memoryBucket) Run() RunInfo {
	return RunInfo{ID: b.r.info.ID, Number: b.r.info.Number, Settings: b.r.info.Settings}
}

func (b *memoryBucket) Hosts(context.Context) (list []Host, err error) {
	b.r.m.mu.Lock()
	defer b.r.m.mu.Unlock()
	for _, h := range b.r.hosts {
		if h.open > 0 {
			list = append(list, h.Host)
		}
	}
	return list, nil
}

func (b *memoryBucket) Tasks(_ context.Context, host string, n int) (list []Task, err error) {
	b.r.m.mu.Lock()
	defer b.r.m.mu.Unlock()
	h := b.r.hosts[host]
	if h == nil || b.turn != b.r.turn {
		return nil, nil
	}
	if h.turn != b.turn {
		h.restore()
		h.turn = b.turn
	}
	now := b.r.m.clock.Now()
	for _, from := range []*[]*memoryTask{&h.tasks, &h.again} {
		for len(*from) > 0 && len(list) < n && !(*from)[0].again.After(now) {
			t := (*from)[0]
			*from = (*from)[1:]
			t.taken = true
			h.taken = append(h.taken, t)
			list = append(list, t.Task)
		}
	}
	return list, nil
}

// restore lets the tasks of a turn that is over wait again.
func (h *memoryHost) restore() {
	var first []*memoryTask
	for _, t := range h.taken {
		switch {
		case !t.taken || t.decided:
		case t.again.IsZero():
			first = append(first, t)
		default:
			h.putOff(t)
		}
		t.taken = false
	}
	h.tasks, h.taken = append(first, h.tasks...), nil
}

// putOff lets a task wait until the time of its next attempt.
func (h *memoryHost) putOff(t *memoryTask) {
	i, _ := slices.BinarySearchFunc(h.again, t, func(a, b *memoryTask) int { return cmp.Or(a.again.Compare(b.again), cmp.Compare(a.ID, b.ID)) })
	h.again = slices.Insert(h.again, i, t)
}

func (b *memoryBucket) Add(ctx context.Context, links []Link) (int, error) {
	return b.r.Add(ctx, links)
}

func (b *memoryBucket) Commit(_ context.Context, done []Done, hosts []Host) error {
	b.r.m.mu.Lock()
	defer b.r.m.mu.Unlock()
	if b.turn != b.r.turn {
		return ErrLate
	}
	for _, d := range done {
		u := b.r.byKey[d.Task.Key]
		if u == nil || u.task == nil {
			continue
		}
		t, h := u.task, b.r.hosts[u.task.Host]
		if d.Result != nil {
			result := *d.Result
			b.r.decide(u, h, t.Key, &result)
		} else if t.taken {
			if d.Counts {
				t.Attempts++
			}
			t.PutOff = d.Task.PutOff
			t.taken, t.again = false, d.Again
			h.putOff(t)
		}
		b.r.add(d.Found)
	}
	for _, x := range hosts {
		if h := b.r.hosts[x.Name]; h != nil {
			h.Host = x
		}
	}
	return nil
}
