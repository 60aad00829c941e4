package gophertest

import (
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"strings"
	"time"

	"locator/schemetest/peer"
)

// Faults of gopher, in addition to those of package peer.
const (
	StayOpen    peer.Fault = "stay open"    // the connection stays open after the reply
	SplitHeader peer.Fault = "split header" // a Gopher+ header comes in two pieces
	NoMark      peer.Fault = "no mark"      // the end mark is left out
	LFOnly      peer.Fault = "LF only"      // lines end in LF
	CROnly      peer.Fault = "CR only"      // lines end in CR
	Silent      peer.Fault = "silent"       // the connection is closed without a reply
)

// pause is the time between the pieces of a reply.
const pause = time.Millisecond

// send sends the reply, with a fault if there is one.
func (s *Server) send(c net.Conn, r request, f peer.Fault) {
	reply := s.answer(r)
	head := ""
	if i := strings.IndexByte(reply, '\n') + 1; r.command != "" && (reply[0] == '+' || reply[0] == '-') {
		head = reply[:i]
	}
	half := len(head) + (len(reply)-len(head))/2
	switch f {
	case peer.Stall:
		peer.Hang(c)
	case peer.StallBody:
		io.WriteString(c, reply[:half])
		peer.Hang(c)
	case peer.Torn:
		io.WriteString(c, reply[:half])
		if t, ok := below(c).(*net.TCPConn); ok && !counted(head) {
			t.SetLinger(0) // without a count only a reset shows that the reply is not complete
			t.Close()
		}
	case peer.EndlessLine:
		io.WriteString(c, head+"0")
		peer.Flood(c, func(int) string { return strings.Repeat("x", 4<<10) })
	case peer.EndlessList:
		io.WriteString(c, uncounted(head))
		peer.Flood(c, func(i int) string { return fmt.Sprintf("0item %d\t/text.txt\t%s\t%d\r\n", i, host, s.Port()) })
	case peer.Nonsense:
		io.WriteString(c, "HTTP/1.0 400 Bad Request\r\nContent-Type: text/html\r\n\r\n<html>\x1b[31mno</html>\r\n")
	case peer.WrongCode:
		io.WriteString(c, s.failing(r, 7, "\x1b[31mThis makes no sense"))
	case peer.Unavailable:
		io.WriteString(c, s.failing(r, 2, "Too many connections, try again later"))
	case peer.Drip:
		_ = peer.WriteSlowly(c, []byte(reply))
	default:
		s.sendOdd(c, reply, len(head), f)
	}
}

// sendOdd sends a reply with a fault of this package.
func (s *Server) sendOdd(c net.Conn, reply string, head int, f peer.Fault) {
	switch f {
	case Silent:
		return
	case SplitHeader:
		io.WriteString(c, reply[:head/2])
		time.Sleep(pause)
		reply = reply[head/2:]
	case NoMark:
		reply = strings.TrimSuffix(reply, ".\r\n")
	case LFOnly:
		reply = reply[:head] + strings.ReplaceAll(reply[head:], "\r\n", "\n")
	case CROnly:
		reply = reply[:head] + strings.ReplaceAll(reply[head:], "\r\n", "\r")
	}
	io.WriteString(c, reply)
	if f == StayOpen {
		peer.Hang(c)
	}
}

// below returns the connection under TLS.
func below(c net.Conn) net.Conn {
	if t, ok := c.(*tls.Conn); ok {
		return t.NetConn()
	}
	return c
}

// failing returns an error in the protocol of the request.
func (s *Server) failing(r request, code int, text string) string {
	if r.command != "" && s.behavior.plus {
		return s.behavior.plusError(code, text)
	}
	return "3" + text + "\t\terror.host\t1\r\n.\r\n"
}

// counted reports whether a header has a count.
func counted(head string) bool { return len(head) > 1 && head[0] == '+' && head[1] != '-' }

// uncounted returns the header for a body without an end.
func uncounted(head string) string {
	if counted(head) {
		return "+-2\r\n"
	}
	return head
}
