// Made from reports.sql by Shared/Data/generate-statements. Not edited: `make sql` makes it again.

import Events
import Identifiers
import IdentityDomain
import Pictures
import Postgres

/// A report with the present names of both users.
package struct StoredReport: Sendable, RowDecodable {
  package let id: ReportID
  package let reportedID: UserID
  /// `nil` once the reporter has deleted their account, as is the name.
  package let reporterID: UserID?
  /// The name of a reason; may be unknown to this version after a downgrade.
  package let reason: String
  package let remarks: String
  package let evidenceIDs: [UUID7]
  package let createdAt: Instant
  package let closedAt: Instant?
  package let reportedUsername: String?
  package let reporterUsername: String?

  package init(
    id: ReportID, reportedID: UserID, reporterID: UserID?, reason: String, remarks: String, evidenceIDs: [UUID7],
    createdAt: Instant, closedAt: Instant?, reportedUsername: String?, reporterUsername: String?) {
    self.id = id
    self.reportedID = reportedID
    self.reporterID = reporterID
    self.reason = reason
    self.remarks = remarks
    self.evidenceIDs = evidenceIDs
    self.createdAt = createdAt
    self.closedAt = closedAt
    self.reportedUsername = reportedUsername
    self.reporterUsername = reporterUsername
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> StoredReport {
    StoredReport(
      id: try row.next(), reportedID: try row.next(), reporterID: try row.next(), reason: try row.next(),
      remarks: try row.next(), evidenceIDs: try row.next(), createdAt: try row.next(), closedAt: try row.next(),
      reportedUsername: try row.next(), reporterUsername: try row.next())
  }
}

/// Stores a report of one user about another, with the first entry of its audit trail.
package struct InsertReport: Statement {
  package typealias Row = Void
  package static let sql = """
    with report as (
      insert into user_reports (id, reported_id, reporter_id, reason, remarks, evidence_ids, created_at)
      values ($1, $2, $3, $4, $5, $6, $7)
      returning id
    )
    insert into report_changes (report_id, number, change, actor, reason, happened_at)
    select id, 1, 'RECEIVED', 'identity', '', $7 from report
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

/// Whether a user has reported another since a moment.
package struct HasReported: SingleRowStatement {
  package typealias Row = Bool
  package static let sql = """
    select exists (
      select from user_reports
      where reporter_id = $1::uuid and reported_id = $2::uuid and created_at >= $3
    ) as has_reported
    """
  package let reporterID: UserID
  package let reportedID: UserID
  package let since: Instant

  package init(reporterID: UserID, reportedID: UserID, since: Instant) {
    self.reporterID = reporterID
    self.reportedID = reportedID
    self.since = since
  }

  package func bind(_ p: inout Parameters) {
    p.append(reporterID)
    p.append(reportedID)
    p.append(since)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// A page of reports, about one user or all, the latest first ([C-5]).
package struct ReportsBefore: Statement {
  package typealias Row = StoredReport
  package static let pace = Pace.slow
  package static let sql = """
    select report.id, report.reported_id, report.reporter_id, report.reason, report.remarks, report.evidence_ids,
    report.created_at, report.closed_at, reported.username as reported_username, reporter.username as reporter_username from user_reports as report
    join accounts as reported on reported.id = report.reported_id
    left join accounts as reporter on reporter.id = report.reporter_id
    where ($1::uuid is null or report.reported_id = $1)
      and ($2::boolean or report.closed_at is null) and ($3::uuid is null or report.id < $3)
    order by report.id desc limit $4
    """
  package let reportedID: UserID?
  package let includesClosed: Bool
  package let before: ReportID?
  package let limit: Int64

  package init(reportedID: UserID?, includesClosed: Bool, before: ReportID?, limit: Int64) {
    self.reportedID = reportedID
    self.includesClosed = includesClosed
    self.before = before
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(reportedID)
    p.append(includesClosed)
    p.append(before)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try StoredReport.decode(row)
  }
}

/// A report.
package struct ReportByID: SingleRowStatement {
  package typealias Row = StoredReport
  package static let sql = """
    select report.id, report.reported_id, report.reporter_id, report.reason, report.remarks, report.evidence_ids,
    report.created_at, report.closed_at, reported.username as reported_username, reporter.username as reporter_username from user_reports as report
    join accounts as reported on reported.id = report.reported_id
    left join accounts as reporter on reporter.id = report.reporter_id where report.id = $1
    """
  package let reportID: ReportID

  package init(reportID: ReportID) {
    self.reportID = reportID
  }

  package func bind(_ p: inout Parameters) {
    p.append(reportID)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try StoredReport.decode(row)
  }
}

/// The audit trails of some reports, in order.
package struct ChangesOfReports: Statement {
  package struct Row: Sendable {
    package let reportID: ReportID
    package let change: String
    package let actor: String
    package let reasonText: String
    package let happenedAt: Instant
  }

  package static let sql = """
    select report_id, change, actor, reason as reason_text, happened_at from report_changes
    where report_id = any($1::uuid[])
    order by report_id, number
    """
  package let reportIDs: [ReportID]

  package init(reportIDs: [ReportID]) {
    self.reportIDs = reportIDs
  }

  package func bind(_ p: inout Parameters) {
    p.append(reportIDs)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(
      reportID: try row.next(), change: try row.next(), actor: try row.next(), reasonText: try row.next(),
      happenedAt: try row.next())
  }
}

/// Closes a report, with an entry in its audit trail; no row if there is none, or it was closed before.
package struct CloseStoredReport: SingleRowStatement {
  package typealias Row = ReportID
  package static let sql = """
    with report as (
      update user_reports set closed_at = $1 where id = $2 and closed_at is null returning id
    )
    insert into report_changes (report_id, number, change, actor, reason, happened_at)
    select
      report.id, (select max(number) + 1 from report_changes where report_changes.report_id = report.id), 'CLOSED', $3,
      $4, $1
    from report
    returning report_id
    """
  package let now: Instant
  package let reportID: ReportID
  package let actor: String
  /// Why.
  package let reasonText: String

  package init(now: Instant, reportID: ReportID, actor: String, reasonText: String) {
    self.now = now
    self.reportID = reportID
    self.actor = actor
    self.reasonText = reasonText
  }

  package func bind(_ p: inout Parameters) {
    p.append(now)
    p.append(reportID)
    p.append(actor)
    p.append(reasonText)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}
