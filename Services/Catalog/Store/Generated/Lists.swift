// Made from queries.json by Shared/Data/generate-statements. Not edited: `make sql` makes it again.

import AccountDeletions
import Blocks
import Events
import Idempotency
import Jobs
import Pictures
import Postgres
import Usernames

extension CatalogSchema {
  /// In order; a migration that was released is never edited.
  package static let migrations: [Migration] = [
    Migration(version: 1, name: "schema", sql: schemaSQL),
    EventsSchema.events(version: 2),
    JobsSchema.jobs(version: 3),
    IdempotencySchema.replays(version: 4),
    Migration(version: 5, name: "books", sql: booksSQL),
    Migration(version: 6, name: "blocks", sql: blocksSQL),
    PicturesSchema.pictures(version: 7),
    Migration(version: 8, name: "book_photos", sql: bookPhotosSQL),
    Migration(version: 9, name: "recommendations", sql: recommendationsSQL),
    Migration(version: 10, name: "search", sql: searchSQL),
    Migration(version: 11, name: "exercises", sql: exercisesSQL),
    Migration(version: 12, name: "workouts", sql: workoutsSQL),
    Migration(version: 13, name: "return_comments", sql: returnCommentsSQL),
    Migration(version: 14, name: "gyms", sql: gymsSQL),
    Migration(version: 15, name: "ratings", sql: ratingsSQL),
    Migration(version: 16, name: "search_parts", sql: searchPartsSQL),
    EventsSchema.eventsUpkeep(version: 17),
    Migration(version: 18, name: "users", sql: usersSQL),
    PicturesSchema.pictureUsers(version: 19),
    Migration(version: 20, name: "one_search_index", sql: oneSearchIndexSQL),
  ]

  private static let schemaSQL = """
    comment on schema catalog is 'Gyms, exercises, workouts and books; written by the service catalog alone.';

    """

  private static let booksSQL = """
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

    """

  private static let blocksSQL = """
    -- Who keeps whom away, as identity told it (C-10).

    create table blocks (
      blocker_id uuid not null,
      blocked_id uuid not null,
      constraint blocks_pkey primary key (blocker_id, blocked_id),
      constraint blocks_of_others check (blocker_id <> blocked_id)
    );

    create index blocks_blocked_idx on blocks (blocked_id, blocker_id);

    comment on table blocks is
    'People who keep others away, as identity told it: neither sees the other''s books and comments (C-10).';
    comment on column blocks.blocker_id is 'Who blocks.';
    comment on column blocks.blocked_id is 'Who is blocked.';

    -- The consumer begins with the first event that there ever was. Where that was removed meanwhile it is told so, and
    -- asks identity for all blocks; without a position it would begin with the oldest that is left, and miss the others.
    insert into event_cursors (producer, consumer, transaction_id, id, moved_at)
    values ('identity', 'catalog.blocks', '0', 0, now())
    -- A follower may have begun while this is run; it begins there too.
    on conflict on constraint event_cursors_pkey do nothing;

    """

  private static let bookPhotosSQL = """
    -- Photographs of people's books (CA-26): the pictures of the step before this one, whose holders are books.
    --
    -- The pictures were made by the step before and are empty; what is added to books is known to hold for all of them.
    -- squawk-ignore-file constraint-missing-not-valid, adding-foreign-key-constraint, disallowed-unique-constraint
    -- squawk-ignore-file prefer-bigint-over-int

    alter table pictures
    add constraint pictures_holder_fkey foreign key (holder_id) references books (id) on delete cascade,
    add constraint pictures_content_key unique (holder_id, content_hash);

    alter table books
    add column photos integer not null default 0,
    add constraint books_photos_limit check (photos between 0 and 10),
    add constraint books_deleted_photoless check (deleted_at is null or photos = 0);

    comment on column books.photos is 'How many photographs it has, counted under the row''s lock (CA-26).';

    -- Whoever deletes a book, its photographs go in the same transaction; the row stays for the owner's other devices.
    create function remove_photos_of_deleted_book() returns trigger
    language plpgsql
    as $$
    begin
      delete from pictures where holder_id = new.id;
      new.photos := 0;
      return new;
    end
    $$;

    comment on function remove_photos_of_deleted_book is 'Takes the photographs of a book along when it is deleted.';

    create trigger books_photos_go
    before update of deleted_at on books
    for each row when (new.deleted_at is not null and new.photos > 0)
    execute function remove_photos_of_deleted_book();

    """

  private static let recommendationsSQL = """
    -- What people borrowed, and what is recommended because of it (CA-28).
    --
    -- squawk-ignore-file require-concurrent-index-creation

    create table past_loans (
      loan_id uuid not null,
      borrower_id uuid not null,
      isbn bigint not null,
      title text not null,
      borrowed_at timestamptz not null,
      constraint past_loans_pkey primary key (loan_id),
      constraint past_loans_borrower_fkey foreign key (borrower_id) references people (id),
      constraint past_loans_isbn_range check (isbn between 9780000000000 and 9799999999999)
    );

    create index past_loans_borrower_idx on past_loans (borrower_id, isbn);

    comment on table past_loans is
    'What people borrowed, as lending told it (CA-28); a loan once, however often it is told.';
    comment on column past_loans.loan_id is 'The loan, as lending names it.';
    comment on column past_loans.borrower_id is 'Who borrowed.';
    comment on column past_loans.isbn is 'What: the 13 digits. The copy itself may be gone.';
    comment on column past_loans.title is 'What its owner called it then.';
    comment on column past_loans.borrowed_at is 'When it was handed over.';

    create table book_neighbours (
      isbn bigint not null,
      readers integer not null,
      neighbours bigint[] not null,
      weights real[] not null,
      constraint book_neighbours_pkey primary key (isbn),
      constraint book_neighbours_readers_counted check (readers > 0),
      constraint book_neighbours_weighed check (cardinality(neighbours) = cardinality(weights))
    );

    create index book_neighbours_readers_idx on book_neighbours (readers desc, isbn);

    comment on table book_neighbours is
    'Which books readers of a book read too: made anew from all past loans, in the background and as a whole (CA-28).';
    comment on column book_neighbours.isbn is 'The book.';
    comment on column book_neighbours.readers is 'How many people borrowed it.';
    comment on column book_neighbours.neighbours is 'ISBNs of other books, the closest first.';
    comment on column book_neighbours.weights is
    'How likely each of them is for who read the book; below 0, unlikely.';

    -- The copies of a book that can be requested.
    create index books_isbn_idx on books (isbn, status_order, id) where deleted_at is null;

    """

