import Cryptography
import Environment
import Identifiers
import MatchingDomain
import MatchingOperations
import MatchingStore
import Pagination
import Postgres
import TTRPC
import TandemMatching
import Timestamps

/// Bars from posting and joining, for operators ([MA-14]); each method is in its own file.
package struct Bars: BarsService {
  let operations: SessionOperations
  let database: Database
  let clock: any WallClock
  let pages: Pages

  /// - Parameter seal: for page tokens ([C-5]).
  package init(operations: SessionOperations, database: Database, environment: Environment, seal: Seal) {
    self.operations = operations
    self.database = database
    clock = environment.clock
    pages = Pages(seal: seal, clock: environment.clock)
  }

  func changes(of bars: [BarID]) async throws -> [BarID: [ChangesOfBars.Row]] {
    guard !bars.isEmpty else { return [:] }
    return Dictionary(grouping: try await database.rows(ChangesOfBars(barIDs: bars))) { $0.barID }
  }
}

extension BarRecord {
  init(_ bar: StoredBar, _ username: String, _ changes: [ChangesOfBars.Row]) {
    self.init(
      bar: Bar(bar), userID: bar.userID.description, username: username,
      changes: changes.map {
        BarChange(change: $0.change, actor: $0.actor, reason: $0.reason, time: $0.happenedAt.timestamp)
      })
  }
}
