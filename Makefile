# make                 builds the program, its manual pages, the completions of bash, zsh and fish, a desktop entry and
#                      the units of systemd for users, in build
# make install         installs what make has built; it needs no Go and builds nothing
# make uninstall       removes what make install has installed
# make man completion  only write the manual pages and completions
# make check           runs the tests that need nothing but Go, and counts those that it skips; ./test.sh runs all
# make dist            makes the files of a release in build/dist: make dist VERSION=1.2.3; docs/internals/releasing.md has the variables
# make home            moves the Go module to its home: make home MODULE=example.org/locator
# make clean           removes build
#
# For packages: make PREFIX=/usr VERSION=1.2.3 REVISION=1a2b3c4d DATE=2026-11-20, then make install PREFIX=/usr DESTDIR=/tmp/root
# SOURCE_DATE_EPOCH, seconds since 1970, is the date if there is no DATE. The archive of a release has all of them in the file .source.
# With GOOS and GOARCH in the environment the program is built for another system.

PREFIX = /usr/local
BINDIR = $(PREFIX)/bin
MANDIR = $(PREFIX)/share/man
DOCDIR = $(PREFIX)/share/doc/locator
BASHDIR = $(PREFIX)/share/bash-completion/completions
ZSHDIR = $(PREFIX)/share/zsh/site-functions
FISHDIR = $(PREFIX)/share/fish/vendor_completions.d
APPDIR = $(PREFIX)/share/applications
ICONDIR = $(PREFIX)/share/icons/hicolor/scalable/apps
UNITDIR = $(PREFIX)/share/systemd/user
UNITS = locator-gateway.service locator-outbox.service locator-outbox.timer
DOCS = README.md CHANGELOG.md LICENSE cmd/locator/LICENSES

GO = go
PACKAGES = ./...
BUILD = build
BUILDFLAGS = -trimpath
LDFLAGS = -s -w

# What the program says of itself. Without them it tells the version, revision and date that the source and git know.
VERSION =
REVISION =
DATE =
-include .source
EPOCH = $(SOURCE_DATE_EPOCH:%=-X main.Date=$$(epoch=%; date -u -d "@$$epoch" +%F 2>/dev/null || date -u -r "$$epoch" +%F))
STAMPS = $(VERSION:%=-X main.Version=%) $(REVISION:%=-X main.Revision=%) $(EPOCH) $(DATE:%=-X main.Date=%)
COMPILE = CGO_ENABLED=0 $(GO) build $(BUILDFLAGS) -ldflags "$(LDFLAGS) $(STAMPS)"

# The program for this system, which writes its own manual pages and the other files.
SELF = $(BUILD)/self/locator

all: program texts

# What is the same on all systems.
texts: man completion desktop

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

# make install replaces @PROGRAM@.
desktop: self
	rm -rf $(BUILD)/desktop
	$(SELF) handler files @PROGRAM@ $(BUILD)/desktop

install:
	@test -e $(BUILD)/locator -a -e $(BUILD)/man/locator.1 -a -e $(BUILD)/completion/locator.fish -a -e $(BUILD)/desktop/locator.desktop || { echo 'nothing is built yet; run make first, as yourself' >&2; exit 1; }
	@case '$(BINDIR)$(APPDIR)$(UNITDIR)' in *[!A-Za-z0-9._/+-]*) echo 'PREFIX, BINDIR, APPDIR and UNITDIR must consist of letters, digits, and . _ / + -' >&2; exit 1;; esac
	install -d "$(DESTDIR)$(BINDIR)" "$(DESTDIR)$(MANDIR)/man1" "$(DESTDIR)$(DOCDIR)"
	install -d "$(DESTDIR)$(BASHDIR)" "$(DESTDIR)$(ZSHDIR)" "$(DESTDIR)$(FISHDIR)"
	install -d "$(DESTDIR)$(APPDIR)" "$(DESTDIR)$(ICONDIR)" "$(DESTDIR)$(UNITDIR)"
	install -m 755 $(BUILD)/locator "$(DESTDIR)$(BINDIR)/locator"
	install -m 644 $(BUILD)/man/*.1 "$(DESTDIR)$(MANDIR)/man1"
	install -m 644 $(DOCS) "$(DESTDIR)$(DOCDIR)"
	install -m 644 $(BUILD)/completion/locator.bash "$(DESTDIR)$(BASHDIR)/locator"
	install -m 644 $(BUILD)/completion/locator.zsh "$(DESTDIR)$(ZSHDIR)/_locator"
	install -m 644 $(BUILD)/completion/locator.fish "$(DESTDIR)$(FISHDIR)/locator.fish"
	for f in $(APPDIR)/locator.desktop $(UNITS:%=$(UNITDIR)/%); do \
		sed 's|@PROGRAM@|$(BINDIR)/locator|' "$(BUILD)/desktop/$${f##*/}" >"$(DESTDIR)$$f" && chmod 644 "$(DESTDIR)$$f" || exit 1; done
	install -m 644 contrib/webextension/icon.svg "$(DESTDIR)$(ICONDIR)/locator.svg"

uninstall:
	rm -f "$(DESTDIR)$(BINDIR)/locator" "$(DESTDIR)$(MANDIR)/man1/locator.1" "$(DESTDIR)$(MANDIR)"/man1/locator-*.1
	rm -f "$(DESTDIR)$(BASHDIR)/locator" "$(DESTDIR)$(ZSHDIR)/_locator" "$(DESTDIR)$(FISHDIR)/locator.fish"
	rm -f "$(DESTDIR)$(APPDIR)/locator.desktop" "$(DESTDIR)$(ICONDIR)/locator.svg"
	for f in $(UNITS); do rm -f "$(DESTDIR)$(UNITDIR)/$$f"; done
	for f in $(DOCS); do rm -f "$(DESTDIR)$(DOCDIR)/$${f##*/}"; done
	test ! -d "$(DESTDIR)$(DOCDIR)" || rmdir "$(DESTDIR)$(DOCDIR)"

# Each test that is skipped appends its reason to the file skips.
check test:
	mkdir -p $(BUILD)
	: >$(BUILD)/skips
	LOCATOR_SKIPS="$$(cd $(BUILD) && pwd)/skips" $(GO) test -count=1 $(PACKAGES)
	@internal/peers/skips.sh $(BUILD)/skips

# The files of a release. PACKAGES has another meaning here.
DIST = $(BUILD)/dist
dist: PACKAGES = deb rpm oci
dist:
	@GOOS= GOARCH= $(GO) run ./internal/dist -go '$(GO)' -version '$(VERSION)' -revision '$(REVISION)' -out '$(DIST)' \
		-platforms '$(PLATFORMS)' -packages '$(PACKAGES)' -sign-key '$(SIGN_KEY)' -base-url '$(BASEURL)'

home:
	@$(GO) run ./internal/home '$(MODULE)'

clean:
	rm -rf $(BUILD)

.PHONY: all program texts self man completion desktop install uninstall check test dist home clean
