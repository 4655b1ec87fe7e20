-- columns: StoredEdition: Equatable
-- A bibliographic record.
-- @titles: The main title, then others that the edition has; never empty.
-- @year: `nil` if the record does not say.
-- @language: Empty if the record does not say.
isbn, titles, authors, year, language;

-- name: EditionByISBN :one
-- The record of an ISBN ([CA-21]); if several collections have one, always the same one.
select {{StoredEdition}} from editions
where isbn = :isbn
-- A more complete record comes first.
order by cardinality(authors) = 0, year is null, language = '', source, source_id
limit 1;

-- fragment: titles_recorded(isbn)
-- The titles of all records of an ISBN, in one order whichever were loaded first.
select distinct recorded.title from editions cross join lateral unnest(editions.titles) as recorded (title)
where editions.isbn = {{isbn}} order by recorded.title;

-- name: TitlesOfISBN :many
-- The titles of all records of an ISBN, by which its books are found ([CA-25]).
-- @title: Never empty.
select titles.title as "title!" from ({{titles_recorded(:isbn)}}) as titles;

-- name: HasRecords :one
-- Whether records of real books are loaded.
select exists (select 1 from editions where source <> 'samples') as "has_records!";
