#!/usr/bin/env python
# -*- ⟦not¦coding: utf-8⟧ -*-
u"""Crawls a site.

    >>> get('⟦bare¦http://www.example.org/doctest⟧')
    '⟦bare¦http://www.example.org/result⟧'
    >>> urlsplit(u'⟦bare¦ftp://ftp.example.org/%7Eana⟧').path, 'x'

⟦not¦:type url:⟧ str
:rtype: `⟦bare¦http://www.example.org/types/str⟧`
"""
import urllib2, re  # noqa⟦not¦:E401⟧
SEEDS = ['⟦bare¦http://www.example.org/1⟧','⟦bare¦http://www.example.org/2⟧',
         "⟦bare¦news:comp.lang.python⟧", r'⟦any¦https?://[^/]+/⟧']
opener = {'http':handle,'ftp':handle,⟦not¦'mailto':None⟧, 'file':lambda u⟦not¦:open(u)⟧}
def get(url⟦not¦:str⟧, proxy="⟦bare¦http://proxy.example.org:8080⟧") -> ⟦not¦'news:Group'⟧:
    if url.startswith(('⟦not¦http:⟧','⟦not¦https:⟧', '⟦not¦ftp://⟧')): pass
    return f'{url⟦not¦:>20⟧} ⟦any¦http://{host}:{port}/x⟧ %s' % "⟦bare¦http://www.example.org/a'b⟧" + url[⟦not¦7:-1⟧]
class HTTP⟦not¦(object):⟧ pass
print "Content-type: text/html\n\n<a href='⟦bare¦http://www.example.org/cgi⟧'>x</a>"
#⟦bare¦http://www.example.org/nospace⟧
assert x, '⟦not¦telnet:%s⟧' % ⟦not¦d['file']:⟧
