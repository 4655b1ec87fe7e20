import Postgres

/// What a load of bibliographic records says to the database, in order; within one transaction, on one connection ([CA-5]).
package enum EditionStaging {
  /// Makes the tables that the rows of the file go to; they are gone after the transaction.
  package static let create = """
    create temporary table staged_editions (
      line bigint, source_id text, isbn bigint, titles text[], authors text[], author_keys text[], year integer, language text
    ) on commit drop;
    create temporary table staged_authors (key text, name text) on commit drop
    """

  /// Takes editions, a row for each of their ISBNs.
  package static let copyEditions = """
    copy staged_editions (line, source_id, isbn, titles, authors, author_keys, year, language) from stdin
    """

  /// Takes the names behind authors' keys.
  package static let copyAuthors = "copy staged_authors (key, name) from stdin"

  /// Lets the planner know what came.
  package static let analyze = "analyze staged_editions, staged_authors"

  /// Lines whose id was on an earlier one: line, id, the first line.
  package static let repeated = """
    select distinct line, source_id, first_line
    from (
      select line, source_id, min(line) over (partition by source_id) as first_line from staged_editions
    ) as marked
    where line > first_line
    order by line
    """

  /// Leaves the first record of each id, so that the order of loads makes no difference.
  package static let removeRepeated = """
    delete from staged_editions
    using (select source_id, min(line) as line from staged_editions group by source_id) as first
    where staged_editions.source_id = first.source_id and staged_editions.line > first.line
    """

  /// Gives editions the names of the authors whose keys they have, as far as the file has them.
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

  /// Takes away the editions that a record, which is there otherwise, does not name any more: how many.
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

  /// Puts the editions in: how many were added, changed, and there already.
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
