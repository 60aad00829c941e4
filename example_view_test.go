package locator_test

import (
	"encoding/json"
	"fmt"

	"locator"
)

func ExampleView() {
	for _, s := range []string{"ftp://host/a;type=i", "mailto:jim@host.dom", "x-echo://host/hi"} {
		v := locator.MustParse(s).View()
		fmt.Printf("%s %T\n", v.Scheme(), v)
	}
	// Output:
	// ftp *locator.FTP
	// mailto *locator.Mailto
	// x-echo *locator.Other
}

func ExampleOptional() {
	var absent locator.Optional
	fmt.Println(absent == locator.Some(""), absent == locator.Optional{})
	// Output: false true
}

func ExampleSome() {
	fmt.Println(locator.Some("").Get())
	// Output: true
}

func ExampleOptional_Get() {
	v, _ := locator.As[*locator.Gopher](locator.MustParse("gopher://host/7find%09rfc"))
	if words, ok := v.Search.Get(); ok {
		fmt.Println(words)
	}
	// Output: rfc
}

func ExampleOptional_Or() {
	v, _ := locator.As[*locator.Gopher](locator.MustParse("gopher://host"))
	fmt.Println(v.Type.Or("1"))
	// Output: 1
}

func ExampleOptional_IsSet() {
	v, _ := locator.As[*locator.FTP](locator.MustParse("ftp://@host/"))
	fmt.Println(v.User.IsSet(), v.Password.IsSet())
	// Output: true false
}

func ExampleHostport() {
	u, err := locator.Build(&locator.Prospero{Hostport: locator.Hostport{Host: "host.dom", Port: "1525"}, Name: "pros/name"})
	fmt.Println(u, err)
	// Output: prospero://host.dom:1525/pros/name <nil>
}

func ExampleLogin() {
	v, _ := locator.As[*locator.FTP](locator.MustParse("ftp://jim%40home:se%3Acret@host/"))
	fmt.Println(v.User.Or(""), v.Password.Or(""), v.Host)
	// Output: jim@home se:cret host
}

func ExampleLogin_String() {
	l := locator.Login{User: locator.Some("jim@home"), Password: locator.Some("secret"), Hostport: locator.Hostport{Host: "host"}}
	fmt.Println(l.String())
	// Output: jim%40home:****@host
}

func ExampleLogin_Format() {
	l := locator.Login{User: locator.Some("jim"), Password: locator.Some("secret"), Hostport: locator.Hostport{Host: "host"}}
	fmt.Printf("%v %q\n", l, l)
	// Output: jim:****@host "jim:****@host"
}

func ExamplePair() {
	v, _ := locator.As[*locator.Prospero](locator.MustParse("prospero://host/name;version=1;note=a%3Bb"))
	for _, f := range v.Fields {
		fmt.Println(f.Name, f.Value)
	}
	// Output:
	// version 1
	// note a;b
}

func ExampleFTP() {
	v := locator.MustParse("ftp://myname@host.dom/%2Fetc/motd;type=a").View().(*locator.FTP)
	fmt.Printf("%q %q %q %c\n", v.User.Or(""), v.Dirs, v.Name.Or(""), v.Type)
	// Output: "myname" ["/etc"] "motd" a
}

func ExampleFTP_Scheme() {
	fmt.Println((&locator.FTP{}).Scheme())
	// Output: ftp
}

func ExampleFTP_String() {
	v, _ := locator.As[*locator.FTP](locator.MustParse("ftp://me:secret@host/motd"))
	v.Name = locator.Some("50%")
	fmt.Println(v.String())
	// Output: ftp://me:****@host/50%25
}

func ExampleFTP_Format() {
	v, _ := locator.As[*locator.FTP](locator.MustParse("ftp://me:secret@host/motd"))
	fmt.Printf("%v\n%#v\n", v, v)
	// Output:
	// ftp://me:****@host/motd
	// ftp view {"ftp://me:****@host/motd"}
}

