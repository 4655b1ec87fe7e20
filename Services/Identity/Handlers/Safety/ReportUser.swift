import FieldViolations
import Idempotency
import Identifiers
import IdentityDomain
import IdentityOperations
import TTRPC
import TandemIdentity
import Timestamps
import VisibleText

extension Safety {
  /// Reports a user to the operators ([ID-26]).
  package func reportUser(_ call: ReportUserRequest, _ context: CallContext) async throws -> ReportUserResponse {
    let reporter = try context.userID
    let wish = try ReportWish(call, by: reporter)
    let key = context.requestKey(wish.requestID)
    if let first: ReportUserResponse = try await idempotency.firstAnswer(to: call, key) { return first }
    return try await idempotency.execute(call, key) { tx in
      let (id, time) = try await operations.reportUser(wish.reported, by: reporter, wish.report, tx)
      return ReportUserResponse(reportID: id.description, createTime: time.timestamp)
    }
  }
}

/// The validated fields of the request.
private struct ReportWish {
  let reported: UserID
  let report: UserReport
  let requestID: UUID7?

  init(_ call: ReportUserRequest, by reporter: UserID) throws {
    var bad = Violations()
    requestID = bad.requestID(call.requestID)
    let reported = bad.other("user_id", call.userID, than: reporter)
    let reason = bad.require(
      "reason", IdentityDomain.ReportReason(call.reason), "Say why you report the person", IdentityReason.reasonRequired
    )
    let remarks = bad.require("remarks", Remarks.read(call.remarks), IdentityReason.remarksInvalid)
    let evidence = Self.evidence(call.evidenceIds, &bad)
    let (user, why, words) = try bad.all(reported, reason, remarks)
    self.reported = user
    report = UserReport(reason: why, remarks: words, evidence: evidence)
  }

  private static func evidence(_ texts: [String], _ bad: inout Violations) -> [UUID7] {
    guard texts.count <= UserReport.maxEvidence else {
      bad.add("evidence_ids", "Name at most \(UserReport.maxEvidence) ids", IdentityReason.tooManyEvidenceIds)
      return []
    }
    return texts.enumerated().compactMap { place, text in
      bad.require("evidence_ids[\(place)]", UUID7(text), "This is no id", IdentityReason.evidenceIDInvalid)
    }
  }
}
