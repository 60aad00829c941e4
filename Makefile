# make                 builds build/locator
# make install         installs the program, its manual pages and the completions of bash, zsh and fish
# make man completion  only write the manual pages and completions below build
# make test            runs the tests that need nothing but Go; ./test.sh runs all
# make clean           removes build
#
# For packages: make install DESTDIR=/tmp/root PREFIX=/usr VERSION=1.2.3 REVISION=1a2b3c4d DATE=2026-11-20
# With GOOS and GOARCH in the environment the program is built for another system.

PREFIX = /usr/local
BINDIR = $(PREFIX)/bin
MANDIR = $(PREFIX)/share/man
DOCDIR = $(PREFIX)/share/doc/locator
BASHDIR = $(PREFIX)/share/bash-completion/completions
ZSHDIR = $(PREFIX)/share/zsh/site-functions
FISHDIR = $(PREFIX)/share/fish/vendor_completions.d

GO = go
BUILD = build
BUILDFLAGS = -trimpath
LDFLAGS = -s -w

# What the program says of itself. Without them it tells the version and revision that the source and git know.
VERSION =
REVISION =
DATE =
STAMPS = $(VERSION:%=-X main.Version=%) $(REVISION:%=-X main.Revision=%) $(DATE:%=-X main.Date=%)
COMPILE = CGO_ENABLED=0 $(GO) build $(BUILDFLAGS) -ldflags "$(LDFLAGS) $(STAMPS)"

# The program for this system, which prints its own manual pages and completions.
SELF = $(BUILD)/self/locator

all: program

program:
	$(COMPILE) -o $(BUILD)/locator ./cmd/locator

self:
	GOOS= GOARCH= $(COMPILE) -o $(SELF) ./cmd/locator

man: self
	rm -rf $(BUILD)/man
	$(SELF) man --dir $(BUILD)/man

completion: self
	mkdir -p $(BUILD)/completion
	$(SELF) completion bash >$(BUILD)/completion/locator.bash
	$(SELF) completion zsh >$(BUILD)/completion/locator.zsh
	$(SELF) completion fish >$(BUILD)/completion/locator.fish

install: program man completion
	install -d $(DESTDIR)$(BINDIR) $(DESTDIR)$(MANDIR)/man1 $(DESTDIR)$(DOCDIR)
	install -d $(DESTDIR)$(BASHDIR) $(DESTDIR)$(ZSHDIR) $(DESTDIR)$(FISHDIR)
	install -m 755 $(BUILD)/locator $(DESTDIR)$(BINDIR)/locator
	install -m 644 $(BUILD)/man/*.1 $(DESTDIR)$(MANDIR)/man1
	install -m 644 README.md CHANGELOG.md LICENSE cmd/locator/LICENSES $(DESTDIR)$(DOCDIR)
	install -m 644 $(BUILD)/completion/locator.bash $(DESTDIR)$(BASHDIR)/locator
	install -m 644 $(BUILD)/completion/locator.zsh $(DESTDIR)$(ZSHDIR)/_locator
	install -m 644 $(BUILD)/completion/locator.fish $(DESTDIR)$(FISHDIR)/locator.fish

test:
	$(GO) test ./...

clean:
	rm -rf $(BUILD)

.PHONY: all program self man completion install test clean
