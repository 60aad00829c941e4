package locator

import "slices"

// badPorts are the bad ports of the Fetch standard, which browsers refuse to http and https because other services there may take the
// lines of a request for commands. They are in ascending order.
var badPorts = []uint16{
	1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109, 110, 111, 113, 115,
	117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515, 526, 530, 531, 532, 540, 548, 554, 556, 563, 587,
	601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669,
	6679, 6697, 10080,
}

// firstFreePort is the first port that RFC 1738 6 does not call reserved.
const firstFreePort = 1024

// IsForeignPort reports whether a port belongs to another service than that of the scheme, so that access needs permission (RFC 1738
// 6). For http and https these are the bad ports of the Fetch standard, for every other scheme also all ports below 1024. The ports
// of the scheme's own protocol (the field Ports of [Syntax]) are never foreign.
func IsForeignPort(scheme string, port uint16) bool {
	s := schemes.named(scheme)
	if slices.Contains(s.Ports, port) {
		return false
	}
	if _, bad := slices.BinarySearch(badPorts, port); bad {
		return true
	}
	return port < firstFreePort && s.Family != "http"
}
