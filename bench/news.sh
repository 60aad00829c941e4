#!/usr/bin/env bash
# bench/news.sh [OPTION VALUE]...   articles of a newsgroup in bulk: `locator get --to mbox` beside a client that asks for one at a time
#
#   --articles N    articles in the group (5000)
#   --few N         articles that the other client reads, since it takes a round trip for each (500)
#   --rounds N      runs of each client in each case (3)
#   --rtt TIME      round trip of the link (40ms)
#
# INN runs in a network namespace behind a link that bench/slowlink makes. The articles are offered by IHAVE. The clients take turns, over
# the link and on loopback. For each case it prints the median of the articles per second, and the peak memory of locator; every archive is
# compared with what the other client reads. It ends with status 1 if locator is not ten times as fast over the link, or slower on
# loopback, or takes more than 30 MiB. It needs Debian 12 as root, Go and python3.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

articles=5000 few=500 rounds=3 rtt=40ms
usage() { sed -n '2,/^set/s/^# \{0,1\}//p' bench/news.sh >&2; exit 2; }
while [ $# -gt 0 ]; do
	case ${1#--} in
	articles | few | rounds | rtt) [ $# -gt 1 ] || usage ;;
	*) usage ;;
	esac
	printf -v "${1#--}" %s "$2"
	shift 2
done

if [ -z "${NEWS_TMP:-}" ]; then # outside: what needs the network and the compiler
	for program in go python3; do
		command -v "$program" >/dev/null || { echo "bench/news.sh: there is no $program" >&2; exit 1; }
	done
	NEWS_TMP=$(mktemp -d "${TMPDIR:-/tmp}/locator-news.XXXXXX")
	export NEWS_TMP PEERS_DIR=$NEWS_TMP/peers PEERS_BIND=0.0.0.0
	trap 'PEERS_DIR=$NEWS_TMP/peers internal/peers/peers stop inn >&2 || true; rm -rf "$NEWS_TMP"' EXIT
	trap 'exit 130' INT
	trap 'exit 143' TERM
	chmod 755 "$NEWS_TMP" # for INN, which gives up root
	env -u PEERS_DIR internal/peers/peers install inn >&2
	mkdir "$PEERS_DIR"
	go build -o "$NEWS_TMP/locator" ./cmd/locator
	bench/slowlink --rtt "$rtt" -- bench/news.sh --articles "$articles" --few "$few" --rounds "$rounds" --rtt "$rtt"
	exit
fi

internal/peers/peers start inn >&2
eval "$(internal/peers/peers env)"
export HOME=$NEWS_TMP
exec python3 - "$NEWS_TMP" "${PEER_INN##*:}" "$articles" "$few" "$rounds" "$rtt" <<'END'
import mailbox, os, platform, socket, statistics, subprocess, sys, time

tmp, port, articles, few, rounds, rtt = sys.argv[1], int(sys.argv[2]), *map(int, sys.argv[3:6]), sys.argv[6]
GROUP, LINK, LOOP = "tree", "10.9.0.2", "127.0.0.1"


class Client:
    """Asks for one article at a time."""

    def __init__(self, host):
        self.s, self.rest = socket.create_connection((host, port)), b""
        self.until(b"\r\n")
        self.ask(b"MODE READER")

    def until(self, end):
        while (at := self.rest.find(end)) < 0:
            more = self.s.recv(1 << 16)
            self.s.setsockopt(socket.IPPROTO_TCP, socket.TCP_QUICKACK, 1)  # INN sends in pieces, and waits for the receipt of each
            if not more:
                sys.exit("bench/news.sh: INN has closed the connection after %r" % self.rest)
            self.rest += more
        text, self.rest = self.rest[: at + len(end)], self.rest[at + len(end):]
        return text

    def ask(self, line, end=b"\r\n"):
        self.s.sendall(line + b"\r\n")
        return self.until(end)

    def read(self, first, last):
        texts = []
        for n in range(first, last + 1):
            text = self.ask(b"ARTICLE %d" % n, b"\r\n.\r\n")
            texts.append(("\n" + text.decode("latin-1").replace("\r\n", "\n")).replace("\n..", "\n.")[1:].partition("\n")[2][:-2])
        return texts


def offer():
    c = Client.__new__(Client)
    c.s, c.rest = socket.create_connection((LOOP, port)), b""
    c.until(b"\r\n")
    for n in range(1, articles + 1):
        id = b"<bench%d@example.invalid>" % n
        if not c.ask(b"IHAVE " + id).startswith(b"335"):
            sys.exit("bench/news.sh: INN does not take articles")
        body = b"".join(b"%04d " % n * 14 + b"\r\n" for _ in range(10 + n % 40)) + b"..a dot\r\nFrom me\r\n"
        if not c.ask(b"Path: bench!x\r\nFrom: a@example.invalid\r\nNewsgroups: %s\r\nSubject: bench %d\r\nDate: %s\r\nMessage-ID: %s\r\n\r\n%s." % (
                GROUP.encode(), n, time.strftime("%d %b %Y %H:%M:%S +0000", time.gmtime()).encode(), id, body)).startswith(b"235"):
            sys.exit("bench/news.sh: INN refuses an article")
    c.s.close()


def other(host, count):
    begin = time.monotonic()
    c = Client(host)
    c.ask(b"GROUP " + GROUP.encode())
    texts = c.read(1, count)
    return count / (time.monotonic() - begin), texts


def locator(host, texts):
    archive = os.path.join(tmp, "archive")
    # A small process starts the program, since Linux counts the memory of the parent at the start as that of the child.
    measure = "import os,sys,time;b=time.monotonic();p=os.spawnv(os.P_NOWAIT,sys.argv[1],sys.argv[1:]);_,s,u=os.wait4(p,0);print(s,time.monotonic()-b,u.ru_maxrss/1024)"
    url = "nntp://%s:%d/%s" % (host, port, GROUP)
    out = subprocess.check_output([sys.executable, "-c", measure, tmp + "/locator", "get", "-q", "--to", "mbox", "-o", archive, url])
    status, took, memory = map(float, out.split())
    if status:
        sys.exit("bench/news.sh: locator failed")
    got = open(archive, encoding="latin-1", newline="").read().split("\n\nFrom a@example.invalid ")
    if len(got) != articles:
        sys.exit("bench/news.sh: %d articles in the archive, not %d" % (len(got), articles))
    for text, want in zip(got, texts):
        text = text.partition("\n")[2].replace("\n>From ", "\nFrom ").rstrip("\n")
        if text != want.rstrip("\n"):
            sys.exit("bench/news.sh: an article differs:\n%r\n%r" % (text, want))
    os.remove(archive), os.remove(archive + ".state")
    return articles / took, memory


offer()
print("INN, %d articles, round trip %s; %d rounds; %d processors, Linux %s, %s" % (
    articles, rtt, rounds, os.cpu_count(), platform.release(), time.strftime("%FT%TZ", time.gmtime())))
missed, peak = False, 0
print("%-10s %22s %26s %7s" % ("", "locator, articles/s", "one at a time, articles/s", "ratio"))
for name, host, least in (("link", LINK, 10), ("loopback", LOOP, 1)):
    ours, theirs = [], []
    for _ in range(rounds):
        rate, texts = other(host, few)
        theirs.append(rate)
        rate, memory = locator(host, texts)
        ours.append(rate)
        peak = max(peak, memory)
    a, b = statistics.median(ours), statistics.median(theirs)
    missed |= a < least * b
    print("%-10s %22.0f %26.0f %7.1f   at least %d: %s" % (name, a, b, a / b, least, "met" if a >= least * b else "MISSED"))
print("peak memory %.1f MiB   at most 30: %s" % (peak, "met" if peak <= 30 else "MISSED"))
sys.exit(missed or peak > 30)
END
