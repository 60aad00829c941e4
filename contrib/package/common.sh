# shellcheck shell=bash
# Read by deb, rpm and oci: their arguments, checked, and a folder for their work.

# fail prints an error and ends the script.
fail() { # TEXT
	echo "${0##*/}: $1" >&2
	exit "${2:-1}"
}

# need ends the script if tools are missing, and names each with its Debian package.
need() { # TOOL:PACKAGE...
	local tool missing=''
	for tool; do
		command -v "${tool%%:*}" >/dev/null || [ -e "${tool%%:*}" ] || missing+="
  ${tool%%:*}, from the Debian package ${tool#*:}"
	done
	[ -z "$missing" ] || fail "missing:$missing"
}

# begin checks the arguments of a script and sets stage, arch, version, out, release (the version as deb and rpm sort it: 1.2.3~rc.1
# comes before 1.2.3), packager and tmp, a folder that is removed at the end. With --tools instead of the
# arguments it only checks that the tools are there.
# shellcheck disable=SC2034 # the scripts use the variables
begin() { # TOOL:PACKAGE... -- ARGUMENT...
	local tools=() machine want
	while [ "$1" != -- ]; do tools+=("$1"); shift; done
	shift
	if [ "$*" = --tools ]; then
		need "${tools[@]}"
		exit 0
	fi
	[ $# = 4 ] || fail 'usage: '"${0##*/}"' STAGE ARCH VERSION OUT
STAGE is what make install DESTDIR=STAGE PREFIX=/usr has filled, ARCH amd64 or arm64, and OUT the folder for the result.
SOURCE_DATE_EPOCH in the environment is the date, in seconds since 1970.' 2
	stage=$1 arch=$2 version=$3 out=$4
	[[ ${SOURCE_DATE_EPOCH:-} =~ ^[0-9]{1,10}$ ]] ||
		fail 'SOURCE_DATE_EPOCH must be the date of the release, in seconds since 1970, such as that of git log -1 --format=%ct' 2
	[[ $version =~ ^[0-9]+(\.[0-9]+)*(-[0-9A-Za-z.]+)?$ ]] || fail "VERSION is '$version', must be as 1.2.3 or 1.2.3-rc.1" 2
	release=${version/-/\~}
	[[ $stage$out =~ ^[A-Za-z0-9._/+-]+$ ]] || fail 'STAGE and OUT must consist of letters, digits, and . _ / + -' 2
	case $arch in
	amd64) want=003e ;;
	arm64) want=00b7 ;;
	*) fail "ARCH is '$arch', must be amd64 or arm64" 2 ;;
	esac
	for tool in usr/bin/locator usr/share/man/man1/locator.1 usr/share/doc/locator/LICENSES usr/share/applications/locator.desktop; do
		[ -f "$stage/$tool" ] || fail "$stage/$tool is missing; fill $stage with make install DESTDIR=$stage PREFIX=/usr" 2
	done
	machine=$(od -An -tx1 -j18 -N2 "$stage/usr/bin/locator") # e_machine of the ELF header
	read -r a b <<<"$machine"
	[ "${b:-}${a:-}" = "$want" ] || fail "$stage/usr/bin/locator is not a program for linux/$arch" 2
	need "${tools[@]}"
	mkdir -p "$out" || fail "cannot make the folder $out"
	packager=${PACKAGER:-The Locator Authors <locator@localhost.invalid>}
	stage=$(cd "$stage" && pwd) out=$(cd "$out" && pwd)
	tmp=$(mktemp -d "$out/.${0##*/}.XXXXXX") # on the same disk as the result, which is moved when it is complete
	trap 'rm -rf "$tmp"' EXIT
	trap 'exit 130' INT
	trap 'exit 143' TERM
	export LC_ALL=C TZ=UTC0
	umask 022
}

# tree copies the stage into a folder, with the modes and dates of a package.
tree() { # FOLDER
	mkdir -p "$1"
	cp -R "$stage/." "$1"
	find "$1" -type d -exec chmod 755 {} +
	find "$1" -type f -exec chmod 644 {} +
	chmod 755 "$1/usr/bin/locator"
	mkdir -p "$1/usr/lib" # where distributions have the units of users
	mv "$1/usr/share/systemd" "$1/usr/lib/systemd"
}

# dated sets the date of all files in a folder.
dated() { # FOLDER
	find "$1" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
}

# finish moves the result to its place, and prints its name.
finish() { # FILE NAME
	chmod 644 "$1"
	mv -f "$1" "$out/$2"
	echo "$out/$2"
}
