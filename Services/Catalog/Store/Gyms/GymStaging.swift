import Postgres

/// What a load of gyms says to the database, in order; within one transaction, on one connection ([CA-5]).
package enum GymStaging {
  /// Makes the table that the rows of the file go to; it is gone after the transaction.
  package static let create = """
    create temporary table staged_gyms (
      number bigint, line bigint, id uuid, source_id text, name text, street text, house_number text, postcode text, city text,
      country text, phone text, website text, latitude double precision, longitude double precision, time_zone text,
      opening_hours text, capacity integer, words text
    ) on commit drop
    """

  /// The zones that the database knows, as one column.
  package static let timeZones =
    "select name from pg_timezone_names where name !~ '^(posix|posixrules|localtime|Factory)'"

  /// Takes the gyms.
  package static let copy = "copy staged_gyms from stdin"

  /// Lets the planner know what came.
  package static let analyze = "analyze staged_gyms"

  /// Gyms whose id an earlier one had: line, number in the file, id, the first one's line.
  package static let repeated = """
    select staged.line, staged.number, staged.source_id, first.line
    from (
      select source_id, min(number) as number, (array_agg(line order by number))[1] as line
      from staged_gyms group by source_id having count(*) > 1
    ) as first
    join staged_gyms as staged on staged.source_id = first.source_id and staged.number > first.number
    order by staged.number
    """

  /// Leaves the first gym of each id, so that the order of loads makes no difference.
  package static let removeRepeated = """
    delete from staged_gyms
    using (select source_id, min(number) as number from staged_gyms group by source_id having count(*) > 1) as first
    where staged_gyms.source_id = first.source_id and staged_gyms.number > first.number
    """

  private static let columns = """
    name, street, house_number, postcode, city, country, phone, website, latitude, longitude, time_zone, opening_hours, capacity, words
    """

  /// Puts the gyms in, and the words that are new: how many were added, changed, and there already.
  ///
  /// Loads wait for each other here. Gyms are put in from south to north, those of a strip from west to east, so that neighbours are stored
  /// together and the index of places grows in one corner at a time.
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

  /// What the searches that follow need: new rows that wait beside the index are put into it, and the planner is told how often words
  /// occur.
  package static let settle = "select gin_clean_pending_list('gyms_words_idx'); analyze gyms, gym_words"
}