  private static let searchSQL = """
    -- Searches that take about as long among a million books as among a thousand (CA-25).
    --
    -- squawk-ignore-file require-concurrent-index-creation, require-concurrent-index-deletion, ban-drop-function

    -- Who searches must not have to read through what waits to get into the index.
    drop index books_words_idx;
    create index books_words_idx on books using gin (words) with (fastupdate = off) where deleted_at is null;

    -- By the most common words of these statistics the service knows which ones are not worth a look into the index.
    alter table books alter column words set statistics 300;

    create table name_words (
      word text not null,
      constraint name_words_pkey primary key (word)
    );

    create index name_words_beginning_idx on name_words (left(word, 1), char_length(word));
    create index name_words_trigrams_idx on name_words using gin (word extensions.gin_trgm_ops) with (fastupdate = off);

    comment on table name_words is
    'The words of titles and authors, which misspelt keywords are compared with; a word may outlive the last book that '
    'has it.';
    comment on column name_words.word is 'As the service spells it: without case and accents.';

    insert into name_words (word)
    select distinct found.word
    from books cross join lateral unnest(string_to_array(books.names, ' ')) as found (word)
    where books.deleted_at is null and found.word <> ''
    order by found.word;

    comment on column books.names is 'The words of title and authors; they are also in name_words.';

    drop index books_names_idx;
    drop function similar_books(text[], text[], text[]);

    -- Which plans are good is known here, and not to a planner that guesses what is asked for: so these are functions.

    create function books_with_words(
      rare tsquery, every tsquery, statuses text[], viewer uuid, most bigint
    )
    returns table (id uuid, score double precision)
    language sql stable
    set enable_seqscan = off
    as $$
      select found.id, ts_rank('{0.1, 0.1, 0.5, 1}', found.words, every, 1)::double precision
      from (
        select books.id, books.words from books
        where books.deleted_at is null and books.words @@ rare
          -- Not a condition that an index could serve: reading the lists of common words takes longer.
          and (books.words @@ every) is true
          and books.status = any(statuses)
          and books.owner_id <> all(array(
            select blocked_id from blocks where blocker_id = viewer
            union all
            select blocker_id from blocks where blocked_id = viewer
          ))
        limit most
      ) as found
    $$;

    comment on function books_with_words is
    'Books with every keyword and how well they fit: the index finds those with the rare ones. A keyword in a title counts '
    'ten times one in a description; words that stand in longer texts count less. Of more books than most some are left '
    'out.';

    create function newest_books_with_words(
      every tsquery, statuses text[], viewer uuid, before uuid, most bigint
    )
    returns table (id uuid)
    language sql stable
    set enable_seqscan = off
    set enable_bitmapscan = off
    set enable_sort = off
    as $$
      select books.id from books
      where books.deleted_at is null and books.words @@ every and books.id < before
        and books.status = any(statuses)
        and books.owner_id <> all(array(
          select blocked_id from blocks where blocker_id = viewer
          union all
          select blocker_id from blocks where blocked_id = viewer
        ))
      order by books.id desc
      limit most
    $$;

    comment on function newest_books_with_words is
    'Books with every keyword, the newest first: books are looked through in that order until there are enough.';

    create function words_like(keyword text)
    returns table (word text, edits integer)
    language sql stable
    set "pg_trgm.similarity_threshold" = '0.4'
    as $$
      select near.word, near.edits
      from (
        select found.word, extensions.levenshtein_less_equal(keyword, found.word, 2) as edits
        from (
          select name_words.word from name_words
          where left(name_words.word, 1) = left(keyword, 1)
            and char_length(name_words.word) between char_length(keyword) - 2 and char_length(keyword) + 2
          union
          select name_words.word from name_words where name_words.word operator(extensions.%) keyword
        ) as found
      ) as near
      where near.edits <= case when char_length(keyword) < 4 then 1 else 2 end
      order by near.edits, near.word
      limit 20
    $$;

    comment on function words_like is
    'Words of titles and authors that are the keyword but for two letters, one in keywords of up to three; the closest '
    'first.';

    """

