# shellcheck shell=bash disable=SC2154 # peers sets the variables
# The mail servers of peers, which reads this file.

start_smtp() {
	chown nobody .
	launch smtp "$1" "${nobody[@]}" \
		python3 -m aiosmtpd -n -d -d -l "127.0.0.1:$1" -c aiosmtpd.handlers.Mailbox "$PWD/maildir"
}

start_smtps() { # a submission server: STARTTLS on its port and TLS from the first byte on the next; it requires a login, and refuses gone@
	certificate
	command install -o nobody -m 400 "$cert.key" key
	chown nobody .
	rm -rf mails
	cat >smtps.py <<-'END'
		import asyncio, json, os, ssl, sys
		from aiosmtpd.smtp import SMTP, AuthResult

		def authenticate(server, session, envelope, mechanism, data):
		    return AuthResult(success=(data.login, data.password) == (b"alice", b"secret"), handled=False)

		class Handler:
		    count = 0

		    async def handle_RCPT(self, server, session, envelope, address, options):
		        if address.startswith("gone@"):
		            return "550 5.1.1 no such user"
		        envelope.rcpt_tos.append(address)
		        envelope.rcpt_options.extend(options)
		        return "250 2.1.5 OK"

		    async def handle_DATA(self, server, session, envelope):
		        Handler.count += 1
		        mail = {"from": envelope.mail_from, "to": envelope.rcpt_tos, "options": envelope.mail_options + envelope.rcpt_options,
		                "utf8": bool(envelope.smtp_utf8), "login": session.authenticated, "data": envelope.content.decode("latin-1")}
		        name = "mails/%d-%d.json" % (os.getpid(), Handler.count)
		        with open(name + ".part", "w") as f:
		            json.dump(mail, f)
		        os.rename(name + ".part", name)
		        return "250 2.0.0 OK"

		async def main(port):
		    os.mkdir("mails")
		    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
		    context.load_cert_chain("key")
		    both = dict(hostname="peers", enable_SMTPUTF8=True, auth_required=True, authenticator=authenticate, data_size_limit=1 << 20)
		    loop = asyncio.get_running_loop()
		    servers = [
		        await loop.create_server(lambda: SMTP(Handler(), tls_context=context, require_starttls=True, **both), "127.0.0.1", port),
		        await loop.create_server(lambda: SMTP(Handler(), auth_require_tls=False, **both), "127.0.0.1", port + 1, ssl=context)]
		    await asyncio.gather(*(s.serve_forever() for s in servers))

		asyncio.run(main(int(sys.argv[1])))
	END
	launch smtps "$1" "${nobody[@]}" /usr/bin/python3 smtps.py "$1"
}

# Both mail servers take mail for to.example and store it below mails, with Return-Path and the recipient. They refuse gone@ for good, and later@
# for now; exim takes mail for later@ if there is a file ./open. In a mount namespace of their own, their files are laid over /usr and /etc, which knows their users. ./sendmail is their sendmail.
mailserver() { # PACKAGE PROGRAM ARGUMENT...: makes the scripts inside and sendmail
	mkdir -p etc/exim4 mails
	chown nobody mails
	cat /etc/passwd - >etc/passwd <<<$'Debian-exim:x:64901:64901::/:/bin/false\npostfix:x:64902:64902::/:/bin/false'
	cat /etc/group - >etc/group <<<$'Debian-exim:x:64901:\npostfix:x:64902:\npostdrop:x:64903:'
	# shellcheck disable=SC2016 # for the script
	lines '#!/bin/sh' '[ "$1" = -in ] || exec unshare -m "$0" -in "$@"' 'shift; set -e' "mount -t overlay overlay -o 'lowerdir=$PWD/etc:/etc' /etc" \
		"mount -t overlay overlay -o 'lowerdir=$work/deb/$1/usr:/usr' /usr" 'exec "$@"' >inside
	shift
	lines '#!/bin/sh' "exec '$PWD/inside' $* \"\$@\"" >sendmail
	chmod 755 inside sendmail
}

