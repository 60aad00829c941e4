package handler

import (
	"os"
	"path/filepath"
	"strings"
)

// The names of the units that send the mail of the outbox.
const (
	outboxName = "locator-outbox.service"
	timerName  = "locator-outbox.timer"
)

// WriteFiles writes what a package installs for all users into a folder: the desktop entry and the
// systemd units. None of them takes effect before a user chooses or enables it.
func (p Program) WriteFiles(dir string) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	for name, text := range map[string]string{entryName: p.entry(nil), unitName: p.gateway(), outboxName: p.outbox(), timerName: timer} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			return err
		}
	}
	return nil
}

// entry returns the desktop entry.
func (p Program) entry(previous map[string]string) string {
	var types, before []string
	for _, s := range p.Schemes {
		types = append(types, typeStart+s+";")
		if app, ok := previous[s]; ok {
			before = append(before, s+"="+app)
		}
	}
	text := "[Desktop Entry]\nType=Application\nName=Locator\nComment=Opens the URLs of RFC 1738 in the browser\nExec=" + execLine(p.Path) +
		"\nIcon=locator\nTerminal=false\nNoDisplay=true\nStartupNotify=true\nMimeType=" + strings.Join(types, "") + "\n"
	if len(before) > 0 {
		text += previousKey + "=" + strings.Join(before, "|") + "\n"
	}
	return text
}

// execLine returns the key Exec: the path is quoted as an argument, and the whole is escaped as a
// string (Desktop Entry Specification, "The Exec key").
func execLine(path string) string {
	arg := strings.NewReplacer(`\`, `\\`, `"`, `\"`, "`", "\\`", `$`, `\$`).Replace(path)
	return strings.NewReplacer(`\`, `\\`, `%`, `%%`).Replace(`"`+arg+`"`) + " open %u"
}

// programOf returns the path in the key Exec.
func programOf(exec string) string {
	quoted, ok := strings.CutPrefix(strings.NewReplacer(`\\`, `\`, `%%`, `%`).Replace(exec), `"`)
	if !ok {
		path, _, _ := strings.Cut(exec, " ")
		return path
	}
	var path strings.Builder
	for i := 0; i < len(quoted) && quoted[i] != '"'; i++ {
		if quoted[i] == '\\' && i+1 < len(quoted) {
			i++
		}
		path.WriteByte(quoted[i])
	}
	return path.String()
}

// gateway returns the systemd unit of the gateway. A user's systemd can enforce what it restricts
// without namespaces, which many systems do not let users have. All of it implies NoNewPrivileges.
func (p Program) gateway() string {
	return `[Unit]
Description=The gateway of Locator: URLs of RFC 1738 in a web browser
Documentation=man:locator-serve(1)

[Service]
ExecStart=` + p.command() + ` serve
Restart=on-failure
RestartSec=5
SuccessExitStatus=130
LockPersonality=yes
MemoryDenyWriteExecute=yes
NoNewPrivileges=yes
RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
SystemCallArchitectures=native
SystemCallErrorNumber=EPERM
SystemCallFilter=@system-service
UMask=0077

[Install]
WantedBy=default.target
`
}

// outbox returns the systemd unit that sends the mail that is due. It may run a sendmail that is
// setuid or setgid, so that NoNewPrivileges is not set.
func (p Program) outbox() string {
	return `[Unit]
Description=Send the mail in the outbox of Locator
Documentation=man:locator-outbox(1)

[Service]
Type=oneshot
ExecStart=` + p.command() + ` outbox send -q
UMask=0077
`
}

// timer is the systemd unit that starts the unit of the outbox.
const timer = `[Unit]
Description=Send the mail in the outbox of Locator every 10 minutes
Documentation=man:locator-outbox(1)

[Timer]
OnCalendar=*:0/10
Persistent=true
RandomizedDelaySec=1min

[Install]
WantedBy=timers.target
`

// command returns the command of the program for ExecStart. systemd takes a path with some characters
// as an argument only.
func (p Program) command() string {
	quoted := `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, `%`, `%%`).Replace(p.Path) + `"`
	if strings.ContainsAny(p.Path, `"'\$`) {
		return "/usr/bin/env " + strings.ReplaceAll(quoted, "$", "$$")
	}
	return quoted
}
