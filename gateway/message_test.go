package gateway

import (
	"encoding/base64"
	"fmt"
	"mime"
	"net/http"
	"strings"
	"testing"

	"locator"
	"locator/scheme/ftp/ftptest"
	"locator/schemetest/peer"
)

// mixed returns the header lines and the body of a message with parts.
func mixed(parts ...string) (body string, header []string) {
	var b strings.Builder
	for _, p := range parts {
		b.WriteString("--b\r\n" + p + "\r\n")
	}
	return b.String() + "--b--\r\n", []string{"MIME-Version: 1.0", "Content-Type: multipart/mixed; boundary=b"}
}

// attach returns a part that is a file.
func attach(name, mediaType, content string) string {
	return "Content-Type: " + mediaType + "\r\nContent-Disposition: attachment; filename=\"" + name + "\"\r\nContent-Transfer-Encoding: base64\r\n\r\n" + base64.StdEncoding.EncodeToString([]byte(content))
}

func TestMessage(t *testing.T) {
	quote := strings.Repeat("> quoted\r\n", 6)
	body, header := mixed("Content-Type: text/plain; charset=iso-8859-1\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\nGr=FC=DFe, see http://host.dom/x\r\n> short\r\nmine\r\n"+quote+"end", attach("a.txt", "text/html", "<b>file</b>"), attach("b.png", "image/png", "\x89PNG"))
	n := news(t, []string{
		article("1@x", "first", "text\r\n"), article("2@x", "Re: first", "text\r\n", "References: <1@x>"),
		article("3@x", "=?utf-8?q?H=C3=BCtte?=", body, append(header, "References: <1@x> <2@x>", "X-Secret: =?utf-8?q?=E2=82=AC?=")...),
	})
	u := n.GroupURL("g.test", 3)
	s := serve(t, Options{}, u)
	res := s.page(u)
	for _, want := range []string{
		"<h1>Hütte</h1>", "<th scope=\"row\">X-Secret</th><td>€</td>", "Grüße, see <a href=\"/http://host.dom/x\">http://host.dom/x</a>", "&gt; short", `data-id="3@x"`,
		"<details class=\"quoted\"><summary>Quoted text</summary><pre class=\"text\">\n" + strings.Repeat("&gt; quoted\n", 6) + "</pre></details>", "<pre class=\"text\">\nend\n",
		">a.txt</a> <span class=\"side\">text/html, 11 bytes</span>", ">b.png</a> <span class=\"side\">image/png, 4 bytes</span>",
	} {
		if !strings.Contains(res.body, want) {
			t.Errorf("no %q in %s", want, res.body)
		}
	}
	if res.status != http.StatusOK || strings.Contains(res.body, "<b>file") {
		t.Errorf("%d %s", res.status, res.body)
	}
	addr, _ := u.Addr()
	for text, want := range map[string]string{
		"Previous in the thread": "/news://" + addr + "/2@x", "1@x": "/news://" + addr + "/1@x", "2@x": "/news://" + addr + "/2@x", "g.test": "/nntp://" + addr + "/g.test", "Follow up": "/-/view/draft=1/" + u.Text(),
		"Reply by mail": "/mailto:ann@a.example?subject=Re:%20H%C3%BCtte&in-reply-to=%3C3@x%3E", "a.txt": "/-/view/part=1/" + u.Text(), "Raw": "/-/raw/" + u.Text(),
	} {
		if got := linkOf(res.body, text); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
	if parent := s.get(linkOf(res.body, "Previous in the thread")); parent.status != http.StatusOK || !strings.Contains(parent.body, "<h1>Re: first</h1>") {
		t.Errorf("%d %s", parent.status, parent.body)
	}
	for i, want := range []struct{ mediaType, name, content string }{{"text/plain", "a.txt", "<b>file</b>"}, {"image/png", "b.png", "\x89PNG"}} {
		part := s.get(fmt.Sprintf("/-/view/part=%d/%s", i+1, u.Text()))
		h := part.header
		_, about, err := mime.ParseMediaType(h.Get("Content-Disposition"))
		if part.status != http.StatusOK || part.body != want.content || h.Get("Content-Type") != want.mediaType || about["filename"] != want.name || err != nil ||
			!strings.HasPrefix(h.Get("Content-Security-Policy"), "sandbox") || h.Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("part %d: %d %q %v", i+1, part.status, part.body, h)
		}
	}
	if head := s.send(http.MethodHead, "/-/view/part=1/"+u.Text(), ""); head.status != http.StatusOK || head.body != "" {
		t.Errorf("HEAD: %d %q", head.status, head.body)
	}
	for path, want := range map[string]int{"part=3": 404, "part=0": 400, "part=x": 400, "part=-1": 400, "part=99999999999999999999": 400} {
		if res := s.get("/-/view/" + path + "/" + u.Text()); res.status != want {
			t.Errorf("%s: %d", path, res.status)
		}
	}
	if res := s.get("/-/view/part=1/" + n.GroupURL("g.test", 0).Text()); res.status != http.StatusNotFound {
		t.Errorf("a part of a group: %d", res.status)
	}
}