start_postfix() {
	mailserver postfix env "MAIL_CONFIG=$PWD" sendmail
	mkdir -p data queue/{active,bounce,corrupt,defer,deferred,flush,hold,incoming,maildrop,pid,private,public,saved,trace}
	chown 64902 data queue/*
	chown root queue/pid
	chgrp 64903 queue/{maildrop,public}
	chmod 700 queue/{active,bounce,corrupt,defer,deferred,flush,hold,incoming,private,saved,trace} data
	chmod 730 queue/maildrop
	chmod 710 queue/public
	lines 'compatibility_level = 3.6' "queue_directory = $PWD/queue" "data_directory = $PWD/data" 'daemon_directory = /usr/lib/postfix/sbin' \
		'mail_owner = postfix' 'setgid_group = postdrop' 'myhostname = peers.example' 'inet_interfaces = 127.0.0.1' 'inet_protocols = ipv4' \
		'mydestination =' 'alias_maps =' 'local_recipient_maps =' 'biff = no' "maillog_file = $PWD/log" "maillog_file_prefixes = $PWD" \
		'virtual_mailbox_domains = to.example' "virtual_mailbox_base = $PWD/mails" 'virtual_mailbox_maps = static:box/' \
		"virtual_uid_maps = static:$(id -u nobody)" "virtual_gid_maps = static:$(id -g nobody)" 'virtual_transport = virtual' \
		'smtpd_recipient_restrictions = check_recipient_access inline:{ { gone@to.example = 550 5.1.1 no such user } { later@to.example = 451 4.7.1 greylisted } }, reject_unauth_destination' \
		'message_size_limit = 1048576' 'smtpd_peername_lookup = no' >main.cf
	lines "127.0.0.1:$1 inet n - n - - smtpd" 'pickup unix n - n 1 1 pickup' 'cleanup unix n - n - 0 cleanup' 'qmgr unix n - n 300 1 qmgr' \
		'rewrite unix - - n - - trivial-rewrite' 'bounce unix - - n - 0 bounce' 'defer unix - - n - 0 bounce' 'trace unix - - n - 0 bounce' \
		'error unix - - n - - error' 'retry unix - - n - - error' 'virtual unix - n n - - virtual' 'anvil unix - - n - 1 anvil' \
		'postlog unix-dgram n - n - 1 postlogd' >master.cf
	launch postfix "$1" "$PWD/inside" env "MAIL_CONFIG=$PWD" /usr/lib/postfix/sbin/master -d
}

start_exim() {
	mailserver exim4-daemon-light exim4
	mkdir spool
	chown 64901 spool
	lines "spool_directory = $PWD/spool" "log_file_path = $PWD/spool/%slog" 'primary_hostname = peers.example' "local_interfaces = 127.0.0.1" 'keep_environment =' \
		'acl_smtp_rcpt = rcpt' 'message_size_limit = 1M' 'tls_advertise_hosts =' 'host_lookup =' 'rfc1413_hosts =' 'begin acl' \
		'rcpt:' ' deny local_parts = gone' '  message = no such user' ' defer local_parts = later' "  condition = \${if exists{$PWD/open}{no}{yes}}" '  message = greylisted' ' accept domains = to.example' \
		' deny message = relay not permitted' 'begin routers' 'all:' ' driver = accept' ' domains = to.example' ' transport = box' 'begin transports' \
		'box:' ' driver = appendfile' " directory = $PWD/mails/box" ' maildir_format' ' return_path_add' ' envelope_to_add' ' user = nobody' ' group = nogroup' >etc/exim4/exim4.conf
	launch exim "$1" "$PWD/inside" exim4 -bdf -oX "127.0.0.1.$1" -oP "$PWD/pidfile"
}

start_mailpit() { # takes mail for bob@to.example only; its web server has the next port: /api/v1/message/latest/raw
	chown nobody .
	launch mailpit "$1" "${nobody[@]}" "$work/go/mailpit" --smtp "127.0.0.1:$1" --listen "127.0.0.1:$(($1 + 1))" --database "$PWD/mails.db" \
		--disable-version-check --smtp-disable-rdns --smtp-allowed-recipients '^bob@to\.example$'
}
