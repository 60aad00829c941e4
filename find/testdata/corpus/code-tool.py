#!/usr/bin/env python3
"""A tool.

Fetches ⟦bare¦https://data.example.org/v1/list.json⟧ and prints it. Based on `this ⟦angled¦<https://www.example.org/rst>⟧`_.

.. _target: ⟦bare¦https://www.example.org/rst-target⟧
:see: ⟦bare¦ftp://ftp.example.org/pub/tool⟧
⟦not¦:param url:⟧ the address
"""
# ⟦bare¦http://www.example.org/comment⟧, ⟦bare¦http://www.example.org/comment2⟧
API = '⟦bare¦https://api.example.org/v1⟧'
d = {'home':'⟦bare¦http://home.example.org/⟧',⟦not¦'file':'x'⟧, "q": f"⟦any¦https://api.example.org/{name}⟧"}
PAIRS = [('a','⟦bare¦http://a.example.org⟧'),('b',"⟦bare¦mailto:b@example.org⟧")]
x = data[⟦not¦1:10⟧]; y = lambda⟦not¦:x⟧; print(f"{x⟦not¦:>10⟧}")
parser.add_argument("--url", default="⟦bare¦gopher://gopher.example.org/11/⟧", help="an address (⟦bare¦wais://wais.example.org/py⟧)")
if url.startswith('⟦not¦file:⟧'): raise ValueError("⟦not¦file: not allowed⟧")
