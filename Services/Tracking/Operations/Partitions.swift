import Identifiers
import Postgres
import Synchronization
import TrackingStore

/// The partitions of `path_points` and `group_changes`, one for each day in UTC.
package final class Partitions: Sendable {
  private let database: Database
  private let known = Mutex<Set<CivilDate>>([])

  /// How many days ahead they are made.
  private static let ahead = 3

  package init(database: Database) { self.database = database }

  /// Makes the partitions for some moments, and of the days after them, unless this process knows that they are there.
  ///
  /// It uses a transaction of its own, and in one that is open it must not wait for what that one has locked: it takes locks of tables
  /// that are compatible with reading and writing.
  package func prepare(for moments: [Instant]) async throws {
    let days = Set(moments.map { Int($0.microseconds.flooredQuotient(by: 86_400_000_000)) })
    let missing = known.withLock { known in
      Set(days.flatMap { $0...($0 + Self.ahead) }).filter { !known.contains(CivilDate(daysSince1970: $0)) }
    }
    guard !missing.isEmpty else { return }
    for day in missing.sorted() {
      let date = CivilDate(daysSince1970: day)
      guard known.withLock({ !$0.contains(date) }) else { continue }
      for parent in ["path_points", "group_changes"] {
        _ = try await database.write(MakePartition(parent: parent, day: date))
      }
      known.withLock { _ = $0.insert(date) }
    }
  }
}

extension Int64 {
  fileprivate func flooredQuotient(by divisor: Int64) -> Int64 {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? quotient - 1 : quotient
  }
}
