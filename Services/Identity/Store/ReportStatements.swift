import IdentityDomain
import Identifiers
import Postgres

extension InsertReport {
  package init(_ report: UserReport, reportID: ReportID, reportedID: UserID, reporterID: UserID, now: Instant) {
    self.init(
      reportID: reportID, reportedID: reportedID, reporterID: reporterID, reason: report.reason,
      remarks: report.remarks.text, evidenceIDs: report.evidence, now: now)
  }
}
