import FieldViolations
import Identifiers
import IdentityDomain
import IdentityStore
import Pagination
import Postgres
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
      reported = bad.require("user_id", UserID(call.userID), "This is no user id", IdentityReason.userIDInvalid)
    }
    try bad.check()
    let found = try await database.rows(
      ReportsBefore(reportedID: reported, includesClosed: call.includeClosed, before: page.after, limit: page.limit))
    let (shown, next) = try page.cut(found) { $0.id }
    let changes =
      shown.isEmpty ? [] : try await database.rows(ChangesOfReports(reportIDs: shown.map(\.id)))
    let trails = Dictionary(grouping: changes) { $0.reportID }
    return ListReportsResponse(reports: shown.map { Report($0, trails[$0.id] ?? []) }, nextPageToken: next)
  }

  /// Returns a report with its audit trail ([ID-26]).
  package func getReport(_ call: GetReportRequest, _ context: CallContext) async throws -> Report {
    var bad = Violations()
    let named = bad.reportID(call.reportID)
    let id = try bad.all(named)
    guard let report = try await database.first(ReportByID(reportID: id)) else { throw Status.noSuchReport }
    return Report(report, try await database.rows(ChangesOfReports(reportIDs: [id])))
  }
}

extension Violations {
  /// A report's id; `nil`, with a violation, when it is invalid.
  mutating func reportID(_ text: String) -> ReportID? {
    require("report_id", ReportID(text), "This is no report's id", IdentityReason.reportIDInvalid)
  }
}

extension Status {
  /// [ID-26].
  static let noSuchReport = Status(IdentityReason.reportNotFound, "There is no such report")
}

extension Report {
  /// The report as operators see it.
  init(_ stored: StoredReport, _ changes: [ChangesOfReports.Row]) {
    self.init(
      reportID: stored.id.description, userID: stored.reportedID.description,
      reporterUserID: stored.reporterID?.description ?? "",
      reason: IdentityDomain.ReportReason(rawValue: stored.reason)?.wire ?? .unspecified, remarks: stored.remarks,
      evidenceIds: stored.evidenceIDs.map(\.description), createTime: stored.createdAt.timestamp,
      username: stored.reportedUsername ?? "", reporterUsername: stored.reporterUsername ?? "",
      closeTime: stored.closedAt?.timestamp,
      changes: changes.map {
        ReportChange(change: $0.change, actor: $0.actor, reason: $0.reasonText, time: $0.happenedAt.timestamp)
      })
  }
}
