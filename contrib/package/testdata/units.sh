#!/usr/bin/env bash
# Starts a systemd for the user nobody in namespaces of its own, and the units that are installed in HOME.
set -u
if [ "$EUID" = 0 ]; then
	# A systemd that has not started the system: this is what it looks for.
	mount -t tmpfs none /run
	mkdir -p /run/systemd/system
	mkdir -m 700 /run/user
	chown nobody /run/user
	ip link set lo up
	groups=()
	for groups_of in /sys/fs/cgroup /sys/fs/cgroup/systemd /sys/fs/cgroup/unified; do
		[ ! -e "$groups_of/cgroup.procs" ] || groups+=("$groups_of/locator-units.$$.$RANDOM")
	done
	mkdir "${groups[@]}"
	chown -R nobody "${groups[@]}"
	for group in "${groups[@]}"; do echo $BASHPID >"$group/cgroup.procs"; done
	setpriv --reuid nobody --regid nogroup --clear-groups "$BASH" "$0"
	status=$?
	for group in "${groups[@]}"; do
		echo $BASHPID >"${group%/*}/cgroup.procs"
		for _ in $(seq 50); do find "$group" -depth -type d -exec rmdir {} + 2>/dev/null && break; sleep 0.1; done
	done
	exit $status
fi

export XDG_RUNTIME_DIR=/run/user PATH=$HOME/.local/bin:$PATH
unset XDG_CONFIG_HOME XDG_DATA_HOME DBUS_SESSION_BUS_ADDRESS
cd /
/lib/systemd/systemd --user </dev/null >"$HOME/log" 2>&1 &
manager=$!
for _ in $(seq 100); do [ ! -e /run/user/systemd/private ] || break; sleep 0.1; done
echo "unit: $(systemctl --user is-active locator-gateway locator-outbox.timer | xargs)"
systemctl --user enable --now locator-gateway locator-outbox.timer
for _ in $(seq 50); do ! locator get http://127.0.0.1:1738/ || break; sleep 0.2; done
echo "gateway: $(systemctl --user is-active locator-gateway)"
grep -E 'NoNewPrivs|Seccomp' "/proc/$(systemctl --user show -P MainPID locator-gateway)/status"
systemctl --user start locator-outbox
echo "outbox: $(systemctl --user show -P Result locator-outbox)"
echo "timer: $(systemctl --user is-active locator-outbox.timer)"
locator handler status
systemctl --user stop locator-gateway
echo "stopped: $(systemctl --user is-active locator-gateway)"
systemctl --user exit
wait $manager
cat "$HOME/log"
