import Cryptography
import Environment
import FieldViolations
import Identifiers
import MatchingDomain
import MatchingStore
import Pagination
import Postgres
import TTRPC
import TandemMatching
import Timestamps

/// Bars from posting and joining, for operators ([MA-14]).
package struct Bars: BarsService {
  let database: Database
  let clock: any WallClock
  let pages: Pages

  /// - Parameter seal: for page tokens ([C-5]).
  package init(database: Database, environment: Environment, seal: Seal) {
    self.database = database
    clock = environment.clock
    pages = Pages(seal: seal, clock: environment.clock)
  }

  /// Lists bars with their audit trails, the newest first.
  package func listBars(_ call: ListBarsRequest, _ context: CallContext) async throws -> ListBarsResponse {
    var bad = Violations()
    let page = try pages.page(of: call, context, &bad, by: BarID.self)
    var user: UserID?
    if !call.userID.isEmpty {
      user = bad.require(
        "user_id", UserID(call.userID), "This is not the id of a user", MatchingReason.userIDInvalid)
    }
    try bad.check()
    let found = try await database.rows(
      BarsForOperators(
        userID: user, includesEnded: call.includeEnded, now: clock.now, beforeBarID: page.after, limit: page.limit))
    let (shown, next) = try page.cut(found) { $0.bar.id }
    let changes = try await changes(of: shown.map(\.bar.id))
    return ListBarsResponse(
      bars: shown.map { BarRecord($0.bar, $0.username, changes[$0.bar.id] ?? []) }, nextPageToken: next)
  }

  /// Lifts a bar, and keeps who did and why.
  package func liftBar(_ call: LiftBarRequest, _ context: CallContext) async throws -> BarRecord {
    var bad = Violations()
    let barID = bad.require("bar_id", BarID(call.barID), "This is not the id of a bar", MatchingReason.barIDInvalid)
    let reason = bad.require("reason", LiftReason.read(call.reason), MatchingReason.reasonInvalid)
    let actor = bad.require("actor", OperatorName.read(call.actor), MatchingReason.reasonInvalid)
    let (id, why, who) = try bad.all(barID, reason, actor)
    try await database.repeatableTransaction { tx in
      _ = try await tx.first(LiftStoredBar(now: clock.now, barID: id, actor: who.text, reason: why.text))
    }
    guard let row = try await database.first(BarByID(barID: id)) else {
      throw Status(MatchingReason.barNotFound, "There is no such bar")
    }
    return BarRecord(row.bar, row.username, try await changes(of: [id])[id] ?? [])
  }

  private func changes(of bars: [BarID]) async throws -> [BarID: [ChangesOfBars.Row]] {
    guard !bars.isEmpty else { return [:] }
    return Dictionary(grouping: try await database.rows(ChangesOfBars(barIDs: bars))) { $0.barID }
  }
}

extension BarRecord {
  fileprivate init(_ bar: StoredBar, _ username: String, _ changes: [ChangesOfBars.Row]) {
    self.init(
      bar: Bar(bar), userID: bar.userID.description, username: username,
      changes: changes.map {
        BarChange(change: $0.change, actor: $0.actor, reason: $0.reason, time: $0.happenedAt.timestamp)
      })
  }
}
