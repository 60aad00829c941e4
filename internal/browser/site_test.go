package browser

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"net"
	"net/netip"
	"strings"
	"testing"
	"time"

	"locator"
	"locator/gateway"
	"locator/internal/tour"
	"locator/scheme/all"
	"locator/scheme/ftp/ftptest"
	"locator/scheme/gopher/gophertest"
	"locator/scheme/nntp/nntptest"
	"locator/schemetest/peer"
)

// site is a gateway and the servers behind it.
type site struct {
	at    string // the address of its front page, without "/" at its end
	tour  *tour.Servers
	files *ftptest.Server    // a large and varied folder
	menus *gophertest.Server // forms
	menu  locator.URL        // a menu with every type of item
	news  *nntptest.Server   // the newsgroup birds.herons, with threads
	bad   locator.URL        // a server that does not speak its protocol
}

// startSite starts a gateway with the servers of the tour, linked from its front page, and others.
func startSite(t testing.TB) *site {
	t.Helper()
	servers, err := tour.Start()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(servers.Close)
	s := &site{tour: servers}
	opt := gateway.Options{Folders: []locator.URL{servers.Folder()}, Version: "test"}
	for _, x := range servers.URLs() {
		opt.Examples = append(opt.Examples, gateway.Example{URL: x.URL, Did: x.Did})
		opt.Also = also(opt.Also, x.URL)
	}
	if s.files, err = ftptest.Start(tree()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.files.Close)
	ask := gophertest.Form{
		Ask:    []string{"Note: Your order", "Ask: Name", "AskP: Password", "AskL: Address", "Select: Gift wrap:1", "Choose: Colour\tred\tgreen\tblue", "ChooseF: Drawing"},
		Handle: func(data string) string { return "Received:\r\n" + data },
	}
	if s.menus, err = gophertest.Start(tree(), gophertest.Ask("order", ask)); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.menus.Close)
	if s.news, err = nntptest.Start(nil, articles()...); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.news.Close)
	s.menu = answer(t, func(line string) string {
		if line != "" {
			return "Selected " + line + "\r\n"
		}
		return menu
	})
	bad := answer(t, func(string) string { return "SSH-2.0-none\r\n" })
	addr, _ := bad.Addr()
	s.bad = locator.MustParse("http://" + addr + "/")
	for _, u := range []locator.URL{s.files.URL(), s.menus.URL(), s.menu, s.news.GroupURL("birds.herons", 0), s.bad} {
		opt.Also = also(opt.Also, u)
	}
	s.at = run(t, opt)
	return s
}

// run serves a gateway and returns the address of its front page.
func run(t testing.TB, opt gateway.Options) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	opt.Client.Registry = all.Registry()
	opt.Own = []netip.AddrPort{netip.MustParseAddrPort(l.Addr().String())}
	g, err := gateway.New(opt)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error)
	go func() { done <- gateway.Serve(ctx, l, g) }()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
		g.Close()
	})
	return "http://" + l.Addr().String()
}

// optionsFor returns the options of a gateway that may connect to some servers.
func optionsFor(servers ...locator.URL) (opt gateway.Options) {
	for _, u := range servers {
		opt.Also = also(opt.Also, u)
	}
	return opt
}

// also adds the address of u to a list.
func also(list []netip.AddrPort, u locator.URL) []netip.AddrPort {
	if text, ok := u.Addr(); ok {
		if a, err := netip.ParseAddrPort(text); err == nil {
			return append(list, a)
		}
	}
	return list
}

// of returns the address of the page of u.
func (s *site) of(u locator.URL) string { return s.at + "/" + u.Text() }

// first returns the first URL of the tour of a scheme of which the server does what is named.
func (s *site) first(t testing.TB, scheme, did string) locator.URL {
	t.Helper()
	for _, x := range s.tour.URLs() {
		if x.URL.Scheme() == scheme && strings.Contains(x.Did, did) {
			return x.URL
		}
	}
	t.Fatalf("the tour has no URL of %s with %q", scheme, did)
	return locator.URL{}
}

// answer starts a gopher server that answers each line by a function, and returns the URL of its menu. It answers "" if no line comes.
func answer(t testing.TB, handle func(line string) string) locator.URL {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer c.Close()
				c.SetReadDeadline(time.Now().Add(time.Second / 2)) // clients of some protocols wait for a greeting
				line, _ := bufio.NewReader(c).ReadString('\n')
				c.SetWriteDeadline(time.Now().Add(stepTime))
				io.WriteString(c, strings.ReplaceAll(handle(strings.TrimRight(line, "\r\n")), "HOST\tPORT", strings.ReplaceAll(l.Addr().String(), ":", "\t")))
			}()
		}
	}()
	return locator.MustParse("gopher://" + l.Addr().String() + "/1")
}