  private static let exercisesSQL = """
    -- What collections say about exercises, and the exercises that are made of it.

    create table exercises (
      id uuid not null,
      name text not null,
      aliases text[] not null,
      category text not null,
      level text not null,
      muscles text[] not null,
      secondary_muscles text[] not null,
      muscle_groups text[] not null,
      targets text[] not null,
      equipment text[] not null,
      instructions text[] not null,
      instructions_source text not null,
      sources text[] not null,
      source_ids text[] not null,
      licenses text[] not null,
      attributions text[] not null,
      images text[] not null,
      image_sources text[] not null,
      words tsvector not null,
      names text not null,
      change bigint not null,
      merged_into uuid,
      constraint exercises_pkey primary key (id),
      constraint exercises_change_key unique (change),
      constraint exercises_merged_fkey foreign key (merged_into) references exercises (id),
      constraint exercises_merged_once check (merged_into <> id),
      constraint exercises_name_present check (name <> ''),
      constraint exercises_sources_complete check (
        cardinality(sources) > 0
        and cardinality(sources) = cardinality(source_ids)
        and cardinality(sources) = cardinality(licenses)
        and cardinality(sources) = cardinality(attributions)
      ),
      constraint exercises_images_complete check (cardinality(images) = cardinality(image_sources))
    );

    create index exercises_names_order_idx on exercises (names collate "C", id) where merged_into is null;
    create index exercises_words_idx on exercises using gin (words) where merged_into is null;
    create index exercises_names_idx on exercises using gin (names extensions.gin_trgm_ops) where merged_into is null;
    create index exercises_targets_idx on exercises using gin (targets) where merged_into is null;
    create index exercises_merged_idx on exercises (merged_into) where merged_into is not null;

    comment on table exercises is
    'Exercises, each once however many collections have it (CA-10); made anew of exercise_records by every load that '
    'changes some.';
    comment on column exercises.id is 'UUIDv7; stays when other collections turn out to have the exercise too.';
    comment on column exercises.name is 'As the first collection spells it.';
    comment on column exercises.aliases is 'Other names, the other collections'' among them.';
    comment on column exercises.category is 'STRENGTH for example; empty if no collection says it.';
    comment on column exercises.level is 'BEGINNER, INTERMEDIATE or EXPERT; empty if no collection says it.';
    comment on column exercises.muscles is 'What it trains in the first place; may be empty.';
    comment on column exercises.secondary_muscles is 'What it trains besides.';
    comment on column exercises.muscle_groups is 'The groups of its muscles, or what a collection says in their place.';
    comment on column exercises.targets is 'Muscles and groups in one list, by which exercises are found.';
    comment on column exercises.equipment is 'What it takes; empty if no collection says it.';
    comment on column exercises.instructions is 'Step by step, of one collection; may be empty.';
    comment on column exercises.instructions_source is 'The collection that the instructions are from; empty without any.';
    comment on column exercises.sources is 'The collections that have it; this and the next three columns go together.';
    comment on column exercises.source_ids is 'What each of them calls it.';
    comment on column exercises.licenses is 'Under which licence each of them publishes it.';
    comment on column exercises.attributions is 'Whom that licence wants to be named; empty for nobody.';
    comment on column exercises.images is 'Where its pictures are, as the collections say it; they are not fetched.';
    comment on column exercises.image_sources is 'The collection that each picture is from.';
    comment on column exercises.words is 'The words that are searched, made by the service.';
    comment on column exercises.names is 'The words of its names, which misspelt keywords are compared with.';
    comment on column exercises.change is
    'Goes up with every change of any exercise. Loads change exercises one after the other, so who asks for what is '
    'beyond a number misses none (C-11).';
    comment on column exercises.merged_into is
    'The exercise that it turned out to be; null while it is one of its own. The row stays, so that workouts and clients '
    'which have its id find the other.';

    create table exercise_records (
      source text not null,
      source_id text not null,
      name text not null,
      aliases text[] not null,
      category text not null,
      level text not null,
      muscles text[] not null,
      secondary_muscles text[] not null,
      muscle_groups text[] not null,
      equipment text[] not null,
      instructions text[] not null,
      images text[] not null,
      license text not null,
      attribution text not null,
      exercise_id uuid,
      constraint exercise_records_pkey primary key (source, source_id),
      constraint exercise_records_exercise_fkey foreign key (exercise_id) references exercises (id)
    );

    create index exercise_records_exercise_idx on exercise_records (exercise_id);

    comment on table exercise_records is 'What collections of exercises say, loaded from files (CA-5).';
    comment on column exercise_records.source is 'The collection, wger for example.';
    comment on column exercise_records.source_id is 'What the collection calls the record.';
    comment on column exercise_records.name is 'As the collection spells it.';
    comment on column exercise_records.aliases is 'Other names.';
    comment on column exercise_records.category is 'In the catalog''s own words; empty if the record does not say.';
    comment on column exercise_records.level is 'In the catalog''s own words; empty if the record does not say.';
    comment on column exercise_records.muscles is 'In the catalog''s own words, those that are trained in the first place.';
    comment on column exercise_records.secondary_muscles is 'Those that are trained besides.';
    comment on column exercise_records.muscle_groups is 'What the collection says where it names no muscle.';
    comment on column exercise_records.equipment is 'In the catalog''s own words.';
    comment on column exercise_records.instructions is 'Step by step, as plain text.';
    comment on column exercise_records.images is 'Where its pictures are, as the collection says it.';
    comment on column exercise_records.license is 'Under which licence the record is published.';
    comment on column exercise_records.attribution is 'Whom that licence wants to be named; may be empty.';
    comment on column exercise_records.exercise_id is 'The exercise that the record is about; null only within a load.';

    -- As similar_books, for exercises that any of the filters may leave out afterwards: there are some thousands of them.
    create function similar_exercises(keywords text[], queries text[])
    returns table (id uuid, score double precision)
    language sql stable
    set "pg_trgm.word_similarity_threshold" = '0.3'
    as $$
      with near as (
        select distinct found.id
        from unnest(keywords) as keyword (word)
        cross join lateral (
          select exercises.id from exercises
          where exercises.merged_into is null and exercises.names operator(extensions.%>) keyword.word
          limit 2000
        ) as found
      )
      select exercises.id, rated.score
      from near
      join exercises on exercises.id = near.id
      cross join lateral (
        select bool_and(judged.occurs or judged.is_like) as fits, avg(
          case
            when judged.occurs then 1 else extensions.word_similarity(judged.word, exercises.names)
          end
        )::double precision as score
        from (
          select keyword.word, exercises.words @@ keyword.query::tsquery as occurs, exists (
            select from unnest(string_to_array(exercises.names, ' ')) as name (word)
            where extensions.levenshtein_less_equal(keyword.word, name.word, 2)
              <= case when char_length(keyword.word) < 4 then 1 else 2 end
          ) as is_like
          from unnest(keywords, queries) as keyword (word, query)
        ) as judged
      ) as rated
      where rated.fits
    $$;

    comment on function similar_exercises is
    'Exercises of which every keyword occurs, or is a word of a name but for two letters, with a score up to 1 (CA-10).';

    """

