# shellcheck shell=bash disable=SC2154 # peers sets the variables
# The database of peers, which reads this file.

start_postgres() { # its data stay when it is started again; a killed process loses nothing without fsync
	local bin=/usr/lib/postgresql/15/bin user=(setpriv --reuid=postgres --regid=postgres --clear-groups) data=$work/postgres i
	chown postgres .
	if [ ! -s "$data/PG_VERSION" ]; then
		rm -rf "$data"
		command install -d -o postgres -m 700 "$data"
		lines secret >password
		"${user[@]}" "$bin/initdb" --pgdata="$data" --username=alice --pwfile="$PWD/password" --auth=scram-sha-256 --encoding=UTF8 --locale=C --no-sync >>out 2>&1 ||
			{ tail -n 20 out >&2; rm -rf "$data"; die 'postgres: initdb failed'; }
	fi
	if [ -s "$data/postmaster.pid" ]; then # it was killed, and may take a moment to go
		for ((i = 0; i < 100; i++)); do [ -e "/proc/$(head -n 1 "$data/postmaster.pid")" ] || break; sleep 0.1; done
	fi
	launch postgres "$1" "${user[@]}" "$bin/postgres" -D "$data" -h 127.0.0.1 -p "$1" -k '' -c fsync=off -c max_connections=300
	for ((i = 0; i < 300; i++)); do # it answers before it has read what it wrote last
		"$bin/pg_isready" -q -h 127.0.0.1 -p "$1" && return
		sleep 0.1
	done
	die 'postgres: not ready after 30 seconds'
}
