import CatalogDomain
import CatalogOperations
import CatalogStore
import FieldViolations
import Idempotency
import Identifiers
import TTRPC
import TandemCatalog
import Timestamps

extension Gyms {
  /// Stores operators' reports of how full gyms are ([CA-4]).
  package func reportUsage(_ call: ReportUsageRequest, _ context: CallContext) async throws -> ReportUsageResponse {
    let batch = try ReportBatch(call, now: environment.clock.now)
    return try await idempotency.execute(call, context.requestKey(batch.requestID)) { tx in
      let (stored, outdated, unknown) = try await operations.reportUsage(batch.reports, tx)
      return ReportUsageResponse(
        stored: Int32(stored), outdated: Int32(outdated), unknownGymIds: unknown.map(\.description))
    }
  }
}

/// The parsed request.
private struct ReportBatch {
  private static let maxCount = 1_000

  let reports: [HeadCount]
  let requestID: UUID7?

  init(_ call: ReportUsageRequest, now: Instant) throws {
    var bad = Violations()
    requestID = bad.requestID(call.requestID)
    if call.reports.isEmpty { bad.add("reports", "There is no report", CatalogReason.reportsRequired) }
    if call.reports.count > Self.maxCount {
      bad.add("reports", "At most \(Self.maxCount) reports are taken at a time", CatalogReason.tooManyReports)
    }
    // The reports of a request that is too large are not checked.
    try bad.check()
    var gyms: Set<GymID> = []
    var reports: [HeadCount] = []
    for (place, report) in call.reports.enumerated() {
      guard let judged = Self.judged(report, "reports[\(place)]", now, &bad) else { continue }
      if !gyms.insert(judged.gym).inserted {
        bad.add("reports[\(place)].gym_id", "There is a report of this gym already", CatalogReason.gymRepeated)
      }
      reports.append(judged)
    }
    try bad.check()
    self.reports = reports
  }

  private static func judged(
    _ report: UsageReport, _ path: String, _ now: Instant, _ bad: inout Violations
  ) -> HeadCount? {
    let gym = bad.gymID(report.gymID, "\(path).gym_id")
    let people = bad.require(
      "\(path).people", (0...GymUsage.maxPeople).contains(Int(report.people)) ? report.people : nil,
      "Between 0 and \(GymUsage.maxPeople) people are in a gym", CatalogReason.peopleInvalid)
    let capacity = bad.require(
      "\(path).capacity", (0...GymUsage.maxPeople).contains(Int(report.capacity)) ? report.capacity : nil,
      "At most \(GymUsage.maxPeople) people fit into a gym", CatalogReason.capacityInvalid)
    let observedAt = report.observeTime.map { Instant(valid: $0) } ?? now
    let possible = Instant(microseconds: 0)...now + GymUsage.clockTolerance
    let time = bad.require(
      "\(path).observe_time", observedAt.flatMap { possible.contains($0) ? $0 : nil },
      "The report is from the future, or from before its time",
      CatalogReason.observeTimeInvalid)
    guard let gym, let people, let capacity, let time else { return nil }
    return HeadCount(
      gym: gym, people: people, capacity: capacity == 0 ? nil : capacity, observedAt: time)
  }
}
