-- People as far as books need them, bibliographic records, people's books and comments on them.

create table people (
  id uuid not null,
  username text not null default '',
  books integer not null default 0,
  changes bigint not null default 0,
  departed boolean not null default false,
  constraint people_pkey primary key (id),
  constraint people_books_limit check (books between 0 and 10000),
  constraint people_departed_nameless check (not departed or (username = '' and books = 0))
);

comment on table people is
'People who have books, commented on some, or whom identity told of. Its row is locked before any other by whoever '
'changes something of a person, so that nothing is written behind a departure.';
comment on column people.id is 'The account''s id.';
comment on column people.username is 'As identity told it; empty until then.';
comment on column people.books is 'How many books the person has that are not deleted.';
comment on column people.changes is
'Goes up by one with every change of the person''s books, under this row''s lock: so changes become visible in the '
'order of their numbers, and who asks for what is beyond a number misses none (C-11).';
comment on column people.departed is 'Whether the account was deleted: nothing of the person is kept or written (C-9).';

create table editions (
  source text not null,
  source_id text not null,
  isbn bigint not null,
  titles text[] not null,
  authors text[] not null,
  year integer,
  language text not null,
  constraint editions_pkey primary key (source, source_id, isbn),
  constraint editions_isbn_range check (isbn between 9780000000000 and 9799999999999),
  constraint editions_titles_present check (cardinality(titles) > 0),
  constraint editions_year_exists check (year <> 0)
);

create index editions_isbn_idx on editions (isbn);

comment on table editions is
'Bibliographic records, loaded from files; an edition with two ISBNs is there twice (CA-21).';
comment on column editions.source is 'The collection that the record is from, goodbooks for example.';
comment on column editions.source_id is 'What the collection calls the record.';
comment on column editions.isbn is 'The 13 digits; an ISBN-10 is stored as the ISBN-13 that it is too.';
comment on column editions.titles is 'The title to show, then others that it is known by.';
comment on column editions.authors is 'In the record''s order; may be empty.';
comment on column editions.year is 'When it was published, negative for years BC; null if the record does not say.';
comment on column editions.language is 'As the record spells it; may be empty.';

create table books (
  id uuid not null,
  owner_id uuid not null,
  isbn bigint not null,
  title text not null,
  authors text[] not null,
  description text not null,
  year integer,
  language text not null,
  status text not null default 'AVAILABLE',
  status_order smallint not null generated always as (
    case status when 'AVAILABLE' then 1 when 'REQUESTED' then 2 when 'ACCEPTED' then 3 else 4 end
  ) stored,
  borrower_id uuid,
  words tsvector not null,
  names text not null,
  revision bigint not null default 1,
  change bigint not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz,
  constraint books_pkey primary key (id),
  constraint books_owner_fkey foreign key (owner_id) references people (id),
  constraint books_change_key unique (owner_id, change),
  constraint books_isbn_range check (isbn between 9780000000000 and 9799999999999),
  constraint books_title_present check (title <> ''),
  constraint books_authors_present check (cardinality(authors) > 0),
  constraint books_description_present check (description <> ''),
  constraint books_year_exists check (year <> 0),
  constraint books_status_known check (status in ('AVAILABLE', 'REQUESTED', 'ACCEPTED', 'BORROWED')),
  constraint books_borrower_expected check (borrower_id is null or status in ('ACCEPTED', 'BORROWED')),
  constraint books_deleted_available check (deleted_at is null or status = 'AVAILABLE'),
  constraint books_revision_positive check (revision > 0)
);

create index books_owner_idx on books (owner_id, status_order, id) where deleted_at is null;
create index books_borrower_idx on books (borrower_id) where borrower_id is not null;
create index books_words_idx on books using gin (words) where deleted_at is null;
create index books_names_idx on books using gin (names extensions.gin_trgm_ops) where deleted_at is null;

comment on table books is 'Copies of books that people own and lend (CA-20).';
comment on column books.id is 'UUIDv7, made by the service.';
comment on column books.owner_id is 'Whose it is.';
comment on column books.isbn is 'The 13 digits; an ISBN-10 is stored as the ISBN-13 that it is too.';
comment on column books.title is 'As the owner gives it.';
comment on column books.authors is 'In the order of the title page.';
comment on column books.description is 'What the owner says about the copy.';
comment on column books.year is 'When the edition was published, negative for years BC; null if nobody knows.';
comment on column books.language is 'The edition''s language; empty if nobody knows.';
comment on column books.status is 'AVAILABLE, REQUESTED, ACCEPTED or BORROWED, as lending told last.';
comment on column books.status_order is 'The place of the status in lists of one''s own books (CA-22).';
comment on column books.borrower_id is 'Who has it, or was promised it, as lending told last.';
comment on column books.words is
'The words that are searched, made by the service, weighed by where they stand (CA-25).';
comment on column books.names is 'The words of title and authors, which misspelt keywords are compared with.';
comment on column books.revision is 'Goes up by one with every change; the book''s etag.';
comment on column books.change is 'The owner''s people.changes at the last change.';
comment on column books.created_at is 'When the book was added.';
comment on column books.updated_at is 'When it was last changed.';
comment on column books.deleted_at is
'When its owner deleted it; null while it is there. The row stays so that the owner''s other devices learn of it '
'(C-11).';

create table comments (
  id uuid not null,
  book_id uuid not null,
  author_id uuid not null,
  text text not null,
  created_at timestamptz not null,
  constraint comments_pkey primary key (id),
  constraint comments_book_fkey foreign key (book_id) references books (id) on delete cascade,
  constraint comments_author_fkey foreign key (author_id) references people (id),
  constraint comments_text_present check (text <> '')
);

create index comments_book_idx on comments (book_id, id);
create index comments_author_idx on comments (author_id);

comment on table comments is 'What people say about a book (CA-27).';
comment on column comments.id is 'UUIDv7, made by the service, so later comments have greater ids.';
comment on column comments.book_id is 'The book that it is about.';
comment on column comments.author_id is 'Who said it.';
comment on column comments.text is 'What was said; never empty.';
comment on column comments.created_at is 'When it was said.';

-- The threshold is a setting of pg_trgm, so the search has to be a function. Trigrams find candidates by an index, for
-- which two letters exchanged in a word of five are much; edits, of which that is two, decide.
create function similar_books(keywords text[], queries text[], statuses text[])
returns table (id uuid, score double precision)
language sql stable
set "pg_trgm.word_similarity_threshold" = '0.3'
as $$
  with near as (
    select distinct found.id
    from unnest(keywords) as keyword (word)
    cross join lateral (
      select books.id from books
      where books.deleted_at is null and books.status = any(statuses)
        and books.names operator(extensions.%>) keyword.word
      limit 1000
    ) as found
  )
  select books.id, rated.score
  from near
  join books on books.id = near.id
  cross join lateral (
    select bool_and(judged.occurs or judged.is_like) as fits, avg(
      case when judged.occurs then 1 else extensions.word_similarity(judged.word, books.names) end
    )::double precision as score
    from (
      select keyword.word, books.words @@ keyword.query::tsquery as occurs, exists (
        select from unnest(string_to_array(books.names, ' ')) as name (word)
        where extensions.levenshtein_less_equal(keyword.word, name.word, 2)
          <= case when char_length(keyword.word) < 4 then 1 else 2 end
      ) as is_like
      from unnest(keywords, queries) as keyword (word, query)
    ) as judged
  ) as rated
  where rated.fits
$$;

comment on function similar_books is
'Books of which every keyword occurs, or is a word of title or authors but for two letters, with a score up to 1 '
'(CA-25).';
