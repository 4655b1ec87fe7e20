import Postgres

/// The SQL of a load of gyms, in order; within one transaction, on one connection ([CA-5]).
package enum GymStaging {
  /// Creates the temporary table for the rows of the file.
  package static let create = """
    create temporary table staged_gyms (
      number bigint, line bigint, id uuid, source_id text, name text, street text, house_number text, postcode text, city text,
      country text, phone text, website text, latitude double precision, longitude double precision, time_zone text,
      opening_hours text, capacity integer, words text, name_key text, outline double precision [], radius_m double precision
    ) on commit drop
    """

  /// The time zones that the database knows, as one column.
  package static let timeZones =
    "select name from pg_timezone_names where name !~ '^(posix|posixrules|localtime|Factory)'"

  /// Receives the gyms.
  package static let copy = "copy staged_gyms from stdin"

  /// Updates the planner's statistics of the loaded rows.
  package static let analyze = "analyze staged_gyms"

  /// Repeated gyms: line, number in the file, id, the line of the first.
  package static let repeated = """
    select staged.line, staged.number, staged.source_id, first.line
    from (
      select source_id, min(number) as number, (array_agg(line order by number))[1] as line
      from staged_gyms group by source_id having count(*) > 1
    ) as first
    join staged_gyms as staged on staged.source_id = first.source_id and staged.number > first.number
    order by staged.number
    """

  /// Keeps only the first gym of each id, so that the result does not depend on the order of rows.
  package static let removeRepeated = """
    delete from staged_gyms
    using (select source_id, min(number) as number from staged_gyms group by source_id having count(*) > 1) as first
    where staged_gyms.source_id = first.source_id and staged_gyms.number > first.number
    """

  private static let columns = """
    name, street, house_number, postcode, city, country, phone, website, latitude, longitude, time_zone, opening_hours, capacity, name_key, outline, radius_m, words
    """

  /// Merges the gyms and adds new words; returns how many gyms were added, changed and unchanged.
  ///
  /// Concurrent loads wait for each other here. Gyms are inserted from south to north, within a strip from west to east, so that neighbours
  /// are stored together and the spatial index grows locally.
  package static func merge(source: String) -> String {
    let values = columns.split(separator: ", ").map(String.init)
    return """
      lock table gyms in share row exclusive mode;
      with merged as (
        insert into gyms (id, source, source_id, \(columns))
        select id, \(Administration.quoted(literal: source)), source_id, \(columns)::tsvector
        from staged_gyms
        order by floor(latitude * 2), longitude
        on conflict on constraint gyms_source_key do update
        set \(values.map { "\($0) = excluded.\($0)" }.joined(separator: ", "))
        where (\(values.map { "gyms.\($0)" }.joined(separator: ", ")))
          is distinct from (\(values.map { "excluded.\($0)" }.joined(separator: ", ")))
        returning xmax = 0 as is_new, words
      ),
      spoken as (
        insert into gym_words (word)
        select distinct unnest(tsvector_to_array(merged.words)) from merged
        on conflict on constraint gym_words_pkey do nothing
      )
      select count(*) filter (where is_new), count(*) filter (where not is_new),
        (select count(*) from staged_gyms) - count(*)
      from merged
      """
  }

  /// Prepares the searches that follow: moves pending entries into the index, and updates the planner's statistics of the words.
  package static let settle = "select gin_clean_pending_list('gyms_words_idx'); analyze gyms, gym_words"
}
