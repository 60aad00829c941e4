//go:build linux

package main

import (
	"encoding/binary"
	"net"
	"strings"
)

// prosperoServers starts servers whose directory is a response without end.
func prosperoServers() (list []server, err error) {
	const link = "LINK  L EXTERNAL x INTERNET-D ftp.example.org ASCII '/x' 0\n"
	empty := "ATTRIBUTE O F a" + strings.Repeat(" ''", 380) + "\n"
	method := strings.Repeat("ATTRIBUTE LINK FIELD ACCESS-METHOD AFTP '' '' '' '' BINARY\n", 19)
	for _, s := range []struct {
		name, first, rest string
		quick             bool
	}{
		{"prospero, attributes of empty words without end", link, empty, true},
		{"prospero, access methods of a link without end", link, method, true},
		{"prospero, links with attributes without end", link + empty, link + empty, false},
		{"prospero, lines of an unknown kind without end", "", strings.Repeat("UNKNOWN line\n", 90), false},
	} {
		c, err := net.ListenUDP("udp4", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
		if err != nil {
			return list, err
		}
		go prospero(c, s.first, s.rest)
		list = append(list, server{s.name, "prospero://" + c.LocalAddr().String() + "/AFTP", s.quick, func() { c.Close() }})
	}
	return list, nil
}

// prospero answers each packet of a client with the next 16 packets of a response: the text first,
// then the text rest again and again. The last of them asks for an acknowledgement, which is the
// next packet of the client.
func prospero(c *net.UDPConn, first, rest string) {
	b := make([]byte, 64<<10)
	for {
		n, from, err := c.ReadFromUDPAddrPort(b)
		if err != nil {
			return
		}
		if n < 9 { // the length of the header that locator sends
			continue
		}
		through := int(binary.BigEndian.Uint16(b[7:]))
		for k := through + 1; k <= through+16 && k < 1<<16; k++ {
			head := []byte{12, b[1], b[2], byte(k >> 8), byte(k), 0, 0, 0, 1, 0, 0, 0}
			if k == through+16 {
				head[11] = 0x80
			}
			text := rest
			if k == 1 {
				text = first
			}
			_, _ = c.WriteToUDPAddrPort(append(head, text...), from)
		}
	}
}
