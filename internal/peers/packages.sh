# shellcheck shell=bash disable=SC2154 # peers sets the variables
# How peers, which reads this file, installs packages.

inn_conf=('domain: example.invalid' 'pathhost: news.example.invalid' 'hismethod: hisv6' 'enableoverview: true'
	'ovmethod: tradindexed' 'pathnews: /usr/lib/news' 'mta: "/bin/true %s"' 'mailcmd: /bin/true')

present() { # PACKAGE...
	local states
	# shellcheck disable=SC2016 # a format of dpkg-query
	states=$(dpkg-query -W -f '${db:Status-Status}\n' "$@" 2>/dev/null) || return # it fails for a package that it does not know
	! grep -qvx installed <<<"$states"
}

installed() {
	local p list
	read -ra list <<<"${packages[$1]}"
	[ ${#list[@]} = 0 ] || present "${list[@]}" || return
	for p in ${unpacked[$1]}; do [ -d "$work/deb/$p" ] || return; done
	[ "$1" != mailpit ] || [ -x "$work/go/mailpit" ] || return
	[ "$1" != ftpsrv ] || [ -d "$work/npm/node_modules/ftp-srv" ]
}

# ftp-srv comes from the registry of npm, with its dependencies, below the work folder.
npm_install() { # PACKAGE@VERSION
	command -v npm >/dev/null || apt -y --no-install-recommends install npm
	mkdir -p "$work/npm"
	npm install --prefix "$work/npm" --no-audit --no-fund --ignore-scripts "$1" >>"$work/apt.log" 2>&1 && return
	tail -n 20 "$work/apt.log" >&2
	! grep -qE 'ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT' "$work/apt.log" || { echo 'peers: the npm registry cannot be reached' >&2; exit 75; }
	die "npm could not install $1"
}

# mailpit comes from the proxy of Go modules: Debian has no package of it.
go_install() { # PACKAGE@VERSION
	env "HOME=${HOME:-/root}" "GOBIN=$work/go" CGO_ENABLED=0 GOFLAGS= "$go" install "$1" >>"$work/apt.log" 2>&1 && return
	tail -n 20 "$work/apt.log" >&2
	! grep -qE "$unreachable|no such host" "$work/apt.log" || { echo 'peers: the proxy of Go modules cannot be reached' >&2; exit 75; }
	die "go could not install $1"
}

# Messages of apt if the registry cannot be reached. The status is then 75, so that tests skip for this reason only.
unreachable='Temporary failure resolving|Could not resolve|Could not connect to|Unable to connect to|Connection timed out'
unreachable+='|connection timed out|Connection refused|Network is unreachable'

apt() {
	apt-get -qq -o Dpkg::Use-Pty=0 -o DPkg::Lock::Timeout=120 "$@" >>"$work/apt.log" 2>&1 && return
	tail -n 20 "$work/apt.log" >&2
	! grep -qE "$unreachable" "$work/apt.log" || { echo 'peers: the package registry cannot be reached' >&2; exit 75; }
	die "apt-get $* failed"
}

install() {
	local name p missing=() wanted=(python3)
	for name; do installed "$name" || missing+=("$name"); done
	[ ${#missing[@]} -gt 0 ] || return 0
	# Packages start their daemons on public ports unless this file forbids it.
	if [ ! -e /usr/sbin/policy-rc.d ]; then
		trap 'rm -f /usr/sbin/policy-rc.d' EXIT
		lines '#!/bin/sh' 'exit 101' >/usr/sbin/policy-rc.d
		chmod 755 /usr/sbin/policy-rc.d
	fi
	# inn2 cannot be configured on a machine without a domain name, unless the file in INNCONF has one.
	lines "${inn_conf[@]}" 'pathdb: /var/lib/news' 'pathetc: /etc/news' 'pathspool: /var/spool/news' \
		'pathlog: /var/log/news' 'pathrun: /run/news' >"$work/inn.conf"
	export DEBIAN_FRONTEND=noninteractive INNCONF=$work/inn.conf
	for name in "${missing[@]}"; do read -ra p <<<"${packages[$name]}"; wanted+=("${p[@]}"); done
	: >"$work/apt.log"
	apt update
	apt -y --no-install-recommends install "${wanted[@]}"
	for name in "${missing[@]}"; do
		[ "$name" != ftpsrv ] || npm_install ftp-srv@4.6.3
		[ "$name" != mailpit ] || go_install github.com/axllent/mailpit@v1.27.11
		for p in ${unpacked[$name]}; do
			rm -rf "$work"/deb/{new,"$p"}
			mkdir "$work/deb/new"
			(cd "$work/deb/new" && apt -o APT::Sandbox::User=root download "$p" && dpkg-deb -x ./*.deb . && rm ./*.deb)
			mv "$work/deb/new" "$work/deb/$p"
		done
		installed "$name" || die "$name: apt-get could not install it"
	done
}

add() { # PACKAGE...: programs that tests run, which are no servers
	! present "$@" || return 0
	export DEBIAN_FRONTEND=noninteractive
	: >"$work/apt.log"
	apt update
	apt -y --no-install-recommends install "$@"
}
