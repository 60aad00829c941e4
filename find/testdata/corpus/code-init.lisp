;;; init.lisp -- from ⟦bare¦gopher://gopher.example.org/00/lisp/init⟧
;; ⟦wrapped¦<URL:http://www.example.org/lisp/
;; manual.html>¦http://www.example.org/lisp/manual.html⟧
(defvar *home* "⟦bare¦http://www.example.org/lisp⟧" "See (⟦bare¦http://www.example.org/lisp#home⟧).")
(⟦not¦http:request⟧ ⟦not¦:url⟧ (list "⟦bare¦prospero://prospero.example.org/lisp⟧")) ; ⟦bare¦news:comp.lang.lisp⟧
