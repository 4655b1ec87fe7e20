import FieldViolations
import Idempotency
import Identifiers
import IdentityDomain
import IdentityStore
import Postgres
import TTRPC
import TandemIdentity

extension Operators {
  /// Closes a report, and keeps who did and why ([ID-26]).
  package func closeReport(_ call: CloseReportRequest, _ context: CallContext) async throws -> Report {
    var bad = Violations()
    let requestID = bad.requestID(call.requestID)
    let named = bad.reportID(call.reportID)
    let reason = bad.require("reason", CloseReason.read(call.reason), IdentityReason.reasonInvalid)
    let actor = bad.require("actor", OperatorName.read(call.actor), IdentityReason.actorInvalid)
    let (id, why, who) = try bad.all(named, reason, actor)
    return try await idempotency.execute(call, context.requestKey(requestID)) { tx in
      // No row where it was closed before: the first to close it stays the one who did.
      try await tx.rows(
        CloseStoredReport(now: environment.clock.now, reportID: id, actor: who.text, reasonText: why.text))
      guard let report = try await tx.first(ReportByID(reportID: id)) else { throw Status.noSuchReport }
      return Report(report, try await tx.rows(ChangesOfReports(reportIDs: [id])))
    }
  }
}
