import Foundation
import Geography
import Identifiers
import ImporterDomain
import TTRPC
import TandemImporter
import TestServices
import TestSupport
import Testing

@Suite("exports of activities", .ownThreads)
struct ExportTests {
  /// A zip file's contents, as Python's `zipfile` reads it.
  private static func unzipped(_ zip: [UInt8]) throws -> [String: Data] {
    let folder = URL(filePath: NSTemporaryDirectory() + "tandem-export-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    // A temporary folder that stays is the system's to remove.
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(path: "export.zip")
    try Data(zip).write(to: file)
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/python3")
    process.arguments = ["-m", "zipfile", "-e", file.path, folder.appending(path: "out").path]
    try Children.start { try process.run() }
    process.waitUntilExit()
    try #require(process.terminationStatus == 0, "the zip file cannot be read")
    var contents: [String: Data] = [:]
    for name in try FileManager.default.subpathsOfDirectory(atPath: folder.appending(path: "out").path) {
      contents[name] = FileManager.default.contents(atPath: folder.appending(path: "out/\(name)").path)
    }
    return contents.filter { $0.key.contains(".") }
  }

  private static func json(_ data: Data?) throws -> Any {
    try JSONSerialization.jsonObject(with: try #require(data))
  }

  @Test("[IM-11] an export of hostile titles and numbers is valid GPX by its schema, and JSON")
  func hostile() async throws {
    try await RunningImporter.with { importer in
      let places = [(0.00001, 180.0), (-0.00002, -180.0), (90.0, 0.00003), (-90.0, 179.99999999), (1, 1)]
      let points = places.enumerated().map { second, place in
        TrackPoint(
          elapsedSeconds: Double(second) / 3, position: GeoPoint(latitude: place.0, longitude: place.1),
          elevationMetres: Double(second) / 100, heartRate: Double(second) * 100, cadence: second == 0 ? nil : 90)
      }
      let title = "<Way> & \"home\" ]]>\u{202E}ק𝄞"
      var activity = ImportedActivity.run(at: importer.clock.now)
      (activity.title, activity.track) = (title, Track(points: points))
      try await importer.store(ImportedBatch(activities: [activity]))

      let files = try Self.unzipped(try await importer.export())
      let tracks = files.filter { $0.key.hasSuffix(".gpx") }.values
      #expect(tracks.count == 1)
      for track in tracks { #expect(try GPXSchema.faults(in: [UInt8](track)) == []) }
      let records = try files.filter { $0.key.hasPrefix("activities/") && $0.key.hasSuffix(".json") }
        .map { try Self.json($0.value) as? [String: Any] }
      #expect(records.map { $0?["title"] as? String } == ["<Way> & \"home\" ]]>ק𝄞"])
      for name in ["steps.json", "sleep.json", "weight.json"] {
        #expect(try Self.json(files[name]) is [Any], "\(name)")
      }
    }
  }

  @Test("[IM-11] an export has every sample, also those that GPX has no place for")
  func samples() async throws {
    try await RunningImporter.with { importer in
      var indoors = ImportedActivity.run(at: importer.clock.now, externalID: "indoors")
      indoors.track = Track(points: [
        TrackPoint(elapsedSeconds: 0, heartRate: 90), TrackPoint(elapsedSeconds: 1.5, heartRate: 92, powerWatts: 210),
      ])
      var outdoors = ImportedActivity.run(at: importer.clock.now + .seconds(86_400), externalID: "outdoors")
      outdoors.elevationSource = .barometer
      outdoors.ascentMetres = 3
      outdoors.track = Track(points: [
        TrackPoint(
          elapsedSeconds: 0, position: GeoPoint(latitude: 51.5, longitude: -0.12), elevationMetres: 7.25,
          distanceMetres: 0, cadence: 80),
        TrackPoint(elapsedSeconds: 2, distanceMetres: 6.5),
      ])
      try await importer.store(ImportedBatch(activities: [indoors, outdoors]))
      let files = try Self.unzipped(try await importer.export())
      var found: [String: [String: Any]] = [:]
      for file in files where file.key.hasPrefix("activities/") && file.key.hasSuffix(".json") {
        let object = try #require(try Self.json(file.value) as? [String: Any])
        found[object["external_id"] as? String ?? ""] = object
      }
      func column(_ activity: String, _ name: String) -> [Double?] {
        ((found[activity]?["samples"] as? [String: Any])?[name] as? [Any])?.map { $0 as? Double } ?? []
      }
      #expect(column("indoors", "elapsed_s") == [0, 1.5] && column("indoors", "heart_rate_bpm") == [90, 92])
      #expect(column("indoors", "power_w") == [nil, 210] && column("indoors", "latitude_deg").isEmpty)
      #expect(
        column("outdoors", "latitude_deg") == [51.5, nil] && column("outdoors", "longitude_deg") == [-0.12, nil])
      #expect(column("outdoors", "elevation_m") == [7.25, nil] && column("outdoors", "distance_m") == [0, 6.5])
      #expect(column("outdoors", "cadence_per_min") == [80, nil])
      #expect(found["outdoors"]?["elevation_source"] as? String == "barometer")
      #expect(files.filter { $0.key.hasSuffix(".gpx") }.count == 1)
    }
  }

  @Test("[IM-11] an export of more nights and weighings than are read at a time has each once, in order")
  func pages() async throws {
    try await RunningImporter.with { importer in
      let start = importer.clock.now
      // Many end at the same moment.
      let sleeps = (0..<1_203).map { number in
        ImportedSleep(
          provider: number % 2 == 0 ? "a" : "b", externalID: "\(number)", startedAt: start,
          endedAt: start + .seconds(number / 7), timeZone: "UTC", asleepSeconds: 1, raw: "{}")
      }
      let weights = (0..<2_105).map { number in
        ImportedWeight(provider: number % 2 == 0 ? "a" : "b", measuredAt: start + .seconds(number / 2), kilograms: 70)
      }
      try await importer.store(ImportedBatch(sleeps: sleeps, weights: weights))
      let files = try Self.unzipped(try await importer.export())
      let nights = try #require(try Self.json(files["sleep.json"]) as? [[String: Any]])
      #expect(Set(nights.compactMap { $0["external_id"] as? String }).count == 1_203 && nights.count == 1_203)
      let weighings = try #require(try Self.json(files["weight.json"]) as? [[String: Any]])
      let keys = weighings.map { "\($0["time"] ?? "") \($0["provider"] ?? "")" }
      #expect(Set(keys).count == 2_105 && keys == keys.sorted())
    }
  }

  @Test("[IM-11] the export of a user without activities is a zip file of empty lists")
  func empty() async throws {
    try await RunningImporter.with { importer in
      let files = try Self.unzipped(try await importer.export())
      #expect(Set(files.keys) == ["steps.json", "sleep.json", "weight.json"])
      for file in files.values { #expect(try (Self.json(file) as? [Any])?.isEmpty == true) }
    }
  }

  @Test(
    "[IM-11] [IM-10] what is exported of real recordings is valid GPX by its schema",
    .enabled(if: SharedTracks.isPresent, SharedTracks.comment))
  func realRecordings() async throws {
    try await RunningImporter.with { importer in
      for row in SharedTracks.rows where row.error.isEmpty {
        // Those in which no activity is found are refused: the export of the others is what is looked at.
        _ = try? await importer.importFile(try SharedTracks.bytes(row.path), onFault: .keep)
      }
      let files = try Self.unzipped(try await importer.export())
      let tracks = files.filter { $0.key.hasSuffix(".gpx") }
      #expect(tracks.count >= 20, "\(tracks.count) of \(files.count)")
      for (name, track) in tracks { #expect(try GPXSchema.faults(in: [UInt8](track)) == [], "\(name)") }
    }
  }
}

extension RunningImporter {
  /// Everything that is stored of a user, as a zip file.
  func export(as user: TestUser = .ada) async throws -> [UInt8] {
    try await activities.exportActivities(ExportActivitiesRequest(), user.options) { parts in
      var bytes: [UInt8] = []
      for try await part in parts { bytes += part.chunk }
      return bytes
    }
  }
}
