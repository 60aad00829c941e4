package gateway

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"io/fs"
	"net/http"
	"path"
	"strings"
)

//go:embed assets
var files embed.FS

// assets are the templates of the pages and the files that these use.
type assets struct {
	pages *template.Template
	files map[string]asset // by the last part of their path
	names map[string]string
}

// asset is a file that pages use. The name has its digest, so that browsers may keep it for ever.
type asset struct {
	mediaType string
	content   []byte
}

const assetPath = ownPrefix + "assets/"

func loadAssets() (*assets, error) {
	a := &assets{files: make(map[string]asset), names: make(map[string]string)}
	types := map[string]string{".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".mjs": "text/javascript; charset=utf-8", ".svg": "image/svg+xml"}
	err := fs.WalkDir(files, "assets", func(name string, d fs.DirEntry, err error) error {
		t, ok := types[path.Ext(name)]
		if err != nil || d.IsDir() || !ok {
			return err
		}
		content, err := files.ReadFile(name)
		if err != nil {
			return err
		}
		base, ext := strings.TrimSuffix(path.Base(name), path.Ext(name)), path.Ext(name)
		if ext == ".css" {
			for plain, hashed := range a.names { // files come in the order of their names, so that the icons are there
				content = bytes.ReplaceAll(content, []byte("url("+plain+")"), []byte("url("+hashed+")"))
			}
		}
		sum := sha256.Sum256(content)
		hashed := base + "." + base64.RawURLEncoding.EncodeToString(sum[:9]) + ext
		a.files[hashed], a.names[base+ext] = asset{t, content}, assetPath+hashed
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("gateway: %w", err)
	}
	a.pages, err = template.New("").Funcs(template.FuncMap{"asset": func(name string) string { return a.names[name] }, "path": pathAttr}).ParseFS(files, "assets/*.html")
	if err != nil {
		return nil, fmt.Errorf("gateway: %w", err)
	}
	return a, nil
}

// pathAttr returns an attribute with a path of the gateway. In a quoted attribute html/template would escape apostrophes and parentheses
// of a URL, which would be another one.
func pathAttr(name string, path template.URL) template.HTMLAttr {
	return template.HTMLAttr(name + `="` + template.HTMLEscapeString(string(path)) + `"`)
}

// serve serves a file by the last part of its path.
func (a *assets) serve(w http.ResponseWriter, name string) bool {
	f, ok := a.files[name]
	if !ok {
		return false
	}
	h := w.Header()
	h.Set("Content-Type", f.mediaType)
	h.Set("Cache-Control", "public, max-age=31536000, immutable")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Content-Length", fmt.Sprint(len(f.content)))
	w.Write(f.content) // a client that has gone reads nothing
	return true
}
