import Identifiers

/// Why a report may not wait to be stored.
package enum ReportRefusal: Error, Sendable, Hashable {
  case tooManyOfUser
  case tooMany
}

/// Reports that wait to be stored, of which each user may have so many positions, and all together so many.
///
/// Users take turns, and the reports of a user stay in order.
package struct ReportQueue<Report> {
  private struct Waiting {
    let report: Report
    let pointCount: Int
  }

  private struct Reports {
    var waiting: ArraySlice<Waiting> = []
    var pointCount = 0

    mutating func add(_ report: Waiting) {
      waiting.append(report)
      pointCount += report.pointCount
    }
  }

  /// Of each user of whom reports wait.
  private var reportsOf: [UserID: Reports] = [:]
  /// The same users, each once, the next one first.
  private var turns: ArraySlice<UserID> = []
  private var pointCount = 0

  /// Positions of one user that may wait: four of the longest reports, as a phone may have them under way that was offline.
  package static var mostOfUser: Int { 2_000 }
  /// Positions that may wait in all: a few seconds' work.
  package static var most: Int { 50_000 }

  package init() {}

  package mutating func add(_ report: Report, points: Int, of user: UserID) throws(ReportRefusal) {
    guard reportsOf[user]?.pointCount ?? 0 <= Self.mostOfUser - points else { throw .tooManyOfUser }
    guard pointCount <= Self.most - points else { throw .tooMany }
    if reportsOf[user] == nil { turns.append(user) }
    reportsOf[user, default: Reports()].add(Waiting(report: report, pointCount: points))
    pointCount += points
  }

  /// Removes so many reports at most: one of each user in turn, then another of each, until there are enough.
  package mutating func take(_ most: Int) -> [Report] {
    var taken: [Report] = []
    while taken.count < most, let user = turns.popFirst() {
      guard var reports = reportsOf.removeValue(forKey: user), let next = reports.waiting.popFirst() else { continue }
      taken.append(next.report)
      reports.pointCount -= next.pointCount
      pointCount -= next.pointCount
      guard !reports.waiting.isEmpty else { continue }
      reportsOf[user] = reports
      turns.append(user)
    }
    return taken
  }
}
