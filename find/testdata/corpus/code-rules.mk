# rules.mk - ⟦bare¦http://www.example.org/make/⟧
VERSION := 1.2
URL = ⟦bare¦http://www.example.org/make/src.tar.gz⟧
SRC ?= ⟦any¦ftp://ftp.example.org/pub/make-$(VERSION).tar.gz⟧
MIRRORS = ⟦bare¦http://m1.example.org/⟧ \
	⟦bare¦ftp://m2.example.org/pub/⟧\
	⟦bare¦http://m3.example.org/⟧

⟦not¦all: news file⟧
⟦not¦news:news.html⟧
⟦not¦file:: http⟧
⟦not¦ftp:ftp.o⟧
⟦not¦%.o:%.c⟧
	$(CC) -DURL=\"⟦bare¦http://www.example.org/D⟧\" -c $<
	@echo "⟦not¦rules.mk:13:⟧ fetch $(URL:.gz=.bz2)"; wget $(⟦not¦SRC:%=x%⟧) || curl -O ⟦bare¦http://www.example.org/curl⟧;
.PHONY⟦not¦: all⟧