func ExampleHTTP() {
	v := locator.MustParse("http://host.dom/a%2Fb/c?q=1").View().(*locator.HTTP)
	fmt.Printf("%q %q %v\n", v.Segments, v.Search.Or(""), v.Secure)
	// Output: ["a/b" "c"] "q=1" false
}

func ExampleGopher() {
	v := locator.MustParse("gopher://host/7find%09red%20wine%09+").View().(*locator.Gopher)
	fmt.Println(v.Type.Or("1"), v.Selector.Or(""), v.Search.Or(""), v.Plus.Or(""))
	// Output: 7 find red wine +
}

func ExampleMailto() {
	v := locator.MustParse("mailto:50%25off@host.dom").View().(*locator.Mailto)
	fmt.Println(v.Address)
	// Output: 50%off@host.dom
}

func ExampleNews() {
	for _, s := range []string{"news:*", "news:comp.risks", "news:1738@host.dom"} {
		v := locator.MustParse(s).View().(*locator.News)
		fmt.Printf("%v %q %q\n", v.Kind, v.Group, v.Article)
	}
	// Output:
	// all "" ""
	// group "comp.risks" ""
	// article "" "1738@host.dom"
}

func ExampleNewsKind() {
	v := locator.MustParse("news:comp.risks").View().(*locator.News)
	fmt.Println(v.Kind == locator.NewsGroup)
	// Output: true
}

func ExampleNewsKind_String() {
	fmt.Println(locator.NewsAll.String(), locator.NewsGroup.String(), locator.NewsArticle.String())
	// Output: all group article
}

func ExampleNNTP() {
	v := locator.MustParse("nntp://news.host.dom/comp.risks/42").View().(*locator.NNTP)
	fmt.Println(v.Host, v.Group, v.Article.Or("none"))
	// Output: news.host.dom comp.risks 42
}

func ExampleTelnet() {
	v := locator.MustParse("telnet://guest:welcome@host.dom:2323/").View().(*locator.Telnet)
	fmt.Println(v.User.Or(""), v.Password.Or(""), v.Host, v.Port)
	// Output: guest welcome host.dom 2323
}

func ExampleWAIS() {
	v := locator.MustParse("wais://host.dom/rfcs?url%20syntax").View().(*locator.WAIS)
	fmt.Println(v.Kind, v.Database, v.Search)
	// Output: search rfcs url syntax
}

func ExampleWAISKind() {
	v := locator.MustParse("wais://host.dom/rfcs/TEXT/1%3D0").View().(*locator.WAIS)
	fmt.Println(v.Kind == locator.WAISDocument, v.Type, v.Path)
	// Output: true TEXT 1=0
}

func ExampleWAISKind_String() {
	fmt.Println(locator.WAISDatabase.String(), locator.WAISSearch.String(), locator.WAISDocument.String())
	// Output: database search document
}

func ExampleFile() {
	v := locator.MustParse("file://localhost/etc/motd").View().(*locator.File)
	fmt.Printf("%q %q\n", v.Host, v.Segments)
	// Output: "localhost" ["etc" "motd"]
}

func ExampleProspero() {
	v := locator.MustParse("prospero://host.dom/pros/name;version=1").View().(*locator.Prospero)
	fmt.Println(v.Host, v.Name, v.Fields)
	// Output: host.dom pros/name [{version 1}]
}

func ExampleOther() {
	v := locator.MustParse("cid:foo4*foo1@bar.net").View().(*locator.Other)
	fmt.Println(v.Name, v.Part)
	// Output: cid foo4*foo1@bar.net
}

func ExamplePart() {
	for _, p := range locator.MustParse("wais://host/db?q").Parts() {
		if text, ok := p.Text.Get(); ok {
			fmt.Println(p.Name, text)
		}
	}
	// Output:
	// kind search
	// database db
	// search q
}

func ExamplePartKind() {
	p := locator.MustParse("ftp://host/a/b/c").Parts()[0]
	fmt.Println(p.Name, p.Kind == locator.PartList, p.List)
	// Output: dirs true [a b]
}

func ExampleSyntax() {
	s := locator.SyntaxOf("gopher")
	fmt.Println(s.Name, s.Port, s.Ports, s.Rule, s.Section, s.Hierarchical)
	// Output: gopher 70 [70 105] gopherurl 3.4 false
}

