package vet

import (
	"strings"

	"locator"
)

// hazard is one row of the table that Check and docs/internals/hazards.md are made from.
type hazard struct {
	code     string
	severity Severity
	section  string
	what     string                                          // what is dangerous about it
	advice   string                                          // what to do
	example  string                                          // a URL of Current that has it
	find     func(u locator.URL, found func(message string)) // nil if only a comparison of parsers finds it
}

// hazards is the table.
func hazards() []hazard {
	return []hazard{
		{
			"password", SeverityWarning, "6", "The URL contains a password. Everyone who sees the URL learns it; histories, logs and Referer lines keep it.",
			"Leave the password out. It is asked for when the server requires it, or read from a netrc file.",
			"ftp://myname:secret@host.dom/motd", findPassword,
		},
		{
			"host-like-user", SeverityWarning, "RFC 3986 7.6", `The user before the "@" looks like a host name, and people mistake it for the host.`,
			`The host is what follows the last "@".`,
			"ftp://www.bank.example@host.dom/", findHostLikeUser,
		},
		{
			"userinfo", SeverityWarning, "RFC 9110 4.2.4", "A web URL has a user before its host. Servers do not send such links; phishing mail does.",
			`The host is what follows the last "@".`,
			"http://reader@host.dom/", findUserinfo,
		},
		{
			"other-port", SeverityInfo, "6", "The port is not the default of the scheme: another service may answer there.",
			"Check that the port is intended.",
			"gopher://host.dom:7070/", findOtherPort,
		},
		{
			"refused-port", SeverityDanger, "6", "The port belongs to another protocol, whose server may execute the request as commands. All ports below 1024 are " +
				"reserved for named services; for http and https only the bad ports of the Fetch standard are refused.",
			"Do not access it unless you know the service; --allow-port allows the port.",
			"gopher://host.dom:25/0HELO%20host.dom", findRefusedPort,
		},
		{
			"no-port", SeverityDanger, "3.1", "The grammar sets no limit to a port, but TCP ports are 1 to 65535.",
			"Correct the port, or leave it out.",
			"http://host.dom:65536/", findNoPort,
		},
		{
			"port-zeros", SeverityInfo, "RFC 3986 6.2.3", "The port has leading zeros. They have no meaning, but programs that compare texts see another port.",
			"Write the port without them.",
			"ftp://host.dom:0021/", findPortZeros,
		},
		{
			"no-address", SeverityDanger, "3.1", "The host has four digit groups, and one is over 255, or it is an IP literal of a version that does not exist: that is " +
				"neither an address nor a name. Some programs refuse such a host, others look it up as a name.",
			"Correct the host.",
			"ftp://256.1.2.3/", findNoAddress,
		},
		{
			"numeric-host", SeverityDanger, "RFC 3986 7.4", "The host ends in a number and is not four decimal groups. Some programs still read it as an address: " +
				"one number for all 32 bits, fewer groups, or octal or hexadecimal groups.",
			"If an address is meant, write it as four decimal groups.",
			"http://0x7f.1/", findNumericHost,
		},
		{
			"ambiguous-address", SeverityWarning, "3.1", "A digit group of the host has a leading zero. Some programs read it as octal and reach another host.",
			"Write the groups without leading zeros.",
			"http://192.0.2.010/", findAmbiguousAddress,
		},
		{
			"local-address", SeverityInfo, "6", "The host is this machine, or in a network without public addresses. The URL leads each user to a different host.",
			"Do not follow it from a page by somebody else.",
			"http://127.0.0.1/", findLocalAddress,
		},
		{
			"odd-host", SeverityWarning, "RFC 1123 2.1", "The host has a character that host names cannot contain, an empty label, or a label that begins or ends with a hyphen. " +
				"Programs do not agree where such a host ends.",
			"Correct the host.",
			"http://host.dom%2Fpath/", findOddHost,
		},
		{
			"option-host", SeverityWarning, "RFC 1123 2.1", "The host begins with a hyphen. A program that gets it as an argument may read it as an option.",
			"Do not pass it to a program as an argument.",
			"telnet://-l.host.dom/", findOptionHost,
		},
		{
			"bad-idna", SeverityWarning, "RFC 5891 5.4", "A label of the host is not a valid internationalized label: it has no ASCII form, or its ASCII form stands for nothing.",
			"Correct the host.",
			"http://xn--a.example/", findBadIDNA,
		},
		{
			"mixed-script", SeverityWarning, "RFC 3987 8", "A label of the host mixes scripts that no language uses together. A letter may be chosen to look like another.",
			"Look at the ASCII form of the host.",
			"http://www.p\u0430ypal.example/", findMixedScript,
		},
		{
			"long-name", SeverityWarning, "RFC 1035 2.3.4", "A label of the host has more than 63 octets or the whole name more than 253: the domain name system does not allow that.",
			"Correct the host.",
			"http://" + strings.Repeat("a", 64) + ".example/", findLongName,
		},
		{
			"control-octet", SeverityDanger, "6", "A part that becomes a command line contains an encoded CR, LF or NUL, or a blank or TAB where that is a delimiter. " +
				"Sent decoded, it would end the line or field and begin another. File names cannot contain NUL.",
			"Do not access it.",
			"ftp://host.dom/motd%0D%0ADELE%20motd", findControlOctet,
		},
		{
			"double-escape", SeverityWarning, "RFC 3986 2.4", "An escape is escaped again. A program that decodes twice gets a different URL from one that decodes once.",
			"Find out which of the two is meant.",
			"http://host.dom/a%252Fb", findDoubleEscape,
		},
		{
			"invisible", SeverityWarning, "RFC 3987 4.1", "The URL contains a character that cannot be seen or that changes the direction of the text, literally or as an escape.",
			"Look at the escapes.",
			"http://host.dom/motd%E2%80%AEtxt.exe", findInvisible,
		},
		{
			"filled-form", SeverityWarning, "3.4.9", "The URL contains the answers to a Gopher+ form. Access sends them, which may change something on the server.",
			"Access it only if you intend that. Listing, checking and the gateway never send it.",
			"gopher://host.dom/0ask%09%09+%091%0D%0A+-1%0D%0Ayes%0D%0A.%0D%0A", findFilledForm,
		},
		{
			"unknown-plus", SeverityWarning, "3.4.3", "The Gopher+ string has none of the known forms: a view, the attributes of an item or menu, a form.",
			"Do not access it unless you know the server.",
			"gopher://host.dom/0a%09%09quit", findUnknownPlus,
		},
		{
			"unsafe-header", SeverityWarning, "RFC 6068 4", "A mailto URL sets a header field that links should not set. It may send the mail elsewhere, or say what its author did not write.",
			"Use only its addresses, subject and body.",
			"mailto:a@host.dom?bcc=b@host.dom", findUnsafeHeader,
		},
		{
			"stray-delimiter", SeverityWarning, "RFC 6068 2", `A value in a mailto URL contains a "?" or "=" that is not escaped. Its author may have meant another header field, and programs ` +
				"do not agree.",
			`Write "&" between header fields, and %3F and %3D within a value.`,
			"mailto:a@host.dom?cc=b@host.dom?body=hello", findStrayDelimiter,
		},
		{
			"no-mail-address", SeverityWarning, "3.5", "An address of a mailto URL is no addr-spec of RFC 822 6.1, so no mail can be sent to it.",
			"Correct the address: a local part, an @ and a domain, reserved characters escaped.",
			"mailto:postmaster", findNoMailAddress,
		},
		{
			"readers-differ", SeverityDanger, "RFC 3986 7.6", "Other URL parsers see another user, host or port in the same text, or another scheme, which is only a warning. What one " +
				"program allowed, the next may send elsewhere. `Check` does not look for this; `explain --compare` does.",
			"Write the URL again from the parts that are meant.",
			`http://good\@evil/`, nil,
		},
	}
}
