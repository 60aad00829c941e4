# shellcheck shell=bash
# The http servers that tests use in a long run only. The script peers reads this file.
# shellcheck disable=SC2154 # its variables

start_caddy() { # shows at most 10,000 entries of a folder
	chown nobody .
	cat >conf <<-END
		{
			admin off
			auto_https off
			log {
				output file $PWD/log
			}
		}
		:$1 {
			bind 127.0.0.1
			root * $tree
			log {
				output file $PWD/log
			}
			file_server browse
		}
	END
	launch caddy "$1" "${nobody[@]}" env "HOME=$PWD" "$work/deb/caddy/usr/bin/caddy" run --config conf --adapter caddyfile
}

start_rclone() { serve_rclone "$1" http --read-only; }
start_rclonedav() { serve_rclone "$1" webdav; }
serve_rclone() { # PORT PROTOCOL [OPTION...]
	local port=$1 name=${PWD##*/}
	chown nobody .
	shift
	launch "$name" "$port" "${nobody[@]}" env "HOME=$PWD" "$work/deb/rclone/usr/bin/rclone" --config '' -vv --log-file "$PWD/log" serve "$@" \
		--addr "127.0.0.1:$port" --dir-cache-time 0s --poll-interval 0 "$tree"
}

start_minihttpd() { # sends .gz files with Content-Encoding: gzip
	chown nobody .
	launch minihttpd "$1" "${nobody[@]}" "$work/deb/mini-httpd/usr/sbin/mini_httpd" -D -h 127.0.0.1 -p "$1" -d "$tree" -l "$PWD/log" -i "$PWD/pid"
}

start_busybox() { # has no listings
	chown nobody .
	launch busybox "$1" "${nobody[@]}" "$work/deb/busybox/bin/busybox" httpd -f -vv -p "127.0.0.1:$1" -h "$tree"
}

start_webfs() {
	chown nobody .
	launch webfs "$1" "${nobody[@]}" "$work/deb/webfs/usr/bin/webfsd" -F -4 -i 127.0.0.1 -p "$1" -r "$tree" -L "$PWD/log" -c 1000
}
