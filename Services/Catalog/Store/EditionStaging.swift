import Postgres

/// The SQL of a load of bibliographic records, in order; within one transaction, on one connection ([CA-5]).
package enum EditionStaging {
  /// Creates the temporary tables for the rows of the file.
  package static let create = """
    create temporary table staged_editions (
      line bigint, source_id text, isbn bigint, titles text[], authors text[], author_keys text[], year integer, language text
    ) on commit drop;
    create temporary table staged_authors (key text, name text) on commit drop
    """

  /// Receives editions, a row for each of their ISBNs.
  package static let copyEditions = """
    copy staged_editions (line, source_id, isbn, titles, authors, author_keys, year, language) from stdin
    """

  /// Receives the names for authors' keys.
  package static let copyAuthors = "copy staged_authors (key, name) from stdin"

  /// Updates the planner's statistics of the loaded rows.
  package static let analyze = "analyze staged_editions, staged_authors"

  /// Repeated records: line, id, the line of the first.
  package static let repeated = """
    select distinct line, source_id, first_line
    from (
      select line, source_id, min(line) over (partition by source_id) as first_line from staged_editions
    ) as marked
    where line > first_line
    order by line
    """

  /// Keeps only the first record of each id, so that the result does not depend on the order of rows.
  package static let removeRepeated = """
    delete from staged_editions
    using (select source_id, min(line) as line from staged_editions group by source_id) as first
    where staged_editions.source_id = first.source_id and staged_editions.line > first.line
    """

  /// Sets the names of authors for the keys that the file has a name for.
  package static let nameAuthors = """
    with named as (
      select editions.source_id, array_agg(staged_authors.name order by keys.place) as authors
      from (select distinct source_id, author_keys from staged_editions where author_keys <> '{}') as editions
      cross join lateral unnest(editions.author_keys) with ordinality as keys (key, place)
      join (select key, min(name) as name from staged_authors group by key) as staged_authors
        on staged_authors.key = keys.key
      group by editions.source_id
    )
    update staged_editions set authors = named.authors from named where staged_editions.source_id = named.source_id
    """

  /// Removes ISBNs that an existing edition's record does not have any more; returns how many.
  package static func removeLost(source: String) -> String {
    """
    with lost as (
      delete from editions
      using (select distinct source_id from staged_editions) as staged
      where editions.source = \(Administration.quoted(literal: source)) and editions.source_id = staged.source_id
        and not exists (
          select from staged_editions as named
          where named.source_id = editions.source_id and named.isbn = editions.isbn
        )
      returning 1
    )
    select count(*) from lost
    """
  }

  /// Has the words of books be made anew whose records may have other titles now; in the order in which others lock books.
  package static let outdate = """
    with due as (
      select books.id from books
      where books.deleted_at is null and not books.is_outdated
        and books.isbn in (select isbn from staged_editions)
      order by books.id for no key update
    )
    update books set is_outdated = true from due where books.id = due.id
    """

  /// Merges the editions; returns how many were added, changed and unchanged.
  package static func merge(source: String) -> String {
    """
    with merged as (
      insert into editions (source, source_id, isbn, titles, authors, year, language)
      select \(Administration.quoted(literal: source)), source_id, isbn, titles, authors, year, language
      from staged_editions
      on conflict on constraint editions_pkey do update
      set titles = excluded.titles, authors = excluded.authors, year = excluded.year, language = excluded.language
      where (editions.titles, editions.authors, editions.year, editions.language)
        is distinct from (excluded.titles, excluded.authors, excluded.year, excluded.language)
      returning xmax = 0 as is_new
    )
    select count(*) filter (where is_new), count(*) filter (where not is_new),
      (select count(*) from staged_editions) - count(*)
    from merged
    """
  }
}
