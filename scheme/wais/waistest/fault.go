package waistest

import (
	"fmt"
	"io"
	"net"
	"strings"
	"time"

	"locator/internal/z3950"
	"locator/scheme/wais/waisserver"
	"locator/schemetest/peer"
)

// Faults of WAIS, in addition to those of package peer. A client must report each of them.
const (
	Huge       peer.Fault = "huge"        // the packet announces ten thousand million bytes
	Overrun    peer.Fault = "overrun"     // an element is longer than the one around it
	ShortDiag  peer.Fault = "short diag"  // a diagnostic of two bytes
	Longer     peer.Fault = "longer"      // a piece is longer than asked for
	EmptyReply peer.Fault = "empty reply" // every packet is empty
	Hangup     peer.Fault = "hangup"      // the connection is closed without a reply
	NoRecords  peer.Fault = "no records"  // a response with neither a document nor a diagnostic
	Refuse     peer.Fault = "refuse"      // an Init is refused
	Truncated  peer.Fault = "truncated"   // a packet ends in the middle of its APDU, and another one follows
)

// Twist is something in which servers differ, and which clients must accept.
type Twist string

// The twists.
const (
	Status      Twist = "status"       // the status octet is the other one
	NoSF        Twist = "no SF"        // no diagnostic at the end of a document
	NoTypes     Twist = "no types"     // no formats in the records
	ZeroLength  Twist = "zero length"  // documents of length 0
	NoLength    Twist = "no length"    // no lengths
	Shorter     Twist = "shorter"      // pieces of at most 1000 bytes
	Bytewise    Twist = "bytewise"     // writes of one byte
	Padded      Twist = "padded"       // compressed lengths with leading 0x80
	BlankLength Twist = "blank length" // the length of the packet with leading blanks
	UpperZ      Twist = "upper Z"      // Z instead of z
	Small       Twist = "small"        // no room for responses of more than 2000 bytes
	LongHeaders Twist = "long headers" // records of type 152, with elements that nobody knows
	ShortHeader Twist = "short header" // records of type 151
	Reordered   Twist = "reordered"    // elements of records in another order

	// Original is freeWAIS-sf 2.2.10 also where the server is better: it finds nothing without
	// words, reports no dates, has scores above 1000, and closes the connection for a search
	// without a maximum, two requests at once, or a document of an unknown database.
	Original Twist = "original"
)

// pause is the time between the bytes of a slow reply.
const pause = 200 * time.Microsecond

