package ftp

import (
	"testing"
)

// Covers: P5, T2
func TestPassiveReplies(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]uint16{
		"Entering Extended Passive Mode (|||6446|)": 6446, "ok (!!!1!)": 1, "(|||65535|).": 65535,
		"(|||65536|)": 0, "(|||0|)": 0, "(||||)": 0, "(|||-1|)": 0, "|||6446|": 0, "(|1|127.0.0.1|6446|)": 0, "(1116446 1)": 0, "(|||6446": 0, "": 0, "(": 0,
	} {
		if got, ok := parseEPSV(text); got != want && ok || ok != (want > 0) {
			t.Errorf("EPSV %q: %d %v, want %d", text, got, ok, want)
		}
	}
	for text, want := range map[string]string{
		"Entering Passive Mode (192,0,2,1,4,1).": "192.0.2.1:1025", "=10,0,0,1,0,21": "10.0.0.1:21", "1 try: 10,0,0,1,255,255!": "10.0.0.1:65535",
		"(192,0,2,1,0,0)": "", "(192,0,2,256,4,1)": "", "(192,0,2,1,4)": "", "192,0,2,1,4,1000": "", "192,0,2,1,4,1,1": "", "(192.0.2.1.4.1)": "", "": "",
	} {
		got, ok := parsePASV(text)
		if ok != (want != "") || ok && got.String() != want {
			t.Errorf("PASV %q: %v %v, want %q", text, got, ok, want)
		}
	}
}