  private static let workoutsSQL = """
    -- Curated workouts, people's own, what they trained, and links to workouts.

    alter table people add column workouts integer not null default 0;
    alter table people add column workout_changes bigint not null default 0;
    alter table people add column workout_logs integer not null default 0;
    alter table people add constraint people_workouts_limit check (workouts between 0 and 500) not valid;
    alter table people add constraint people_workout_logs_limit check (workout_logs between 0 and 20000) not valid;

    comment on column people.workouts is 'How many workouts the person has that are not deleted.';
    comment on column people.workout_changes is 'As changes, for the person''s workouts (C-11).';
    comment on column people.workout_logs is 'How many logs of workouts the person has.';

    create table workouts (
      id uuid not null,
      owner_id uuid,
      curated_key text,
      name text not null,
      description text not null,
      muscle_groups text[] not null,
      trained text[] not null,
      level text not null default '',
      words tsvector not null,
      names text not null,
      revision bigint not null default 1,
      change bigint,
      created_at timestamptz not null,
      updated_at timestamptz not null,
      deleted_at timestamptz,
      constraint workouts_pkey primary key (id),
      constraint workouts_owner_fkey foreign key (owner_id) references people (id),
      constraint workouts_curated_key unique (curated_key),
      constraint workouts_change_key unique (owner_id, change),
      constraint workouts_owned_or_curated check ((owner_id is null) <> (curated_key is null)),
      constraint workouts_change_counted check ((owner_id is null) = (change is null)),
      constraint workouts_name_present check (name <> ''),
      constraint workouts_revision_positive check (revision > 0)
    );

    create index workouts_owner_idx on workouts (owner_id, id) where deleted_at is null;
    create index workouts_curated_idx on workouts (names collate "C", id) where owner_id is null and deleted_at is null;

    comment on table workouts is 'Curated workouts (CA-11) and people''s own (CA-12).';
    comment on column workouts.id is 'UUIDv7, made by the service.';
    comment on column workouts.owner_id is 'Whose it is; null for a curated one.';
    comment on column workouts.curated_key is 'What the file of curated workouts calls it; null for somebody''s own.';
    comment on column workouts.name is 'What it is called.';
    comment on column workouts.description is 'What is said about it; may be empty.';
    comment on column workouts.muscle_groups is 'What its owner says that it trains.';
    comment on column workouts.trained is 'That, and the groups of its exercises: by which it is found (CA-13).';
    comment on column workouts.level is 'Of curated ones, BEGINNER for example; may be empty.';
    comment on column workouts.words is 'The words that are searched, made by the service.';
    comment on column workouts.names is 'The words of name and muscle groups, which misspelt keywords are compared with.';
    comment on column workouts.revision is 'Goes up by one with every change of it and of its entries; the etag.';
    comment on column workouts.change is 'The owner''s people.workout_changes at the last change.';
    comment on column workouts.created_at is 'When it was made.';
    comment on column workouts.updated_at is 'When it was last changed.';
    comment on column workouts.deleted_at is
    'When its owner deleted it; null while it is there. The row stays, without its entries, so that the owner''s other '
    'devices learn of it (C-11).';

    create table workout_entries (
      id uuid not null,
      workout_id uuid not null,
      place smallint not null,
      exercise_id uuid not null,
      sets smallint not null,
      reps smallint not null,
      duration_s integer not null,
      weight_g integer,
      rest_s smallint not null,
      note text not null,
      constraint workout_entries_pkey primary key (id),
      constraint workout_entries_workout_fkey foreign key (workout_id) references workouts (id) on delete cascade,
      constraint workout_entries_exercise_fkey foreign key (exercise_id) references exercises (id),
      constraint workout_entries_place_key unique (workout_id, place),
      constraint workout_entries_place_limit check (place between 1 and 50),
      constraint workout_entries_sets_range check (sets between 1 and 50),
      constraint workout_entries_reps_range check (reps between 0 and 1000),
      constraint workout_entries_duration_range check (duration_s between 0 and 36000),
      constraint workout_entries_effort_present check (reps > 0 or duration_s > 0),
      constraint workout_entries_weight_range check (weight_g between 0 and 1000000),
      constraint workout_entries_rest_range check (rest_s between 0 and 3600)
    );

    create index workout_entries_exercise_idx on workout_entries (exercise_id);

    comment on table workout_entries is 'Exercises of workouts; a workout has at most 50, for it has no more places.';
    comment on column workout_entries.id is 'UUIDv7, made by the service.';
    comment on column workout_entries.workout_id is 'The workout that it is in.';
    comment on column workout_entries.place is 'Its place in the workout, from 1; no two have the same.';
    comment on column workout_entries.exercise_id is 'What is to be done.';
    comment on column workout_entries.sets is 'How many sets.';
    comment on column workout_entries.reps is 'Repetitions of each set; 0 where it is held for a time.';
    comment on column workout_entries.duration_s is
    'Seconds that each set is held; 0 where it is counted in repetitions.';
    comment on column workout_entries.weight_g is 'In grams; null where none is planned.';
    comment on column workout_entries.rest_s is 'Seconds between sets.';
    comment on column workout_entries.note is 'May be empty.';

    create table workout_logs (
      id uuid not null,
      owner_id uuid not null,
      workout_id uuid,
      name text not null,
      note text not null,
      started_at timestamptz not null,
      ended_at timestamptz,
      created_at timestamptz not null,
      constraint workout_logs_pkey primary key (id),
      constraint workout_logs_owner_key unique (id, owner_id),
      constraint workout_logs_owner_fkey foreign key (owner_id) references people (id),
      constraint workout_logs_workout_fkey foreign key (workout_id) references workouts (id) on delete set null,
      constraint workout_logs_name_present check (name <> ''),
      constraint workout_logs_end_after_start check (ended_at >= started_at)
    );

    create index workout_logs_owner_idx on workout_logs (owner_id, started_at, id);
    create index workout_logs_workout_idx on workout_logs (workout_id) where workout_id is not null;

    comment on table workout_logs is 'What people trained (CA-14).';
    comment on column workout_logs.id is 'UUIDv7, made by the service.';
    comment on column workout_logs.owner_id is 'Who trained.';
    comment on column workout_logs.workout_id is 'What was trained; null for no workout, or one that is gone for good.';
    comment on column workout_logs.name is 'What it is called.';
    comment on column workout_logs.note is 'May be empty.';
    comment on column workout_logs.started_at is 'When it began, as the person says.';
    comment on column workout_logs.ended_at is 'When it ended; null if nobody knows.';
    comment on column workout_logs.created_at is 'When it was kept.';

    create table logged_sets (
      log_id uuid not null,
      place smallint not null,
      owner_id uuid not null,
      exercise_id uuid not null,
      reps smallint not null,
      weight_g integer not null,
      duration_s integer not null,
      constraint logged_sets_pkey primary key (log_id, place),
      constraint logged_sets_log_fkey foreign key (log_id, owner_id)
      references workout_logs (id, owner_id) on delete cascade,
      constraint logged_sets_exercise_fkey foreign key (exercise_id) references exercises (id),
      constraint logged_sets_place_limit check (place between 1 and 200),
      constraint logged_sets_reps_range check (reps between 0 and 1000),
      constraint logged_sets_weight_range check (weight_g between 0 and 1000000),
      constraint logged_sets_duration_range check (duration_s between 0 and 36000),
      constraint logged_sets_effort_present check (reps > 0 or duration_s > 0)
    );

    create index logged_sets_owner_idx on logged_sets (owner_id, exercise_id);
    create index logged_sets_exercise_idx on logged_sets (exercise_id);

    comment on table logged_sets is 'Sets that were done; a log has at most 200, for it has no more places.';
    comment on column logged_sets.log_id is 'The log that tells of it.';
    comment on column logged_sets.place is 'Its place in the log, from 1.';
    comment on column logged_sets.owner_id is 'Who did it: the log''s owner, by whom progress is looked up.';
    comment on column logged_sets.exercise_id is 'What was done.';
    comment on column logged_sets.reps is '0 for a set that was held for a time.';
    comment on column logged_sets.weight_g is 'In grams; 0 without a weight.';
    comment on column logged_sets.duration_s is 'Seconds that it was held; 0 for one that was counted in repetitions.';

    create table workout_shares (
      id uuid not null,
      workout_id uuid not null,
      place smallint not null,
      owner_id uuid not null,
      token_hash bytea not null,
      created_at timestamptz not null,
      constraint workout_shares_pkey primary key (id),
      constraint workout_shares_token_key unique (token_hash),
      constraint workout_shares_place_key unique (workout_id, place),
      constraint workout_shares_workout_fkey foreign key (workout_id) references workouts (id) on delete cascade,
      constraint workout_shares_owner_fkey foreign key (owner_id) references people (id),
      constraint workout_shares_place_limit check (place between 1 and 20),
      constraint workout_shares_hash_length check (octet_length(token_hash) = 32)
    );

    create index workout_shares_owner_idx on workout_shares (owner_id);

    comment on table workout_shares is
    'Links by which anybody reads a workout (CA-15); a workout has at most 20, for it has no more places.';
    comment on column workout_shares.id is 'UUIDv7, made by the service.';
    comment on column workout_shares.workout_id is 'The workout that it leads to.';
    comment on column workout_shares.place is 'From 1; the lowest that was free.';
    comment on column workout_shares.owner_id is 'Whose workout it is.';
    comment on column workout_shares.token_hash is 'SHA-256 of the secret, which is stored nowhere.';
    comment on column workout_shares.created_at is 'When it was made.';

    create table share_misses (
      address_hash bytea not null,
      window_ends_at timestamptz not null,
      misses integer not null,
      constraint share_misses_pkey primary key (address_hash),
      constraint share_misses_hash_length check (octet_length(address_hash) = 32),
      constraint share_misses_counted check (misses > 0)
    );

    create index share_misses_ends_idx on share_misses (window_ends_at);

    comment on table share_misses is
    'How many links that lead nowhere were tried from an address, so that nobody finds one by trying (CA-15).';
    comment on column share_misses.address_hash is 'SHA-256 of the client''s address: no stranger''s address is kept.';
    comment on column share_misses.window_ends_at is 'From when on the row means nothing.';
    comment on column share_misses.misses is 'How many within the window.';

    """

