//go:build linux

package main

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"time"

	"locator"
	"locator/scheme/ftp/ftptest"
	"locator/scheme/gopher/gophertest"
	"locator/scheme/http/httptest"
	"locator/scheme/nntp/nntptest"
	"locator/scheme/wais/waistest"
	"locator/schemetest/peer"
)

// servers are what the gateway reads from.
type servers struct {
	pages []locator.URL                      // a page of each scheme
	slow  []locator.URL                      // the same, behind relays that wait
	large locator.URL                        // a file
	files []func(path ...string) locator.URL // many files, by ftp and http
	ends  []func()
}

// The files of each scheme in the folders small and large, of 4 KiB and of largeSize bytes.
const (
	smallFiles = 5000
	largeFiles = 256
	largeSize  = 4 << 20
)

// delay is how long a slow server takes to answer.
const delay = 500 * time.Millisecond

func startServers(size int64) (*servers, error) {
	s := &servers{}
	tree := peer.Tree()
	large := strings.Repeat("a line of a large file, which is sent as it is\n", largeSize/47+1)[:largeSize]
	for i := range smallFiles {
		name := fmt.Sprintf("%05d", i)
		tree = append(tree, peer.File{Path: []string{"small", name}, Content: large[:4<<10]})
		if i < largeFiles {
			tree = append(tree, peer.File{Path: []string{"large", name}, Content: large})
		}
	}
	web, err := httptest.Start(tree)
	if err != nil {
		return nil, err
	}
	files, err := ftptest.Start(tree)
	if err != nil {
		return nil, err
	}
	menus, err := gophertest.Start(tree)
	if err != nil {
		return nil, err
	}
	news, err := nntptest.Start(tree)
	if err != nil {
		return nil, err
	}
	index, err := waistest.Start(tree)
	if err != nil {
		return nil, err
	}
	s.ends = append(s.ends, web.Close, files.Close, menus.Close, news.Close, index.Close)
	s.files = []func(path ...string) locator.URL{files.URL, web.URL}
	s.pages = []locator.URL{files.URL("etc", "motd"), web.URL("etc", "motd"), menus.URL("etc", "motd"), files.URL(""), menus.URL(""), news.URL("etc", ""), index.SearchURL("names", "names")}
	for _, u := range s.pages {
		slow, err := s.relay(u)
		if err != nil {
			return nil, err
		}
		s.slow = append(s.slow, slow)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	s.ends = append(s.ends, func() { l.Close() })
	s.large = locator.MustParse("http://" + l.Addr().String() + "/large.bin")
	go http.Serve(l, handler(size))
	return s, nil
}

// handler sends a large file, and a page of the usual length.
func handler(size int64) http.Handler {
	page := make([]byte, 5000)
	for i := range page {
		page[i] = 'x'
	}
	piece := make([]byte, 64<<10)
	mux := http.NewServeMux()
	mux.HandleFunc("/large.bin", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/octet-stream")
		for n := int64(0); n < size; n += int64(len(piece)) {
			if _, err := w.Write(piece); err != nil {
				return
			}
		}
	})
	mux.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.Write(page)
	})
	return mux
}

// serveBare serves nothing but pages, in a process of its own, as the gateway is.
func serveBare() error {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	fmt.Println("http://" + l.Addr().String() + "/")
	return http.Serve(l, handler(0))
}

// relay returns u on a port of its own, which connects to the server of u after the delay.
func (s *servers) relay(u locator.URL) (locator.URL, error) {
	to, _ := u.Addr()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return u, err
	}
	s.ends = append(s.ends, func() { l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer c.Close()
				time.Sleep(delay)
				up, err := net.Dial("tcp", to)
				if err != nil {
					return
				}
				defer up.Close()
				go func() { io.Copy(up, c); up.(*net.TCPConn).CloseWrite() }()
				io.Copy(c, up)
			}()
		}
	}()
	_, port, _ := net.SplitHostPort(l.Addr().String())
	return u.WithPort(port)
}

// ports returns the ports of URLs.
func ports(lists ...[]locator.URL) (all []string) {
	for _, list := range lists {
		for _, u := range list {
			all = append(all, u.Port())
		}
	}
	return all
}

func (s *servers) close() {
	for _, f := range s.ends {
		f()
	}
}
