import Identifiers
import TTRPC
import TandemTracking
import TestServices
import TestSupport
import Testing
import Timestamps

@Suite("exports of paths", .ownThreads)
struct ExportTests {
  @Test("[TR-11] [TR-10] an exported path is valid GPX, with a segment for each stretch between two silences")
  func gaps() async throws {
    try await RunningTracking.with { tracking in
      let group = try await tracking.group(of: [.ada, .grace])
      let journey = try await tracking.depart(seenBy: [group])
      let start = tracking.clock.now
      tracking.clock.advance(by: .seconds(600))
      let seconds = Array(1...3) + Array(200...208) + [300]
      _ = try await tracking.locations.reportBatch(
        ReportBatchRequest(
          points: seconds.map { second in
            Position(
              latitude: 52.4 + Double(second) / 20_000, longitude: 13.4, time: (start + .seconds(second)).timestamp,
              altitudeM: Double(second) / 100)
          }), TestUser.ada.options)

      let whole = try await tracking.export(journey, as: .grace)
      #expect(try GPXSchema.faults(in: Array(whole.utf8)) == [])
      #expect(whole.segments == [3, 9, 1])
      let simplified = try await tracking.export(journey, tolerance: 100, as: .grace)
      #expect(try GPXSchema.faults(in: Array(simplified.utf8)) == [])
      #expect(simplified.segments == [2, 2, 1])
    }
  }

  @Test("[TR-11] a segment goes on where one read of a long path ends and the next begins")
  func long() async throws {
    try await RunningTracking.with { tracking in
      let group = try await tracking.group(of: [.ada])
      let journey = try await tracking.depart(seenBy: [group])
      let start = tracking.clock.now
      tracking.clock.advance(by: .seconds(3_000))
      for batch in 0..<5 {
        let seconds = batch * 500 + 1...(batch + 1) * 500
        _ = try await tracking.locations.reportBatch(
          ReportBatchRequest(
            points: seconds.map { second in
              Position(latitude: 52.4, longitude: 13.4, time: (start + .seconds(second)).timestamp)
            }), TestUser.ada.options)
      }
      let text = try await tracking.export(journey)
      #expect(try GPXSchema.faults(in: Array(text.utf8)) == [])
      #expect(text.segments == [2_500])
    }
  }

  @Test("[TR-11] the export of a journey across the antimeridian is valid GPX")
  func antimeridian() async throws {
    try await RunningTracking.with { tracking in
      let group = try await tracking.group(of: [.ada])
      let journey = try await tracking.depart(seenBy: [group])
      let longitudes = [179.9998, 179.9999, 179.99999999, 180, -180, -179.9999, -179.9998]
      for longitude in longitudes {
        tracking.clock.advance(by: .seconds(10))
        #expect(try await tracking.report(-17, longitude).accepted == 1)
      }
      let text = try await tracking.export(journey)
      #expect(try GPXSchema.faults(in: Array(text.utf8)) == [])
      #expect(text.segments == [longitudes.count])
    }
  }

  @Test("[TR-11] the export of a journey without any position is valid GPX without points")
  func empty() async throws {
    try await RunningTracking.with { tracking in
      let group = try await tracking.group(of: [.ada])
      let text = try await tracking.export(try await tracking.depart(seenBy: [group]))
      #expect(try GPXSchema.faults(in: Array(text.utf8)) == [])
      #expect(text.segments == [0])
    }
  }

  @Test("[TR-11] [TR-5] the export of an SOS alert is valid GPX")
  func alert() async throws {
    try await RunningTracking.with { tracking in
      _ = try await tracking.group(of: [.ada])
      let alert = try await tracking.journeys.startSOS(StartSOSRequest(), TestUser.ada.options)
      tracking.clock.advance(by: .seconds(1))
      try await tracking.report(-0.00001, 0.00001)
      let text = try await tracking.export(alert)
      #expect(try GPXSchema.faults(in: Array(text.utf8)) == [])
      #expect(text.segments == [1])
    }
  }
}

extension String {
  /// How many points each segment of a GPX document has.
  fileprivate var segments: [Int] {
    split(separator: "<trkseg>").dropFirst().map {
      $0.split(separator: "<trkpt ", omittingEmptySubsequences: false).count - 1
    }
  }
}

extension RunningTracking {
  func export(_ journey: Journey, tolerance: Double = 0, as user: TestUser = .ada) async throws -> String {
    var bytes: [UInt8] = []
    try await journeys.exportPath(
      ExportPathRequest(journeyID: journey.journeyID, toleranceM: tolerance), user.options
    ) { chunks in
      for try await chunk in chunks { bytes += chunk.chunk }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
