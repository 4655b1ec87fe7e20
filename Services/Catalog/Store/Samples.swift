import Postgres

/// The SQL around a load of samples ([CA-5]): whether there is anything else, and the removal.
package enum Samples {
  /// The source of the samples' gyms, books and ratings, which no other load has.
  package static let source = "samples"

  /// Whether anything was loaded that is not a sample, as one column. Books that users own were not loaded.
  ///
  /// - Parameters:
  ///   - exercises: the source of the samples' exercises.
  ///   - workouts: the keys of the samples' workouts.
  package static func hasOthers(exercises: String, workouts: [String]) -> String {
    """
    select exists (select from gyms where source <> \(quoted(source)))
      or exists (select from editions where source <> \(quoted(source)))
      or exists (select from reader_ratings where source <> \(quoted(source)))
      or exists (select from exercise_records where source <> \(quoted(exercises)))
      or exists (select from workouts where owner_id is null and curated_key <> all(\(list(workouts))))
    """
  }

  /// Removes gyms, with their usage, books, ratings and workouts; returns how many of each. Exercises stay: users' workouts and logs, and
  /// clients' own copies of the list, refer to them.
  ///
  /// - Parameter workouts: the keys of the samples' workouts.
  package static func remove(workouts: [String]) -> String {
    """
    with removed_gyms as (delete from gyms where source = \(quoted(source)) returning 1),
      removed_editions as (delete from editions where source = \(quoted(source)) returning 1),
      removed_ratings as (delete from reader_ratings where source = \(quoted(source)) returning 1),
      removed_workouts as (
        delete from workouts where owner_id is null and curated_key = any(\(list(workouts))) returning 1
      )
    select (select count(*) from removed_gyms), (select count(*) from removed_editions),
      (select count(*) from removed_ratings), (select count(*) from removed_workouts)
    """
  }

  private static func quoted(_ text: String) -> String { Administration.quoted(literal: text) }

  private static func list(_ texts: [String]) -> String {
    "array[\(texts.map { quoted($0) }.joined(separator: ", "))]::text[]"
  }
}
