import Foundation
import Identifiers
import TTRPC
import TandemImporter
import TestSupport
import Testing

@Suite("what trackers write in corners", .ownThreads, .timeLimit(.minutes(5)))
struct CornerTests {
  @Test("[IM-10] I-4: members of an archive that are broken are named, and all others are stored")
  func brokenMembers() async throws {
    try await RunningImporter.with { importer in
      let start = Instant(microseconds: 1_750_000_000_000_000)
      var members = (0..<7).map { day in
        (name: "tracks/\(day).gpx", bytes: MadeFile.gpx(at: start + .seconds(day * 86_400)))
      }
      let kml = Array("<kml xmlns=\"http://www.opengis.net/kml/2.2\"><Document/></kml>".utf8)
      members.insert(("tracks/cut.gpx", Array(MadeFile.gpx().dropLast(900))), at: 1)
      members.insert(("tracks/empty.gpx", []), at: 3)
      members.insert(("tracks/map.gpx", kml), at: 5)
      let done = try await importer.importFile(MadeFile.zip(members))
      #expect(done.state == .done && done.fault == nil && done.newActivities == 7)
      #expect(done.skipped.map(\.member) == ["tracks/cut.gpx", "tracks/empty.gpx", "tracks/map.gpx"])
      #expect(done.skipped.allSatisfy { !$0.message.isEmpty } && done.skippedCount == 3)
    }
  }

  @Test(
    "[IM-10] I-5: an export of Apple Health in any language is read, and an archive in an archive",
    arguments: ["apple_health_export/导出.xml", "apple_health_export/exportar.xml"])
  func localised(name: String) async throws {
    try await RunningImporter.with { importer in
      let workout =
        #"<Workout workoutActivityType="HKWorkoutActivityTypeYoga" sourceName="Watch" "#
        + #"startDate="2025-06-01 08:00:00 +0200" endDate="2025-06-01 08:45:00 +0200"/>"#
      let export = Array("<?xml version=\"1.0\"?><HealthData locale=\"zh_CN\">\(workout)</HealthData>".utf8)
      let inner = MadeFile.zip([("day.gpx", MadeFile.gpx())])
      let done = try await importer.importFile(MadeFile.zip([(name, export), ("DI_CONNECT/UploadedFiles.zip", inner)]))
      #expect(done.state == .done && done.newActivities == 2 && done.skippedCount == 0)
      #expect(try await Set(importer.listed().map(\.sport)) == [.yoga, .run])
    }
  }

  @Test("[IM-10] I-5: a track without times is named, by itself and in an archive")
  func withoutTimes() async throws {
    try await RunningImporter.with { importer in
      let route = Array(
        "<gpx><trk><trkseg><trkpt lat=\"1\" lon=\"2\"/><trkpt lat=\"1\" lon=\"3\"/></trkseg></trk></gpx>".utf8)
      for (file, member) in [(route, ""), (MadeFile.zip([("plan.gpx", route)]), "plan.gpx")] {
        importer.clock.advance(by: .seconds(1))
        let done = try await importer.importFile(file)
        #expect(done.newActivities == 0 && done.skippedCount == 1 && done.skipped.map(\.member) == [member])
        #expect(done.skipped.allSatisfy { $0.message.contains("time") })
      }
    }
  }

  @Test("[IM-10] I-8: points at (0, 0) before the receiver knows its place are no way to go")
  func nowhere() async throws {
    try await RunningImporter.with { importer in
      let before = (0..<5).map { second in
        "<trkpt lat=\"0\" lon=\"0\"><time>2025-06-15T15:06:3\(second)Z</time></trkpt>"
      }.joined()
      let file = String(decoding: MadeFile.gpx(), as: UTF8.self)
        .replacing("<trkseg>", with: "<trkseg>\(before)", maxReplacements: 1)
      #expect(try await importer.importFile(Array(file.utf8)).newActivities == 1)
      let run = try #require(try await importer.listed().first)
      #expect((3_400...3_700).contains(run.distanceM), "\(run.distanceM)")
      let records = try await importer.activities.listPersonalRecords(
        ListPersonalRecordsRequest(), Someone.ada.options)
      #expect(!records.records.isEmpty && records.records.allSatisfy { $0.distanceM < 4_000 })
    }
  }

  @Test("[IM-10] I-9: hearts that do not beat, and one that cannot, count neither in the average nor as the maximum")
  func hearts() async throws {
    try await RunningImporter.with { importer in
      let rates = [0, 150, 0, 150, 65_535, 150]
      let points = rates.enumerated().map { place, rate in
        "<trkpt lat=\"51.500\(place)\" lon=\"7\"><time>2025-06-01T08:00:0\(place)Z</time>"
          + "<extensions><hr>\(rate)</hr></extensions></trkpt>"
      }.joined()
      _ = try await importer.importFile(Array("<gpx><trk><trkseg>\(points)</trkseg></trk></gpx>".utf8))
      let ride = try #require(try await importer.listed().first)
      #expect(ride.heartRateAvgBpm == 150 && ride.heartRateMaxBpm == 150)
    }
  }

