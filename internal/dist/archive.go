package main

import (
	"archive/tar"
	"archive/zip"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"
)

// archiver writes files with the same owner, date and modes everywhere, in the order of its caller.
type archiver interface {
	add(name string, mode fs.FileMode, data []byte) error
	Close() error
}

type tarArchive struct {
	zip  *gzip.Writer
	tar  *tar.Writer
	time time.Time
}

type zipArchive struct {
	*zip.Writer
	time time.Time
}

// newArchive writes a zip archive if the name says so, else a compressed tar archive.
func newArchive(w io.Writer, name string, date time.Time) (archiver, error) {
	if path.Ext(name) == ".zip" {
		return zipArchive{zip.NewWriter(w), date}, nil
	}
	z, err := gzip.NewWriterLevel(w, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	z.ModTime = date
	return tarArchive{z, tar.NewWriter(z), date}, nil
}

func (a tarArchive) add(name string, mode fs.FileMode, data []byte) error {
	err := a.tar.WriteHeader(&tar.Header{Typeflag: tar.TypeReg, Name: name, Mode: int64(mode), Size: int64(len(data)), ModTime: a.time})
	if err == nil {
		_, err = a.tar.Write(data)
	}
	return err
}

func (a tarArchive) Close() error { return errors.Join(a.tar.Close(), a.zip.Close()) }

func (a zipArchive) add(name string, mode fs.FileMode, data []byte) error {
	h := &zip.FileHeader{Name: name, Method: zip.Deflate, Modified: a.time}
	h.SetMode(mode)
	w, err := a.CreateHeader(h)
	if err == nil {
		_, err = w.Write(data)
	}
	return err
}

// member is a file in an archive, and where its content is.
type member struct{ name, file string }

// writeArchive writes an archive of the result. Its members are in one folder.
func (r *release) writeArchive(name, folder string, members []member) (err error) {
	out, err := os.Create(filepath.Join(r.files, name))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, out.Close()) }()
	a, err := newArchive(out, name, r.source.time())
	if err != nil {
		return err
	}
	for _, m := range members {
		info, err := os.Stat(m.file)
		if err != nil {
			return err
		}
		data, err := os.ReadFile(m.file)
		if err != nil {
			return err
		}
		if err := a.add(folder+"/"+m.name, modeOf(info), data); err != nil {
			return err
		}
	}
	return a.Close()
}

// archiveProgram writes the archive for users of one platform.
func (r *release) archiveProgram(p platform, build string) error {
	members := []member{{p.program(), filepath.Join(build, "locator")}}
	for _, name := range []string{"CHANGELOG.md", "LICENSE", "README.md", "cmd/locator/LICENSES"} {
		members = append(members, member{path.Base(name), filepath.Join(r.tree, filepath.FromSlash(name))})
	}
	for _, folder := range []string{"completion", "man"} {
		found, err := membersOf(r.texts(), folder)
		if err != nil {
			return err
		}
		members = append(members, found...)
	}
	folder, name := p.archive(r.version)
	return r.writeArchive(name, folder, members)
}

// makeSourceArchive writes the archive that all of this can be made from again.
func (r *release) makeSourceArchive(context.Context) error {
	members, err := membersOf(r.tree, ".")
	if err != nil {
		return err
	}
	folder := "locator-" + r.version
	return r.writeArchive(folder+"-source.tar.gz", folder, members)
}

// membersOf returns the files below a folder in root, sorted.
func membersOf(root, folder string) (all []member, err error) {
	err = fs.WalkDir(os.DirFS(root), folder, func(name string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			all = append(all, member{strings.TrimPrefix(name, "./"), filepath.Join(root, filepath.FromSlash(name))})
		}
		return err
	})
	return all, err
}
