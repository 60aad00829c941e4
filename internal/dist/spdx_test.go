package main

import "testing"

// TestSPDX finds the licence of everything that is linked into the program.
func TestSPDX(t *testing.T) {
	t.Parallel()
	want := map[string]string{
		realLicenses(t)[0].Module: "BSD-3-Clause", "xterm.js": "MIT", "the Go standard library": "BSD-3-Clause", "github.com/coder/websocket": "ISC",
		"github.com/ncruces/go-sqlite3": "MIT", "github.com/ncruces/go-sqlite3-wasm/v6": "MIT-0", "github.com/riverqueue/river": "MPL-2.0",
		"github.com/spf13/cobra": "Apache-2.0", "github.com/nlnwa/whatwg-url": "Apache-2.0",
	}
	for _, l := range realLicenses(t) {
		got, err := spdx(l.Text)
		if err != nil || want[l.Module] != "" && got != want[l.Module] {
			t.Errorf("%s: %s, %v; want %s", l.Module, got, err, want[l.Module])
		}
		delete(want, l.Module)
	}
	for name := range want {
		t.Errorf("no licence of %s", name)
	}
	if got, err := spdx("Permission is hereby granted, free of charge, to any person obtaining a copy. Mozilla Public License\nVersion 2.0"); got != "MIT-0 AND MPL-2.0" {
		t.Errorf("two licences are %s, %v", got, err)
	}
	if got, err := spdx("Do what you like."); err == nil {
		t.Errorf("%q", got)
	}
}
