import Foundation
import GoogleType
import Identifiers
import ImporterDomain
import SeededNumbers
import TTRPC
import TandemImporter
import TestServices
import TestSupport
import Testing

@Suite("summaries")
struct SummaryTests {
  @Test(
    "[IM-11] what happens around midnight, also where clocks change at it, is in the days, weeks and months of the zone",
    arguments: ["Europe/Berlin", "America/Sao_Paulo", "Asia/Kolkata", "Pacific/Auckland"])
  func zones(zone: String) async throws {
    let calendar = try LocalCalendar(zone)
    let records = calendar.recordsAroundMidnights()
    try await RunningImporter.with { importer in
      try await importer.store(records)
      for (period, unit) in [(SummaryPeriod.day, Calendar.Component.day), (.week, .weekOfYear), (.month, .month)] {
        let response = try await importer.activities.summarizeActivities(
          SummarizeActivitiesRequest(
            period: period, fromDate: .init(year: 2018, month: 2, day: 3), toDate: .init(year: 2019, month: 3, day: 5),
            timeZone: zone), TestUser.ada.options)
        let found = response.summaries.map { summary in
          Line(
            start: summary.startDate.map { "\($0.year)-\($0.month)-\($0.day)" } ?? "", activities: summary.activities,
            seconds: summary.durationS, steps: summary.steps, asleep: summary.sleepS, weight: summary.weightKg)
        }
        let lines = calendar.lines(of: records, by: unit)
        #expect(found.count == lines.count, "\(period)")
        #expect(zip(found, lines).first { $0 != $1 } == nil, "\(period)")
      }
    }
  }

  @Test(
    "[IM-11] [C-8] what is no name of a zone is refused, also where it could be read as an offset",
    arguments: [
      "Nowhere/Land5", "Europe/Berlin1", "a/b+5", "Etc/GMT+99", "Etc/GMT+05", "X/Y5Z/W", "UTC+1", "<a>5",
      "Europe/Nowhere",
    ])
  func noZones(zone: String) async throws {
    try await RunningImporter.with { importer in
      let refused = try await refusal {
        try await importer.activities.summarizeActivities(
          SummarizeActivitiesRequest(
            period: .day, fromDate: .init(year: 2018, month: 2, day: 3), toDate: .init(year: 2018, month: 2, day: 4),
            timeZone: zone), TestUser.ada.options)
      }
      #expect(refused.code == .invalidArgument && refused.fields == ["time_zone"], "\(refused)")
    }
  }

  @Test("[IM-11] [C-8] names of zones may have digits and signs")
  func oddZones() async throws {
    try await RunningImporter.with { importer in
      for zone in ["Etc/GMT+5", "Etc/GMT-14", "Etc/GMT0", "America/Port-au-Prince", "Africa/Porto-Novo", "UTC"] {
        _ = try await importer.activities.summarizeActivities(
          SummarizeActivitiesRequest(
            period: .day, fromDate: .init(year: 2018, month: 2, day: 3), toDate: .init(year: 2018, month: 2, day: 4),
            timeZone: zone), TestUser.ada.options)
      }
    }
  }
}

/// A summary.
private struct Line: Equatable {
  var start: String
  var activities: Int32 = 0
  var seconds = 0.0
  var steps: Int64 = 0
  var asleep = 0.0
  var weight = 0.0
}

/// Foundation's knowledge of a zone, beside the database's.
private struct LocalCalendar {
  private var calendar = Calendar(identifier: .iso8601)
  private let midnights: [Foundation.Date]

  /// Midnights from 3 February 2018 to 5 March 2019.
  init(_ zone: String) throws {
    calendar.timeZone = try #require(TimeZone(identifier: zone))
    let first = try #require(calendar.date(from: DateComponents(year: 2018, month: 2, day: 3, hour: 12)))
    midnights = (0...395).compactMap { [calendar] in
      calendar.date(byAdding: .day, value: $0, to: first).map(calendar.startOfDay)
    }
  }

  /// Of each day an activity, the sleep and steps of two trackers, and a weighing, all within six hours of its beginning, of each seventh day
  /// exactly at it.
  func recordsAroundMidnights() -> ImportedBatch {
    var (random, batch) = (SplitMix(seed: 2026), ImportedBatch())
    for (number, midnight) in midnights.enumerated().dropFirst().dropLast() {
      let start = Self.instant(midnight)
      func near() -> Instant { start + .seconds(Int64.random(in: -3_599...3_599, using: &random) * Int64(number % 7)) }
      batch.activities.append(.run(at: near(), externalID: "\(number)"))
      for (provider, asleep) in [("a", 20_000.0), ("b", 15_000), ("b", Double.random(in: 0...9_000, using: &random))] {
        let end = near()
        batch.sleeps.append(
          ImportedSleep(
            // Those of one provider that overlap are another matter.
            provider: provider, externalID: "\(number) \(asleep)", startedAt: end, endedAt: end,
            timeZone: "UTC", asleepSeconds: asleep.rounded()))
      }
      let date = calendar.dateComponents([.year, .month, .day], from: midnight)
      guard let day = CivilDate(year: date.year ?? 0, month: date.month ?? 0, day: date.day ?? 0) else { continue }
      batch.steps += [
        ImportedSteps(provider: "a", day: day, steps: 5_000),
        ImportedSteps(provider: "b", day: day, steps: .random(in: 0...10_000, using: &random)),
      ]
      batch.weights.append(ImportedWeight(provider: "a", measuredAt: near(), kilograms: Double(60 + number % 20)))
    }
    return batch
  }

  /// The summaries of records, one after the other.
  func lines(of batch: ImportedBatch, by unit: Calendar.Component) -> [Line] {
    var lines: [Foundation.Date: Line] = [:]
    func add(_ moment: Foundation.Date, _ change: (inout Line) -> Void) {
      guard let start = calendar.dateInterval(of: unit, for: moment)?.start else { return }
      let date = calendar.dateComponents([.year, .month, .day], from: start)
      change(&lines[start, default: Line(start: "\(date.year ?? 0)-\(date.month ?? 0)-\(date.day ?? 0)")])
    }
    for activity in batch.activities {
      add(Self.date(activity.startedAt)) {
        $0.activities += 1
        $0.seconds += activity.durationSeconds
      }
    }
    for (day, nights) in Dictionary(grouping: batch.sleeps, by: { calendar.startOfDay(for: Self.date($0.endedAt)) }) {
      let asleep = Dictionary(grouping: nights, by: \.provider).mapValues { $0.reduce(0) { $0 + $1.asleepSeconds } }
      add(day) { $0.asleep += asleep.values.max() ?? 0 }
    }
    for (day, counts) in Dictionary(grouping: batch.steps, by: \.day) {
      let date = DateComponents(year: day.year, month: day.month, day: day.day, hour: 12)
      add(calendar.date(from: date) ?? .distantPast) { $0.steps += counts.map(\.steps).max() ?? 0 }
    }
    for weight in batch.weights.sorted(by: { $0.measuredAt < $1.measuredAt }) {
      add(Self.date(weight.measuredAt)) { $0.weight = weight.kilograms }
    }
    return lines.sorted { $0.key < $1.key }.map(\.value)
  }

  private static func instant(_ date: Foundation.Date) -> Instant {
    Instant(microseconds: Int64(date.timeIntervalSince1970) * 1_000_000)
  }

  private static func date(_ instant: Instant) -> Foundation.Date {
    Foundation.Date(timeIntervalSince1970: Double(instant.microseconds) / 1e6)
  }
}
