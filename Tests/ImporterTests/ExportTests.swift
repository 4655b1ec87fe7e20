import Foundation
import Geography
import Identifiers
import ImporterDomain
import TTRPC
import TandemImporter
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
      #expect(records.map { $0?["title"] as? String } == [title])
      for name in ["steps.json", "sleep.json", "weight.json"] {
        #expect(try Self.json(files[name]) is [Any], "\(name)")
      }
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
  func export(as user: Someone = .ada) async throws -> [UInt8] {
    try await activities.exportActivities(ExportActivitiesRequest(), user.options) { parts in
      var bytes: [UInt8] = []
      for try await part in parts { bytes += part.chunk }
      return bytes
    }
  }
}