// menu is a menu as servers have them: a drawing, headings, and items of each type.
const menu = "i  __|__   The Heron's Nest\t\tHOST\tPORT\r\n" +
	"i    |     a menu of the marshes\t\tHOST\tPORT\r\n" +
	"i ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~\t\tHOST\tPORT\r\n" +
	"i\t\tHOST\tPORT\r\n" +
	"0About this server\t/about\tHOST\tPORT\r\n" +
	"0Two columns           right column\t/two\tHOST\tPORT\r\n" +
	"1Observations by year\t/years\tHOST\tPORT\r\n" +
	"7Search the observations\t/search\tHOST\tPORT\r\n" +
	"i\t\tHOST\tPORT\r\n" +
	"iPictures and sounds\t\tHOST\tPORT\r\n" +
	"gA heron (GIF)\t/heron.gif\tHOST\tPORT\r\n" +
	"IA heron, at dawn\t/dawn.png\tHOST\tPORT\r\n" +
	"sIts call\t/call.wav\tHOST\tPORT\r\n" +
	"9All data, compressed\t/all.zip\tHOST\tPORT\r\n" +
	"8The board of the observers\t\tHOST\tPORT\r\n" +
	"hA page of the web\tURL:http://host.dom/\tHOST\tPORT\r\n" +
	"3An error of the server\t\tHOST\tPORT\r\n" +
	".\r\n"

// articles are threads of a newsgroup, with quoted text.
func articles() (list []nntptest.Option) {
	add := func(id, from, subject, body string, references ...string) {
		text := "From: " + from + "\r\nNewsgroups: birds.herons\r\nSubject: " + subject + "\r\nDate: 1 Dec 1994 12:00:00 GMT\r\nMessage-ID: <" + id + "@host.dom>\r\n"
		if len(references) > 0 {
			text += "References: <" + strings.Join(references, "@host.dom> <") + "@host.dom>\r\n"
		}
		list = append(list, nntptest.Article("birds.herons", text+"\r\n"+body))
	}
	add("1", "Ann <ann@host.dom>", "Herons on the west bank", "Has anybody seen them this week? The list is at <ftp://ftp.host.dom/pub/herons/>.\r\n")
	add("2", "Bob <bob@host.dom>", "Re: Herons on the west bank", "Ann wrote:\r\n> Has anybody seen them this week?\r\n> The list is at <ftp://ftp.host.dom/pub/herons/>.\r\n\r\nTwo, at dawn.\r\n", "1")
	add("3", "Carol <carol@host.dom>", "Re: Herons on the west bank", "> Two, at dawn.\r\n\r\nThree here.\r\n", "1", "2")
	add("4", "Dan <dan@host.dom>", "A subject that is so long that it needs more than one line in a narrow window, as subjects of reports and questions often do", "Yes.\r\n")
	return list
}

// tree is a folder as servers have them.
func tree() []peer.File {
	at := func(day int) time.Time { return time.Date(2024, 3, day, 9, 26, 0, 0, time.UTC) }
	prose := strings.Repeat("The heron stands in the shallow water and waits. Nothing moves but the reed, and the light on the water: see "+
		"<ftp://ftp.host.dom/pub/herons/> and gopher://host.dom/1/birds for more.\n\n", 12)
	list := []peer.File{
		{Path: []string{"README.txt"}, Content: "Observations of the marshes.\n\nThe years are folders. See also <URL:gopher://host.dom/1/birds>.\n", Modified: at(1)},
		{Path: []string{"heron.png"}, Content: drawing(), Modified: at(2)},
		{Path: []string{"call.wav"}, Content: sound(), Modified: at(3)},
		{Path: []string{"flight.mp4"}, Content: "\x00\x00\x00\x18ftypmp42\x00\x00\x00\x00mp42isom", Modified: at(4)},
		{Path: []string{"all.zip"}, Content: "PK\x03\x04" + strings.Repeat("\x00\x01", 40_000), Modified: at(5)},
		{Path: []string{"prose.txt"}, Content: prose, Modified: at(6)},
		{Path: []string{"a name that is long enough to need more than one line in a narrow window, as names of talks and papers are, 2024-03-14.txt"}, Content: "x", Modified: at(7)},
		{Path: []string{"1993", "january.txt"}, Content: "1", Modified: at(8)},
		{Path: []string{"1994", "january.txt"}, Content: "1", Modified: at(9)},
	}
	for i := range 450 {
		list = append(list, peer.File{Path: []string{"1995", fmt.Sprintf("day-%03d.txt", i)}, Content: "1", Modified: at(10)})
	}
	for i := range 12 {
		list = append(list, peer.File{Path: []string{fmt.Sprintf("count-%02d.csv", i)}, Content: strings.Repeat("1,2,3\n", 1<<i), Modified: at(10 + i)})
	}
	return list
}

// drawing returns a picture.
func drawing() string {
	m := image.NewRGBA(image.Rect(0, 0, 480, 240))
	for y := range 240 {
		for x := range 480 {
			m.Set(x, y, color.RGBA{uint8(x / 2), uint8(y), 160, 255})
		}
	}
	var b bytes.Buffer
	if err := png.Encode(&b, m); err != nil {
		panic(err) // the buffer takes all
	}
	return b.String()
}

// sound returns a tenth of a second of silence.
func sound() string {
	data := make([]byte, 800)
	b := []byte("RIFF....WAVEfmt ")
	for _, v := range []any{uint32(16), uint16(1), uint16(1), uint32(8000), uint32(8000), uint16(1), uint16(8)} {
		b, _ = binary.Append(b, binary.LittleEndian, v) // it has a fixed size
	}
	b = append(b, "data"...)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(data)))
	binary.LittleEndian.PutUint32(b[4:], uint32(len(b)+len(data)-8))
	return string(append(b, data...))
}
