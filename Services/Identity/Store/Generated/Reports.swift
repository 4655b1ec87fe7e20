// Made from reports.sql by Shared/Data/generate-statements. Not edited: `make sql` makes it again.

import Events
import Identifiers
import IdentityDomain
import Pictures
import Postgres

/// Stores a report of one user about another.
package struct InsertReport: Statement {
  package typealias Row = Void
  package static let sql = """
    insert into user_reports (id, reported_id, reporter_id, reason, remarks, evidence_ids, created_at)
    values ($1, $2, $3, $4, $5, $6, $7)
    """
  package let reportID: ReportID
  package let reportedID: UserID
  package let reporterID: UserID
  package let reason: ReportReason
  package let remarks: String
  package let evidenceIDs: [UUID7]
  package let now: Instant

  package init(
    reportID: ReportID, reportedID: UserID, reporterID: UserID, reason: ReportReason, remarks: String,
    evidenceIDs: [UUID7], now: Instant) {
    self.reportID = reportID
    self.reportedID = reportedID
    self.reporterID = reporterID
    self.reason = reason
    self.remarks = remarks
    self.evidenceIDs = evidenceIDs
    self.now = now
  }

  package func bind(_ p: inout Parameters) {
    p.append(reportID)
    p.append(reportedID)
    p.append(reporterID)
    p.append(reason)
    p.append(remarks)
    p.append(evidenceIDs)
    p.append(now)
  }
}

/// A page of reports, about one user or all, the latest first ([C-5]).
package struct ReportsBefore: Statement {
  package struct Row: Sendable {
    package let id: ReportID
    package let reportedID: UserID
    /// `nil` once the reporter has deleted their account.
    package let reporterID: UserID?
    /// The name of a reason; may be unknown to this version after a downgrade.
    package let reason: String
    package let remarks: String
    package let evidenceIDs: [UUID7]
    package let createdAt: Instant
  }

  package static let pace = Pace.slow
  package static let sql = """
    select id, reported_id, reporter_id, reason, remarks, evidence_ids, created_at from user_reports
    where ($1::uuid is null or reported_id = $1) and ($2::uuid is null or id < $2)
    order by id desc limit $3
    """
  package let reportedID: UserID?
  package let before: ReportID?
  package let limit: Int64

  package init(reportedID: UserID?, before: ReportID?, limit: Int64) {
    self.reportedID = reportedID
    self.before = before
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(reportedID)
    p.append(before)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(
      id: try row.next(), reportedID: try row.next(), reporterID: try row.next(), reason: try row.next(),
      remarks: try row.next(), evidenceIDs: try row.next(), createdAt: try row.next())
  }
}
