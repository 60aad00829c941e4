: "${URL:=⟦bare¦http://www.example.org/default⟧}" "${MIRROR:-⟦bare¦ftp://ftp.example.org/pub⟧}"
wget -m -np ⟦bare¦http://www.example.org/docs/⟧&
curl -sSf "⟦bare¦https://api.example.org/v2/search?q=topic:news&sort=stars⟧" -H "Accept: a/b" | jq -r '.[]|"⟦not¦\(.a):\(.b)⟧"'
curl -I -H "⟦not¦Host: x⟧" ⟦bare¦http://127.0.0.1:81/⟧ --resolve ⟦not¦www.example.org:80:127.0.0.1⟧ -O ⟦bare¦ftp://ana:s3cret@ftp.example.org/%2Fvar/log/x.gz⟧
lynx -dump ⟦bare¦gopher://gopher.example.org:70/0/about.txt⟧>about.txt; ncftpget ⟦bare¦ftp://ftp.example.org/pub/*.gz⟧
cat <<EOF ; scp -P 22 x ⟦not¦ana@h.example.org:http/⟧ ; docker run -p ⟦not¦80:80⟧ -v ⟦not¦$PWD:/x:ro⟧ ⟦not¦example/news:1.4.2⟧ ; rsync -a ⟦any¦rsync://r.example.org/x⟧ .
[[ $1 =~ ⟦not¦^(http|ftp)://⟧ ]] && IFS=⟦not¦:⟧ read -r a b; git remote add o ⟦not¦git@git.example.org:ana/x.git⟧; git clone ⟦bare¦https://git.example.org/ana/x.git⟧ && cd x; open ⟦bare¦mailto:ops@example.org?subject=done&body=ok⟧
case $1 in ⟦not¦http:*|file:*⟧) ;; ⟦not¦ftp://*⟧) ;; esac # ⟦bare¦https://www.example.org/case#x⟧