  @Test("[IM-10] I-10: laps of TCX with totals and no points are an activity, with their start and heart rate")
  func laps() async throws {
    try await RunningImporter.with { importer in
      let done = try await importer.importFile(Self.tcx)
      #expect(done.state == .done && done.newActivities == 1 && done.skippedCount == 0)
      let row = try #require(try await importer.listed().first)
      #expect(row.sport == .ride && row.durationS == 1_500 && row.distanceM == 12_000 && row.energyKcal == 330)
      // Weighed by the time of the laps.
      #expect(row.heartRateAvgBpm == 136 && row.heartRateMaxBpm == 171)
      #expect(row.startTime?.seconds == 1_748_764_800)
    }
  }

  /// Two laps on a trainer, without points.
  static let tcx = Array(
    """
    <TrainingCenterDatabase><Activities><Activity Sport="Biking"><Id>2025-06-01T08:00:00Z</Id>
    <Lap StartTime="2025-06-01T08:00:00Z"><TotalTimeSeconds>900</TotalTimeSeconds><DistanceMeters>8000</DistanceMeters>
    <Calories>210</Calories><AverageHeartRateBpm><Value>140</Value></AverageHeartRateBpm>
    <MaximumHeartRateBpm><Value>171</Value></MaximumHeartRateBpm><Intensity>Active</Intensity></Lap>
    <Lap StartTime="2025-06-01T08:15:00Z"><TotalTimeSeconds>600</TotalTimeSeconds><DistanceMeters>4000</DistanceMeters>
    <Calories>120</Calories><AverageHeartRateBpm><Value>130</Value></AverageHeartRateBpm>
    <MaximumHeartRateBpm><Value>150</Value></MaximumHeartRateBpm><Intensity>Resting</Intensity>
    <TriggerMethod>Manual</TriggerMethod></Lap></Activity></Activities></TrainingCenterDatabase>
    """.utf8)

  @Test("[IM-10] I-11: the sub-sport of a FIT session counts, and it begins before its first record")
  func sessions() async throws {
    try await RunningImporter.with { importer in
      let start: UInt32 = 1_119_000_000
      func le<T: FixedWidthInteger>(_ value: T) -> [UInt8] { withUnsafeBytes(of: value.littleEndian) { Array($0) } }
      for (place, subSport) in [UInt8(43), 1, 20].enumerated() {
        var file = FITBytes()
        let begin = start + UInt32(place) * 86_400
        file.define(0, message: 20, [(253, 4, 0x86), (3, 1, 0x02)])
        for second: UInt32 in stride(from: 300, through: 1_800, by: 100) { file.data(0, le(begin + second) + [120]) }
        file.define(1, message: 18, [(2, 4, 0x86), (7, 4, 0x86), (5, 1, 0), (6, 1, 0)])
        file.data(1, le(begin) + le(UInt32(1_800_000)) + [place == 1 ? 1 : 10, subSport])
        importer.clock.advance(by: .seconds(1))
        #expect(try await importer.importFile(file.whole).newActivities == 1)
      }
      let listed = try await importer.listed()
      #expect(listed.map(\.sport) == [.strength, .run, .yoga])
      #expect(listed.allSatisfy { $0.durationS == 1_800 })
      #expect(listed.last?.startTime?.seconds == Int64(start) + 631_065_600)
    }
  }

  @Test("[IM-10] I-16: a workout has all of its routes, and a night all of its stages in whatever order they come")
  func routes() async throws {
    try await RunningImporter.with { importer in
      func stage(_ kind: String, _ from: String, _ to: String) -> String {
        #"<Record type="HKCategoryTypeIdentifierSleepAnalysis" sourceName="Watch" "#
          + #"value="HKCategoryValueSleepAnalysis\#(kind)" startDate="\#(from) +0000" endDate="\#(to) +0000"/>"#
      }
      let start = Instant(microseconds: 1_750_000_000_000_000)
      let export = """
        <HealthData>\(stage("AsleepREM", "2025-06-02 05:00:00", "2025-06-02 05:50:00"))\
        \(stage("AsleepCore", "2025-06-01 23:00:00", "2025-06-02 03:00:00"))\
        \(stage("AsleepDeep", "2025-06-02 03:00:00", "2025-06-02 05:00:00"))
        <Workout workoutActivityType="HKWorkoutActivityTypeRunning" sourceName="Watch" \
        startDate="\(start.description.prefix(19).replacing("T", with: " ")) +0000" \
        endDate="\((start + .seconds(2_400)).description.prefix(19).replacing("T", with: " ")) +0000">
        <WorkoutRoute><FileReference path="/workout-routes/a.gpx"/></WorkoutRoute>
        <WorkoutRoute><FileReference path="/workout-routes/b.gpx"/></WorkoutRoute></Workout></HealthData>
        """
      let done = try await importer.importFile(
        MadeFile.zip([
          ("apple_health_export/export.xml", Array(export.utf8)),
          ("apple_health_export/workout-routes/a.gpx", MadeFile.gpx(points: 60, at: start)),
          ("apple_health_export/workout-routes/b.gpx", MadeFile.gpx(points: 50, at: start + .seconds(1_200))),
        ]))
      #expect(done.newActivities == 1 && done.sleeps == 1 && done.format == "apple-health")
      #expect(try await importer.value("select sample_count::text from activity_sources") == "110")
      #expect(try await importer.value("select asleep_s::int::text from sleeps") == "24600")
    }
  }
}
