-- Samples have a source of their own now. Before, they were loaded as goodbooks' records 1 to 13 and ratings of its
-- readers 1 to 60, and took the place of the real ones (CA-5). In databases with samples, what is one is removed:
-- a record with the id, the ISBN and the title of one, a rating with the reader, the book and the stars of one. What a
-- sample replaced is not known any more: loading goodbooks' files again brings it back.

do $$
declare
  -- Samples came together: the gyms of the samples have ids that no other file has.
  had_samples constant boolean := exists (
    select from gyms where source = 'osm-geojson' and source_id ~ '^sample/[0-9]+$'
  );
begin
  delete from editions
  using (values
    ('1', 9780441172719, 'Dune'),
    ('2', 9780547928227, 'The Hobbit'),
    ('3', 9780618640157, 'The Lord of the Rings'),
    ('4', 9780451419439, 'Les Misérables'),
    ('5', 9780451524935, '1984'),
    ('6', 9780452284234, 'Nineteen Eighty-Four'),
    ('7', 9780061120084, 'To Kill a Mockingbird'),
    ('8', 9780141439518, 'Pride and Prejudice'),
    ('9', 9780743273565, 'The Great Gatsby'),
    ('10', 9780142437247, 'Moby-Dick'),
    ('11', 9780060850524, 'Brave New World'),
    ('12', 9780141439471, 'Frankenstein'),
    ('13', 9780140268867, 'The Odyssey')
  ) as sample (source_id, isbn, title)
  where had_samples and editions.source = 'goodbooks' and editions.source_id = sample.source_id
    and editions.isbn = sample.isbn and editions.titles[1] = sample.title;

  -- Each word is a reader, a book and the stars.
  delete from reader_ratings
  using regexp_split_to_table(trim(
    '
    1/1/3 1/2/3 1/13/3 2/7/4 2/9/4 2/10/3 2/12/4 3/5/5 3/6/5 3/7/4 3/1/3 4/1/4 4/5/3 4/6/3 4/12/5 5/1/5 5/2/5 5/3/5
    5/13/4 6/4/3 6/7/3 6/10/5 6/12/5 6/5/4 7/5/4 7/7/4 7/9/3 7/11/4 8/1/5 8/5/5 8/11/3 8/12/5 9/1/4 9/2/5 9/3/5
    9/13/4 9/10/2 10/7/3 10/10/5 10/12/5 11/6/5 11/7/3 11/9/4 12/1/5 12/5/4 12/6/5 12/11/5 12/8/2 13/1/4 13/2/5
    13/3/4 13/13/4 14/4/4 14/10/4 14/12/4 15/7/4 15/9/4 15/11/5 15/10/4 16/1/4 16/5/5 16/11/4 16/12/4 17/1/4 17/2/4
    17/3/5 17/13/4 18/4/3 18/7/5 18/9/5 18/1/4 19/5/3 19/6/3 19/7/4 19/9/4 20/5/4 20/6/3 20/11/5 21/2/3 21/3/4
    21/13/5 21/4/4 22/4/3 22/8/4 22/10/3 23/6/5 23/9/3 23/11/5 24/1/4 24/6/5 24/11/5 24/9/3 25/1/5 25/2/5 25/3/4
    25/13/3 26/4/5 26/7/5 26/8/5 26/12/3 27/5/3 27/7/3 27/11/3 27/10/2 28/6/3 28/11/5 28/12/3 29/1/4 29/2/4 29/3/4
    29/13/5 30/4/3 30/7/4 30/9/5 30/3/3 31/5/5 31/7/5 31/11/5 32/1/5 32/11/4 32/12/4 33/1/3 33/2/4 33/3/3 33/13/5
    33/9/3 34/7/5 34/9/5 34/12/4 35/5/4 35/6/5 35/7/5 35/9/5 36/1/4 36/6/4 36/12/3 36/2/2 37/1/4 37/2/5 37/3/3
    38/9/4 38/10/5 38/12/4 39/5/5 39/6/4 39/7/4 39/12/2 40/5/5 40/6/4 40/11/3 41/2/5 41/3/5 41/13/3 42/4/4 42/7/3
    42/8/4 42/10/5 42/1/4 43/5/5 43/6/5 43/7/5 43/11/3 44/1/4 44/6/5 44/11/4 44/12/5 45/1/5 45/2/3 45/3/5 45/13/4
    45/8/4 46/4/3 46/8/5 46/12/3 47/7/3 47/9/4 47/11/4 48/6/5 48/11/4 48/12/3 48/8/4 49/1/5 49/3/5 49/13/4 50/4/3
    50/7/4 50/8/3 50/10/4 51/5/4 51/6/3 51/7/4 51/1/3 52/1/3 52/6/3 52/12/4 53/2/4 53/3/5 53/13/5 54/4/4 54/7/3
    54/8/3 54/9/4 54/5/3 55/5/5 55/7/5 55/9/5 55/11/4 56/6/5 56/11/5 56/12/5 57/1/5 57/2/5 57/3/3 57/13/5 57/9/2
    58/8/5 58/10/5 58/12/4 59/5/4 59/6/5 59/7/4 59/9/3 60/6/5 60/11/5 60/12/4 60/13/4
    ', e' \n'), '\s+') as sample (word)
  where had_samples and reader_ratings.source = 'goodbooks'
    and reader_ratings.reader = split_part(sample.word, '/', 1)::bigint
    and reader_ratings.source_id = split_part(sample.word, '/', 2)
    and reader_ratings.stars = split_part(sample.word, '/', 3)::smallint;

  update gyms set source = 'samples' where source = 'osm-geojson' and source_id ~ '^sample/[0-9]+$';

  -- Recommendations are computed anew without these ratings.
  insert into jobs (id, kind, key, payload, created_at, due_at, ready_at)
  select '019ab000-0000-7000-8000-000000000002', 'rebuild_recommendations', 'load', '', now(), now(), now()
  where had_samples
  on conflict (kind, key) where key is not null and dead_at is null do nothing;
end
$$;
