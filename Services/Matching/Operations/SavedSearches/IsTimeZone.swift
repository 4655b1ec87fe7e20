import MatchingStore
import Postgres

extension SessionOperations {
  /// No zone has a longer name, in bytes.
  private static let maxZoneLength = 64

  /// Whether there is a time zone of a name: that is for the database to say, which computes with them.
  package func isTimeZone(_ name: String) async throws -> Bool {
    // PostgreSQL takes no NUL.
    guard name.utf8.count <= Self.maxZoneLength, !name.utf8.contains(0) else { return false }
    return try await database.first(IsTimeZone(zone: name)) == true
  }
}
