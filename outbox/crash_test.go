package outbox

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"locator/scheme"
)

// perSender is how many messages a sender adds.
const perSender = 4

// sendAll is the program: it adds messages, tells each, and sends what is in the outbox.
func sendAll(dir, server string, first int) error {
	b, err := Open(dir, Options{})
	if err != nil {
		return err
	}
	defer b.Close()
	fmt.Println("begin")
	for n := first; n < first+perSender; n++ {
		e, err := b.Add(note(nil, n))
		if err != nil {
			return err
		}
		fmt.Println(e.ID)
		if n%2 == 0 {
			err = b.SendDue(context.Background(), &dialer{server}, SendOptions{}, func(Entry, error) {})
		}
		if err != nil {
			return err
		}
	}
	return b.SendDue(context.Background(), &dialer{server}, SendOptions{}, func(Entry, error) {})
}

// dialer is a Client that sends to a sink.
type dialer struct{ addr string }

func (d *dialer) Update(ctx context.Context, r scheme.Request, b scheme.Body, _ *scheme.WriteOptions) (*scheme.Resource, error) {
	c, err := net.Dial("tcp", d.addr)
	if err != nil {
		return nil, scheme.Fail(scheme.CodeUnreachable, "%w", err)
	}
	defer c.Close()
	if _, err := io.Copy(c, b.Source(ctx)); err != nil {
		return nil, scheme.Fail(scheme.CodeBroken, "%w", err)
	}
	if err := b.Pass(); err != nil {
		return nil, err
	}
	if _, err := io.WriteString(c, ".\r\n"); err != nil {
		return nil, scheme.Fail(scheme.CodeInDoubt, "%w", err)
	}
	reply, err := bufio.NewReader(c).ReadString('\n')
	if err != nil {
		return nil, scheme.Fail(scheme.CodeInDoubt, "%w", err)
	}
	return &scheme.Resource{Receipt: &scheme.Receipt{Reply: strings.TrimSpace(reply)}}, nil
}

// sink is a server that counts messages by their Message-ID. It takes a moment before it accepts a
// message, and before it says so.
type sink struct {
	net.Listener
	mu     sync.Mutex
	idle   *sync.Cond // active is 0
	active int        // connections
	got    map[string]int
}

func newSink(t *testing.T) *sink {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &sink{Listener: l, got: make(map[string]int)}
	s.idle = sync.NewCond(&s.mu)
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			s.mu.Lock()
			s.active++
			s.mu.Unlock()
			go s.serve(c)
		}
	}()
	return s
}

func (s *sink) serve(c net.Conn) {
	defer func() {
		c.Close()
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.active--; s.active == 0 {
			s.idle.Broadcast()
		}
	}()
	id := ""
	for lines := bufio.NewScanner(c); lines.Scan(); {
		line := lines.Text()
		if text, ok := strings.CutPrefix(line, "Message-ID: <"); ok {
			id = strings.TrimSuffix(text, ">")
		}
		if line == "." {
			time.Sleep(time.Duration(rand.IntN(2000)) * time.Microsecond)
			s.mu.Lock()
			s.got[id]++
			s.mu.Unlock()
			time.Sleep(time.Duration(rand.IntN(2000)) * time.Microsecond)
			io.WriteString(c, "250 accepted\r\n")
			return
		}
	}
}

