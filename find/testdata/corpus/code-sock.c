/*
 * sock.c -- ⟦bare¦http://www.example.org/sock/⟧
 *
 * Based on ⟦wrapped¦<URL:ftp://ftp.example.org/pub/unix/
 * sock-1.0.shar>¦ftp://ftp.example.org/pub/unix/sock-1.0.shar⟧ by Ed (⟦mail¦ed@example.org⟧).
 */
#define BASE "⟦bare¦http://www.example.org/⟧"
#define SCHEME "⟦not¦http://⟧"  //⟦bare¦http://www.example.org/slashes⟧
static const char *const usage = "usage: sock ⟦any¦http://HOST[:PORT]/PATH⟧\n"
	"see ⟦bare¦http://www.example.org/man/sock.1⟧\n"
	"\t⟦bare¦http://www.example.org/tab⟧\n\n";
struct flags { unsigned ⟦not¦http:1⟧, ⟦not¦ftp:1⟧, ⟦not¦news:2⟧; };

int get(const char *url)
{
	switch (kind) {
	case ⟦not¦http:⟧ return 80;
	case ⟦not¦'f':return⟧ 21;
	⟦not¦default:⟧ goto news;
	}
⟦not¦news:⟧
	fprintf(stderr, "%s⟦not¦:%d:⟧ %s\n", __FILE__, __LINE__, url);
	snprintf(buf, sizeof buf, "⟦any¦ftp://%s:%d/%s⟧", host, port, path);
	if (strncmp(url, "⟦not¦file:⟧", 5) == 0 || !strncasecmp(url, "⟦not¦mailto:⟧", 7)) goto ⟦not¦file⟧;
	puts(ok ? "⟦bare¦http://a.example.org⟧":"⟦bare¦http://b.example.org⟧");
⟦not¦file:⟧return open(url + 5, 0);
}
