import Postgres

/// The SQL around a load of samples ([CA-5]): whether there is anything else, and the removal.
package enum Samples {
  /// The source of the samples' gyms, books, ratings and exercises, which no other load has; their workouts' keys begin with it.
  package static let source = "samples"

  /// Whether anything was loaded that is not a sample, as one column. Books that users own were not loaded.
  package static let hasOthers = """
    select exists (select from gyms where source <> \(quoted))
      or exists (select from editions where source <> \(quoted))
      or exists (select from reader_ratings where source <> \(quoted))
      or exists (select from exercise_records where source <> \(quoted))
      or exists (select from workouts where owner_id is null and not starts_with(curated_key, \(prefix)))
    """

  /// Removes gyms, with their usage, books, ratings and workouts; returns how many of each. Exercises stay: users' workouts and logs, and
  /// clients' own copies of the list, refer to them.
  package static let remove = """
    with removed_gyms as (delete from gyms where source = \(quoted) returning 1),
      removed_editions as (delete from editions where source = \(quoted) returning 1),
      removed_ratings as (delete from reader_ratings where source = \(quoted) returning 1),
      removed_workouts as (
        delete from workouts where owner_id is null and starts_with(curated_key, \(prefix)) returning 1
      )
    select (select count(*) from removed_gyms), (select count(*) from removed_editions),
      (select count(*) from removed_ratings), (select count(*) from removed_workouts)
    """

  private static let quoted = Administration.quoted(literal: source)
  private static let prefix = Administration.quoted(literal: CuratedStaging.samplePrefix)
}