  private static let returnCommentsSQL = """
    -- Comments that borrowers give while returning a book (LE-10).

    create table return_comments (
      loan_id uuid not null,
      book_id uuid not null,
      constraint return_comments_pkey primary key (loan_id),
      constraint return_comments_book_fkey foreign key (book_id) references books (id) on delete cascade
    );

    create index return_comments_book_idx on return_comments (book_id);

    comment on table return_comments is 'Loans that were ended with a comment, which is kept once for each of them.';
    comment on column return_comments.loan_id is 'As lending calls the loan.';
    comment on column return_comments.book_id is 'The book that was lent.';

    """

  private static let gymsSQL = """
    -- Gyms as files have them, how full they are, and the words by which they are found.

    create table gyms (
      id uuid not null,
      source text not null,
      source_id text not null,
      name text not null,
      street text not null,
      house_number text not null,
      postcode text not null,
      city text not null,
      country text not null,
      phone text not null,
      website text not null,
      latitude double precision not null,
      longitude double precision not null,
      place extensions.cube not null generated always as (
        extensions.cube(array[
          cos(radians(latitude)) * cos(radians(longitude)), cos(radians(latitude)) * sin(radians(longitude)),
          sin(radians(latitude))
        ])
      ) stored,
      time_zone text,
      opening_hours text not null,
      capacity integer,
      words tsvector not null,
      constraint gyms_pkey primary key (id),
      constraint gyms_source_key unique (source, source_id),
      constraint gyms_name_present check (name <> ''),
      constraint gyms_latitude_range check (latitude between -90 and 90),
      constraint gyms_longitude_range check (longitude between -180 and 180),
      constraint gyms_time_zone_present check (time_zone <> ''),
      constraint gyms_capacity_range check (capacity between 1 and 100000)
    );

    create index gyms_place_idx on gyms using gist (place extensions.gist_cube_ops);
    create index gyms_words_idx on gyms using gin (words);

    comment on table gyms is 'Gyms, loaded from files (CA-5); a gym keeps its id when its file is loaded again.';
    comment on column gyms.id is 'UUIDv7, made when it was loaded first.';
    comment on column gyms.source is 'The kind of file that it is from, osm-geojson for example.';
    comment on column gyms.source_id is 'What the file calls it.';
    comment on column gyms.name is 'Never empty.';
    comment on column gyms.street is 'The street''s name; may be empty.';
    comment on column gyms.house_number is 'The number in the street; may be empty.';
    comment on column gyms.postcode is 'As the country spells it; may be empty.';
    comment on column gyms.city is 'The town; may be empty.';
    comment on column gyms.country is 'ISO 3166-1, two letters; may be empty.';
    comment on column gyms.phone is 'May be empty.';
    comment on column gyms.website is 'A URL with http or https; may be empty.';
    comment on column gyms.latitude is 'Degrees north.';
    comment on column gyms.longitude is 'Degrees east.';
    comment on column gyms.place is
    'The point on the unit sphere. The distance between two is the chord of the way along the surface, and grows with it: '
    'so the nearest is found by an index, across poles and the antimeridian (CA-1).';
    comment on column gyms.time_zone is
    'IANA name of its zone, as the database''s own tables know it; null where nobody knows.';
    comment on column gyms.opening_hours is 'In OpenStreetMap''s form; empty where nobody knows.';
    comment on column gyms.capacity is 'How many people fit, by the file; null where it does not say.';
    comment on column gyms.words is
    'The words that are searched, made by the service, weighed by where they stand (CA-2).';

    create table gym_usage (
      gym_id uuid not null,
      people integer not null,
      capacity integer,
      observed_at timestamptz not null,
      constraint gym_usage_pkey primary key (gym_id),
      constraint gym_usage_gym_fkey foreign key (gym_id) references gyms (id) on delete cascade,
      constraint gym_usage_people_range check (people between 0 and 100000),
      constraint gym_usage_capacity_range check (capacity between 1 and 100000)
    );

    comment on table gym_usage is
    'The newest report of a gym''s operator about how many people are there (CA-4). Apart from gyms, whose many indexes a '
    'report does not touch.';
    comment on column gym_usage.gym_id is 'The gym.';
    comment on column gym_usage.people is 'How many people were there.';
    comment on column gym_usage.capacity is
    'How many people fit, as the operator said last; null where only the file says it.';
    comment on column gym_usage.observed_at is 'When they were counted.';

    create table gym_presences (
      person_id uuid not null,
      gym_id uuid not null,
      checked_in_at timestamptz not null,
      leaves_at timestamptz not null,
      constraint gym_presences_pkey primary key (person_id),
      constraint gym_presences_person_fkey foreign key (person_id) references people (id),
      constraint gym_presences_gym_fkey foreign key (gym_id) references gyms (id) on delete cascade
    );

    create index gym_presences_gym_idx on gym_presences (gym_id, checked_in_at);
    create index gym_presences_checked_in_at_idx on gym_presences (checked_in_at);

    comment on table gym_presences is
    'Where people checked in last, as matching told; removed when it says nothing any more (CA-4). A person is at one gym '
    'at a time.';
    comment on column gym_presences.person_id is 'Who checked in.';
    comment on column gym_presences.gym_id is 'Where.';
    comment on column gym_presences.checked_in_at is 'When.';
    comment on column gym_presences.leaves_at is 'When their session ends.';

    create table gym_words (
      word text collate "C" not null,
      constraint gym_words_pkey primary key (word),
      constraint gym_words_word_present check (word <> '')
    );

    create index gym_words_spelling_idx on gym_words using gin (word extensions.gin_trgm_ops) where word !~ '[0-9]';
    create index gym_words_shape_idx on gym_words (left(word, 1), char_length(word)) where word !~ '[0-9]';

    comment on table gym_words is
    'Every word that is or was in gyms.words, once: what begins like a keyword, or is spelt like one, is looked for here '
    'and not among all gyms (CA-2).';
    comment on column gym_words.word is 'As the service spells words: small, without accents.';

    -- A statement of its own for each query, for two reasons. Whether many gyms have the words or few decides if it is
    -- faster to go through the table or through the index: either way gyms come as they are stored, and the same ones are
    -- the first. And conditions that stand apart are keys of their own to the index, which then reads of a common word's
    -- gyms only those near a rare word's; of one tsquery it reads all.
    create function gyms_with_words(queries text[], most integer) returns table (id uuid, score double precision)
    language plpgsql stable
    set synchronize_seqscans = off
    set max_parallel_workers_per_gather = 0
    as $$
    begin
      return query execute format(
        'select candidate.id, ts_rank(''{0.1, 0.1, 0.5, 1}'', candidate.words, %L::tsquery, 1)::double precision
        from (select gyms.id, gyms.words from gyms where %s limit %s) as candidate',
        array_to_string(queries, ' & '),
        (select string_agg(format('gyms.words @@ %L::tsquery', query), ' and ') from unnest(queries) as query),
        most
      );
    end
    $$;

    comment on function gyms_with_words(text[], integer) is
    'Gyms that fit every one of some tsqueries, of many the first as they are stored, with how well each does: more is '
    'better (CA-2).';

    create function zone_changes(zone text, first_moment timestamptz, last_moment timestamptz)
    returns table (moment timestamptz, seconds integer)
    language plpgsql stable
    as $$
    begin
      return query
      with steps as (
        select step, extract(epoch from (step at time zone zone) - (step at time zone 'UTC'))::integer as ahead
        from generate_series(first_moment, last_moment, interval '6 hours') as step
      ),
      followed as (select step, ahead, lag(ahead) over (order by step) as before from steps)
      select
        case
          when before is null then step
          else (
            select min(minute) from generate_series(step - interval '6 hours', step, interval '1 minute') as minute
            where extract(epoch from (minute at time zone zone) - (minute at time zone 'UTC'))::integer = ahead
          )
        end, ahead
      from followed
      where before is distinct from ahead
      order by 1;
    exception when invalid_parameter_value then
      -- No such zone in this database: nobody knows what its clocks show.
      return;
    end
    $$;

    comment on function zone_changes(text, timestamptz, timestamptz) is
    'How far a zone''s clocks are ahead of UTC at a moment, and when that changes until another; nothing for a zone that '
    'is none.';

    """

