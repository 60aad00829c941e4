# Makes a copyright file of Debian (https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/) from cmd/locator/LICENSES. It
# fails for a licence that it does not know. The first name there is that of the program.

function emit(    lines, n, i, line, short, holders, files, full) {
	if (names == "")
		return
	n = split(text, lines, "\n")
	for (i = 1; i <= n; i++)
		if (lines[i] ~ /^ *(# )?Copyright (\([cC]\) |©|[0-9][0-9][0-9][0-9])/) {
			line = lines[i]
			sub(/^ *(# )?Copyright (\([cC]\) )?/, "", line)
			sub(/\. +All rights reserved\.?$/, "", line)
			holders = holders (holders == "" ? "" : "\n ") line
		}
	full = text
	gsub(/[ \n]+/, " ", full)
	if (full ~ /Apache License Version 2\.0/) short = "Apache-2.0"
	else if (full ~ /Mozilla Public License,? [Vv]ersion 2\.0/) short = "MPL-2.0"
	else if (full ~ /Permission is hereby granted, free of charge/) short = full ~ /above copyright notice/ ? "Expat" : "MIT-0"
	else if (full ~ /Redistribution and use in source and binary forms/) short = full ~ /Neither the name/ ? "BSD-3-Clause" : "BSD-2-Clause"
	else if (full ~ /Permission to use, copy, modify, and(\/or)? distribute this software for any purpose/) short = "ISC"
	else {
		print "copyright.awk: unknown licence of " names >"/dev/stderr"
		failed = 1
		exit 1
	}
	n = split(names, lines, "\n")
	for (i = 1; i <= n; i++) {
		sub(/ v?[0-9].*$/, "", lines[i]) # the version, and what follows
		gsub(/ /, "-", lines[i])
		files = files (files == "" ? "" : "\n ") (!program++ ? "*" : lines[i] ~ /\// ? "vendor/" lines[i] "/*" : "*/" lines[i] "/*")
	}
	print "\nFiles: " files
	print "Copyright: " (holders == "" ? "the authors of " lines[1] : holders)
	if (short == "Apache-2.0" || short == "MPL-2.0") {
		print "License: " short "\n On Debian systems, its text is in /usr/share/common-licenses/" short "."
		return
	}
	print "License: " short
	sub(/^\n+/, "", text)
	sub(/\n+$/, "", text)
	n = split(text, lines, "\n")
	for (i = 1; i <= n; i++) {
		sub(/[ \t\r]+$/, "", lines[i])
		print lines[i] == "" ? " ." : " " lines[i]
	}
}

BEGIN {
	print "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\nUpstream-Name: locator"
	print "Comment: Files below vendor are modules that the program is linked with."
}
/^=+$/ && length($0) == 80 { # a line before the names, and one after them
	if (inside = !inside) {
		emit()
		names = text = ""
	}
	next
}
inside { names = names (names == "" ? "" : "\n") $0; next }
{ text = text $0 "\n" }
END { if (!failed) emit(); exit failed }
