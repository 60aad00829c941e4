package ftp

import (
	"errors"

	"locator/scheme"
)

// fail makes an error of a reply to a command that reads; see failWrite. The words say what the
// server refused.
func (r reply) fail(format string, args ...any) error {
	return scheme.Replied(r.failure(), r.Shown(), format, args...)
}

// failWrite is fail for commands that change something: there 550 and 553 mean that the user has no
// permission.
func (r reply) failWrite(format string, args ...any) error {
	code := r.failure()
	if (r.Code == 550 || r.Code == 553) && !r.missing() && !r.badName() {
		code = scheme.CodeLoginNeeded
	}
	return scheme.Replied(code, r.Shown(), format, args...)
}

// failure maps the code of a reply that refuses something (RFC 959 4.2.2, RFC 2228 5) to an error
// code. No other function does.
func (r reply) failure() scheme.Code {
	if r.unopened() {
		return scheme.CodeLoginNeeded
	}
	switch r.Code {
	case 430, 530, 532: // some servers answer a wrong password with 430
		return scheme.CodeLoginNeeded
	case 450: // QUIRK: proftpd answers 450 "No such file or directory" to NLST of a missing name
		if r.missing() {
			return scheme.CodeNotFound
		}
		return scheme.CodeUnavailable
	case 550, 553:
		if r.says("permission denied", "access denied", "access is denied") {
			return scheme.CodeLoginNeeded
		}
		if r.badName() {
			return scheme.CodeUnsupported
		}
		return scheme.CodeNotFound
	case 551: // QUIRK: ftp-srv 4.6.3 answers it to RETR with the words of the file system: "ENOENT: no such file or directory"
		switch {
		case r.says("permission denied"):
			return scheme.CodeLoginNeeded
		case r.missing():
			return scheme.CodeNotFound
		}
		return scheme.CodeUnsupported
	case 552:
		return scheme.CodeUnavailable // no storage left
	case 500, 501, 502, 504, 522, 533, 534, 535, 536, 537, 554:
		return scheme.CodeUnsupported
	}
	if r.Class() == 4 {
		return scheme.CodeUnavailable
	}
	return scheme.CodeProtocol
}

// unopened reports whether the reply that ends a listing says that the server could not open the
// directory. The empty listing before it is not that of an empty directory. The directory exists,
// since CWD has succeeded.
//
// QUIRK: vsftpd 3.0.3 answers LIST and NLST in a directory that it may enter but not read with 150
// and "226 Transfer done (but failed to open directory).".
func (r reply) unopened() bool { return r.Class() == 2 && r.says("failed to open directory") }

// truncated reports whether the reply that ends a listing says that entries are missing at its end.
//
// QUIRK: pure-ftpd 1.0.50 answers "226 Output truncated to 10000 matches" (its default), or
// "226-Options: -l" and then that line.
func (r reply) truncated() bool { return r.Class() == 2 && r.says("truncated") }

// beginningOnly is the error of such a listing.
func (r reply) beginningOnly() error {
	return scheme.Replied(scheme.CodeUnsupported, r.Shown(), "the server sent only the beginning of the listing")
}

// missing reports whether the text of the reply says that the file does not exist: the code 550
// alone may also be a refusal.
func (r reply) missing() bool {
	return r.says("no such", "not found", "doesn't exist", "does not exist", "not exist", "cannot find")
}

// badName reports whether the text of the reply says that the server takes no file of that name,
// whether there is one or not.
//
// QUIRK: pure-ftpd 1.0.50 lists names with a backslash, and answers "553 Prohibited file name" to
// RETR.
func (r reply) badName() bool {
	return (r.Code == 550 || r.Code == 553) && r.says("prohibited file name", "file name not allowed", "filename not allowed", "illegal file name", "invalid file name")
}

// denied reports whether the server does not allow the command at all, by a code that means nothing
// else or by its text.
func (r reply) denied() bool {
	switch r.Code {
	case 500, 502, 504, 530, 532, 553:
		return true
	}
	return r.says("permission", "denied", "not allowed", "not permitted", "disabled", "forbidden", "prohibited", "read-only",
		"read only")
}

// unexpected is the error for a reply that is not valid after a command.
func (r reply) unexpected(after string) error {
	if r.Class() >= 4 {
		return r.fail("the server refused %s", after)
	}
	return scheme.Replied(scheme.CodeProtocol, r.Shown(), "reply %d makes no sense after %s", r.Code, after)
}

// errOtherDirectory says that a pooled connection is in a directory from which no reliable path
// leads to the wanted one (RFC 1738 3.2.5).
var errOtherDirectory = errors.New("a kept connection is in another directory")
