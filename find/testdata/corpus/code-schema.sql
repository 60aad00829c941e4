-- ⟦bare¦https://www.example.org/schema.html⟧
CREATE TABLE link (url TEXT CHECK (url LIKE '⟦not¦http://%⟧' OR url LIKE '⟦not¦mailto:%⟧'));
INSERT INTO link VALUES ('⟦bare¦http://www.example.org/1⟧'),('⟦bare¦http://www.example.org/2⟧'),("⟦bare¦ftp://ftp.example.org/x⟧");
SELECT ⟦not¦'12:00'::time⟧, url⟦not¦::text⟧, ⟦not¦:file⟧ FROM link WHERE url~'⟦not¦^news:⟧' AND t > '2001-01-01 ⟦not¦00:00:00⟧'; COMMENT ON TABLE link IS 'See ⟦bare¦http://www.example.org/comment⟧';
