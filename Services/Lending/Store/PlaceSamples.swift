/// The SQL around a load of sample places ([LE-8]): whether there are others, and the removal.
package enum PlaceSamples {
  /// Whether there are other places, as one column.
  package static func hasOthers(_ ids: [Int64]) -> String {
    "select exists (select from places where id <> all(\(list(ids))))"
  }

  /// Removes the places and their names; returns how many places.
  package static func remove(_ ids: [Int64]) -> String {
    "with removed as (delete from places where id = any(\(list(ids))) returning 1) select count(*) from removed"
  }

  private static func list(_ ids: [Int64]) -> String {
    "array[\(ids.map(String.init).joined(separator: ", "))]::bigint[]"
  }
}
