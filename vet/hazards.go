package vet

import (
	"locator"
	"strings"
)

// hazard is one row of the table that Check and docs/internals/hazards.md are made from.
type hazard struct {
	code     string
	severity Severity
	section  string
	what     string                                          // what is dangerous about it
	advice   string                                          // what to do
	example  string                                          // a URL of Current that has it
	find     func(u locator.URL, found func(message string)) // nil for what only a comparison of readers finds
}

// hazards is the table.
func hazards() []hazard {
	return []hazard{
		{
			"password", SeverityWarning, "6", "The URL holds a password: whoever sees the URL has it. Histories, logs and Referer lines keep it.",
			"Leave the password out; it is asked for when the server asks, or comes from a netrc file.",
			"ftp://myname:secret@host.dom/motd", findPassword,
		},
		{
			"host-like-user", SeverityWarning, "RFC 3986 7.6", `The user before the "@" reads like a host name, so that a person takes it for the host.`,
			`Look at what stands behind the last "@": that is the host.`,
			"ftp://www.bank.example@host.dom/", findHostLikeUser,
		},
		{
			"userinfo", SeverityWarning, "RFC 9110 4.2.4", "A web URL has a user before its host. No server sends such links; mails that want to deceive do.",
			`Look at what stands behind the last "@": that is the host.`,
			"http://reader@host.dom/", findUserinfo,
		},
		{
			"other-port", SeverityInfo, "6", "The port is not the default of the scheme: another service may answer there.",
			"Make sure that the port is meant.",
			"gopher://host.dom:7070/", findOtherPort,
		},
		{
			"refused-port", SeverityDanger, "6", "The port belongs to another protocol, whose server may take the request for commands. All ports below 1024 are " +
				"reserved for named services; http and https are refused those only that the Fetch standard calls bad.",
			"Do not access it, unless you know the service; --allow-port then allows it.",
			"gopher://host.dom:25/0HELO%20host.dom", findRefusedPort,
		},
		{
			"no-port", SeverityDanger, "3.1", "The grammar sets no limit to a port, but TCP has none beyond 65535, and 0 is none.",
			"Correct the port, or leave it out.",
			"http://host.dom:65536/", findNoPort,
		},
		{
			"port-zeros", SeverityInfo, "RFC 3986 6.2.3", "The port has leading zeros. They mean nothing; readers that compare texts take it for another port.",
			"Write the port without them.",
			"ftp://host.dom:0021/", findPortZeros,
		},
		{
			"no-address", SeverityDanger, "3.1", "The host has four digit groups, and one is over 255, or it is an IP literal of a version that does not exist: that is " +
				"no address, and no name either. Some readers refuse such a host, others look it up as a name.",
			"Correct the host.",
			"ftp://256.1.2.3/", findNoAddress,
		},
		{
			"numeric-host", SeverityDanger, "RFC 3986 7.4", "The host ends in a number and is not four decimal groups. Some readers take it for an address all the same: " +
				"one number for all 32 bits, fewer groups, octal or hexadecimal ones.",
			"Write the address as four decimal groups, if it is meant.",
			"http://0x7f.1/", findNumericHost,
		},
		{
			"ambiguous-address", SeverityWarning, "3.1", "A digit group of the host has a leading zero: some readers take it for octal, and reach another host.",
			"Write the groups without leading zeros.",
			"http://192.0.2.010/", findAmbiguousAddress,
		},
		{
			"local-address", SeverityInfo, "6", "The host is this machine or one of a network without public addresses: the URL means something else to each reader.",
			"Do not follow it from a page that somebody else wrote.",
			"http://127.0.0.1/", findLocalAddress,
		},
		{
			"odd-host", SeverityWarning, "RFC 1123 2.1", "The host has a character that stands in no host name, an empty label, or a label that begins or ends with a hyphen. " +
				"Readers do not agree where such a host ends.",
			"Correct the host.",
			"http://host.dom%2Fpath/", findOddHost,
		},
		{
			"option-host", SeverityWarning, "RFC 1123 2.1", "The host begins with a hyphen: a program that is started with it may take it for an option.",
			"Do not hand it to a program.",
			"telnet://-l.host.dom/", findOptionHost,
		},
		{
			"bad-idna", SeverityWarning, "RFC 5891 5.4", "A label of the host is no good internationalized one: it cannot be written in ASCII, or its ASCII form stands for nothing.",
			"Correct the host.",
			"http://xn--a.example/", findBadIDNA,
		},
		{
			"mixed-script", SeverityWarning, "RFC 3987 8", "A label of the host mixes letters of scripts that no language writes together: one letter may be there to look like another.",
			"Look at the ASCII form of the host.",
			"http://www.p\u0430ypal.example/", findMixedScript,
		},
		{
			"long-name", SeverityWarning, "RFC 1035 2.3.4", "A label of the host has more than 63 octets or the whole name more than 253: the domain name system has no such name.",
			"Correct the host.",
			"http://" + strings.Repeat("a", 64) + ".example/", findLongName,
		},
		{
			"control-octet", SeverityDanger, "6", "A part that becomes a line to the server holds an encoded CR, LF or NUL, or a blank or TAB where that is a delimiter: " +
				"sent as what it stands for, it would end the line or the field and begin another. No file name holds a NUL.",
			"Do not access it.",
			"ftp://host.dom/motd%0D%0ADELE%20motd", findControlOctet,
		},
		{
			"double-escape", SeverityWarning, "RFC 3986 2.4", "An escape is escaped once more. Who decodes twice gets another URL than who decodes once.",
			"Find out which of the two is meant.",
			"http://host.dom/a%252Fb", findDoubleEscape,
		},
		{
			"invisible", SeverityWarning, "RFC 3987 4.1", "The URL holds a character that cannot be seen, or that turns the direction of the text, as itself or as an escape.",
			"Look at the escapes.",
			"http://host.dom/motd%E2%80%AEtxt.exe", findInvisible,
		},
		{
			"filled-form", SeverityWarning, "3.4.9", "The URL holds the answers to a Gopher+ form: access sends them, and may change something at the server.",
			"Access it only if that is meant. Listing, checking and the gateway never send it.",
			"gopher://host.dom/0ask%09%09+%091%0D%0A+-1%0D%0Ayes%0D%0A.%0D%0A", findFilledForm,
		},
		{
			"unknown-plus", SeverityWarning, "3.4.3", "The Gopher+ string has none of the known forms: a view, the attributes of an item or menu, a form.",
			"Do not access it unless you know the server.",
			"gopher://host.dom/0a%09%09quit", findUnknownPlus,
		},
		{
			"unsafe-header", SeverityWarning, "RFC 6068 4", "A mailto URL sets a header field that is not for links to set: it may send the mail elsewhere, or say what its writer did not.",
			"Take nothing from it but addresses, subject and body.",
			"mailto:a@host.dom?bcc=b@host.dom", findUnsafeHeader,
		},
		{
			"stray-delimiter", SeverityWarning, "RFC 6068 2", `A value in a mailto URL holds a "?" or "=" that is not escaped: its writer may have meant another header field, and readers ` +
				"do not agree.",
			`Write "&" between header fields, and %3F and %3D within a value.`,
			"mailto:a@host.dom?cc=b@host.dom?body=hello", findStrayDelimiter,
		},
		{
			"no-mail-address", SeverityWarning, "3.5", "An address of a mailto URL is no addr-spec of RFC 822 6.1, so no mail can go there.",
			"Correct the address: a local part, an @ and a domain, reserved characters escaped.",
			"mailto:postmaster", findNoMailAddress,
		},
		{
			"readers-differ", SeverityDanger, "RFC 3986 7.6", "Other readers see another user, host or port in the same text, or another scheme, which is a warning alone: what one " +
				"program has allowed, the next may take elsewhere. `Check` does not look for this, `explain --compare` does.",
			"Write the URL anew from the parts that are meant.",
			`http://good\@evil/`, nil,
		},
	}
}
