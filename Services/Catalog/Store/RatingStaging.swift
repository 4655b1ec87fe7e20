import Postgres

/// What a load of ratings says to the database, in order; within one transaction, on one connection ([CA-5]).
package enum RatingStaging {
  /// Makes the table that the lines of the file go to; it is gone after the transaction.
  package static let create = """
    create temporary table staged_ratings (
      line bigint, reader bigint, source_id text, stars smallint
    ) on commit drop
    """

  /// Takes ratings.
  package static let copy = "copy staged_ratings (line, reader, source_id, stars) from stdin"

  /// Lets the planner know what came.
  package static let analyze = "analyze staged_ratings"

  /// Lines whose reader rated the book on an earlier one: line, reader, id, the first line.
  package static let repeated = """
    select rating.line, rating.reader, rating.source_id, first.line
    from (
      select reader, source_id, min(line) as line from staged_ratings group by reader, source_id having count(*) > 1
    ) as first
    join staged_ratings as rating
      on rating.reader = first.reader and rating.source_id = first.source_id and rating.line > first.line
    order by rating.line
    """

  /// Leaves the first rating of each reader and book.
  package static let removeRepeated = """
    delete from staged_ratings
    using (
      select reader, source_id, min(line) as line from staged_ratings group by reader, source_id having count(*) > 1
    ) as first
    where staged_ratings.reader = first.reader and staged_ratings.source_id = first.source_id
      and staged_ratings.line > first.line
    """

  /// How many ratings are of books that are not loaded.
  package static func unknown(source: String) -> String {
    """
    select count(*) from staged_ratings
    where not exists (
      select from editions
      where editions.source = \(Administration.quoted(literal: source))
        and editions.source_id = staged_ratings.source_id
    )
    """
  }

  /// Puts the ratings in: how many were added, changed, and there already.
  package static func merge(source: String) -> String {
    """
    with merged as (
      insert into reader_ratings (source, reader, source_id, stars)
      select \(Administration.quoted(literal: source)), reader, source_id, stars from staged_ratings
      on conflict on constraint reader_ratings_pkey do update set stars = excluded.stars
      where reader_ratings.stars <> excluded.stars
      returning xmax = 0 as is_new
    )
    select count(*) filter (where is_new), count(*) filter (where not is_new),
      (select count(*) from staged_ratings) - count(*)
    from merged
    """
  }
}