  private static let ratingsSQL = """
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

    """

  private static let searchPartsSQL = """
    -- The words of books in eight indexes, each of an eighth of them: of words that thousands of books have, one or two of
    -- the indexes are read and not the whole of one (CA-25).
    --
    -- squawk-ignore-file require-concurrent-index-creation, require-concurrent-index-deletion, ban-drop-function

    create index books_words_0_idx on books using gin (words) with (fastupdate = off)
    where deleted_at is null and (get_byte(uuid_send(id), 15) & 7) = 0;
    create index books_words_1_idx on books using gin (words) with (fastupdate = off)
    where deleted_at is null and (get_byte(uuid_send(id), 15) & 7) = 1;
    create index books_words_2_idx on books using gin (words) with (fastupdate = off)
    where deleted_at is null and (get_byte(uuid_send(id), 15) & 7) = 2;
    create index books_words_3_idx on books using gin (words) with (fastupdate = off)
    where deleted_at is null and (get_byte(uuid_send(id), 15) & 7) = 3;
    create index books_words_4_idx on books using gin (words) with (fastupdate = off)
    where deleted_at is null and (get_byte(uuid_send(id), 15) & 7) = 4;
    create index books_words_5_idx on books using gin (words) with (fastupdate = off)
    where deleted_at is null and (get_byte(uuid_send(id), 15) & 7) = 5;
    create index books_words_6_idx on books using gin (words) with (fastupdate = off)
    where deleted_at is null and (get_byte(uuid_send(id), 15) & 7) = 6;
    create index books_words_7_idx on books using gin (words) with (fastupdate = off)
    where deleted_at is null and (get_byte(uuid_send(id), 15) & 7) = 7;

    drop index books_words_idx;
    drop function books_with_words(tsquery, tsquery, text[], uuid, bigint);

    -- Which plan is good is known here, and not to a planner that guesses what is asked for; it is made once for a
    -- connection.
    create function books_with_words(
      rare tsquery, every tsquery, statuses text[], viewer uuid, most bigint
    )
    returns table (id uuid, score double precision)
    language plpgsql stable
    set enable_seqscan = off
    set jit = off
    set plan_cache_mode = force_generic_plan
    as $$
    declare
      hidden uuid[] := array(
        select blocked_id from blocks where blocker_id = viewer
        union all
        select blocker_id from blocks where blocked_id = viewer
      );
    begin
      return query
      select found.id, ts_rank('{0.1, 0.1, 0.5, 1}', found.words, every, 1)::double precision
      from (
        -- One after the other, until there are enough. That every keyword occurs is no condition that an index could
        -- serve: reading the lists of common words takes longer.
        select books.id, books.words from books
        where books.deleted_at is null and (get_byte(uuid_send(books.id), 15) & 7) = 0 and books.words @@ rare
          and (books.words @@ every) is true and books.status = any(statuses) and books.owner_id <> all(hidden)
        union all
        select books.id, books.words from books
        where books.deleted_at is null and (get_byte(uuid_send(books.id), 15) & 7) = 1 and books.words @@ rare
          and (books.words @@ every) is true and books.status = any(statuses) and books.owner_id <> all(hidden)
        union all
        select books.id, books.words from books
        where books.deleted_at is null and (get_byte(uuid_send(books.id), 15) & 7) = 2 and books.words @@ rare
          and (books.words @@ every) is true and books.status = any(statuses) and books.owner_id <> all(hidden)
        union all
        select books.id, books.words from books
        where books.deleted_at is null and (get_byte(uuid_send(books.id), 15) & 7) = 3 and books.words @@ rare
          and (books.words @@ every) is true and books.status = any(statuses) and books.owner_id <> all(hidden)
        union all
        select books.id, books.words from books
        where books.deleted_at is null and (get_byte(uuid_send(books.id), 15) & 7) = 4 and books.words @@ rare
          and (books.words @@ every) is true and books.status = any(statuses) and books.owner_id <> all(hidden)
        union all
        select books.id, books.words from books
        where books.deleted_at is null and (get_byte(uuid_send(books.id), 15) & 7) = 5 and books.words @@ rare
          and (books.words @@ every) is true and books.status = any(statuses) and books.owner_id <> all(hidden)
        union all
        select books.id, books.words from books
        where books.deleted_at is null and (get_byte(uuid_send(books.id), 15) & 7) = 6 and books.words @@ rare
          and (books.words @@ every) is true and books.status = any(statuses) and books.owner_id <> all(hidden)
        union all
        select books.id, books.words from books
        where books.deleted_at is null and (get_byte(uuid_send(books.id), 15) & 7) = 7 and books.words @@ rare
          and (books.words @@ every) is true and books.status = any(statuses) and books.owner_id <> all(hidden)
        limit most
      ) as found;
    end
    $$;

    comment on function books_with_words is
    'Books with every keyword and how well they fit: the indexes find those with the rare ones. A keyword in a title '
    'counts ten times one in a description; words that stand in longer texts count less. Of more books than most '
    'some are left out.';

    """

