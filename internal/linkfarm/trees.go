package linkfarm

import (
	"os"
	"path/filepath"

	"locator"
	"locator/scheme/ftp/ftptest"
	"locator/scheme/gopher/gophertest"
	"locator/scheme/nntp/nntptest"
	"locator/scheme/prospero/prosperotest"
	"locator/scheme/telnet/telnettest"
	"locator/scheme/wais/waistest"
	"locator/schemetest/peer"
)

// trees plants links at the test servers of the schemes, which all have the same tree.
func (f *Farm) trees() error {
	tree := peer.Tree()
	files, err := ftptest.Start(tree)
	if err != nil {
		return err
	}
	f.close = append(f.close, files.Close)
	old, err := ftptest.Start(tree, ftptest.NoFEAT(), ftptest.NoSIZE())
	if err != nil {
		return err
	}
	f.close = append(f.close, old.Close)
	menus, err := gophertest.Start(tree)
	if err != nil {
		return err
	}
	f.close = append(f.close, menus.Close)
	plain, err := gophertest.Start(tree, gophertest.Behave(gophertest.Gophernicus()))
	if err != nil {
		return err
	}
	f.close = append(f.close, plain.Close)
	news, err := nntptest.Start(tree)
	if err != nil {
		return err
	}
	f.close = append(f.close, news.Close)
	f.news = news.ServerURL()
	links, err := prosperotest.Start(tree)
	if err != nil {
		return err
	}
	f.close = append(f.close, links.Close)
	index, err := waistest.Start(tree)
	if err != nil {
		return err
	}
	f.close = append(f.close, index.Close)
	board, err := telnettest.Start()
	if err != nil {
		return err
	}
	f.close = append(f.close, board.Close)
	for _, s := range []struct {
		does string
		url  func(path ...string) locator.URL
		dirs bool
	}{
		{"ftp", files.URL, true}, {"ftp of old", old.URL, true}, {"gopher", menus.URL, true}, {"gophernicus", plain.URL, true},
		{"nntp", news.URL, false}, {"prospero", links.URL, true}, {"wais", index.URL, false},
	} {
		f.add(s.url("etc", "motd").String(), s.does+" file", ok)
		f.add(s.url("text.txt").String(), s.does+" file at the top", ok)
		f.add(s.url("etc", "missing").String(), s.does+" missing file", notFound)
		if s.dirs {
			f.add(s.url("etc", "").String(), s.does+" folder", ok)
			f.add(s.url("no-folder", "file").String(), s.does+" missing folder", notFound)
		}
	}
	f.add(board.URL().String(), "telnet session", ok)
	f.add(index.SearchURL("names", "names").String(), "wais search", ok)
	f.add(index.SearchURL("no-such-base", "names").String(), "wais without the database", notFound)
	f.add(menus.SearchURL("motd").String(), "gopher search", ok)
	f.add(news.GroupURL("no.such.group", 1).String(), "nntp without the group", notFound)
	f.add("news:"+nntptest.ID("etc", "motd"), "news article", ok)
	f.add("news:expired.1@farm.test", "news expired", notFound)
	f.add("news:"+nntptest.Group("etc"), "news group", ok)
	f.add("news:no.such.group", "news without the group", notFound)
	dir, err := os.MkdirTemp("", "locator-farm-")
	if err != nil {
		return err
	}
	f.close = append(f.close, func() { os.RemoveAll(dir) })
	f.add("file://"+filepath.ToSlash(dir), "local folder", ok)
	f.add("file://"+filepath.ToSlash(dir)+"/missing.txt", "local file", notFound)
	return nil
}
