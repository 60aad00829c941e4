#!/bin/sh
# run.sh: fetches the list. Documentation: ⟦bare¦https://docs.example.org/run⟧
#   ⟦wrapped¦<URL:http://www.example.org/shell/
#   comment>¦http://www.example.org/shell/comment⟧
set -eu
list=$(curl -s ⟦bare¦http://www.example.org/list⟧)
wget -q "⟦bare¦http://www.example.org/a?x=1&y=2⟧" -O- | tee a; wget ⟦bare¦ftp://ftp.example.org/pub/x.tar.gz⟧; echo ok
for u in ⟦bare¦http://m1.example.org/⟧ ⟦bare¦http://m2.example.org/⟧; do echo "$u"; done
curl ⟦not¦"http://$HOST:$PORT/"⟧ && curl ⟦not¦http://${HOST}/⟧ || exit
git clone ⟦any¦ssh://git@git.example.org/anna/x.git⟧; scp ⟦not¦anna@host.example.org:/tmp/x⟧ .; rsync ⟦not¦host:dir/⟧ .
export PATH=⟦not¦/usr/bin:/bin⟧ PROXY=⟦bare¦http://proxy.example.org:3128⟧ no_proxy=localhost
printf '%s\n' '⟦bare¦news:comp.unix.shell⟧' `echo ⟦bare¦http://www.example.org/backtick⟧` "⟦bare¦file:///tmp/out⟧"
: ⟦not¦"${X:=y}"⟧ ; date +⟦not¦%H:%M⟧ ; ssh -L ⟦not¦8080:localhost:80⟧ host
curl -x ⟦bare¦http://user:pw@proxy.example.org:8080/⟧ -e ⟦bare¦https://www.example.org/ref⟧ ⟦bare¦telnet://host.example.org:25⟧</dev/null >⟦not¦/dev/null⟧