  private static let usersSQL = """
    -- A user is a user in every schema.
    -- Programs from before read the old names: all of them are stopped first (see operating.md).
    --
    -- squawk-ignore-file renaming-column, renaming-object, renaming-table

    alter table people rename to users;
    alter table users rename column departed to deleted;
    alter table users rename constraint people_pkey to users_pkey;
    alter table users rename constraint people_departed_nameless to users_deleted_nameless;
    alter table users rename constraint people_books_limit to users_books_limit;
    alter table users rename constraint people_workouts_limit to users_workouts_limit;
    alter table users rename constraint people_workout_logs_limit to users_workout_logs_limit;
    alter table users rename constraint people_ratings_limit to users_ratings_limit;
    alter table gym_presences rename column person_id to user_id;
    alter table gym_presences rename constraint gym_presences_person_fkey to gym_presences_user_fkey;
    alter table book_ratings rename column person_id to user_id;
    alter table book_ratings rename constraint book_ratings_person_fkey to book_ratings_user_fkey;
    alter index book_ratings_person_idx rename to book_ratings_user_idx;

    comment on table users is
    'Users whom identity has reported, or who stored something. Whoever changes something of their own locks the own row '
    'first, so that nothing is stored after the account deletion.';
    comment on column users.username is 'As identity reported it; empty until then, and after the account deletion.';
    comment on column users.books is 'How many books the user has that are not deleted.';
    comment on column users.workouts is 'How many workouts the user has that are not deleted.';
    comment on column users.workout_changes is 'As changes, for the user''s workouts (C-11).';
    comment on column users.workout_logs is 'How many logs of workouts the user has.';
    comment on column users.ratings is 'How many books the user has rated.';
    comment on column users.deleted is 'Whether the account was deleted: nothing of the user is kept or stored (C-9).';
    comment on column books.change is 'The owner''s users.changes at the last change.';
    comment on column workouts.change is 'The owner''s users.workout_changes at the last change.';

    """

