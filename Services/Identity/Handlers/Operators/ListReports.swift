import FieldViolations
import Identifiers
import IdentityDomain
import IdentityStore
import Pagination
import TTRPC
import TandemIdentity
import Timestamps

extension Operators {
  /// Lists a page of users' reports about other users, the latest first ([ID-26], [C-5]).
  package func listReports(_ call: ListReportsRequest, _ context: CallContext) async throws -> ListReportsResponse {
    var bad = Violations()
    let page = try pages.page(of: call, context, &bad, by: ReportID.self)
    var reported: UserID?
    if !call.userID.isEmpty {
      reported = bad.require("user_id", UserID(call.userID), "This is nobody's id", IdentityReason.userIDInvalid)
    }
    try bad.check()
    let found = try await database.rows(ReportsBefore(reportedID: reported, before: page.after, limit: page.limit))
    let (shown, next) = try page.cut(found) { $0.id }
    return ListReportsResponse(reports: shown.map { Report($0) }, nextPageToken: next)
  }
}

extension Report {
  /// The report as operators see it.
  init(_ stored: ReportsBefore.Row) {
    self.init(
      reportID: stored.id.description, userID: stored.reportedID.description,
      reporterUserID: stored.reporterID?.description ?? "",
      reason: IdentityDomain.ReportReason(rawValue: stored.reason)?.wire ?? .unspecified, remarks: stored.remarks,
      evidenceIds: stored.evidenceIDs.map(\.description), createTime: stored.createdAt.timestamp)
  }
}
