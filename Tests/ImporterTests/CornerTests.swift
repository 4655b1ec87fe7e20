import Foundation
import Identifiers
import TTRPC
import TandemImporter
import TestServices
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
    "[IM-10] I-4: a member with a wrong checksum or damaged data is named, and all others are stored",
    arguments: [false, true])
  func damagedMember(deflated: Bool) async throws {
    try await RunningImporter.with { importer in
      let start = Instant(microseconds: 1_750_000_000_000_000)
      let members = (0..<10).map { day in
        (name: "tracks/\(day).gpx", bytes: MadeFile.gpx(at: start + .seconds(day * 86_400)))
      }
      let whole = MadeFile.zip(members, deflated: deflated)
      // Of a digit of a position, which reads as well, and of the length of a deflated block.
      let header = try #require(whole.firstRange(of: Array("tracks/4.gpx".utf8))).upperBound
      for place in deflated ? [header + 1, header + 900] : [header + 900] {
        var zip = whole
        zip[place] ^= 0x01
        importer.clock.advance(by: .seconds(1))
        let done = try await importer.importFile(zip, as: place == header + 900 ? .ada : .grace)
        #expect(done.state == .done && done.fault == nil && done.newActivities == 9)
        #expect(done.skipped.map(\.member) == ["tracks/4.gpx"] && done.skippedCount == 1, "\(done.skipped)")
      }
      #expect(try await importer.listed().count == 9)
    }
  }

  @Test("[IM-10] I-1: two hours in the gym with the receiver on, eleven hours apart, stay two activities")
  func gym() async throws {
    try await RunningImporter.with { importer in
      for start: Int64 in [1_748_761_200, 1_748_761_200 + 39_602] {
        importer.clock.advance(by: .seconds(1))
        let done = try await importer.importFile(Self.indoors(at: start))
        #expect(done.newActivities == 1)
      }
      #expect(try await importer.listed().map(\.sources.count) == [1, 1])
    }
  }

  /// An hour at one place, around which the receiver wanders by some metres.
  private static func indoors(at start: Int64) -> [UInt8] {
    var points = ""
    for index: Int64 in 0..<360 {
      let (north, east) = (Double(index * 7 % 11) * 0.000_004, Double(index * 5 % 13) * 0.000_005)
      let moment = Instant(microseconds: (start + index * 10) * 1_000_000)
      points += "<trkpt lat=\"\(51.5 + north)\" lon=\"\(7 + east)\"><time>\(moment)</time></trkpt>"
    }
    return Array("<gpx><trk><type>training</type><trkseg>\(points)</trkseg></trk></gpx>".utf8)
  }

  @Test(
    "[IM-10] I-5: a file of which nothing is stored says so, by itself and in an archive",
    arguments: ["settings.fit", "plan.gpx", "empty.tcx", "export.xml"])
  func nothing(name: String) async throws {
    try await RunningImporter.with { importer in
      var settings = FITBytes()
      settings.define(0, message: 0, [(0, 1, 0x00), (1, 2, 0x84)])
      settings.data(0, [2, 1, 0])
      let texts = [
        "plan.gpx": "<gpx><wpt lat=\"1\" lon=\"2\"/><rte><rtept lat=\"1\" lon=\"2\"/></rte></gpx>",
        "empty.tcx": "<TrainingCenterDatabase><Activities/></TrainingCenterDatabase>",
        "export.xml": "<HealthData locale=\"en_GB\"/>",
      ]
      let file = texts[name].map { Array($0.utf8) } ?? settings.whole
      let done = try await importer.importFile(file)
      #expect(done.state == .done && done.skippedCount == 1 && done.skipped.map(\.member) == [""], "\(done)")
      guard name != "export.xml" else { return }
      importer.clock.advance(by: .seconds(1))
      let zip = try await importer.importFile(MadeFile.zip([(name, file), ("run.gpx", MadeFile.gpx())]))
      #expect(zip.newActivities == 1 && zip.skipped.map(\.member) == [name] && zip.skippedCount == 1)
      #expect(zip.skipped.allSatisfy { $0.message.hasPrefix("The file has ") })
    }
  }

  @Test(
    "[IM-10] I-5: a session, and workouts and records of an export, that lack their times are named with their places")
  func withoutStart() async throws {
    try await RunningImporter.with { importer in
      func le<T: FixedWidthInteger>(_ value: T) -> [UInt8] { withUnsafeBytes(of: value.littleEndian) { Array($0) } }
      var file = FITBytes()
      file.define(1, message: 18, [(2, 4, 0x86), (7, 4, 0x86), (5, 1, 0)])
      file.data(1, le(UInt32(1_119_000_000)) + le(UInt32(1_800_000)) + [1])
      file.data(1, le(UInt32(1_119_090_000)) + le(UInt32.max) + [1])
      let sessions = try await importer.importFile(file.whole)
      #expect(sessions.newActivities == 1 && sessions.skippedCount == 1)
      #expect(sessions.skipped.map(\.list) == ["sessions"] && sessions.skipped.map(\.index) == [1])

      let dates = #"startDate="2025-06-01 08:00:00 +0200" endDate="2025-06-01 08:45:00 +0200""#
      let export =
        #"<HealthData><Workout workoutActivityType="HKWorkoutActivityTypeYoga" \#(dates)/>"#
        + #"<Workout workoutActivityType="HKWorkoutActivityTypeYoga" startDate="yesterday"/>"#
        + #"<Record type="HKQuantityTypeIdentifierHeartRate" startDate="yesterday"/>"#
        + #"<Record type="HKQuantityTypeIdentifierBodyMass" startDate="yesterday" value="70"/></HealthData>"#
      importer.clock.advance(by: .seconds(1))
      let health = try await importer.importFile(
        MadeFile.zip([("apple_health_export/export.xml", Array(export.utf8))]))
      #expect(health.newActivities == 1 && health.skippedCount == 2)
      #expect(health.skipped.map(\.list) == ["Workout", "Record"] && health.skipped.map(\.index) == [1, 1])
      #expect(health.skipped.allSatisfy { $0.member == "apple_health_export/export.xml" })
    }
  }

  @Test(
    "[IM-10] I-5: members of an archive that are not read are named: others than documents where there is nothing else")
  func unread() async throws {
    try await RunningImporter.with { importer in
      let page = Array("<html/>".utf8)
      let maps = (0..<5).map { (name: "maps/\($0).kml", bytes: page) }
      let only = try await importer.importFile(MadeFile.zip(maps + [("index.html", page)]))
      #expect(only.state == .done && only.newActivities == 0)
      #expect(only.skipped.map(\.member) == ["index.html", "maps/0.kml"] && only.skippedCount == 2)
      #expect(only.skipped.last?.message.contains("4 more") == true)

      importer.clock.advance(by: .seconds(1))
      let others = (0..<3).map { (name: "user/heart_rate-\($0).json", bytes: Array("[{\"dateTime\":1}]".utf8)) }
      let all = try await importer.importFile(
        MadeFile.zip(maps + others + [("cda.xml", Array("<ClinicalDocument/>".utf8)), ("run.gpx", MadeFile.gpx())]))
      #expect(all.newActivities == 1 && all.skippedCount == 2)
      #expect(all.skipped.map(\.member) == ["cda.xml", "user/heart_rate-0.json"])
    }
  }

  @Test("[IM-10] I-5: routes of Apple Health that no workout has, or that are empty, are named")
  func unnamedRoutes() async throws {
    try await RunningImporter.with { importer in
      let export = Array("<HealthData><Record type=\"none\"/></HealthData>".utf8)
      let folder = "apple_health_export/workout-routes"
      let empty = Array("<gpx><trk><trkseg/></trk></gpx>".utf8)
      let done = try await importer.importFile(
        MadeFile.zip([
          ("apple_health_export/export.xml", export), ("\(folder)/a.gpx", MadeFile.gpx()), ("\(folder)/b.gpx", empty),
        ]))
      #expect(done.state == .done && done.newActivities == 0 && done.skippedCount == 2)
      #expect(Set(done.skipped.map(\.member)) == ["\(folder)/a.gpx", "\(folder)/b.gpx"])
    }
  }

  @Test("[IM-10] I-5: laps beyond the most that are kept are named, with how many there are")
  func manyLaps() async throws {
    try await RunningImporter.with { importer in
      let lap = "<Lap><TotalTimeSeconds>1</TotalTimeSeconds></Lap>"
      let file = String(decoding: Self.tcx, as: UTF8.self)
        .replacing("</Activity>", with: String(repeating: lap, count: 2_100) + "</Activity>")
      let done = try await importer.importFile(Array(file.utf8))
      #expect(done.newActivities == 1 && done.skippedCount == 1)
      #expect(done.skipped.map(\.list) == ["laps"] && done.skipped.map(\.index) == [2_000])
      #expect(done.skipped.first?.message.hasPrefix("102 of them") == true)
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
        ListPersonalRecordsRequest(), TestUser.ada.options)
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