  private static let oneSearchIndexSQL = """
    -- One index of the words of books again, and searches in plain SQL. The eight indexes, and the functions that chose the
    -- plans, halved the time of the slowest searches; the target is met, or nearly, without them (CA-25).
    --
    -- squawk-ignore-file require-concurrent-index-creation, require-concurrent-index-deletion, ban-drop-function

    create index books_words_idx on books using gin (words) with (fastupdate = off) where deleted_at is null;

    drop index
    books_words_0_idx, books_words_1_idx, books_words_2_idx, books_words_3_idx,
    books_words_4_idx, books_words_5_idx, books_words_6_idx, books_words_7_idx;

    drop function books_with_words(tsquery, tsquery, text[], uuid, bigint);
    drop function newest_books_with_words(tsquery, text[], uuid, uuid, bigint);

    """

  /// Every statement, so that a test can prepare them all on the migrated schema.
  package static let statements: [any Statement.Type] = Array(
    [
      own,
      EventsSchema.statements,
      JobsSchema.statements,
      IdempotencySchema.statements,
      PicturesSchema.statements,
      BlocksSchema.statements,
      UsernamesSchema.statements,
      AccountDeletionsSchema.statements,
    ].joined())

  private static let own: [any Statement.Type] = [
    BooksWithKeywords.self,
    NewestBooksWithKeywords.self,
    WordsLike.self,
    CommonWords.self,
    InsertBook.self,
    BookByID.self,
    KnownBook.self,
    LockedBook.self,
    ReplaceBook.self,
    MarkBookDeleted.self,
    SetBookStatus.self,
    CountPhoto.self,
    BooksOfOwner.self,
    ChangedBooks.self,
    ShownBooks.self,
    DeleteBooksOfUser.self,
    ForgetBorrower.self,
    InsertComment.self,
    InsertReturnComments.self,
    LoansWithoutComment.self,
    CommentsBefore.self,
    DeleteCommentsOfUser.self,
    EditionByISBN.self,
    ExerciseByID.self,
    ExercisesByName.self,
    ExercisesWithWords.self,
    SimilarExercises.self,
    LastExerciseChange.self,
    ChangedExercises.self,
    ExercisesNamed.self,
    SuggestedExercises.self,
    WordsBeginning.self,
    WordsSpeltLike.self,
    GymsWithWords.self,
    StoreUsage.self,
    KnownGyms.self,
    NotePresence.self,
    DeleteOldPresences.self,
    DeletePresenceOfUser.self,
    GymByID.self,
    NearestGyms.self,
    ZoneChanges.self,
    TitleOfCopy.self,
    StoreRating.self,
    RemoveRating.self,
    CountRating.self,
    RatingsBefore.self,
    DeleteRatingsOfUser.self,
    UsersReadings.self,
    CollectionReadings.self,
    BeginRecommendations.self,
    EndRecommendations.self,
    RemoveNeighbours.self,
    InsertNeighbours.self,
    InsertPastLoan.self,
    AnyPastLoan.self,
    RecommendedBooks.self,
    DeletePastLoansOfUser.self,
    EnterUser.self,
    NextBookChange.self,
    NextWorkoutChange.self,
    BookChangesOfUser.self,
    WorkoutChangesOfUser.self,
    MarkAccountDeleted.self,
    CountWorkoutLog.self,
    InsertWorkoutLog.self,
    InsertLoggedSets.self,
    WorkoutLogsBefore.self,
    SetsOfLogs.self,
    DeleteLog.self,
    DeleteWorkoutLogsOfUser.self,
    ExerciseTotals.self,
    HeaviestSets.self,
    OccasionsBefore.self,
    WorkoutsOfGroups.self,
    WorkoutsWithKeywords.self,
    SimilarWorkouts.self,
    InsertShare.self,
    SharesOfWorkout.self,
    DeleteShare.self,
    SharedWorkoutByToken.self,
    ShareMissesOver.self,
    CountShareMiss.self,
    WorkoutByID.self,
    EntriesOfWorkouts.self,
    CuratedWorkouts.self,
    WorkoutsOfOwner.self,
    ChangedWorkouts.self,
    InsertWorkout.self,
    ReplaceWorkout.self,
    ClearEntries.self,
    InsertEntries.self,
    MarkWorkoutDeleted.self,
    DeleteWorkoutsOfUser.self,
  ]
}