// A message of any scheme has the same page. The character set that the user chose is that of a text that says none.
func TestMessageFile(t *testing.T) {
	files, err := ftptest.Start([]peer.File{{Path: []string{"a.eml"}, Content: "Subject: \xd0\xd2\xc9\nFrom: a@b.example\n\n\xd0\xd2\xc9\n"}, {Path: []string{"text.txt"}, Content: "x"}, {Path: []string{"b.eml"}, Content: "no header\n\ntext\n"}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(files.Close)
	s := serve(t, Options{}, files.URL("a.eml"))
	s.cookies[settingsCookie] = "charset=koi8-r"
	res := s.page(files.URL("a.eml"))
	if strings.Count(res.body, "при") < 2 || linkOf(res.body, "Follow up") != "" || linkOf(res.body, "Reply by mail") != "" {
		t.Errorf("%d %s", res.status, res.body)
	}
	if res := s.page(files.URL("b.eml")); !strings.Contains(res.body, "no header\n\ntext") {
		t.Errorf("a text that is no message: %s", res.body)
	}
	if res := s.get("/-/view/part=1/" + files.URL("text.txt").Text()); res.status != http.StatusNotFound {
		t.Errorf("a part of a text: %d", res.status)
	}
}

// No field, name or type of a message is markup, or decides how a browser treats an attachment.
//
// Covers: GW43
func TestMessageHostile(t *testing.T) {
	const script = `"'><script>alert(1)</script>`
	names := []string{"../../etc/passwd", script, `a\r\nSet-Cookie: x=y`, "", ".", "CON", strings.Repeat("n", 5000), "=?utf-8?q?a=0D=0ASet-Cookie:_x=3Dy?=", "\u202egpj.exe"}
	types := []string{"text/html", "image/svg+xml", script, "application/xhtml+xml", "text/html; charset=\"" + script + "\"", "x", "multipart/x", "message/rfc822", "text/javascript"}
	parts := []string{"Content-Type: text/html\r\n\r\n<script>alert(2)</script>"}
	for i := range names {
		parts = append(parts, attach(names[i], types[i], "<script>alert(3)</script>"))
	}
	body, header := mixed(parts...)
	for _, name := range []string{"From", "To", "Cc", "Organization", "Reply-To", "Followup-To", "References", "Keywords", "X-Any", "Content-Language"} {
		header = append(header, name+": "+script)
	}
	text := article("1@x", script, body, header...)
	text = strings.Replace(text, "Newsgroups: g.test", "Newsgroups: g.test,"+script, 1)
	text = strings.Replace(text, "Message-ID: <1@x>", "Message-ID: <"+script+"@x>", 1)
	n := news(t, []string{text})
	u := n.GroupURL("g.test", 1)
	s := serve(t, Options{}, u)
	res := s.page(u)
	if res.status != http.StatusOK || strings.Contains(res.body, "<script>") || strings.Contains(res.body, "\u202e") || strings.Contains(res.body, "ZgotmplZ") || !strings.Contains(res.body, "&lt;script&gt;alert(2)") {
		t.Errorf("%d %s", res.status, res.body)
	}
	sent := 0
	for i := range 2 * len(names) {
		part := s.get(fmt.Sprintf("/-/view/part=%d/%s", i+1, u.Text()))
		if part.status != http.StatusOK {
			continue
		}
		sent++
		h := part.header
		kind, about, err := mime.ParseMediaType(h.Get("Content-Disposition"))
		if err != nil || kind != "attachment" || about["filename"] == "" || strings.ContainsAny(about["filename"], "/\\\r\n<>") || len(about["filename"]) > 255 || h.Get("Set-Cookie") != "" && strings.Contains(h.Get("Set-Cookie"), "x=y") {
			t.Errorf("part %d: %v", i+1, h)
		}
		if got, _, _ := mime.ParseMediaType(h.Get("Content-Type")); got != "text/plain" && got != "application/octet-stream" || !strings.HasPrefix(h.Get("Content-Security-Policy"), "sandbox") {
			t.Errorf("part %d: %v", i+1, h)
		}
	}
	if sent < 7 {
		t.Errorf("%d parts were sent", sent)
	}
}

// A message with too many parts, without an end of its header, or with a damaged part has a page.
//
// Covers: GW44
func TestMessageBounds(t *testing.T) {
	var parts []string
	for i := range 10_000 {
		parts = append(parts, attach(fmt.Sprint("f", i), "text/plain", "x"))
	}
	body, header := mixed(parts...)
	damaged, _ := mixed(strings.Replace(attach("bad", "application/x", "content"), "Y29udGVudA", "!!!!", 1))
	nested := "text\r\n"
	for i := range 50 {
		nested = fmt.Sprintf("Content-Type: multipart/mixed; boundary=b%d\r\n\r\n--b%d\r\n%s\r\n--b%d--\r\n", i, i, nested, i)
	}
	n := news(t, []string{
		article("1@x", "many", body, header...), article("2@x", "long", "text\r\n", "X-Long: "+strings.Repeat("x", 300<<10)), article("3@x", "damaged", damaged, header...),
		article("4@x", "nested", "--b\r\n"+nested+"--b--\r\n", header...), article("5@x", "line", strings.Repeat("y", 1<<20)+"\r\n"),
	})
	s := serve(t, Options{}, n.GroupURL("g.test", 1))
	for i, want := range []string{"more than 1000 parts", "longer", "damaged", "nested", strings.Repeat("y", 1<<20)} {
		res := s.page(n.GroupURL("g.test", int64(i+1)))
		if res.status != http.StatusOK && i != 1 || !strings.Contains(res.body, want) || len(res.body) > 2<<20 || !strings.Contains(res.body, "</html>") {
			t.Errorf("%d: %d, %d bytes: %.3000s", i+1, res.status, len(res.body), res.body)
		}
	}
	if part := s.get("/-/view/part=1/" + n.GroupURL("g.test", 3).Text()); part.status != http.StatusBadGateway || !strings.Contains(part.body, "damaged") {
		t.Errorf("a damaged attachment: %d %s", part.status, part.body)
	}
	if res := s.get("/-/view/part=5000/" + n.GroupURL("g.test", 1).Text()); res.status != http.StatusNotFound {
		t.Errorf("part 5000: %d", res.status)
	}
	if linkOf(s.page(n.GroupURL("g.test", 1)).body, "f900") == linkOf("", "") {
		t.Error("an attachment has no link")
	}
}

// The page of a message has no password of its URL.
func TestMessagePassword(t *testing.T) {
	n := news(t, []string{article("1@x", "s", "text\r\n", "References: <0@x>")})
	with, err := n.GroupURL("g.test", 1).WithUser(locator.Some("u"), locator.Some("secret-pw"))
	if err != nil {
		t.Fatal(err)
	}
	s := serve(t, Options{}, with)
	if res := s.get("/" + with.Text()); res.status != http.StatusSeeOther || strings.Contains(res.body, "secret-pw") {
		t.Errorf("%d %s", res.status, res.body)
	}
}
