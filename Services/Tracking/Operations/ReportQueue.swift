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
  package static var maxOfUser: Int { 2_000 }
  /// Positions that may wait in all: a few seconds' work.
  package static var maxWaiting: Int { 50_000 }

  package init() {}

  package mutating func add(_ report: Report, points: Int, of user: UserID) throws(ReportRefusal) {
    guard reportsOf[user]?.pointCount ?? 0 <= Self.maxOfUser - points else { throw .tooManyOfUser }
    guard pointCount <= Self.maxWaiting - points else { throw .tooMany }
    if reportsOf[user] == nil { turns.append(user) }
    reportsOf[user, default: Reports()].add(Waiting(report: report, pointCount: points))
    pointCount += points
  }

  /// Removes so many reports at most: one of each user in turn, then another of each, until there are enough, or enough positions.
  ///
  /// - Parameters:
  ///   - points: positions of all; one report is taken, whatever it has.
  ///   - ofUser: positions of each user, who waits for the next turn with more; one report of each is taken, whatever it has.
  package mutating func take(_ most: Int, points: Int = .max, ofUser: Int = .max) -> [Report] {
    var (taken, takenPoints) = ([Report](), 0)
    var takenOf: [UserID: Int] = [:]
    var waiting: [UserID] = []
    while taken.count < most, takenPoints < points, let user = turns.popFirst() {
      guard var reports = reportsOf[user], let next = reports.waiting.first else { continue }
      let own = takenOf[user, default: 0]
      guard own == 0 || own + next.pointCount <= ofUser else {
        waiting.append(user)
        continue
      }
      reports.waiting.removeFirst()
      taken.append(next.report)
      takenPoints += next.pointCount
      takenOf[user] = own + next.pointCount
      reports.pointCount -= next.pointCount
      pointCount -= next.pointCount
      reportsOf[user] = reports.waiting.isEmpty ? nil : reports
      if !reports.waiting.isEmpty { turns.append(user) }
    }
    turns += waiting
    return taken
  }
}
