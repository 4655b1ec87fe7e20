import CatalogDomain
import Foundation
import TestSupport
import Testing

@testable import CatalogLoading

/// The two public collections, which are not part of the repository.
private enum Collections {
  static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../../../shared/data/exercises").standardizedFileURL
  static let free = folder.appending(path: "free-exercise-db.exercises.json")
  static let wger = folder.appending(path: "wger.exercises-en.json")

  static var arePresent: Bool {
    FileManager.default.fileExists(atPath: free.path) && FileManager.default.fileExists(atPath: wger.path)
  }

  static func records() throws -> [ExerciseRecord] {
    try records(free, .freeExerciseDB) + records(wger, .wger)
  }

  private static func records(_ file: URL, _ format: ExerciseFormat) throws -> [ExerciseRecord] {
    var feed = RecordFeed(JSONArrayBuffer(longest: 1 << 20))
    var (isRead, records) = (false, [ExerciseRecord]())
    let reader = format.reader()
    while let pieces = try feed.next({
      defer { isRead = true }
      return isRead ? nil : [UInt8](try Data(contentsOf: file))
    }) {
      for case .record(let text) in pieces.map(\.content) { records.append(try reader.read(text)) }
    }
    return records
  }

  /// Pairs judged by hand: for each record of wger that free-exercise-db has too, the id there. All other pairs are different exercises.
  static func judgments() throws -> [String: String] {
    let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../Support/same_exercises.csv")
    let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").dropFirst()
    return Dictionary(
      uniqueKeysWithValues: lines.map { line in
        let fields = line.split(separator: ",")
        return (String(fields[0]), String(fields[1]))
      })
  }
}

@Suite(
  "how well the same exercises are found", .enabled(if: Collections.arePresent, "the public collections are not here"))
struct MatchingQualityTests {
  /// The result for the pairs judged by hand.
  private struct Count {
    var right = 0
    var wrong = 0
    var missed = 0

    var precision: Double { Double(right) / Double(right + wrong) }
    var recall: Double { Double(right) / Double(right + missed) }
  }

  private func count(_ records: [ExerciseRecord], where isCounted: (Int) -> Bool) throws -> Count {
    let judgments = try Collections.judgments()
    var count = Count()
    for group in ExerciseMatching.groups(of: records).map({ $0.map { records[$0] } }) {
      let free = Set(group.filter { $0.collection == .freeExerciseDB }.map(\.sourceID))
      for record in group where record.collection == .wger && isCounted(Int(record.sourceID) ?? 0) {
        let judged = judgments[record.sourceID]
        if let judged, free.contains(judged) { count.right += 1 } else if !free.isEmpty { count.wrong += 1 }
        if let judged, !free.contains(judged) { count.missed += 1 }
      }
    }
    return count
  }

  @Test("[CA-10] of the pairs that people judged at least nine in ten are right, and three in four are found")
  func quality() throws {
    let records = try Collections.records()
    #expect(records.count == 1_745)
    let (seen, unseen) = (
      try count(records) { !$0.isMultiple(of: 2) }, try count(records) { $0.isMultiple(of: 2) }
    )
    print("odd: \(seen) \(seen.precision) \(seen.recall), even: \(unseen) \(unseen.precision) \(unseen.recall)")
    let all = try count(records) { _ in true }
    print("all: \(all) \(all.precision) \(all.recall)")
    #expect(all.precision >= 0.9 && all.recall >= 0.75, "\(all)")
  }

  @Test("[CA-10] in the public collections six names that were there twice are there once, and toe touches are two")
  func names() throws {
    let records = try Collections.records()
    let groups = ExerciseMatching.groups(of: records).map { group in group.map { records[$0].name.lowercased() } }
    for name in ["mountain climbers", "push press", "flutter kicks", "muscle up", "box squat", "good morning"] {
      #expect(groups.count { $0.contains(name) } == 1, "\(name)")
    }
    #expect(groups.first { $0.contains("toe touchers") }?.contains("toe touch") == false)
  }

  @Test("[CA-10] in the public collections the order makes no difference")
  func order() throws {
    let records = try Collections.records()
    let there = ExerciseMatching.groups(of: records).map { Set($0.map { records[$0].sourceID }) }
    let backwards = Array(records.reversed())
    let back = ExerciseMatching.groups(of: backwards).map { Set($0.map { backwards[$0].sourceID }) }
    #expect(Set(there) == Set(back))
  }

  @Test("[CA-5] the public collections are loaded whole, and a second time without any change")
  func loads() async throws {
    try await TestDatabase.with([RunningCatalog.schema]) { database in
      let wger = try await RunningCatalog.load(Data(contentsOf: Collections.wger), .wger, into: database)
      let free = try await RunningCatalog.load(Data(contentsOf: Collections.free), .freeExerciseDB, into: database)
      #expect(wger.bad == [] && free.bad == [] && wger.outcome.file.added == 872 && free.outcome.file.added == 873)
      let again = try await RunningCatalog.load(Data(contentsOf: Collections.wger), .wger, into: database).outcome
      #expect(again.file.added == 0 && again.file.changed == 0 && again.file.unchanged == 872)
      #expect(again.exercises == free.outcome.exercises)
    }
  }
}
