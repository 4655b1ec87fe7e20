import FieldViolations
import GoogleType
import Identifiers
import ImporterDomain
import ImporterOperations
import ImporterStore
import TTRPC
import TandemImporter

extension Activities {
  /// The caller's activities, steps, sleep and weight, added up by period ([IM-11]).
  package func summarizeActivities(
    _ call: SummarizeActivitiesRequest, _ context: CallContext
  ) async throws -> SummarizeActivitiesResponse {
    let user = try context.userID
    let range = try SummaryRange(call)
    guard try await zones.isKnown(range.zone) else { throw BadFields.unknownZone.status }
    let (unit, zone, first, last) = (range.unit, range.zone, range.first, range.last)
    // On several connections; the longest first.
    async let sleeps = database.rows(
      SummarizedSleeps(unit: unit, zone: zone, userID: user, firstDay: first, lastDay: last))
    async let activities = database.rows(
      SummarizedActivities(unit: unit, zone: zone, userID: user, firstDay: first, lastDay: last))
    async let steps = database.rows(SummarizedSteps(unit: unit, userID: user, firstDay: first, lastDay: last))
    async let weights = database.rows(
      SummarizedWeights(unit: unit, zone: zone, userID: user, firstDay: first, lastDay: last))
    var summaries = Summaries()
    for row in try await activities { summaries.add(row) }
    for row in try await steps { summaries[row.startDay].steps = row.steps }
    for row in try await sleeps { summaries[row.startDay].sleepS = row.asleepS }
    for row in try await weights { summaries[row.startDay].weightKg = row.weightKg }
    return SummarizeActivitiesResponse(summaries: summaries.inOrder)
  }
}

/// The periods that have something.
private struct Summaries {
  private var byDay: [CivilDate: Summary] = [:]

  var inOrder: [Summary] { byDay.sorted { $0.key < $1.key }.map(\.value) }

  subscript(day: CivilDate) -> Summary {
    get { byDay[day] ?? Summary(startDate: day.wire) }
    set { byDay[day] = newValue }
  }

  mutating func add(_ row: SummarizedActivities.Row) {
    var summary = self[row.startDay]
    summary.activities += row.activities
    summary.durationS += row.durationS
    summary.distanceM += row.distanceM
    summary.energyKcal += row.energyKcal
    summary.ascentM += row.ascentM
    summary.sports.append(
      SportSummary(
        sport: row.sport.wire, activities: row.activities, durationS: row.durationS, distanceM: row.distanceM))
    self[row.startDay] = summary
  }
}

/// The days and periods that are wanted.
private struct SummaryRange {
  let unit: String
  let first: CivilDate
  let last: CivilDate
  let zone: String

  private static let maxDays = 400
  /// Twelve years, with their leap days.
  private static let maxDaysOfLonger = 4_383

  init(_ call: SummarizeActivitiesRequest) throws {
    var bad = Violations()
    let unit = Self.unit(call.period)
    if unit == nil { bad.add("period", "Choose days, weeks or months", ImporterReason.periodRequired) }
    let first = bad.require(
      "from_date", Self.day(call.fromDate), "This is not a date", ImporterReason.dateInvalid)
    let last = bad.require("to_date", Self.day(call.toDate), "This is not a date", ImporterReason.dateInvalid)
    if let first, let last {
      let days = last.daysSince1970 - first.daysSince1970 + 1
      if days < 1 { bad.add("to_date", "The last day is before the first", ImporterReason.dateInvalid) }
      if days > (unit == "day" ? Self.maxDays : Self.maxDaysOfLonger) {
        bad.add(
          "to_date", "The range is too long: 400 days, or 12 years of weeks or months", ImporterReason.rangeTooLong)
      }
    }
    let (known, from, to) = try bad.all(unit, first, last)
    (self.unit, self.first, self.last) = (known, from, to)
    zone = call.timeZone.isEmpty ? "UTC" : call.timeZone
  }

  private static func day(_ date: GoogleType.Date?) -> CivilDate? {
    date.flatMap { CivilDate(year: Int($0.year), month: Int($0.month), day: Int($0.day)) }
  }

  private static func unit(_ period: SummaryPeriod) -> String? {
    switch period {
    case .day: "day"
    case .week: "week"
    case .month: "month"
    case .unspecified, .unrecognized: nil
    }
  }
}
