"""twistedftp.py HOST PORT FOLDER LOG: the ftp server of Twisted."""
import sys
from twisted.cred.checkers import InMemoryUsernamePasswordDatabaseDontUse
from twisted.cred.portal import IRealm, Portal
from twisted.internet import reactor
from twisted.protocols.ftp import FTP, FTPFactory, FTPShell, IFTPShell
from twisted.python import log
from twisted.python.filepath import FilePath
from zope.interface import implementer
host, port, tree = sys.argv[1], int(sys.argv[2]), sys.argv[3]
log.startLogging(open(sys.argv[4], "a"), setStdout=False)
@implementer(IRealm)
class Realm:
    def requestAvatar(self, avatar, mind, *interfaces):
        return IFTPShell, FTPShell(FilePath(tree)), lambda: None
class Server(FTP):
    def processCommand(self, cmd, *params):
        log.msg(cmd, *(params if cmd != "PASS" else ()))
        return super().processCommand(cmd, *params)
logins = InMemoryUsernamePasswordDatabaseDontUse()
logins.addUser("alice", "secret") # as the server compares them: a keyword would be bytes
factory = FTPFactory(Portal(Realm(), [logins]))
factory.protocol, factory.passivePortRange = Server, range(30000, 65000, 7)
reactor.listenTCP(port, factory, interface=host)
reactor.run()
