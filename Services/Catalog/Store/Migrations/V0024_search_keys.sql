-- What searches list first: the keys of titles and names (CA-2, CA-10, CA-25). The next migration fills them, in a
-- transaction that blocks no reader.
--
-- squawk-ignore-file require-concurrent-index-creation, ban-drop-function
-- squawk-ignore-file adding-required-field, adding-field-with-default

alter table books
add column title_key text collate "C" not null default '',
add column surname text collate "C" not null default '';
alter table gyms add column name_key text collate "C" not null default '';
alter table exercises add column name_keys text[] not null default '{}';

comment on column books.title_key is
'The words of the title without the name of a series and a leading article, as the service spells them: what equals it '
'is listed first (CA-25).';
comment on column books.surname is
'The last word of the first author''s name, as the service spells it: if it is the only keyword, the author''s books '
'come before others (CA-25).';
comment on column gyms.name_key is
'The words of the name, as the service spells them: what equals it is listed first (CA-2).';
comment on column exercises.name_keys is
'The words of each name, as written and in the common spelling: what equals one is listed first (CA-10).';
