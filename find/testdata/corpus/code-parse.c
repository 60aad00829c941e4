/* parse.c - from ⟦wrapped¦<URL:ftp://ftp.example.org/pub/src/
 *           parse.c>¦ftp://ftp.example.org/pub/src/parse.c⟧
 *
 * See ⟦bare¦http://www.example.org/~anna/parse.html⟧. Makefile⟦not¦:13⟧ has the rest.
 */
#include <⟦not¦sys:types.h⟧>
#define HOME "⟦bare¦http://www.example.org/⟧"
static const char *list[] = {"⟦bare¦telnet://bbs.example.org/⟧","⟦bare¦news:comp.lang.c⟧","⟦bare¦nntp://news.example.org/comp.lang.c⟧","⟦bare¦wais://wais.example.org/c⟧", 0};

int main(void)
{
	switch (c) { case ⟦not¦'a':⟧ goto out; default: break; }
	x = a ? ⟦not¦b:c⟧; /* parse.c⟦not¦:42:7⟧: warning: ⟦not¦file:line⟧ */
	std::string s; ⟦not¦std::cout⟧ << "⟦bare¦file:///dev/null⟧" << ⟦not¦std::endl⟧;
	std::map<⟦not¦std::string,std::vector<http::Request⟧>> m; ⟦not¦http::get(x)⟧;
	puts("⟦bare¦gopher://gopher.example.org/⟧\t⟦bare¦ftp://ftp.example.org/x⟧\r\n");
out:	return 0; // URL ⟦bare¦http://www.example.org/c/out⟧
}
/* Local ⟦not¦variables:⟧ mode: c; ⟦not¦file:coding⟧ End: */
