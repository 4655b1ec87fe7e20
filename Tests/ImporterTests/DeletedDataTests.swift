import Identifiers
import ImporterDomain
import TTRPC
import TandemImporter
import TestSupport
import Testing
import TrackerSimulator

@Suite("what users deleted, and later imports", .ownThreads, .timeLimit(.minutes(5)))
struct DeletedDataTests {
  @Test("[IM-11] what is deleted while an import runs is not brought back by its further pages")
  func whileImporting() async throws {
    try await RunningImporter.withTrackers { importer, simulator in
      simulator.setStrava(pages: 2)
      let gate = AnswerGate()
      defer { gate.open() }
      simulator.answer("/athlete/activities") { request in
        guard request.query["page"] == "2" else { return nil }
        var answer = TrackerSimulator.Answer.json("[\(TrackerSimulator.ride(77))]")
        answer.gate = gate
        return answer
      }
      let begun = try #require(try await importer.connect(simulator).lastImport)
      #expect(try await eventually { simulator.stravaPages.contains("2") })
      let deleted = try await importer.activities.deleteImportedData(
        DeleteImportedDataRequest(all: true), Someone.ada.options)
      gate.open()
      let ended = try await importer.ended(begun.importID)
      #expect(deleted.deletedActivities == 2 && ended.state == .succeeded)
      #expect(try await importer.listed().isEmpty)
      _ = try await importer.importAgain()
      #expect(try await importer.listed().isEmpty)
    }
  }

  @Test("[IM-11] a provider that always reports its last month does not bring back days and nights that were deleted")
  func lastMonth() async throws {
    try await RunningImporter.withTrackers(["polar"]) { importer, simulator in
      let day = { (days: Int) in String("\(importer.clock.now + .seconds(days * 86_400))".prefix(10)) }
      let reported = { (days: [String]) in
        simulator.answer("/v3/users") { _ in .json(#"{"polar-user-id":7001}"#) }
        simulator.answer("/v3/exercises") { _ in .json("[]") }
        simulator.answer("/users/activities") { _ in
          .json("[\(days.map { #"{"date":"\#($0)","steps":4000}"# }.joined(separator: ","))]")
        }
        simulator.answer("/users/sleep") { _ in
          let nights = days.map {
            #"{"date":"\#($0)","sleep_start_time":"\#($0)T00:30:00Z","sleep_end_time":"\#($0)T07:30:00Z"}"#
          }
          return .json(#"{"nights":[\#(nights.joined(separator: ","))]}"#)
        }
      }
      reported([day(-2), day(-1)])
      let first = try await importer.imported(simulator, "polar")
      #expect(first.stepDayCount == 2 && first.sleepCount == 2)
      _ = try await importer.activities.deleteImportedData(
        DeleteImportedDataRequest(provider: "polar"), Someone.ada.options)
      reported([day(-2), day(-1), day(1)])
      importer.clock.advance(by: .seconds(2 * 86_400))
      // By then the next import has come by itself.
      #expect(
        try await eventually {
          try await importer.value("select count(*) from tracker_imports where state = 'SUCCEEDED'") == "2"
        })
      let days = try await importer.sql("select day::text from daily_steps")
      let nights = try await importer.sql("select external_id from sleeps")
      #expect(days == [[day(-1)]] && nights == days, "the day after the deletion")
    }
  }

  @Test("[IM-11] an archive of a connected provider brings back what was deleted, because the user uploads it")
  func uploaded() async throws {
    try await RunningImporter.withTrackers(["fitbit"]) { importer, simulator in
      simulator.setEmptyFitbit()
      try await importer.imported(simulator, "fitbit")
      let archive = MadeFile.zip([("exercise-0.json", Array("[\(MadeFile.exercise(1, at: "01/10/26 07:30:00"))]".utf8))]
      )
      let first = try await importer.importFile(archive)
      _ = try await importer.activities.deleteActivity(
        DeleteActivityRequest(activityID: try #require(first.activityIds.first)), Someone.ada.options)
      #expect(try await importer.importFile(archive).newActivities == 1)
      _ = try await importer.activities.deleteImportedData(
        DeleteImportedDataRequest(provider: "fitbit"), Someone.ada.options)
      #expect(try await importer.importFile(archive).newActivities == 1)
      #expect(try await importer.listed().count == 1)
    }
  }
}

extension TrackerSimulator {
  /// Has Fitbit know the user, and nothing else.
  func setEmptyFitbit() {
    answer("/identity") { _ in .json(#"{"healthUserId":"9"}"#) }
    answer("/dataPoints") { _ in .json("{}") }
    answer("/dataPoints:dailyRollUp") { _ in .json("{}") }
  }
}
