package schemetest

import (
	"context"
	"io/fs"
	"strings"

	"locator"
	"locator/scheme"
)

func (f fake) Remove(ctx context.Context, env *scheme.Env, r scheme.Request) error {
	verb := "REMOVE"
	switch f.flaw {
	case "removes nothing":
		verb = "SIZE"
	case "removes what is in a directory":
		verb = "PURGE"
	}
	return f.change(ctx, env, r, verb, "")
}

func (f fake) Rename(ctx context.Context, env *scheme.Env, r scheme.Request, to locator.URL) error {
	verb := "MOVE"
	switch f.flaw {
	case "renames by a copy":
		verb = "COPY"
	case "rename replaces":
		verb = "FORCE"
	}
	view, _ := locator.As[*locator.FTP](to)
	return f.change(ctx, env, r, verb, "\t"+strings.Join(append(view.Dirs, view.Name.Or("")), "/"))
}

func (f fake) MakeDir(ctx context.Context, env *scheme.Env, r scheme.Request) error {
	err := f.change(ctx, env, r, "MKDIR", "")
	if err != nil && f.flaw == "makes what is there" && strings.Contains(err.Error(), fs.ErrExist.Error()) {
		return nil
	}
	return err
}

func (f fake) change(ctx context.Context, env *scheme.Env, r scheme.Request, verb, more string) error {
	v, path, err := f.visit(ctx, env, r.URL)
	if err != nil {
		return err
	}
	_, err = v.ask(verb, path+more)
	v.end(err == nil)
	return err
}

// change handles commands whose reply is only a status. A created directory is in the map of files
// under a name that ends in a slash; other directories exist while they contain a file.
func (t *talk) change(verb, arg string) bool {
	from, to, _ := strings.Cut(arg, "\t")
	from, to = strings.Trim(from, "/"), strings.Trim(to, "/")
	s := t.s
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case verb == "MKDIR" && s.has(from), verb != "FORCE" && to != "" && s.has(to) && s.has(from):
		return t.say("HAVE it\r\n")
	case verb == "MKDIR":
		if i := strings.LastIndexByte(from, '/'); i >= 0 && !s.has(from[:i]) {
			return t.say("NO such folder\r\n")
		}
		s.files[from+"/"] = ""
		return t.say("OK\r\n")
	case !s.has(from):
		return t.say("NO such file\x1b[2J\r\n")
	}
	for path, text := range s.files {
		rest, ok := strings.CutPrefix(path, from)
		switch {
		case !ok || rest != "" && rest[0] != '/':
		case to != "":
			s.files[to+rest] = text
			if verb != "COPY" {
				delete(s.files, path)
			}
		case verb == "REMOVE" && len(rest) > 1:
			return t.say("FULL\r\n")
		}
	}
	for path := range s.files {
		if to == "" && (path == from || strings.HasPrefix(path, from+"/")) {
			delete(s.files, path)
		}
	}
	return t.say("OK\r\n")
}

// has reports whether a file or a directory exists. The caller holds the lock.
func (s *fakeServer) has(path string) bool {
	for name := range s.files {
		if name == path || strings.HasPrefix(name, path+"/") {
			return true
		}
	}
	return false
}
