-- Source: ⟦bare¦https://www.example.org/sql/⟧
-- ⟦wrapped¦<URL:ftp://ftp.example.org/pub/sql/
-- dump.sql>¦ftp://ftp.example.org/pub/sql/dump.sql⟧
INSERT INTO links VALUES (1,'⟦bare¦http://www.example.org/1⟧','⟦not¦10:20:30⟧'),(2,'⟦bare¦http://www.example.org/2?a=b⟧',NULL);
SELECT a⟦not¦::text⟧ FROM t WHERE url LIKE '⟦not¦http://%⟧' AND u = '⟦bare¦mailto:sql@example.org⟧' AND p = ⟦not¦:param⟧;