// Schemes whose URLs have no "//" and host.
func ExampleShape() {
	for _, s := range locator.Schemes() {
		if s.Shape != locator.ShapeServer {
			fmt.Print(s.Name, " ")
		}
	}
	// Output: mailto news file snews mid cid
}

func ExampleReservedName() {
	name, _ := locator.IsReserved("MID")
	fmt.Println(name.Name, name.Meaning, name.RFC)
	// Output: mid Message identifiers for electronic mail 2392
}

func ExampleUnsafeOctets() {
	u := locator.MustParse("ftp://host.dom/pub/motd%0D%0ADELE%20motd")
	for part, octet := range locator.UnsafeOctets(u.View()) {
		fmt.Printf("the %s holds %%%02X\n", part, octet)
	}
	// Output: the name holds %0D
}

func ExampleURL_MayBeUnsafe() {
	fmt.Println(locator.MustParse("ftp://host.dom/pub/%41").MayBeUnsafe(), locator.MustParse("ftp://host.dom/a%0D").MayBeUnsafe())
	// Output: false true
}

func ExampleGopher_Form() {
	u := locator.MustParse("gopher://host.dom/0ask%09%09+%091%0D%0A+-1%0D%0Ayes%0D%0A.%0D%0A")
	v, _ := locator.As[*locator.Gopher](u)
	f, ok := v.Form()
	fmt.Println(f.Answers, ok)
	// Output: [yes] true
}

func ExampleGopherForm() {
	v := locator.Gopher{Plus: locator.Some("+text/plain\t1\r\n+5\r\nyes\r\n")}
	f, ok := v.Form()
	fmt.Println(f.View, f.Counted, f.Answers, ok)
	// Output: text/plain true [yes] true
}

func ExampleIsForeignPort() {
	fmt.Println(locator.IsForeignPort("ftp", 21), locator.IsForeignPort("gopher", 21), locator.IsForeignPort("gopher", 7070))
	// Output: false true false
}

func ExampleURL_Addr() {
	fmt.Println(locator.MustParse("ftp://host.dom/motd").Addr())
	fmt.Println(locator.MustParse("mailto:a@host.dom").Addr())
	// Output:
	// host.dom:21 true
	//  false
}

func ExampleOptional_MarshalJSON() {
	v, _ := locator.As[*locator.News](locator.MustParse("news:comp.lang.c"))
	text, err := json.Marshal(map[string]locator.Optional{"port": {}, "name": locator.Some(v.Group)})
	fmt.Println(string(text), err)
	// Output: {"name":"comp.lang.c","port":null} <nil>
}

func ExampleOptional_UnmarshalJSON() {
	var port locator.Optional
	err := json.Unmarshal([]byte(`"1738"`), &port)
	fmt.Println(port.Or("none"), err)
	// Output: 1738 <nil>
}

func ExampleLogin_LogValue() {
	v, _ := locator.As[*locator.FTP](locator.MustParse("ftp://me:s3cret@host.dom/"))
	fmt.Println(v.Login.LogValue())
	// Output: me:****@host.dom
}

func ExampleFTP_MarshalText() {
	v, _ := locator.As[*locator.FTP](locator.MustParse("ftp://me:s3cret@host.dom/%FF"))
	text, err := json.Marshal(v)
	fmt.Println(string(text), err)
	// Output: "ftp://me:s3cret@host.dom/%FF" <nil>
}

func ExampleFTP_UnmarshalText() {
	var v locator.FTP
	err := json.Unmarshal([]byte(`"ftp://me:s3cret@host.dom/%FF"`), &v)
	fmt.Println(v, err)
	// Output: ftp://me:****@host.dom/%FF <nil>
}

func ExampleFTP_LogValue() {
	v, _ := locator.As[*locator.FTP](locator.MustParse("ftp://me:s3cret@host.dom/%FF"))
	fmt.Println(v.LogValue())
	// Output: ftp://me:****@host.dom/%FF
}
