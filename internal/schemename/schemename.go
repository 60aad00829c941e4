// Package schemename knows names of schemes that are in use and that package locator has no rule
// for.
package schemename

import (
	"strings"

	"locator/internal/octet"
)

// inUse is the list. longest is the length of its longest name.
const (
	inUse = " sftp tftp smtp smtps snmp ssh scp git svn hg rsync imap imaps pop pop3 ldap ldaps rtsp rtmp sip sips tel fax sms xmpp irc ircs " +
		"ws wss data blob about javascript magnet urn doi info dict dns nntps snews afp smb cifs dav davs feed geo view-source " +
		"httpu httpg shttp ipp ipps coap coaps mms mailserver gemini spartan finger whois tip vnc rdp jdbc mysql redis content " +
		"acct im pres tag pkg matrix "
	longest = len("view-source")
)

// InUse reports whether a name is that of such a scheme, in either case.
func InUse(name string) bool {
	if len(name) > longest {
		return false
	}
	var buf [longest + 2]byte
	word := append(octet.AppendLower(append(buf[:0], ' '), name), ' ')
	return strings.Contains(inUse, string(word))
}
