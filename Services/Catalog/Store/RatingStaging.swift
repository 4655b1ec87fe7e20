import Postgres

/// The SQL of a load of ratings, in order; within one transaction, on one connection ([CA-5]).
package enum RatingStaging {
  /// Creates the temporary table for the lines of the file.
  package static let create = """
    create temporary table staged_ratings (
      line bigint, reader bigint, source_id text, stars smallint
    ) on commit drop
    """

  /// Receives ratings.
  package static let copy = "copy staged_ratings (line, reader, source_id, stars) from stdin"

  /// Updates the planner's statistics of the loaded rows.
  package static let analyze = "analyze staged_ratings"

  /// Repeated ratings: line, reader, id, the line of the first.
  package static let repeated = """
    select rating.line, rating.reader, rating.source_id, first.line
    from (
      select reader, source_id, min(line) as line from staged_ratings group by reader, source_id having count(*) > 1
    ) as first
    join staged_ratings as rating
      on rating.reader = first.reader and rating.source_id = first.source_id and rating.line > first.line
    order by rating.line
    """

  /// Keeps only the first rating of each reader and book.
  package static let removeRepeated = """
    delete from staged_ratings
    using (
      select reader, source_id, min(line) as line from staged_ratings group by reader, source_id having count(*) > 1
    ) as first
    where staged_ratings.reader = first.reader and staged_ratings.source_id = first.source_id
      and staged_ratings.line > first.line
    """

  /// The number of ratings of books that are not loaded.
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

  /// Merges the ratings; returns how many were added, changed and unchanged.
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
