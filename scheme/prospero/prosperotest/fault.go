package prosperotest

import (
	"fmt"
	"strings"

	"locator/scheme/prospero/internal/ardp"
	"locator/schemetest/peer"
)

// faulty changes the packets of a response as a fault requires.
func (s *Server) faulty(fault peer.Fault, packets [][]byte, request []byte) [][]byte {
	h, _, _ := ardp.Parse(request)
	one := func(text string) [][]byte {
		return [][]byte{append(ardp.Header{Length: 7, ID: h.ID, Number: 1, Total: 1}.Append(nil), text...)}
	}
	switch fault {
	case peer.Stall:
		return nil
	case peer.Torn:
		if isContents(request) && len(packets) > 0 {
			return one(half(packets[0]))
		}
	case peer.StallBody:
		if isContents(request) && len(packets) > 0 {
			return [][]byte{append(ardp.Header{Length: 7, ID: h.ID, Number: 1}.Append(nil), half(packets[0])...)}
		}
		if h.Number == 0 { // of the client that waits for the rest
			return nil
		}
	case peer.EndlessList:
		if strings.Contains(string(request), "LIST ") || h.Number == 0 {
			return s.endless(h)
		}
	case peer.Nonsense:
		return [][]byte{[]byte("HTTP/1.0 400 Bad Request\r\n\r\n")}
	case peer.WrongCode:
		return one("FAILURE BAD-VALUE nothing of the kind\n")
	case peer.Unavailable:
		return one("FAILURE SERVER-FAILED try again later\n")
	}
	return packets
}

// half returns the data of a packet without their end.
func half(packet []byte) string {
	_, data, _ := ardp.Parse(packet)
	return string(data[:max(0, len(data)-3)])
}

func isContents(request []byte) bool {
	return strings.Contains(string(request), "GET-OBJECT-INFO CONTENTS")
}

// endless returns the next window of a listing that does not end.
func (s *Server) endless(h ardp.Header) (packets [][]byte) {
	begin := int(h.ReceivedThrough)
	for n := begin + 1; n <= begin+ardp.Window; n++ {
		k := ardp.Header{Length: 7, ID: h.ID, Number: uint16(n), ReceivedThrough: 1}
		if n == begin+ardp.Window {
			k.Length, k.Flags = 12, ardp.FlagAck
		}
		line := fmt.Sprintf("LINK  L FILE f%d INTERNET-D %s ASCII AFTP 0\n", n, s.called)
		packets = append(packets, append(k.Append(nil), strings.Repeat(line, ardp.MaxData/len(line))...))
	}
	return packets
}