// reply sends the response to a request. It returns false to close the connection.
func (s *Server) reply(conn net.Conn, session *waisserver.Session, r waisserver.Request) bool {
	if s.opt.twist == Original && !s.survives(r) {
		return false
	}
	request, echo := r.APDU, r.Echo
	response := s.twist(session, request)
	fault := s.Fault()
	if fault == peer.NoFault && s.opt.twist == "" {
		return session.Write(conn, echo, response)
	}
	packet := s.twistPacket(z3950.AppendPacket(nil, echo, response))
	half := z3950.HeaderSize + len(response)/2
	if fault == peer.NoFault && s.opt.twist != Bytewise {
		return write(conn, packet)
	}
	isText, first := isRetrieval(request)
	switch fault {
	case peer.Stall:
		wait(conn)
	case peer.StallBody: // after the first piece
		if first {
			return write(conn, packet)
		}
		conn.Write(packet[:half])
		wait(conn)
	case peer.Torn:
		if !isText || first {
			return write(conn, packet)
		}
		conn.Write(packet[:half])
	case peer.EndlessLine:
		head := begin(z3950.TypeSearchResponse) + "\x63\xff\xff\xff\x00" + "\x81\x16\xff\xff\xfe\x00"
		io.WriteString(conn, "0268435455"+echo+"0"+head)
		forever(conn, strings.Repeat("x", 4<<10))
	case peer.EndlessList:
		if isText {
			return write(conn, packet)
		}
		record := string(z3950.AppendRecord(nil, &z3950.DocumentHeader{
			Tag: z3950.TagHeader, ID: "\x03\x050 9 x", Score: z3950.Some(1000), Length: z3950.Some(9), Types: []string{"TEXT"}, Headline: "x",
		}))
		io.WriteString(conn, "0268435455"+echo+"0"+begin(z3950.TypeSearchResponse)+"\x63\xff\xff\xff\x00")
		forever(conn, record)
	case peer.Nonsense:
		io.WriteString(conn, "HTTP/1.0 400 Bad Request\r\nContent-Type: text/html\r\n\r\n<html>\x1b[31mno</html>\r\n")
	case peer.WrongCode:
		conn.Write(z3950.AppendPacket(nil, echo, []byte(begin(z3950.TypeInitResponse))))
	case peer.Unavailable:
		return write(conn, diagnostic(request, &z3950.Diagnostic{Code: "S2", Text: "\x1b[31mToo many users"}, echo))
	case peer.Drip:
		for i := range packet {
			if !write(conn, packet[i:i+1]) {
				return false
			}
			time.Sleep(pause)
		}
		return true
	case Huge:
		io.WriteString(conn, "9999999999"+echo+"0"+begin(z3950.TypeSearchResponse))
		forever(conn, strings.Repeat("\x00", 4<<10))
	case Overrun:
		conn.Write(z3950.AppendPacket(nil, echo, []byte(begin(z3950.TypeSearchResponse)+"\x63\x05\x81\x16\x7f\x74\x01")))
	case ShortDiag:
		conn.Write(z3950.AppendPacket(nil, echo, []byte(begin(z3950.TypeSearchResponse)+"\x63\x06\x1c\x00\x02SF\x1d")))
	case Longer:
		text := &z3950.DocumentText{ID: "x", Text: make([]byte, 20_000)}
		b, _ := z3950.AppendResponse(nil, &z3950.SearchResponse{}, []z3950.Record{text}) // short enough
		return write(conn, z3950.AppendPacket(nil, echo, b))
	case EmptyReply:
		return write(conn, z3950.AppendPacket(nil, echo, nil))
	case Hangup:
	case NoRecords:
		return write(conn, z3950.AppendPacket(nil, echo, []byte(begin(z3950.TypeSearchResponse)+"\x63\x00")))
	case Refuse:
		b, _ := (&z3950.InitResponse{Init: *z3950.NewInit(waisserver.MaxAPDU)}).Append(nil) // short enough
		return write(conn, z3950.AppendPacket(nil, echo, b))
	case Truncated:
		head := fmt.Sprintf("%010d", len(response)/2) + echo + "0"
		return write(conn, append([]byte(head), append(response[:len(response)/2:len(response)/2], packet...)...))
	default: // the twist
		for i := range packet {
			if !write(conn, packet[i:i+1]) {
				return false
			}
		}
		return true
	}
	return false
}

// isRetrieval reports whether a request asks for a piece of a document, and whether it is the first
// one.
func isRetrieval(request []byte) (is, first bool) {
	m, _ := z3950.ParseRequest(request)
	search, ok := m.(*z3950.Search)
	if !ok || search.Terms == nil {
		return false, false
	}
	r, _ := search.Retrieval()
	return true, r.Start == 0
}

// begin returns an APDU header of a response without elements.
func begin(typ byte) string {
	return "\x00\x0b" + string([]byte{typ}) + "\x01" + strings.Repeat("\x00", 9)
}

func write(conn net.Conn, b []byte) bool {
	_, err := conn.Write(b)
	return err == nil
}

// diagnostic returns the packet of a response with a diagnostic only.
func diagnostic(request []byte, d *z3950.Diagnostic, echo string) []byte {
	m, _ := z3950.ParseRequest(request)
	r := &z3950.SearchResponse{Returned: 1, PresentStatus: z3950.Some(0)}
	if search, ok := m.(*z3950.Search); ok {
		r.Reference = search.Reference
	}
	b, _ := z3950.AppendResponse(nil, r, []z3950.Record{d}) // short enough
	return z3950.AppendPacket(nil, echo, b)
}

// wait holds a connection until either side closes it.
func wait(conn net.Conn) { io.Copy(io.Discard, conn) }

func forever(conn net.Conn, piece string) {
	for {
		if _, err := io.WriteString(conn, piece); err != nil {
			return
		}
	}
}
