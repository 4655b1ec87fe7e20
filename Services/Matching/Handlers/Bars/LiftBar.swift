import FieldViolations
import MatchingDomain
import MatchingOperations
import MatchingStore
import Postgres
import TTRPC
import TandemMatching
import VisibleText

extension Bars {
  /// Lifts a bar, and keeps who did and why.
  package func liftBar(_ call: LiftBarRequest, _ context: CallContext) async throws -> BarRecord {
    var bad = Violations()
    let barID = bad.require("bar_id", BarID(call.barID), "This is not the id of a bar", MatchingReason.barIDInvalid)
    let reason = bad.require("reason", LiftReason.read(call.reason), MatchingReason.reasonInvalid)
    let actor = bad.require("actor", OperatorName.read(call.actor), MatchingReason.reasonInvalid)
    let (id, why, who) = try bad.all(barID, reason, actor)
    try await database.repeatableTransaction { tx in
      try await operations.liftBar(id, because: why, by: who, tx)
    }
    guard let row = try await database.first(BarByID(barID: id)) else { throw Status.noSuchBar }
    return BarRecord(row.bar, row.username, try await changes(of: [id])[id] ?? [])
  }
}