// wait waits until the sink has read what all connections so far have sent. They are accepted in
// order.
func (s *sink) wait(t *testing.T) {
	t.Helper()
	c, err := net.Dial("tcp", s.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	io.WriteString(c, ".\r\n")
	if _, err := bufio.NewReader(c).ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for s.active > 0 {
		s.idle.Wait()
	}
}

func (s *sink) count(id string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.got[id]
}

// kills is how often the test kills the program.
func kills() int {
	if os.Getenv("LOCATOR_LONG") != "" {
		return 200
	}
	return 20
}

// Two programs add and send messages in the same outbox, and are killed at any moment. No message
// that was added is lost, none is sent twice, and each whose result is unknown is in doubt.
//
// Covers: O1, T46
func TestKilled(t *testing.T) {
	t.Parallel()
	s := newSink(t)
	dir := t.TempDir() + "/box"
	b := openBox(t, dir, Options{})
	states := make(map[State]int)
	first, killed := 0, 0
	for killed < kills() {
		var senders []*sender
		for range 2 {
			senders = append(senders, startSender(t, dir, s.Addr().String(), first))
			first += perSender
		}
		for _, p := range senders {
			<-p.begun
		}
		time.Sleep(time.Duration(rand.IntN(40_000)) * time.Microsecond)
		added := make(map[string]bool)
		for _, p := range senders {
			p.cmd.Process.Kill()
		}
		for _, p := range senders {
			for id := range p.wait(t, &killed) {
				added[id] = true
			}
		}
		s.wait(t)
		entries, problems, err := b.Entries()
		if err != nil || len(problems) > 0 {
			t.Fatalf("%v, %v", problems, err)
		}
		for _, e := range entries {
			delete(added, e.ID)
			n := s.count(e.MessageID)
			states[e.State]++
			if n > 1 || n == 1 && e.State != Sent && e.State != InDoubt || n == 0 && e.State != Queued && e.State != InDoubt {
				t.Errorf("%s is %v and was delivered %d times", e.ID, e.State, n)
			}
		}
		if len(added) > 0 {
			t.Errorf("lost: %v", added)
		}
		if err := b.SendDue(t.Context(), &dialer{s.Addr().String()}, SendOptions{}, func(e Entry, err error) {
			if err != nil {
				t.Errorf("%s: %v", e.ID, err)
			}
		}); err != nil {
			t.Error(err)
		}
		for _, e := range entries {
			now, err := b.Entry(e.ID)
			if n := s.count(e.MessageID); err != nil || n > 1 || n == 0 && now.State != InDoubt || now.State != Sent && now.State != InDoubt {
				t.Errorf("at last %s is %v and was delivered %d times, %v", e.ID, now.State, n, err)
			}
			if err := b.Drop(e.ID); err != nil {
				t.Error(err)
			}
		}
	}
	t.Logf("%d kills, %v", killed, states)
	if states[Queued] == 0 || states[Sent] == 0 || states[InDoubt] == 0 {
		t.Errorf("the kills hit only %v", states)
	}
}

// sender is a process that runs sendAll.
type sender struct {
	cmd   *exec.Cmd
	errs  bytes.Buffer
	begun chan struct{}
	ids   chan []string
}

func startSender(t *testing.T, dir, addr string, first int) *sender {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	p := &sender{cmd: exec.Command(exe), begun: make(chan struct{}), ids: make(chan []string, 1)}
	p.cmd.Env = append(os.Environ(), senderDir+"="+dir, senderServer+"="+addr, fmt.Sprintf("%s=%d", senderFirst, first))
	p.cmd.Stderr = &p.errs
	out, err := p.cmd.StdoutPipe()
	if err == nil {
		err = p.cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	go func() {
		r := bufio.NewReader(out)
		r.ReadString('\n')
		close(p.begun)
		var ids []string
		for {
			line, err := r.ReadString('\n')
			if err != nil { // a line without its end was cut
				p.ids <- ids
				return
			}
			ids = append(ids, strings.TrimSpace(line))
		}
	}()
	return p
}

// wait returns the IDs that the process has told, and counts it if it was killed.
func (p *sender) wait(t *testing.T, killed *int) map[string]bool {
	t.Helper()
	told := make(map[string]bool)
	for _, id := range <-p.ids {
		told[id] = true
	}
	if err := p.cmd.Wait(); err != nil {
		if *killed++; p.errs.Len() > 0 {
			t.Errorf("%v: %s", err, p.errs.Bytes())
		}
	}
	return told
}
