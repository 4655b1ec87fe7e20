import IdentityDomain
import Identifiers
import Postgres

/// A stored report of one user about another.
package struct StoredReport: RowDecodable {
  package let id: ReportID
  package let reported: UserID
  /// `nil` once the reporter has deleted their account.
  package let reporter: UserID?
  /// The name of a reason; may be unknown to this version after a downgrade.
  package let reason: String
  package let remarks: String
  package let evidence: [UUID7]
  package let createdAt: Instant

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> StoredReport {
    StoredReport(
      id: try row.next(), reported: try row.next(), reporter: try row.next(), reason: try row.next(),
      remarks: try row.next(), evidence: try row.next(), createdAt: try row.next())
  }
}

package struct InsertReport: Statement {
  package typealias Row = Void
  package static let sql = """
    insert into user_reports (id, reported_id, reporter_id, reason, remarks, evidence_ids, created_at)
    values ($1, $2, $3, $4, $5, $6, $7)
    """
  let id: ReportID
  let reporter: UserID
  let report: UserReport
  let reported: UserID
  let now: Instant

  package init(_ report: UserReport, id: ReportID, about reported: UserID, by reporter: UserID, now: Instant) {
    self.report = report
    self.id = id
    self.reported = reported
    self.reporter = reporter
    self.now = now
  }

  package func bind(_ p: inout Parameters) {
    p.append(id)
    p.append(reported)
    p.append(reporter)
    p.append(report.reason.rawValue)
    p.append(report.remarks.text)
    p.append(report.evidence)
    p.append(now)
  }
}

/// Selects a page of reports, about one user or all, the latest first ([C-5]).
package struct ReportsBefore: Statement {
  package static let pace = Pace.slow
  package typealias Row = StoredReport
  package static let sql = """
    select id, reported_id, reporter_id, reason, remarks, evidence_ids, created_at from user_reports
    where ($1::uuid is null or reported_id = $1) and ($2::uuid is null or id < $2)
    order by id desc limit $3
    """
  let reported: UserID?
  let before: ReportID?
  let limit: Int64

  package init(about reported: UserID?, before: ReportID?, limit: Int64) {
    self.reported = reported
    self.before = before
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(reported)
    p.append(before)
    p.append(limit)
  }
}
