-- How people, and the readers of collections, liked books; which making of recommendations is stored (CA-28).
--
-- squawk-ignore-file require-concurrent-index-creation

alter table people add column ratings integer not null default 0;
alter table people add constraint people_ratings_limit check (ratings between 0 and 5000) not valid;

comment on column people.ratings is 'How many books the person has rated.';

create table book_ratings (
  person_id uuid not null,
  isbn bigint not null,
  title text not null,
  stars smallint not null,
  rated_at timestamptz not null,
  constraint book_ratings_pkey primary key (person_id, isbn),
  constraint book_ratings_person_fkey foreign key (person_id) references people (id),
  constraint book_ratings_isbn_range check (isbn between 9780000000000 and 9799999999999),
  constraint book_ratings_stars_range check (stars between 1 and 5)
);

create index book_ratings_person_idx on book_ratings (person_id, rated_at, isbn);

comment on table book_ratings is 'How people liked books; nobody else is shown it (CA-28).';
comment on column book_ratings.person_id is 'Who says so.';
comment on column book_ratings.isbn is 'The book: the 13 digits.';
comment on column book_ratings.title is 'What its record, or a copy, was called then.';
comment on column book_ratings.stars is '1, not at all, to 5, very much.';
comment on column book_ratings.rated_at is 'When it was said last.';

create table reader_ratings (
  source text not null,
  reader bigint not null,
  source_id text not null,
  stars smallint not null,
  constraint reader_ratings_pkey primary key (source, reader, source_id),
  constraint reader_ratings_stars_range check (stars between 1 and 5)
);

comment on table reader_ratings is
'How readers who are nobody here liked books, loaded from files; what is recommended is learnt from them too (CA-28).';
comment on column reader_ratings.source is 'The collection that the rating is from, as in editions.';
comment on column reader_ratings.reader is 'The collection''s number for the reader.';
comment on column reader_ratings.source_id is
'What the collection calls the book, as in editions; it counts as soon as that is loaded.';
comment on column reader_ratings.stars is '1, not at all, to 5, very much.';

create table recommendation_runs (
  singleton boolean not null default true,
  begun bigint not null default 0,
  stored bigint not null default 0,
  constraint recommendation_runs_pkey primary key (singleton),
  constraint recommendation_runs_singleton check (singleton),
  constraint recommendation_runs_stored_begun check (stored between 0 and begun)
);

insert into recommendation_runs default values;

comment on table recommendation_runs is
'The only row counts how often recommendations were made: what was begun earlier is not stored behind what was begun '
'later, whichever replica takes how long (CA-28).';
comment on column recommendation_runs.singleton is 'Always true: there is one row.';
comment on column recommendation_runs.begun is 'The number of the last that was begun.';
comment on column recommendation_runs.stored is 'The number of the last that was stored.';
